//! The 21 comments on hand-made trees, and on the figures of the paper.

use std::collections::BTreeSet;

use bluebelle_knowledge::utility::comment::{Figures, Outlook, Remark, on_choice, on_move, on_position};
use bluebelle_knowledge::utility::paper::{Expected, Figure, Paper};
use bluebelle_knowledge::utility::theory::best_successors;
use bluebelle_spec::Color;

use crate::michie::{paper, play};

/// All remarks about a node, or a move from there, for one side.
fn remarks(figure: &Figure, about: &Expected) -> Vec<Remark> {
    let figures = play(&figure.tree, figure.merits);
    let seen = |node: usize| Figures::of_node(&figures[node]).seen_by(about.side);
    let Some(next) = about.successor else {
        let mut found = on_position(about.side, &seen(about.node));
        if figure.tree.mover(about.node) == Some(about.side) {
            let outlook = |&next: &usize| Outlook {
                value: seen(next).value,
                utility: seen(next).utility,
                delay: figures[next].delay,
            };
            let outlooks: Vec<Outlook> = figure.tree.successors(about.node).iter().map(outlook).collect();
            found.extend(on_choice(about.side, &seen(about.node), &outlooks));
        }
        return found;
    };
    let is_best = best_successors(&figure.tree, &figures, about.node).contains(&next);
    on_move(about.side, &seen(about.node), &seen(next), is_best)
}

fn numbers(figure: &Figure, about: &Expected) -> BTreeSet<u8> {
    let found = remarks(figure, about);
    found.iter().map(|remark| remark.comment.number()).collect()
}

#[test]
fn all_twenty_one_comments_on_hand_made_trees() {
    let trees = Paper::parse(include_str!("comments.txt")).expect("the trees");
    let mut seen = BTreeSet::new();
    for figure in &trees.figures {
        for expected in &figure.comments {
            let found = numbers(figure, expected);
            assert!(
                found.contains(&expected.number),
                "{}: {expected:?}, found {found:?}",
                figure.name
            );
            seen.insert(expected.number);
        }
    }
    assert_eq!(seen, (1..=21).collect());
}

fn of_move(figure: &str, from: &str, to: &str) -> BTreeSet<u8> {
    let paper = paper();
    let figure = paper.figure(figure).expect("a figure");
    let node = |name: &str| figure.tree.find(name).expect("a node");
    let about = Expected {
        number: 17,
        side: figure.tree.mover(node(from)).expect("a mover"),
        node: node(from),
        successor: Some(node(to)),
    };
    numbers(figure, &about)
}

fn of_position(figure: &str, name: &str, side: Color) -> BTreeSet<u8> {
    let paper = paper();
    let figure = paper.figure(figure).expect("a figure");
    let node = figure.tree.find(name).expect("a node");
    numbers(
        figure,
        &Expected {
            number: 1,
            side,
            node,
            successor: None,
        },
    )
}

/// Black's move to B1 loses, is a mistake, and is best in Figure 3; in Figure 4 it is a blunder.
#[test]
fn the_losing_move_of_the_paper() {
    assert_eq!(of_move("3", "A", "B1"), BTreeSet::from([9, 12, 17]));
    assert_eq!(of_move("4", "A", "B1"), BTreeSet::from([9, 13]));
    assert!(of_move("4", "A", "B2").is_superset(&BTreeSet::from([17, 19])));
}

#[test]
fn the_positions_of_the_paper() {
    // Figure 3's root is balanced, tense, and a slight plus for Black.
    assert!(of_position("3", "A", Color::Black).is_superset(&BTreeSet::from([3, 4])));
    assert!(of_position("3", "B2", Color::White).contains(&1));
    assert!(of_position("3", "D9", Color::White).contains(&8));
    // Figure 5: White should press home, and Black should play for time.
    assert!(of_position("5", "B1", Color::White).contains(&20));
    assert!(of_position("5-broken", "C5.1", Color::Black).contains(&21));
    assert!(!of_position("3", "B1", Color::White).contains(&20));
}

#[test]
fn remarks_carry_their_numbers() {
    let paper = paper();
    let figure = paper.figure("4").expect("Figure 4");
    let node = |name: &str| figure.tree.find(name).expect("a node");
    let about = Expected {
        number: 13,
        side: Color::Black,
        node: node("A"),
        successor: Some(node("B1")),
    };
    let found = remarks(figure, &about);
    let blunder = found
        .iter()
        .find(|remark| remark.comment.number() == 13)
        .expect("a blunder");
    let text = blunder.to_string();
    assert!(
        text.starts_with("a blunder (v 0 → -1, u -0.979, Δu -0.954, tension 0."),
        "{text}"
    );
    assert_eq!(blunder.comment.nag(Color::Black), Some(4));
}

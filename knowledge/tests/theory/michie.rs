//! Every number of Michie's paper, and the two limits of his theory: random and perfect play.

use bluebelle_knowledge::utility::paper::{Figure, MICHIE, Paper, Quantity};
use bluebelle_knowledge::utility::theory::{NodeFigures, best_successors, evaluate, play_out, reach};
use bluebelle_knowledge::utility::tree::{Kind, Tree};
use bluebelle_knowledge::utility::{Michie, Opponent};
use bluebelle_knowledge::vocabulary::{Merit, Value};
use bluebelle_spec::Color;
use bluebelle_spec::rng::SplitMix64;

/// How exactly the formula must give our own recomputation.
const EXACT: f64 = 0.0005;

/// Ratios are large, and are recomputed to a digit less.
const RATIO: f64 = 0.05;

pub(crate) fn paper() -> Paper {
    Paper::parse(MICHIE).expect("the paper's file")
}

pub(crate) fn play(tree: &Tree, merits: [Merit; 2]) -> Vec<NodeFigures> {
    let [white, black] = merits.map(|merit| Michie { merit });
    evaluate(tree, [&white as &dyn Opponent, &black])
}

fn probability(tree: &Tree, figures: &[NodeFigures], from: usize, to: usize) -> f64 {
    let place = tree
        .successors(from)
        .iter()
        .position(|&at| at == to)
        .expect("a successor");
    figures[from].probabilities[place]
}

fn measure(figure: &Figure, figures: &[NodeFigures], quantity: Quantity) -> f64 {
    let p = |from, to| probability(&figure.tree, figures, from, to);
    match quantity {
        Quantity::Utility(node) => figures[node].utility.number(),
        Quantity::Tension(node) => figures[node].tension,
        Quantity::Probability(from, to) => p(from, to),
        Quantity::Ratio(from, more, less) => p(from, more) / p(from, less),
    }
}

#[test]
fn the_formula_gives_the_published_numbers() {
    let mut count = 0;
    for figure in paper().figures {
        let figures = play(&figure.tree, figure.merits);
        for number in &figure.numbers {
            let found = measure(&figure, &figures, number.quantity);
            let exact = if matches!(number.quantity, Quantity::Ratio(..)) {
                RATIO
            } else {
                EXACT
            };
            assert!(
                (found - number.recomputed).abs() <= exact,
                "figure {}: {number:?}, {found}",
                figure.name
            );
            assert!(
                (found - number.published).abs() <= number.within + exact,
                "{}: {number:?}",
                figure.name
            );
            if matches!(number.quantity, Quantity::Utility(_)) {
                let within = number.within.max(EXACT);
                assert!(
                    (found - number.published).abs() <= within,
                    "{}: {number:?}, {found}",
                    figure.name
                );
            }
            count += 1;
        }
        for &(node, best) in &figure.best {
            assert_eq!(
                best_successors(&figure.tree, &figures, node),
                [best],
                "figure {}",
                figure.name
            );
        }
    }
    assert_eq!(count, 23, "numbers of the paper");
}

/// The printed tension of Figure 3 comes out if the summand for the terminals below G3 lacks the
/// probability of reaching the node D9.
#[test]
fn the_published_tension_of_figure_3_lacks_a_factor() {
    let paper = paper();
    let figure = paper.figure("3").expect("Figure 3");
    let figures = play(&figure.tree, figure.merits);
    let [slip] = &figure.slips[..] else { panic!("one slip") };
    let Quantity::Tension(root) = slip.quantity else {
        panic!("a tension")
    };
    assert!(
        (figures[root].tension - slip.recomputed).abs() <= EXACT,
        "{}",
        figures[root].tension
    );

    let node = |name: &str| figure.tree.find(name).expect("a node");
    let reached = reach(&figure.tree, &figures, root);
    let decided = |at: usize| matches!(figure.tree.nodes()[at].kind, Kind::End(value) if value != Value::Draw);
    let all: f64 = (0..reached.len()).filter(|&at| decided(at)).map(|at| reached[at]).sum();
    assert!(
        (all - figures[root].tension).abs() < 1e-12,
        "tension is the probability of a decision"
    );

    let summand = reached[slip.without] * figures[slip.without].tension;
    let lacking = summand / reached[node("D9")];
    assert!(
        (all - summand + lacking - slip.published).abs() <= EXACT,
        "{}",
        all - summand + lacking
    );
}

#[test]
fn all_thirty_cells_of_table_3() {
    use bluebelle_knowledge::utility::comment::cell;
    use bluebelle_knowledge::vocabulary::Utility;
    let cells = paper().cells;
    for expected in &cells {
        for &sample in &expected.samples {
            let found = cell(expected.value, Utility::new(sample));
            assert_eq!(
                found, expected.cell,
                "u = {sample}, v = {}: {}",
                expected.value, expected.words
            );
        }
    }
    let places = cells.iter().map(|cell| (cell.row, cell.value));
    assert_eq!(places.collect::<std::collections::HashSet<_>>().len(), 30);
}

/// With M = 0 the expected utility is the mean result of random moves, within three standard errors.
#[test]
fn no_merit_is_random_play() {
    const GAMES: u32 = 1_000_000;
    let mut random = SplitMix64::new(1980);
    let figure = &paper().figures[0];
    let figures = play(&figure.tree, [Merit::default(); 2]);
    for node in &figures {
        let even = 1.0 / node.probabilities.len() as f64;
        assert!(node.probabilities.iter().all(|p| (p - even).abs() < 1e-12));
    }
    let root = figure.tree.find("A").expect("the root");
    let (mut sum, mut decided) = (0i64, 0u32);
    for _ in 0..GAMES {
        // A random walk that knows the tree only.
        let mut at = root;
        let result = loop {
            match &figure.tree.nodes()[at].kind {
                Kind::End(value) => break *value,
                Kind::Choice { successors, .. } => at = successors[random.below(successors.len() as u64) as usize],
            }
        };
        sum += i64::from(result.sign());
        decided += u32::from(result != Value::Draw);
    }
    let games = f64::from(GAMES);
    let (mean, tension) = (sum as f64 / games, f64::from(decided) / games);
    let expected = &figures[root];
    let sigma = ((expected.tension - expected.utility.number().powi(2)) / games).sqrt();
    assert!(
        (mean - expected.utility.number()).abs() <= 3.0 * sigma,
        "{mean} and {}",
        expected.utility
    );
    let sigma = (expected.tension * (1.0 - expected.tension) / games).sqrt();
    assert!(
        (tension - expected.tension).abs() <= 3.0 * sigma,
        "{tension} and {}",
        expected.tension
    );
}

/// The same for players of Figure 3, whose games are played by their probabilities.
#[test]
fn expected_utility_is_the_mean_of_games() {
    let figure = &paper().figures[0];
    let figures = play(&figure.tree, figure.merits);
    let root = figure.tree.find("A").expect("the root");
    let mut random = SplitMix64::new(3);
    let games = 200_000;
    let result = |_| play_out(&figure.tree, &figures, root, &mut random).map_or(0, Value::sign);
    let sum: i64 = (0..games).map(result).map(i64::from).sum();
    let mean = sum as f64 / f64::from(games);
    let sigma = (figures[root].tension / f64::from(games)).sqrt();
    assert!((mean - figures[root].utility.number()).abs() <= 3.0 * sigma, "{mean}");
}

#[test]
fn perfect_merit_is_minimax() {
    for (name, tree) in paper().trees {
        let perfect = play(&tree, [Merit::PERFECT; 2]);
        // Minimax by its definition.
        fn minimax(tree: &Tree, at: usize) -> Value {
            match &tree.nodes()[at].kind {
                Kind::End(value) => *value,
                Kind::Choice { mover, successors } => {
                    let values = successors.iter().map(|&next| minimax(tree, next));
                    let best = if *mover == Color::White {
                        values.max()
                    } else {
                        values.min()
                    };
                    best.expect("a successor")
                }
            }
        }
        for (at, figures) in perfect.iter().enumerate() {
            let value = minimax(&tree, at);
            assert_eq!(figures.value, value, "{name}");
            assert_eq!(figures.utility, value.into(), "{name}: {}", tree.nodes()[at].name);
        }
    }
    // On the way there, utility comes ever closer to the value.
    let tree = &paper().figures[0].tree;
    let root = tree.find("A").expect("the root");
    let distance = |kilopoints: f64| {
        let merit = Merit::new(kilopoints).expect("a merit");
        let figures = play(tree, [merit; 2]);
        (figures[root].utility.number() - f64::from(figures[root].value.sign())).abs()
    };
    assert!(distance(5.0) < 1e-3 && distance(5.0) < distance(2.0));
}

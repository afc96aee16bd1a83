//! A study as a page that needs nothing else.

use super::{Example, Study};
use crate::compare::html::{frame, table};
use crate::compare::plot::{Curve, Plot, Point, escape, short};

/// The whole page; `command` made it.
pub fn page(study: &Study, command: &str) -> String {
    let material = study.material.to_string();
    let title = format!("{material}: what positions are worth to players who err");
    let mut body = summary(study);
    body += "<h2>How hard wins are</h2>\n<div class=\"plots\">\n";
    body += &by_distance(study).figure();
    body += &by_merit(study).figure();
    body += &how_many(study).figure();
    body += "\n</div>\n<h2>Merit by merit</h2>\n";
    body += &merits(study);
    let second = study.rows.get(1).or(study.rows.first());
    let merit = second.map_or(String::new(), |row| row.merit.to_string());
    body += &format!("<h2>The hardest wins for players of merit {merit}</h2>\n");
    body += &examples(&study.hardest);
    body += &format!("<h2>The strongest draws for players of merit {merit}</h2>\n");
    body += &examples(&study.strongest);
    body += "<h2>Words</h2>\n<dl>\n";
    for (word, meaning) in WORDS {
        body += &format!("<dt>{}</dt><dd>{}</dd>\n", escape(word), escape(meaning));
    }
    body += &format!("</dl>\n<p>Made by <code>{}</code></p>\n", escape(command));
    frame(&format!("Bluebelle: {material}"), &title, &body)
}

fn summary(study: &Study) -> String {
    let [won, drawn, lost] = study.counts;
    let all = (won + drawn + lost).max(1) as f64;
    let share = |count: u64| 100.0 * count as f64 / all;
    let players = if study.literal {
        "players by Michie's formula, taken literally"
    } else {
        "players by the fitted model"
    };
    let told = [
        format!(
            "White to move: {won} positions are won ({:.1} %), {drawn} drawn ({:.1} %), {lost} lost ({:.1} %).",
            share(won),
            share(drawn),
            share(lost)
        ),
        format!("u is the mean result between two {players} of the same merit, within fifty moves."),
    ];
    let paragraph = |text: &String| format!("<p class=\"summary\">{}</p>\n", escape(text));
    told.iter().map(paragraph).collect()
}

fn plot(title: &str, x: &str, y: &str, lines: Vec<Curve>) -> Plot {
    Plot {
        title: title.to_owned(),
        x_label: x.to_owned(),
        y_label: y.to_owned(),
        logarithmic: false,
        mark: None,
        values: false,
        lines,
    }
}

const fn point(x: f64, y: f64) -> Point {
    Point { x, y, bar: None }
}

fn by_distance(study: &Study) -> Plot {
    let distances = || study.distances.iter().map(|&(moves, _)| f64::from(moves));
    let lines = study.rows.iter().map(|row| Curve {
        name: format!("merit {}", row.merit),
        points: distances().zip(&row.by_distance).map(|(x, &y)| point(x, y)).collect(),
    });
    plot("u of won positions, by distance", "moves to mate", "u", lines.collect())
}

fn by_merit(study: &Study) -> Plot {
    let names = ["won positions", "drawn positions", "lost positions"];
    let lines = names.iter().enumerate().map(|(class, name)| Curve {
        name: (*name).to_owned(),
        points: study
            .rows
            .iter()
            .filter_map(|row| Some(point(row.merit.kilopoints(), row.means[class]?)))
            .collect(),
    });
    let lines = lines.filter(|line| !line.points.is_empty()).collect();
    plot("Mean u, by merit", "merit", "u", lines)
}

fn how_many(study: &Study) -> Plot {
    let points = study
        .distances
        .iter()
        .map(|&(moves, count)| point(f64::from(moves), count as f64));
    let line = Curve {
        name: "won positions".to_owned(),
        points: points.collect(),
    };
    plot("How many wins take how long", "moves to mate", "positions", vec![line])
}

fn merits(study: &Study) -> String {
    let mean = |mean: Option<f64>| mean.map_or("none".to_owned(), |mean| format!("{mean:+.3}"));
    let rows = study.rows.iter().map(|row| {
        let mut cells = vec![row.merit.to_string()];
        cells.extend(row.means.map(mean));
        cells
    });
    table(&["merit", "u of won positions", "of drawn ones", "of lost ones"], rows)
}

fn examples(examples: &[Example]) -> String {
    let rows = examples.iter().map(|example| {
        let moves = example
            .moves
            .map_or("draw".to_owned(), |moves| format!("mate in {moves}"));
        vec![format!("{} 0 1", example.position), moves, short(example.utility)]
    });
    if examples.is_empty() {
        return "<p>There are none.</p>\n".to_owned();
    }
    table(&["position", "with perfect play", "u"], rows)
}

/// What the words of the page mean.
const WORDS: [(&str, &str); 5] = [
    (
        "u",
        "Expected utility: the mean result for White, from −1 (loses always) to +1 (wins always).",
    ),
    ("merit", "How strong a player is: 2 stands for a rating of 2000."),
    (
        "won, drawn, lost",
        "With perfect play, as the endgame tables say; mirror images are counted too.",
    ),
    (
        "conversion",
        "A capture or promotion ends the play with what the tables say of the position after it.",
    ),
    (
        "strong draw",
        "A drawn position whose u is high: the other side has to find its moves.",
    ),
];

//! An annotated game in PGN: glyphs for programs, words and numbers for readers.

use bluebelle_spec::Color;

use super::Annotated;
use crate::pgn::{self, Record};

/// The game's tags, and its moves with their comments.
pub fn write(record: &Record, annotated: &Annotated) -> String {
    let mut text = String::new();
    for (name, value) in &record.tags {
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        text += &pgn::tag(&name, value);
    }
    text.push('\n');
    let result = record.tags.iter().find(|(name, _)| name == "Result");
    let results = ["1-0", "0-1", "1/2-1/2"];
    let result = result
        .map(|(_, value)| value.as_str())
        .filter(|value| results.contains(value));
    let mut words = Vec::new();
    let mut after_comment = true;
    for ply in &annotated.plies {
        match ply.mover {
            Color::White => words.push(format!("{}.", ply.number)),
            Color::Black if after_comment => words.push(format!("{}...", ply.number)),
            Color::Black => {}
        }
        words.push(ply.san.clone());
        let glyphs = ply.printed.iter().filter_map(|remark| remark.comment.nag(remark.side));
        words.extend(glyphs.map(|glyph| format!("${glyph}")));
        let said: Vec<String> = ply.printed.iter().map(ToString::to_string).collect();
        if !said.is_empty() {
            let comment = format!("{{{}}}", said.join("; "));
            words.extend(comment.split(' ').map(str::to_owned));
        }
        after_comment = !said.is_empty();
    }
    words.push(result.unwrap_or("*").to_owned());
    text + &pgn::wrap(&words)
}

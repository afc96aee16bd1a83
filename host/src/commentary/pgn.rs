//! An annotated game in PGN: glyphs for programs, words and numbers for readers.

use std::fmt::Write as _;

use bluebelle_spec::Color;

use super::Annotated;
use crate::pgn::Record;

/// Lines are not longer.
const WIDTH: usize = 80;

/// The game's tags, and its moves with their comments.
pub fn write(record: &Record, annotated: &Annotated) -> String {
    let mut text = String::new();
    for (name, value) in &record.tags {
        let name: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
        let value: String = value.chars().filter(|c| !c.is_control()).collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string does not fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
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
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        width += length;
        text += &word;
    }
    text + "\n"
}

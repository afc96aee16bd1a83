//! Perft suites: a position a line with its published counts, `FEN ;D1 20 ;D2 400 …`.

use crate::fen::{Fen, FenError};

/// A position and how many sequences of moves it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftCase {
    /// The position.
    pub fen: Fen,
    /// Depth and count, in the order of the file.
    pub counts: Vec<(u8, u64)>,
}

/// Why a text is not a perft suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct SuiteError {
    line: usize,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Problem {
    #[error(transparent)]
    Fen(#[from] FenError),
    #[error("'{0}' is not a count: expected a depth and a number, such as 'D3 8902'")]
    Count(String),
}

/// Reads a suite. Empty lines and lines that start with `#` are skipped.
///
/// # Errors
/// Names the line and what is wrong with it.
pub fn parse(text: &str) -> Result<Vec<PerftCase>, SuiteError> {
    let content = |line: &&str| !line.is_empty() && !line.starts_with('#');
    text.lines()
        .map(str::trim)
        .enumerate()
        .filter(|(_, line)| content(line))
        .map(|(index, line)| {
            parse_case(line).map_err(|problem| SuiteError {
                line: index + 1,
                problem,
            })
        })
        .collect()
}

fn parse_case(line: &str) -> Result<PerftCase, Problem> {
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default().parse()?;
    let counts = fields.map(parse_count).collect::<Result<_, _>>()?;
    Ok(PerftCase { fen, counts })
}

fn parse_count(field: &str) -> Result<(u8, u64), Problem> {
    let parsed = field.strip_prefix('D').and_then(|rest| {
        let (depth, count) = rest.split_once(' ')?;
        Some((depth.parse().ok()?, count.trim().parse().ok()?))
    });
    parsed.ok_or_else(|| Problem::Count(field.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_read_line_by_line() {
        let text = "# comment\n\n8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 1 ;D2 5\n";
        let cases = parse(text).expect("a good suite");
        assert_eq!(cases.len(), 1);
        assert_eq!(cases[0].counts, [(1, 1), (2, 5)]);
    }

    #[test]
    fn errors_name_the_line() {
        let error = parse("# comment\n8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 one").expect_err("a bad count");
        assert_eq!(
            error.to_string(),
            "line 2: 'D1 one' is not a count: expected a depth and a number, such as 'D3 8902'"
        );
        let error = parse("8/8/8 w - - 0 1").expect_err("a bad board");
        assert!(
            error.to_string().starts_with("line 1: the board field has 3 ranks"),
            "{error}"
        );
    }
}

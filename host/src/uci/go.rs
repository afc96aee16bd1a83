//! What `go` asks for. A word that makes no sense is told and left out, because a GUI waits for a
//! move whatever it has said.

use std::iter::Peekable;
use std::time::Duration;

use bluebelle_spec::{Color, Move};

use super::command::{Command, CommandError, shorten};
use crate::board::Board;
use crate::limits::{Clock, Limits};

/// How long a search takes whose `go` has lost all its limits: long enough for a sensible move, and
/// short enough to be waited for.
pub const WITHOUT_LIMITS: Duration = Duration::from_secs(1);

/// The deepest count of moves that ends in a lifetime.
pub(super) const MOST_PERFT: u64 = 15;

/// The most problems that are told of one line.
const MOST_PROBLEMS: usize = 8;

const WORDS: [&str; 13] = [
    "infinite",
    "ponder",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "movestogo",
    "wtime",
    "btime",
    "winc",
    "binc",
    "perft",
    "searchmoves",
];

/// Reads the words after `go`; `board` is the position they are about, if there is one.
pub(super) fn parse<'a>(words: impl Iterator<Item = &'a str>, board: Option<&Board>) -> Result<Command, CommandError> {
    let mut reader = Reader {
        words: words.peekable(),
        problems: Vec::new(),
    };
    let mut limits = Limits::default();
    let mut clocks = [Clock::default(); 2];
    let mut timed = [false; 2];
    let mut moves_to_go = None;
    // Whether a word stood there that bounds a search.
    let mut bounded = false;
    while let Some(word) = reader.words.next() {
        bounded |= !matches!(word, "infinite" | "ponder" | "searchmoves");
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "depth" => limits.depth = reader.number(word).map(|plies| plies.clamp(1, 1000) as u32),
            "nodes" => limits.nodes = reader.number(word).map(|nodes| nodes.max(1)),
            "mate" => limits.mate = reader.number(word).map(|moves| moves.clamp(1, 1000) as u32),
            "movetime" => limits.movetime = reader.number(word).map(milliseconds),
            "movestogo" => {
                let moves = reader.number(word).map(|moves| moves.min(1000) as u32);
                moves_to_go = moves.filter(|&moves| moves > 0);
            }
            "wtime" | "btime" => {
                let side = usize::from(word == "btime");
                if let Some(number) = reader.number(word) {
                    clocks[side].remaining = milliseconds(number);
                    timed[side] = true;
                }
            }
            "winc" | "binc" => {
                let increment = reader.number(word).map_or(Duration::ZERO, milliseconds);
                clocks[usize::from(word == "binc")].increment = increment;
            }
            "perft" => return reader.perft(),
            "searchmoves" => limits.searchmoves.extend(reader.moves(board)),
            other => reader.tell(CommandError::UnknownLimit(shorten(other))),
        }
    }
    let side = match board.map(Board::turn) {
        Some(Color::Black) => 1,
        Some(Color::White) | None => 0,
    };
    if timed[side] {
        limits.clock = Some(Clock {
            moves_to_go,
            ..clocks[side]
        });
    }
    if bounded && limits.is_endless() && !limits.infinite && limits.mate.is_none() {
        limits.movetime = Some(WITHOUT_LIMITS);
        reader.tell(CommandError::NoLimit);
    }
    Ok(Command::Go {
        limits: Box::new(limits),
        problems: reader.problems,
    })
}

/// The words that are left, and what was wrong with those before.
struct Reader<I: Iterator> {
    words: Peekable<I>,
    problems: Vec<CommandError>,
}

impl<'a, I: Iterator<Item = &'a str>> Reader<I> {
    fn tell(&mut self, problem: CommandError) {
        if self.problems.len() < MOST_PROBLEMS || problem == CommandError::NoLimit {
            self.problems.push(problem);
        }
    }

    /// The number of a limit. A clock that has run out, as some GUIs tell it, is a clock with
    /// nothing left.
    fn number(&mut self, name: &str) -> Option<u64> {
        // Another limit is read as such, and not as a number that is wrong.
        let found = self.words.next_if(|word| !WORDS.contains(word)).unwrap_or("nothing");
        let number = found.parse::<i128>();
        if number.is_err() {
            self.tell(CommandError::BadNumber {
                name: name.to_owned(),
                found: shorten(found),
            });
        }
        number
            .ok()
            .map(|number| u64::try_from(number.max(0)).unwrap_or(u64::MAX))
    }

    /// Moves up to the first word that is none.
    fn moves(&mut self, board: Option<&Board>) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut count = 0;
        while let Some(text) = self.words.next_if(|text| text.parse::<Move>().is_ok()) {
            count += 1;
            match board.map(|board| board.parse_move(text)) {
                Some(Some(mv)) => moves.push(mv),
                Some(None) => self.tell(CommandError::IllegalSearchMove(shorten(text))),
                None => {}
            }
        }
        if count == 0 {
            self.tell(CommandError::IllegalSearchMove("nothing".to_owned()));
        }
        moves
    }

    fn perft(mut self) -> Result<Command, CommandError> {
        match (self.number("perft"), self.problems.pop()) {
            (Some(depth), _) if depth <= MOST_PERFT => Ok(Command::Perft(depth as u32)),
            (Some(depth), _) => Err(CommandError::PerftTooDeep(depth)),
            (None, problem) => Err(problem.unwrap_or(CommandError::NoLimit)),
        }
    }
}

/// A year is long enough, and its sums do not overflow.
fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number.min(365 * 24 * 3600 * 1000))
}

#[cfg(test)]
mod tests {
    use bluebelle_spec::Weights;

    use super::*;
    use crate::evaluation::Evaluator;

    /// The limits in a line, and what is said about the others.
    fn read(line: &str) -> (Limits, Vec<String>) {
        let board = Board::initial(&Evaluator::new(Weights::standard()));
        match parse(line.split(' ').skip(1), Some(&board)) {
            Ok(Command::Go { limits, problems }) => (*limits, problems.iter().map(CommandError::to_string).collect()),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn one_bad_word_leaves_the_others() {
        let (limits, problems) = read("go depth abc nodes 500");
        assert_eq!((limits.depth, limits.nodes, limits.movetime), (None, Some(500), None));
        assert_eq!(problems, ["go depth: expected a number, found 'abc'; left out"]);
        let (limits, problems) = read("go depth nodes 500 fast");
        assert_eq!((limits.depth, limits.nodes), (None, Some(500)));
        assert_eq!(problems.len(), 2, "{problems:?}");
        let (limits, problems) = read("go wtime x btime 1000 winc 5 movestogo 3 movetime 70");
        assert_eq!((limits.clock, limits.movetime), (None, Some(Duration::from_millis(70))));
        assert_eq!(problems.len(), 1, "{problems:?}");
        let (limits, problems) = read("go searchmoves e2e5 e2e4 depth 3");
        assert_eq!((limits.searchmoves.len(), limits.depth), (1, Some(3)));
        assert_eq!(problems.len(), 1, "{problems:?}");
    }

    #[test]
    fn without_any_limit_left_the_search_is_short() {
        for line in [
            "go depth abc",
            "go btime 1000",
            "go fast",
            "go movestogo 3",
            "go ponder wtime x",
        ] {
            let (limits, problems) = read(line);
            assert_eq!(limits.movetime, Some(WITHOUT_LIMITS), "{line}");
            let last = problems.last().map(String::as_str);
            assert_eq!(
                last,
                Some("go: found no limit, expected one; searching for 1 s"),
                "{line}"
            );
        }
        for line in ["go infinite", "go ponder", "go searchmoves e2e4", "go infinite depth x"] {
            assert_eq!(read(line).0.movetime, None, "{line}");
        }
    }

    #[test]
    fn numbers_may_be_of_any_size_and_lines_of_any_length() {
        let (limits, problems) = read("go nodes 99999999999999999999 depth -5 wtime -20");
        assert_eq!((limits.nodes, limits.depth), (Some(u64::MAX), Some(1)));
        assert_eq!(limits.clock.map(|clock| clock.remaining), Some(Duration::ZERO));
        assert!(problems.is_empty());
        let (_, problems) = read(&format!("go{}", " nonsense".repeat(1000)));
        assert_eq!(problems.len(), MOST_PROBLEMS + 1);
    }
}

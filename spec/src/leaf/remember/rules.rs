//! Which rules a searcher goes by.

use std::str::FromStr;

/// What a searcher does beyond today's chip, or otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The table has 2 to the power of this many entries; 0 for no table.
    pub table_bits: u32,
    /// The least depth of a node that is looked up and stored.
    pub table_from: i8,
    /// How quiet moves are ordered by what they did elsewhere.
    pub history: History,
    /// Quiet moves after the first `3 + depth²` are left out, up to depth 6.
    pub late_moves: bool,
    /// Captures that lose by the classes of victim and attacker are tried after the quiet moves.
    pub losing_last: bool,
    /// A position that has been there on the way from the root is a draw.
    pub repetition: Repetition,
    /// How much less deep a quiet move is searched at first.
    pub reductions: Reductions,
    /// A node in check is searched a ply deeper.
    pub checks: bool,
    /// Reverse futility and futility.
    pub futility: bool,
    /// The null move.
    pub null_move: bool,
    /// The greatest depth at which a value far above the bound settles a node.
    pub reverse_depth: i8,
    /// Nodes that should be refuted by one of their first moves reduce later ones by more.
    pub expected: bool,
    /// A node that the table knows no move of is searched a ply less deep, from depth 4 on.
    pub internal: bool,
    /// Futility goes by the depth to which a move is reduced, up to 6, move by move.
    pub late_futility: bool,
    /// Quiet moves of pieces to squares that an enemy pawn attacks are left out up to this reduced depth.
    pub safe_depth: i8,
    /// Captures that lose by the classes of victim and attacker are left out up to this depth.
    pub losing_depth: i8,
    /// Which captures lose, and which quiet moves are safe, is told by playing out the exchanges on the square.
    pub exchanges: bool,
    /// Nodes are worth the best value that was found, and not only less or more than their bound.
    pub soft: bool,
    /// Of several threads that search together, each leaves moves to those that search them at this moment.
    pub defers: bool,
}

/// What is remembered of quiet moves, by side, piece and square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum History {
    /// Nothing.
    None,
    /// A bit: whether the move refuted when it was last tried.
    Bit,
    /// Two bits: up by two when the move refutes, down by one when it does not.
    TwoBits,
    /// A number that grows with the depth, and moves sorted by it: more than hardware likes, as a bound.
    Sorted,
    /// The same number, of which the order of moves sees only in which of so many classes it is, 2 to 5.
    Classes(u8),
    /// The same in three classes; a move that fails loses at once, by a quarter, whether or not another one refutes.
    Now,
}

/// Which repetitions are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// None.
    None,
    /// Those of the position four plies before.
    Four,
    /// All.
    All,
}

/// See [`Rules::reductions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reductions {
    /// To half of the depth, whatever the number of the move.
    Halving,
    /// By the logarithms of the depth and of the move's number.
    Logarithmic,
    /// As the software does: by more of these, and less for moves that refuted elsewhere.
    Strong,
    /// Nothing for the first four moves, then one to three plies.
    Light,
    /// Not at all.
    None,
}

impl Rules {
    /// Those of today's chip.
    pub const TODAY: Rules = Rules {
        table_bits: 0,
        table_from: 2,
        history: History::None,
        late_moves: false,
        losing_last: false,
        repetition: Repetition::None,
        reductions: Reductions::Halving,
        checks: false,
        futility: true,
        null_move: true,
        reverse_depth: 3,
        expected: false,
        internal: false,
        late_futility: false,
        safe_depth: 0,
        losing_depth: 0,
        exchanges: false,
        soft: false,
        defers: true,
    };

    /// All that a chip with a table in SDRAM may have.
    pub const ALL: Rules = Rules {
        table_bits: 20,
        table_from: 2,
        history: History::TwoBits,
        late_moves: true,
        losing_last: true,
        repetition: Repetition::All,
        reductions: Reductions::Logarithmic,
        ..Rules::TODAY
    };
}

/// Reads rules as words with commas between them: `today` or `all` first, then what differs.
impl FromStr for Rules {
    type Err = String;

    fn from_str(text: &str) -> Result<Rules, String> {
        let mut rules = Rules::TODAY;
        for (index, word) in text.split(',').enumerate() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let number = |range: std::ops::RangeInclusive<u32>| {
                let number = value.parse().ok().filter(|number| range.contains(number));
                number.ok_or_else(|| format!("'{word}': expected a number from {} to {}", range.start(), range.end()))
            };
            match (name, value) {
                ("today", "") if index == 0 => rules = Rules::TODAY,
                ("all", "") if index == 0 => rules = Rules::ALL,
                ("table", _) => rules.table_bits = number(1..=26)?,
                ("no-table", "") => rules.table_bits = 0,
                ("table-from", _) => rules.table_from = number(0..=10)? as i8,
                ("history", "bit") => rules.history = History::Bit,
                ("history", "two-bits") => rules.history = History::TwoBits,
                ("history", "now") => rules.history = History::Now,
                ("history", "sorted") => rules.history = History::Sorted,
                ("classes", _) => rules.history = History::Classes(number(2..=5)? as u8),
                ("exchanges", "") => rules.exchanges = true,
                ("soft", "") => rules.soft = true,
                ("no-defers", "") => rules.defers = false,
                ("history", "none") => rules.history = History::None,
                ("late-moves", "") => rules.late_moves = true,
                ("no-late-moves", "") => rules.late_moves = false,
                ("losing-last", "") => rules.losing_last = true,
                ("no-losing-last", "") => rules.losing_last = false,
                ("repetition", "") => rules.repetition = Repetition::All,
                ("repetition", "4") => rules.repetition = Repetition::Four,
                ("no-repetition", "") => rules.repetition = Repetition::None,
                ("reductions", "halving") => rules.reductions = Reductions::Halving,
                ("reductions", "logarithmic") => rules.reductions = Reductions::Logarithmic,
                ("reductions", "strong") => rules.reductions = Reductions::Strong,
                ("reductions", "light") => rules.reductions = Reductions::Light,
                ("reductions", "none") => rules.reductions = Reductions::None,
                ("checks", "") => rules.checks = true,
                ("no-checks", "") => rules.checks = false,
                ("reverse", _) => rules.reverse_depth = number(0..=12)? as i8,
                ("expected", "") => rules.expected = true,
                ("internal", "") => rules.internal = true,
                ("late-futility", "") => rules.late_futility = true,
                ("safe", _) => rules.safe_depth = number(0..=12)? as i8,
                ("losing", _) => rules.losing_depth = number(0..=12)? as i8,
                ("no-futility", "") => rules.futility = false,
                ("no-null-move", "") => rules.null_move = false,
                _ => {
                    return Err(format!(
                        "'{word}' is no rule: expected today or all first, then any of table=BITS, no-table, \
                         table-from=DEPTH, history=none|bit|two-bits|now|sorted, [no-]late-moves, [no-]losing-last, \
                         [no-]repetition, repetition=4, reductions=halving|logarithmic|strong|light|none, [no-]checks, \
                         no-futility, no-null-move, reverse=DEPTH, expected, internal, late-futility, safe=DEPTH, \
                         losing=DEPTH, classes=COUNT, exchanges, soft, no-defers"
                    ));
                }
            }
        }
        Ok(rules)
    }
}

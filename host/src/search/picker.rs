//! The order of moves, made stage by stage so that a cut-off saves the work for what comes after.

use bluebelle_spec::{Move, Piece};

use super::history::{Context, History};
use crate::board::{Board, EXCHANGE_VALUES, MoveList};

/// What is tried when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The move from the transposition table.
    Table,
    /// Writes the captures and promotions.
    GenerateNoisy,
    /// Those that lose nothing.
    GoodNoisy,
    /// Two quiet moves that refuted siblings, and the one that last refuted the move before.
    Refutations,
    /// Writes the quiet moves.
    GenerateQuiet,
    /// By history.
    Quiet,
    /// Captures that lose material.
    BadNoisy,
    /// No more moves.
    Done,
}

/// Hands out the legal moves of one node, the most promising first.
pub struct Picker {
    stage: Stage,
    table_move: Move,
    refutations: [Move; 3],
    context: Context,
    list: MoveList,
    next: usize,
    bad: MoveList,
    only_noisy: bool,
    no_quiets: bool,
    /// Noisy moves that gain less than this are bad.
    threshold: i32,
}

impl Picker {
    /// All moves.
    pub fn new(table_move: Move, killers: [Move; 2], counter: Move, context: Context) -> Picker {
        Picker {
            stage: Stage::Table,
            table_move,
            refutations: [killers[0], killers[1], counter],
            context,
            list: MoveList::new(),
            next: 0,
            bad: MoveList::new(),
            only_noisy: false,
            no_quiets: false,
            threshold: 0,
        }
    }

    /// Captures and promotions that gain at least `threshold` in the exchange, and the table's move if it is one of them.
    pub fn noisy(board: &Board, table_move: Move, threshold: i32) -> Picker {
        let usable = !table_move.is_none() && board.is_noisy(table_move) && board.see_at_least(table_move, threshold);
        let table_move = if usable { table_move } else { Move::NONE };
        Picker {
            only_noisy: true,
            threshold,
            ..Picker::new(table_move, [Move::NONE; 2], Move::NONE, [None; 2])
        }
    }

    /// All moves of another node, in the same place.
    pub fn restart(&mut self, table_move: Move, killers: [Move; 2], counter: Move, context: Context) {
        self.list.clear();
        self.bad.clear();
        self.stage = Stage::Table;
        self.table_move = table_move;
        self.refutations = [killers[0], killers[1], counter];
        self.context = context;
        (self.next, self.threshold) = (0, 0);
        (self.only_noisy, self.no_quiets) = (false, false);
    }

    /// The stage of the move handed out last.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// No more quiet moves, please.
    pub fn skip_quiets(&mut self) {
        self.no_quiets = true;
    }

    /// The next move.
    pub fn next(&mut self, board: &Board, history: &History) -> Option<Move> {
        loop {
            if self.no_quiets && (Stage::Refutations..=Stage::Quiet).contains(&self.stage) {
                self.stage = Stage::BadNoisy;
                self.next = 0;
            }
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    if board.is_legal(self.table_move) {
                        return Some(self.table_move);
                    }
                    self.table_move = Move::NONE;
                }
                Stage::GenerateNoisy => {
                    board.noisy_moves(&mut self.list);
                    self.score_noisy(board, history);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.best() {
                    Some(mv) if mv == self.table_move => {}
                    Some(mv) if board.see_at_least(mv, self.threshold) => return Some(mv),
                    Some(mv) => self.bad.push(mv),
                    None if self.only_noisy => self.stage = Stage::Done,
                    None => {
                        self.stage = Stage::Refutations;
                        self.next = 0;
                    }
                },
                Stage::Refutations => {
                    let Some(&mv) = self.refutations.get(self.next) else {
                        self.stage = Stage::GenerateQuiet;
                        continue;
                    };
                    let seen = self.refutations[..self.next].contains(&mv) || mv == self.table_move;
                    self.next += 1;
                    if !seen && !mv.is_none() && !board.is_noisy(mv) && board.is_legal(mv) {
                        return Some(mv);
                    }
                    // What was not tried here must not be skipped later.
                    if !seen {
                        self.refutations[self.next - 1] = Move::NONE;
                    }
                }
                Stage::GenerateQuiet => {
                    self.list.clear();
                    self.next = 0;
                    board.quiet_moves(&mut self.list);
                    for scored in self.list.iter_mut() {
                        scored.score = history.quiet(board, scored.mv, self.context);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best() {
                    Some(mv) if mv == self.table_move || self.refutations.contains(&mv) => {}
                    Some(mv) => return Some(mv),
                    None => {
                        self.stage = Stage::BadNoisy;
                        self.next = 0;
                    }
                },
                Stage::BadNoisy => match self.bad.get(self.next) {
                    Some(scored) => {
                        self.next += 1;
                        return Some(scored.mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Takes the best of the moves left in the list.
    #[inline]
    fn best(&mut self) -> Option<Move> {
        let rest = self.list.get_mut(self.next..)?;
        let mut at = 0;
        let mut best = rest.first()?.score;
        for (index, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > best {
                (at, best) = (index, scored.score);
            }
        }
        rest.swap(0, at);
        self.next += 1;
        Some(rest[0].mv)
    }

    /// The most valuable victim first, then what history says.
    fn score_noisy(&mut self, board: &Board, history: &History) {
        for scored in self.list.iter_mut() {
            let victim = board
                .captured(scored.mv)
                .map_or(0, |piece| EXCHANGE_VALUES[piece.index()]);
            let promotion = match scored.mv.promotion() {
                Some(Piece::Queen) => 1000,
                Some(_) => -1000,
                None => 0,
            };
            scored.score = 16 * (victim + promotion) + history.capture(board, scored.mv) / 4;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use bluebelle_spec::{Weights, suite};

    use super::*;
    use crate::evaluation::Evaluator;

    /// Every legal move once, whatever the hints.
    #[test]
    fn every_move_comes_once() {
        let evaluator = Evaluator::new(Weights::standard());
        let history = History::new();
        let cases = suite::parse(include_str!("../../../tests/data/standard.perft")).expect("a suite");
        for case in cases {
            let board = Board::new(&case.fen, &evaluator);
            let legal: Vec<Move> = board.legal_moves().iter().map(|scored| scored.mv).collect();
            let elsewhere: Move = "a2a3".parse().expect("a move");
            for hint in legal.iter().copied().chain([Move::NONE, elsewhere]) {
                for killers in [[hint, elsewhere], [elsewhere, legal[0]], [Move::NONE, hint]] {
                    for counter in [hint, legal[legal.len() / 2]] {
                        let mut picker = Picker::new(hint, killers, counter, [None; 2]);
                        let picked: Vec<u16> = std::iter::from_fn(|| picker.next(&board, &history))
                            .map(Move::bits)
                            .collect();
                        let once: BTreeSet<u16> = picked.iter().copied().collect();
                        assert_eq!(picked.len(), once.len(), "a move twice in {board:?}");
                        assert_eq!(once, legal.iter().map(|mv| mv.bits()).collect(), "{board:?}");
                        if legal.contains(&hint) {
                            assert_eq!(picked[0], hint.bits());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_noisy_picker_keeps_its_threshold() {
        let evaluator = Evaluator::new(Weights::standard());
        let history = History::new();
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let board = Board::new(&fen.parse().expect("a FEN"), &evaluator);
        let mut picker = Picker::noisy(&board, Move::NONE, 1);
        let mut count = 0;
        while let Some(mv) = picker.next(&board, &history) {
            assert!(board.is_noisy(mv) && board.see_at_least(mv, 1), "{mv}");
            count += 1;
        }
        assert!(count > 0);
    }
}

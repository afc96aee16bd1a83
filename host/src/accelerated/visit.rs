//! A position of the upper tree and how it was reached: what a search is told, and what it finds.

use bluebelle_spec::Move;

use crate::board::Board;
use crate::search::history::{Context, PieceTo};
use crate::table::{Entry, NO_EVALUATION};

/// A move on the way from the root.
pub(super) struct Step<'p> {
    pub(super) before: Option<&'p Step<'p>>,
    /// The position that it was made in.
    pub(super) hash: u64,
    /// `None` for a null move, and before the root.
    pub(super) moved: Option<PieceTo>,
    /// The static evaluation there.
    pub(super) evaluation: i32,
}

/// A position to be searched.
#[derive(Clone, Copy)]
pub(super) struct Visit<'v> {
    pub(super) board: &'v Board,
    /// The move that led here.
    pub(super) step: &'v Step<'v>,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    /// Whether the value is wanted, and not only whether it is at least beta.
    pub(super) principal: bool,
    /// Whether one of its first moves is expected to refute it.
    pub(super) cut: bool,
    /// The move that is left out, to see what the others are worth; [`Move::NONE`] for none.
    pub(super) excluded: Move,
    /// How many moves on the way here were extended by two plies.
    pub(super) doubles: u8,
}

/// What is left to be found out about a position.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// What the table knows.
    pub(super) entry: Option<Entry>,
    /// The static evaluation, if it was needed already.
    pub(super) evaluation: i32,
}

impl Open {
    /// Whether all that is asked is on which side of a bound the value is.
    pub(super) const fn is_null_window(&self) -> bool {
        self.beta - self.alpha == 1
    }
}

/// What a position is worth, and the line that shows it.
pub(super) struct Found {
    pub(super) score: i32,
    pub(super) line: Vec<Move>,
}

impl Found {
    pub(super) const fn score(score: i32) -> Found {
        Found {
            score,
            line: Vec::new(),
        }
    }

    /// For the side that made this move.
    pub(super) fn after(mut self, mv: Move, principal: bool) -> Found {
        self.score = -self.score;
        if principal {
            self.line.insert(0, mv);
        }
        self
    }
}

impl Step<'_> {
    /// Before the root.
    pub(super) const ROOT: Step<'static> = Step {
        before: None,
        hash: 0,
        moved: None,
        evaluation: NO_EVALUATION,
    };

    /// The two moves before a node.
    pub(super) fn context(&self) -> Context {
        [self.moved, self.before.and_then(|before| before.moved)]
    }

    /// Whether the side to move stands better than at its last moves.
    pub(super) fn improving(&self, evaluation: i32) -> bool {
        let two = self.before.map_or(NO_EVALUATION, |before| before.evaluation);
        let earlier = match two {
            NO_EVALUATION => {
                let three = self.before.and_then(|before| before.before);
                three
                    .and_then(|step| step.before)
                    .map_or(NO_EVALUATION, |step| step.evaluation)
            }
            two => two,
        };
        earlier == NO_EVALUATION || evaluation > earlier
    }
}

impl<'v> Visit<'v> {
    /// The root, in a window.
    pub(super) fn root(
        board: &'v Board,
        (alpha, beta): (i32, i32),
        depth: i32,
        principal: bool,
        cut: bool,
    ) -> Visit<'v> {
        Visit {
            board,
            step: &Step::ROOT,
            alpha,
            beta,
            depth,
            ply: 0,
            principal,
            cut,
            excluded: Move::NONE,
            doubles: 0,
        }
    }

    /// The same as a node of the upper tree, although it is not deep.
    pub(super) fn no_leaf(self) -> Visit<'v> {
        Visit {
            depth: self.depth.max(1),
            ..self
        }
    }

    /// The position after a move, with a window of this side.
    pub(super) fn child<'c>(
        &self,
        board: &'c Board,
        step: &'c Step<'c>,
        (alpha, beta): (i32, i32),
        depth: i32,
        principal: bool,
    ) -> Visit<'c> {
        Visit {
            board,
            step,
            alpha: -beta,
            beta: -alpha,
            depth,
            ply: self.ply + 1,
            principal,
            cut: !principal && !self.cut,
            excluded: Move::NONE,
            doubles: self.doubles,
        }
    }

    pub(super) fn step_by(&self, mv: Move, evaluation: i32) -> Step<'v> {
        Step {
            before: Some(self.step),
            hash: self.board.hash(),
            moved: Some(PieceTo::new(self.board, mv)),
            evaluation,
        }
    }
}

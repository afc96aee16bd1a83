//! Iterative deepening: the whole search again and again, a ply deeper each time, until a limit says so.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bluebelle_spec::Move;

use super::Line;
use super::parameters::{aspiration, time};
use super::searcher::{RootMove, Searcher};
use super::team::Team;
use crate::draws::{Draws, shade};
use crate::score::{DRAW, INFINITE, MATE, MAX_PLY, is_mate};
use crate::table::Bound;

/// Current moves are told only in searches this long.
const LONG: Duration = Duration::from_secs(3);

impl<T: Team> Searcher<'_, T> {
    /// The first thread's search: it minds the limits and reports. The best lines, the best first.
    pub(crate) fn lead(&mut self) -> Vec<Line> {
        if self.root_moves.is_empty() {
            return Vec::new();
        }
        let shared = self.shared;
        let count = shared.settings.multipv.clamp(1, self.root_moves.len());
        let most = shared
            .limits
            .depth
            .map_or(MAX_PLY as i32 - 1, |depth| depth.clamp(1, MAX_PLY as u32 - 1) as i32);
        let mut lines = vec![self.line(&self.root_moves[0], 0, 0, count)];
        let mut pacing = Pacing::default();
        for depth in 1..=most {
            self.iterate(depth, count, &mut lines);
            if self.aborted {
                break;
            }
            if self.is_enough(&mut pacing, depth) {
                break;
            }
        }
        self.tell_nodes();
        if self.aborted {
            // What the last iteration changed before it was cut short.
            self.sort_from(0);
            let changed = lines
                .first()
                .is_none_or(|line| line.moves.first() != Some(&self.root_moves[0].mv));
            if changed || lines[0].depth == 0 {
                let depth = lines[0].depth + 1;
                let line = self.line(&self.root_moves[0], 0, depth, count);
                shared.listener.line(&line);
                lines.retain(|other| other.moves.first() != line.moves.first());
                lines.insert(0, line);
                lines.truncate(count);
            }
        }
        lines
    }

    /// Another thread's search: it fills the table until the first has done.
    pub(crate) fn help(&mut self) {
        if self.root_moves.is_empty() {
            return;
        }
        // Threads that begin at different depths stay apart longer.
        let mut depth = 1 + (self.thread % 2) as i32;
        let mut lines = Vec::new();
        while !self.aborted && depth < MAX_PLY as i32 {
            self.iterate(depth, 1, &mut lines);
            depth += 1;
        }
        self.tell_nodes();
    }

    /// One iteration: the best lines at this depth.
    fn iterate(&mut self, depth: i32, count: usize, lines: &mut Vec<Line>) {
        self.iteration = depth.max(1) as usize;
        self.team.begin_iteration(depth);
        for root_move in &mut self.root_moves {
            root_move.previous = root_move.score;
            root_move.score = -INFINITE;
        }
        for first in 0..count {
            self.seldepth = 0;
            self.aspirate(first, depth, count);
            if self.aborted {
                return;
            }
        }
        self.root_moves[..count].sort_by_key(|root_move| -root_move.score);
        if self.thread == 0 {
            self.tell_nodes();
            *lines = (0..count)
                .map(|index| self.line(&self.root_moves[index], index, depth, count))
                .collect();
            for line in lines.iter() {
                self.shared.listener.line(line);
            }
        }
    }

    /// A narrow window around the last score, wider each time that the value lies outside.
    fn aspirate(&mut self, first: usize, depth: i32, count: usize) {
        let expected = self.root_moves[first].previous;
        let mut half = aspiration::WINDOW + expected.abs().min(2000) / 100;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= aspiration::DEPTH && expected > -INFINITE && !is_mate(expected) {
            (alpha, beta) = (expected - half, expected + half);
        }
        let mut at_depth = depth;
        loop {
            let score = self.search_root(first, alpha, beta, at_depth.max(1));
            self.sort_from(first);
            if self.aborted {
                return;
            }
            let outside = score <= alpha || score >= beta;
            if outside && self.thread == 0 && count == 1 && self.shared.time.searching() > LONG {
                self.tell_nodes();
                let line = self.line(&self.root_moves[first], first, depth, count);
                self.shared.listener.line(&line);
            }
            if score <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (score - half).max(-INFINITE);
                at_depth = depth;
            } else if score >= beta && beta < INFINITE {
                beta = (score + half).min(INFINITE);
                // It is good: a little less depth will do to see how good.
                at_depth = (at_depth - 1).max(depth - 2);
            } else {
                return;
            }
            half += half / 2 + 4;
            if half > 600 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    fn sort_from(&mut self, first: usize) {
        let key = |root_move: &RootMove| (-root_move.score, -root_move.previous);
        self.root_moves[first..].sort_by_key(key);
    }

    fn line(&self, root_move: &RootMove, index: usize, depth: i32, count: usize) -> Line {
        let shared = self.shared;
        let searched = match root_move.score {
            score if score > -INFINITE => score,
            _ if root_move.previous > -INFINITE => root_move.previous,
            _ => 0,
        };
        let shown = match &shared.known {
            Some((_, DRAW)) if shared.settings.draws == Draws::Shaded => shade(searched),
            Some((_, value)) if !is_mate(searched) => *value,
            _ => searched,
        };
        Line {
            multipv: (count > 1).then_some(index + 1),
            depth,
            seldepth: root_move.seldepth.max(depth.max(0) as usize),
            score: shown,
            searched,
            bound: if root_move.score > -INFINITE {
                root_move.bound
            } else {
                Bound::Exact
            },
            chances: shared.settings.chances,
            nodes: shared.signals.all_nodes(),
            time: shared.time.searching(),
            hashfull: shared.table.fullness(),
            table_hits: shared.signals.table_hits.load(Relaxed),
            tally: shared.signals.tallies.read(),
            moves: root_move.line.clone(),
        }
    }

    pub(super) fn tell_current_move(&self, depth: i32, mv: Move, number: usize) {
        let shared = self.shared;
        if self.thread == 0 && depth > 8 && shared.time.searching() > LONG {
            shared.listener.current_move(depth, mv, number);
        }
    }

    /// Whether to stop after this iteration.
    fn is_enough(&self, pacing: &mut Pacing, depth: i32) -> bool {
        let shared = self.shared;
        let best = &self.root_moves[0];
        if let Some(moves) = shared.limits.mate
            && best.score > MATE - 2 * moves as i32
        {
            return true;
        }
        let spent = self.root_moves.iter().map(|root_move| root_move.nodes).sum::<u64>();
        let factor = pacing.factor(best, spent);
        let Some(optimum) = shared.budget.optimum else {
            return false;
        };
        if shared.time.is_pondering() {
            return false;
        }
        let forced = self.root_moves.len() == 1 && depth >= 4;
        let mate_seen = is_mate(best.score) && depth > 2 * (MATE - best.score.abs()) + 4;
        forced || mate_seen || shared.time.elapsed() >= optimum * factor / 100
    }
}

/// Whether the search has made up its mind.
#[derive(Default)]
struct Pacing {
    best: Option<Move>,
    stable: usize,
    scores: Vec<i32>,
}

impl Pacing {
    /// How much of the optimum to use, in hundredths.
    fn factor(&mut self, best: &RootMove, spent: u64) -> u32 {
        self.stable = match self.best == Some(best.mv) {
            true => self.stable + 1,
            false => 0,
        };
        self.best = Some(best.mv);
        let stable = time::STABLE[self.stable.min(time::STABLE.len() - 1)];
        let earlier = self
            .scores
            .len()
            .checked_sub(3)
            .map_or(best.score, |at| self.scores[at]);
        self.scores.push(best.score);
        let (each, most) = time::FALLING;
        let falling = ((earlier - best.score) * each).clamp(0, most) as u32;
        // A move that took nearly all the nodes has no rival.
        let share = (100 * best.nodes / spent.max(1)) as u32;
        let effort = 180u32.saturating_sub(share).max(60);
        stable * (100 + falling) / 100 * effort / 100
    }
}

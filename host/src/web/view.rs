//! What tabs are told: the game when it has changed, and what goes on now.

use std::collections::BTreeMap;

use bluebelle_spec::Color;
use serde::Serialize;

use super::engine::{Engine, Work};
use super::record::Record;
use super::request::{Choice, Mode};
use crate::board::Board;
use crate::evaluation::Evaluator;
use crate::link::build_name;
use crate::notation;
use crate::pool::Sight;
use crate::report::Line;
use crate::score::{UciScore, win_draw_loss};
use crate::search::Tally;
use crate::table::Bound;

/// The game, and how it is played.
#[derive(Serialize)]
pub(super) struct GameView<'a> {
    kind: &'static str,
    fen: String,
    start: String,
    /// Half-moves before the position that is shown.
    ply: usize,
    moves: Vec<MoveView<'a>>,
    /// Whose turn it is in the first position, and its number.
    first_turn: &'static str,
    first_number: u16,
    turn: &'static str,
    /// Squares to which the man on a square may go; a promotion is a square and a letter.
    legal: BTreeMap<String, Vec<String>>,
    /// The king that is in check.
    check: Option<String>,
    over: Option<String>,
    mode: Mode,
    choice: &'a Choice,
    most_threads: usize,
    /// In centipawns for White, of each position: by the engine, and by the software beside it.
    scores: &'a [Vec<Option<i32>>; 2],
}

#[derive(Serialize)]
struct MoveView<'a> {
    san: &'a str,
    uci: String,
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

impl<'a> GameView<'a> {
    pub(super) fn new(record: &'a Record, mode: Mode, choice: &'a Choice) -> GameView<'a> {
        let game = record.game();
        let board = game.board();
        let over = record.over();
        let mut legal: BTreeMap<String, Vec<String>> = BTreeMap::new();
        // After repetitions and fifty moves there are still moves, but no game.
        if over.is_none() {
            for scored in board.legal_moves().iter() {
                let written = scored.mv.to_string();
                let (from, to) = written.split_at(2);
                legal.entry(from.to_owned()).or_default().push(to.to_owned());
            }
        }
        GameView {
            kind: "game",
            fen: format!("{board:?}"),
            start: format!("{:?}", record.start().board()),
            ply: record.shown(),
            moves: record
                .moves()
                .iter()
                .map(|played| MoveView {
                    san: &played.san,
                    uci: played.mv.to_string(),
                })
                .collect(),
            first_turn: name(record.start().board().turn()),
            first_number: record.start().board().fullmoves(),
            turn: name(board.turn()),
            legal,
            check: board.in_check().then(|| board.king(board.turn()).to_string()),
            over: over.map(|(_, words)| words),
            mode,
            choice,
            most_threads: super::request::most_threads(),
            scores: record.scores(),
        }
    }
}

/// What goes on now.
#[derive(Serialize)]
pub(super) struct LiveView<'a> {
    pub(super) kind: &'static str,
    /// What is being opened, and takes a while.
    pub(super) opening: Option<&'a str>,
    pub(super) main: EngineView,
    pub(super) beside: Option<EngineView>,
    pub(super) boards: Option<BoardsView>,
    /// What was said about boards last.
    pub(super) log: Vec<&'a str>,
}

/// A search.
#[derive(Clone, Default, Serialize)]
pub(super) struct EngineView {
    searching: bool,
    /// The position that is searched, or was searched last.
    ply: Option<usize>,
    milliseconds: u128,
    depth: i32,
    seldepth: usize,
    nodes: u64,
    /// Nodes a second.
    speed: u64,
    /// How full the transposition table is, in thousandths.
    hashfull: usize,
    /// Positions found in endgame tables.
    table_hits: u64,
    /// Of all looks into the table, the shares that found the position, and that made a search of
    /// it needless.
    found: Option<f64>,
    answered: Option<f64>,
    /// Shares of the refuted nodes, by the number of the move that refuted: first to fourth, and
    /// later.
    refuted: Option<[f64; 5]>,
    /// The move under search, its number, and how many there are.
    current: Option<(String, usize, usize)>,
    lines: Vec<LineView>,
}

impl EngineView {
    fn count(&mut self, tally: &Tally) {
        let share = |part: u64, all: u64| (all > 0).then(|| part as f64 / all as f64);
        self.found = share(tally.found, tally.looks);
        self.answered = share(tally.answered, tally.looks);
        let all: u64 = tally.refuted.iter().sum();
        self.refuted = (all > 0).then(|| tally.refuted.map(|part| part as f64 / all as f64));
    }
}

/// A line of play.
#[derive(Clone, Serialize)]
struct LineView {
    depth: i32,
    /// For White: centipawns, or moves to mate.
    centipawns: Option<i32>,
    mate: Option<i32>,
    bound: &'static str,
    /// Chances of win, draw and loss for White, in thousandths.
    chances: [u32; 3],
    san: Vec<String>,
    uci: Vec<String>,
}

/// Moves of a line that are shown.
const MOST_MOVES: usize = 14;

impl LineView {
    fn new(board: &Board, line: &Line, evaluator: &Evaluator) -> LineView {
        let is_black = board.turn() == Color::Black;
        let score = if is_black { -line.score } else { line.score };
        let bound = match (line.bound, is_black) {
            (Bound::Exact, _) => "exact",
            (Bound::Lower, false) | (Bound::Upper, true) => "lower",
            (Bound::Upper, false) | (Bound::Lower, true) => "upper",
        };
        let mate = UciScore(score).mate();
        let (mut san, mut uci) = (Vec::new(), Vec::new());
        let mut board = board.clone();
        for &mv in line.moves.iter().take(MOST_MOVES) {
            if !board.is_legal(mv) {
                break;
            }
            san.push(notation::format(&board, mv));
            uci.push(mv.to_string());
            board.make(mv, evaluator);
        }
        LineView {
            depth: line.depth,
            centipawns: mate.is_none().then_some(score),
            mate,
            bound,
            chances: win_draw_loss(score),
            san,
            uci,
        }
    }
}

/// Views of one engine's searches: lines are written anew only when they have changed.
#[derive(Default)]
pub(super) struct EngineViewer {
    /// What was seen: the position's place in the game and the number of changes.
    seen: Option<(usize, u64)>,
    view: EngineView,
}

impl EngineViewer {
    pub(super) fn look(&mut self, engine: &Engine, evaluator: &Evaluator) -> &EngineView {
        let heard = engine.heard();
        let seen = engine.task().map(|task| (task.ply, heard.changes));
        if seen != self.seen || seen.is_none() {
            self.seen = seen;
            self.view = EngineView::default();
            if let Some(task) = engine.task() {
                let board = task.game.board();
                self.view.ply = Some(task.ply);
                let lines = heard.lines.iter();
                self.view.lines = lines.map(|line| LineView::new(board, line, evaluator)).collect();
                if let Some(best) = heard.lines.first() {
                    self.view.depth = best.depth;
                    self.view.milliseconds = best.time.as_millis();
                }
                if let Some(newest) = heard.lines.iter().max_by_key(|line| line.nodes) {
                    self.view.seldepth = newest.seldepth;
                    self.view.nodes = newest.nodes;
                    self.view.speed = newest.speed();
                    self.view.hashfull = newest.hashfull;
                    self.view.table_hits = newest.table_hits;
                    self.view.count(&newest.tally);
                }
                let current = heard.current.filter(|(mv, _)| board.is_legal(*mv));
                self.view.current =
                    current.map(|(mv, number)| (notation::format(board, mv), number, board.legal_moves().len()));
            }
        }
        drop(heard);
        self.view.searching = engine.is_searching();
        if let Some(time) = engine.time() {
            self.view.milliseconds = time.as_millis();
        }
        &self.view
    }
}

/// The boards and their work.
#[derive(Serialize)]
pub(super) struct BoardsView {
    boards: Vec<BoardView>,
    /// Whether the golden model on this machine works as a board does.
    model: bool,
    cores: usize,
    /// Threads of a core.
    threads: usize,
    /// Jobs that are waiting or being worked on.
    outstanding: usize,
    /// Since the search began.
    jobs: u64,
    nodes: u64,
    nodes_per_job: Option<u64>,
    /// In the last second.
    jobs_per_second: u64,
    nodes_per_second: u64,
    /// Jobs that no board could take, or that the model did.
    software_jobs: u64,
    /// The share of its time in which the chip was busy.
    busy: Option<f64>,
    /// Bytes a second on the line, and the share of what it can carry.
    sent: u64,
    received: u64,
    line: Option<f64>,
    /// From a question to its answer on the slowest line.
    round_trip_us: u128,
}

#[derive(Serialize)]
struct BoardView {
    name: String,
    there: bool,
    cores: u8,
    threads: u8,
    megahertz: f64,
    queue: u16,
    build: String,
}

impl BoardsView {
    pub(super) fn new(sight: &Sight, work: &Work) -> BoardsView {
        let seconds = work.span.as_secs_f64().max(0.01);
        let per_second = |count: u64| (count as f64 / seconds) as u64;
        let (search, lately) = (&work.search, &work.lately);
        // The model on this machine is an accelerator too; otherwise the golden search is the last
        // resort.
        let counted = |boards: u64, software: u64| if sight.model { boards + software } else { boards };
        let jobs = counted(search.jobs, search.software_jobs);
        let nodes = counted(search.nodes, search.software_nodes);
        let (sent, received) = (per_second(lately.bytes_sent), per_second(lately.bytes_received));
        let rate = sight.resources.bytes_per_second.filter(|rate| *rate > 0.0);
        BoardsView {
            boards: sight
                .boards
                .iter()
                .map(|board| {
                    let identity = board.identity.as_ref();
                    BoardView {
                        name: board.name.clone(),
                        there: identity.is_some(),
                        cores: identity.map_or(0, |identity| identity.cores),
                        threads: identity.map_or(0, |identity| identity.threads),
                        megahertz: identity.map_or(0.0, |identity| f64::from(identity.clock_khz) / 1000.0),
                        queue: identity.map_or(0, |identity| identity.queue),
                        build: identity.map_or_else(String::new, |identity| build_name(&identity.build)),
                    }
                })
                .collect(),
            model: sight.model,
            cores: sight.resources.cores,
            threads: sight.resources.threads,
            outstanding: sight.outstanding,
            jobs,
            nodes,
            nodes_per_job: nodes.checked_div(jobs),
            jobs_per_second: per_second(counted(lately.jobs, lately.software_jobs)),
            nodes_per_second: per_second(counted(lately.nodes, lately.software_nodes)),
            software_jobs: search.software_jobs,
            busy: search.busy(),
            sent,
            received,
            line: rate.map(|rate| (sent.max(received) as f64 / rate).min(1.0)),
            round_trip_us: sight.resources.round_trip.as_micros(),
        }
    }
}

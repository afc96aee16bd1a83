//! One game, by the rules and by the clock.

use std::collections::HashMap;
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Outcome, Position};

use super::engine::{Engine, EngineError};

/// The time for a game and for each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// At the start.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// How much an engine may overstep.
    pub margin: Duration,
}

/// Who plays, from where, and when the referee ends a game that is decided.
pub struct Pairing<'a> {
    /// White and Black.
    pub engines: [&'a mut Engine; 2],
    /// The opening.
    pub fen: &'a str,
    /// The clocks.
    pub time: TimeControl,
    /// Nodes for each move instead of a clock: for comparisons on a machine that is not quiet.
    pub nodes: Option<u64>,
    /// If both engines have agreed on a lead of so many centipawns for three moves each, it is a win.
    pub agreed_lead: Option<i32>,
}

/// How a game ended.
#[derive(Debug)]
pub enum Ending {
    /// Drawn, and why.
    Draw(&'static str),
    /// Won.
    Won {
        /// By White.
        white: bool,
        /// Both engines saw it coming.
        adjudicated: bool,
    },
    /// Lost by a fault.
    Forfeit {
        /// Whether it was White's.
        white: bool,
        /// What it was.
        fault: Fault,
    },
}

/// What loses a game at once.
#[derive(Debug)]
pub enum Fault {
    /// The clock.
    Time,
    /// This is no legal move.
    Illegal(String),
    /// The engine has crashed or hangs.
    Gone(EngineError),
}

/// How often in a row both must agree that one side leads.
const AGREEMENTS: u32 = 6;

/// How long beyond its clock an engine is waited for before it counts as hung.
const HANG: Duration = Duration::from_secs(10);

/// Plays a game.
///
/// # Panics
/// If the opening is not a legal position.
pub fn play(pairing: &mut Pairing<'_>) -> Ending {
    let fen: Fen = pairing.fen.parse().expect("an opening in FEN");
    let mut chess: Chess = fen.into_position(CastlingMode::Standard).expect("a legal opening");
    let mut clocks = [pairing.time.base; 2];
    let mut moves = String::new();
    let mut seen: HashMap<Zobrist64, u32> = HashMap::new();
    let mut agreed = 0i32;
    for engine in &mut pairing.engines {
        if engine.new_game().is_err() {
            // It will be found out when it is to move.
            continue;
        }
    }
    loop {
        let key = chess.zobrist_hash(EnPassantMode::Legal);
        let met = seen.entry(key).or_default();
        *met += 1;
        if *met >= 3 {
            return Ending::Draw("by repetition");
        }
        if chess.halfmoves() >= 100 && !chess.is_checkmate() {
            return Ending::Draw("by the fifty-move rule");
        }
        match chess.outcome() {
            Outcome::Known(known) => {
                return match known.winner() {
                    Some(color) => Ending::Won {
                        white: color == Color::White,
                        adjudicated: false,
                    },
                    None if chess.is_stalemate() => Ending::Draw("by stalemate"),
                    None => Ending::Draw("for lack of material"),
                };
            }
            Outcome::Unknown => {}
        }

        let side = usize::from(chess.turn() == Color::Black);
        let white = side == 0;
        let [white_clock, black_clock] = clocks.map(|clock| clock.as_millis());
        let increment = pairing.time.increment.as_millis();
        let go = match pairing.nodes {
            Some(nodes) => format!("go nodes {nodes}"),
            None => format!("go wtime {white_clock} btime {black_clock} winc {increment} binc {increment}"),
        };
        let position = match moves.is_empty() {
            true => format!("position fen {}", pairing.fen),
            false => format!("position fen {} moves{moves}", pairing.fen),
        };
        let played = match pairing.engines[side].go(&position, &go, clocks[side] + HANG) {
            Ok(played) => played,
            Err(error) => {
                let fault = Fault::Gone(error);
                return Ending::Forfeit { white, fault };
            }
        };
        if pairing.nodes.is_none() {
            if played.time > clocks[side] + pairing.time.margin {
                let fault = Fault::Time;
                return Ending::Forfeit { white, fault };
            }
            clocks[side] = clocks[side].saturating_sub(played.time) + pairing.time.increment;
        }
        let legal = played.mv.parse::<UciMove>().ok().and_then(|mv| mv.to_move(&chess).ok());
        let Some(mv) = legal else {
            let fault = Fault::Illegal(played.mv);
            return Ending::Forfeit { white, fault };
        };
        if mv.is_zeroing() {
            seen.clear();
        }
        chess.play_unchecked(mv);
        moves.push(' ');
        moves.push_str(&played.mv);

        if let (Some(lead), Some(score)) = (pairing.agreed_lead, played.score) {
            let for_white = if white { score } else { -score };
            agreed = match for_white {
                score if score >= lead => agreed.max(0) + 1,
                score if score <= -lead => agreed.min(0) - 1,
                _ => 0,
            };
            if agreed.unsigned_abs() >= AGREEMENTS {
                return Ending::Won {
                    white: agreed > 0,
                    adjudicated: true,
                };
            }
        }
    }
}

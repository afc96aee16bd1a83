//! Games between two UCI engines, with clocks and a referee who knows the rules only from shakmaty.

mod engine;
mod game;

pub use engine::{Engine, EngineError, Played};
pub use game::{Ending, Fault, Pairing, TimeControl, play};

use std::fmt;

use bluebelle::matches::Score;

/// How a match stands, from the first engine's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won, drawn and lost.
    pub score: Score,
    /// Games that each engine lost by its own fault, by kind.
    pub faults: [Faults; 2],
}

/// Games lost not by play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// On time.
    pub time: u32,
    /// By an illegal move.
    pub illegal: u32,
    /// Because the engine fell silent or went away.
    pub gone: u32,
}

impl Tally {
    /// Adds a game; `first` is whether the first engine had White.
    pub fn add(&mut self, ending: &Ending, first_is_white: bool) {
        let white_won = match ending {
            Ending::Draw(_) => None,
            Ending::Won { white, .. } => Some(*white),
            Ending::Forfeit { white, fault } => {
                // The side named is the one at fault.
                let culprit = usize::from(*white != first_is_white);
                let faults = &mut self.faults[culprit];
                match fault {
                    Fault::Time => faults.time += 1,
                    Fault::Illegal(_) => faults.illegal += 1,
                    Fault::Gone(_) => faults.gone += 1,
                }
                Some(!*white)
            }
        };
        self.score.add(white_won.map(|white| white == first_is_white));
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.score)?;
        for (name, faults) in ["first", "second"].into_iter().zip(self.faults) {
            let Faults { time, illegal, gone } = faults;
            write!(f, "; {name}: {time} on time, {illegal} illegal, {gone} gone")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_counted_from_the_first_engines_side() {
        let mut tally = Tally::default();
        let won = |white| Ending::Won {
            white,
            adjudicated: false,
        };
        tally.add(&won(true), true);
        tally.add(&won(true), false);
        tally.add(&Ending::Draw("by stalemate"), false);
        // White forfeits, and the second engine has White.
        let fault = Fault::Time;
        tally.add(&Ending::Forfeit { white: true, fault }, false);
        assert_eq!(
            tally.score,
            Score {
                wins: 2,
                draws: 1,
                losses: 1
            }
        );
        assert_eq!(tally.faults[0], Faults::default());
        assert_eq!(tally.faults[1].time, 1);
        assert!((tally.score.share() - 0.625).abs() < 1e-9);
    }
}

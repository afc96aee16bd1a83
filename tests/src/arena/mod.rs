//! Games between two UCI engines, with clocks and a referee who knows the rules only from shakmaty.

mod engine;
mod game;

pub use engine::{Engine, EngineError, Played};
pub use game::{Ending, Fault, Pairing, TimeControl, play};

use std::fmt;

/// How a match stands, from the first engine's side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
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
        match white_won {
            None => self.draws += 1,
            Some(white) if white == first_is_white => self.wins += 1,
            Some(_) => self.losses += 1,
        }
    }

    /// Games played.
    pub const fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, 0 to 1.
    pub fn share(&self) -> f64 {
        (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(self.games().max(1))
    }

    /// The difference in Elo that the share stands for, and the half-width of its 95 % interval.
    pub fn elo(&self) -> (f64, f64) {
        let games = f64::from(self.games().max(1));
        let share = self.share();
        let spread = |points: f64, count: u32| f64::from(count) * (points - share).powi(2);
        let variance = (spread(1.0, self.wins) + spread(0.5, self.draws) + spread(0.0, self.losses)) / games;
        let margin = 1.96 * (variance / games).sqrt();
        let elo = |share: f64| {
            let share = share.clamp(1e-3, 1.0 - 1e-3);
            400.0 * (share / (1.0 - share)).log10()
        };
        (elo(share), (elo(share + margin) - elo(share - margin)) / 2.0)
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elo, margin) = self.elo();
        write!(
            f,
            "{} games: +{} ={} -{}, {:.1} %, Elo {elo:+.0} ± {margin:.0}",
            self.games(),
            self.wins,
            self.draws,
            self.losses,
            100.0 * self.share()
        )?;
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
        assert_eq!((tally.wins, tally.draws, tally.losses), (2, 1, 1));
        assert_eq!(tally.faults[0], Faults::default());
        assert_eq!(tally.faults[1].time, 1);
        assert!((tally.share() - 0.625).abs() < 1e-9);
    }

    #[test]
    fn elo_of_three_quarters_is_191() {
        let tally = Tally {
            wins: 75,
            losses: 25,
            ..Tally::default()
        };
        let (elo, margin) = tally.elo();
        assert!(
            (elo - 190.8).abs() < 0.1 && margin > 50.0 && margin < 100.0,
            "{elo} ± {margin}"
        );
    }
}

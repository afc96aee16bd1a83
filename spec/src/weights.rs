//! Evaluation weights: one struct, one text file, one list of words on the wire.

mod file;

pub use file::WeightsFileError;

use std::sync::LazyLock;

use crate::types::Piece;

/// The weights of the evaluation, in centipawns; [`crate::eval`] has the formulas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Material and square together, in the middle game: by [`Piece::index`], then by square seen from the piece's side.
    pub placement_mg: [[i16; 64]; 6],
    /// The same in the endgame.
    pub placement_eg: [[i16; 64]; 6],
    /// The structural terms, by [`Term`].
    pub structure: [i16; Term::COUNT],
}

/// The structural terms. The discriminant is the place in [`Weights::structure`] and on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Term {
    /// For the side to move.
    Tempo,
    /// For a bishop on each colour.
    BishopPair,
    /// For each file with two pawns or more.
    DoubledFile,
    /// For each file with pawns and none beside it.
    IsolatedFile,
    /// For each file with a rook and no pawn.
    RookOpenFile,
    /// For each file with a rook and only enemy pawns.
    RookHalfOpenFile,
    /// For each pawn on the second rank, on the king's file or beside it, in front of a king at home.
    ShelterNear,
    /// The same for the third rank.
    ShelterFar,
    /// For each file without own pawns among the king's file and its neighbours.
    ShelterBare,
    /// For each square that knights, bishops and queens reach by leap or diagonal.
    MobilityMinor,
    /// For each square that rooks and queens reach along ranks and files.
    MobilityMajor,
    /// For a passed pawn on the second rank (at most two a rank count).
    Passed2,
    /// On the third.
    Passed3,
    /// On the fourth.
    Passed4,
    /// On the fifth.
    Passed5,
    /// On the sixth.
    Passed6,
    /// On the seventh.
    Passed7,
}

impl Term {
    /// How many there are.
    pub const COUNT: usize = 17;

    /// Every term, in the order of the wire.
    pub const ALL: [Term; Term::COUNT] = [
        Term::Tempo,
        Term::BishopPair,
        Term::DoubledFile,
        Term::IsolatedFile,
        Term::RookOpenFile,
        Term::RookHalfOpenFile,
        Term::ShelterNear,
        Term::ShelterFar,
        Term::ShelterBare,
        Term::MobilityMinor,
        Term::MobilityMajor,
        Term::Passed2,
        Term::Passed3,
        Term::Passed4,
        Term::Passed5,
        Term::Passed6,
        Term::Passed7,
    ];

    /// The name in the weights file.
    pub const fn name(self) -> &'static str {
        match self {
            Term::Tempo => "tempo",
            Term::BishopPair => "bishop-pair",
            Term::DoubledFile => "doubled-file",
            Term::IsolatedFile => "isolated-file",
            Term::RookOpenFile => "rook-open-file",
            Term::RookHalfOpenFile => "rook-half-open-file",
            Term::ShelterNear => "shelter-near",
            Term::ShelterFar => "shelter-far",
            Term::ShelterBare => "shelter-bare",
            Term::MobilityMinor => "mobility-minor",
            Term::MobilityMajor => "mobility-major",
            Term::Passed2 => "passed-2",
            Term::Passed3 => "passed-3",
            Term::Passed4 => "passed-4",
            Term::Passed5 => "passed-5",
            Term::Passed6 => "passed-6",
            Term::Passed7 => "passed-7",
        }
    }

    /// The largest magnitude of its weight: the width of the chip's multiplier.
    pub const fn limit(self) -> i16 {
        match self {
            Term::MobilityMinor | Term::MobilityMajor => 15,
            Term::Passed2 | Term::Passed3 | Term::Passed4 | Term::Passed5 | Term::Passed6 | Term::Passed7 => 255,
            _ => 127,
        }
    }

    /// The largest difference between the two sides' counts.
    const fn most(self) -> i32 {
        match self {
            Term::Tempo | Term::BishopPair => 1,
            Term::ShelterNear | Term::ShelterFar | Term::ShelterBare => 3,
            Term::MobilityMinor | Term::MobilityMajor => 63,
            Term::Passed2 | Term::Passed3 | Term::Passed4 | Term::Passed5 | Term::Passed6 | Term::Passed7 => 2,
            _ => 8,
        }
    }
}

/// The largest magnitude of a placement weight: 12 bits with sign.
pub const PLACEMENT_LIMIT: i16 = 2047;

/// No evaluation exceeds this magnitude; mate scores lie beyond.
pub const EVALUATION_LIMIT: i32 = 28_000;

/// Why a set of weights cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// A placement weight that does not fit the chip.
    #[error("placement of the {piece:?} is {value}: at most {PLACEMENT_LIMIT} either way fits the chip")]
    Placement {
        /// The piece.
        piece: Piece,
        /// The weight.
        value: i16,
    },
    /// A structural weight that does not fit the chip.
    #[error("{} is {value}: at most {} either way fits the chip", .term.name(), .term.limit())]
    Structure {
        /// The term.
        term: Term,
        /// The weight.
        value: i16,
    },
    /// The weights could add up to something that looks like a mate.
    #[error("the weights can add up to {0}: at most {EVALUATION_LIMIT} is told apart from a mate; make them smaller")]
    TooLarge(i32),
    /// A list of words with the wrong length.
    #[error("{0} words: a set of weights has {expected}", expected = Weights::WORDS)]
    WordCount(usize),
}

impl Weights {
    /// How many 16-bit words a set of weights has on the wire: placement in the middle game by piece and square, the same
    /// in the endgame, then the structural terms.
    pub const WORDS: usize = 2 * 6 * 64 + Term::COUNT;

    /// The set that Bluebelle plays with unless told otherwise.
    pub fn standard() -> &'static Weights {
        static STANDARD: LazyLock<Weights> = LazyLock::new(|| {
            let text = include_str!("../weights/standard.weights");
            text.parse()
                .expect("the embedded weights are valid; a test parses them")
        });
        &STANDARD
    }

    /// The weight of a structural term.
    #[inline]
    pub const fn of(&self, term: Term) -> i32 {
        self.structure[term as usize] as i32
    }

    /// Checks that the chip can hold these weights and that no evaluation reaches a mate score.
    ///
    /// # Errors
    /// Names the first weight that does not fit.
    pub fn validate(&self) -> Result<(), WeightsError> {
        // One side may have all of the best and the other all of the worst.
        let (mut best, mut worst) = (0, 0);
        for piece in Piece::ALL {
            let tables = [&self.placement_mg[piece.index()], &self.placement_eg[piece.index()]];
            for &value in tables.into_iter().flatten() {
                if !(-PLACEMENT_LIMIT..=PLACEMENT_LIMIT).contains(&value) {
                    return Err(WeightsError::Placement { piece, value });
                }
                best = best.max(i32::from(value));
                worst = worst.min(i32::from(value));
            }
        }
        let mut total = 16 * (best - worst);
        for term in Term::ALL {
            let value = self.structure[term as usize];
            if !(-term.limit()..=term.limit()).contains(&value) {
                return Err(WeightsError::Structure { term, value });
            }
            total += i32::from(value.abs()) * term.most();
        }
        if total > EVALUATION_LIMIT {
            return Err(WeightsError::TooLarge(total));
        }
        Ok(())
    }

    /// The words as they go over the wire.
    pub fn to_words(&self) -> [i16; Weights::WORDS] {
        let mut words = [0; Weights::WORDS];
        let tables = self.placement_mg.iter().chain(&self.placement_eg);
        let values = tables.flatten().chain(&self.structure);
        for (word, value) in words.iter_mut().zip(values) {
            *word = *value;
        }
        words
    }

    /// The weights that these words stand for.
    ///
    /// # Errors
    /// If there are too few or too many words, or [`Weights::validate`] refuses them.
    pub fn from_words(words: &[i16]) -> Result<Weights, WeightsError> {
        if words.len() != Weights::WORDS {
            return Err(WeightsError::WordCount(words.len()));
        }
        let table = |piece: usize| std::array::from_fn(|square| words[piece * 64 + square]);
        let weights = Weights {
            placement_mg: std::array::from_fn(table),
            placement_eg: std::array::from_fn(|piece| table(6 + piece)),
            structure: std::array::from_fn(|term| words[2 * 6 * 64 + term]),
        };
        weights.validate().map(|()| weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fen, evaluate};

    /// Pieces are worth `value` at home and its opposite elsewhere.
    fn home_or_nothing(value: i16) -> Weights {
        let table = std::array::from_fn(|square| if square < 16 { value } else { -value });
        Weights {
            placement_mg: [table; 6],
            placement_eg: [table; 6],
            structure: [0; Term::COUNT],
        }
    }

    #[test]
    fn no_position_exceeds_the_limit() {
        let fen = "8/8/nbrqkrbn/pppppppp/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
        let position = fen.parse::<Fen>().expect("a position").position;
        let weights = home_or_nothing(875);
        assert_eq!(weights.validate(), Ok(()));
        assert_eq!(i32::from(evaluate(&position, &weights)), EVALUATION_LIMIT);
        assert_eq!(home_or_nothing(876).validate(), Err(WeightsError::TooLarge(32 * 876)));
    }
}

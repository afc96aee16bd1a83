//! Fitting the weights to positions with known results.

use bluebelle_spec::eval::{self, Counts, PASSED, STRUCTURE};
use bluebelle_spec::{AttackSets, Color, Fen, PLACEMENT_LIMIT, Piece, Position, Square, Term, Weights};

/// Why a line is not a position with a score and a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected 'FEN;centipawns for White;points of White', found '{text}'")]
pub struct SampleError {
    line: usize,
    text: String,
}

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Passes over the positions.
    pub epochs: u32,
    /// The first step, in centipawns.
    pub step: f64,
    /// How much of the target is the game's result; the rest is the search's score.
    pub result_share: f64,
    /// How strongly the weights are held where they were.
    pub hold: f64,
}

/// Centipawns to expected points: the logistic curve's scale.
const SCALE: f64 = 180.0;

fn chance(score: f64) -> f64 {
    1.0 / (1.0 + (-score / SCALE).exp())
}

/// How many numbers there are.
const COUNT: usize = Weights::WORDS;
const EG: usize = 6 * 64;
const TERMS: usize = 2 * EG;

/// A position as the fit sees it: which weights count how often, for White.
struct Sample {
    /// Square and piece of each man: a place in the middle-game table, and 1 or -1.
    men: Vec<(u16, i8)>,
    terms: [i8; Term::COUNT],
    /// The share of the middle game.
    phase: f32,
    target: f32,
}

impl Sample {
    fn new(position: &Position, score: i32, points: f64, plan: &Plan) -> Sample {
        let mut men = Vec::new();
        for square in Square::all() {
            if let Some((color, piece)) = position.at(square) {
                let seen = square.relative_to(color);
                let sign = if color == Color::White { 1 } else { -1 };
                men.push((place(piece, seen) as u16, sign));
            }
        }
        let sets = AttackSets::of(position);
        let us = position.turn();
        let own = Counts::of(position, us, &sets.own, sets.enemy.pawn);
        let enemy = Counts::of(position, !us, &sets.enemy, sets.own.pawn);
        let sign = if us == Color::White { 1 } else { -1 };
        let mut terms = [0; Term::COUNT];
        for term in Term::ALL {
            terms[term as usize] = (sign * (own.get(term) - enemy.get(term))) as i8;
        }
        terms[Term::Tempo as usize] = sign as i8;
        let target = plan.result_share * points + (1.0 - plan.result_share) * chance(f64::from(score));
        Sample {
            men,
            terms,
            phase: eval::phase(position) as f32 / 32.0,
            target: target as f32,
        }
    }

    /// How much a unit of a term adds, by the formula of the evaluation.
    fn share(&self, term: Term) -> f64 {
        let mg = f64::from(self.phase);
        if PASSED.contains(&term) {
            mg / 2.0 + (1.0 - mg)
        } else if term == Term::Tempo || STRUCTURE.contains(&term) {
            1.0
        } else {
            mg
        }
    }

    fn value(&self, weights: &[f64]) -> f64 {
        let mg = f64::from(self.phase);
        let men = self.men.iter().map(|&(at, sign)| {
            let at = usize::from(at);
            f64::from(sign) * (mg * weights[at] + (1.0 - mg) * weights[EG + at])
        });
        let terms = Term::ALL
            .into_iter()
            .map(|term| f64::from(self.terms[term as usize]) * self.share(term) * weights[TERMS + term as usize]);
        men.sum::<f64>() + terms.sum::<f64>()
    }

    fn add_gradient(&self, slope: f64, gradient: &mut [f64]) {
        let mg = f64::from(self.phase);
        for &(at, sign) in &self.men {
            let at = usize::from(at);
            gradient[at] += slope * f64::from(sign) * mg;
            gradient[EG + at] += slope * f64::from(sign) * (1.0 - mg);
        }
        for term in Term::ALL {
            gradient[TERMS + term as usize] += slope * f64::from(self.terms[term as usize]) * self.share(term);
        }
    }
}

/// Where a piece on a square stands in the middle-game table. Left and right are the same for all but pawns and kings, which
/// halves the numbers to be found.
fn place(piece: Piece, square: Square) -> usize {
    let file = match piece {
        Piece::Pawn | Piece::King => square.file(),
        _ => square.file().min(7 - square.file()),
    };
    piece.index() * 64 + Square::at(file, square.rank()).index()
}

/// The positions of a text, as [`super::selfplay::play`] writes them.
pub struct Samples {
    samples: Vec<Sample>,
}

impl Samples {
    /// Reads positions.
    ///
    /// # Errors
    /// Names the first line that is wrong.
    pub fn parse(text: &str, plan: &Plan) -> Result<Samples, SampleError> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let samples = lines.map(|(index, line)| {
            let bad = || SampleError {
                line: index + 1,
                text: line.chars().take(100).collect(),
            };
            let mut fields = line.split(';');
            let fen: Fen = fields.next().and_then(|text| text.parse().ok()).ok_or_else(bad)?;
            let score = fields
                .next()
                .and_then(|text| text.trim().parse().ok())
                .ok_or_else(bad)?;
            let points: f64 = fields
                .next()
                .and_then(|text| text.trim().parse().ok())
                .ok_or_else(bad)?;
            match (0.0..=1.0).contains(&points) {
                true => Ok(Sample::new(&fen.position, score, points, plan)),
                false => Err(bad()),
            }
        });
        Ok(Samples {
            samples: samples.collect::<Result<_, _>>()?,
        })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The mean square of what these weights get wrong, on the positions that are learnt from and on every tenth, which is not.
    pub fn error(&self, weights: &Weights) -> (f64, f64) {
        let numbers = numbers_of(weights);
        let mean = |held_out: bool| {
            let chosen = self
                .samples
                .iter()
                .enumerate()
                .filter(|(index, _)| is_held_out(*index) == held_out);
            let (sum, count) = chosen.fold((0.0, 0.0), |(sum, count), (_, sample)| {
                let wrong = chance(sample.value(&numbers)) - f64::from(sample.target);
                (sum + wrong * wrong, count + 1.0)
            });
            sum / f64::max(count, 1.0)
        };
        (mean(false), mean(true))
    }

    /// Fits the weights, by gradient descent with momentum (Adam). `report` hears of each pass.
    pub fn fit(&self, start: &Weights, plan: &Plan, report: &mut dyn FnMut(u32, &Weights)) -> Weights {
        const BATCH: usize = 16_384;
        let origin = numbers_of(start);
        let mut numbers = origin.clone();
        let (mut first, mut second) = (vec![0.0; COUNT], vec![0.0; COUNT]);
        let learnt: Vec<&Sample> = (self.samples.iter().enumerate())
            .filter(|(index, _)| !is_held_out(*index))
            .map(|(_, sample)| sample)
            .collect();
        let batches = learnt.len().div_ceil(BATCH).max(1);
        let mut steps = 0;
        for epoch in 0..plan.epochs {
            // The step shrinks to a twentieth.
            let rate = plan.step * (1.0 - 0.95 * f64::from(epoch) / f64::from(plan.epochs));
            for batch in 0..batches {
                let mut gradient = vec![0.0; COUNT];
                let mut count = 0.0;
                // Neighbours come from the same game: a batch takes every n-th.
                for sample in learnt.iter().skip(batch).step_by(batches) {
                    let guess = chance(sample.value(&numbers));
                    let slope = 2.0 * (guess - f64::from(sample.target)) * guess * (1.0 - guess) / SCALE;
                    sample.add_gradient(slope, &mut gradient);
                    count += 1.0;
                }
                steps += 1;
                for at in 0..COUNT {
                    let slope = gradient[at] / f64::max(count, 1.0) + plan.hold * (numbers[at] - origin[at]);
                    first[at] = 0.9 * first[at] + 0.1 * slope;
                    second[at] = 0.999 * second[at] + 0.001 * slope * slope;
                    let mean = first[at] / (1.0 - 0.9f64.powi(steps));
                    let square = second[at] / (1.0 - 0.999f64.powi(steps));
                    numbers[at] -= rate * mean / (square.sqrt() + 1e-9);
                }
            }
            report(epoch + 1, &weights_of(&numbers));
        }
        weights_of(&numbers)
    }
}

fn is_held_out(index: usize) -> bool {
    // Whole stretches, so that positions of one game are seldom on both sides.
    index / 500 % 10 == 9
}

fn numbers_of(weights: &Weights) -> Vec<f64> {
    let mut numbers: Vec<f64> = weights.to_words().iter().map(|&word| f64::from(word)).collect();
    // Where left and right are one number, it starts in the middle.
    for table in [0, EG] {
        for piece in Piece::ALL {
            for square in Square::all() {
                let mirror = Square::at(7 - square.file(), square.rank());
                let (at, other) = (place(piece, square), place(piece, mirror));
                if at == other && square.file() < 4 {
                    let word =
                        |square: Square| f64::from(weights.to_words()[table + piece.index() * 64 + square.index()]);
                    numbers[table + at] = f64::midpoint(word(square), word(mirror));
                }
            }
        }
    }
    numbers
}

fn weights_of(numbers: &[f64]) -> Weights {
    let limit = f64::from(PLACEMENT_LIMIT);
    let table = |base: usize| {
        std::array::from_fn(|piece| {
            std::array::from_fn(|square| {
                let at = place(Piece::ALL[piece], Square::new(square as u8));
                numbers[base + at].round().clamp(-limit, limit) as i16
            })
        })
    };
    Weights {
        placement_mg: table(0),
        placement_eg: table(EG),
        structure: std::array::from_fn(|term| {
            let limit = f64::from(Term::ALL[term].limit());
            numbers[TERMS + term].round().clamp(-limit, limit) as i16
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: Plan = Plan {
        epochs: 20,
        step: 3.0,
        result_share: 1.0,
        hold: 0.0,
    };

    /// The linear form is the evaluation, but for rounding.
    #[test]
    fn a_sample_is_worth_its_evaluation() {
        let weights = Weights::standard();
        let symmetric = weights_of(&numbers_of(weights));
        let numbers = numbers_of(&symmetric);
        let cases = bluebelle_spec::suite::parse(include_str!("../../../tests/data/standard.perft")).expect("a suite");
        for case in cases {
            let position = case.fen.position;
            let value = f64::from(bluebelle_spec::evaluate(&position, &symmetric));
            let for_white = if position.turn() == Color::White { value } else { -value };
            let sample = Sample::new(&position, 0, 0.5, &PLAN);
            assert!((sample.value(&numbers) - for_white).abs() <= 2.0, "{position}");
        }
    }

    /// White wins whenever it has the extra knight: the fit makes knights dearer.
    #[test]
    fn the_fit_learns_what_wins() {
        let with = "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;0;1\n";
        let without = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1;0;0\n";
        let samples = Samples::parse(&[with, without].concat().repeat(300), &PLAN).expect("samples");
        let mut cheap = Weights::standard().clone();
        for table in [&mut cheap.placement_mg, &mut cheap.placement_eg] {
            table[Piece::Knight.index()] = [10; 64];
        }
        let fitted = samples.fit(&cheap, &PLAN, &mut |_, _| {});
        assert!(samples.error(&fitted).0 < samples.error(&cheap).0);
        let home: Square = "g1".parse().expect("a square");
        assert!(fitted.placement_mg[Piece::Knight.index()][home.index()] > 30);
    }

    #[test]
    fn bad_lines_are_named() {
        let error = |text: &str| Samples::parse(text, &PLAN).err().map(|error| error.to_string());
        assert!(error("nonsense").is_some_and(|text| text.starts_with("line 1: expected")));
        assert!(error("8/8/4k3/8/8/3K4/8/8 w - - 0 1;3;2").is_some());
        assert!(error("8/8/4k3/8/8/3K4/8/8 w - - 0 1;3;1").is_none());
    }
}

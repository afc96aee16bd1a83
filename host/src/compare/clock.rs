//! Wanted moves by the clock. Equal depth is not equal strength, because two searches prune
//! differently; equal time is equal time.

use super::outcome::ClockRow;
use super::search::Searched;
use crate::epd::Problem;

/// How many wanted moves both searches would have played after some seconds, from a millisecond on
/// for as long as both go on.
pub fn by_clock(problems: &[Problem], pairs: &[(Searched, Searched)]) -> Vec<ClockRow> {
    let asked: Vec<_> = problems
        .iter()
        .zip(pairs)
        .filter(|(problem, _)| problem.wants_a_move())
        .collect();
    let both_go_on = asked
        .iter()
        .map(|(_, (software, accelerated))| software.end.time.min(accelerated.end.time).as_secs_f64());
    let longest = both_go_on.fold(0.0, f64::max);
    let at = |seconds: f64| {
        let solved = |search: fn(&(Searched, Searched)) -> &Searched| {
            let asked = asked.iter();
            asked
                .filter(|(problem, pair)| search(pair).would_solve(problem, seconds))
                .count()
        };
        ClockRow {
            seconds,
            positions: asked.len(),
            software_solved: solved(|pair| &pair.0),
            accelerated_solved: solved(|pair| &pair.1),
        }
    };
    steps().take_while(|&seconds| seconds <= longest).map(at).collect()
}

/// 1, 2 and 5 milliseconds, and so on.
fn steps() -> impl Iterator<Item = f64> {
    (0..8).flat_map(|power| [1.0, 2.0, 5.0].map(|step: f64| step * 10f64.powi(power) / 1000.0))
}

impl Searched {
    /// Whether the best move of the last iteration done by then is a wanted one.
    fn would_solve(&self, problem: &Problem, seconds: f64) -> bool {
        let done = self.iterations.iter().rev();
        let mut done = done.skip_while(|iteration| iteration.time.as_secs_f64() > seconds);
        done.next()
            .is_some_and(|iteration| problem.is_solved_by(iteration.best))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use bluebelle_spec::{Move, Weights};

    use super::*;
    use crate::epd;
    use crate::evaluation::Evaluator;
    use crate::projection::Iteration;

    /// A search whose iterations are done after some milliseconds, and find the right move or
    /// none.
    fn searched(right: Move, iterations: &[(u64, bool)]) -> Searched {
        let iteration = |(index, &(milliseconds, finds)): (usize, &(u64, bool))| Iteration {
            depth: index as i32 + 1,
            time: Duration::from_millis(milliseconds),
            nodes: 0,
            best: if finds { right } else { Move::NONE },
            score: 0,
        };
        Searched::of(iterations.iter().enumerate().map(iteration).collect())
    }

    #[test]
    fn what_is_played_is_what_the_last_iteration_found() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let text = format!("{start} bm e4;\n{start} id \"nothing wanted\";\n");
        let problems = epd::parse_positions(&text, &Evaluator::new(Weights::standard())).expect("two positions");
        let right = problems[0].best[0];
        let pair = || {
            (
                searched(right, &[(1, true), (3, false), (9, true)]),
                searched(right, &[(2, true), (6, true)]),
            )
        };
        let rows = by_clock(&problems, &[pair(), pair()]);
        let told: Vec<_> = rows
            .iter()
            .map(|row| (row.seconds, row.positions, row.software_solved, row.accelerated_solved))
            .collect();
        // Nothing is told of 10 ms: the accelerated search had ended after 6.
        assert_eq!(told, [(0.001, 1, 1, 0), (0.002, 1, 1, 1), (0.005, 1, 0, 1)]);
        assert_eq!(by_clock(&problems[1..], &[pair()]).len(), 0, "nothing is wanted");
    }
}

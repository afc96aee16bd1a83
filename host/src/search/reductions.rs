//! How much later moves are reduced.

use super::parameters::reductions::{BASE, SLOPE};

/// The reduction of a quiet move in 1024ths of a ply, before what is known of it.
#[inline]
pub(crate) fn reduction(depth: i32, moves: usize) -> i32 {
    TABLE[depth.clamp(0, 63) as usize][moves.min(63)]
}

/// Computed when the engine is built, by the four basic operations alone: the same on every machine.
static TABLE: [[i32; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut depth = 1;
    while depth < 64 {
        let mut moves = 1;
        while moves < 64 {
            table[depth][moves] = (BASE + SLOPE * ln(depth as f64) * ln(moves as f64)) as i32;
            moves += 1;
        }
        depth += 1;
    }
    table
};

/// The natural logarithm of a number from 1 to 64.
const fn ln(x: f64) -> f64 {
    const LN_2: f64 = std::f64::consts::LN_2;
    let mut rest = x;
    let mut whole = 0.0;
    while rest > 1.5 {
        rest /= 2.0;
        whole += LN_2;
    }
    // ln r = 2 · (t + t³/3 + t⁵/5 + …) with t = (r - 1) / (r + 1)
    let t = (rest - 1.0) / (rest + 1.0);
    let mut power = t;
    let mut sum = 0.0;
    let mut odd = 1.0;
    while odd < 40.0 {
        sum += power / odd;
        power *= t * t;
        odd += 2.0;
    }
    whole + 2.0 * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_one() {
        for x in 1..=64 {
            assert!((ln(f64::from(x)) - f64::from(x).ln()).abs() < 1e-12, "{x}");
        }
    }
}

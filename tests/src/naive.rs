//! The evaluation, straight from the formulas in [`bluebelle_spec::eval`]: every count is a loop over squares.

use bluebelle_spec::{Color, Piece, Square, Term, Weights};

use crate::mailbox::{DIAGONAL, LEAPS, Mailbox, STRAIGHT, up, walk};

const PASSED: [Term; 6] = [
    Term::Passed2,
    Term::Passed3,
    Term::Passed4,
    Term::Passed5,
    Term::Passed6,
    Term::Passed7,
];

/// The value for the side to move; not cut to any width.
pub fn evaluate(board: &Mailbox, mover: Color, weights: &Weights) -> i32 {
    let own = Counts::of(board, mover);
    let enemy = Counts::of(board, !mover);
    let passed = (0..6)
        .map(|rank| weights.of(PASSED[rank]) * (own.passed[rank].min(2) - enemy.passed[rank].min(2)))
        .sum::<i32>();
    let shelter = weights.of(Term::ShelterNear) * (own.near - enemy.near)
        + weights.of(Term::ShelterFar) * (own.far - enemy.far)
        + weights.of(Term::ShelterBare) * (own.bare - enemy.bare);
    let structure = weights.of(Term::Tempo)
        + weights.of(Term::BishopPair) * (own.pair - enemy.pair)
        + weights.of(Term::DoubledFile) * (own.doubled - enemy.doubled)
        + weights.of(Term::IsolatedFile) * (own.isolated - enemy.isolated)
        + weights.of(Term::RookOpenFile) * (own.open - enemy.open)
        + weights.of(Term::RookHalfOpenFile) * (own.half_open - enemy.half_open)
        + weights.of(Term::MobilityMinor) * (own.minor - enemy.minor)
        + weights.of(Term::MobilityMajor) * (own.major - enemy.major);
    let mg = placement(board, mover, &weights.placement_mg) + shelter + passed.div_euclid(2);
    let eg = placement(board, mover, &weights.placement_eg) + passed;
    eg + ((mg - eg) * phase(board)).div_euclid(32) + structure
}

fn placement(board: &Mailbox, mover: Color, table: &[[i16; 64]; 6]) -> i32 {
    let mut sum = 0;
    for square in Square::all() {
        if let Some((color, piece)) = board.at(square) {
            let weight = i32::from(table[piece.index()][seen_from(square, color)]);
            sum += if color == mover { weight } else { -weight };
        }
    }
    sum
}

fn phase(board: &Mailbox) -> i32 {
    let share = |piece| match piece {
        Piece::Knight | Piece::Bishop => 1,
        Piece::Rook => 3,
        Piece::Queen => 6,
        Piece::Pawn | Piece::King => 0,
    };
    let sum: i32 = board.0.iter().flatten().map(|&(_, piece)| share(piece)).sum();
    sum.min(32)
}

#[derive(Debug, Default)]
struct Counts {
    pair: i32,
    doubled: i32,
    isolated: i32,
    passed: [i32; 6],
    open: i32,
    half_open: i32,
    near: i32,
    far: i32,
    bare: i32,
    minor: i32,
    major: i32,
}

impl Counts {
    fn of(board: &Mailbox, color: Color) -> Counts {
        let mut counts = Counts::default();
        counts.count_files(board, color);
        counts.count_passed(board, color);
        counts.count_shelter(board, color);
        counts.count_mobility(board, color);
        let has_bishop_on = |parity: u8| {
            Square::all()
                .any(|square| board.is(square, color, Piece::Bishop) && (square.file() + square.rank()) % 2 == parity)
        };
        counts.pair = i32::from(has_bishop_on(0) && has_bishop_on(1));
        counts
    }

    fn count_files(&mut self, board: &Mailbox, color: Color) {
        let own = count_by_file(board, color, Piece::Pawn);
        let enemy = count_by_file(board, !color, Piece::Pawn);
        let rooks = count_by_file(board, color, Piece::Rook);
        for file in 0..8 {
            let beside: i32 = beside(file as u8).map(|file| own[file as usize]).sum();
            self.doubled += i32::from(own[file] >= 2);
            self.isolated += i32::from(own[file] >= 1 && beside == 0);
            self.open += i32::from(rooks[file] >= 1 && own[file] == 0 && enemy[file] == 0);
            self.half_open += i32::from(rooks[file] >= 1 && own[file] == 0 && enemy[file] >= 1);
        }
    }

    fn count_passed(&mut self, board: &Mailbox, color: Color) {
        let pawns_of = |side| Square::all().filter(move |&square| board.is(square, side, Piece::Pawn));
        let enemy_pawns: Vec<Square> = pawns_of(!color).collect();
        for pawn in pawns_of(color) {
            let stops = |enemy: &Square| {
                enemy.file().abs_diff(pawn.file()) <= 1 && rank_for(*enemy, color) > rank_for(pawn, color)
            };
            if !enemy_pawns.iter().any(stops) {
                self.passed[rank_for(pawn, color) - 1] += 1;
            }
        }
    }

    fn count_shelter(&mut self, board: &Mailbox, color: Color) {
        let Some(king) = board.king(color) else { return };
        let files = || beside(king.file()).chain([king.file()]);
        let pawns = count_by_file(board, color, Piece::Pawn);
        self.bare = files().filter(|&file| pawns[file as usize] == 0).count() as i32;
        if rank_for(king, color) > 1 {
            return;
        }
        for pawn in Square::all().filter(|&square| board.is(square, color, Piece::Pawn)) {
            if files().any(|file| file == pawn.file()) {
                self.near += i32::from(rank_for(pawn, color) == 1);
                self.far += i32::from(rank_for(pawn, color) == 2);
            }
        }
    }

    fn count_mobility(&mut self, board: &Mailbox, color: Color) {
        let mut minor = [false; 64];
        let mut major = [false; 64];
        for from in Square::all() {
            let Some((_, piece)) = board.at(from).filter(|&(side, _)| side == color) else {
                continue;
            };
            if piece == Piece::Knight {
                LEAPS
                    .into_iter()
                    .filter_map(|leap| walk(from, leap))
                    .for_each(|to| minor[to.index()] = true);
            }
            if matches!(piece, Piece::Bishop | Piece::Queen) {
                DIAGONAL.into_iter().for_each(|step| {
                    board.reached_along(from, step).for_each(|to| minor[to.index()] = true);
                });
            }
            if matches!(piece, Piece::Rook | Piece::Queen) {
                STRAIGHT.into_iter().for_each(|step| {
                    board.reached_along(from, step).for_each(|to| major[to.index()] = true);
                });
            }
        }
        let own = |square: Square| board.at(square).is_some_and(|(side, _)| side == color);
        let by_enemy_pawn = |square: Square| {
            // An enemy pawn that attacks this square stands on the side that own pawns go to.
            [-1, 1]
                .into_iter()
                .filter_map(|file| walk(square, (file, up(color))))
                .any(|from| board.is(from, !color, Piece::Pawn))
        };
        for square in Square::all().filter(|&square| !own(square) && !by_enemy_pawn(square)) {
            self.minor += i32::from(minor[square.index()]);
            self.major += i32::from(major[square.index()]);
        }
    }
}

fn count_by_file(board: &Mailbox, color: Color, piece: Piece) -> [i32; 8] {
    let mut counts = [0; 8];
    for square in Square::all().filter(|&square| board.is(square, color, piece)) {
        counts[square.file() as usize] += 1;
    }
    counts
}

/// The files beside a file.
fn beside(file: u8) -> impl Iterator<Item = u8> {
    (0..8u8).filter(move |other| other.abs_diff(file) == 1)
}

/// The rank as a side counts it, from 0.
fn rank_for(square: Square, color: Color) -> usize {
    match color {
        Color::White => square.rank() as usize,
        Color::Black => 7 - square.rank() as usize,
    }
}

/// The place of a square in a side's placement table.
fn seen_from(square: Square, color: Color) -> usize {
    rank_for(square, color) * 8 + square.file() as usize
}

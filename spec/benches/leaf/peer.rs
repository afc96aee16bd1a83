//! The same search, written plainly on cozy-chess: legal moves into a list, sorted into the chip's order, alpha-beta. With
//! a null window it visits the same nodes, so that nodes per second compare like with like.

use bluebelle_spec::leaf::{MATE, MAX_PLY};
use bluebelle_spec::{Term, Weights};
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_knight_moves, get_rook_moves,
};

/// The evaluation weights, laid out for cozy-chess.
pub(crate) struct Peer<'w> {
    weights: &'w Weights,
    placement: Vec<(i32, i32)>,
    pub(crate) nodes: u64,
    /// One list of moves a ply, so that no node allocates.
    lists: Vec<Vec<Ordered>>,
}

type Placement = (i32, i32);

#[derive(Clone, Copy)]
struct Window {
    alpha: i32,
    beta: i32,
}

impl Window {
    fn flipped(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}

/// A move, and its place in the order.
struct Ordered {
    key: u32,
    mv: Move,
    killer_candidate: bool,
}

impl<'w> Peer<'w> {
    pub(crate) fn new(weights: &'w Weights) -> Peer<'w> {
        let mut placement = Vec::with_capacity(2 * 6 * 64);
        for color in 0..2 {
            for piece in 0..6 {
                for square in 0..64 {
                    let seen = square ^ (56 * color);
                    let sign = 1 - 2 * color as i32;
                    placement.push((
                        sign * i32::from(weights.placement_mg[piece][seen]),
                        sign * i32::from(weights.placement_eg[piece][seen]),
                    ));
                }
            }
        }
        Peer {
            weights,
            placement,
            nodes: 0,
            lists: (0..=MAX_PLY).map(|_| Vec::with_capacity(256)).collect(),
        }
    }

    /// The value of a position if it lies between `alpha` and `beta`, else a bound.
    pub(crate) fn run(&mut self, board: &Board, depth: u8, alpha: i16, beta: i16) -> i32 {
        let mut placement = (0, 0);
        for square in board.occupied() {
            let piece = board.piece_on(square).expect("an occupied square");
            let color = board.color_on(square).expect("an occupied square");
            placement = add(placement, self.at(color, piece, square));
        }
        let window = Window {
            alpha: i32::from(alpha),
            beta: i32::from(beta),
        };
        self.visit(board, placement, i32::from(depth), 0, window, &mut None)
    }

    fn visit(
        &mut self,
        board: &Board,
        placement: Placement,
        depth: i32,
        ply: u8,
        mut window: Window,
        killer: &mut Option<Move>,
    ) -> i32 {
        self.nodes += 1;
        let in_check = !board.checkers().is_empty();
        let full_width = depth > 0 || depth == 0 && in_check;
        let mut best = i32::MIN;
        if !full_width {
            best = self.evaluate(board, placement);
            if best >= window.beta || ply == MAX_PLY {
                return best;
            }
            window.alpha = window.alpha.max(best);
        }
        let mut moves = std::mem::take(&mut self.lists[usize::from(ply)]);
        moves.clear();
        let us = board.side_to_move();
        let enemies = board.colors(!us);
        board.generate_moves(|mut of_piece| {
            if !full_width && of_piece.piece != Piece::Pawn {
                of_piece.to &= enemies;
            }
            for mv in of_piece {
                let captures = enemies.has(mv.to) || is_en_passant(board, of_piece.piece, mv);
                if full_width
                    || (captures || mv.promotion.is_some()) && matches!(mv.promotion, None | Some(Piece::Queen))
                {
                    moves.push(order(board, of_piece.piece, mv, captures, *killer));
                }
            }
            false
        });
        moves.sort_unstable_by_key(|ordered| ordered.key);
        let mut child_killer = None;
        for ordered in &moves {
            let mut next = board.clone();
            let after = self.placement_after(placement, board, ordered.mv);
            next.play_unchecked(ordered.mv);
            let value = -self.visit(
                &next,
                after,
                (depth - 1).max(-1),
                ply + 1,
                window.flipped(),
                &mut child_killer,
            );
            best = best.max(value);
            window.alpha = window.alpha.max(value);
            if value >= window.beta {
                if ordered.killer_candidate {
                    *killer = Some(ordered.mv);
                }
                break;
            }
        }
        if full_width && moves.is_empty() {
            best = if in_check { i32::from(ply) - i32::from(MATE) } else { 0 };
        }
        self.lists[usize::from(ply)] = moves;
        best
    }

    fn placement_after(&self, before: Placement, board: &Board, mv: Move) -> Placement {
        let us = board.side_to_move();
        let piece = board.piece_on(mv.from).expect("a piece that moves");
        let mut sum = add(before, negate(self.at(us, piece, mv.from)));
        if piece == Piece::King && board.colors(us).has(mv.to) {
            let rank = Rank::First.relative_to(us);
            let king_side = mv.to.file() > mv.from.file();
            let (king_file, rook_file) = match king_side {
                true => (cozy_chess::File::G, cozy_chess::File::F),
                false => (cozy_chess::File::C, cozy_chess::File::D),
            };
            sum = add(sum, negate(self.at(us, Piece::Rook, mv.to)));
            sum = add(sum, self.at(us, Piece::King, Square::new(king_file, rank)));
            return add(sum, self.at(us, Piece::Rook, Square::new(rook_file, rank)));
        }
        if let Some(captured) = board.piece_on(mv.to) {
            sum = add(sum, negate(self.at(!us, captured, mv.to)));
        } else if is_en_passant(board, piece, mv) {
            let square = Square::new(mv.to.file(), mv.from.rank());
            sum = add(sum, negate(self.at(!us, Piece::Pawn, square)));
        }
        add(sum, self.at(us, mv.promotion.unwrap_or(piece), mv.to))
    }

    fn at(&self, color: Color, piece: Piece, square: Square) -> Placement {
        self.placement[(color as usize * 6 + piece as usize) * 64 + square as usize]
    }

    fn evaluate(&self, board: &Board, placement: Placement) -> i32 {
        let us = board.side_to_move();
        let (own, enemy) = (counts(board, us), counts(board, !us));
        let weigh = |term: Term| self.weights.of(term) * (own[term as usize] - enemy[term as usize]);
        let sign = if us == Color::White { 1 } else { -1 };
        let passed: i32 = bluebelle_spec::eval::PASSED.iter().map(|&term| weigh(term)).sum();
        let shelter = weigh(Term::ShelterNear) + weigh(Term::ShelterFar) + weigh(Term::ShelterBare);
        let structure: i32 = bluebelle_spec::eval::STRUCTURE.iter().map(|&term| weigh(term)).sum();
        let mg = sign * placement.0 + shelter + (passed >> 1);
        let eg = sign * placement.1 + passed;
        let minors = board.pieces(Piece::Knight).len() + board.pieces(Piece::Bishop).len();
        let phase = (minors + 3 * board.pieces(Piece::Rook).len() + 6 * board.pieces(Piece::Queen).len()).min(32);
        eg + (((mg - eg) * phase as i32) >> 5) + structure + self.weights.of(Term::Tempo)
    }
}

fn add(a: Placement, b: Placement) -> Placement {
    (a.0 + b.0, a.1 + b.1)
}

fn negate(a: Placement) -> Placement {
    (-a.0, -a.1)
}

fn is_en_passant(board: &Board, piece: Piece, mv: Move) -> bool {
    piece == Piece::Pawn && mv.from.file() != mv.to.file() && !board.occupied().has(mv.to)
}

/// The chip's order as a number: victims by class and square, attackers by class and square, the killer, pieces, pushes.
fn order(board: &Board, piece: Piece, mv: Move, captures: bool, killer: Option<Move>) -> Ordered {
    let us = board.side_to_move();
    let seen = |square: Square| square.relative_to(us) as u32;
    let castles = piece == Piece::King && board.colors(us).has(mv.to);
    let to = match castles {
        true if mv.to.file() > mv.from.file() => seen(Square::new(cozy_chess::File::G, mv.to.rank())),
        true => seen(Square::new(cozy_chess::File::C, mv.to.rank())),
        false => seen(mv.to),
    };
    let promotion = match mv.promotion {
        Some(Piece::Rook) => 1,
        Some(Piece::Bishop) => 2,
        Some(Piece::Knight) => 3,
        _ => 0,
    };
    let key = if captures || mv.promotion.is_some() {
        let victim = match board.piece_on(mv.to).filter(|_| captures) {
            Some(Piece::Queen) => 0,
            Some(Piece::Rook) => 1,
            Some(Piece::Bishop | Piece::Knight) => 2,
            None if !captures => 0,
            _ => 3,
        };
        let attacker = match piece {
            Piece::Pawn => 0,
            Piece::Knight | Piece::Bishop => 1,
            Piece::Rook => 2,
            Piece::Queen | Piece::King => 3,
        };
        victim << 18 | to << 12 | (attacker << 6 | seen(mv.from)) << 2 | promotion
    } else if killer == Some(mv) && piece != Piece::Pawn {
        1 << 20
    } else if piece != Piece::Pawn {
        2 << 20 | seen(mv.from) << 6 | to
    } else {
        3 << 20 | to
    };
    Ordered {
        key,
        mv,
        killer_candidate: !captures && piece != Piece::Pawn,
    }
}

fn counts(board: &Board, color: Color) -> [i32; Term::COUNT] {
    let mut counts = [0; Term::COUNT];
    let mut count = |term: Term, number: u32| counts[term as usize] = number as i32;
    let side = board.colors(color);
    let occupied = board.occupied();
    let view = |set: BitBoard| match color {
        Color::White => set.0,
        Color::Black => set.0.swap_bytes(),
    };
    let pawns = view(board.pieces(Piece::Pawn) & side);
    let enemy_pawns = view(board.pieces(Piece::Pawn) & !side);
    let (files, enemy_files) = (fold(pawns), fold(enemy_pawns));

    let bishops = board.pieces(Piece::Bishop) & side;
    let pair = !bishops.is_disjoint(BitBoard::LIGHT_SQUARES) && !bishops.is_disjoint(BitBoard::DARK_SQUARES);
    count(Term::BishopPair, u32::from(pair));
    count(Term::DoubledFile, fold(pawns & smear_up(pawns << 8)).count_ones());
    count(Term::IsolatedFile, (files & !(files << 1 | files >> 1)).count_ones());
    let rooks = fold((board.pieces(Piece::Rook) & side).0) & !files;
    count(Term::RookOpenFile, (rooks & !enemy_files).count_ones());
    count(Term::RookHalfOpenFile, (rooks & enemy_files).count_ones());

    let king = board.king(color).relative_to(color);
    let king_file = 1u8 << king.file() as u8;
    let near_king = king_file | king_file << 1 | king_file >> 1;
    count(Term::ShelterBare, (near_king & !files).count_ones());
    if matches!(king.rank(), Rank::First | Rank::Second) {
        count(Term::ShelterNear, (near_king & (pawns >> 8) as u8).count_ones());
        count(Term::ShelterFar, (near_king & (pawns >> 16) as u8).count_ones());
    }

    let span = smear_up(enemy_pawns.swap_bytes() << 8).swap_bytes();
    let passed = pawns & !(span | (span & !FILE_H) << 1 | (span & !FILE_A) >> 1);
    if passed != 0 {
        for (rank, term) in bluebelle_spec::eval::PASSED.into_iter().enumerate() {
            count(term, ((passed >> (8 * rank + 8)) as u8).count_ones().min(2));
        }
    }

    let attacked = enemy_pawns >> 8;
    let attacked = (attacked & !FILE_H) << 1 | (attacked & !FILE_A) >> 1;
    let reach = !side & !BitBoard(view(BitBoard(attacked)));
    let (mut minor, mut major) = (BitBoard::EMPTY, BitBoard::EMPTY);
    for knight in board.pieces(Piece::Knight) & side {
        minor |= get_knight_moves(knight);
    }
    for slider in (bishops | board.pieces(Piece::Queen)) & side {
        minor |= get_bishop_moves(slider, occupied);
    }
    for slider in (board.pieces(Piece::Rook) | board.pieces(Piece::Queen)) & side {
        major |= get_rook_moves(slider, occupied);
    }
    count(Term::MobilityMinor, (minor & reach).len());
    count(Term::MobilityMajor, (major & reach).len());
    counts
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

/// The files with a bit in the set.
fn fold(set: u64) -> u8 {
    let set = set | set >> 32;
    let set = set | set >> 16;
    (set | set >> 8) as u8
}

/// Every square of the set, and those above it.
fn smear_up(set: u64) -> u64 {
    let set = set | set << 8;
    let set = set | set << 16;
    set | set << 32
}

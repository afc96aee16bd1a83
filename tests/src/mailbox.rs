//! A board as a list of 64 squares, looked at one square after the other.

use bluebelle_spec::{Color, Piece, Position, Square};
use shakmaty::{Chess, Position as _};

use crate::convert;

/// What stands on each square, by [`Square::index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mailbox(pub [Option<(Color, Piece)>; 64]);

/// A step across the board: files, then ranks.
pub type Step = (i8, i8);

/// The steps of a rook.
pub const STRAIGHT: [Step; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
/// The steps of a bishop.
pub const DIAGONAL: [Step; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
/// The leaps of a knight.
pub const LEAPS: [Step; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// How one side attacks a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attack {
    /// With a pawn.
    pub pawn: bool,
    /// With a knight.
    pub knight: bool,
    /// With a bishop or a queen.
    pub diagonal: bool,
    /// With a rook or a queen.
    pub straight: bool,
    /// With its king.
    pub king: bool,
}

impl Attack {
    /// With anything but the king.
    pub const fn without_king(self) -> bool {
        self.pawn || self.knight || self.diagonal || self.straight
    }

    /// With anything.
    pub const fn any(self) -> bool {
        self.without_king() || self.king
    }
}

impl Mailbox {
    /// A board without pieces.
    pub const EMPTY: Mailbox = Mailbox([None; 64]);

    /// What stands on a square.
    pub const fn at(&self, square: Square) -> Option<(Color, Piece)> {
        self.0[square.index()]
    }

    /// Puts something on a square, or nothing.
    pub const fn set(&mut self, square: Square, content: Option<(Color, Piece)>) {
        self.0[square.index()] = content;
    }

    /// Whether this piece stands there.
    pub fn is(&self, square: Square, color: Color, piece: Piece) -> bool {
        self.at(square) == Some((color, piece))
    }

    /// Where the king of a side stands.
    pub fn king(&self, color: Color) -> Option<Square> {
        Square::all().find(|&square| self.is(square, color, Piece::King))
    }

    /// How `by` attacks a square: looked at from the square outwards.
    pub fn attack(&self, square: Square, by: Color) -> Attack {
        let mut attack = Attack::default();
        for step in DIAGONAL {
            match self.first_along(square, step) {
                Some((color, Piece::Bishop | Piece::Queen, _)) => attack.diagonal |= color == by,
                Some((color, Piece::King, 1)) => attack.king |= color == by,
                Some((color, Piece::Pawn, 1)) => attack.pawn |= color == by && step.1 == -up(by),
                _ => {}
            }
        }
        for step in STRAIGHT {
            match self.first_along(square, step) {
                Some((color, Piece::Rook | Piece::Queen, _)) => attack.straight |= color == by,
                Some((color, Piece::King, 1)) => attack.king |= color == by,
                _ => {}
            }
        }
        for leap in LEAPS {
            attack.knight |= walk(square, leap).is_some_and(|from| self.is(from, by, Piece::Knight));
        }
        attack
    }

    /// Whether the piece on `from` attacks `to`.
    pub fn attacks(&self, from: Square, to: Square) -> bool {
        let one = |step: Step| walk(from, step) == Some(to);
        let far = |step: Step| self.reached_along(from, step).any(|square| square == to);
        match self.at(from) {
            None => false,
            Some((color, Piece::Pawn)) => one((-1, up(color))) || one((1, up(color))),
            Some((_, Piece::Knight)) => LEAPS.into_iter().any(one),
            Some((_, Piece::Bishop)) => DIAGONAL.into_iter().any(far),
            Some((_, Piece::Rook)) => STRAIGHT.into_iter().any(far),
            Some((_, Piece::Queen)) => DIAGONAL.into_iter().chain(STRAIGHT).any(far),
            Some((_, Piece::King)) => DIAGONAL.into_iter().chain(STRAIGHT).any(one),
        }
    }

    /// The squares along a line up to and with the first one that is not empty.
    pub fn reached_along(&self, from: Square, step: Step) -> impl Iterator<Item = Square> {
        let mut last = Some(from);
        std::iter::from_fn(move || {
            let next = walk(last?, step)?;
            last = self.at(next).is_none().then_some(next);
            Some(next)
        })
    }

    /// The first piece along a line, and how many steps away it is.
    fn first_along(&self, from: Square, step: Step) -> Option<(Color, Piece, usize)> {
        let mut distances = self.reached_along(from, step).zip(1..);
        distances.find_map(|(square, distance)| self.at(square).map(|(color, piece)| (color, piece, distance)))
    }
}

/// The square one step on, if that is on the board.
pub fn walk(from: Square, (files, ranks): Step) -> Option<Square> {
    let (file, rank) = (from.file() as i8 + files, from.rank() as i8 + ranks);
    let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
    on_board.then(|| Square::at(file as u8, rank as u8))
}

/// The way a side's pawns go, in ranks.
pub const fn up(color: Color) -> i8 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}

impl From<&Position> for Mailbox {
    fn from(position: &Position) -> Mailbox {
        Mailbox(std::array::from_fn(|square| position.at(Square::new(square as u8))))
    }
}

impl From<&Chess> for Mailbox {
    fn from(chess: &Chess) -> Mailbox {
        let mut mailbox = Mailbox::EMPTY;
        for (square, piece) in chess.board() {
            let color = match piece.color {
                shakmaty::Color::White => Color::White,
                shakmaty::Color::Black => Color::Black,
            };
            mailbox.0[square.to_usize()] = Some((color, convert::piece_of(piece.role)));
        }
        mailbox
    }
}

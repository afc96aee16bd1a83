use rust_hdl::prelude::*;

/// Unpacks a position out of the payload of a job or a batch, a square in a cycle, and checks it on the way.
///
/// It refuses whatever is not well packed, and a board without exactly one king a side or with pawns on the last ranks: the
/// cores could not stand that. Whether the rest is a chess position is the host's duty.
#[derive(LogicBlock, Default)]
pub struct Unpack {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Start in, done out: the other outputs hold from the cycle after `done` until the next `start`.
    /// Begin; for one cycle.
    pub start: Signal<In, Bit>,
    /// It is unpacked, or refused; for one cycle.
    pub done: Signal<Out, Bit>,
    /// It is no position.
    pub bad: Signal<Out, Bit>,
    /// How many pieces.
    pub count: Signal<Out, Bits<6>>,
    /// Turn in bit 0, castling rights in bits 1–4, en passant file in 8–10 and whether there is one in 11: as on the wire.
    pub state: Signal<Out, Bits<16>>,

    // Payload in: the word at `read_address`, one cycle later.
    /// Which word of the payload.
    pub read_address: Signal<Out, Bits<10>>,
    /// The word.
    pub read_data: Signal<In, Bits<16>>,

    // Pieces out: one in every cycle with `piece_write`, in ascending order of squares.
    /// There is a piece.
    pub piece_write: Signal<Out, Bit>,
    /// Its place among the pieces.
    pub piece_index: Signal<Out, Bits<5>>,
    /// Square in bits 0–5, nibble in bits 6–9.
    pub piece: Signal<Out, Bits<10>>,

    step: DFF<UnpackStep>,
    square: DFF<Bits<6>>,
    /// Pieces so far.
    found: DFF<Bits<6>>,
    /// Of 16 squares, those from `square` on.
    occupied: DFF<Bits<16>>,
    /// The nibbles that were read and not used, above them zeros.
    nibbles: DFF<Bits<16>>,
    /// The next word of nibbles.
    next_nibbles: DFF<Bits<4>>,
    white_king: DFF<Bit>,
    black_king: DFF<Bit>,
    refused: DFF<Bit>,
    flags: DFF<Bits<16>>,

    advance: Signal<Local, Bit>,
    code: Signal<Local, Bits<3>>,
    rank: Signal<Local, Bits<3>>,
    file: Signal<Local, Bits<3>>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum UnpackStep {
    Idle,
    ReadSquares,
    TakeSquares,
    Scan,
    ReadNibbles,
    TakeNibbles,
    Place,
    Unused,
    ReadRest,
    TakeRest,
    ReadState,
    TakeState,
    Done,
}

impl Logic for Unpack {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            step,
            square,
            found,
            occupied,
            nibbles,
            next_nibbles,
            white_king,
            black_king,
            refused,
            flags
        );
        self.done.next = false;
        self.advance.next = false;
        self.piece_write.next = false;
        self.piece_index.next = self.found.q.val().get_bits::<5>(0);
        self.piece.next =
            bit_cast::<10, 6>(self.square.q.val()) | (bit_cast::<10, 4>(self.nibbles.q.val().get_bits::<4>(0)) << 6);
        self.code.next = self.nibbles.q.val().get_bits::<3>(0);
        self.rank.next = self.square.q.val().get_bits::<3>(3);
        self.file.next = self.flags.q.val().get_bits::<3>(8);
        // Words 6 to 9 are the squares, 10 to 17 the nibbles, 18 the state.
        self.read_address.next = bit_cast::<10, 4>(self.next_nibbles.q.val()) + 10;

        match self.step.q.val() {
            UnpackStep::Idle => {
                if self.start.val() {
                    self.square.d.next = 0.into();
                    self.found.d.next = 0.into();
                    self.nibbles.d.next = 0.into();
                    self.next_nibbles.d.next = 0.into();
                    self.white_king.d.next = false;
                    self.black_king.d.next = false;
                    self.refused.d.next = false;
                    self.step.d.next = UnpackStep::ReadSquares;
                }
            }
            UnpackStep::ReadSquares => {
                self.read_address.next = bit_cast::<10, 2>(self.square.q.val().get_bits::<2>(4)) + 6;
                self.step.d.next = UnpackStep::TakeSquares;
            }
            UnpackStep::TakeSquares => {
                self.occupied.d.next = self.read_data.val();
                self.step.d.next = UnpackStep::Scan;
            }
            UnpackStep::Scan => {
                if !self.occupied.q.val().get_bit(0) {
                    self.advance.next = true;
                } else if self.found.q.val().get_bit(5) {
                    // The 33rd piece.
                    self.refused.d.next = true;
                    self.advance.next = true;
                } else if self.found.q.val().get_bits::<2>(0) == 0 {
                    self.step.d.next = UnpackStep::ReadNibbles;
                } else {
                    self.step.d.next = UnpackStep::Place;
                }
            }
            UnpackStep::ReadNibbles => {
                self.next_nibbles.d.next = self.next_nibbles.q.val() + 1;
                self.step.d.next = UnpackStep::TakeNibbles;
            }
            UnpackStep::TakeNibbles => {
                self.nibbles.d.next = self.read_data.val();
                self.step.d.next = UnpackStep::Place;
            }
            UnpackStep::Place => {
                self.piece_write.next = true;
                self.found.d.next = self.found.q.val() + 1;
                self.nibbles.d.next = self.nibbles.q.val() >> 4;
                if (self.code.val() == 0) | (self.code.val() == 3) {
                    self.refused.d.next = true;
                }
                if (self.code.val() == 1) & ((self.rank.val() == 0) | (self.rank.val() == 7)) {
                    self.refused.d.next = true;
                }
                if self.code.val() == 4 {
                    if self.nibbles.q.val().get_bit(3) {
                        self.black_king.d.next = true;
                        self.refused.d.next = self.refused.q.val() | self.black_king.q.val();
                    } else {
                        self.white_king.d.next = true;
                        self.refused.d.next = self.refused.q.val() | self.white_king.q.val();
                    }
                }
                self.advance.next = true;
            }
            // All nibbles that were not used must be zero: first those at hand, then word by word.
            UnpackStep::Unused => {
                if self.nibbles.q.val().any() | !self.white_king.q.val() | !self.black_king.q.val() {
                    self.refused.d.next = true;
                }
                self.step.d.next = UnpackStep::ReadRest;
            }
            UnpackStep::ReadRest => {
                if self.next_nibbles.q.val().get_bit(3) {
                    self.step.d.next = UnpackStep::ReadState;
                } else {
                    self.next_nibbles.d.next = self.next_nibbles.q.val() + 1;
                    self.step.d.next = UnpackStep::TakeRest;
                }
            }
            UnpackStep::TakeRest => {
                self.nibbles.d.next = self.read_data.val();
                self.step.d.next = UnpackStep::Unused;
            }
            // By now `next_nibbles` is 8, and so the address is 18.
            UnpackStep::ReadState => {
                self.step.d.next = UnpackStep::TakeState;
            }
            UnpackStep::TakeState => {
                self.flags.d.next = self.read_data.val();
                self.step.d.next = UnpackStep::Done;
            }
            UnpackStep::Done => {
                if (self.flags.q.val().get_bits::<3>(5) != 0) | (self.flags.q.val().get_bits::<4>(12) != 0) {
                    self.refused.d.next = true;
                }
                if !self.flags.q.val().get_bit(11) & (self.file.val() != 0) {
                    self.refused.d.next = true;
                }
                self.done.next = true;
                self.step.d.next = UnpackStep::Idle;
            }
            _ => {
                self.step.d.next = UnpackStep::Idle;
            }
        }

        if self.advance.val() {
            self.square.d.next = self.square.q.val() + 1;
            self.occupied.d.next = self.occupied.q.val() >> 1;
            self.step.d.next = UnpackStep::Scan;
            if self.square.q.val().get_bits::<4>(0) == 15 {
                self.step.d.next = UnpackStep::ReadSquares;
            }
            if self.square.q.val() == 63 {
                self.step.d.next = UnpackStep::Unused;
            }
        }
        self.bad.next = self.refused.q.val();
        self.count.next = self.found.q.val();
        self.state.next = self.flags.q.val();
    }
}

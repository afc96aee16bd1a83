use rust_hdl::prelude::*;

use super::bank_timer::BankTimer;
use super::device::Timing;
use super::preset::Preset;
use super::upkeep::Upkeep;
use super::waiting_line::WaitingLine;

/// Reads and writes entries of 64 bits in an SDRAM with `W` data pins, 16 or 32.
///
/// Up to 16 reads and 16 writes wait. Reads go first and keep their order; writes keep theirs, and
/// go when no read waits or when many writes do. A read may overtake a write to the same entry that
/// came before, and then sees what was there.
///
/// Accesses pass two places. In the first, an access waits until its bank can open its row; in the
/// second, its row is opening, or its burst waits for the data pins. So the row of an access opens
/// while the burst of the one before is on its way, and random reads take 4 cycles each on 16 bits
/// where banks differ.
#[derive(LogicBlock)]
pub struct TableMemory<const W: usize> {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Requests in: held until `ready`.
    /// There is a request.
    pub valid: Signal<In, Bit>,
    /// It is taken.
    pub ready: Signal<Out, Bit>,
    /// It is a write, not a read.
    pub write: Signal<In, Bit>,
    /// A write that finds no place is dropped, and not waited for.
    pub may_drop: Signal<In, Bit>,
    /// Which entry: its bank in the low two bits, then 7 bits of column, then its row.
    pub address: Signal<In, Bits<22>>,
    /// What is written.
    pub data: Signal<In, Bits<64>>,

    // Answers out, in the order of the reads: for one cycle each.
    /// There is an answer.
    pub answer_valid: Signal<Out, Bit>,
    /// What was read.
    pub answer: Signal<Out, Bits<64>>,

    // What goes on, out
    /// A write is dropped, in the cycle in which it is taken.
    pub dropped: Signal<Out, Bit>,
    /// The chip has woken up; requests wait until then.
    pub awake: Signal<Out, Bit>,

    // Pins of the SDRAM, straight from registers. Its clock is of the same frequency; CKE is high,
    // CS is low.
    /// RAS#.
    pub ras_n: Signal<Out, Bit>,
    /// CAS#.
    pub cas_n: Signal<Out, Bit>,
    /// WE#.
    pub we_n: Signal<Out, Bit>,
    /// BA.
    pub bank: Signal<Out, Bits<2>>,
    /// A; a chip with fewer rows leaves the highest pins out.
    pub pins_address: Signal<Out, Bits<13>>,
    /// All DQM pins: high until the chip is awake.
    pub dqm: Signal<Out, Bit>,
    /// What goes to the data pins.
    pub dq_out: Signal<Out, Bits<W>>,
    /// Whether it does.
    pub dq_oe: Signal<Out, Bit>,
    /// What the data pins say.
    pub dq_in: Signal<In, Bits<W>>,

    width: Constant<Bits<7>>,
    above: Constant<Bits<7>>,
    /// What a word's number is shifted by to be its first bit.
    word_shift: Constant<Bits<6>>,
    last_word: Constant<Bits<2>>,
    /// What an entry's column is shifted by to be the first word's.
    column_shift: Constant<Bits<4>>,
    auto_precharge: Constant<Bits<13>>,
    arrival: Constant<Bits<10>>,
    to_column: Constant<Bits<3>>,
    gap_after: Constant<Bits<3>>,
    turn_after: Constant<Bits<4>>,
    enough: Constant<Bits<5>>,
    activate_command: Constant<Bits<3>>,
    read_command: Constant<Bits<3>>,
    write_command: Constant<Bits<3>>,

    reads: WaitingLine<Bits<22>>,
    writes: WaitingLine<Bits<22>>,
    written: WaitingLine<Bits<64>>,
    banks: [BankTimer; 4],
    upkeep: Upkeep,

    /// Many writes wait: they go first until none is left.
    draining: DFF<Bit>,

    // The first place
    first_valid: DFF<Bit>,
    first_write: DFF<Bit>,
    first_bank: DFF<Bits<2>>,
    first_column: DFF<Bits<7>>,
    first_row: DFF<Bits<13>>,

    // The second
    second_valid: DFF<Bit>,
    second_write: DFF<Bit>,
    second_bank: DFF<Bits<2>>,
    second_column: DFF<Bits<7>>,
    /// Cycles until its row is open.
    opening: DFF<Bits<3>>,
    /// Cycles until the data pins are free; for a write after a read, `turning`.
    gap: DFF<Bits<3>>,
    turning: DFF<Bits<4>>,

    // To the pins
    command: Preset<Bits<3>>,
    bank_pins: DFF<Bits<2>>,
    address_pins: DFF<Bits<13>>,
    masked: Preset<Bit>,
    out: DFF<Bits<W>>,
    driving: DFF<Bit>,
    /// A write's burst is on its way, and which word of it is next.
    sending: DFF<Bit>,
    word: DFF<Bits<2>>,

    // From the pins
    sample: DFF<Bits<W>>,
    /// The words before, the newest above.
    earlier: DFF<Bits<64>>,
    /// A one for each read, which moves up until its last word is there.
    arriving: DFF<Bits<10>>,

    pick_write: Signal<Local, Bit>,
    picked: Signal<Local, Bits<22>>,
    place: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    bank_free: Signal<Local, Bit>,
    all_free: Signal<Local, Bit>,
    activate: Signal<Local, Bit>,
    column: Signal<Local, Bit>,
    next_command: Signal<Local, Bits<3>>,
    accept_read: Signal<Local, Bit>,
    accept_write: Signal<Local, Bit>,
    first_bit: Signal<Local, Bits<6>>,
    shown: Signal<Local, Bits<64>>,
}

/// The number of waiting writes at which they go first.
const ENOUGH_WRITES: u32 = 12;

impl<const W: usize> TableMemory<W> {
    /// The block.
    ///
    /// # Panics
    /// If the timing is that of a chip with another number of data pins.
    pub fn new(timing: &Timing) -> TableMemory<W> {
        let words = timing.burst;
        assert_eq!(
            words as usize * W,
            64,
            "an entry is a burst: {words} words of {W} bits are not 64"
        );
        let word_bits = words.trailing_zeros();
        TableMemory {
            clock: Signal::default(),
            valid: Signal::default(),
            ready: Signal::default(),
            write: Signal::default(),
            may_drop: Signal::default(),
            address: Signal::default(),
            data: Signal::default(),
            answer_valid: Signal::default(),
            answer: Signal::default(),
            dropped: Signal::default(),
            awake: Signal::default(),
            ras_n: Signal::default(),
            cas_n: Signal::default(),
            we_n: Signal::default(),
            bank: Signal::default(),
            pins_address: Signal::default(),
            dqm: Signal::default(),
            dq_out: Signal::default(),
            dq_oe: Signal::default(),
            dq_in: Signal::default(),
            width: Constant::new(W.to_bits()),
            above: Constant::new((64 - W).to_bits()),
            word_shift: Constant::new(W.trailing_zeros().to_bits()),
            last_word: Constant::new((words - 1).to_bits()),
            column_shift: Constant::new(word_bits.to_bits()),
            auto_precharge: Constant::new(0x400_u32.to_bits()),
            arrival: Constant::new((1_u32 << (timing.capture + words - 1)).to_bits()),
            to_column: Constant::new((timing.activate_to_column - 1).to_bits()),
            gap_after: Constant::new((words - 1).to_bits()),
            turn_after: Constant::new((timing.read_to_write - 1).to_bits()),
            enough: Constant::new(ENOUGH_WRITES.to_bits()),
            activate_command: Constant::new(0b100_u32.to_bits()),
            read_command: Constant::new(0b010_u32.to_bits()),
            write_command: Constant::new(0b011_u32.to_bits()),
            reads: WaitingLine::default(),
            writes: WaitingLine::default(),
            written: WaitingLine::default(),
            banks: std::array::from_fn(|_| BankTimer::new(timing)),
            upkeep: Upkeep::new(timing),
            draining: DFF::default(),
            first_valid: DFF::default(),
            first_write: DFF::default(),
            first_bank: DFF::default(),
            first_column: DFF::default(),
            first_row: DFF::default(),
            second_valid: DFF::default(),
            second_write: DFF::default(),
            second_bank: DFF::default(),
            second_column: DFF::default(),
            opening: DFF::default(),
            gap: DFF::default(),
            turning: DFF::default(),
            command: Preset::new(7_u32.to_bits()),
            bank_pins: DFF::default(),
            address_pins: DFF::default(),
            masked: Preset::new(true),
            out: DFF::default(),
            driving: DFF::default(),
            sending: DFF::default(),
            word: DFF::default(),
            sample: DFF::default(),
            earlier: DFF::default(),
            arriving: DFF::default(),
            pick_write: Signal::default(),
            picked: Signal::default(),
            place: Signal::default(),
            take: Signal::default(),
            bank_free: Signal::default(),
            all_free: Signal::default(),
            activate: Signal::default(),
            column: Signal::default(),
            next_command: Signal::default(),
            accept_read: Signal::default(),
            accept_write: Signal::default(),
            first_bit: Signal::default(),
            shown: Signal::default(),
        }
    }
}

impl<const W: usize> Logic for TableMemory<W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            draining,
            first_valid,
            first_write,
            first_bank,
            first_column,
            first_row,
            second_valid,
            second_write,
            second_bank,
            second_column,
            opening,
            gap,
            turning,
            bank_pins,
            address_pins,
            out,
            driving,
            sending,
            word,
            sample,
            earlier,
            arriving
        );
        self.reads.clock.next = self.clock.val();
        self.writes.clock.next = self.clock.val();
        self.written.clock.next = self.clock.val();
        self.upkeep.clock.next = self.clock.val();
        self.command.clock.next = self.clock.val();
        self.masked.clock.next = self.clock.val();

        // Requests join their lines. A write leaves the line of data last.
        self.accept_read.next = self.valid.val() & !self.write.val() & !self.reads.full.val();
        self.accept_write.next = self.valid.val() & self.write.val() & !self.written.full.val();
        self.reads.push.next = self.accept_read.val();
        self.reads.push_data.next = self.address.val();
        self.writes.push.next = self.accept_write.val();
        self.writes.push_data.next = self.address.val();
        self.written.push.next = self.accept_write.val();
        self.written.push_data.next = self.data.val();
        self.dropped.next = self.valid.val() & self.write.val() & self.may_drop.val() & self.written.full.val();
        self.ready.next = (!self.write.val() & !self.reads.full.val())
            | (self.write.val() & (self.may_drop.val() | !self.written.full.val()));

        // A row opens when its bank and the second place are free; a burst begins when the row is
        // open and the data pins are free.
        self.bank_free.next = false;
        self.all_free.next = true;
        for i in 0..4 {
            if self.first_bank.q.val() == i.to_bits() {
                self.bank_free.next = !self.banks[i].busy.val();
            }
            if self.banks[i].busy.val() {
                self.all_free.next = false;
            }
        }
        self.activate.next = self.first_valid.q.val() & !self.second_valid.q.val() & self.bank_free.val();
        self.column.next = self.second_valid.q.val()
            & (self.opening.q.val() == 0)
            & (self.gap.q.val() == 0)
            & (!self.second_write.q.val() | (self.turning.q.val() == 0));
        for i in 0..4 {
            self.banks[i].clock.next = self.clock.val();
            self.banks[i].activate.next = self.activate.val() & (self.first_bank.q.val() == i.to_bits());
            self.banks[i].read.next = false;
            self.banks[i].write.next = false;
            if self.second_bank.q.val() == i.to_bits() {
                self.banks[i].read.next = self.column.val() & !self.second_write.q.val();
                self.banks[i].write.next = self.column.val() & self.second_write.q.val();
            }
        }
        if self.opening.q.val() != 0 {
            self.opening.d.next = self.opening.q.val() - 1;
        }
        if self.gap.q.val() != 0 {
            self.gap.d.next = self.gap.q.val() - 1;
        }
        if self.turning.q.val() != 0 {
            self.turning.d.next = self.turning.q.val() - 1;
        }
        if self.column.val() {
            self.second_valid.d.next = false;
            self.gap.d.next = self.gap_after.val();
            if !self.second_write.q.val() {
                self.turning.d.next = self.turn_after.val();
            }
        }
        if self.activate.val() {
            self.second_valid.d.next = true;
            self.opening.d.next = self.to_column.val();
        }
        if !self.second_valid.q.val() {
            self.second_write.d.next = self.first_write.q.val();
            self.second_bank.d.next = self.first_bank.q.val();
            self.second_column.d.next = self.first_column.q.val();
        }
        // Which access is next: a read, unless there is none or many writes wait.
        if self.writes.waiting.val() == self.enough.val() {
            self.draining.d.next = true;
        }
        if !self.writes.valid.val() {
            self.draining.d.next = false;
        }
        self.pick_write.next = self.writes.valid.val() & (self.draining.q.val() | !self.reads.valid.val());
        self.picked.next = self.reads.data.val();
        if self.pick_write.val() {
            self.picked.next = self.writes.data.val();
        }
        self.place.next = !self.first_valid.q.val() | self.activate.val();
        self.take.next =
            self.place.val() & !self.upkeep.hold.val() & (self.reads.valid.val() | self.writes.valid.val());
        self.reads.pop.next = self.take.val() & !self.pick_write.val();
        self.writes.pop.next = self.take.val() & self.pick_write.val();
        if self.place.val() {
            self.first_valid.d.next = self.take.val();
            self.first_write.d.next = self.pick_write.val();
            self.first_bank.d.next = self.picked.val().get_bits::<2>(0);
            self.first_column.d.next = self.picked.val().get_bits::<7>(2);
            self.first_row.d.next = self.picked.val().get_bits::<13>(9);
        }

        self.upkeep.idle.next = !self.first_valid.q.val() & !self.second_valid.q.val() & self.all_free.val();
        self.awake.next = self.upkeep.awake.val();

        // One command at most. Address pins say something at any time, which the chip does not
        // mind.
        self.next_command.next = self.upkeep.command.val();
        self.address_pins.d.next = self.first_row.q.val();
        self.bank_pins.d.next = self.first_bank.q.val();
        if self.activate.val() {
            self.next_command.next = self.activate_command.val();
        }
        if self.second_valid.q.val() {
            self.address_pins.d.next =
                self.auto_precharge.val() | (bit_cast::<13, 7>(self.second_column.q.val()) << self.column_shift.val());
            self.bank_pins.d.next = self.second_bank.q.val();
        }
        if self.column.val() {
            self.next_command.next = self.read_command.val();
            if self.second_write.q.val() {
                self.next_command.next = self.write_command.val();
            }
        }
        if self.upkeep.idle.val() {
            self.address_pins.d.next = self.upkeep.address.val();
            self.bank_pins.d.next = 0.into();
        }
        self.command.d.next = !self.next_command.val();
        self.ras_n.next = self.command.q.val().get_bit(2);
        self.cas_n.next = self.command.q.val().get_bit(1);
        self.we_n.next = self.command.q.val().get_bit(0);
        self.bank.next = self.bank_pins.q.val();
        self.pins_address.next = self.address_pins.q.val();
        self.masked.d.next = !self.upkeep.awake.val();
        self.dqm.next = self.masked.q.val();

        // A write's first word goes with the command.
        self.driving.d.next = self.sending.q.val() | (self.column.val() & self.second_write.q.val());
        self.first_bit.next = bit_cast::<6, 2>(self.word.q.val()) << self.word_shift.val();
        self.shown.next = self.written.data.val() >> self.first_bit.val();
        self.out.d.next = bit_cast::<W, 64>(self.shown.val());
        self.written.pop.next = false;
        if self.column.val() & self.second_write.q.val() {
            self.sending.d.next = true;
            self.word.d.next = 1.into();
        }
        if self.sending.q.val() {
            self.word.d.next = self.word.q.val() + 1;
            if self.word.q.val() == self.last_word.val() {
                self.word.d.next = 0.into();
                self.sending.d.next = false;
                self.written.pop.next = true;
            }
        }
        self.dq_out.next = self.out.q.val();
        self.dq_oe.next = self.driving.q.val();

        // Words of a read come in whether one is read or not.
        self.sample.d.next = self.dq_in.val();
        self.answer.next =
            (self.earlier.q.val() >> self.width.val()) | (bit_cast::<64, W>(self.sample.q.val()) << self.above.val());
        self.earlier.d.next = self.answer.val();
        self.arriving.d.next = self.arriving.q.val() << 1;
        if self.column.val() & !self.second_write.q.val() {
            self.arriving.d.next = (self.arriving.q.val() << 1) | 1;
        }
        self.answer_valid.next = (self.arriving.q.val() & self.arrival.val()).any();
    }
}

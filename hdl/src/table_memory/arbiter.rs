use rust_hdl::prelude::*;

use super::waiting_line::WaitingLine;
use crate::queue::signals;

/// Shares a [`super::TableMemory`] between cores, each with a port for lookups and one for stores.
///
/// Cores have their turns one after the other, for lookups and for stores; a turn lasts until the
/// core could hand over what it has, whether it has something or not. At most 16 lookups are under
/// way, and an answer finds its core and thread again by their order. Stores never wait for
/// lookups: a store that finds no place in the memory is dropped.
#[derive(LogicBlock)]
pub struct TableArbiter {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Lookups in, one port for each core: held until `ready`.
    /// There is a lookup.
    pub lookup_valid: Vec<Signal<In, Bit>>,
    /// It is taken.
    pub lookup_ready: Vec<Signal<Out, Bit>>,
    /// The thread that asks.
    pub lookup_thread: Vec<Signal<In, Bits<4>>>,
    /// Which entry.
    pub lookup_address: Vec<Signal<In, Bits<22>>>,

    // Stores in, one port for each core: held until `ready`.
    /// There is a store.
    pub store_valid: Vec<Signal<In, Bit>>,
    /// It is taken.
    pub store_ready: Vec<Signal<Out, Bit>>,
    /// Which entry.
    pub store_address: Vec<Signal<In, Bits<22>>>,
    /// What is stored.
    pub store_data: Vec<Signal<In, Bits<64>>>,

    // Answers out: for one cycle each, in the order in which lookups were taken.
    /// There is an answer for this core.
    pub answer_valid: Vec<Signal<Out, Bit>>,
    /// The thread that asked.
    pub answer_thread: Signal<Out, Bits<4>>,
    /// The entry.
    pub answer: Signal<Out, Bits<64>>,

    // To the memory: as its ports say. A request that is not taken may give way to another.
    /// There is a request.
    pub valid: Signal<Out, Bit>,
    /// It is taken.
    pub ready: Signal<In, Bit>,
    /// It is a store.
    pub write: Signal<Out, Bit>,
    /// Which entry.
    pub address: Signal<Out, Bits<22>>,
    /// What is stored.
    pub data: Signal<Out, Bits<64>>,
    /// The store is dropped.
    pub dropped: Signal<In, Bit>,

    // From the memory
    /// There is an answer.
    pub memory_answer_valid: Signal<In, Bit>,
    /// The entry.
    pub memory_answer: Signal<In, Bits<64>>,

    // Counted, since power-up or `clear`
    /// Lookups that the memory took.
    pub lookups: Signal<Out, Bits<32>>,
    /// Answers.
    pub answers: Signal<Out, Bits<32>>,
    /// Stores, the dropped ones included.
    pub stores: Signal<Out, Bits<32>>,
    /// Stores that were dropped.
    pub dropped_stores: Signal<Out, Bits<32>>,
    /// Counts from zero again.
    pub clear: Signal<In, Bit>,

    last_core: Constant<Bits<3>>,

    /// The cores whose turn it is to look up, and to store.
    turn: DFF<Bits<3>>,
    store_turn: DFF<Bits<3>>,

    // A lookup and a store on their way to the memory
    lookup_held: DFF<Bit>,
    lookup_from: DFF<Bits<7>>,
    lookup_at: DFF<Bits<22>>,
    store_held: DFF<Bit>,
    store_at: DFF<Bits<22>>,
    stored: DFF<Bits<64>>,
    /// The store goes first, if there is one.
    store_first: DFF<Bit>,
    /// Who asked: core and thread.
    order: WaitingLine<Bits<7>>,

    told: DFF<Bit>,
    told_to: DFF<Bits<7>>,
    told_entry: DFF<Bits<64>>,

    lookups_count: DFF<Bits<32>>,
    answers_count: DFF<Bits<32>>,
    stores_count: DFF<Bits<32>>,
    dropped_count: DFF<Bits<32>>,

    lookup_goes: Signal<Local, Bit>,
    store_goes: Signal<Local, Bit>,
    lookup_free: Signal<Local, Bit>,
    store_free: Signal<Local, Bit>,
    may_look_up: Signal<Local, Bit>,
    shows_store: Signal<Local, Bit>,
    asking: Signal<Local, Bits<4>>,
}

/// The most cores that can share a memory.
const MOST_CORES: usize = 8;

impl TableArbiter {
    /// The block.
    ///
    /// # Panics
    /// If there are no cores, or more than 8.
    pub fn new(cores: usize) -> TableArbiter {
        assert!(
            (1..=MOST_CORES).contains(&cores),
            "{cores} cores: 1 to {MOST_CORES} can share a table"
        );
        TableArbiter {
            clock: Signal::default(),
            lookup_valid: signals(cores),
            lookup_ready: signals(cores),
            lookup_thread: signals(cores),
            lookup_address: signals(cores),
            store_valid: signals(cores),
            store_ready: signals(cores),
            store_address: signals(cores),
            store_data: signals(cores),
            answer_valid: signals(cores),
            answer_thread: Signal::default(),
            answer: Signal::default(),
            valid: Signal::default(),
            ready: Signal::default(),
            write: Signal::default(),
            address: Signal::default(),
            data: Signal::default(),
            dropped: Signal::default(),
            memory_answer_valid: Signal::default(),
            memory_answer: Signal::default(),
            lookups: Signal::default(),
            answers: Signal::default(),
            stores: Signal::default(),
            dropped_stores: Signal::default(),
            clear: Signal::default(),
            last_core: Constant::new((cores - 1).to_bits()),
            turn: DFF::default(),
            store_turn: DFF::default(),
            lookup_held: DFF::default(),
            lookup_from: DFF::default(),
            lookup_at: DFF::default(),
            store_held: DFF::default(),
            store_at: DFF::default(),
            stored: DFF::default(),
            store_first: DFF::default(),
            order: WaitingLine::default(),
            told: DFF::default(),
            told_to: DFF::default(),
            told_entry: DFF::default(),
            lookups_count: DFF::default(),
            answers_count: DFF::default(),
            stores_count: DFF::default(),
            dropped_count: DFF::default(),
            lookup_goes: Signal::default(),
            store_goes: Signal::default(),
            lookup_free: Signal::default(),
            store_free: Signal::default(),
            may_look_up: Signal::default(),
            shows_store: Signal::default(),
            asking: Signal::default(),
        }
    }
}

impl Logic for TableArbiter {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            turn,
            store_turn,
            lookup_held,
            lookup_from,
            lookup_at,
            store_held,
            store_at,
            stored,
            store_first,
            told,
            told_to,
            told_entry,
            lookups_count,
            answers_count,
            stores_count,
            dropped_count
        );
        self.order.clock.next = self.clock.val();

        // What the memory is shown: where both wait, each in every other cycle.
        self.may_look_up.next = self.lookup_held.q.val() & !self.order.full.val();
        self.shows_store.next = self.store_held.q.val() & (self.store_first.q.val() | !self.may_look_up.val());
        self.store_first.d.next = !self.store_first.q.val();
        self.valid.next = self.store_held.q.val() | self.may_look_up.val();
        self.write.next = self.shows_store.val();
        self.address.next = self.lookup_at.q.val();
        if self.shows_store.val() {
            self.address.next = self.store_at.q.val();
        }
        self.data.next = self.stored.q.val();
        self.lookup_goes.next = self.may_look_up.val() & !self.shows_store.val() & self.ready.val();
        self.store_goes.next = self.shows_store.val() & self.ready.val();
        self.order.push.next = self.lookup_goes.val();
        self.order.push_data.next = self.lookup_from.q.val();
        if self.lookup_goes.val() {
            self.lookup_held.d.next = false;
        }
        if self.store_goes.val() {
            self.store_held.d.next = false;
        }

        // The core whose turn it is hands over what it has.
        self.lookup_free.next = !self.lookup_held.q.val() | self.lookup_goes.val();
        self.store_free.next = !self.store_held.q.val() | self.store_goes.val();
        self.asking.next = 0.into();
        for i in 0..self.lookup_valid.len() {
            self.lookup_ready[i].next = false;
            self.store_ready[i].next = false;
            if self.turn.q.val() == i.to_bits() {
                self.asking.next = self.lookup_thread[i].val();
                self.lookup_ready[i].next = self.lookup_free.val();
                if self.lookup_free.val() {
                    self.lookup_held.d.next = self.lookup_valid[i].val();
                    self.lookup_at.d.next = self.lookup_address[i].val();
                }
            }
            if self.store_turn.q.val() == i.to_bits() {
                self.store_ready[i].next = self.store_free.val();
                if self.store_free.val() {
                    self.store_held.d.next = self.store_valid[i].val();
                    self.store_at.d.next = self.store_address[i].val();
                    self.stored.d.next = self.store_data[i].val();
                }
            }
        }
        if self.lookup_free.val() {
            self.lookup_from.d.next = bit_cast::<7, 4>(self.asking.val()) | (bit_cast::<7, 3>(self.turn.q.val()) << 4);
            self.turn.d.next = self.turn.q.val() + 1;
            if self.turn.q.val() == self.last_core.val() {
                self.turn.d.next = 0.into();
            }
        }
        if self.store_free.val() {
            self.store_turn.d.next = self.store_turn.q.val() + 1;
            if self.store_turn.q.val() == self.last_core.val() {
                self.store_turn.d.next = 0.into();
            }
        }

        // An answer is for the core and the thread that have waited longest.
        self.order.pop.next = self.memory_answer_valid.val();
        self.told.d.next = self.memory_answer_valid.val();
        self.told_to.d.next = self.order.data.val();
        self.told_entry.d.next = self.memory_answer.val();
        self.answer.next = self.told_entry.q.val();
        self.answer_thread.next = self.told_to.q.val().get_bits::<4>(0);
        for i in 0..self.answer_valid.len() {
            self.answer_valid[i].next = self.told.q.val() & (self.told_to.q.val().get_bits::<3>(4) == i.to_bits());
        }

        if self.lookup_goes.val() {
            self.lookups_count.d.next = self.lookups_count.q.val() + 1;
        }
        if self.memory_answer_valid.val() {
            self.answers_count.d.next = self.answers_count.q.val() + 1;
        }
        if self.store_goes.val() {
            self.stores_count.d.next = self.stores_count.q.val() + 1;
        }
        if self.store_goes.val() & self.dropped.val() {
            self.dropped_count.d.next = self.dropped_count.q.val() + 1;
        }
        if self.clear.val() {
            self.lookups_count.d.next = 0.into();
            self.answers_count.d.next = 0.into();
            self.stores_count.d.next = 0.into();
            self.dropped_count.d.next = 0.into();
        }
        self.lookups.next = self.lookups_count.q.val();
        self.answers.next = self.answers_count.q.val();
        self.stores.next = self.stores_count.q.val();
        self.dropped_stores.next = self.dropped_count.q.val();
    }
}

use bluebelle_spec::rings::{Header, LAYOUT_VERSION, MAGIC, words};
use rust_hdl::prelude::*;

use crate::queue::Memory;

/// The window that the host sees: the header, the indices and both rings, as `bluebelle_spec::rings` lays them out.
///
/// The down ring has a port for the host's writes and one for reads, which the chip and the host share: the chip comes first. The up
/// ring has a port for the chip's writes and one for the host's reads. Words of the chip that the host writes stay as they are.
#[derive(LogicBlock)]
pub struct Window {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Host's writes: one word in every cycle with `write`.
    /// There is a word.
    pub write: Signal<In, Bit>,
    /// Where it goes.
    pub write_word: Signal<In, Bits<13>>,
    /// The word.
    pub write_data: Signal<In, Bits<32>>,
    /// Which of its bytes.
    pub write_bytes: Signal<In, Bits<4>>,

    // Host's reads: `read` is held until `read_ready`; the word is there in the cycle after that, and in no other.
    /// A word is wanted.
    pub read: Signal<In, Bit>,
    /// Which.
    pub read_word: Signal<In, Bits<13>>,
    /// There is a cycle for it.
    pub read_ready: Signal<Out, Bit>,
    /// The word.
    pub read_data: Signal<Out, Bits<32>>,

    // Down ring: the word at `down_address`, one cycle after `down_read`.
    /// The host has written up to here.
    pub down_tail: Signal<Out, Bits<32>>,
    /// The chip has read up to here.
    pub down_head: Signal<In, Bits<32>>,
    /// A word is wanted.
    pub down_read: Signal<In, Bit>,
    /// Which.
    pub down_address: Signal<In, Bits<11>>,
    /// The word.
    pub down_data: Signal<Out, Bits<32>>,

    // Up ring: one word in every cycle with `up_write`.
    /// The host has read up to here.
    pub up_head: Signal<Out, Bits<32>>,
    /// The chip has written up to here.
    pub up_tail: Signal<In, Bits<32>>,
    /// There is a word.
    pub up_write: Signal<In, Bit>,
    /// Where it goes.
    pub up_address: Signal<In, Bits<11>>,
    /// The word.
    pub up_data: Signal<In, Bits<32>>,

    // Credits in.
    /// How many jobs fit.
    pub credits: Signal<In, Bits<8>>,

    magic: Constant<Bits<32>>,
    version: Constant<Bits<32>>,
    down_offset: Constant<Bits<32>>,
    down_size: Constant<Bits<32>>,
    up_offset: Constant<Bits<32>>,
    up_size: Constant<Bits<32>>,
    magic_word: Constant<Bits<13>>,
    version_word: Constant<Bits<13>>,
    down_offset_word: Constant<Bits<13>>,
    down_size_word: Constant<Bits<13>>,
    up_offset_word: Constant<Bits<13>>,
    up_size_word: Constant<Bits<13>>,
    credits_word: Constant<Bits<13>>,
    down_head_word: Constant<Bits<13>>,
    up_tail_word: Constant<Bits<13>>,
    down_tail_word: Constant<Bits<13>>,
    up_head_word: Constant<Bits<13>>,
    down_region: Constant<Bits<2>>,
    up_region: Constant<Bits<2>>,

    /// A memory for each byte of a word: the host may write any of them.
    down: [Memory<Bits<8>, 11>; 4],
    up: Memory<Bits<32>, 11>,
    tail: DFF<Bits<32>>,
    head: DFF<Bits<32>>,
    header: DFF<Bits<32>>,
    region: DFF<Bits<2>>,

    to_down: Signal<Local, Bit>,
    old: Signal<Local, Bits<32>>,
    merged: [Signal<Local, Bits<8>>; 4],
    new_index: Signal<Local, Bits<32>>,
    down_word: Signal<Local, Bits<32>>,
    // Outputs are written once: in an event-driven simulation a default and an override would wake whoever listens, and they us,
    // for ever.
    out_read_data: Signal<Local, Bits<32>>,
}

impl Window {
    /// The block.
    pub fn new() -> Window {
        let Header { down, up } = Header::OURS;
        let word = |word: usize| Constant::new(word.to_bits());
        let value = |value: u32| Constant::new(Bits::from(u64::from(value)));
        Window {
            clock: Signal::default(),
            write: Signal::default(),
            write_word: Signal::default(),
            write_data: Signal::default(),
            write_bytes: Signal::default(),
            read: Signal::default(),
            read_word: Signal::default(),
            read_ready: Signal::default(),
            read_data: Signal::default(),
            down_tail: Signal::default(),
            down_head: Signal::default(),
            down_read: Signal::default(),
            down_address: Signal::default(),
            down_data: Signal::default(),
            up_head: Signal::default(),
            up_tail: Signal::default(),
            up_write: Signal::default(),
            up_address: Signal::default(),
            up_data: Signal::default(),
            credits: Signal::default(),
            magic: value(MAGIC),
            version: value(LAYOUT_VERSION),
            down_offset: value(down.first as u32 * 4),
            down_size: value(down.size),
            up_offset: value(up.first as u32 * 4),
            up_size: value(up.size),
            magic_word: word(words::MAGIC),
            version_word: word(words::VERSION),
            down_offset_word: word(words::DOWN_OFFSET),
            down_size_word: word(words::DOWN_SIZE),
            up_offset_word: word(words::UP_OFFSET),
            up_size_word: word(words::UP_SIZE),
            credits_word: word(words::CREDITS),
            down_head_word: word(words::DOWN_HEAD),
            up_tail_word: word(words::UP_TAIL),
            down_tail_word: word(words::DOWN_TAIL),
            up_head_word: word(words::UP_HEAD),
            down_region: Constant::new((down.first >> 11).to_bits()),
            up_region: Constant::new((up.first >> 11).to_bits()),
            down: std::array::from_fn(|_| Memory::default()),
            up: Memory::default(),
            tail: DFF::default(),
            head: DFF::default(),
            header: DFF::default(),
            region: DFF::default(),
            to_down: Signal::default(),
            old: Signal::default(),
            merged: std::array::from_fn(|_| Signal::default()),
            new_index: Signal::default(),
            down_word: Signal::default(),
            out_read_data: Signal::default(),
        }
    }
}

impl Default for Window {
    fn default() -> Window {
        Window::new()
    }
}

impl Logic for Window {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, tail, head, header, region);
        self.up.clock.next = self.clock.val();

        // What the host writes: the down ring, and its two indices.
        self.to_down.next = self.write.val() & (self.write_word.val().get_bits::<2>(11) == self.down_region.val());
        self.old.next = self.tail.q.val();
        if self.write_word.val() == self.up_head_word.val() {
            self.old.next = self.head.q.val();
        }
        for i in 0..4 {
            self.down[i].clock.next = self.clock.val();
            self.down[i].write_address.next = self.write_word.val().get_bits::<11>(0);
            self.down[i].write_data.next = self.write_data.val().get_bits::<8>(i * 8);
            self.down[i].write_enable.next = self.to_down.val() & self.write_bytes.val().get_bit(i);
            self.merged[i].next = self.old.val().get_bits::<8>(i * 8);
            if self.write_bytes.val().get_bit(i) {
                self.merged[i].next = self.write_data.val().get_bits::<8>(i * 8);
            }
        }
        self.new_index.next = bit_cast::<32, 8>(self.merged[0].val())
            | (bit_cast::<32, 8>(self.merged[1].val()) << 8)
            | (bit_cast::<32, 8>(self.merged[2].val()) << 16)
            | (bit_cast::<32, 8>(self.merged[3].val()) << 24);
        if self.write.val() {
            if self.write_word.val() == self.down_tail_word.val() {
                self.tail.d.next = self.new_index.val();
            }
            if self.write_word.val() == self.up_head_word.val() {
                self.head.d.next = self.new_index.val();
            }
        }
        self.down_tail.next = self.tail.q.val();
        self.up_head.next = self.head.q.val();

        // What the chip writes.
        self.up.write_enable.next = self.up_write.val();
        self.up.write_address.next = self.up_address.val();
        self.up.write_data.next = self.up_data.val();

        // What both read.
        self.read_ready.next = !self.down_read.val();
        self.up.read_address.next = self.read_word.val().get_bits::<11>(0);
        for i in 0..4 {
            self.down[i].read_address.next = self.read_word.val().get_bits::<11>(0);
            if self.down_read.val() {
                self.down[i].read_address.next = self.down_address.val();
            }
        }
        self.down_word.next = bit_cast::<32, 8>(self.down[0].read_data.val())
            | (bit_cast::<32, 8>(self.down[1].read_data.val()) << 8)
            | (bit_cast::<32, 8>(self.down[2].read_data.val()) << 16)
            | (bit_cast::<32, 8>(self.down[3].read_data.val()) << 24);
        self.down_data.next = self.down_word.val();
        self.region.d.next = self.read_word.val().get_bits::<2>(11);
        self.header.d.next = 0.into();
        if self.read_word.val() == self.magic_word.val() {
            self.header.d.next = self.magic.val();
        } else if self.read_word.val() == self.version_word.val() {
            self.header.d.next = self.version.val();
        } else if self.read_word.val() == self.down_offset_word.val() {
            self.header.d.next = self.down_offset.val();
        } else if self.read_word.val() == self.down_size_word.val() {
            self.header.d.next = self.down_size.val();
        } else if self.read_word.val() == self.up_offset_word.val() {
            self.header.d.next = self.up_offset.val();
        } else if self.read_word.val() == self.up_size_word.val() {
            self.header.d.next = self.up_size.val();
        } else if self.read_word.val() == self.credits_word.val() {
            self.header.d.next = bit_cast::<32, 8>(self.credits.val());
        } else if self.read_word.val() == self.down_head_word.val() {
            self.header.d.next = self.down_head.val();
        } else if self.read_word.val() == self.up_tail_word.val() {
            self.header.d.next = self.up_tail.val();
        } else if self.read_word.val() == self.down_tail_word.val() {
            self.header.d.next = self.tail.q.val();
        } else if self.read_word.val() == self.up_head_word.val() {
            self.header.d.next = self.head.q.val();
        }
        self.out_read_data.next = self.header.q.val();
        if self.region.q.val() == self.down_region.val() {
            self.out_read_data.next = self.down_word.val();
        } else if self.region.q.val() == self.up_region.val() {
            self.out_read_data.next = self.up.read_data.val();
        }

        self.read_data.next = self.out_read_data.val();
    }
}

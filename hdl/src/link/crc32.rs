use rust_hdl::prelude::*;

/// The frames' CRC-32, a byte at a time.
///
/// A CRC is linear: the step by a byte is the register moved down by 8, xor a constant for each bit that falls out. The
/// register holds the inverse of what textbooks keep, so that it starts at 0 and is always the finished checksum.
#[derive(LogicBlock)]
pub struct Crc32 {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // Bytes in: one in every cycle with `enable`.
    /// Start again; wins over `enable`.
    pub clear: Signal<In, Bit>,
    /// There is a byte.
    pub enable: Signal<In, Bit>,
    /// The byte.
    pub data: Signal<In, Bits<8>>,

    // Checksum out: of the bytes up to the cycle before.
    /// The checksum.
    pub crc: Signal<Out, Bits<32>>,
    /// Whether the last four bytes were the checksum of those before them.
    pub good: Signal<Out, Bit>,

    /// What a bit that falls out does to the register.
    steps: [Constant<Bits<32>>; 8],
    /// What the checksum of bytes and their checksum always is.
    residue: Constant<Bits<32>>,
    start: Constant<Bits<32>>,

    register: DFF<Bits<32>>,

    falling: Signal<Local, Bits<8>>,
    sum: Signal<Local, Bits<32>>,
}

/// The polynomial of Ethernet and zip, lowest power first.
const POLYNOMIAL: u32 = 0xedb8_8320;

impl Crc32 {
    /// The block.
    pub fn new() -> Crc32 {
        let step = |bit: u32| {
            let after = (0..8).fold(1u32 << bit, |sum, _| {
                sum >> 1 ^ if sum & 1 != 0 { POLYNOMIAL } else { 0 }
            });
            Constant::new(after.to_bits())
        };
        Crc32 {
            clock: Signal::default(),
            clear: Signal::default(),
            enable: Signal::default(),
            data: Signal::default(),
            crc: Signal::default(),
            good: Signal::default(),
            steps: std::array::from_fn(|bit| step(bit as u32)),
            residue: Constant::new(0x2144_df1c.into()),
            start: Constant::new(0xffff_ffff.into()),
            register: DFF::default(),
            falling: Signal::default(),
            sum: Signal::default(),
        }
    }
}

impl Default for Crc32 {
    fn default() -> Crc32 {
        Crc32::new()
    }
}

impl Logic for Crc32 {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, register);
        self.sum.next = self.register.q.val() ^ self.start.val();
        self.falling.next = self.sum.val().get_bits::<8>(0) ^ self.data.val();
        self.sum.next = self.sum.val() >> 8;
        for bit in 0..8 {
            if self.falling.val().get_bit(bit) {
                self.sum.next = self.sum.val() ^ self.steps[bit].val();
            }
        }
        if self.enable.val() {
            self.register.d.next = self.sum.val() ^ self.start.val();
        }
        if self.clear.val() {
            self.register.d.next = 0.into();
        }
        self.crc.next = self.register.q.val();
        self.good.next = self.register.q.val() == self.residue.val();
    }
}

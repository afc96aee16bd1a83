//! Prints the Verilog of the link through rings with an echo behind it: whatever good frame comes down the one ring goes up the
//! other. `hdl/cocotb/run` puts an independent bus master in front of it.

use bluebelle_hdl::link::{Crc32, RingLink};
use bluebelle_spec::wire::VERSION;
use rust_hdl::prelude::*;

#[derive(LogicBlock)]
struct RingEcho {
    clock: Signal<In, Clock>,

    // AXI4-Lite, a slave.
    s_axi_aresetn: Signal<In, Bit>,
    s_axi_awaddr: Signal<In, Bits<15>>,
    s_axi_awvalid: Signal<In, Bit>,
    s_axi_awready: Signal<Out, Bit>,
    s_axi_wdata: Signal<In, Bits<32>>,
    s_axi_wstrb: Signal<In, Bits<4>>,
    s_axi_wvalid: Signal<In, Bit>,
    s_axi_wready: Signal<Out, Bit>,
    s_axi_bresp: Signal<Out, Bits<2>>,
    s_axi_bvalid: Signal<Out, Bit>,
    s_axi_bready: Signal<In, Bit>,
    s_axi_araddr: Signal<In, Bits<15>>,
    s_axi_arvalid: Signal<In, Bit>,
    s_axi_arready: Signal<Out, Bit>,
    s_axi_rdata: Signal<Out, Bits<32>>,
    s_axi_rresp: Signal<Out, Bits<2>>,
    s_axi_rvalid: Signal<Out, Bit>,
    s_axi_rready: Signal<In, Bit>,

    // Counters out.
    /// Frames that were dropped.
    dropped: Signal<Out, Bits<16>>,

    version: Constant<Bits<8>>,
    link: RingLink,
    crc: Crc32,
    step: DFF<EchoStep>,
    /// Which byte of the payload, or of what is around it.
    at: DFF<Bits<11>>,
    bad: DFF<Bits<16>>,

    value: Signal<Local, Bits<8>>,
    sending: Signal<Local, Bit>,
    finishing: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    next_at: Signal<Local, Bits<11>>,
}

#[derive(LogicState, Copy, Clone, Debug, PartialEq)]
enum EchoStep {
    Idle,
    Head,
    Fetch,
    Payload,
    Check,
    Finish,
}

impl RingEcho {
    fn new() -> RingEcho {
        RingEcho {
            clock: Signal::default(),
            s_axi_aresetn: Signal::default(),
            s_axi_awaddr: Signal::default(),
            s_axi_awvalid: Signal::default(),
            s_axi_awready: Signal::default(),
            s_axi_wdata: Signal::default(),
            s_axi_wstrb: Signal::default(),
            s_axi_wvalid: Signal::default(),
            s_axi_wready: Signal::default(),
            s_axi_bresp: Signal::default(),
            s_axi_bvalid: Signal::default(),
            s_axi_bready: Signal::default(),
            s_axi_araddr: Signal::default(),
            s_axi_arvalid: Signal::default(),
            s_axi_arready: Signal::default(),
            s_axi_rdata: Signal::default(),
            s_axi_rresp: Signal::default(),
            s_axi_rvalid: Signal::default(),
            s_axi_rready: Signal::default(),
            dropped: Signal::default(),
            version: Constant::new(VERSION.to_bits()),
            link: RingLink::default(),
            crc: Crc32::new(),
            step: DFF::default(),
            at: DFF::default(),
            bad: DFF::default(),
            value: Signal::default(),
            sending: Signal::default(),
            finishing: Signal::default(),
            done: Signal::default(),
            next_at: Signal::default(),
        }
    }
}

impl Logic for RingEcho {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, step, at, bad);
        clock!(self, clock, link, crc);
        self.link.aresetn.next = self.s_axi_aresetn.val();
        self.link.awaddr.next = self.s_axi_awaddr.val();
        self.link.awvalid.next = self.s_axi_awvalid.val();
        self.s_axi_awready.next = self.link.awready.val();
        self.link.wdata.next = self.s_axi_wdata.val();
        self.link.wstrb.next = self.s_axi_wstrb.val();
        self.link.wvalid.next = self.s_axi_wvalid.val();
        self.s_axi_wready.next = self.link.wready.val();
        self.s_axi_bresp.next = self.link.bresp.val();
        self.s_axi_bvalid.next = self.link.bvalid.val();
        self.link.bready.next = self.s_axi_bready.val();
        self.link.araddr.next = self.s_axi_araddr.val();
        self.link.arvalid.next = self.s_axi_arvalid.val();
        self.s_axi_arready.next = self.link.arready.val();
        self.s_axi_rdata.next = self.link.rdata.val();
        self.s_axi_rresp.next = self.link.rresp.val();
        self.s_axi_rvalid.next = self.link.rvalid.val();
        self.link.rready.next = self.s_axi_rready.val();
        self.link.credits.next = 107.into();

        self.next_at.next = self.at.q.val() + 1;
        self.value.next = self.link.frame_kind.val();
        self.sending.next = false;
        self.finishing.next = false;
        self.done.next = false;
        self.crc.clear.next = self.step.q.val() == EchoStep::Idle;
        match self.step.q.val() {
            EchoStep::Idle => {
                self.at.d.next = 0.into();
                if self.link.frame_valid.val() {
                    if self.link.frame_cause.val() != 7 {
                        self.bad.d.next = self.bad.q.val() + 1;
                        self.done.next = true;
                    } else if self.link.room.val() {
                        self.step.d.next = EchoStep::Head;
                    }
                }
            }
            EchoStep::Head => {
                self.sending.next = true;
                if self.at.q.val() == 1 {
                    self.value.next = self.version.val();
                } else if self.at.q.val() == 2 {
                    self.value.next = self.link.frame_length.val().get_bits::<8>(0);
                } else if self.at.q.val() == 3 {
                    self.value.next = bit_cast::<8, 3>(self.link.frame_length.val().get_bits::<3>(8));
                }
                self.at.d.next = self.next_at.val();
                if self.at.q.val() == 3 {
                    self.at.d.next = 0.into();
                    self.step.d.next = EchoStep::Fetch;
                    if self.link.frame_length.val() == 0 {
                        self.step.d.next = EchoStep::Check;
                    }
                }
            }
            EchoStep::Fetch => {
                self.step.d.next = EchoStep::Payload;
            }
            EchoStep::Payload => {
                self.sending.next = true;
                self.value.next = self.link.read_data.val().get_bits::<8>(0);
                if self.at.q.val().get_bit(0) {
                    self.value.next = self.link.read_data.val().get_bits::<8>(8);
                    self.step.d.next = EchoStep::Fetch;
                }
                self.at.d.next = self.next_at.val();
                if self.next_at.val() == self.link.frame_length.val() {
                    self.at.d.next = 0.into();
                    self.step.d.next = EchoStep::Check;
                }
            }
            EchoStep::Check => {
                self.sending.next = true;
                self.value.next = self.crc.crc.val().get_bits::<8>(0);
                if self.at.q.val() == 1 {
                    self.value.next = self.crc.crc.val().get_bits::<8>(8);
                } else if self.at.q.val() == 2 {
                    self.value.next = self.crc.crc.val().get_bits::<8>(16);
                } else if self.at.q.val() == 3 {
                    self.value.next = self.crc.crc.val().get_bits::<8>(24);
                }
                self.at.d.next = self.next_at.val();
                if self.at.q.val() == 3 {
                    self.step.d.next = EchoStep::Finish;
                }
            }
            EchoStep::Finish => {
                self.finishing.next = true;
                if self.link.finished.val() {
                    self.done.next = true;
                    self.step.d.next = EchoStep::Idle;
                }
            }
            _ => {
                self.step.d.next = EchoStep::Idle;
            }
        }
        self.crc.enable.next = self.sending.val() & (self.step.q.val() != EchoStep::Check);
        self.crc.data.next = self.value.val();
        self.link.byte_valid.next = self.sending.val();
        self.link.byte_data.next = self.value.val();
        self.link.finish.next = self.finishing.val();
        self.link.frame_done.next = self.done.val();
        self.link.read_address.next = self.at.q.val().get_bits::<10>(1);
        self.dropped.next = self.bad.q.val();
    }
}

fn main() {
    let mut echo = RingEcho::new();
    echo.connect_all();
    println!("{}", generate_verilog(&echo));
}

use rust_hdl::prelude::*;

use super::Works;
use crate::config::Config;
use crate::link::RingLink;

/// The chip behind rings that a host maps, through AXI4-Lite: a BAR of a PCIe core, or a place in a system's memory.
#[derive(LogicBlock)]
pub struct ChipRings {
    /// The clock.
    pub clock: Signal<In, Clock>,

    // AXI4-Lite, a slave.
    /// Low: transfers that are under way are forgotten.
    pub s_axi_aresetn: Signal<In, Bit>,
    /// The address of a write.
    pub s_axi_awaddr: Signal<In, Bits<15>>,
    /// There is one.
    pub s_axi_awvalid: Signal<In, Bit>,
    /// It is taken.
    pub s_axi_awready: Signal<Out, Bit>,
    /// The word of a write.
    pub s_axi_wdata: Signal<In, Bits<32>>,
    /// Which of its bytes.
    pub s_axi_wstrb: Signal<In, Bits<4>>,
    /// There is one.
    pub s_axi_wvalid: Signal<In, Bit>,
    /// It is taken.
    pub s_axi_wready: Signal<Out, Bit>,
    /// OKAY.
    pub s_axi_bresp: Signal<Out, Bits<2>>,
    /// A word was written.
    pub s_axi_bvalid: Signal<Out, Bit>,
    /// That is known.
    pub s_axi_bready: Signal<In, Bit>,
    /// The address of a read.
    pub s_axi_araddr: Signal<In, Bits<15>>,
    /// There is one.
    pub s_axi_arvalid: Signal<In, Bit>,
    /// It is taken.
    pub s_axi_arready: Signal<Out, Bit>,
    /// The word of a read.
    pub s_axi_rdata: Signal<Out, Bits<32>>,
    /// OKAY.
    pub s_axi_rresp: Signal<Out, Bits<2>>,
    /// There is one.
    pub s_axi_rvalid: Signal<Out, Bit>,
    /// It is taken.
    pub s_axi_rready: Signal<In, Bit>,

    // Lights out.
    /// Cores have jobs.
    pub working: Signal<Out, Bit>,

    link: RingLink,
    works: Works,
}

impl ChipRings {
    /// The chip with this configuration.
    ///
    /// # Panics
    /// If the configuration asks for what there cannot be.
    pub fn new(config: &Config) -> ChipRings {
        ChipRings {
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
            working: Signal::default(),
            link: RingLink::default(),
            works: Works::new(config),
        }
    }
}

impl Logic for ChipRings {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, link, works);
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

        // Frames in and out.
        self.works.frame_valid.next = self.link.frame_valid.val();
        self.works.frame_cause.next = self.link.frame_cause.val();
        self.works.frame_kind.next = self.link.frame_kind.val();
        self.works.frame_length.next = self.link.frame_length.val();
        self.link.frame_done.next = self.works.frame_done.val();
        self.link.read_address.next = self.works.read_address.val();
        self.works.read_data.next = self.link.read_data.val();
        self.link.byte_valid.next = self.works.byte_valid.val();
        self.link.byte_data.next = self.works.byte_data.val();
        self.link.finish.next = self.works.finish.val();
        self.works.byte_ready.next = self.link.byte_ready.val();
        self.works.finished.next = self.link.finished.val();
        self.works.room.next = self.link.room.val();
        self.link.credits.next = self.works.credits.val();
        self.working.next = self.works.working.val();
    }
}

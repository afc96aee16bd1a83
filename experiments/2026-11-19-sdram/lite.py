"""LiteDRAM's controller and crossbar with a port of 64 bits, its DFI brought out: the part that our
block is compared with, without a PHY's pads and without the registers for software."""
import sys
from migen import *
from migen.fhdl import verilog
from litedram.common import PhySettings
from litedram.core.controller import LiteDRAMController, ControllerSettings
from litedram.core.crossbar import LiteDRAMCrossbar
from litedram.modules import MT48LC16M16

CLOCK = 92.857e6

class Top(Module):
    def __init__(self, depth):
        module = MT48LC16M16(CLOCK, "1:1")
        module.geom_settings.addressbits = max(module.geom_settings.rowbits, module.geom_settings.colbits)
        phy = PhySettings(phytype="GENSDRPHY", memtype="SDR", databits=16, dfi_databits=16, nphases=1,
                          rdphase=0, wrphase=0, cl=2, read_latency=3, write_latency=0)
        settings = ControllerSettings(cmd_buffer_depth=depth, address_mapping="ROW_BANK_COL")
        self.submodules.controller = controller = LiteDRAMController(
            phy, module.geom_settings, module.timing_settings, CLOCK, settings)
        self.submodules.crossbar = crossbar = LiteDRAMCrossbar(controller.interface)
        port = crossbar.get_port(data_width=64)
        dfi = controller.dfi.p0
        # The PHY's part of the way back, in registers.
        enable = Signal(3)
        self.sync += enable.eq(Cat(dfi.rddata_en, enable))
        self.comb += dfi.rddata_valid.eq(enable[-1])
        names = []
        def out(name, signal):
            copy = Signal(len(signal), name=name)
            self.comb += copy.eq(signal)
            names.append(copy)
        def into(name, signal):
            copy = Signal(len(signal), name=name)
            self.comb += signal.eq(copy)
            names.append(copy)
        into("cmd_valid", port.cmd.valid); out("cmd_ready", port.cmd.ready)
        into("cmd_we", port.cmd.we); into("cmd_addr", port.cmd.addr); into("cmd_last", port.cmd.last)
        into("wdata_valid", port.wdata.valid); out("wdata_ready", port.wdata.ready)
        into("wdata", port.wdata.data); into("wdata_we", port.wdata.we)
        out("rdata_valid", port.rdata.valid); into("rdata_ready", port.rdata.ready); out("rdata", port.rdata.data)
        if hasattr(port, "flush"): into("flush", port.flush)
        for name in "address bank cas_n ras_n we_n cs_n cke wrdata wrdata_en wrdata_mask rddata_en".split():
            out("dfi_" + name, getattr(dfi, name))
        into("dfi_rddata", dfi.rddata)
        self.ios = set(names)
        print("address bits", len(port.cmd.addr), file=sys.stderr)

depth = int(sys.argv[1])
top = Top(depth)
open(sys.argv[2], "w").write(str(verilog.convert(top, ios=top.ios, name="lite")))

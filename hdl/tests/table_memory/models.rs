//! The SDRAM's model in Verilog says and gives the same as the one in Rust, of the same commands.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use bluebelle_hdl::harness::{Bench, Sdram, SdramPins};
use bluebelle_hdl::table_memory::device::{ANY_32_MB, M12L64322A};
use bluebelle_hdl::table_memory::{Device, TableMemory, Timing};

use crate::board::{Board, Plain};
use crate::{Fault, random_requests};

const CLOCK: u32 = 100_000;

/// A cycle: the pins, the complaints so far, and what the SDRAM drives.
type Step = (SdramPins, u64, Option<u32>);

fn record<const W: usize>(device: Device, timing: &Timing) -> Vec<Step> {
    let bench = Bench::new(TableMemory::<W>::new(timing), |uut| &mut uut.clock);
    let mut board = Board::new(Plain(bench), Sdram::new(device, CLOCK), 1);
    board.compares = false;
    board.trace = Some(Vec::new());
    let mut next = random_requests(&device, 9);
    for cycle in 0..12_000 {
        board.cycle(next(cycle));
    }
    board.trace.expect("what was recorded")
}

/// A line for each cycle: commands, bank, address, DQM, whether data pins are driven, and the data.
fn lines(steps: &[Step]) -> String {
    let line = |(pins, _, _): &Step| {
        let [ras, cas, we] = pins.command.map(u64::from);
        let bits = ras << 21 | cas << 20 | we << 19 | u64::from(pins.bank) << 17 | u64::from(pins.address) << 4;
        let bits = bits | u64::from(pins.dqm) << 1 | u64::from(pins.dq.is_some());
        format!("{bits:06x}{:08x}\n", pins.dq.unwrap_or(0))
    };
    steps.iter().map(line).collect()
}

fn testbench(device: &Device, steps: usize) -> String {
    let Device {
        width,
        row_bits,
        column_bits,
        ..
    } = device;
    let parameters = [
        ("WIDTH", u32::from(*width)),
        ("ROW_BITS", u32::from(*row_bits)),
        ("COLUMN_BITS", u32::from(*column_bits)),
        ("CLOCK_KHZ", CLOCK),
        ("TRCD", device.activate_to_column),
        ("TRP", device.precharge),
        ("TRAS", device.row_open),
        ("TRC", device.row_cycle),
        ("TRRD", device.activate_to_activate),
        ("TWR", device.write),
        ("TWR_CLOCKS", device.write_clocks),
        ("TRFC", device.refresh),
        ("TMRD_CLOCKS", device.mode_clocks),
        ("TREFI", device.refresh_interval),
        ("PAUSE", device.pause),
        ("WAKE_REFRESHES", device.wake_refreshes),
        ("SHORTEST_CL2", device.shortest_cycle[0]),
        ("SHORTEST_CL3", device.shortest_cycle[1]),
        ("FLIGHT", 0),
    ];
    let parameters = parameters.map(|(name, value)| format!(".{name}({value})")).join(", ");
    format!(
        "`timescale 1ns / 1ps
module bench;
    reg clk = 0;
    reg [55:0] in = 0, inputs [0:{last}];
    wire [{width}-1:0] dq;
    wire oe;
    wire [31:0] complaints, flipped;
    integer sink, cycle;
    sdram_model #({parameters}) chip(
        .clk(clk), .ras_n(in[53]), .cas_n(in[52]), .we_n(in[51]), .bank(in[50:49]), .address(in[48:36]),
        .dqm(in[33]), .dq_in_oe(in[32]), .dq_in(in[{width}-1:0]), .dq_out(dq), .dq_out_oe(oe),
        .complaints(complaints), .flipped(flipped)
    );
    initial begin
        $readmemh(\"inputs.hex\", inputs);
        sink = $fopen(\"outputs.txt\", \"w\");
        for (cycle = 0; cycle <= {last}; cycle = cycle + 1) begin
            in = inputs[cycle];
            #1 clk = 1;
            #1 $fwrite(sink, \"%0d %0d %0d\\n\", complaints, oe, oe ? dq : 0);
            clk = 0;
            #1 ;
        end
        $fclose(sink);
        $finish;
    end
endmodule
",
        last = steps - 1,
    )
}

fn run(folder: &Path, program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("cannot run {program}: {error}; install it"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} in {}: {text}", folder.display());
}

fn agree(name: &str, device: &Device, steps: &[Step], verilator: bool) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sdram").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(
        folder.join("sdram_model.v"),
        include_str!("../../verilog/sdram_model.v"),
    )
    .expect("a file");
    fs::write(folder.join("bench.sv"), testbench(device, steps.len())).expect("a file");
    fs::write(folder.join("inputs.hex"), lines(steps)).expect("a file");
    if verilator {
        let arguments = [
            "--binary",
            "-O3",
            "-Wno-fatal",
            "-Wno-lint",
            "-Wno-style",
            "--top-module",
            "bench",
        ];
        run(
            &folder,
            "verilator",
            &[&arguments[..], &["bench.sv", "sdram_model.v"]].concat(),
        );
        run(&folder, "./obj_dir/Vbench", &[]);
    } else {
        run(
            &folder,
            "iverilog",
            &[
                "-g2012",
                "-Wno-timescale",
                "-s",
                "bench",
                "-o",
                "b.vvp",
                "bench.sv",
                "sdram_model.v",
            ],
        );
        run(&folder, "vvp", &["-n", "b.vvp"]);
    }
    let found = fs::read_to_string(folder.join("outputs.txt")).expect("what the model gave");
    assert_eq!(found.lines().count(), steps.len(), "{name}");
    for (cycle, (line, (pins, complaints, word))) in found.lines().zip(steps).enumerate() {
        let expected = format!("{complaints} {} {}", u8::from(word.is_some()), word.unwrap_or(0));
        assert_eq!(line, expected, "{name}, cycle {cycle}, {pins:?}");
    }
}

/// Small chips with a short pause: what is compared is the logic.
fn small(device: Device) -> Device {
    Device {
        row_bits: 6,
        pause: 10_000_000,
        ..device
    }
}

#[test]
fn models_agree() {
    let device = small(ANY_32_MB);
    let right = device.timing(CLOCK, 1).expect("a timing");
    let steps = record::<16>(device, &right);
    assert_eq!(steps.last().expect("a step").1, 0);
    agree("right", &device, &steps, false);
    agree("right-verilator", &device, &steps, true);
    let wide = small(M12L64322A);
    let steps = record::<32>(wide, &wide.timing(CLOCK, 1).expect("a timing"));
    agree("wide", &wide, &steps, false);
    let wrong: [Fault; 6] = [
        ("opened-late", |timing| timing.activate_to_column -= 1),
        ("read-closed", |timing| timing.read_to_activate -= 1),
        ("written-closed", |timing| timing.write_to_activate -= 2),
        ("turned", |timing| timing.read_to_write -= 2),
        ("refreshed", |timing| timing.refresh -= 2),
        ("late", |timing| timing.refresh_interval += 400),
    ];
    for (name, change) in wrong {
        let mut timing = right;
        change(&mut timing);
        let steps = record::<16>(device, &timing);
        assert!(steps.last().expect("a step").1 > 0, "{name}");
        agree(name, &device, &steps, false);
    }
}

/// A command by name, its bank, and its address.
type Order = (&'static str, u8, u16);

/// A sequence of commands, one a cycle, after a correct ceremony; what the Rust model says.
fn said(commands: &[Order]) -> Vec<String> {
    let device = small(ANY_32_MB);
    let mut sdram = Sdram::new(device, CLOCK);
    let mut step = |name: &str, bank: u8, address: u16| {
        let command = match name {
            "activate" => [false, true, true],
            "read" => [true, false, true],
            "precharge" => [false, true, false],
            "refresh" => [false, false, true],
            "mode" => [false, false, false],
            "stop" => [true, true, false],
            _ => [true; 3],
        };
        let pins = SdramPins {
            command,
            bank,
            address,
            dqm: name == "mask",
            dq: (name == "drive").then_some(0),
        };
        sdram.step(&pins);
    };
    (0..1_000).for_each(|_| step("", 0, 0));
    step("precharge", 0, 0x400);
    for _ in 0..8 {
        (0..8).for_each(|_| step("", 0, 0));
        step("refresh", 0, 0);
    }
    (0..8).for_each(|_| step("", 0, 0));
    step("mode", 0, 0x22);
    (0..4).for_each(|_| step("", 0, 0));
    commands
        .iter()
        .for_each(|(name, bank, address)| step(name, *bank, *address));
    sdram
        .complaints()
        .iter()
        .map(|complaint| complaint.text.clone())
        .collect()
}

/// What the controller cannot do wrong, whatever its timing, is still noticed.
#[test]
fn other_faults_are_noticed() {
    let open = [("activate", 0, 5), ("", 0, 0)];
    let after = |commands: &[Order]| said(&[&open[..], commands].concat());
    assert_eq!(after(&[("read", 0, 0x400)]), [""; 0]);
    let cases: [(&[Order], &str); 9] = [
        (&[("read", 0, 0x400), ("", 0, 0), ("stop", 0, 0)], "a burst stopped"),
        (&[("read", 0, 0), ("", 0, 0), ("read", 0, 4)], "cut short"),
        (&[("read", 1, 0)], "no row is open"),
        (&[("activate", 0, 6)], "is open"),
        (&[("refresh", 0, 0)], "is open"),
        (&[("precharge", 0, 0)], "tRAS"),
        (&[("read", 0, 0), ("mask", 0, 0)], "DQM"),
        (&[("read", 0, 0), ("", 0, 0), ("drive", 0, 0)], "both sides"),
        (&[("activate", 1, 0x40)], "which the chip does not have"),
    ];
    for (commands, expected) in cases {
        let said = after(commands);
        assert!(
            said.iter().any(|text| text.contains(expected)),
            "{commands:?}, {expected}: {said:?}"
        );
    }
    let said = said(&[("activate", 0, 1), ("activate", 1, 1)]);
    assert!(said[0].starts_with("tRRD"), "{said:?}");
}

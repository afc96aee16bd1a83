//! A bitstream goes to the board that it was built for, and to no other.

use std::fs;
use std::path::{Path, PathBuf};

use bluebelle_firmware::flash::{FlashError, Image, arguments};
use bluebelle_firmware::report::{Bitstream, CriticalPath, Used};
use bluebelle_firmware::{Report, boards};
use bluebelle_hdl::config::Config;

/// 128 bits of FNV-1a of "bitstream", computed with another program.
const CHECKSUM: &str = "a0ea1bdce8062fdb88d2f473c0c845c0";

fn report(board: &str) -> Report {
    Report {
        board: board.to_owned(),
        device: "LFE5U-85F".to_owned(),
        cores: 6,
        gangs: false,
        chip: None,
        build_id: "000102030405060708090a0b0c0d0e0f".to_owned(),
        clock_mhz: 50.0,
        mhz: 55.2,
        timing_met: true,
        seed: 1,
        seeds: Vec::new(),
        luts: Used::default(),
        flip_flops: Used::default(),
        block_rams: Used::default(),
        multipliers: Used::default(),
        critical_path: CriticalPath::default(),
        seconds: Vec::new(),
        tools: Vec::new(),
        bitstream: Some(Bitstream {
            file: "chip.bit".to_owned(),
            checksum: CHECKSUM.to_owned(),
        }),
    }
}

fn built(name: &str, report: &Report, bitstream: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flash").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("report.json"), report.to_json()).expect("a file");
    fs::write(folder.join("chip.bit"), bitstream).expect("a file");
    folder
}

#[test]
fn every_board_gets_its_own_command() {
    let commands: Vec<String> = boards::ALL
        .iter()
        .map(|board| {
            let folder = built(board.name, &report(board.name), "bitstream");
            let image = Image::open(board, &folder).expect("its own");
            let told = arguments(board, &image.path, false).join(" ");
            told.replace(&folder.display().to_string(), "FOLDER")
        })
        .collect();
    assert_eq!(
        commands,
        [
            "-b ulx3s FOLDER/chip.bit",
            "-b ulx3s FOLDER/chip.bit",
            "-b ulx3s FOLDER/chip.bit",
            "-b ulx3s FOLDER/chip.bit",
            "-b colorlight-i9 FOLDER/chip.bit",
            "-b colorlight-i5 FOLDER/chip.bit",
            "-b orangeCrab FOLDER/chip.bit",
            "-b orangeCrab FOLDER/chip.bit",
            "-b tangnano20k FOLDER/chip.bit",
            "-b tangnano9k FOLDER/chip.bit",
            "-b ice40_generic FOLDER/chip.bit",
        ]
    );
    let board = boards::find("ulx3s-85f").expect("a board");
    let image = Image::open(board, &built("kept", &report("ulx3s-85f"), "bitstream")).expect("its own");
    assert_eq!(
        arguments(board, &image.path, true)[..3],
        ["-b", "ulx3s", "--write-flash"]
    );
}

#[test]
fn a_wrong_bitstream_is_refused() {
    let board = boards::find("ulx3s-85f").expect("a board");
    let other = built("other", &report("ulx3s-25f"), "bitstream");
    let error = Image::open(board, &other).expect_err("another board");
    assert!(
        error
            .to_string()
            .ends_with("was built for ulx3s-25f, not for ulx3s-85f; it is not flashed"),
        "{error}"
    );

    let changed = built("changed", &report("ulx3s-85f"), "bitstreaM");
    assert!(matches!(Image::open(board, &changed), Err(FlashError::Changed(_))));

    let slow = Report {
        bitstream: None,
        ..report("ulx3s-85f")
    };
    let slow = built("slow", &slow, "bitstream");
    assert!(matches!(Image::open(board, &slow), Err(FlashError::NoBitstream(_))));

    let error = Image::open(board, Path::new("no/such/folder"))
        .expect_err("nothing there")
        .to_string();
    assert!(
        error.contains("run `bluebelle build --board ulx3s-85f` first"),
        "{error}"
    );
}

#[test]
fn the_chip_must_answer_with_the_same_build() {
    let board = boards::find("ulx3s-85f").expect("a board");
    let image = Image::open(board, &built("confirmed", &report("ulx3s-85f"), "bitstream")).expect("its own");
    let mut config = Config {
        build: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        ..Config::default()
    };
    image.confirm(&config.identity()).expect("the same");
    config.build[15] = 0;
    let error = image.confirm(&config.identity()).expect_err("another").to_string();
    assert!(
        error.contains("runs build 000102030405060708090a0b0c0d0e00, not 0001"),
        "{error}"
    );
}

#[test]
fn a_report_survives_its_file() {
    let report = report("ulx3s-85f");
    assert_eq!(Report::from_json(&report.to_json()).expect("a report"), report);
    assert!((report.projected_mnps() - 6.0 * 50.0 / 2.76).abs() < 1e-9);
}

//! `bluebelle compare` from outside.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;

/// Two positions, one of them with something to find.
const POSITIONS: &str = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";\n\
                         r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\n";

/// A file with them. It is written once: tests run beside each other, and one would read what another is writing.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let file = tempfile_folder().join("two.epd");
    std::fs::write(&file, POSITIONS).expect("a file");
    file
});

fn compare(arguments: &[&str]) -> Output {
    compare_on(&FILE, arguments)
}

fn compare_on(file: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bluebelle"));
    command.arg("compare").args(arguments).arg("--positions").arg(file);
    command.output().expect("the engine runs")
}

fn tempfile_folder() -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compare-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn json(arguments: &[&str]) -> (String, Value) {
    let output = compare(arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{error}");
    let text = String::from_utf8(output.stdout).expect("text");
    let value = serde_json::from_str(&text).expect("JSON");
    (text, value)
}

const SUPPOSED: [&str; 9] = [
    "--cores",
    "4",
    "--mhz",
    "80",
    "--depth",
    "5",
    "--leaf-depth",
    "3",
    "--json",
];

#[test]
fn the_same_seed_gives_the_same_json() {
    let seeded = [&SUPPOSED[..], &["--seed", "3"]].concat();
    let (first, value) = json(&seeded);
    let (second, _) = json(&seeded);
    assert_eq!(first, second);
    for key in [
        "speedup",
        "hardware_busy",
        "link_busy",
        "overhead",
        "software_nps",
        "accelerated_nps",
        "host_alone_time",
        "board_gain",
    ] {
        let number = value["total"][key].as_f64().expect(key);
        assert!(number.is_finite() && number > 0.0, "{key}: {number}");
    }
    assert_eq!(value["accelerated_is"], "hypothetical");
    assert_eq!(value["positions"].as_array().map(Vec::len), Some(2));
    // Another seed is another line.
    let (other, _) = json(&[&SUPPOSED[..], &["--seed", "4"]].concat());
    assert_ne!(first, other);
}

#[test]
fn gangs_change_the_search_and_are_told_of() {
    let seeded = ["--cores", "4", "--mhz", "80", "--depth", "11", "--json", "--seed", "3"];
    let (_, without) = json(&[&seeded[..], &["--no-gangs"]].concat());
    let ganged = [&seeded[..], &["--gangs"]].concat();
    let (first, value) = json(&ganged);
    assert_eq!(first, json(&ganged).0, "the same seed, the same gangs");
    assert_ne!(value["total"]["jobs"], without["total"]["jobs"]);
    assert_eq!(value["accelerated_is"], "hypothetical");
    assert!(first.contains("with gangs"), "{first}");
}

#[test]
fn on_fast_lines_gangs_have_what_is_too_large_for_a_thread() {
    let file = tempfile_folder().join("one.epd");
    std::fs::write(
        &file,
        "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - bm f5; id \"BK.08\";\n",
    )
    .expect("a file");
    let jobs = |depth: &str, gangs: &str| {
        let line = ["--rate", "100000000", "--latency-us", "10", "--depth", depth];
        let output = compare_on(
            &file,
            &[&line[..], &["--mhz", "80", "--seed", "3", "--json", gangs]].concat(),
        );
        let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        value["total"]["jobs"].as_u64().expect("a number")
    };
    assert_eq!(jobs("23", "--gangs"), jobs("23", "--no-gangs"));
    assert_ne!(jobs("24", "--gangs"), jobs("24", "--no-gangs"));
}

#[test]
fn the_same_seed_gives_the_same_json_by_the_clock_too() {
    let seeded = ["--cores", "4", "--mhz", "80", "--time", "0.05", "--seed", "3", "--json"];
    let (first, value) = json(&seeded);
    assert_eq!(first, json(&seeded).0);
    for row in value["positions"].as_array().expect("rows") {
        let nodes = row["software"]["nodes"].as_u64().expect("nodes");
        let most = (0.05e9 / 420.0) as u64;
        assert!((1_000..=most).contains(&nodes), "{nodes} nodes of at most {most}");
    }
}

#[test]
fn a_slow_board_is_said_to_be_slow() {
    let slow = [
        "--cores",
        "1",
        "--mhz",
        "1",
        "--baud",
        "9600",
        "--depth",
        "5",
        "--leaf-depth",
        "3",
        "--seed",
        "1",
    ];
    let (_, value) = json(&[&slow[..], &["--json"]].concat());
    assert!(value["total"]["speedup"].as_f64().is_some_and(|speedup| speedup < 0.5));
    let verdict = value["verdict"].as_str().unwrap_or_default();
    assert!(verdict.contains("times slower than software to depth 5"), "{verdict}");
    assert!(verdict.contains("the link is the limit"), "{verdict}");
    assert!(verdict.contains("the same tree without a board is"), "{verdict}");
    let words = String::from_utf8(compare(&slow).stdout).expect("text");
    assert!(words.contains(verdict), "{words}");
}

#[test]
fn leaves_are_counted_by_chip_and_software() {
    let few = [&SUPPOSED[..], &["--leaves", "3"]].concat();
    let (first, value) = json(&few);
    assert_eq!(first, json(&few).0);
    assert!(value["leaves"].as_u64().is_some_and(|leaves| leaves >= 4), "{value}");
    let rows = value["depths"].as_array().expect("rows");
    let depths: Vec<u64> = rows.iter().filter_map(|row| row["depth"].as_u64()).collect();
    assert_eq!(depths, [2, 3, 4, 5, 6, 8, 10, 12]);
    let number = |row: &Value, key: &str| {
        row[key]
            .as_f64()
            .filter(|&number| number > 0.0)
            .expect("more than nothing")
    };
    for row in rows {
        if row["depth"].as_u64() <= Some(6) {
            assert!(number(row, "unpruned") >= number(row, "pruned"), "{row}");
        }
        let factor = number(row, "pruned") / number(row, "software");
        assert!((factor - number(row, "pruned_factor")).abs() < 1e-9, "{row}");
        assert!(number(row, "agreed") <= 1.0 && number(row, "most") > 0.0, "{row}");
        assert!(
            number(row, "right") <= 1.0 && number(row, "software_right") <= 1.0,
            "{row}"
        );
    }
    // A ply more is more nodes, for all of them.
    for key in ["software", "pruned", "unpruned"] {
        assert!(number(&rows[4], key) > number(&rows[0], key), "{key}");
    }
}

#[test]
fn a_board_without_jobs_says_so() {
    let (_, value) = json(&[
        "--cores",
        "4",
        "--mhz",
        "80",
        "--depth",
        "1",
        "--leaf-depth",
        "1",
        "--seed",
        "1",
        "--json",
    ]);
    assert_eq!(value["total"]["jobs"], 0);
    assert_eq!(value["total"]["hardware_busy"], 0.0);
    assert!(
        value["verdict"]
            .as_str()
            .is_some_and(|verdict| verdict.contains("the board had no jobs"))
    );
}

#[test]
fn a_clock_that_never_routed_is_refused() {
    let output = compare(&["--board", "icebreaker", "--depth", "1"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("no report of a routed build"), "{error}");
    assert!(error.contains("--cores 7 --mhz 80"), "{error}");
}

#[test]
fn the_software_on_this_machine_can_stand_in_for_a_board() {
    let (_, value) = json(&["--accel", "model", "--depth", "4", "--json"]);
    assert_eq!(value["accelerated_is"], "measured");
    assert!(value["total"]["hardware_busy"].is_null());
    assert!(value["total"]["speedup"].as_f64().is_some_and(|speedup| speedup > 0.0));
}

#[test]
fn an_engine_stands_beside() {
    let engine = env!("CARGO_BIN_EXE_bluebelle");
    let (_, value) = json(
        &[
            &SUPPOSED[..],
            &["--seed", "1", "--engine", engine, "--engine-time", "0.2"],
        ]
        .concat(),
    );
    let column = &value["positions"][0]["engines"][0];
    assert!(
        column["name"].as_str().is_some_and(|name| name.contains("Bluebelle")),
        "{column}"
    );
    assert!(column["nps"].as_f64().is_some_and(|nps| nps > 0.0), "{column}");

    let output = compare(&[&SUPPOSED[..], &["--engine", "no/such/engine"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no/such/engine: cannot be started"));
}

#[test]
fn the_report_is_one_page_that_needs_nothing_else() {
    let path = tempfile_folder().join("report.html");
    let written = path.to_string_lossy().into_owned();
    let few = [
        "--cores", "2", "--mhz", "80", "--depth", "3", "--seed", "1", "--sweep", "1", "--html",
    ];
    assert!(compare(&[&few[..], &[&written]].concat()).status.success());
    let page = std::fs::read_to_string(&path).expect("a report");
    assert_eq!(page.matches("<svg").count(), 6);
    assert!(page.contains("hypothetical"));
    for outside in ["http://", "https://", "<script", "src=", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

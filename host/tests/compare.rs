//! `bluebelle compare` from outside.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use serde_json::Value;

/// Two positions, one of them with something to find.
const POSITIONS: &str = "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK.01\";\n\
                         r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\n";

/// A file with them. It is written once: tests run beside each other, and one would read what
/// another is writing.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let file = folder().join("two.epd");
    std::fs::write(&file, POSITIONS).expect("a file");
    file
});

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("compare-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn compare(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bluebelle"));
    command.args(["compare", "--hash", "4", "--positions"]).arg(&*FILE);
    command.args(arguments).output().expect("the engine runs")
}

fn told(arguments: &[&str]) -> String {
    let output = compare(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout).expect("text")
}

fn json(arguments: &[&str]) -> (String, Value) {
    let text = told(&[arguments, &["--json"]].concat());
    let value = serde_json::from_str(&text).expect("JSON");
    (text, value)
}

fn refused(arguments: &[&str]) -> String {
    let output = compare(arguments);
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    error
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

const SUPPOSED: [&str; 6] = ["--cores", "4", "--mhz", "80", "--time", "0.02"];

/// Deep enough for jobs, on a line that is hardly ever waited for.
const WITH_JOBS: [&str; 6] = ["--depth", "13", "--rate", "100000000", "--latency-us", "10"];

#[test]
fn the_same_seed_gives_the_same_json() {
    let seeded = [&SUPPOSED[..], &["--seed", "3"]].concat();
    let (first, value) = json(&seeded);
    assert_eq!(first, json(&seeded).0);
    assert_eq!(value["accelerated_is"], "hypothetical");
    assert_eq!(value["software_is"], "fixed cost");
    assert_eq!(value["positions"].as_array().map(Vec::len), Some(2));
    assert_eq!(value["strength"], Value::Array(Vec::new()));
    for side in ["software", "accelerated"] {
        assert!(number(&value["total"][side]["nps"]) > 1e6, "{side}");
    }
    for row in value["positions"].as_array().expect("rows") {
        let nodes = number(&row["software"]["nodes"]);
        let most = 0.02e9 / 430.0;
        assert!((1_000.0..=most).contains(&nodes), "{nodes} nodes of at most {most}");
    }
    // Another seed is another line.
    assert_ne!(first, json(&[&SUPPOSED[..], &["--seed", "4"]].concat()).0);
    // Several threads are in virtual time.
    let threads = [&seeded[..], &["--software-threads", "2", "--threads", "2"]].concat();
    let (first, value) = json(&threads);
    assert_eq!(first, json(&threads).0);
    assert_eq!(value["software_is"], "fixed cost");
}

#[test]
fn a_row_has_both_searches_and_the_hardware() {
    let text = told(&[&WITH_JOBS[..], &["--seed", "3", "--cores", "2"]].concat());
    let mut lines = text.lines();
    let head = lines.next().unwrap_or_default();
    for part in [
        "software",
        "accelerated",
        "depth",
        "score",
        "nodes/s",
        "wanted",
        "nodes/job",
        "host, line, chip",
    ] {
        assert!(head.contains(part), "{head}");
    }
    let row = lines.next().unwrap_or_default();
    assert!(row.starts_with("BK.01    "), "{row}");
    assert_eq!(row.matches(" 13 ").count(), 2, "depths: {row}");
    assert_eq!(row.matches(" %").count(), 3, "busy shares: {row}");
    for part in [
        "hypothetical",
        "\nbusy             host ",
        "\nstrength         not measured: ",
    ] {
        assert!(text.contains(part), "{text}");
    }
    for claim in ["faster", "speed-up", "sooner", "NaN", "inf"] {
        assert!(!text.contains(claim), "{claim}: {text}");
    }
}

#[test]
fn gangs_change_the_search_and_are_told_of() {
    let seeded = [&WITH_JOBS[..], &["--cores", "4", "--mhz", "80", "--seed", "3"]].concat();
    let (_, without) = json(&[&seeded[..], &["--no-gangs"]].concat());
    let ganged = [&seeded[..], &["--gangs"]].concat();
    let (first, value) = json(&ganged);
    assert_eq!(first, json(&ganged).0, "the same seed, the same gangs");
    assert!(number(&value["total"]["hardware"]["jobs"]) > 0.0);
    assert_ne!(value["total"]["hardware"], without["total"]["hardware"]);
    assert_eq!(value["accelerated_is"], "hypothetical");
    assert!(first.contains("with gangs"), "{first}");
}

#[test]
fn a_slow_line_is_busy_and_its_board_is_not() {
    let board = ["--cores", "4", "--mhz", "80", "--seed", "1"];
    let (_, fast) = json(&[&WITH_JOBS[..], &board].concat());
    let slow = ["--depth", "13", "--baud", "9600", "--latency-us", "1000"];
    let (text, slow) = json(&[&slow[..], &board].concat());
    let busy = |value: &Value, part: &str| number(&value["total"]["hardware"][part]);
    let line = busy(&slow, "line_busy");
    assert!(line > 2.0 * busy(&fast, "line_busy") && line <= 1.0, "{text}");
    assert!(busy(&slow, "jobs") < busy(&fast, "jobs"), "{text}");
    assert!(busy(&slow, "chip_busy") < busy(&fast, "chip_busy"), "{text}");
    assert!(text.contains("0.96 kB/s, latency 1 ms each way"), "{text}");
}

#[test]
fn a_board_without_jobs_says_so() {
    let shallow = ["--cores", "4", "--mhz", "80", "--depth", "1", "--seed", "1"];
    let (_, value) = json(&shallow);
    let hardware = &value["total"]["hardware"];
    assert_eq!(
        (&hardware["jobs"], number(&hardware["chip_busy"])),
        (&Value::from(0), 0.0)
    );
    let text = told(&shallow);
    assert!(
        text.contains("jobs             none with a result in time, so that this says nothing"),
        "{text}"
    );
    // No board has no busy share, not one of 0.
    let (_, value) = json(&["--boards", "0", "--time", "0.01", "--seed", "1"]);
    assert!(value["total"]["hardware"]["chip_busy"].is_null(), "{value}");
}

#[test]
fn matches_tell_the_strength_and_a_file_of_them_too() {
    let games = [
        "--seed",
        "1",
        "--time",
        "0.001,0.002",
        "--games",
        "1",
        "--odds",
        "0.5,2",
        "--cores",
        "2",
    ];
    let (first, value) = json(&[&games[..], &["--jobs", "1"]].concat());
    assert_eq!(first, json(&[&games[..], &["--jobs", "2"]].concat()).0);
    assert_eq!(value["asked"]["time"], 0.002, "positions have the longest");
    let strength = value["strength"].as_array().expect("a list");
    assert_eq!(strength.len(), 2);
    for (one, time) in strength.iter().zip([0.001, 0.002]) {
        assert_eq!(
            (&one["time"], &one["finished"]),
            (&Value::from(time), &Value::from(true))
        );
        let odds = one["matches"].as_array().expect("matches").iter();
        assert_eq!(
            odds.map(|played| number(&played["odds"])).collect::<Vec<_>>(),
            [0.5, 2.0]
        );
    }

    let played = folder().join("match.json");
    let arguments = [
        "match",
        "--accelerated",
        "--games",
        "2",
        "--time",
        "0.001",
        "--hash",
        "1",
        "--json",
    ];
    let output = Command::new(env!("CARGO_BIN_EXE_bluebelle")).args(arguments).output();
    std::fs::write(&played, output.expect("a match").stdout).expect("a file");
    let played = played.to_string_lossy().into_owned();
    let text = told(&["--seed", "1", "--time", "0.001", "--gain", &played]);
    assert!(text.contains("strength         at 0.001 s a move "), "{text}");
    assert!(text.contains("against the software with the same time: +"), "{text}");
    assert!(
        text.contains("even odds, play more games") && text.contains(&played),
        "{text}"
    );
}

#[test]
fn leaves_are_counted_by_chip_and_software() {
    let few = ["--cores", "4", "--mhz", "80", "--leaves", "2"];
    let (first, value) = json(&few);
    assert_eq!(first, json(&few).0);
    assert!(value["leaves"].as_u64().is_some_and(|leaves| leaves >= 2), "{value}");
    let rows = value["depths"].as_array().expect("rows");
    let depths: Vec<u64> = rows.iter().filter_map(|row| row["depth"].as_u64()).collect();
    assert_eq!(depths, [2, 3, 4, 5, 6, 8, 10, 12]);
    let positive = |row: &Value, key: &str| {
        let number = number(&row[key]);
        assert!(number > 0.0, "{key}: {row}");
        number
    };
    for row in rows {
        if row["depth"].as_u64() <= Some(6) {
            assert!(positive(row, "unpruned") >= positive(row, "pruned"), "{row}");
        }
        let factor = positive(row, "pruned") / positive(row, "software");
        assert!((factor - positive(row, "pruned_factor")).abs() < 1e-9, "{row}");
        for key in ["agreed", "right", "software_right"] {
            assert!((0.0..=1.0).contains(&number(&row[key])), "{row}");
        }
    }
    // A ply more is more nodes, for all of them.
    for key in ["software", "pruned", "unpruned"] {
        assert!(positive(&rows[4], key) > positive(&rows[0], key), "{key}");
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let error = refused(&["--board", "icebreaker", "--time", "0.01"]);
    assert!(error.contains("no report of a routed build"), "{error}");
    assert!(error.contains("--cores 7 --mhz 80"), "{error}");
    let none = folder().join("none.epd");
    std::fs::write(&none, "# nothing\n").expect("a file");
    let none = none.to_string_lossy().into_owned();
    let cases: [(&[&str], &str); 10] = [
        (&["--time", "0.01,0.02"], "found 2 times without --games"),
        (&["--time", "0.01", "--depth", "3"], "cannot be used with"),
        (&["--depth", "3", "--games", "2"], "cannot be used with"),
        (&["--odds", "1,2"], "--games"),
        (&["--games", "2", "--odds", "0"], "found odds of 0"),
        (&["--games", "2", "--accel", "model"], "cannot be used with"),
        (
            &["--leaves", "1", "--depth", "1"],
            "found no job in searches to depth 1",
        ),
        (&["--gain", &none], "has no result of a match"),
        (&["--engine", "no/such/engine"], "no/such/engine: cannot be started"),
        (&["--time", "0"], "expected seconds"),
    ];
    for (arguments, problem) in cases {
        let error = refused(arguments);
        assert!(error.contains(problem), "{arguments:?}: {error}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_bluebelle"));
    let output = command
        .args(["compare", "--positions", &none])
        .output()
        .expect("the engine runs");
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no positions"));
}

#[test]
fn the_software_on_this_machine_can_stand_in_for_a_board() {
    let arguments = ["--accel", "model", "--time", "0.05"];
    let (_, value) = json(&arguments);
    assert_eq!(
        (&value["accelerated_is"], &value["software_is"]),
        (&Value::from("measured"), &Value::from("measured"))
    );
    assert_eq!((&value["board"], &value["host_cost"]), (&Value::Null, &Value::Null));
    let hardware = &value["total"]["hardware"];
    assert!(
        hardware["jobs"].is_u64() && hardware["chip_busy"].is_null(),
        "{hardware}"
    );
    assert!(number(&value["total"]["accelerated"]["nps"]) > 0.0);
    let text = told(&arguments);
    assert!(text.contains("busy             not measured"), "{text}");
}

#[test]
fn an_accelerator_that_does_not_answer_is_refused() {
    for (name, problem) in [
        ("serial:/no/such/port", "found no answer from serial:/no/such/port"),
        (
            "model,serial:/no/such/port",
            "found no answer from serial:/no/such/port",
        ),
        ("software", "found no accelerator"),
        ("abacus", "unknown accelerator 'abacus'"),
    ] {
        let error = refused(&["--accel", name, "--time", "0.01"]);
        assert!(error.contains(problem), "{error}");
    }
}

/// A port on which nothing ever answers.
#[cfg(unix)]
#[test]
fn a_silent_port_is_refused() {
    let line = bluebelle_sim::board::Pty::open(None).expect("a pseudo-terminal");
    let name = format!("serial:{}", line.path().display());
    let error = refused(&["--accel", &name, "--time", "0.01"]);
    assert!(error.contains(&format!("found no answer from {name}")), "{error}");
    assert!(error.contains("`bluebelle devices`"), "{error}");
}

/// A board that answers tells by its own counters how busy it was.
#[cfg(unix)]
#[test]
fn a_board_is_measured_by_its_counters() {
    use std::io::BufRead as _;

    let mut board = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .args(["sim", "board", "--chip", "model"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("a virtual board");
    let mut port = String::new();
    let mut said = std::io::BufReader::new(board.stdout.take().expect("piped"));
    said.read_line(&mut port).expect("its port");
    let name = format!("serial:{}", port.trim());
    let output = compare(&["--accel", &name, "--time", "0.3", "--json"]);
    board.kill().expect("it runs");
    board.wait().expect("it ends");
    let value: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let hardware = &value["total"]["hardware"];
    assert!((0.0..=1.0).contains(&number(&hardware["chip_busy"])), "{hardware}");
    assert!(
        hardware["jobs"].is_u64() && hardware["line_busy"].is_null(),
        "{hardware}"
    );
    assert!(
        number(&hardware["chip_busy"]) > 0.0 || hardware["jobs"] == 0,
        "{hardware}"
    );
}

#[test]
fn a_report_that_cannot_be_written_is_refused_before_the_work() {
    let began = std::time::Instant::now();
    let error = refused(&["--html", "/no/such/folder/report.html", "--time", "600"]);
    assert!(error.contains("cannot write /no/such/folder/report.html"), "{error}");
    assert!(began.elapsed().as_secs() < 300, "it searched first");
}

/// Ctrl-C in the second of two searches that would take minutes.
#[cfg(unix)]
#[test]
fn what_was_found_before_an_interruption_is_printed() {
    use std::io::{BufRead as _, Read as _};

    let file = folder().join("long.epd");
    let over = "7k/5Q2/6K1/8/8/8/8/8 b - - id \"stalemate\";\n";
    std::fs::write(&file, format!("{over}{POSITIONS}")).expect("a file");
    let mut running = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .args([
            "compare",
            "--accel",
            "model",
            "--hash",
            "4",
            "--time",
            "600",
            "--positions",
        ])
        .arg(&file)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the engine runs");
    let mut output = std::io::BufReader::new(running.stdout.take().expect("piped"));
    let mut line = String::new();
    while !line.starts_with("stalemate") {
        line.clear();
        assert!(output.read_line(&mut line).expect("text") > 0, "no row");
    }
    let interrupt = Command::new("kill").args(["-INT", &running.id().to_string()]).status();
    assert!(interrupt.is_ok_and(|status| status.success()));
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("text");
    assert!(rest.contains("same move        in 1 of 1 positions"), "{rest}");
    assert_eq!(running.wait().expect("an end").code(), Some(130));
}

#[test]
fn an_engine_stands_beside() {
    let engine = env!("CARGO_BIN_EXE_bluebelle");
    let (_, value) = json(&[&SUPPOSED[..], &["--seed", "1", "--engine", engine]].concat());
    let column = &value["positions"][0]["engines"][0];
    let name = column["name"].as_str();
    assert!(name.is_some_and(|name| name.contains("Bluebelle")), "{column}");
    assert!(number(&column["nps"]) > 0.0, "{column}");
}

#[test]
fn the_report_is_one_page_that_needs_nothing_else() {
    let path = folder().join("a report.html");
    let written = path.to_string_lossy().into_owned();
    let few = ["--cores", "2", "--mhz", "80", "--seed", "7", "--time", "0.002"];
    let page = |more: &[&str]| {
        told(&[&few[..], more, &["--html", &written]].concat());
        std::fs::read_to_string(&path).expect("a report")
    };
    let first = page(&[]);
    assert_eq!(first.matches("<svg").count(), 1);
    let rows = |page: &str, keep: bool| -> Vec<String> {
        let of_here = |row: &&str| row.starts_with("<td>date</td>") || row.starts_with("<td>machine</td>");
        let rows = page.split("<tr>").filter(|row| of_here(row) == keep);
        rows.map(str::to_owned).collect()
    };
    assert_eq!(rows(&first, true).len(), 2, "{first}");
    assert!(rows(&first, true)[0].contains(" UTC</td>"), "{first}");
    assert_eq!(
        rows(&first, false),
        rows(&page(&[]), false),
        "the rest is the same every time"
    );
    for part in [
        "hypothetical",
        "--cores 2 --mhz 80 --seed 7",
        &format!("&#39;{written}&#39;").replace("&#39;", "'"),
        env!("CARGO_PKG_VERSION"),
        "USB full speed",
        "Strength is not measured here",
        "<dt>effective speed-up</dt>",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    let with_games = page(&["--games", "2", "--odds", "1,2", "--jobs", "1"]);
    assert!(
        with_games.contains("<h2>Strength</h2>") && with_games.contains("0.002 s"),
        "{with_games}"
    );
    for outside in ["http://", "https://", "<script", "src=", "@import", "NaN"] {
        assert!(!with_games.contains(outside), "{outside}");
    }
}

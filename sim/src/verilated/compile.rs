use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Instant;
use std::{env, io};

use crate::clocked::ChipError;

const MAIN: &str = include_str!("main.cpp");

/// What is run in a build's directory. A chip's hot loops are in what Verilator's makefile calls fast, which it compiles with
/// `-Os` behind any `-CFLAGS`: hence `OPT_FAST`.
const ARGUMENTS: &[&str] = &[
    "-O3",
    "--x-assign",
    "fast",
    "--x-initial",
    "fast",
    "--noassert",
    "-Wno-fatal",
    "-Wno-lint",
    "-Wno-style",
    "--cc",
    "--exe",
    "--build",
    "-j",
    "0",
    "-MAKEFLAGS",
    "OPT_FAST=-O2 OPT_GLOBAL=-O2",
    "-CFLAGS",
    "-march=native",
    "--top-module",
    "top",
    "--prefix",
    "Vchip",
    "-Mdir",
    "objects",
    "-o",
    "chip",
    "chip.v",
    "main.cpp",
];

/// Makes a program of a chip's Verilog, for [`super::Process`]; says on standard error what it is doing. A chip that was built
/// before is not built again: programs are kept in `$BLUEBELLE_CACHE`, or the user's cache directory.
///
/// The top module is `top`, with ports `clock`, `rx_data` (8 bits), `rx_valid`, `rx_ready`, `tx_data` (8 bits), `tx_valid` and
/// `tx_ready`. With `trace`, the program can write waveforms, and is slower.
///
/// # Errors
/// If Verilator is missing, or does not like the chip.
pub fn build(verilog: &str, trace: bool) -> Result<PathBuf, ChipError> {
    build_with(verilog, trace.then_some("--trace"))
}

/// As [`build`], for a chip behind a serial line with so many bits in 65536 cycles: instead of the ports for bytes it has `rx` and
/// `tx`.
///
/// # Errors
/// As [`build`].
pub fn build_serial(verilog: &str, baud_step: u16) -> Result<PathBuf, ChipError> {
    let step = format!("-DBAUD_STEP={baud_step}");
    build_with(verilog, ["-CFLAGS", &step])
}

/// As [`build_serial`], for a synthesised netlist: so large that most of the time goes to the C++ compiler, which is told not to
/// optimise.
///
/// # Errors
/// As [`build`].
pub fn build_netlist(verilog: &str, baud_step: u16) -> Result<PathBuf, ChipError> {
    let step = format!("-DBAUD_STEP={baud_step}");
    build_with(verilog, ["-CFLAGS", &step, "-MAKEFLAGS", "OPT_FAST=-O0"])
}

/// As [`build`], for a chip behind AXI4-Lite, as `bluebelle_hdl::chip::ChipRings` has it: what is exchanged with it are transfers on
/// the bus. `main.cpp` tells how they look.
///
/// # Errors
/// As [`build`].
pub fn build_axi(verilog: &str) -> Result<PathBuf, ChipError> {
    build_with(verilog, ["-CFLAGS", "-DAXI"])
}

fn build_with<'a>(verilog: &str, more: impl IntoIterator<Item = &'a str>) -> Result<PathBuf, ChipError> {
    let cache = cache_directory();
    let mut arguments = ARGUMENTS.to_vec();
    arguments.extend(more);
    let version = text_of(&run_verilator(Path::new("."), &["--version"])?.stdout);

    let mut hasher = DefaultHasher::new();
    (verilog, MAIN, &arguments, &version).hash(&mut hasher);
    let home = cache.join(format!("{:016x}", hasher.finish()));
    write(&home, "lock", "")?;
    let lock = home.join("lock");
    // Others may be building the same chip; it is released at the end.
    let _lock = File::open(&lock)
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|error| file_error(&lock, &error))?;
    let program = home.join("chip");
    // The hash finds it, the text proves it.
    if program.is_file() && fs::read_to_string(home.join("chip.v")).is_ok_and(|text| text == verilog) {
        return Ok(program);
    }

    tell(&format!(
        "building the simulated chip with {version} (once; a large one takes minutes) …"
    ));
    let started = Instant::now();
    write(&home, "chip.v", verilog)?;
    write(&home, "main.cpp", MAIN)?;
    let output = run_verilator(&home, &arguments)?;
    if !output.status.success() {
        return Err(ChipError::Build {
            directory: home,
            log: last_lines(&(text_of(&output.stdout) + "\n" + &text_of(&output.stderr)), 30),
        });
    }
    // Only now: whoever was interrupted has left no program.
    fs::rename(home.join("objects/chip"), &program).map_err(|error| file_error(&program, &error))?;
    // They take room, and are of no more use.
    let _ = fs::remove_dir_all(home.join("objects"));
    let seconds = started.elapsed().as_secs_f64();
    tell(&format!("built in {seconds:.0} s: {}", home.display()));
    Ok(program)
}

/// A remark, if standard error takes it.
fn tell(remark: &str) {
    let _ = writeln!(io::stderr(), "{remark}");
}

fn run_verilator(directory: &Path, arguments: &[&str]) -> Result<Output, ChipError> {
    let mut command = Command::new("verilator");
    command.current_dir(directory).args(arguments);
    command
        .output()
        .map_err(|error| ChipError::NoVerilator(error.to_string()))
}

/// As other programs choose it.
fn cache_directory() -> PathBuf {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let user = || variable("XDG_CACHE_HOME").or_else(|| variable("HOME").map(|home| home.join(".cache")));
    let cache = variable("BLUEBELLE_CACHE").or_else(|| user().map(|cache| cache.join("bluebelle")));
    cache
        .unwrap_or_else(|| env::temp_dir().join("bluebelle"))
        .join("verilated")
}

fn write(directory: &Path, name: &str, text: &str) -> Result<(), ChipError> {
    let path = directory.join(name);
    let written = fs::create_dir_all(directory).and_then(|()| fs::write(&path, text));
    written.map_err(|error| file_error(&path, &error))
}

fn file_error(path: &Path, error: &io::Error) -> ChipError {
    ChipError::File {
        path: path.to_owned(),
        problem: format!("cannot be written: {error}; $BLUEBELLE_CACHE names another cache directory"),
    }
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim().to_owned()
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

//! Verilog → Yosys → nextpnr → bitstream.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::board::Board;
use crate::design::{Design, DesignError};
use crate::device::Family;
use crate::floorplan;
use crate::report::{Bitstream, Report, Routed, SeedResult, StageTime, ToolVersion};
use crate::tools::{self, Found, Install, ToolError};
use crate::verilog::chip_mark;

mod capacity;
mod kept;
mod run;
#[cfg(test)]
mod tests;

use capacity::{check_capacity, count};
use kept::Stage;
pub(crate) use run::{Watch, run_tool};

/// What is to be built.
#[derive(Clone, Debug)]
pub struct Order {
    /// How many cores.
    pub cores: usize,
    /// Whether they search a job by all threads if asked to.
    pub gangs: bool,
    /// The clock, at most, in kHz.
    pub clock_khz: u32,
    /// The first seed that is tried.
    pub first_seed: u32,
    /// How many seeds are tried; the fastest is kept.
    pub seeds: u32,
    /// Where everything goes.
    pub folder: PathBuf,
    /// Whether tools may be installed.
    pub install: Install,
    /// Whether to build what is known not to fit, and to do again what has not changed.
    pub force: bool,
    /// How often a tool that takes its time gives a sign of life.
    pub pulse: Duration,
}

/// How a build fails.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// There is no such design.
    #[error(transparent)]
    Design(#[from] DesignError),
    /// A tool cannot be had.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The board is known to be too small.
    #[error("{board} is known not to fit: {why}; build it all the same with --force")]
    Unfit {
        /// The board.
        board: &'static str,
        /// Why not.
        why: &'static str,
    },
    /// The build was ended from outside.
    #[error("ended before the build was done; `bluebelle build` goes on with the stage that was ended")]
    Interrupted,
    /// A file cannot be read or written.
    #[error("cannot {what} {}: {error}", .path.display())]
    File {
        /// Read or write.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A tool failed.
    #[error("{tool} failed: {problem}; its log is {}", .log.display())]
    Failed {
        /// The tool.
        tool: String,
        /// The last error that it printed.
        problem: String,
        /// Its log.
        log: PathBuf,
    },
    /// YoWASP's tools have a temporary directory of their own.
    #[error("{} is below the temporary directory, which {tool} cannot see; give another with --output", .folder.display())]
    Unseen {
        /// The folder.
        folder: PathBuf,
        /// The tool.
        tool: String,
    },
    /// It does not fit.
    #[error("{cores} cores do not fit into {device}: {needs}; {advice}")]
    Full {
        /// How many cores.
        cores: usize,
        /// The device.
        device: &'static str,
        /// What there is too little of.
        needs: String,
        /// What to do.
        advice: String,
    },
    /// It is too slow.
    #[error(
        "routed for {routed:.1} MHz, but the clock is {clock:.1}; build with --mhz {advised} or fewer cores, or try more --seeds"
    )]
    Timing {
        /// What was reached.
        routed: f64,
        /// What was asked for.
        clock: f64,
        /// What to ask for.
        advised: u32,
    },
}

/// Builds a bitstream and `report.json`. `say` is told about each stage as it begins; `stop` ends the build, and the tool
/// that runs.
///
/// # Errors
/// If a tool is missing or fails, the device is full, or the clock is not reached; the report is written in the last case too.
pub fn build(board: &Board, order: &Order, stop: &AtomicBool, say: &mut dyn FnMut(&str)) -> Result<Report, BuildError> {
    if let Some(why) = board.unfit.filter(|_| !order.force) {
        return Err(BuildError::Unfit { board: board.name, why });
    }
    let folder = &order.folder;
    fs::create_dir_all(folder).map_err(|error| file_error("make", folder, error))?;
    let place = fs::canonicalize(folder).map_err(|error| file_error("open", folder, error))?;
    let tools = tools::find_all(&tools::for_building(board.device.family), order.install, say)?;
    let [yosys, nextpnr, packer] = [&tools[0], &tools[1], &tools[2]];
    for tool in &tools {
        run::check_visible(&place, tool)?;
    }
    let earlier = board.routed(Some(order.gangs)).ok().flatten();
    let mut run = Run {
        folder,
        order,
        stop,
        earlier: earlier.filter(|report| report.cores == order.cores && report.gangs == order.gangs),
        times: Vec::new(),
        say,
    };

    let design = run.timed("verilog", "the chip as Verilog", |_| {
        Ok(Design::new(board, order.cores, order.clock_khz, order.gangs)?)
    })?;
    write(&folder.join("chip.v"), &design.chip)?;
    write(&folder.join("board.v"), &design.wrapper)?;
    write(&folder.join(design.constraints_name), &design.constraints)?;

    let heading = format!("synthesis with {}", yosys.version);
    let script = synthesis_script(board, order.cores);
    let stage = Stage::new(
        folder,
        "synthesis",
        &[&design.chip, &design.wrapper, &script, &yosys.version],
        &["synthesis.json", "cells.json"],
    );
    run.once("synthesis", &heading, &stage, |run| {
        let arguments = ["-q", "-l", "synthesis.log", "-p", &script];
        run.tool("synthesis", yosys, &arguments, "yosys.log", Some("synthesis.log"))
    })?;
    let needed = count(&read(&folder.join("cells.json"))?, board.device.family);
    check_capacity(board, order.cores, needed)?;

    let clock = f64::from(design.config.clock_khz) / 1000.0;
    let netlist = read(&folder.join("synthesis.json"))?;
    let mut seeds = Vec::new();
    let mut best: Option<(u32, Routed)> = None;
    for seed in (order.first_seed..).take(order.seeds.max(1) as usize) {
        let heading = format!("place and route for {clock} MHz, seed {seed}");
        let name = format!("place and route {seed}");
        let arguments = route_arguments(board, clock, seed);
        let options = arguments.join(" ");
        let outputs = [format!("route-{seed}.json"), routed_name(board.device.family, seed)];
        let stage = Stage::new(
            folder,
            &name,
            &[&netlist, &design.constraints, &options, &nextpnr.version],
            &outputs.each_ref().map(String::as_str),
        );
        run.once(&name, &heading, &stage, |run| {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            run.tool(&name, nextpnr, &arguments, &format!("route-{seed}.log"), None)
        })?;
        let report = folder.join(&outputs[0]);
        let routed = Routed::from_json(&read(&report)?).map_err(|problem| BuildError::Failed {
            tool: nextpnr.tool.name.to_owned(),
            problem: format!("its report cannot be read: {problem}"),
            log: report,
        })?;
        (run.say)(&format!("  {:.1} MHz", routed.mhz));
        seeds.push(SeedResult { seed, mhz: routed.mhz });
        if best.as_ref().is_none_or(|(_, kept)| routed.mhz > kept.mhz) {
            best = Some((seed, routed));
        }
    }
    let Some((seed, routed)) = best else {
        unreachable!("at least one seed is tried")
    };

    let timing_met = routed.mhz >= clock;
    let bitstream = match timing_met {
        true => Some(run.timed("bitstream", "bitstream", |run| {
            let (file, arguments) = pack_arguments(board, seed);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            run.tool("bitstream", packer, &arguments, "pack.log", None)?;
            let path = folder.join(file);
            let bytes = fs::read(&path).map_err(|error| file_error("read", &path, error))?;
            Ok(Bitstream {
                file: file.to_owned(),
                checksum: checksum(&bytes),
            })
        })?),
        false => None,
    };
    let version = |found: &Found| ToolVersion {
        name: found
            .program
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        version: found.version.clone(),
    };
    let report = Report {
        board: board.name.to_owned(),
        device: board.device.name.to_owned(),
        cores: order.cores,
        gangs: order.gangs,
        chip: Some(chip_mark(order.gangs)),
        build_id: hex(&design.config.build),
        clock_mhz: clock,
        mhz: routed.mhz,
        timing_met,
        seed,
        seeds,
        luts: routed.luts,
        flip_flops: routed.flip_flops,
        block_rams: routed.block_rams,
        multipliers: routed.multipliers,
        critical_path: routed.critical_path,
        seconds: run.times,
        tools: tools.iter().map(version).collect(),
        bitstream,
    };
    write(&folder.join("report.json"), &report.to_json())?;
    match timing_met {
        true => Ok(report),
        false => Err(BuildError::Timing {
            routed: report.mhz,
            clock,
            // Another clock is another netlist: a little below what this one reached.
            advised: (report.mhz * 0.97) as u32,
        }),
    }
}

/// What Yosys' logic optimiser does for ECP5: maps to LUTs again and again, each time from what it found before. It takes a
/// minute longer than once, and 3 % fewer LUTs, at the same depth. Making the logic smaller first (`ifraig`, `scorr`, `dc2`) ends with
/// 1.7 % more.
const MAP_AGAIN: &str = "strash;dch,-f;if,-F,8,-A,8;mfs2;";

/// `-nowidelut` saves up to 40 % of the LUTs: wide multiplexers bind pairs of LUTs that could be shared.
fn synthesis_script(board: &Board, cores: usize) -> String {
    let synthesis = match board.device.family {
        Family::Ecp5 => format!(
            "synth_ecp5 -nowidelut -top board -run begin:map_luts; techmap -map +/ecp5/latches_map.v; \
             abc -lut 4 -script +{}lutpack; clean; \
             synth_ecp5 -nowidelut -top board -run map_cells:",
            MAP_AGAIN.repeat(4)
        ),
        Family::Gowin if board.device.name.starts_with("GW2A") => {
            "synth_gowin -nowidelut -family gw2a -top board".to_owned()
        }
        Family::Gowin => "synth_gowin -nowidelut -family gw1n -top board".to_owned(),
        Family::Ice40 => "synth_ice40 -dsp -top board".to_owned(),
    };
    // All cores are the same, but each is a module of its own in the Verilog. So one is synthesised, and stands for all.
    let same: String = (1..cores)
        .map(|core| format!("chtype -set {CORE}$0 t:{CORE}${core}; "))
        .collect();
    let (before, after) = match cores {
        1 => (String::new(), String::new()),
        _ => (
            format!("hierarchy -top board; {same}hierarchy -top board; setattr -mod -set keep_hierarchy 1 {CORE}$0; "),
            format!("setattr -mod -unset keep_hierarchy {CORE}$0; flatten; clean; "),
        ),
    };
    let anchors = floorplan::anchors(&board.device, cores).into_iter();
    let places: String = anchors
        .map(|anchor| format!("setattr -set BEL \"{}\" board/c:{}; ", anchor.bel, anchor.cell))
        .collect();
    format!(
        "read_verilog chip.v board.v; {before}{synthesis}; {after}{places}write_json synthesis.json; tee -q -o cells.json stat -json"
    )
}

/// The module of a core, without its number.
const CORE: &str = "top$chip$works$cores";

/// With `static`, seven cores are placed in a quarter of an hour, and one core routes faster than with nextpnr's usual placer, which
/// spreads cells to three quarters of the device and never legalises seven.
const ECP5_PLACER: &str = "static";

fn route_arguments(board: &Board, mhz: f64, seed: u32) -> Vec<String> {
    let device = &board.device;
    let own = match device.family {
        Family::Ecp5 => format!(
            "--{} --package {} --speed {} --lpf board.lpf --textcfg routed-{seed}.config --placer {ECP5_PLACER}",
            device.part, device.package, device.speed
        ),
        Family::Gowin => format!(
            "--device {} --vopt family={} --vopt cst=board.cst --write routed-{seed}.json",
            device.part, device.die
        ),
        Family::Ice40 => format!(
            "--{} --package {} --pcf board.pcf --asc routed-{seed}.asc",
            device.part, device.package
        ),
    };
    // Whether the clock is reached is decided from the report.
    let all = format!(
        "{own} --json synthesis.json --freq {mhz} --seed {seed} --timing-allow-fail --report route-{seed}.json"
    );
    all.split(' ').map(str::to_owned).collect()
}

/// The name of what nextpnr writes.
fn routed_name(family: Family, seed: u32) -> String {
    match family {
        Family::Ecp5 => format!("routed-{seed}.config"),
        Family::Gowin => format!("routed-{seed}.json"),
        Family::Ice40 => format!("routed-{seed}.asc"),
    }
}

/// The name of a family's bitstream.
pub fn bitstream_name(family: Family) -> &'static str {
    match family {
        Family::Ecp5 => "chip.bit",
        Family::Gowin => "chip.fs",
        Family::Ice40 => "chip.bin",
    }
}

fn pack_arguments(board: &Board, seed: u32) -> (&'static str, Vec<String>) {
    let file = bitstream_name(board.device.family);
    let all = match board.device.family {
        Family::Ecp5 => format!("--compress --input routed-{seed}.config --bit {file}"),
        Family::Gowin => format!("-d {} -o {file} routed-{seed}.json", board.device.die),
        Family::Ice40 => format!("routed-{seed}.asc {file}"),
    };
    (file, all.split(' ').map(str::to_owned).collect())
}

struct Run<'a> {
    folder: &'a Path,
    order: &'a Order,
    stop: &'a AtomicBool,
    /// The committed report of the same chip, which says how long each stage takes.
    earlier: Option<Report>,
    times: Vec<StageTime>,
    say: &'a mut dyn FnMut(&str),
}

impl Run<'_> {
    fn timed<T>(
        &mut self,
        stage: &str,
        heading: &str,
        work: impl FnOnce(&mut Self) -> Result<T, BuildError>,
    ) -> Result<T, BuildError> {
        (self.say)(heading);
        let started = Instant::now();
        let done = work(self)?;
        let seconds = (started.elapsed().as_secs_f64() * 10.0).round() / 10.0;
        self.times.push(StageTime {
            stage: stage.to_owned(),
            seconds,
        });
        (self.say)(&format!("  {seconds:.1} s"));
        Ok(done)
    }

    /// A stage that is not done again if nothing has changed.
    fn once(
        &mut self,
        stage: &str,
        heading: &str,
        kept: &Stage<'_>,
        work: impl FnOnce(&mut Self) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        if let Some(seconds) = kept.kept().filter(|_| !self.order.force) {
            (self.say)(&format!(
                "{heading}\n  kept: nothing has changed (--force does it again)"
            ));
            let stage = stage.to_owned();
            self.times.push(StageTime { stage, seconds });
            return Ok(());
        }
        kept.begin();
        self.timed(stage, heading, work)?;
        kept.keep(self.times.last().map_or(0.0, |time| time.seconds))
    }

    fn tool(
        &mut self,
        stage: &str,
        found: &Found,
        arguments: &[&str],
        log: &str,
        told: Option<&str>,
    ) -> Result<(), BuildError> {
        // Seeds take about as long as each other.
        let kind = |name: &str| name.trim_end_matches(|letter: char| letter.is_ascii_digit()).to_owned();
        let times = self.earlier.iter().flat_map(|report| &report.seconds);
        let mut estimate = times
            .filter(|time| kind(&time.stage) == kind(stage))
            .map(|time| time.seconds);
        let mut watch = Watch {
            estimate: estimate.next_back(),
            say: self.say,
            pulse: self.order.pulse,
            stop: self.stop,
            log: told,
        };
        run_tool(self.folder, found, arguments, log, &mut watch)
    }
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// 128 bits of FNV-1a.
pub(crate) fn checksum(bytes: &[u8]) -> String {
    hex(&crate::design::fnv(bytes.iter().copied()))
}

fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    fs::write(path, text).map_err(|error| file_error("write", path, error))
}

pub(crate) fn read(path: &Path) -> Result<String, BuildError> {
    fs::read_to_string(path).map_err(|error| file_error("read", path, error))
}

fn file_error(what: &'static str, path: &Path, error: io::Error) -> BuildError {
    let path = path.to_owned();
    BuildError::File { what, path, error }
}

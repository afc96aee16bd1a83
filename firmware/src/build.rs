//! Verilog → Yosys → nextpnr → bitstream.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use crate::board::Board;
use crate::design::{Design, DesignError};
use crate::device::{Family, Resources};
use crate::floorplan;
use crate::report::{Bitstream, Report, Routed, SeedResult, StageTime, ToolVersion};
use crate::tools::{self, Found, Install, ToolError};

#[cfg(test)]
mod tests;

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

/// Builds a bitstream and `report.json`. `say` is told about each stage as it begins.
///
/// # Errors
/// If a tool is missing or fails, the device is full, or the clock is not reached; the report is written in the last case too.
pub fn build(board: &Board, order: &Order, say: &mut dyn FnMut(&str)) -> Result<Report, BuildError> {
    let tools = tools::find_all(&tools::for_building(board.device.family), order.install, say)?;
    let [yosys, nextpnr, packer] = [&tools[0], &tools[1], &tools[2]];
    let folder = &order.folder;
    let mut run = Run {
        folder,
        times: Vec::new(),
        say,
    };

    let design = run.timed("verilog", "the chip as Verilog", |_| {
        Ok(Design::new(board, order.cores, order.clock_khz, order.gangs)?)
    })?;
    fs::create_dir_all(folder).map_err(|error| file_error("make", folder, error))?;
    write(&folder.join("chip.v"), &design.chip)?;
    write(&folder.join("board.v"), &design.wrapper)?;
    write(&folder.join(design.constraints_name), &design.constraints)?;

    let heading = format!("synthesis with {}", yosys.version);
    run.timed("synthesis", &heading, |run| {
        run.tool(
            yosys,
            &["-q", "-l", "synthesis.log", "-p", &synthesis_script(board, order.cores)],
            "yosys.log",
        )
    })?;
    let needed = count(&read(&folder.join("cells.json"))?, board.device.family);
    check_capacity(board, order.cores, needed)?;

    let clock = f64::from(design.config.clock_khz) / 1000.0;
    let mut seeds = Vec::new();
    let mut best: Option<(u32, Routed)> = None;
    for seed in (order.first_seed..).take(order.seeds.max(1) as usize) {
        let heading = format!("place and route for {clock} MHz, seed {seed}");
        let routed = run.timed(&format!("place and route {seed}"), &heading, |run| {
            let arguments = route_arguments(board, clock, seed);
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            run.tool(nextpnr, &arguments, &format!("route-{seed}.log"))?;
            let report = folder.join(format!("route-{seed}.json"));
            Routed::from_json(&read(&report)?).map_err(|problem| BuildError::Failed {
                tool: nextpnr.tool.name.to_owned(),
                problem: format!("its report cannot be read: {problem}"),
                log: report,
            })
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
            run.tool(packer, &arguments, "pack.log")?;
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

/// What a netlist takes, from Yosys' `stat -json`.
fn count(stat: &str, family: Family) -> Resources {
    let stat: serde_json::Value = serde_json::from_str(stat).unwrap_or_default();
    let cells = &stat["design"]["num_cells_by_type"];
    let of = |names: &[&str], each: u32| {
        let counts = names.iter().filter_map(|name| cells[name].as_u64());
        counts.sum::<u64>() as u32 * each
    };
    match family {
        Family::Ecp5 => Resources {
            // A carry cell takes two LUTs; a small RAM four, and two more to write it.
            luts: of(&["LUT4"], 1) + of(&["CCU2C"], 2) + of(&["TRELLIS_DPR16X4"], 6),
            flip_flops: of(&["TRELLIS_FF"], 1),
            block_rams: of(&["DP16KD", "PDPW16KD"], 1),
            multipliers: of(&["MULT18X18D"], 1),
        },
        Family::Gowin => Resources {
            luts: of(&["LUT1", "LUT2", "LUT3", "LUT4", "ALU"], 1) + of(&["RAM16SDP4"], 4),
            flip_flops: of(&["DFF", "DFFE", "DFFR", "DFFRE", "DFFS", "DFFSE"], 1),
            block_rams: of(&["SDPB", "SDPX9B", "DPB", "DPX9B", "SPB", "pROM"], 1),
            multipliers: of(&["MULT18X18", "MULT9X9"], 1),
        },
        Family::Ice40 => Resources {
            luts: of(&["SB_LUT4"], 1),
            flip_flops: of(
                &["SB_DFF", "SB_DFFE", "SB_DFFSR", "SB_DFFSS", "SB_DFFESR", "SB_DFFESS"],
                1,
            ),
            block_rams: of(&["SB_RAM40_4K"], 1),
            multipliers: of(&["SB_MAC16"], 1),
        },
    }
}

fn check_capacity(board: &Board, cores: usize, needed: Resources) -> Result<(), BuildError> {
    let has = &board.device.capacity;
    let compared = [
        ("LUTs", needed.luts, has.luts),
        ("flip-flops", needed.flip_flops, has.flip_flops),
        ("block RAMs", needed.block_rams, has.block_rams),
        ("multipliers", needed.multipliers, has.multipliers),
    ];
    let over: Vec<_> = compared.iter().filter(|(_, needed, has)| needed > has).collect();
    if over.is_empty() {
        return Ok(());
    }
    let needs: Vec<String> = over
        .iter()
        .map(|(what, needed, has)| format!("{needed} {what} of {has}"))
        .collect();
    let fit = over
        .iter()
        .map(|(_, needed, has)| cores * *has as usize / *needed as usize)
        .min();
    let advice = match (fit, board.unfit) {
        (Some(fit @ 1..), _) => format!("try --cores {fit}"),
        (_, Some(why)) => why.to_owned(),
        _ => "this board is too small; see `bluebelle boards`".to_owned(),
    };
    Err(BuildError::Full {
        cores,
        device: board.device.name,
        needs: needs.join(", "),
        advice,
    })
}

struct Run<'a> {
    folder: &'a Path,
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

    fn tool(&self, found: &Found, arguments: &[&str], log: &str) -> Result<(), BuildError> {
        run_tool(self.folder, found, arguments, log)
    }
}

/// Runs a tool in the folder, with relative paths: YoWASP's see no others.
pub(crate) fn run_tool(folder: &Path, found: &Found, arguments: &[&str], log: &str) -> Result<(), BuildError> {
    let name = found
        .program
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let path = folder.join(log);
    let folder = fs::canonicalize(folder).map_err(|error| file_error("open", folder, error))?;
    if name.starts_with("yowasp") && folder.starts_with(std::env::temp_dir()) {
        return Err(BuildError::Unseen { folder, tool: name });
    }
    let file = fs::File::create(&path).map_err(|error| file_error("write", &path, error))?;
    let copy = file.try_clone().map_err(|error| file_error("write", &path, error))?;
    let status = found
        .command()
        .args(arguments)
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(copy)
        .status()
        .map_err(|error| file_error("run", &found.program, error))?;
    if status.success() {
        return Ok(());
    }
    let text = fs::read_to_string(&path).unwrap_or_default();
    let error = text
        .lines()
        .rev()
        .find(|line| line.contains("ERROR") || line.contains("rror:"));
    let problem = error
        .or(text.lines().last())
        .unwrap_or("it said nothing")
        .trim()
        .to_owned();
    Err(BuildError::Failed {
        tool: name,
        problem: format!("{problem} ({status})"),
        log: path,
    })
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

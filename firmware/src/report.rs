//! What a build came to: `report.json`.

use serde::{Deserialize, Serialize};

/// Slots a node of the search benchmark, `cargo bench -p bluebelle-spec`: 200 positions at depths 2 to 4.
pub const SLOTS_PER_NODE: f64 = 2.76;

/// What a build came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The board's name.
    pub board: String,
    /// The device.
    pub device: String,
    /// The cores.
    pub cores: usize,
    /// Whether they search a job by all threads if asked to; those of earlier builds do not.
    #[serde(default)]
    pub gangs: bool,
    /// The [mark](crate::verilog::chip_mark) of the chip that was built; earlier reports have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chip: Option<String>,
    /// What *identify* answers, in hexadecimal digits.
    pub build_id: String,
    /// The clock that the bitstream has, in MHz.
    pub clock_mhz: f64,
    /// The fastest clock that the routed design stands.
    pub mhz: f64,
    /// Whether that is fast enough. If not, there is no bitstream.
    pub timing_met: bool,
    /// The seed that it was routed with.
    pub seed: u32,
    /// What each seed came to.
    pub seeds: Vec<SeedResult>,
    /// Look-up tables, carry cells included.
    pub luts: Used,
    /// Flip-flops.
    pub flip_flops: Used,
    /// Block RAMs.
    pub block_rams: Used,
    /// Multipliers.
    pub multipliers: Used,
    /// The slowest path inside the chip's clock.
    pub critical_path: CriticalPath,
    /// How long each stage took.
    pub seconds: Vec<StageTime>,
    /// The tools, with what they say about their version.
    pub tools: Vec<ToolVersion>,
    /// The bitstream's file name and checksum.
    pub bitstream: Option<Bitstream>,
}

/// Whether a report is about the chip as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChipAge {
    /// It is.
    Current,
    /// The chip has changed since.
    Older,
    /// The report does not say which chip was built.
    Unknown,
}

impl Report {
    /// Whether the report is about the chip as it is now.
    pub fn chip_age(&self) -> ChipAge {
        match &self.chip {
            None => ChipAge::Unknown,
            Some(mark) if *mark == crate::verilog::chip_mark(self.gangs) => ChipAge::Current,
            Some(_) => ChipAge::Older,
        }
    }
}

/// How much of something was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// So much.
    pub used: u32,
    /// Of so much.
    pub available: u32,
}

/// What a seed came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeedResult {
    /// The seed.
    pub seed: u32,
    /// The fastest clock.
    pub mhz: f64,
}

/// The slowest path.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CriticalPath {
    /// Where it begins.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// In logic, set-up and flip-flops, in nanoseconds.
    pub logic_ns: f64,
    /// On wires, in nanoseconds.
    pub routing_ns: f64,
}

/// How long a stage took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageTime {
    /// The stage.
    pub stage: String,
    /// In seconds.
    pub seconds: f64,
}

/// A tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolVersion {
    /// Its name.
    pub name: String,
    /// What it says about itself.
    pub version: String,
}

/// A bitstream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bitstream {
    /// Its name, beside the report.
    pub file: String,
    /// 128 bits of FNV-1a over its bytes.
    pub checksum: String,
}

/// A file that is no report.
#[derive(Debug, thiserror::Error)]
#[error("not the report of a build: {0}")]
pub struct ReportError(#[from] serde_json::Error);

impl Report {
    /// From `report.json`.
    ///
    /// # Errors
    /// If it is none.
    pub fn from_json(text: &str) -> Result<Report, ReportError> {
        Ok(serde_json::from_str(text)?)
    }

    /// As `report.json`.
    pub fn to_json(&self) -> String {
        // A report has no map with other keys than text: nothing in it can fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// The clock of the bitstream, in kHz.
    pub fn clock_khz(&self) -> u32 {
        (self.clock_mhz * 1000.0).round() as u32
    }

    /// Projected nodes a second, in millions: cores × MHz / slots per node.
    pub fn projected_mnps(&self) -> f64 {
        self.cores as f64 * self.clock_mhz / SLOTS_PER_NODE
    }
}

/// What nextpnr's `--report` says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Routed {
    pub(crate) mhz: f64,
    pub(crate) luts: Used,
    pub(crate) flip_flops: Used,
    pub(crate) block_rams: Used,
    pub(crate) multipliers: Used,
    pub(crate) critical_path: CriticalPath,
}

impl Routed {
    /// Reads it.
    pub(crate) fn from_json(text: &str) -> Result<Routed, String> {
        let value: serde_json::Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let clocks = value["fmax"].as_object().ok_or("it has no clocks")?;
        // The oscillator's domain is a counter of ten bits, which is never the slowest.
        let slowest = clocks
            .iter()
            .filter_map(|(name, clock)| Some((name, clock["achieved"].as_f64()?)))
            .min_by(|a, b| a.1.total_cmp(&b.1));
        let (clock, mhz) = slowest.ok_or("it has no clock with a frequency")?;
        let used = |cells: &[&str]| {
            let mut sum = Used::default();
            for cell in cells {
                let number = |what: &str| value["utilization"][cell][what].as_u64().unwrap_or(0) as u32;
                sum.used += number("used");
                sum.available += number("available");
            }
            sum
        };
        let mut luts = used(&["TRELLIS_COMB", "LUT4", "ICESTORM_LC"]);
        // Gowin's carry cells sit in the places of LUTs.
        luts.used += used(&["ALU"]).used;
        Ok(Routed {
            mhz,
            luts,
            flip_flops: used(&["TRELLIS_FF", "DFF", "DFFE"]),
            block_rams: used(&["DP16KD", "BSRAM", "ICESTORM_RAM"]),
            multipliers: used(&["MULT18X18D", "MULT18X18", "ICESTORM_DSP"]),
            critical_path: critical_path(&value["critical_paths"], clock),
        })
    }
}

fn critical_path(paths: &serde_json::Value, clock: &str) -> CriticalPath {
    let edge = format!("posedge {clock}");
    let within = |path: &&serde_json::Value| path["from"] == edge.as_str() && path["to"] == edge.as_str();
    let Some(path) = paths.as_array().and_then(|paths| paths.iter().find(within)) else {
        return CriticalPath::default();
    };
    let steps = path["path"].as_array().map_or(&[][..], Vec::as_slice);
    let sum = |routing: bool| {
        let chosen = steps.iter().filter(|step| (step["type"] == "routing") == routing);
        let sum: f64 = chosen.filter_map(|step| step["delay"].as_f64()).sum();
        (sum * 1000.0).round() / 1000.0
    };
    let cell = |step: Option<&serde_json::Value>, end: &str| {
        let name = step.and_then(|step| step[end]["cell"].as_str());
        name.unwrap_or_default().to_owned()
    };
    CriticalPath {
        from: cell(steps.first(), "from"),
        to: cell(steps.last(), "to"),
        logic_ns: sum(false),
        routing_ns: sum(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As nextpnr-ecp5 0.11 writes it, shortened.
    const ROUTED: &str = r#"{
        "critical_paths": [
            {"from": "posedge clock", "to": "<async>", "path": [{"delay": 9, "type": "routing"}]},
            {"from": "posedge clock", "to": "posedge clock", "path": [
                {"delay": 0.525, "from": {"cell": "a", "port": "Q"}, "to": {"cell": "a", "port": "Q"}, "type": "clk-to-q"},
                {"delay": 6.5, "from": {"cell": "a", "port": "Q"}, "to": {"cell": "b", "port": "C"}, "type": "routing"},
                {"delay": 0.236, "from": {"cell": "b", "port": "C"}, "to": {"cell": "b", "port": "F"}, "type": "logic"}
            ]}
        ],
        "fmax": {"clk": {"achieved": 400.1, "constraint": 25}, "clock": {"achieved": 63.5, "constraint": 50}},
        "utilization": {
            "TRELLIS_COMB": {"available": 83640, "used": 12000}, "TRELLIS_FF": {"available": 83640, "used": 9900},
            "DP16KD": {"available": 208, "used": 27}, "MULT18X18D": {"available": 156, "used": 10}
        }
    }"#;

    #[test]
    fn nextpnr_is_read() {
        let routed = Routed::from_json(ROUTED).expect("a report");
        assert_eq!(routed.mhz, 63.5);
        assert_eq!((routed.luts.used, routed.luts.available), (12000, 83640));
        assert_eq!(
            (routed.flip_flops.used, routed.block_rams.used, routed.multipliers.used),
            (9900, 27, 10)
        );
        let path = routed.critical_path;
        assert_eq!((path.from.as_str(), path.to.as_str()), ("a", "b"));
        assert_eq!((path.logic_ns, path.routing_ns), (0.761, 6.5));
    }

    #[test]
    fn what_is_no_report_is_refused() {
        for text in ["", "[]", "{}", r#"{"fmax": {}}"#, r#"{"fmax": {"clk": 3}}"#] {
            assert!(Routed::from_json(text).is_err(), "{text}");
        }
        assert!(Report::from_json("{\"board\": 3}").is_err());
    }
}

use std::fmt;
use std::fs;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

use rust_hdl::prelude::{Block, generate_verilog};

use super::bench::{Bench, ClockOf};
use super::ports::{Port, Recording};
use super::tool;

/// A [`Bench`] that keeps what goes in and out, to run the same cycles as Verilog at the end.
///
/// Ports are found by themselves, inputs and outputs of any type, also inside a `LogicInterface`. See [the module](super) for
/// an example.
pub struct Cosim<B> {
    bench: Bench<B>,
    verilog: String,
    undefined_allowed: bool,
}

/// What runs the Verilog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simulator {
    /// Icarus: starts at once, knows undefined values.
    Icarus,
    /// Verilator: takes seconds to build, then is tens of times as fast; undefined values are 0.
    Verilator,
}

/// Where the Verilog first says something else than the Rust simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The cycle, from 0.
    pub cycle: usize,
    /// The output, as the Verilog names it.
    pub port: String,
    /// What the Rust simulation says, in hex.
    pub rust: String,
    /// What the Verilog says, in hex; `x` where it is undefined.
    pub verilog: String,
    /// The inputs in that cycle, in hex.
    pub inputs: Vec<(String, String)>,
    /// A temporary directory with the Verilog, its testbench and the vectors.
    pub files: PathBuf,
}

impl<B: Block> Cosim<B> {
    /// A co-simulation of a block with a clock: `Cosim::new(Counter::default(), |uut| &mut uut.clock)`.
    pub fn new(uut: B, clock: ClockOf<B>) -> Cosim<B> {
        Cosim::of(Bench::new(uut, clock))
    }

    /// A co-simulation of a block without registers: a cycle is one set of inputs.
    pub fn combinational(uut: B) -> Cosim<B> {
        Cosim::of(Bench::combinational(uut))
    }

    fn of(mut bench: Bench<B>) -> Cosim<B> {
        let clock = bench.clock_signal().map(|signal| &*signal).cloned();
        bench.recording = Some(Recording::of(&bench.uut, clock.as_ref()));
        Cosim {
            // Now, and not at the end: a RAM is emitted with what it holds at the moment.
            // Unlike `always @(*)`, `always_comb` also runs once at the start, when no input has changed yet.
            verilog: generate_verilog(&bench.uut).replace("always @(*)", "always_comb"),
            bench,
            undefined_allowed: false,
        }
    }

    /// Does not mind undefined outputs in the Verilog. Without this, an output may be undefined until it first has a value, and
    /// not after. For a block that shows what a RAM holds before anything was written there.
    pub fn allow_undefined(mut self) -> Cosim<B> {
        self.undefined_allowed = true;
        self
    }

    /// Runs all cycles so far as Verilog, in Icarus, or in Verilator if only that is installed.
    ///
    /// # Panics
    /// With the first output that differs; or if the Verilog is wrong, or no simulator is installed.
    #[track_caller]
    pub fn finish(self) {
        let simulator = match tool::is_installed("iverilog") || !tool::is_installed("verilator") {
            true => Simulator::Icarus,
            false => Simulator::Verilator,
        };
        self.finish_with(simulator);
    }

    /// As [`Cosim::finish`], with this simulator.
    ///
    /// # Panics
    /// As [`Cosim::finish`].
    #[track_caller]
    pub fn finish_with(self, simulator: Simulator) {
        let name = self.bench.name();
        if let Err(divergence) = self.compare(simulator) {
            panic!("{name}: {divergence}");
        }
    }

    /// As [`Cosim::finish_with`], but the first difference is returned.
    ///
    /// # Errors
    /// If an output differs.
    ///
    /// # Panics
    /// If nothing was recorded, the Verilog is wrong, or the simulator is not installed.
    pub fn compare(self, simulator: Simulator) -> Result<(), Box<Divergence>> {
        let Some(recording) = self.bench.recording.as_ref().filter(|recording| recording.cycles() > 0) else {
            panic!("{}: nothing to compare: no cycle was run", self.bench.name());
        };
        let directory = tool::scratch("cosim");
        tool::write(&directory, "top.sv", &self.verilog);
        tool::write(&directory, "bench.sv", &testbench(recording));
        tool::write(&directory, "inputs.hex", &input_lines(recording));
        if let Err(text) = simulator.run(&directory) {
            panic!(
                "{}: the Verilog in {} is wrong:\n{text}",
                self.bench.name(),
                directory.display()
            );
        }
        let found = fs::read_to_string(directory.join("outputs.hex")).unwrap_or_default();
        let found: Vec<&str> = found.lines().collect();
        assert_eq!(
            found.len(),
            recording.cycles(),
            "cycles that the Verilog in {} ran",
            directory.display()
        );
        if let Some(divergence) = first_difference(recording, &found, self.undefined_allowed, &directory) {
            return Err(Box::new(divergence));
        }
        tool::remove(&directory);
        Ok(())
    }
}

impl<B> Deref for Cosim<B> {
    type Target = Bench<B>;

    fn deref(&self) -> &Bench<B> {
        &self.bench
    }
}

impl<B> DerefMut for Cosim<B> {
    fn deref_mut(&mut self) -> &mut Bench<B> {
        &mut self.bench
    }
}

impl Simulator {
    fn run(self, directory: &Path) -> Result<String, String> {
        match self {
            Simulator::Icarus => {
                let arguments = [
                    "-g2012",
                    "-Wno-timescale",
                    "-s",
                    "bench",
                    "-o",
                    "bench.vvp",
                    "bench.sv",
                    "top.sv",
                ];
                tool::run(directory, "iverilog", &arguments)?;
                tool::run(directory, "vvp", &["-n", "bench.vvp"])
            }
            Simulator::Verilator => {
                let arguments = ["--binary", "-O3", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-j", "2"];
                let files = ["--top-module", "bench", "-CFLAGS", "-O1", "bench.sv", "top.sv"];
                tool::run(directory, "verilator", &[&arguments[..], &files[..]].concat())?;
                tool::run(directory, "./obj_dir/Vbench", &[])
            }
        }
    }
}

/// Applies a line of inputs after the falling edge, and writes a line of outputs before the rising one.
fn testbench(recording: &Recording) -> String {
    let (inputs, outputs): (Vec<&Port>, Vec<&Port>) = recording.ports.iter().partition(|port| !port.output);
    let digits = |ports: &[&Port]| ports.iter().map(|port| port.digits()).sum::<usize>();
    // The first port is the first digit, which is the highest. A block without inputs or outputs still needs a wire.
    let in_width = (digits(&inputs) * 4).max(4);
    let out_width = (digits(&outputs) * 4).max(4);
    let connections = |ports: &[&Port], bus: &str, width: usize| {
        let mut top = width;
        let connect = |port: &&Port| {
            top -= port.digits() * 4;
            format!(".{}({bus}[{}:{top}])", port.name, top + port.width - 1)
        };
        ports.iter().map(connect).collect::<Vec<String>>()
    };
    let mut all = connections(&inputs, "in", in_width);
    all.extend(connections(&outputs, "out", out_width));
    all.extend(recording.clock.iter().map(|clock| format!(".{clock}(clock)")));
    // Digits that belong to no port are zero.
    let mut padding = String::new();
    let mut top = out_width;
    for port in &outputs {
        top -= port.digits() * 4;
        if port.width % 4 != 0 {
            padding += &format!(
                "    assign out[{}:{}] = 0;\n",
                top + port.digits() * 4 - 1,
                top + port.width
            );
        }
    }
    format!(
        r#"`timescale 1ns / 1ps
module bench;
    reg clock = 0;
    reg [{in_high}:0] in = 0;
    wire [{out_high}:0] out;
    reg [{in_high}:0] inputs [0:{last}];
    integer sink, cycle;
    top uut(
        {connections}
    );
{padding}    initial begin
        $readmemh("inputs.hex", inputs);
        sink = $fopen("outputs.hex", "w");
        for (cycle = 0; cycle <= {last}; cycle = cycle + 1) begin
            in = inputs[cycle];
            #1 $fwrite(sink, "%h\n", out);
            #1 clock = 1;
            #1 clock = 0;
            #1 ;
        end
        $fclose(sink);
        $finish;
    end
endmodule
"#,
        in_high = in_width - 1,
        out_high = out_width - 1,
        connections = all.join(",\n        "),
        last = recording.cycles() - 1,
    )
}

/// A block without inputs reads zeros.
fn input_lines(recording: &Recording) -> String {
    let line = |line: &String| {
        if line.is_empty() {
            "0\n".to_owned()
        } else {
            format!("{line}\n")
        }
    };
    recording.inputs.iter().map(line).collect()
}

fn first_difference(
    recording: &Recording,
    found: &[&str],
    undefined_allowed: bool,
    files: &Path,
) -> Option<Divergence> {
    let (inputs, outputs): (Vec<&Port>, Vec<&Port>) = recording.ports.iter().partition(|port| !port.output);
    let mut defined = vec![false; outputs.len()];
    for (cycle, (rust, verilog)) in recording.outputs.iter().zip(found).enumerate() {
        let mut at = 0;
        for (port, defined) in outputs.iter().zip(&mut defined) {
            let digits = at..at + port.digits();
            at = digits.end;
            let (rust, verilog) = (&rust[digits.clone()], &verilog[digits]);
            let undefined = verilog.contains(|digit: char| !digit.is_ascii_hexdigit());
            let agrees = match undefined {
                false => rust == verilog,
                true => (undefined_allowed || !*defined) && agrees_where_defined(rust, verilog),
            };
            if !agrees {
                return Some(Divergence {
                    cycle,
                    port: port.name.clone(),
                    rust: rust.to_owned(),
                    verilog: verilog.to_owned(),
                    inputs: named_values(&inputs, &recording.inputs[cycle]),
                    files: files.to_owned(),
                });
            }
            *defined |= !undefined;
        }
    }
    None
}

fn agrees_where_defined(rust: &str, verilog: &str) -> bool {
    let mut digits = rust.chars().zip(verilog.chars());
    digits.all(|(rust, verilog)| !verilog.is_ascii_hexdigit() || rust == verilog)
}

fn named_values(ports: &[&Port], line: &str) -> Vec<(String, String)> {
    let mut at = 0;
    let value = |port: &&Port| {
        let digits = at..at + port.digits();
        at = digits.end;
        (port.name.clone(), line[digits].to_owned())
    };
    ports.iter().map(value).collect()
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (rust, verilog) = (&self.rust, &self.verilog);
        write!(
            f,
            "in cycle {}, {} is {rust} in Rust and {verilog} in Verilog",
            self.cycle, self.port
        )?;
        let inputs: Vec<String> = self
            .inputs
            .iter()
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        if !inputs.is_empty() {
            write!(f, " (inputs, in hex: {})", inputs.join(", "))?;
        }
        write!(f, "; see {}", self.files.display())
    }
}

use bluebelle_hdl::chip;
use bluebelle_hdl::config::{Config, MAX_CORES};

use crate::board::{Board, Pin};
use crate::constraints::{constraints, file_name};
use crate::device::Family;
use crate::pll::{Pll, PllError};
use crate::verilog::header;

/// The chip on a board: what the tools are given.
#[derive(Clone, Debug)]
pub struct Design {
    /// The chip's configuration, its build id included.
    pub config: Config,
    /// The Verilog of the chip; its top module is `top`.
    pub chip: String,
    /// The Verilog around it: PLL, LEDs, button. Its top module is `board`.
    pub wrapper: String,
    /// The constraint file.
    pub constraints: String,
    /// And its name.
    pub constraints_name: &'static str,
}

/// What no design can be made of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    /// The number of cores.
    #[error("{0} cores: a chip has 1 to {MAX_CORES}")]
    Cores(usize),
    /// The clock.
    #[error(transparent)]
    Clock(#[from] PllError),
    /// The clock is too slow for the serial line.
    #[error(
        "a clock of {clock_khz} kHz is too slow for {baud} baud: it must be at least four times as fast; ask for more MHz"
    )]
    Baud {
        /// The clock.
        clock_khz: u32,
        /// Bits a second.
        baud: u32,
    },
}

impl Design {
    /// The design for a board, with a clock of at most so many kHz, and with cores that search a job by all threads or not.
    ///
    /// # Errors
    /// If the board cannot have it.
    pub fn new(board: &Board, cores: usize, clock_khz: u32, gangs: bool) -> Result<Design, DesignError> {
        if !(1..=MAX_CORES).contains(&cores) {
            return Err(DesignError::Cores(cores));
        }
        let pll = board.pll(clock_khz)?;
        let (constraints_name, constraints) = constraint_file(board);
        let mut config = board.config(cores, pll.clock_khz);
        config.gangs = gangs;
        if u64::from(pll.clock_khz) * 1000 < 4 * u64::from(config.baud) {
            let (clock_khz, baud) = (pll.clock_khz, config.baud);
            return Err(DesignError::Baud { clock_khz, baud });
        }
        let wrapper = around(board, &pll);
        // The same sources have the same id: it is computed from them with an id of zeros.
        config.build = [0; 16];
        config.build = build_id(&[&chip::verilog_uart(&config), &wrapper, &constraints]);
        let command = format!(
            "bluebelle build --board {} --cores {cores} --mhz {}{}",
            board.name,
            clock_khz / 1000,
            if gangs { " --gangs" } else { " --no-gangs" }
        );
        Ok(Design {
            chip: header(&config, &command) + &chip::verilog_uart(&config),
            wrapper,
            constraints,
            constraints_name,
            config,
        })
    }
}

fn build_id(texts: &[&str]) -> [u8; 16] {
    fnv(texts.iter().flat_map(|text| text.bytes().chain([0])))
}

/// 128 bits of FNV-1a.
pub(crate) fn fnv(bytes: impl Iterator<Item = u8>) -> [u8; 16] {
    let mut hash = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128;
    for byte in bytes {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
    }
    hash.to_be_bytes()
}

/// The name and text of the board's constraint file.
pub fn constraint_file(board: &Board) -> (&'static str, String) {
    (file_name(board.device.family), constraints(board))
}

/// The Verilog around the chip, for a clock of at most so many kHz.
///
/// # Errors
/// If the PLL cannot make that clock.
pub fn wrapper(board: &Board, clock_khz: u32) -> Result<String, PllError> {
    Ok(around(board, &board.pll(clock_khz)?))
}

/// The module `board`: pins outside, the chip inside.
fn around(board: &Board, pll: &Pll) -> String {
    let pins = &board.pins;
    let ports: Vec<String> = pins
        .ports()
        .iter()
        .map(|(name, _)| match *name {
            "clk" | "rx" | "button" => format!("    input wire {name}"),
            _ => format!("    output wire {name}"),
        })
        .collect();
    let on = |pin: Pin, signal: &str| match pin.active_low {
        true => format!("~({signal})"),
        false => signal.to_owned(),
    };
    let pressed = pins.button.map_or("1'b0".to_owned(), |button| on(button, "button"));
    let (lamp_test, reload) = match pins.reload {
        Some(_) => ("1'b0", pressed.as_str()),
        None => (pressed.as_str(), "1'b0"),
    };
    let lights = [
        ("led_alive", pins.alive, "lamp_test | lights[7] | lights[1] | lights[2]"),
        ("led_busy", pins.busy, "lamp_test | lights[0]"),
        ("led_error", pins.error, "lamp_test | ~locked | lights[3]"),
        ("reload", pins.reload, reload),
    ];
    let lights: String = lights
        .iter()
        .filter_map(|(name, pin, signal)| Some(format!("    assign {name} = {};\n", on((*pin)?, signal))))
        .collect();
    format!(
        "// {title}: {mhz} MHz from {oscillator} MHz, oscillator of the PLL at {vco} MHz.
module board(
{ports}
);
    wire locked, generated, clock;
    wire [7:0] lights;
    wire lamp_test = {lamp_test};

{pll}
    // The chip has no reset: its clock begins when the PLL has been steady for a while.
    reg [9:0] steady = 0;
    always @(posedge {reference})
        if (!locked) steady <= 0;
        else if (!steady[9]) steady <= steady + 1;

{gate}
    top chip(.clock(clock), .rx(rx), .tx(tx), .leds(lights));

{lights}endmodule
",
        title = board.title,
        mhz = f64::from(pll.clock_khz) / 1000.0,
        oscillator = f64::from(board.oscillator_khz) / 1000.0,
        vco = f64::from(pll.vco_khz) / 1000.0,
        ports = ports.join(",\n"),
        pll = pll_instance(board, pll),
        reference = match board.device.family {
            // The pad that feeds this PLL feeds nothing else.
            Family::Ice40 => "generated",
            _ => "clk",
        },
        gate = gate(board.device.family),
    )
}

fn gate(family: Family) -> &'static str {
    match family {
        Family::Ecp5 => "    DCCA gate(.CLKI(generated), .CE(steady[9]), .CLKO(clock));\n",
        Family::Gowin => "    DQCE gate(.CLKIN(generated), .CE(steady[9]), .CLKOUT(clock));\n",
        // It has no gated clock buffer: the chip sees the PLL's first cycles too.
        Family::Ice40 => "    assign clock = generated;\n",
    }
}

fn pll_instance(board: &Board, pll: &Pll) -> String {
    let Pll {
        input,
        feedback,
        output,
        ..
    } = *pll;
    match board.device.family {
        Family::Ecp5 => format!(
            "    (* FREQUENCY_PIN_CLKI=\"{oscillator}\", FREQUENCY_PIN_CLKOP=\"{clock}\" *)
    EHXPLLL #(
        .CLKI_DIV({input}), .CLKFB_DIV({feedback}), .CLKOP_DIV({output}), .CLKOP_CPHASE({phase}), .CLKOP_FPHASE(0),
        .CLKOP_ENABLE(\"ENABLED\"), .FEEDBK_PATH(\"CLKOP\"), .OUTDIVIDER_MUXA(\"DIVA\"),
        .PLLRST_ENA(\"DISABLED\"), .INTFB_WAKE(\"DISABLED\"), .STDBY_ENABLE(\"DISABLED\"), .DPHASE_SOURCE(\"DISABLED\")
    ) pll(
        .CLKI(clk), .CLKFB(generated), .CLKOP(generated), .LOCK(locked),
        .RST(1'b0), .STDBY(1'b0), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0),
        .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1)
    );
",
            oscillator = f64::from(board.oscillator_khz) / 1000.0,
            clock = f64::from(pll.clock_khz) / 1000.0,
            phase = output - 1,
        ),
        Family::Gowin => format!(
            "    rPLL #(
        .FCLKIN(\"{oscillator}\"), .IDIV_SEL({idiv}), .FBDIV_SEL({fbdiv}), .ODIV_SEL({output}), .DEVICE(\"{device}C\"),
        .CLKFB_SEL(\"internal\"), .CLKOUT_BYPASS(\"false\"), .DYN_IDIV_SEL(\"false\"), .DYN_FBDIV_SEL(\"false\"),
        .DYN_ODIV_SEL(\"false\"), .DYN_DA_EN(\"false\"), .PSDA_SEL(\"0000\"), .DUTYDA_SEL(\"1000\"), .DYN_SDIV_SEL(2)
    ) pll(
        .CLKIN(clk), .CLKOUT(generated), .LOCK(locked), .RESET(1'b0), .RESET_P(1'b0), .CLKFB(1'b0),
        .FBDSEL(6'b0), .IDSEL(6'b0), .ODSEL(6'b0), .PSDA(4'b0), .DUTYDA(4'b0), .FDLY(4'b0)
    );
",
            oscillator = f64::from(board.oscillator_khz) / 1000.0,
            idiv = input - 1,
            fbdiv = feedback - 1,
            device = board.device.name,
        ),
        Family::Ice40 => format!(
            "    SB_PLL40_PAD #(
        .FEEDBACK_PATH(\"SIMPLE\"), .DIVR(4'd{divr}), .DIVF(7'd{divf}), .DIVQ(3'd{divq}), .FILTER_RANGE(3'd{filter})
    ) pll(
        .PACKAGEPIN(clk), .PLLOUTGLOBAL(generated), .LOCK(locked), .RESETB(1'b1), .BYPASS(1'b0)
    );
",
            divr = input - 1,
            divf = feedback - 1,
            divq = output.ilog2(),
            filter = filter_range(pll.detector_khz),
        ),
    }
}

/// The loop filter of an iCE40 PLL goes by the frequency at its phase detector.
fn filter_range(detector_khz: u32) -> u32 {
    let bounds = [17_000, 26_000, 44_000, 66_000, 101_000];
    1 + bounds.iter().filter(|&&bound| detector_khz >= bound).count() as u32
}

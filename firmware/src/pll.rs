//! PLL settings, computed.

/// Settings of a PLL. The clock is oscillator × `feedback` / `input` (iCE40: and / `output`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pll {
    /// The divider before the phase detector.
    pub input: u32,
    /// The divider of the feedback.
    pub feedback: u32,
    /// The divider after the oscillator.
    pub output: u32,
    /// The clock that it makes, in kHz, rounded down.
    pub clock_khz: u32,
    /// The frequency at the phase detector, in kHz, rounded down.
    pub detector_khz: u32,
    /// The frequency of its oscillator, in kHz, rounded down.
    pub vco_khz: u32,
}

/// What a PLL can do; ranges are in kHz, ends included. `README.md` says what they were checked against.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The largest input divider.
    pub max_input: u32,
    /// The largest feedback divider.
    pub max_feedback: u32,
    /// The output dividers that there are.
    pub outputs: &'static [u32],
    /// The feedback comes after the output divider.
    pub feedback_after_output: bool,
    /// The phase detector.
    pub detector_khz: (u32, u32),
    /// The oscillator.
    pub vco_khz: (u32, u32),
    /// The clock.
    pub clock_khz: (u32, u32),
}

const UP_TO_128: [u32; 128] = {
    let mut outputs = [0; 128];
    let mut i = 0;
    while i < 128 {
        outputs[i] = i as u32 + 1;
        i += 1;
    }
    outputs
};

/// EHXPLLL, with the feedback from its clock.
pub(crate) const ECP5: Limits = Limits {
    max_input: 128,
    max_feedback: 80,
    outputs: &UP_TO_128,
    feedback_after_output: true,
    detector_khz: (3_125, 400_000),
    vco_khz: (400_000, 800_000),
    clock_khz: (10_000, 400_000),
};

const GOWIN_OUTPUTS: &[u32] = &[2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128];

/// rPLL of a GW2AR-18 C8/I7.
pub(crate) const GW2AR: Limits = Limits {
    max_input: 64,
    max_feedback: 64,
    outputs: GOWIN_OUTPUTS,
    feedback_after_output: true,
    detector_khz: (3_000, 500_000),
    vco_khz: (500_000, 1_250_000),
    clock_khz: (3_907, 625_000),
};

/// rPLL of a GW1NR-9 C6/I5.
pub(crate) const GW1NR: Limits = Limits {
    detector_khz: (3_000, 400_000),
    vco_khz: (400_000, 1_200_000),
    clock_khz: (3_125, 600_000),
    ..GW2AR
};

/// `SB_PLL40_PAD`, with the simple feedback.
pub(crate) const ICE40: Limits = Limits {
    max_input: 16,
    max_feedback: 128,
    outputs: &[2, 4, 8, 16, 32, 64],
    feedback_after_output: false,
    detector_khz: (10_000, 133_000),
    vco_khz: (533_000, 1_066_000),
    clock_khz: (16_000, 275_000),
};

impl Pll {
    /// The settings that come nearest to a clock and are not above it, but for a fraction of a kHz. Of equals, those with the fastest phase detector and
    /// then the fastest oscillator, which jitter least.
    ///
    /// # Errors
    /// If there are none within a fifth of it.
    pub fn new(limits: &Limits, oscillator_khz: u32, clock_khz: u32) -> Result<Pll, PllError> {
        let lowest = u64::from(clock_khz) * 8 / 10;
        let mut best: Option<(u64, Pll)> = None;
        for input in 1..=limits.max_input {
            for feedback in 1..=limits.max_feedback {
                for &output in limits.outputs {
                    // In Hz, so that no comparison sees a rounded kHz.
                    let looped = u64::from(oscillator_khz) * 1000 * u64::from(feedback) / u64::from(input);
                    let (clock, vco) = match limits.feedback_after_output {
                        true => (looped, looped * u64::from(output)),
                        false => (looped / u64::from(output), looped),
                    };
                    let detector = u64::from(oscillator_khz) * 1000 / u64::from(input);
                    let within = |hz: u64, (low, high): (u32, u32)| {
                        (u64::from(low) * 1000..=u64::from(high) * 1000).contains(&hz)
                    };
                    let possible = within(clock, limits.clock_khz)
                        && within(vco, limits.vco_khz)
                        && within(detector, limits.detector_khz)
                        && (lowest * 1000..u64::from(clock_khz + 1) * 1000).contains(&clock);
                    let pll = Pll {
                        input,
                        feedback,
                        output,
                        clock_khz: (clock / 1000) as u32,
                        detector_khz: (detector / 1000) as u32,
                        vco_khz: (vco / 1000) as u32,
                    };
                    let rank = |clock: u64, pll: &Pll| (clock, pll.detector_khz, pll.vco_khz);
                    if possible && best.is_none_or(|(before, kept)| rank(clock, &pll) > rank(before, &kept)) {
                        best = Some((clock, pll));
                    }
                }
            }
        }
        best.map(|(_, pll)| pll).ok_or(PllError {
            oscillator_khz,
            clock_khz,
            lowest: limits.clock_khz.0,
            highest: limits.clock_khz.1,
        })
    }
}

/// No settings make this clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the PLL cannot make {} MHz from {} MHz; it makes {} to {} MHz",
    *clock_khz as f64 / 1000.0, *oscillator_khz as f64 / 1000.0, *lowest as f64 / 1000.0, *highest as f64 / 1000.0
)]
pub struct PllError {
    oscillator_khz: u32,
    clock_khz: u32,
    lowest: u32,
    highest: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clock_is_within_the_data_sheet() {
        for (limits, oscillator) in [
            (ECP5, 25_000),
            (ECP5, 48_000),
            (GW2AR, 27_000),
            (GW1NR, 27_000),
            (ICE40, 12_000),
        ] {
            for clock in (20_000..150_000).step_by(731) {
                let pll = Pll::new(&limits, oscillator, clock).expect("a common clock");
                let made = f64::from(oscillator) * f64::from(pll.feedback) / f64::from(pll.input);
                let (made, vco) = match limits.feedback_after_output {
                    true => (made, made * f64::from(pll.output)),
                    false => (made / f64::from(pll.output), made),
                };
                assert_eq!(pll.clock_khz, made.floor() as u32);
                assert!(
                    made < f64::from(clock + 1) && made > f64::from(clock) - 3_200.0,
                    "{clock}: {pll:?}"
                );
                assert!(
                    vco >= f64::from(limits.vco_khz.0) && vco <= f64::from(limits.vco_khz.1),
                    "{pll:?}"
                );
                let detector = f64::from(oscillator) / f64::from(pll.input);
                assert!(detector >= f64::from(limits.detector_khz.0), "{pll:?}");
                assert!(limits.outputs.contains(&pll.output));
            }
        }
    }

    #[test]
    fn known_settings() {
        // 25 × 4 = 100 MHz, and 8 × 100 is the fastest oscillator.
        let pll = Pll::new(&ECP5, 25_000, 100_000).expect("100 MHz");
        assert_eq!((pll.input, pll.feedback, pll.output, pll.vco_khz), (1, 4, 8, 800_000));
        // 27 × 2 = 54 MHz; 54 × 16 = 864 MHz.
        let pll = Pll::new(&GW2AR, 27_000, 54_000).expect("54 MHz");
        assert_eq!((pll.input, pll.feedback, pll.output), (1, 2, 16));
        // 12 × 64 = 768 MHz; / 32 = 24 MHz.
        let pll = Pll::new(&ICE40, 12_000, 24_000).expect("24 MHz");
        assert_eq!(
            (pll.input, pll.feedback, pll.output, pll.clock_khz),
            (1, 64, 32, 24_000)
        );
    }

    #[test]
    fn an_impossible_clock_is_refused() {
        let error = Pll::new(&ECP5, 25_000, 900_000).expect_err("too fast");
        assert_eq!(
            error.to_string(),
            "the PLL cannot make 900 MHz from 25 MHz; it makes 10 to 400 MHz"
        );
        assert!(Pll::new(&ICE40, 12_000, 5_000).is_err());
        assert!(Pll::new(&ECP5, 25_000, 0).is_err());
    }
}

use std::path::Path;

use super::{DEFAULT_BAUD, Link, Serial};

/// One accelerator, as a person names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The golden search on this machine's threads.
    Model,
    /// A board behind a serial port.
    Serial {
        /// The port.
        path: String,
        /// Bits a second.
        baud: u32,
    },
    /// A board behind PCIe, at this address.
    Pcie(String),
    /// The simulated chip: its number of cores, or a Verilog file; empty for one core.
    Verilated(String),
}

/// Why a list of accelerators is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// No such accelerator.
    #[error(
        "unknown accelerator '{0}': expected model, verilated, serial:PATH@BAUD or pcie:ADDRESS, with commas between \
         several"
    )]
    Unknown(String),
    /// A serial port without a path.
    #[error("'{0}' names no port: expected serial:PATH or serial:PATH@BAUD, as in serial:/dev/ttyUSB0@3000000")]
    NoPath(String),
    /// Not a number of bits a second.
    #[error("'{0}' has no such speed: expected bits a second after the @, as in serial:/dev/ttyUSB0@3000000")]
    Baud(String),
    /// Not a PCI address.
    #[error("'{0}' names no PCI device: expected pcie:ADDRESS, as in pcie:0000:01:00.0; bluebelle devices lists them")]
    Address(String),
    /// Neither a number of cores nor a Verilog file.
    #[error("'{0}' names no chip: expected verilated, verilated:CORES or verilated:FILE, with a file that is there")]
    NoChip(String),
    /// The same one twice.
    #[error("'{0}' is named twice: name each accelerator once")]
    Twice(String),
    /// The simulated chip sits behind a pseudo-terminal, and devices are mapped.
    #[error("'{0}' needs what this system does not have: it works on Unix only")]
    NoTerminal(String),
}

/// The accelerators in a list. An empty list, `none` or `software` has none: software alone.
///
/// # Errors
/// Says which name is wrong.
pub fn parse_sources(text: &str) -> Result<Vec<Source>, SourceError> {
    let text = text.trim();
    if matches!(text, "" | "none" | "software" | "<empty>") {
        return Ok(Vec::new());
    }
    let mut sources = Vec::new();
    for name in text.split(',').map(str::trim) {
        let source = parse_one(name)?;
        if sources.contains(&source) {
            return Err(SourceError::Twice(name.to_owned()));
        }
        sources.push(source);
    }
    Ok(sources)
}

fn parse_one(name: &str) -> Result<Source, SourceError> {
    match name.split_once(':').unwrap_or((name, "")) {
        ("model", "") => Ok(Source::Model),
        ("serial", port) => {
            let (path, baud) = match port.rsplit_once('@') {
                Some((path, baud)) => (path, baud.parse().ok().filter(|&baud| baud > 0)),
                None => (port, Some(DEFAULT_BAUD)),
            };
            match path {
                "" => Err(SourceError::NoPath(name.to_owned())),
                path => Ok(Source::Serial {
                    path: path.to_owned(),
                    baud: baud.ok_or_else(|| SourceError::Baud(name.to_owned()))?,
                }),
            }
        }
        ("verilated" | "pcie", _) if cfg!(not(unix)) => Err(SourceError::NoTerminal(name.to_owned())),
        #[cfg(unix)]
        ("pcie", address) => match super::pcie::full_address(address) {
            Some(address) => Ok(Source::Pcie(address)),
            None => Err(SourceError::Address(name.to_owned())),
        },
        ("verilated", chip) if is_chip(chip) => Ok(Source::Verilated(chip.to_owned())),
        ("verilated", _) => Err(SourceError::NoChip(name.to_owned())),
        _ => Err(SourceError::Unknown(name.to_owned())),
    }
}

fn is_chip(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit()) || Path::new(text).is_file()
}

impl Source {
    /// The line to it; `None` for the model, which needs none.
    pub fn link(&self) -> Option<Box<dyn Link>> {
        match self {
            Source::Model => None,
            Source::Serial { path, baud } => Some(Box::new(Serial::new(path, *baud))),
            #[cfg(unix)]
            Source::Pcie(address) => Some(Box::new(super::Pcie::new(address))),
            #[cfg(unix)]
            Source::Verilated(chip) => Some(Box::new(super::Verilated::new(chip))),
            #[cfg(not(unix))]
            Source::Verilated(_) | Source::Pcie(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let serial = |path: &str, baud| Source::Serial {
            path: path.to_owned(),
            baud,
        };
        assert_eq!(parse_sources(" "), Ok(vec![]));
        assert_eq!(
            parse_sources("model, serial:/dev/ttyUSB0@1000000,serial:COM3"),
            Ok(vec![
                Source::Model,
                serial("/dev/ttyUSB0", 1_000_000),
                serial("COM3", DEFAULT_BAUD)
            ])
        );
        #[cfg(unix)]
        assert_eq!(
            parse_sources("pcie:0000:0A:00.0,pcie:01:00.1"),
            Ok(["0000:0a:00.0", "0000:01:00.1"]
                .map(|address| Source::Pcie(address.to_owned()))
                .to_vec())
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, expected) in [
            ("modell", "unknown accelerator 'modell'"),
            ("model:4", "unknown accelerator 'model:4'"),
            ("model,,model", "unknown accelerator ''"),
            ("serial:", "'serial:' names no port"),
            ("serial:@9600", "'serial:@9600' names no port"),
            ("serial:/dev/x@fast", "'serial:/dev/x@fast' has no such speed"),
            ("serial:/dev/x@0", "'serial:/dev/x@0' has no such speed"),
            ("model,model", "'model' is named twice"),
            #[cfg(unix)]
            ("verilated:no/such.v", "'verilated:no/such.v' names no chip"),
            #[cfg(unix)]
            ("pcie:", "'pcie:' names no PCI device"),
            #[cfg(unix)]
            ("pcie:0000:01:00.0,pcie:01:00.0", "'pcie:01:00.0' is named twice"),
        ] {
            let error = parse_sources(text).expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}

use std::io::Write as _;
use std::time::Duration;

use bluebelle_sim::{Accelerator, AcceleratorError, Answer, ChipError, ClockedChip, LineAccelerator, Until};
use bluebelle_spec::Weights;
use bluebelle_spec::wire::{Message, Request};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;
use tokio::time::{Instant, timeout_at};

use super::{Line, Link, SourceError, parse_sources};

/// Why there is no such accelerator.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The name is none.
    #[error(
        "unknown accelerator '{0}': expected model, verilated, verilated:CORES, verilated:FILE, serial:PATH, \
         serial:PATH@BAUD or pcie:ADDRESS"
    )]
    Unknown(String),
    /// Several names.
    #[error("found {count} accelerators in '{names}', expected one: jobs of this command go to one accelerator")]
    Several {
        /// The names.
        names: String,
        /// How many they are.
        count: usize,
    },
    /// The name of a board is none.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The accelerator does not start or does not answer.
    #[error(transparent)]
    Accelerator(#[from] AcceleratorError),
}

impl From<ChipError> for OpenError {
    fn from(error: ChipError) -> OpenError {
        OpenError::Accelerator(error.into())
    }
}

/// Opens one accelerator for commands that run jobs and wait for them: those of [`bluebelle_sim::open`], or a board.
/// It evaluates with these weights.
///
/// Unlike a [pool](crate::pool), this has no software to fall back on: a lost board is an error.
///
/// # Errors
/// If there is no such accelerator, or it does not answer.
pub fn open_accelerator(name: &str, weights: &Weights) -> Result<Box<dyn Accelerator>, OpenError> {
    let board = matches!(name.split_once(':'), Some(("serial" | "pcie", _)));
    let sources = if board { parse_sources(name)? } else { Vec::new() };
    if sources.len() > 1 {
        let (names, count) = (name.to_owned(), sources.len());
        return Err(OpenError::Several { names, count });
    }
    match sources.first().and_then(super::Source::link) {
        Some(mut link) => {
            let mut chip = BoardChip::open(&mut *link)?;
            for warning in link.warnings() {
                let _ = writeln!(std::io::stderr(), "warning: {name}: {warning}");
            }
            // Whoever used it last may have left jobs, and their ids may be ours.
            let reset = Request::Reset.encode().unwrap_or_default();
            chip.exchange(
                &reset,
                Until {
                    frames: 0,
                    cycles: RESET,
                },
            )?;
            Ok(Box::new(LineAccelerator::open(link.name(), chip, weights)?))
        }
        None => bluebelle_sim::open(name, weights).map_err(|error| match error {
            AcceleratorError::Unknown(name) => OpenError::Unknown(name),
            error => error.into(),
        }),
    }
}

/// Microseconds in which a line takes a few bytes.
const RESET: u64 = 1_000_000;

/// A board as a chip whose clock runs: a cycle is a microsecond, and nobody can stop it.
struct BoardChip {
    name: String,
    runtime: Runtime,
    line: Box<dyn Line>,
    born: Instant,
}

fn lost(board: &str, problem: &dyn ToString) -> ChipError {
    ChipError::Board {
        board: board.to_owned(),
        problem: problem.to_string(),
    }
}

impl BoardChip {
    fn open(link: &mut dyn Link) -> Result<BoardChip, ChipError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| lost(link.name(), &error))?;
        let line = runtime.block_on(link.open());
        Ok(BoardChip {
            name: link.name().to_owned(),
            line: line.map_err(|error| lost(link.name(), &format!("cannot be opened: {error}")))?,
            runtime,
            born: Instant::now(),
        })
    }
}

impl ClockedChip for BoardChip {
    fn exchange(&mut self, bytes: &[u8], until: Until) -> Result<Answer, ChipError> {
        let (mut reader, mut writer) = tokio::io::split(&mut *self.line);
        let end = Instant::now() + Duration::from_micros(until.cycles);
        let exchange = async {
            let mut said = Vec::new();
            let (mut sent, mut frames) = (0, 0);
            let mut buffer = [0; 4096];
            while sent < bytes.len() || frames < until.frames as usize {
                let step = async {
                    tokio::select! {
                        biased;
                        read = reader.read(&mut buffer) => match read? {
                            0 => Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof)),
                            length => Ok((0, length)),
                        },
                        written = writer.write(&bytes[sent..]), if sent < bytes.len() => Ok((written?, 0)),
                    }
                };
                let (written, read) = match timeout_at(end, step).await {
                    // What it has not taken by now, it will not take.
                    Err(_) => break,
                    Ok(step) => step?,
                };
                sent += written;
                frames += buffer[..read].iter().filter(|&&byte| byte == 0).count();
                said.extend_from_slice(&buffer[..read]);
            }
            std::io::Result::Ok(said)
        };
        let bytes = self
            .runtime
            .block_on(exchange)
            .map_err(|error| lost(&self.name, &format!("the line failed ({error}): unplugged?")))?;
        Ok(Answer {
            bytes,
            untaken: 0,
            cycle: self.born.elapsed().as_micros() as u64,
        })
    }
}

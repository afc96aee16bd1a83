use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::clocked::{Answer, ChipError, ClockedChip, Until};

/// A Verilated chip in a process of its own. `main.cpp` tells what is said to it.
///
/// It uses no time while nobody asks anything of it, and ends with its host.
pub struct Process {
    child: Child,
    /// `None` once it has been told to end.
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    cycle: u64,
    recording: bool,
}

/// The bit of a request's cycles that asks for waveforms.
const RECORD: u64 = 1 << 63;

impl Process {
    /// Starts a program that [`super::build`] has made; with a `trace`, it writes waveforms there when it is told to
    /// [record](Process::record).
    ///
    /// # Errors
    /// If it does not start, or cannot write its waveforms.
    pub fn start(program: &Path, trace: Option<&Path>) -> Result<Process, ChipError> {
        if let Some(trace) = trace {
            // The program would not say that it cannot write there.
            File::create(trace).map_err(|error| ChipError::File {
                path: trace.to_owned(),
                problem: format!("waveforms cannot be written: {error}"),
            })?;
        }
        let mut command = Command::new(program);
        command.args(trace).stdin(Stdio::piped()).stdout(Stdio::piped());
        let problem = |error: io::Error| ChipError::File {
            path: program.to_owned(),
            problem: format!("cannot be started: {error}"),
        };
        let mut child = command.spawn().map_err(problem)?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        Ok(Process {
            child,
            to,
            from: BufReader::new(from.expect("it is piped")),
            cycle: 0,
            recording: false,
        })
    }

    /// From now on, records waveforms or does not.
    pub fn record(&mut self, recording: bool) {
        self.recording = recording;
    }

    fn try_exchange(&mut self, bytes: &[u8], until: Until) -> io::Result<Answer> {
        let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        let mut request = Vec::with_capacity(16 + bytes.len());
        request.extend(length.to_le_bytes());
        request.extend(until.frames.to_le_bytes());
        let cycles = until.cycles.min(RECORD - 1) | if self.recording { RECORD } else { 0 };
        request.extend(cycles.to_le_bytes());
        request.extend(bytes);
        let to = self.to.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        to.write_all(&request)?;
        to.flush()?;

        let length = self.read_u32()?;
        let untaken = self.read_u32()?;
        let mut cycle = [0; 8];
        self.from.read_exact(&mut cycle)?;
        let mut bytes = vec![0; length as usize];
        self.from.read_exact(&mut bytes)?;
        Ok(Answer {
            bytes,
            untaken: untaken as usize,
            cycle: u64::from_le_bytes(cycle),
        })
    }

    fn read_u32(&mut self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.from.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}

impl ClockedChip for Process {
    fn exchange(&mut self, bytes: &[u8], until: Until) -> Result<Answer, ChipError> {
        match self.try_exchange(bytes, until) {
            Ok(answer) => {
                self.cycle = answer.cycle;
                Ok(answer)
            }
            Err(error) => {
                // It has ended, or will when its input does.
                self.to = None;
                let ended = self.child.wait().map(|status| status.to_string());
                Err(ChipError::Stopped {
                    cycle: self.cycle,
                    problem: ended.unwrap_or_else(|_| error.to_string()),
                })
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.to = None;
        // It ends by itself now; waveforms are complete when it has.
        let _ = self.child.wait();
    }
}

//! Any UCI engine, as another column.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::outcome::EngineColumn;
use crate::epd::Problem;

/// An engine in a process of its own.
pub struct Engine {
    path: PathBuf,
    name: String,
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

/// Why an engine is of no use.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// It does not start.
    #[error("{path}: cannot be started ({error}): is it a program?")]
    Start {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// It ended.
    #[error("{path}: the engine has ended")]
    Ended {
        /// Which.
        path: PathBuf,
    },
    /// It does not answer.
    #[error("{path}: no '{expected}' for {} s: does it speak UCI?", .patience.as_secs())]
    Silent {
        /// Which.
        path: PathBuf,
        /// What it should have said.
        expected: &'static str,
        /// How long was waited.
        patience: Duration,
    },
}

/// How long an engine may take to say that it is there, or to stop.
const PATIENCE: Duration = Duration::from_secs(20);

impl Engine {
    /// Starts an engine, with one thread if it lets itself be told so.
    ///
    /// # Errors
    /// If it does not start or does not speak UCI.
    pub fn start(path: &Path) -> Result<Engine, EngineError> {
        let refuse = |error| EngineError::Start {
            path: path.to_owned(),
            error,
        };
        let mut command = Command::new(path);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut process = command.spawn().map_err(refuse)?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(refuse(io::ErrorKind::BrokenPipe.into()));
        };
        let (sender, lines) = channel();
        thread::spawn(move || {
            // Ends with the engine, or with whoever listens.
            let _ = BufReader::new(output)
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line));
        });
        let mut engine = Engine {
            path: path.to_owned(),
            name: path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
            process,
            input,
            lines,
        };
        engine.say("uci")?;
        let mut threads = false;
        let mut name = None;
        engine.hear("uciok", PATIENCE, |line| {
            if let Some(told) = line.strip_prefix("id name ") {
                name = Some(told.trim().to_owned());
            }
            threads |= line.starts_with("option name Threads ");
        })?;
        if let Some(name) = name.filter(|name| !name.is_empty()) {
            engine.name = name;
        }
        if threads {
            engine.say("setoption name Threads value 1")?;
        }
        engine.settle()?;
        Ok(engine)
    }

    /// What it calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Searches a position for so long.
    ///
    /// # Errors
    /// If it ends or goes quiet.
    pub fn solve(&mut self, problem: &Problem, fen: &str, time: Duration) -> Result<EngineColumn, EngineError> {
        self.say("ucinewgame")?;
        self.settle()?;
        self.say(&format!("position fen {fen}"))?;
        self.say(&format!("go movetime {}", time.as_millis().max(1)))?;
        let began = Instant::now();
        let mut said = Said::default();
        let last = self.hear("bestmove", time + PATIENCE, |line| {
            said.take(line, began.elapsed(), problem)
        })?;
        let best = last.split_whitespace().nth(1).unwrap_or_default().to_owned();
        let solved = is_solved(problem, &best);
        Ok(EngineColumn {
            name: self.name.clone(),
            nps: said.nodes as f64 / said.time.as_secs_f64().max(1e-6),
            depth: said.depth,
            best,
            // Moves may change without a line that says so: what counts in the end is the move that
            // is played.
            found: said.right_since.filter(|_| solved).map(|time| time.as_secs_f64()),
        })
    }

    fn settle(&mut self) -> Result<(), EngineError> {
        self.say("isready")?;
        self.hear("readyok", PATIENCE, |_| {}).map(|_| ())
    }

    fn say(&mut self, text: &str) -> Result<(), EngineError> {
        let said = writeln!(self.input, "{text}").and_then(|()| self.input.flush());
        said.map_err(|_| EngineError::Ended {
            path: self.path.clone(),
        })
    }

    /// Listens until a line begins with this word; gives that line.
    fn hear(
        &mut self,
        expected: &'static str,
        patience: Duration,
        mut each: impl FnMut(&str),
    ) -> Result<String, EngineError> {
        let end = Instant::now() + patience;
        loop {
            match self.lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) if line.split_whitespace().next() == Some(expected) => return Ok(line),
                Ok(line) => each(&line),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(EngineError::Ended {
                        path: self.path.clone(),
                    });
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(EngineError::Silent {
                        path: self.path.clone(),
                        expected,
                        patience,
                    });
                }
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.say("quit");
        for _ in 0..20 {
            if let Ok(Some(_)) = self.process.try_wait() {
                return;
            }
            thread::sleep(Duration::from_millis(25));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What an engine's `info` lines have said.
#[derive(Default)]
struct Said {
    nodes: u64,
    time: Duration,
    depth: u32,
    right_since: Option<Duration>,
}

impl Said {
    fn take(&mut self, line: &str, now: Duration, problem: &Problem) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() != Some(&"info") || words.get(1) == Some(&"string") {
            return;
        }
        let after = |name: &str| {
            let at = words.iter().position(|word| *word == name)?;
            words.get(at + 1).copied()
        };
        let count = |name: &str| after(name).and_then(|text| text.parse::<u64>().ok());
        if let Some(nodes) = count("nodes") {
            self.nodes = nodes;
            self.time = count("time")
                .map_or(now, Duration::from_millis)
                .max(Duration::from_millis(1));
        }
        if let Some(depth) = count("depth") {
            self.depth = depth as u32;
        }
        if let Some(best) = after("pv") {
            self.right_since = if is_solved(problem, best) {
                self.right_since.or(Some(now))
            } else {
                None
            };
        }
    }
}

fn is_solved(problem: &Problem, best: &str) -> bool {
    let among = |moves: &[bluebelle_spec::Move]| moves.iter().any(|mv| mv.to_string() == best);
    match (problem.best.is_empty(), problem.avoid.is_empty()) {
        (true, true) => false,
        (false, _) => among(&problem.best) && !among(&problem.avoid),
        (true, false) => !among(&problem.avoid),
    }
}

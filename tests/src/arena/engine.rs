//! An engine in a process of its own.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Why an engine is of no use any more.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// It cannot be started.
    #[error("cannot start '{command}': {source}")]
    Start {
        /// The command line.
        command: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is no longer there.
    #[error("{name} has gone away")]
    Gone {
        /// The engine.
        name: String,
    },
    /// It does not answer.
    #[error("{name} did not answer '{question}' within {seconds} s")]
    Silent {
        /// The engine.
        name: String,
        /// What it was asked.
        question: String,
        /// How long it had.
        seconds: u64,
    },
}

/// How long an engine may take for what is not thinking.
const PATIENCE: Duration = Duration::from_secs(20);

/// A move and what came with it.
#[derive(Clone, Debug)]
pub struct Played {
    /// As UCI writes it.
    pub mv: String,
    /// From `go` to `bestmove`.
    pub time: Duration,
    /// The last score told, in centipawns; mates are ±30,000.
    pub score: Option<i32>,
}

/// A running engine.
pub struct Engine {
    name: String,
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    /// Starts an engine from a command line, and sets options `Name=value` separated by semicolons.
    ///
    /// # Errors
    /// If it does not start or does not speak UCI.
    pub fn start(command: &str, options: &str) -> Result<Engine, EngineError> {
        let failed = |source| EngineError::Start {
            command: command.to_owned(),
            source,
        };
        let mut words = command.split_ascii_whitespace();
        let mut child = Command::new(words.next().unwrap_or_default())
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let missing = || failed(std::io::Error::other("no pipe"));
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut engine = Engine {
            name: command.to_owned(),
            child,
            input,
            lines,
        };
        engine.say("uci")?;
        engine.wait_for("uciok")?;
        for option in options.split(';').filter(|option| !option.trim().is_empty()) {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            engine.say(&format!("setoption name {} value {}", name.trim(), value.trim()))?;
        }
        engine.ready()?;
        Ok(engine)
    }

    /// The command line it was started with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Tells the engine that a new game begins.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.say("ucinewgame")?;
        self.ready()
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If the engine has gone.
    pub fn say(&mut self, line: &str) -> Result<(), EngineError> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|_| self.gone())
    }

    /// Sends `go …` and waits for the move, at most so long.
    ///
    /// # Errors
    /// If the engine has gone or says nothing in time.
    pub fn go(&mut self, position: &str, go: &str, at_most: Duration) -> Result<Played, EngineError> {
        self.say(position)?;
        let started = Instant::now();
        self.say(go)?;
        let mut score = None;
        loop {
            let line = self.next_line(go, at_most.saturating_sub(started.elapsed()))?;
            score = score_in(&line).or(score);
            let mut words = line.split_ascii_whitespace();
            if words.next() == Some("bestmove") {
                return Ok(Played {
                    mv: words.next().unwrap_or_default().to_owned(),
                    time: started.elapsed(),
                    score,
                });
            }
        }
    }

    fn ready(&mut self) -> Result<(), EngineError> {
        self.say("isready")?;
        self.wait_for("readyok")
    }

    fn wait_for(&mut self, answer: &str) -> Result<(), EngineError> {
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if self.next_line(answer, left)?.trim() == answer {
                return Ok(());
            }
        }
    }

    fn next_line(&self, question: &str, at_most: Duration) -> Result<String, EngineError> {
        self.lines.recv_timeout(at_most).map_err(|error| match error {
            RecvTimeoutError::Disconnected => self.gone(),
            RecvTimeoutError::Timeout => EngineError::Silent {
                name: self.name.clone(),
                question: question.to_owned(),
                seconds: at_most.as_secs(),
            },
        })
    }

    fn gone(&self) -> EngineError {
        EngineError::Gone {
            name: self.name.clone(),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.say("quit");
        let until = Instant::now() + Duration::from_secs(2);
        while Instant::now() < until {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The score in an `info` line.
fn score_in(line: &str) -> Option<i32> {
    let mut words = line.split_ascii_whitespace().skip_while(|&word| word != "score");
    words.next()?;
    let kind = words.next()?;
    let number: i32 = words.next()?.parse().ok()?;
    match kind {
        "cp" => Some(number),
        "mate" if number > 0 => Some(30_000),
        "mate" => Some(-30_000),
        _ => None,
    }
}

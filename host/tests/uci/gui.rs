use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Far longer than anything here takes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A GUI with its engine.
pub(crate) struct Gui {
    pub(crate) child: Child,
    pub(crate) input: ChildStdin,
    lines: Receiver<String>,
}

impl Gui {
    pub(crate) fn new() -> Gui {
        Gui::with(&mut Command::new(env!("CARGO_BIN_EXE_bluebelle")))
    }

    /// With an engine that is started by another command.
    pub(crate) fn with(command: &mut Command) -> Gui {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Gui { child, input, lines }
    }

    pub(crate) fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the engine listens");
    }

    /// The lines up to the one that starts so, which is the last.
    pub(crate) fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("waited for '{start}' after {lines:?}"));
            let found = line.starts_with(start);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    pub(crate) fn best_move(&mut self) -> String {
        let lines = self.until("bestmove");
        lines
            .last()
            .and_then(|line| line.split(' ').nth(1))
            .expect("a move")
            .to_owned()
    }

    pub(crate) fn ask(&mut self, line: &str, answer: &str) -> Vec<String> {
        self.say(line);
        self.until(answer)
    }

    pub(crate) fn quit(mut self) {
        self.say("quit");
        let until = Instant::now() + PATIENCE;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().expect("a status") {
                assert!(status.success(), "{status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the engine does not quit");
    }
}

impl Drop for Gui {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

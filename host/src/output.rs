//! What the commands print. Results go to standard output, and a command whose results cannot be
//! written has failed; remarks go to standard error, and nothing depends on them.

use std::fmt::Arguments;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

/// Why nothing more can be printed.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to standard output: {0}")]
struct OutputError(io::Error);

/// Marks an error as one of standard output, whose kind stays.
fn mark(error: io::Error) -> io::Error {
    io::Error::new(error.kind(), OutputError(error))
}

/// Writes a line.
pub(crate) fn line(text: Arguments<'_>) -> io::Result<()> {
    writeln!(io::stdout(), "{text}").map_err(mark)
}

/// Writes text as it is, all of it.
pub(crate) fn text(text: &str) -> io::Result<()> {
    io::stdout().write_all(text.as_bytes()).map_err(mark)?;
    flush()
}

/// Writes what is still kept back.
pub(crate) fn flush() -> io::Result<()> {
    io::stdout().flush().map_err(mark)
}

/// Whether a file can be written, so that nothing is computed in vain. A file that is there keeps
/// what it has; one that is not there is not left behind.
pub(crate) fn check_file(path: &Path) -> anyhow::Result<()> {
    let is_new = !path.exists();
    let opened = OpenOptions::new().append(true).create(true).open(path);
    let file = opened.with_context(|| format!("cannot write {}", path.display()))?;
    drop(file);
    if is_new {
        // Whoever writes the file later makes it again.
        let _ = fs::remove_file(path);
    }
    Ok(())
}

/// Whether the reader of standard output has gone away, which is the reader's choice and no
/// failure.
pub(crate) fn is_closed(error: &anyhow::Error) -> bool {
    let error = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>());
    error.is_some_and(|error| {
        let of_output = error.get_ref().is_some_and(|inner| inner.is::<OutputError>());
        of_output && error.kind() == io::ErrorKind::BrokenPipe
    })
}

/// Prints a line of results.
macro_rules! say {
    ($($text:tt)*) => {
        $crate::output::line(format_args!($($text)*))?
    };
}

/// Prints a line of remarks, if standard error takes it.
macro_rules! note {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

pub(crate) use {note, say};

/// Standard output as a writer that remembers its first failure, for those that go on without it.
#[derive(Clone, Default)]
pub(crate) struct Remembering(std::sync::Arc<std::sync::Mutex<Option<io::Error>>>);

impl Remembering {
    /// What went wrong first.
    pub(crate) fn failure(&self) -> Option<io::Error> {
        self.lock().take().map(mark)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<io::Error>> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn remember<T>(&self, done: io::Result<T>) -> io::Result<T> {
        done.map_err(|error| {
            let kind = error.kind();
            self.lock().get_or_insert(error);
            kind.into()
        })
    }
}

impl Write for Remembering {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.remember(io::stdout().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.remember(io::stdout().flush())
    }
}

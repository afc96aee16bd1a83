use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::openpty;
use nix::sys::termios::{SetArg, cfmakeraw, tcgetattr, tcsetattr};
use nix::unistd::ttyname;

use super::HostLine;

/// A pseudo-terminal in raw mode: other programs open its [path](Pty::path) as if it were a serial port.
pub struct Pty {
    ours: File,
    /// Kept open, so that clients may come and go.
    _theirs: OwnedFd,
    path: PathBuf,
    link: Option<PathBuf>,
}

impl Pty {
    /// Opens a new one; with a `link`, that path leads to it as long as it lives.
    ///
    /// # Errors
    /// If the system has none left, or something other than a symbolic link is in the way.
    pub fn open(link: Option<&Path>) -> io::Result<Pty> {
        let pair = openpty(None, None)?;
        let mut modes = tcgetattr(&pair.slave)?;
        cfmakeraw(&mut modes);
        tcsetattr(&pair.slave, SetArg::TCSANOW, &modes)?;
        let path = ttyname(&pair.slave)?;
        fcntl(&pair.master, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        if let Some(link) = link {
            replace_link(&path, link)?;
        }
        Ok(Pty {
            ours: File::from(pair.master),
            _theirs: pair.slave,
            path,
            link: link.map(Path::to_owned),
        })
    }

    /// Where other programs find it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until there is something to read, or room to write, or `patience` is at an end.
    ///
    /// # Errors
    /// If the pseudo-terminal is lost.
    pub fn wait(&self, read: bool, write: bool, patience: Duration) -> io::Result<()> {
        let mut events = PollFlags::empty();
        events.set(PollFlags::POLLIN, read);
        events.set(PollFlags::POLLOUT, write);
        let timeout = PollTimeout::try_from(patience).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(self.ours.as_fd(), events)], timeout) {
            Ok(_) | Err(Errno::EINTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// What there is to read, which may be nothing.
    ///
    /// # Errors
    /// If the pseudo-terminal is lost.
    pub fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; 4096];
        let length = nothing_yet(self.ours.read(&mut bytes))?;
        bytes.truncate(length);
        Ok(bytes)
    }

    /// Writes as many of the bytes as there is room for, and says how many.
    ///
    /// # Errors
    /// If the pseudo-terminal is lost.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match bytes.is_empty() {
            true => Ok(0),
            false => nothing_yet(self.ours.write(bytes)),
        }
    }
}

impl HostLine for Pty {
    fn wait(&mut self, read: bool, write: bool, patience: Duration) -> io::Result<()> {
        Pty::wait(self, read, write, patience)
    }

    fn read(&mut self) -> io::Result<Vec<u8>> {
        Pty::read(self)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Pty::write(self, bytes)
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        // Another board may have taken the name since.
        if let Some(link) = &self.link
            && fs::read_link(link).is_ok_and(|target| target == self.path)
        {
            let _ = fs::remove_file(link);
        }
    }
}

fn nothing_yet(result: io::Result<usize>) -> io::Result<usize> {
    match result {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(0),
        result => result,
    }
}

/// A link that a board left behind is replaced; anything else is not ours to remove.
fn replace_link(target: &Path, link: &Path) -> io::Result<()> {
    if fs::symlink_metadata(link).is_ok_and(|found| found.is_symlink()) {
        fs::remove_file(link)?;
    }
    symlink(target, link).map_err(|error| {
        let problem = format!("cannot link {} to {}: {error}", link.display(), target.display());
        io::Error::new(error.kind(), problem)
    })
}

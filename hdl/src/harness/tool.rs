//! Running the tools that tests need, in directories of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, io, process};

/// A new directory for temporary files; what goes wrong leaves it there to be looked at.
pub(super) fn scratch(purpose: &str) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = env::temp_dir().join(format!("bluebelle-{purpose}-{}-{number}", process::id()));
    fs::create_dir_all(&path).unwrap_or_else(|error| panic!("cannot make {}: {error}", path.display()));
    path
}

/// Removes such a directory. A leftover is no reason to fail.
pub(super) fn remove(directory: &Path) {
    let _ = fs::remove_dir_all(directory);
}

pub(super) fn write(directory: &Path, name: &str, text: &str) {
    let path = directory.join(name);
    fs::write(&path, text).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
}

/// Whether the command is on the PATH.
pub(super) fn is_installed(command: &str) -> bool {
    env::var_os("PATH").is_some_and(|path| env::split_paths(&path).any(|folder| folder.join(command).is_file()))
}

/// Runs a command in a directory, and gives what it printed, errors included; `Err` if it failed.
pub(super) fn run(directory: &Path, command: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(command).args(arguments).current_dir(directory).output();
    let text = |output: &Output| {
        let parts = [&output.stdout, &output.stderr];
        parts.map(|part| String::from_utf8_lossy(part)).concat()
    };
    match output {
        Ok(output) if output.status.success() => Ok(text(&output)),
        Ok(output) => Err(text(&output)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let package = if command == "vvp" { "iverilog" } else { command };
            panic!("{command} is not on the PATH; install it (Debian: apt install {package})")
        }
        Err(error) => panic!("cannot run {command}: {error}"),
    }
}

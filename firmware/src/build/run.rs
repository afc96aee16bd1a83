//! Running a tool: in its folder, with a sign of life now and then, and not longer than we run.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::{BuildError, file_error};
use crate::tools::Found;

/// How long the end of a tool, or of the build, may go unnoticed.
const LOOK: Duration = Duration::from_millis(100);

/// Bytes at the end of a log that are looked at.
const TAIL: u64 = 4096;

/// The most characters of a log's line that are told.
const SHOWN: usize = 70;

/// Who hears of a tool that takes its time, and who ends it.
pub(crate) struct Watch<'a> {
    /// Is told what the tool does.
    pub(crate) say: &'a mut dyn FnMut(&str),
    /// How often.
    pub(crate) pulse: Duration,
    /// Ends the tool.
    pub(crate) stop: &'a AtomicBool,
    /// How long the tool takes, if that is known.
    pub(crate) estimate: Option<f64>,
    /// Where the tool writes what it does, if not on its output.
    pub(crate) log: Option<&'a str>,
}

/// Whether a YoWASP tool cannot see a folder: it has a temporary directory of its own.
pub(super) fn check_visible(folder: &Path, found: &Found) -> Result<(), BuildError> {
    let name = name(found);
    if name.starts_with("yowasp") && folder.starts_with(std::env::temp_dir()) {
        let folder = folder.to_owned();
        return Err(BuildError::Unseen { folder, tool: name });
    }
    Ok(())
}

fn name(found: &Found) -> String {
    let name = found.program.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Runs a tool in the folder, with relative paths: YoWASP's see no others.
pub(crate) fn run_tool(
    folder: &Path,
    found: &Found,
    arguments: &[&str],
    log: &str,
    watch: &mut Watch<'_>,
) -> Result<(), BuildError> {
    let path = folder.join(log);
    let folder = fs::canonicalize(folder).map_err(|error| file_error("open", folder, error))?;
    check_visible(&folder, found)?;
    let file = File::create(&path).map_err(|error| file_error("write", &path, error))?;
    let copy = file.try_clone().map_err(|error| file_error("write", &path, error))?;
    let mut command = found.command();
    command.args(arguments).current_dir(&folder).stdin(Stdio::null());
    command.stdout(file).stderr(copy);
    // A tool starts others, such as ABC: they are one group, which ends together.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command
        .spawn()
        .map_err(|error| file_error("run", &found.program, error))?;
    let shown = folder.join(watch.log.unwrap_or(log));
    let status = wait(&mut child, &shown, watch).map_err(|error| file_error("wait for", &found.program, error))?;
    let Some(status) = status else {
        return Err(BuildError::Interrupted);
    };
    if status.success() {
        return Ok(());
    }
    let text = fs::read(&path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let error = text
        .lines()
        .rev()
        .find(|line| line.contains("ERROR") || line.contains("rror:"));
    let problem = error
        .or(text.lines().last())
        .unwrap_or("it said nothing")
        .trim()
        .to_owned();
    Err(BuildError::Failed {
        tool: name(found),
        problem: format!("{problem} ({status})"),
        log: path,
    })
}

/// Waits for the tool's end; `None` if it was ended.
fn wait(child: &mut Child, log: &Path, watch: &mut Watch<'_>) -> std::io::Result<Option<ExitStatus>> {
    let began = Instant::now();
    let mut told = began;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if watch.stop.load(Relaxed) {
            end(child);
            child.wait()?;
            return Ok(None);
        }
        if told.elapsed() >= watch.pulse {
            told = Instant::now();
            let doing = last_words(log).map_or(String::new(), |words| format!(": {words}"));
            let line = format!("  {}{doing}", time(began.elapsed(), watch.estimate));
            (watch.say)(&line);
        }
        thread::sleep(LOOK);
    }
}

/// Ends a tool and whatever it has started. It need not tidy up: what it has written is not used.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(group) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};

        let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
    }
    let _ = child.kill();
}

/// `95 s of about 4 min`.
fn time(elapsed: Duration, estimate: Option<f64>) -> String {
    let rough = |seconds: f64| match seconds as u64 {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min", (seconds + 30) / 60),
    };
    let elapsed = rough(elapsed.as_secs_f64());
    match estimate {
        Some(seconds) => format!("{elapsed} of about {}", rough(seconds)),
        None => elapsed,
    }
}

/// What the tool's log says last: the pass that runs, or its last line.
fn last_words(log: &Path) -> Option<String> {
    let mut file = File::open(log).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let mut bytes = Vec::new();
    file.take(TAIL).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = || text.lines().rev().map(str::trim);
    let pass = lines().find(|line| line.contains(". Executing "));
    let line = pass.or_else(|| lines().find(|line| !line.is_empty()))?;
    let line: String = line.chars().filter(|letter| !letter.is_control()).take(SHOWN).collect();
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_told_roughly() {
        assert_eq!(time(Duration::from_secs(95), None), "95 s");
        assert_eq!(time(Duration::from_secs(95), Some(222.7)), "95 s of about 4 min");
    }

    #[test]
    fn the_pass_that_runs_is_told() {
        let log = std::env::temp_dir().join(format!("bluebelle-log-{}", std::process::id()));
        fs::write(&log, "2.1. Executing PROC pass.\n\ncleaning up\n\n").expect("a file");
        assert_eq!(last_words(&log).as_deref(), Some("2.1. Executing PROC pass."));
        fs::write(&log, "Info: one\nInfo: two\n").expect("a file");
        assert_eq!(last_words(&log).as_deref(), Some("Info: two"));
        fs::write(&log, "").expect("a file");
        assert_eq!(last_words(&log), None);
        let _ = fs::remove_file(&log);
    }
}

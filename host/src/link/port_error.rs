use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Says what to do about a serial port that cannot be opened, where that is known.
pub(super) fn explain(port: &Path, error: io::Error) -> io::Error {
    let hint = match error.kind() {
        _ if !may_be_a_line(port) || error.to_string().contains("typewriter") => {
            "not a serial line: expected a port, as in serial:/dev/ttyUSB0@3000000; `bluebelle devices` lists those that answer"
        }
        ErrorKind::PermissionDenied => {
            "join the port's group with `sudo usermod -aG dialout $USER` (uucp on some systems) and log in again, or write a udev \
             rule: SUBSYSTEM==\"tty\", ATTRS{idVendor}==\"0403\", MODE=\"0666\""
        }
        ErrorKind::NotFound if !port.exists() => "is the board plugged in? `bluebelle devices` lists those that answer",
        _ if error.to_string().contains("busy") => "another program has the port: end it",
        _ => return error,
    };
    io::Error::new(error.kind(), format!("{error} ({hint})"))
}

/// A file that is there and no device is no line.
fn may_be_a_line(port: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        fs::metadata(port).map_or(true, |file| file.file_type().is_char_device())
    }
    #[cfg(not(unix))]
    {
        fs::metadata(port).map_or(true, |file| !file.is_dir())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::super::{Link, Serial};
    use super::*;

    fn explained(port: &str, kind: ErrorKind) -> String {
        explain(Path::new(port), kind.into()).to_string()
    }

    #[test]
    fn what_can_be_done_is_said() {
        let denied = explained("/dev/tty", ErrorKind::PermissionDenied);
        assert!(
            denied.starts_with("permission denied (join the port's group with `sudo usermod"),
            "{denied}"
        );
        assert!(denied.contains("udev"), "{denied}");
        let missing = explained("/dev/no-such-port", ErrorKind::NotFound);
        assert!(missing.contains("is the board plugged in?"), "{missing}");
        assert_eq!(explained("/dev/tty", ErrorKind::TimedOut), "timed out");
    }

    #[test]
    fn what_is_no_serial_line_is_told_as_such() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        for port in ["/dev/null", "/dev", "/etc/passwd"] {
            let mut serial = Serial::new(port, 115_200);
            let opened = runtime.block_on(async { serial.open().await.map(drop) });
            let problem = opened.expect_err(port).to_string();
            assert!(
                problem.contains("(not a serial line: expected a port"),
                "{port}: {problem}"
            );
        }
    }
}

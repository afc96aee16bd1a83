use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Where Linux shows its terminals.
pub(super) const SYSFS: &str = "/sys/class/tty";

/// What the timer is set to, in milliseconds: the least that it can be.
const LOW: u32 = 1;

/// The most that the timer can be.
const MOST: u32 = 255;

/// Sets the latency timer of a USB serial port to 1 ms, if the port has one; the answer is what is
/// wrong with it.
///
/// A chip such as the FT231X keeps what the board says until it has 62 bytes or until the timer
/// ends: 16 ms unless told otherwise. The driver's flag `ASYNC_LOW_LATENCY` sets the same timer;
/// the flag takes an `ioctl` of which no safe crate has the layout, so it is left alone.
pub(super) fn lower(sysfs: &Path, port: &Path) -> Option<String> {
    // By-id names and the like are links.
    let terminal = fs::canonicalize(port).ok()?;
    let timer = sysfs.join(terminal.file_name()?).join("device/latency_timer");
    lower_by(&timer, |timer| {
        OpenOptions::new()
            .write(true)
            .open(timer)?
            .write_all(LOW.to_string().as_bytes())
    })
}

fn lower_by(timer: &Path, write: impl FnOnce(&Path) -> io::Result<()>) -> Option<String> {
    let place = timer.display();
    let found = match fs::read_to_string(timer) {
        Ok(found) => found,
        // A pseudo-terminal, or a chip without such a timer.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return None,
        Err(error) => {
            return Some(format!(
                "latency timer cannot be read ({place}: {error}); a board may answer up to 16 ms late; expected a file with the \
                 timer's milliseconds"
            ));
        }
    };
    let found = found.trim();
    let Some(milliseconds) = found.parse().ok().filter(|found| (LOW..=MOST).contains(found)) else {
        return Some(format!(
            "latency timer is '{}', expected {LOW} to {MOST} milliseconds; {place} is left as it is, and a board may answer late",
            found.chars().take(20).collect::<String>().escape_debug()
        ));
    };
    if milliseconds == LOW {
        return None;
    }
    let error = write(timer).err()?;
    Some(format!(
        "latency timer is {milliseconds} ms and cannot be set to {LOW} ({error}); a board answers up to {milliseconds} ms late; to \
         fix: `echo {LOW} | sudo tee {place}`, or for good a udev rule: ACTION==\"add\", SUBSYSTEM==\"usb-serial\", \
         DRIVER==\"ftdi_sio\", ATTR{{latency_timer}}=\"{LOW}\""
    ))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;
    use std::{env, process};

    use super::*;

    /// A folder with a port, a link to it, and the system's view of it.
    struct Machine(PathBuf);

    impl Machine {
        fn new(name: &str) -> Machine {
            let folder = env::temp_dir().join(format!("bluebelle-timer-{name}-{}", process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(folder.join("sysfs/ttyUSB7/device")).unwrap();
            fs::create_dir_all(folder.join("by-id")).unwrap();
            fs::write(folder.join("ttyUSB7"), "").unwrap();
            symlink("../ttyUSB7", folder.join("by-id/ulx3s")).unwrap();
            Machine(folder)
        }

        fn timer(&self) -> PathBuf {
            self.0.join("sysfs/ttyUSB7/device/latency_timer")
        }

        fn lower(&self, port: &str) -> Option<String> {
            lower(&self.0.join("sysfs"), &self.0.join(port))
        }
    }

    impl Drop for Machine {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_timer_is_set_by_any_name_of_its_port() {
        let machine = Machine::new("set");
        for port in ["ttyUSB7", "by-id/ulx3s"] {
            // The system's file keeps no more than what is written; this one keeps the line's end.
            fs::write(machine.timer(), "8").unwrap();
            assert_eq!(machine.lower(port), None, "{port}");
            assert_eq!(fs::read_to_string(machine.timer()).unwrap(), "1", "{port}");
        }
    }

    #[test]
    fn a_timer_that_is_low_is_left_alone() {
        let machine = Machine::new("low");
        fs::write(machine.timer(), "1\n").unwrap();
        let refuse = |_: &Path| -> io::Result<()> { panic!("nothing is to be written") };
        assert_eq!(lower_by(&machine.timer(), refuse), None);
        assert_eq!(machine.lower("by-id/ulx3s"), None);
        assert_eq!(fs::read_to_string(machine.timer()).unwrap(), "1\n");
    }

    #[test]
    fn ports_without_a_timer_are_no_error() {
        let machine = Machine::new("absent");
        assert_eq!(machine.lower("ttyUSB7"), None);
        assert_eq!(machine.lower("no such port"), None);
        fs::remove_dir_all(machine.0.join("sysfs")).unwrap();
        assert_eq!(machine.lower("ttyUSB7"), None);
        assert!(!machine.timer().exists());
    }

    #[test]
    fn a_timer_that_may_not_be_set_is_told_with_what_to_do() {
        let machine = Machine::new("forbidden");
        fs::write(machine.timer(), "16\n").unwrap();
        // Root may write whatever there is, so the refusal is ours.
        let problem = lower_by(&machine.timer(), |_| Err(ErrorKind::PermissionDenied.into())).unwrap();
        let told = [
            "latency timer is 16 ms",
            "permission denied",
            "up to 16 ms late",
            &format!("`echo 1 | sudo tee {}`", machine.timer().display()),
            "DRIVER==\"ftdi_sio\", ATTR{latency_timer}=\"1\"",
        ];
        for told in told {
            assert!(problem.contains(told), "{told}: {problem}");
        }
        assert_eq!(problem.lines().count(), 1, "{problem}");
        assert_eq!(fs::read_to_string(machine.timer()).unwrap(), "16\n");
    }

    #[test]
    fn what_is_no_timer_is_told_and_left_alone() {
        let machine = Machine::new("folder");
        fs::create_dir(machine.timer()).unwrap();
        let problem = machine.lower("ttyUSB7").unwrap();
        assert!(problem.starts_with("latency timer cannot be read"), "{problem}");
        fs::remove_dir(machine.timer()).unwrap();

        for nonsense in ["soon", "", "0", "-1", "256", "1 2", "\u{1b}[31m"] {
            fs::write(machine.timer(), nonsense).unwrap();
            let problem = machine.lower("ttyUSB7").unwrap();
            assert!(problem.contains("expected 1 to 255 milliseconds"), "{problem}");
            assert!(!problem.contains('\u{1b}'), "{problem}");
            assert_eq!(fs::read_to_string(machine.timer()).unwrap(), nonsense);
        }
        fs::write(machine.timer(), [0xff, 0xfe]).unwrap();
        assert!(machine.lower("ttyUSB7").unwrap().contains("cannot be read"));
    }
}

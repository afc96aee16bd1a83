use std::io;
use std::path::{Path, PathBuf};

use tokio_serial::{SerialPort, SerialPortBuilderExt};

use super::{Line, Link, Opening, latency_timer, port_error};

/// The speed of a board's serial port unless told otherwise.
pub const DEFAULT_BAUD: u32 = 3_000_000;

/// A serial port, or a pseudo-terminal that stands for one.
#[derive(Debug)]
pub struct Serial {
    name: String,
    path: String,
    baud: u32,
    sysfs: PathBuf,
    warnings: Vec<String>,
}

impl Serial {
    /// The port at a path, with a speed in bits a second.
    pub fn new(path: &str, baud: u32) -> Serial {
        Serial::in_sysfs(Path::new(latency_timer::SYSFS), path, baud)
    }

    /// The same, on a machine that shows its terminals elsewhere.
    pub fn in_sysfs(sysfs: &Path, path: &str, baud: u32) -> Serial {
        Serial {
            name: format!("serial:{path}"),
            path: path.to_owned(),
            baud,
            sysfs: sysfs.to_owned(),
            warnings: Vec::new(),
        }
    }

    fn open_now(&mut self) -> io::Result<Box<dyn Line>> {
        let builder = tokio_serial::new(&self.path, self.baud);
        #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has exclusive ports to undo"))]
        let mut port = builder
            .open_native_async()
            .map_err(|error| port_error::explain(Path::new(&self.path), error.into()))?;
        // An exclusive pseudo-terminal could not be opened again before its last user is quite gone.
        #[cfg(unix)]
        port.set_exclusive(false)?;
        // What the system kept from before is of no use, and not worth failing for.
        let _ = port.clear(tokio_serial::ClearBuffer::All);
        self.warnings = Vec::from_iter(latency_timer::lower(&self.sysfs, Path::new(&self.path)));
        Ok(Box::new(port))
    }
}

impl Link for Serial {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&mut self) -> Opening<'_> {
        Box::pin(async { self.open_now() })
    }

    fn bytes_per_second(&self) -> Option<f64> {
        // Start and stop bit.
        Some(f64::from(self.baud) / 10.0)
    }
    fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::{env, fs, process};

    use bluebelle_sim::board::Pty;

    use super::*;

    /// A pseudo-terminal on a machine that shows a latency timer for it, with this in its place.
    fn open(name: &str, prepare: impl FnOnce(&Path)) -> (Vec<String>, Option<String>) {
        let sysfs = env::temp_dir().join(format!("bluebelle-serial-{name}-{}", process::id()));
        let line = Pty::open(None).unwrap();
        let device = sysfs.join(line.path().file_name().unwrap()).join("device");
        fs::create_dir_all(&device).unwrap();
        let timer = device.join("latency_timer");
        prepare(&timer);
        let mut serial = Serial::in_sysfs(&sysfs, line.path().to_str().unwrap(), DEFAULT_BAUD);
        assert_eq!(serial.warnings(), Vec::<String>::new());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let opened = runtime.unwrap().block_on(async { serial.open().await.map(drop) });
        opened.expect("a timer is no reason not to open a port");
        let warnings = serial.warnings();
        assert_eq!(serial.warnings(), Vec::<String>::new(), "told once");
        let timer = fs::read_to_string(timer).ok();
        fs::remove_dir_all(sysfs).unwrap();
        (warnings, timer)
    }

    #[test]
    fn to_open_a_port_sets_its_latency_timer() {
        let (warnings, timer) = open("set", |timer| fs::write(timer, "8").unwrap());
        assert_eq!((warnings, timer.as_deref()), (vec![], Some("1")));
        let (warnings, timer) = open("none", |_| {});
        assert_eq!((warnings, timer), (vec![], None));
    }

    #[test]
    fn a_port_whose_timer_cannot_be_set_opens_with_a_warning() {
        let (warnings, _) = open("folder", |timer| fs::create_dir(timer).unwrap());
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("latency timer cannot be read"), "{warnings:?}");
    }
}

use std::io;

use tokio_serial::{SerialPort, SerialPortBuilderExt};

use super::{Line, Link, Opening};

/// The speed of a board's serial port unless told otherwise.
pub const DEFAULT_BAUD: u32 = 3_000_000;

/// A serial port, or a pseudo-terminal that stands for one.
#[derive(Debug)]
pub struct Serial {
    name: String,
    path: String,
    baud: u32,
}

impl Serial {
    /// The port at a path, with a speed in bits a second.
    pub fn new(path: &str, baud: u32) -> Serial {
        Serial {
            name: format!("serial:{path}"),
            path: path.to_owned(),
            baud,
        }
    }

    fn open_now(&self) -> io::Result<Box<dyn Line>> {
        let builder = tokio_serial::new(&self.path, self.baud);
        #[cfg_attr(not(unix), allow(unused_mut, reason = "only Unix has exclusive ports to undo"))]
        let mut port = builder.open_native_async()?;
        // An exclusive pseudo-terminal could not be opened again before its last user is quite gone.
        #[cfg(unix)]
        port.set_exclusive(false)?;
        // What the system kept from before is of no use, and not worth failing for.
        let _ = port.clear(tokio_serial::ClearBuffer::All);
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
}

//! Boards behind PCIe: rings in a BAR, as [`bluebelle_spec::rings`] lays them out.

mod stream;
mod sysfs;

pub use sysfs::{KNOWN, Known, devices};

use std::io;
use std::path::{Path, PathBuf};

use bluebelle_sim::bar::Bar;
use bluebelle_spec::rings::HostEnd;

use super::{Line, Link, Opening};
use stream::RingStream;
pub(super) use sysfs::full_address;

/// Where Linux shows its PCI devices.
pub const SYSFS: &str = "/sys/bus/pci/devices";

/// A board behind PCIe.
#[derive(Debug)]
pub struct Pcie {
    name: String,
    address: String,
    sysfs: PathBuf,
}

impl Pcie {
    /// The board at an address, as in `0000:01:00.0`; without a domain, it is in domain 0000.
    pub fn new(address: &str) -> Pcie {
        Pcie::in_sysfs(Path::new(SYSFS), address)
    }

    /// The same, among other devices than the system's.
    pub fn in_sysfs(sysfs: &Path, address: &str) -> Pcie {
        Pcie {
            name: format!("pcie:{address}"),
            address: address.to_owned(),
            sysfs: sysfs.to_owned(),
        }
    }

    fn open_now(&self) -> io::Result<Box<dyn Line>> {
        let resource = sysfs::resource(&self.sysfs, &self.address)?;
        let bar = Bar::open(&resource).map_err(|error| {
            let hint = match error.kind() {
                io::ErrorKind::PermissionDenied => {
                    " (only root may map a device; chown the file to use it as another user, for good by a udev rule)"
                }
                _ => "",
            };
            io::Error::new(error.kind(), format!("{}: {error}{hint}", resource.display()))
        })?;
        let end = HostEnd::open(&bar).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        Ok(Box::new(RingStream::start(bar, end)?))
    }
}

impl Link for Pcie {
    fn name(&self) -> &str {
        &self.name
    }

    fn open(&mut self) -> Opening<'_> {
        Box::pin(async { self.open_now() })
    }

    /// Not what limits a chip: a job's frame takes microseconds.
    fn bytes_per_second(&self) -> Option<f64> {
        None
    }
}

#[cfg(test)]
mod tests;

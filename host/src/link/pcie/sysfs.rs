use std::path::{Path, PathBuf};
use std::{fs, io};

/// A device behind which our chip may be. The magic word in its BAR decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The vendor's number.
    pub vendor: u16,
    /// The device's number.
    pub device: u16,
    /// The BAR with the rings.
    pub bar: u8,
    /// What it is.
    pub what: &'static str,
}

/// All such devices. An FPGA's PCIe core keeps its vendor's numbers unless somebody has bought others.
pub const KNOWN: [Known; 9] = [
    Known {
        vendor: 0x1af4,
        device: 0x1110,
        bar: 2,
        what: "shared memory of QEMU (ivshmem), as bluebelle sim board --bar serves it",
    },
    xilinx(0x7011),
    xilinx(0x7012),
    xilinx(0x7014),
    xilinx(0x7018),
    xilinx(0x7021),
    xilinx(0x7022),
    xilinx(0x7024),
    xilinx(0x7028),
];

/// LitePCIe and XDMA on the 7 series: generation and lanes are in the number.
const fn xilinx(device: u16) -> Known {
    Known {
        vendor: 0x10ee,
        device,
        bar: 0,
        what: "a Xilinx FPGA (LitePCIe, XDMA)",
    }
}

/// The addresses of the devices in this folder that may be ours, in order.
pub fn devices(sysfs: &Path) -> Vec<String> {
    let entries = fs::read_dir(sysfs).into_iter().flatten().flatten();
    let mut found: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|address| known(&sysfs.join(address)).is_ok_and(|(_, known)| known.is_some()))
        .collect();
    found.sort_unstable();
    found
}

/// The file that maps to the rings of the device at this address, after its numbers were checked and its memory was switched on.
pub(super) fn resource(sysfs: &Path, address: &str) -> io::Result<PathBuf> {
    let invalid = |problem: String| io::Error::new(io::ErrorKind::InvalidInput, problem);
    let full = full_address(address).ok_or_else(|| {
        invalid(format!(
            "'{address}' is no PCI address: expected one as in 0000:01:00.0"
        ))
    })?;
    let folder = sysfs.join(&full);
    if !folder.is_dir() {
        let problem =
            format!("there is no PCI device {full}; lspci lists them, and bluebelle devices those that may be ours");
        return Err(io::Error::new(io::ErrorKind::NotFound, problem));
    }
    let ((vendor, device), known) = known(&folder)?;
    let known = known.ok_or_else(|| {
        invalid(format!(
            "the PCI device {full} is {vendor:04x}:{device:04x}: expected {}",
            expected()
        ))
    })?;
    switch_on(&folder.join("enable"))?;
    Ok(folder.join(format!("resource{}", known.bar)))
}

fn expected() -> String {
    let names: Vec<String> = KNOWN
        .iter()
        .map(|known| format!("{:04x}:{:04x}", known.vendor, known.device))
        .collect();
    names.join(", ")
}

/// A device that no driver has claimed may be deaf to memory accesses.
fn switch_on(path: &Path) -> io::Result<()> {
    match fs::read_to_string(path) {
        Ok(text) if text.trim() == "0" => fs::write(path, "1").map_err(|error| {
            let problem = format!(
                "{}: the device is off, and cannot be switched on: {error}",
                path.display()
            );
            io::Error::new(error.kind(), problem)
        }),
        // Whatever else it says, the magic word will tell.
        _ => Ok(()),
    }
}

/// A device's numbers, and what it is, if it is one of ours.
fn known(folder: &Path) -> io::Result<((u16, u16), Option<&'static Known>)> {
    let (vendor, device) = (number(&folder.join("vendor"))?, number(&folder.join("device"))?);
    let same = |known: &&Known| (known.vendor, known.device) == (vendor, device);
    Ok(((vendor, device), KNOWN.iter().find(same)))
}

/// As in `0x1af4`.
fn number(path: &Path) -> io::Result<u16> {
    let text = fs::read_to_string(path)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
    let digits = text.trim().trim_start_matches("0x");
    u16::from_str_radix(digits, 16).map_err(|_| {
        let problem = format!(
            "{}: expected a number as in 0x1af4, found '{}'",
            path.display(),
            text.trim()
        );
        io::Error::new(io::ErrorKind::InvalidData, problem)
    })
}

/// Domain, bus, device and function, in full; `None` if it is no address.
pub(in crate::link) fn full_address(text: &str) -> Option<String> {
    let full = match text.matches(':').count() {
        1 => format!("0000:{text}"),
        _ => text.to_owned(),
    };
    let (bus, function) = full.split_once('.')?;
    let mut parts = bus.split(':');
    let hex = |part: &str, least: usize| {
        (least..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    let fits = hex(parts.next()?, 4)
        && parts.next().is_some_and(|bus| hex(bus, 2) && bus.len() == 2)
        && parts.next().is_some_and(|device| hex(device, 2) && device.len() == 2)
        && parts.next().is_none()
        && matches!(function.as_bytes(), [b'0'..=b'7']);
    fits.then(|| full.to_ascii_lowercase())
}

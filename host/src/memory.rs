//! How much memory the machine has to spare.
//!
//! Linux promises more memory than there is, and ends a process that uses what was promised. A
//! large table is therefore held against what is free before memory for the table is asked for.

use std::fs;

/// Of the free memory, one part in this many is left for threads and for the system.
const RESERVED_PART: u64 = 16;

/// A transposition table that there is no memory for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.describe())]
pub struct MemoryError {
    /// Tables asked for, all of the same size.
    tables: u64,
    /// Mebibytes of each.
    megabytes: u64,
    /// Mebibytes that all of them may have together; `None` if the system does not say.
    room: Option<u64>,
}

impl MemoryError {
    /// The system has refused memory for a table.
    pub(crate) const fn refused(megabytes: usize) -> MemoryError {
        MemoryError {
            tables: 1,
            megabytes: megabytes as u64,
            room: None,
        }
    }

    fn describe(&self) -> String {
        let MemoryError { tables, megabytes, .. } = *self;
        let asked = match tables {
            1 => format!("no memory for a table of {megabytes} MiB"),
            _ => format!("no memory for {tables} tables of {megabytes} MiB each"),
        };
        match self.room {
            None => format!("{asked}: the system refuses it; ask for a smaller table, or raise the limit (ulimit -v)"),
            Some(room) if room < tables => format!("{asked}: {room} MiB can be had; end other programs"),
            Some(room) => format!("{asked}: {room} MiB can be had; ask for at most {} MiB", room / tables),
        }
    }
}

/// Whether there is memory for transposition tables of this size. A machine that does not say how
/// much memory is free has room for all.
///
/// # Errors
/// If there is no such memory.
pub fn check_tables(tables: usize, megabytes: usize) -> Result<(), MemoryError> {
    check(free_megabytes(), tables as u64, megabytes as u64, 0)
}

/// The same for one table that takes the place of another, whose memory will be free.
///
/// # Errors
/// If there is no such memory.
pub(crate) fn check_exchange(megabytes: usize, freed: usize) -> Result<(), MemoryError> {
    check(free_megabytes(), 1, megabytes as u64, freed as u64)
}

fn check(free: Option<u64>, tables: u64, megabytes: u64, freed: u64) -> Result<(), MemoryError> {
    let Some(free) = free else {
        return Ok(());
    };
    let room = free - free / RESERVED_PART + freed;
    match megabytes.saturating_mul(tables) {
        needed if needed <= room => Ok(()),
        _ => Err(MemoryError {
            tables,
            megabytes,
            room: Some(room),
        }),
    }
}

/// Mebibytes that new memory can have without driving others out.
fn free_megabytes() -> Option<u64> {
    let of_machine = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| available(&text))?;
    Some(group_room().map_or(of_machine, |room| room.min(of_machine)) >> 20)
}

/// Bytes, by `/proc/meminfo`.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Bytes that the control group of a container leaves, if there is one with a limit.
fn group_room() -> Option<u64> {
    let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    left_in_group(&read("memory.max")?, &read("memory.current")?, &read("memory.stat")?)
}

/// Bytes between the limit and what is used; cached files make way.
fn left_in_group(most: &str, used: &str, parts: &str) -> Option<u64> {
    let (most, used): (u64, u64) = (most.trim().parse().ok()?, used.trim().parse().ok()?);
    let cached = |name| {
        let line = parts.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|number| number.trim().parse::<u64>().ok()).unwrap_or(0)
    };
    let files = cached("inactive_file ").saturating_add(cached("active_file "));
    Some(most.saturating_sub(used.saturating_sub(files)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read() {
        let text = "MemTotal:       32000000 kB\nMemFree:         1000000 kB\nMemAvailable:   20480000 kB\n";
        assert_eq!(available(text), Some(20_480_000 * 1024));
        assert_eq!(available("MemTotal: 1 kB\n"), None);
        assert_eq!(available("MemAvailable: much\n"), None);
    }

    #[test]
    fn a_container_has_what_its_group_leaves() {
        let parts = "anon 500\ninactive_file 200\nactive_file 100\n";
        assert_eq!(left_in_group("1000\n", "800\n", parts), Some(500));
        assert_eq!(left_in_group("1000\n", "1200\n", ""), Some(0));
        assert_eq!(left_in_group("max\n", "800\n", parts), None);
    }

    #[test]
    fn what_does_not_fit_says_what_would() {
        assert_eq!(check(Some(1600), 1, 1500, 0), Ok(()));
        assert_eq!(check(None, 1, 65_536, 0), Ok(()));
        let problem = |free, tables, megabytes, freed| {
            let refused = check(Some(free), tables, megabytes, freed);
            refused.expect_err("too much").to_string()
        };
        assert_eq!(
            problem(1600, 1, 65_536, 0),
            "no memory for a table of 65536 MiB: 1500 MiB can be had; ask for at most 1500 MiB"
        );
        assert_eq!(
            problem(1600, 4, 500, 16),
            "no memory for 4 tables of 500 MiB each: 1516 MiB can be had; ask for at most 379 MiB"
        );
        assert!(problem(2, 4, 1, 0).ends_with("2 MiB can be had; end other programs"));
        assert!(problem(1600, u64::MAX, u64::MAX, 0).contains("1500 MiB can be had"));
    }
}

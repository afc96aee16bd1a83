//! What happens to those who touch a mapping that has vanished: the system sends them SIGBUS, which ends a program. Here,
//! memory of zeros takes the mapping's place instead, and a flag says so.
#![allow(
    unsafe_code,
    reason = "a signal handler cannot be installed without; it is small, and touches only atomics and its own mappings"
)]

use std::io;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use nix::libc::{c_int, c_void, siginfo_t};
use nix::sys::mman::{MapFlags, ProtFlags, mmap_anonymous};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

/// The mappings that are guarded; a signal handler can neither allocate nor lock.
static PLACES: [Place; 64] = [const { Place::empty() }; 64];

struct Place {
    taken: AtomicBool,
    start: AtomicUsize,
    /// 0 while the place is not in use.
    length: AtomicUsize,
    lost: AtomicBool,
}

impl Place {
    const fn empty() -> Place {
        Place {
            taken: AtomicBool::new(false),
            start: AtomicUsize::new(0),
            length: AtomicUsize::new(0),
            lost: AtomicBool::new(false),
        }
    }
}

/// Guards a mapping as long as it lives.
pub(super) struct Guard {
    place: &'static Place,
}

impl Guard {
    /// Guards the `length` bytes from `start`, which are whole pages of a mapping.
    pub(super) fn new(start: usize, length: usize) -> io::Result<Guard> {
        install()?;
        let free = |place: &&Place| !place.taken.swap(true, Ordering::Acquire);
        let place = PLACES.iter().find(free).ok_or_else(|| {
            let problem = format!("more than {} windows are mapped: close some", PLACES.len());
            io::Error::other(problem)
        })?;
        place.lost.store(false, Ordering::Relaxed);
        place.start.store(start, Ordering::Relaxed);
        place.length.store(length, Ordering::Release);
        Ok(Guard { place })
    }

    pub(super) fn is_lost(&self) -> bool {
        self.place.lost.load(Ordering::Relaxed)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.place.length.store(0, Ordering::Relaxed);
        self.place.taken.store(false, Ordering::Release);
    }
}

/// Whoever handled the signal before us: Rust's own handler, which looks for stack overflows, or an application's.
static BEFORE: OnceLock<SigAction> = OnceLock::new();

fn install() -> io::Result<()> {
    static INSTALLED: OnceLock<Result<(), nix::Error>> = OnceLock::new();
    let installed = INSTALLED.get_or_init(|| {
        let flags = SaFlags::SA_SIGINFO | SaFlags::SA_ONSTACK;
        let ours = SigAction::new(SigHandler::SigAction(on_bus_error), flags, SigSet::empty());
        // SAFETY: the handler only does what a signal handler may.
        let before = unsafe { sigaction(Signal::SIGBUS, &ours) }?;
        // It is set once, because this runs once.
        let _ = BEFORE.set(before);
        Ok(())
    });
    (*installed).map_err(io::Error::from)
}

extern "C" fn on_bus_error(_: c_int, info: *mut siginfo_t, _: *mut c_void) {
    // SAFETY: the system gives a handler with SA_SIGINFO a valid one, and SIGBUS has an address.
    let address = unsafe { (*info).si_addr() } as usize;
    for place in &PLACES {
        let length = place.length.load(Ordering::Acquire);
        let start = place.start.load(Ordering::Relaxed);
        if address.wrapping_sub(start) >= length {
            continue;
        }
        let (Some(start), Some(length)) = (NonZeroUsize::new(start), NonZeroUsize::new(length)) else {
            continue;
        };
        let (rights, flags) = (
            ProtFlags::PROT_READ | ProtFlags::PROT_WRITE,
            MapFlags::MAP_PRIVATE | MapFlags::MAP_FIXED,
        );
        // SAFETY: these pages are a mapping of ours, which is used as atomic words only, and by nobody else.
        if unsafe { mmap_anonymous(Some(start), length, rights, flags) }.is_ok() {
            place.lost.store(true, Ordering::Relaxed);
            // The access that failed is done again, and reads zero.
            return;
        }
    }
    // Not ours: the same access will end in the hands of whoever was here before.
    if let Some(before) = BEFORE.get() {
        // SAFETY: it was installed before.
        let _ = unsafe { sigaction(Signal::SIGBUS, before) };
    }
}

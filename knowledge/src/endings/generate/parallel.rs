//! Work on a range of numbers, shared among threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Has `work` done on all of `range`, in chunks, by `threads` threads.
pub(in crate::endings) fn in_chunks(
    threads: usize,
    range: Range<usize>,
    chunk: usize,
    work: impl Fn(Range<usize>) + Sync,
) {
    let next = AtomicUsize::new(range.start);
    let take = || {
        loop {
            let start = next.fetch_add(chunk, Ordering::Relaxed);
            if start >= range.end {
                break;
            }
            work(start..(start + chunk).min(range.end));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(take);
        }
        take();
    });
}

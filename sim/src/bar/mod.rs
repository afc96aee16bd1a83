//! Windows that two sides map: BARs of PCIe devices, and the files that stand for them.

mod guard;

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use bluebelle_spec::rings::{Memory, WINDOW_BYTES};
use memmap2::{MmapOptions, MmapRaw};

use guard::Guard;

/// A mapped window.
///
/// All accesses are of 32 bits and atomic: what a device does with others is its own business, and another process may map the
/// same file. If what is behind the mapping vanishes (a device is unplugged, a file cut off), words read as zero from then
/// on, and the window [is lost](Bar::is_lost).
pub struct Bar {
    // Before the mapping, so that it goes first.
    guard: Guard,
    map: MmapRaw,
    words: usize,
}

impl Bar {
    /// Maps an existing file, or the resource of a PCI device.
    ///
    /// # Errors
    /// If it cannot be opened or mapped.
    pub fn open(path: &Path) -> io::Result<Bar> {
        Bar::map(&OpenOptions::new().read(true).write(true).open(path)?)
    }

    /// Makes a file with the size of our chip's window, and maps it. A file that is there already is used as it is: another program
    /// may have mapped it, and shall see what happens.
    ///
    /// # Errors
    /// If it cannot be made, has another size, or cannot be mapped.
    pub fn create(path: &Path) -> io::Result<Bar> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        match file.metadata()?.len() {
            0 => file.set_len(WINDOW_BYTES as u64)?,
            length if length >= WINDOW_BYTES as u64 => {}
            length => {
                let problem = format!("has {length} bytes, but a window has {WINDOW_BYTES}: remove it first");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
            }
        }
        Bar::map(&file)
    }

    fn map(file: &File) -> io::Result<Bar> {
        let map = MmapOptions::new().map_raw(file)?;
        Ok(Bar {
            guard: Guard::new(map.as_mut_ptr() as usize, map.len())?,
            words: map.len() / 4,
            map,
        })
    }

    /// Whether what was mapped has vanished.
    pub fn is_lost(&self) -> bool {
        self.guard.is_lost()
    }

    #[allow(
        unsafe_code,
        reason = "memory that others change is behind a pointer; here it becomes atomic words"
    )]
    fn word(&self, word: usize) -> &AtomicU32 {
        assert!(word < self.words, "word {word} of a window of {}", self.words);
        // SAFETY: the mapping begins at a page, has room for this word, lives as long as `self`, and is only ever used as atomic
        // words. Other processes and devices are outside of Rust's rules, and tear nothing that is 32 bits wide.
        unsafe { AtomicU32::from_ptr(self.map.as_mut_ptr().cast::<u32>().add(word)) }
    }
}

impl Memory for Bar {
    fn words(&self) -> usize {
        self.words
    }

    fn read(&self, word: usize) -> u32 {
        u32::from_le(self.word(word).load(Ordering::Relaxed))
    }

    fn write(&self, word: usize, value: u32) {
        self.word(word).store(value.to_le(), Ordering::Relaxed);
    }

    fn acquire(&self, word: usize) -> u32 {
        u32::from_le(self.word(word).load(Ordering::Acquire))
    }

    fn release(&self, word: usize, value: u32) {
        self.word(word).store(value.to_le(), Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fs, process};

    use bluebelle_spec::rings::{ChipEnd, HeaderError, HostEnd, words};

    use super::*;

    fn scratch(name: &str) -> std::path::PathBuf {
        env::temp_dir().join(format!("bluebelle-bar-{name}-{}", process::id()))
    }

    #[test]
    fn two_mappings_see_the_same_words() {
        let path = scratch("two");
        let chip = Bar::create(&path).expect("a new file");
        ChipEnd::wake(&chip);
        let host = Bar::open(&path).expect("it is there");
        HostEnd::open(&host).expect("the chip has written a header");
        host.write(0x800, 0x0403_0201);
        assert_eq!(chip.read(0x800), 0x0403_0201);
        assert_eq!(fs::read(&path).expect("a file")[0x2000..0x2004], [1, 2, 3, 4]);
        fs::remove_file(path).expect("ours");
    }

    #[test]
    fn a_mapping_that_vanishes_reads_as_zero_again_and_again() {
        for round in 0..3 {
            let path = scratch("vanish");
            let bar = Bar::create(&path).expect("a new file");
            ChipEnd::wake(&bar);
            assert!(!bar.is_lost());
            let file = OpenOptions::new().write(true).open(&path).expect("it is there");
            file.set_len(0).expect("it can be cut off");
            assert_eq!(bar.read(words::MAGIC), 0, "round {round}");
            bar.write(0x800, 7);
            assert!(bar.is_lost());
            let refused = HostEnd::open(&bar).expect_err("nobody there");
            assert_eq!(refused, HeaderError::Magic(0));
            fs::remove_file(path).expect("ours");
        }
    }

    #[test]
    fn a_file_that_is_no_window_is_refused() {
        let path = scratch("small");
        fs::write(&path, "something else").expect("a file");
        let refused = Bar::create(&path).err().expect("refused").to_string();
        assert!(refused.contains("has 14 bytes"), "{refused}");
        fs::remove_file(path).expect("ours");
    }
}

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{env, fs, process};

use bluebelle_sim::board::{RingLine, serve};
use bluebelle_sim::{ModelChip, ModelConfig};
use bluebelle_spec::Weights;
use bluebelle_spec::rings::{Memory, words};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::Decoder;

use tokio::time::timeout;

use super::*;
use crate::link::identify;

const ADDRESS: &str = "0000:03:00.0";

/// A folder as the kernel has it, with one device whose BAR is a file, until it is dropped.
struct Sysfs {
    root: PathBuf,
}

impl Sysfs {
    fn new(name: &str, vendor: &str, device: &str) -> Sysfs {
        let root = env::temp_dir().join(format!("bluebelle-sysfs-{name}-{}", process::id()));
        let _ = fs::remove_dir_all(&root);
        let folder = root.join(ADDRESS);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("vendor"), vendor).expect("a file");
        fs::write(folder.join("device"), device).expect("a file");
        fs::write(folder.join("enable"), "0\n").expect("a file");
        Sysfs { root }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.root.join(ADDRESS).join(name)
    }
}

impl Drop for Sysfs {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// The model chip behind the device's BAR, until it is dropped.
struct Board {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Board {
    fn plug(path: &Path) -> Board {
        let mut line = RingLine::create(path).expect("a window");
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let mut chip = ModelChip::new(&ModelConfig::default(), Weights::standard());
            // Some tests take the file away.
            let _ = serve(&mut line, &mut chip, &flag);
        });
        Board {
            stop,
            thread: Some(thread),
        }
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(thread::panicking() || ended.is_none_or(|ended| ended.is_ok()));
    }
}

async fn ask(line: &mut dyn Line) -> Result<u8, String> {
    let identity = identify(line, &mut Decoder::new(), &[], Duration::from_secs(2)).await;
    identity
        .map(|identity| identity.cores)
        .map_err(|error| error.to_string())
}

async fn opening(pcie: &mut Pcie) -> String {
    match pcie.open().await {
        Ok(_) => "opened".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[tokio::test]
async fn a_device_is_found_checked_switched_on_and_identified() {
    let sysfs = Sysfs::new("good", "0x1af4\n", "0x1110\n");
    let _board = Board::plug(&sysfs.file("resource2"));
    assert_eq!(devices(&sysfs.root), [ADDRESS]);
    for address in [ADDRESS, "03:00.0"] {
        let mut pcie = Pcie::in_sysfs(&sysfs.root, address);
        assert_eq!(pcie.name(), format!("pcie:{address}"));
        let mut line = pcie.open().await.expect("a board");
        assert_eq!(ask(&mut *line).await, Ok(1));
        assert_eq!(fs::read_to_string(sysfs.file("enable")).expect("a file"), "1");
    }
    let bar = Bar::open(&sysfs.file("resource2")).expect("a window");
    assert_eq!(bar.read(words::CREDITS), 107);
}

#[tokio::test]
async fn what_is_not_ours_is_refused_with_a_reason() {
    let sysfs = Sysfs::new("others", "0x8086\n", "0x100e\n");
    let mut pcie = Pcie::in_sysfs(&sysfs.root, ADDRESS);
    assert!(devices(&sysfs.root).is_empty());
    let refused = opening(&mut pcie).await;
    assert!(refused.contains("is 8086:100e: expected 1af4:1110"), "{refused}");

    fs::write(sysfs.file("vendor"), "0x1af4").expect("a file");
    fs::write(sysfs.file("device"), "0x1110").expect("a file");
    let refused = opening(&mut pcie).await;
    assert!(refused.contains("resource2: No such file"), "{refused}");
    fs::write(sysfs.file("resource2"), vec![0; 0x8000]).expect("a file");
    let refused = opening(&mut pcie).await;
    assert!(refused.contains("the magic word is 0x00000000"), "{refused}");
    fs::write(sysfs.file("resource2"), vec![0xff; 0x8000]).expect("a file");
    let refused = opening(&mut pcie).await;
    assert!(refused.contains("does not answer"), "{refused}");

    fs::write(sysfs.file("vendor"), "nothing").expect("a file");
    let refused = opening(&mut pcie).await;
    assert!(refused.contains("expected a number as in 0x1af4"), "{refused}");
    let refused = opening(&mut Pcie::in_sysfs(&sysfs.root, "04:00.0")).await;
    assert!(refused.contains("there is no PCI device 0000:04:00.0"), "{refused}");
    for address in [
        "",
        "../..",
        "0000:03:00",
        "0000:03:00.8",
        "3:0.0",
        "0000:03:00.0/../x",
        "0000:0000:03:00.0",
    ] {
        let refused = opening(&mut Pcie::in_sysfs(&sysfs.root, address)).await;
        assert!(refused.contains("is no PCI address"), "{address}: {refused}");
    }
}

#[tokio::test]
async fn a_device_that_vanishes_or_makes_no_sense_ends_its_line() {
    for fault in ["cut off", "all ones", "reset"] {
        let sysfs = Sysfs::new(&fault.replace(' ', "-"), "0x1af4", "0x1110");
        let path = sysfs.file("resource2");
        let board = Board::plug(&path);
        let mut pcie = Pcie::in_sysfs(&sysfs.root, ADDRESS);
        let mut line = pcie.open().await.expect("a board");
        assert_eq!(ask(&mut *line).await, Ok(1), "{fault}");
        drop(board);
        match fault {
            "cut off" => {
                let file = fs::OpenOptions::new().write(true).open(&path).expect("a file");
                file.set_len(0).expect("it can be cut off");
            }
            "all ones" => fs::write(&path, vec![0xff; 0x8000]).expect("a file"),
            _ => {
                let bar = Bar::open(&path).expect("a window");
                bar.write(words::DOWN_HEAD, 0);
                bar.write(words::UP_TAIL, 0);
            }
        }
        let lost = ask(&mut *line).await.expect_err("nobody is there");
        assert!(lost.starts_with("the line failed"), "{fault}: {lost}");
    }
}

#[tokio::test]
async fn a_board_that_comes_back_is_found_again() {
    let sysfs = Sysfs::new("back", "0x1af4", "0x1110");
    let path = sysfs.file("resource2");
    let mut pcie = Pcie::in_sysfs(&sysfs.root, ADDRESS);
    for _ in 0..3 {
        let _board = Board::plug(&path);
        let mut line = pcie.open().await.expect("a board");
        assert_eq!(ask(&mut *line).await, Ok(1));
        // Whatever is left of a conversation in the rings, the next one begins well.
        let mut line = pcie.open().await.expect("a board");
        assert_eq!(ask(&mut *line).await, Ok(1));
    }
}

#[tokio::test]
async fn a_device_that_writes_anything_anywhere_never_hangs_the_host() {
    let (mut answered, mut lost) = (0, 0);
    for seed in 0..12 {
        let sysfs = Sysfs::new(&format!("hostile-{seed}"), "0x1af4", "0x1110");
        let path = sysfs.file("resource2");
        let board = Board::plug(&path);
        let device = Bar::open(&path).expect("a window");
        let calm = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&calm);
        let meddling = thread::spawn(move || {
            let mut random = SplitMix64::new(seed);
            while !flag.load(Ordering::Relaxed) {
                let word = match random.below(3) {
                    0 => random.below(words::END as u64),
                    1 => [words::UP_TAIL, words::DOWN_HEAD][random.below(2) as usize] as u64,
                    _ => random.below(device.words() as u64),
                };
                let value = match random.below(3) {
                    0 => device.read(word as usize).wrapping_add(random.below(5_000) as u32),
                    1 => random.below(5_000) as u32,
                    _ => random.next_u64() as u32,
                };
                device.write(word as usize, value);
                thread::sleep(Duration::from_micros(random.below(3_000)));
            }
        });
        let mut pcie = Pcie::in_sysfs(&sysfs.root, ADDRESS);
        for _ in 0..10 {
            let asked = async {
                let mut line = pcie.open().await.map_err(|error| error.to_string())?;
                let short = Duration::from_millis(20);
                let identity = identify(&mut *line, &mut Decoder::new(), &[], short).await;
                identity.map_err(|error| error.to_string())
            };
            // Far longer than three questions of 20 ms take.
            match timeout(Duration::from_secs(20), asked).await.expect("nothing hangs") {
                Ok(_) => answered += 1,
                Err(_) => lost += 1,
            }
        }
        calm.store(true, Ordering::Relaxed);
        meddling.join().expect("no panic");
        drop(board);
        // The board is plugged in again, and all is well.
        let _board = Board::plug(&path);
        let mut line = pcie.open().await.expect("a board");
        assert_eq!(ask(&mut *line).await, Ok(1));
    }
    println!("{answered} answers, {lost} faults");
    assert!(lost > 10);
}

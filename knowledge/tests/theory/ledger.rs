//! The ledger after kills, cuts and flipped bits.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use bluebelle_knowledge::vocabulary::ledger::{Ledger, LedgerError, MOST_BYTES};
use bluebelle_spec::rng::SplitMix64;

const KIND: &str = "a test's records";

/// Where the writing test finds its file.
const PLACE: &str = "BLUEBELLE_LEDGER_TEST";

/// A folder of its own for a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("bluebelle-ledger-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("ledger")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Record `number`: of a length and content that follow from the number.
fn record(number: u64) -> Vec<u8> {
    let mut random = SplitMix64::new(number);
    let length = random.below(300) as usize;
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.extend((0..length).map(|_| random.next_u64() as u8));
    bytes
}

fn records(path: &Path) -> Vec<Vec<u8>> {
    Ledger::open(path, KIND).expect("a ledger").records
}

fn write(path: &Path, count: u64) {
    let mut ledger = Ledger::open(path, KIND).expect("a ledger").ledger;
    for number in 0..count {
        ledger.append(&record(number)).expect("a record");
    }
}

#[test]
fn a_ledger_cut_anywhere_keeps_all_whole_records() {
    let folder = Folder::new("cut");
    let path = folder.file();
    write(&path, 5);
    let whole = fs::read(&path).expect("the file");
    let expected: Vec<Vec<u8>> = (0..5).map(record).collect();
    let mut most = 0;
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).expect("a cut file");
        let opened = Ledger::open(&path, KIND).expect("a ledger");
        assert!(expected.starts_with(&opened.records));
        assert!(opened.records.len() >= most);
        most = opened.records.len();
        // The next record stands right behind the last whole one.
        let mut ledger = opened.ledger;
        ledger.append(b"next").expect("a record");
        drop(ledger);
        assert_eq!(records(&path).last().map(Vec::as_slice), Some(&b"next"[..]));
        assert_eq!(records(&path).len(), most + 1);
    }
    assert_eq!(most, 5);
}

#[test]
fn flipped_bits_are_refused_and_nothing_is_lost() {
    let folder = Folder::new("flip");
    let path = folder.file();
    write(&path, 4);
    let whole = fs::read(&path).expect("the file");
    for bit in 0..whole.len() * 8 {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &flipped).expect("a damaged file");
        let error = Ledger::open(&path, KIND).expect_err("a flipped bit");
        assert!(
            matches!(error, LedgerError::Damaged { .. } | LedgerError::OtherKind { .. }),
            "{error}"
        );
        assert_eq!(fs::read(&path).expect("the file"), flipped);
    }
}

#[test]
fn what_power_failures_leave_is_cut() {
    let folder = Folder::new("power");
    let path = folder.file();
    write(&path, 3);
    let mut bytes = fs::read(&path).expect("the file");
    bytes.extend([0; 100]);
    fs::write(&path, bytes).expect("a longer file");
    let opened = Ledger::open(&path, KIND).expect("a ledger");
    assert_eq!((opened.records.len(), opened.cut), (3, 100));
}

#[test]
fn other_files_and_other_processes_are_left_alone() {
    let folder = Folder::new("other");
    let path = folder.file();
    fs::write(&path, "[Event \"a game\"]").expect("a file");
    let error = Ledger::open(&path, KIND).expect_err("no ledger");
    assert!(error.to_string().contains("found '[Event \"a game\"]'"), "{error}");
    fs::remove_file(&path).expect("no file");
    let mut first = Ledger::open(&path, KIND).expect("a ledger").ledger;
    assert!(matches!(Ledger::open(&path, KIND), Err(LedgerError::Busy { .. })));
    assert!(matches!(
        first.append(&vec![0; MOST_BYTES + 1]),
        Err(LedgerError::TooLong(_))
    ));
    drop(first);
    let error = Ledger::open(&path, "something else").expect_err("another kind");
    assert!(error.to_string().contains("found 'a test's records'"), "{error}");
}

/// Writes until killed; run by the test below.
#[test]
#[ignore = "a process of the test of kills"]
fn writes_for_ever() {
    let Some(path) = std::env::var_os(PLACE) else { return };
    let opened = Ledger::open(Path::new(&path), KIND).expect("a ledger");
    let mut ledger = opened.ledger;
    for number in opened.records.len() as u64.. {
        ledger.append(&record(number)).expect("a record");
    }
}

#[cfg(unix)]
#[test]
fn a_killed_writer_loses_no_whole_record() {
    let folder = Folder::new("kill");
    let path = folder.file();
    let mut random = SplitMix64::new(9);
    let mut most = 0;
    for _ in 0..20 {
        let mut writer = Command::new(std::env::current_exe().expect("this test"))
            .args(["--ignored", "--exact", "ledger::writes_for_ever", "--quiet"])
            .env(PLACE, &path)
            .stdout(Stdio::null())
            .spawn()
            .expect("a writer");
        // The writer has begun once the file grows; then the kill comes at a random moment.
        let size = || fs::metadata(&path).map_or(0, |file| file.len());
        let before = size();
        while size() == before && writer.try_wait().expect("a state").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(random.below(5000)));
        // On Unix this is SIGKILL.
        writer.kill().expect("a kill");
        writer.wait().expect("an end");
        let found = records(&path);
        for (number, bytes) in found.iter().enumerate() {
            assert_eq!(*bytes, record(number as u64));
        }
        // The first run may be killed while the file begins.
        assert!(found.len() >= most, "{} after {most}", found.len());
        most = found.len();
    }
    assert!(most >= 10, "{most} records");
}

//! Tables of three men built in a folder of their own, with what is published of them; those of
//! four men in tests that are asked for.

use std::fs;
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::{Fen, Position};

use super::*;

/// A folder that is gone when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("bluebelle-endings-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn materials(names: &[&str]) -> Vec<Material> {
    names.iter().map(|name| name.parse().expect("a material")).collect()
}

fn position(fen: &str) -> Position {
    fen.parse::<Fen>().expect("a position").position
}

/// The tables of three men, in memory: the files may go once every block was looked at.
static THREE: LazyLock<(Folder, Tables)> = LazyLock::new(|| {
    let folder = Folder::new("three");
    Builder::new(&folder.0)
        .build(&Material::all(3), |_| ())
        .expect("tables of three men");
    let tables = Tables::open(&folder.0).expect("tables");
    (folder, tables)
});

/// Counts mates and stalemates of KRvK on the whole board, not up to symmetry.
#[test]
fn king_and_rook_mate_in_16_moves_at_most() {
    let tables = &THREE.1;
    let material = materials(&["KRvK"])[0];
    let (mut mates, mut stalemates) = (0, 0);
    for code in 0..64_u32.pow(3) {
        let [white, black, rook] = [code & 63, code >> 6 & 63, code >> 12];
        let mut planes = bluebelle_spec::Planes::default();
        planes.toggle(bluebelle_spec::Color::White, bluebelle_spec::Piece::King, 1 << white);
        planes.toggle(bluebelle_spec::Color::Black, bluebelle_spec::Piece::King, 1 << black);
        planes.toggle(bluebelle_spec::Color::White, bluebelle_spec::Piece::Rook, 1 << rook);
        let turn = bluebelle_spec::Color::Black;
        let position = Position::new(planes, turn, bluebelle_spec::Castling::NONE, None);
        if let Ok(position) = position
            && planes.colors[0].count_ones() == 2
        {
            let value = tables.probe(&position, Kind::Mate).expect("a value");
            mates += u32::from(value == Value::Loss(0));
            let stuck = value == Value::Draw && bluebelle_spec::leaf::legal_moves(&position).is_empty();
            stalemates += u32::from(stuck);
        }
    }
    assert_eq!((mates, stalemates), (216, 68));
    let survey = tables.survey(material, Kind::Mate).expect("a survey");
    assert_eq!(survey.longest[0].map(|(moves, _)| moves), Some(16));
    assert_eq!(survey.counts[0][1..], [0, 0], "White to move always wins");
}

#[test]
fn values_of_three_men_follow_from_each_other() {
    let tables = &THREE.1;
    for material in Material::all(3) {
        let verified = verify(tables, material, 7, 2, |_| ()).expect("all tables");
        assert!(verified.positions > 1_000);
        assert_eq!(verified.wrong, 0, "{material} {:?}", verified.examples);
    }
}

#[test]
fn known_positions_have_their_values() {
    let tables = &THREE.1;
    for (fen, value) in [
        ("8/8/8/2k5/8/3K4/3P4/8 w - - 0 1", Wdl::Win),
        ("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", Wdl::Draw),
        ("8/8/8/8/3k4/3p4/8/3K4 b - - 0 1", Wdl::Draw),
        ("8/8/8/8/8/1k6/7q/K7 b - - 0 1", Wdl::Win),
        ("8/8/8/8/8/k7/8/K6q w - - 0 1", Wdl::Loss),
        ("8/8/8/8/8/k7/1q6/K7 w - - 0 1", Wdl::Loss),
        ("8/8/8/8/8/3k4/1q6/K7 w - - 0 1", Wdl::Draw),
        ("7k/8/8/8/8/3N4/8/K7 w - - 0 1", Wdl::Draw),
        ("8/8/8/4k3/8/8/8/K7 w - - 0 1", Wdl::Draw),
    ] {
        let position = position(fen);
        assert_eq!(tables.probe_wdl(&position).expect("a value"), value, "{fen}");
        assert_eq!(
            tables.probe(&position, Kind::Mate).expect("a value").wdl(),
            value,
            "{fen}"
        );
    }
}

#[test]
fn what_no_table_knows_is_an_error() {
    let tables = &THREE.1;
    let error = tables.probe_wdl(&position("7k/8/8/8/8/3N4/3n4/K7 w - - 0 1"));
    let text = error.expect_err("no such table").to_string();
    assert!(
        text.contains("KNvKN.wdl is missing") && text.contains("endings build KNvKN"),
        "{text}"
    );
    let castles = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert!(matches!(tables.probe_wdl(&castles), Err(ProbeError::Beyond)));
    let many = bluebelle_spec::Position::initial();
    assert!(matches!(tables.probe_wdl(&many), Err(ProbeError::Beyond)));
}

#[test]
fn a_flipped_bit_is_refused() {
    let folder = Folder::new("flipped");
    let path = folder.0.join("KQvK.dtm");
    let sound = fs::read(THREE.0.0.join("KQvK.dtm")).expect("a table");
    let mut random = SplitMix64::new(11);
    for _ in 0..100 {
        let mut bytes = sound.clone();
        let bit = random.next_u64() as usize % (8 * bytes.len());
        bytes[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, &bytes).expect("a file");
        let opened = Tables::open(&folder.0);
        let refused = opened.and_then(|tables| tables.check()).expect_err("a damaged table");
        let text = refused.to_string();
        assert!(text.contains("KQvK.dtm is"), "{text}");
    }
    for length in [0, 7, 27, 28, 1_000, sound.len() - 1] {
        fs::write(&path, &sound[..length]).expect("a file");
        assert!(Tables::open(&folder.0).is_err(), "{length} bytes");
    }
    fs::write(&path, [sound.as_slice(), &[0]].concat()).expect("a file");
    assert!(Tables::open(&folder.0).is_err());
}

#[test]
fn a_build_goes_on_from_its_stage() {
    let folder = Folder::new("stage");
    let builder = Builder::new(&folder.0).stage_every(Duration::ZERO);
    // A build that ends in the middle of a level: the panic stands for the kill.
    for stop in [3, 9, 14] {
        let build = std::panic::AssertUnwindSafe(|| {
            builder.build(&materials(&["KRvK"]), |progress| {
                assert!(progress.moves != stop, "killed on purpose");
            })
        });
        assert!(std::panic::catch_unwind(build).is_err());
        assert!(folder.0.join("KRvK.dtm.stage").exists());
    }
    // A stage that is not whole is no stage.
    let stage = folder.0.join("KRvK.dtm.stage");
    let bytes = fs::read(&stage).expect("a stage");
    builder.build(&materials(&["KRvK"]), |_| ()).expect("a build");
    assert!(!stage.exists());
    fs::remove_file(folder.0.join("KRvK.dtm")).expect("a table");
    fs::write(&stage, &bytes[..bytes.len() - 1]).expect("a stage");
    builder.build(&materials(&["KRvK"]), |_| ()).expect("a build");
    for kind in Kind::ALL {
        let name = format!("KRvK.{}", kind.extension());
        let once = fs::read(THREE.0.0.join(&name)).expect("a table");
        assert_eq!(fs::read(folder.0.join(&name)).expect("a table"), once, "{name}");
    }
}

/// The folder that the tests of four men build in or find their tables in.
fn four() -> PathBuf {
    std::env::var_os("BLUEBELLE_ENDINGS").map_or_else(|| std::env::temp_dir().join("bluebelle-endings"), PathBuf::from)
}

/// All 30 tables of four men, each position checked: an hour of one core. The folder is that of the
/// variable `BLUEBELLE_ENDINGS`.
///
/// `cargo test --release -p bluebelle-knowledge --lib -- --ignored --nocapture four_men`
#[test]
#[ignore = "an hour: all tables of four men"]
fn values_of_four_men_follow_from_each_other() {
    let folder = four();
    Builder::new(&folder).build(&Material::all(4), |_| ()).expect("tables");
    let tables = Tables::open(&folder).expect("tables");
    tables.check().expect("sound files");
    let mut bytes = 0;
    for material in [Material::all(3), Material::all(4)].concat() {
        let verified = verify(&tables, material, 1, 2, |_| ()).expect("all tables");
        let size = tables.size(material, Kind::Wdl).map_or(0, |(bytes, _)| bytes);
        println!(
            "{material}: {} positions, {} wrong, {size} bytes",
            verified.positions, verified.wrong
        );
        assert_eq!(verified.wrong, 0, "{material} {:?}", verified.examples);
        bytes += size;
    }
    println!("{bytes} bytes of win, draw and loss");
    assert!(bytes <= 2_500_000);
}

/// A probe of positions whose blocks are in memory: 2 µs at most, in a release build on a quiet
/// machine.
///
/// `cargo test --release -p bluebelle-knowledge --lib -- --ignored --nocapture cached_probe`
#[test]
#[ignore = "measures time"]
fn a_cached_probe_takes_two_microseconds() {
    let tables = &THREE.1;
    let positions = Mutex::new(Vec::new());
    let keep = |position: &Position, _: &mut Verified| -> Result<(), ()> {
        positions.lock().expect("no panic").push(*position);
        Ok(())
    };
    for material in Material::all(3) {
        each_position(material, 50, 1, |_| (), keep).expect("no error");
    }
    let positions = positions.into_inner().expect("no panic");
    let pass = || {
        positions
            .iter()
            .filter(|position| tables.probe_wdl(position).is_ok())
            .count()
    };
    assert_eq!(pass(), positions.len());
    let fastest = (0..20).map(|_| {
        let started = Instant::now();
        std::hint::black_box(pass());
        started.elapsed()
    });
    let fastest = fastest.min().expect("20 passes").as_nanos() as usize / positions.len();
    println!("{fastest} ns");
    assert!(fastest <= 2_000);
}

/// Builds in the folder of the variable `BLUEBELLE_KILLED`: what the next test starts and kills.
#[test]
#[ignore = "a part of the next test"]
fn is_killed() {
    if let Some(folder) = std::env::var_os("BLUEBELLE_KILLED") {
        let builder = Builder::new(folder).stage_every(Duration::ZERO);
        builder.build(&Material::all(3), |_| ()).expect("a build");
    }
}

/// A build of all tables of three men is killed 20 times at random moments, and ends in the same
/// bytes.
///
/// `cargo test -p bluebelle-knowledge --lib -- --ignored --nocapture killed_at_20`
#[test]
#[ignore = "builds tables for a minute"]
fn a_build_that_is_killed_at_20_moments_ends_in_the_same_bytes() {
    let folder = Folder::new("killed");
    let start = || {
        let program = std::env::current_exe().expect("this program");
        std::process::Command::new(program)
            .args(["--ignored", "--exact", "endings::tests::is_killed"])
            .env("BLUEBELLE_KILLED", &folder.0)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("a build")
    };
    let started = Instant::now();
    assert!(start().wait().expect("a build").success());
    let whole = started.elapsed();
    let clear = || {
        for entry in fs::read_dir(&folder.0).expect("a folder") {
            fs::remove_file(entry.expect("a file").path()).expect("a file");
        }
    };
    let same = || {
        for entry in fs::read_dir(&THREE.0.0).expect("a folder") {
            let path = entry.expect("a file").path();
            let name = path.file_name().expect("a name");
            let (once, again) = (fs::read(&path), fs::read(folder.0.join(name)));
            assert_eq!(once.expect("a table"), again.expect("a table"), "{name:?}");
        }
    };
    same();
    clear();
    let mut random = SplitMix64::new(u64::from(std::process::id()));
    let (mut killed, mut finished) = (0, 0);
    while killed < 20 {
        let mut build = start();
        // A tenth of the whole build at most, so that a build is killed in many places before it
        // ends.
        std::thread::sleep(whole.mul_f64((random.next_u64() % 1_000) as f64 / 10_000.0));
        if build.try_wait().expect("a build").is_some() {
            same();
            clear();
            finished += 1;
            continue;
        }
        build.kill().expect("a build that runs");
        build.wait().expect("a build");
        killed += 1;
    }
    assert!(start().wait().expect("a build").success());
    same();
    println!("killed {killed} times, finished {finished} times meanwhile");
}

/// Writes one position in 25 of all endings of three men with its value to the file of the variable
/// `BLUEBELLE_LIST`, for `tests/endings/compare.py`, which asks other programs' tables.
///
/// `BLUEBELLE_LIST=values.txt cargo test -p bluebelle-knowledge --lib -- --ignored lists_values`
#[test]
#[ignore = "writes a file"]
fn lists_values() {
    let Some(path) = std::env::var_os("BLUEBELLE_LIST") else {
        return;
    };
    let every = std::env::var("BLUEBELLE_EVERY")
        .ok()
        .and_then(|every| every.parse().ok());
    let list = Mutex::new(String::new());
    let tell = |position: &Position, _: &mut Verified| -> Result<(), ProbeError> {
        let moves = match THREE.1.probe(position, Kind::Mate)? {
            Value::Win(moves) | Value::Loss(moves) => moves,
            Value::Draw => 0,
        };
        let wdl = match THREE.1.probe_wdl(position)? {
            Wdl::Win => "win",
            Wdl::Draw => "draw",
            Wdl::Loss => "loss",
        };
        let mut list = list.lock().expect("no panic");
        list.push_str(&format!("{position} 0 1;{wdl};{moves}\n"));
        Ok(())
    };
    for material in Material::all(3) {
        each_position(material, every.unwrap_or(25), 1, |_| (), tell).expect("all tables");
    }
    fs::write(path, list.into_inner().expect("no panic")).expect("a file");
}

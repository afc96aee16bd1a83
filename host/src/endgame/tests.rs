use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use bluebelle_knowledge::endings::{Builder, Material, each_position};
use bluebelle_knowledge::vocabulary::Value;
use bluebelle_spec::{Fen, Weights};

use super::Tables;
use crate::board::Board;
use crate::draws::{Draws, STRONGEST, WEAKEST};
use crate::evaluation::Evaluator;
use crate::game::Game;
use crate::limits::{Control, Limits};
use crate::report::{Listener, Silent};
use crate::score::{DRAW, TABLE_WIN};
use crate::search::{Settings, Software};

/// A folder that goes when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("bluebelle-endgame-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The tables of three men.
static THREE: LazyLock<(Folder, Arc<Tables>)> = LazyLock::new(|| {
    let folder = Folder::new("three");
    Builder::new(&folder.0)
        .build(&Material::all(3), |_| ())
        .expect("tables");
    let tables = open(&folder.0);
    (folder, Arc::new(tables))
});

fn open(folder: &Path) -> Tables {
    let tables = Tables::open("", folder.to_str().expect("a plain path"));
    tables.expect("sound tables").expect("some tables")
}

fn evaluator() -> Evaluator {
    Evaluator::new(Weights::standard())
}

fn game(fen: &str) -> Game {
    Game::new(&fen.parse().expect("a position"), &evaluator())
}

fn board(fen: &str) -> Board {
    game(fen).board().clone()
}

fn settings() -> Settings {
    Settings {
        tables: Some(Arc::clone(&THREE.1)),
        ..Settings::default()
    }
}

#[test]
fn a_folder_without_tables_is_refused() {
    let error = Tables::open("no/such/folder", "").expect_err("no such folder");
    let told = error.to_string();
    assert!(
        told.starts_with("cannot read the endgame tables in no/such/folder"),
        "{told}"
    );
    let error = Tables::open(env!("CARGO_MANIFEST_DIR"), "").expect_err("no tables");
    let told = error.to_string();
    assert!(told.ends_with("has no Syzygy tables (*.rtbw, *.rtbz)"), "{told}");
    let told = Tables::open("", "no/such/folder")
        .expect_err("no such folder")
        .to_string();
    assert!(told.starts_with("no/such/folder: "), "{told}");
    let told = Tables::open("", env!("CARGO_MANIFEST_DIR"))
        .expect_err("no tables")
        .to_string();
    assert!(
        told.contains("has no endgame tables (*.wdl): `bluebelle endings build"),
        "{told}"
    );
    assert!(Tables::open("", "").expect("no tables are asked for").is_none());
}

/// A search of one node mates with a rook in 16 moves at most, whatever the other side does.
#[test]
fn the_root_mates_by_the_tables_alone() {
    let evaluator = evaluator();
    let mut software = Software::new(1);
    let mut game = game("8/8/8/3k4/8/8/8/KR6 w - - 0 1");
    let limits = Limits {
        nodes: Some(1),
        ..Limits::default()
    };
    let mut random = bluebelle_spec::rng::SplitMix64::new(28);
    for moves in 0.. {
        assert!(moves < 16, "no mate after {moves} moves: {:?}", game.board());
        let outcome = software.search(&game, &limits, &settings(), &Control::new(false), &Silent);
        assert!(outcome.score() >= TABLE_WIN, "{}", outcome.score());
        game.play(outcome.best(), &evaluator);
        let replies = game.board().legal_moves();
        let replies: Vec<_> = replies.iter().map(|scored| scored.mv).collect();
        if replies.is_empty() {
            assert!(game.board().in_check());
            break;
        }
        game.play(replies[random.below(replies.len() as u64) as usize], &evaluator);
    }
}

#[test]
fn the_clock_takes_wins_away() {
    let tables = &THREE.1;
    // Mate in 12 moves, which are 23 plies.
    for (halfmoves, value) in [(0, TABLE_WIN), (70, TABLE_WIN), (85, DRAW)] {
        let board = board(&format!("8/8/8/3k4/8/8/8/KR6 w - - {halfmoves} 90"));
        let (moves, found) = tables.probe_root(&board, &evaluator()).expect("a value");
        assert_eq!(found, value, "{halfmoves}");
        assert!(!moves.is_empty());
    }
    // The lost side has no better clock.
    let lost = board("8/8/8/3k4/8/8/8/KR6 b - - 0 1");
    let known = tables.probe_root(&lost, &evaluator());
    assert_eq!(known.map(|(_, value)| value), Some(-TABLE_WIN));
    assert_eq!(tables.probe(&lost, 3), Some(3 - TABLE_WIN));
    assert_eq!(tables.value(&lost), Some(Value::Loss));
}

#[test]
fn the_tree_asks_the_tables() {
    let mut software = Software::new(1);
    // White wins a pawn, which leads into the tables.
    let game = game("8/8/8/8/1p1k4/1R6/8/K7 w - - 5 40");
    let limits = Limits {
        depth: Some(6),
        ..Limits::default()
    };
    let outcome = software.search(&game, &limits, &settings(), &Control::new(false), &Silent);
    assert!(outcome.lines[0].table_hits > 0);
    assert!(outcome.score() > 10_000, "{}", outcome.score());
    let without = software.search(&game, &limits, &Settings::default(), &Control::new(false), &Silent);
    assert_eq!(without.lines[0].table_hits, 0);
}

/// Syzygy is not here; with more men than the tables have, and with castling rights, nothing is known.
#[test]
fn what_no_table_has_is_not_known() {
    let tables = &THREE.1;
    for fen in [
        "8/8/8/3k4/3p4/8/8/KR6 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "8/8/8/3k4/8/8/8/KRN5 w - - 0 1",
    ] {
        let board = board(fen);
        assert_eq!(tables.value(&board), None, "{fen}");
        assert_eq!(tables.probe(&board, 1), None, "{fen}");
        assert_eq!(tables.probe_root(&board, &evaluator()), None, "{fen}");
    }
    assert!(tables.take_problem().is_none());
}

#[test]
fn a_damaged_table_is_told_once_and_not_asked_again() {
    let folder = Folder::new("damaged");
    for entry in fs::read_dir(&THREE.0.0).expect("a folder") {
        let path = entry.expect("a file").path();
        fs::copy(&path, folder.0.join(path.file_name().expect("a name"))).expect("a copy");
    }
    let path = folder.0.join("KRvK.wdl");
    let mut bytes = fs::read(&path).expect("a table");
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    // Behind the head, all is blocks.
    let head = 28 + number(20) + 6 * number(24) + 4;
    bytes[head..].iter_mut().for_each(|byte| *byte ^= 4);
    fs::write(&path, bytes).expect("a table");
    let tables = Tables::open("", folder.path()).expect("a sound head").expect("tables");
    let settings = Settings {
        tables: Some(Arc::new(tables)),
        ..Settings::default()
    };
    #[derive(Default)]
    struct Heard(std::sync::Mutex<Vec<String>>);
    impl Listener for Heard {
        fn line(&self, _: &crate::report::Line) {}
        fn message(&self, text: &str) {
            self.0.lock().expect("no panic").push(text.to_owned());
        }
    }
    let heard = Heard::default();
    let limits = Limits {
        depth: Some(6),
        ..Limits::default()
    };
    let game = game("8/8/8/8/1p1k4/1R6/8/K7 w - - 5 40");
    for _ in 0..2 {
        let outcome = Software::new(1).search(&game, &limits, &settings, &Control::new(false), &heard);
        assert!(!outcome.best().is_none());
    }
    let heard = heard.0.into_inner().expect("no panic");
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert!(heard[0].starts_with("EndingsPath: ") && heard[0].contains("does not match its checksum"));
}

/// Of the drawn positions with a pawn, one in 600: whatever the shade says, the draw is kept.
#[test]
fn shaded_draws_stay_draws() {
    let tables = &THREE.1;
    let evaluator = evaluator();
    let found = std::sync::Mutex::new(Vec::new());
    let keep = |position: &bluebelle_spec::Position, _: &mut _| -> Result<(), ()> {
        found.lock().expect("no panic").push(*position);
        Ok(())
    };
    each_position("KPvK".parse().expect("a material"), 600, 1, |_| (), keep).expect("no error");
    let mut software = Software::new(1);
    let limits = Limits {
        nodes: Some(300),
        ..Limits::default()
    };
    let shaded = Settings {
        draws: Draws::Shaded,
        ..settings()
    };
    let mut tried = [0; 2];
    for position in found.into_inner().expect("no panic") {
        let fen = Fen {
            position,
            halfmoves: 0,
            fullmoves: 1,
        };
        let game = Game::new(&fen, &evaluator);
        if !tables.is_drawn(game.board()) || game.ending().is_some() {
            continue;
        }
        let outcome = software.search(&game, &limits, &shaded, &Control::new(false), &Silent);
        let score = outcome.score();
        assert!((WEAKEST..=STRONGEST).contains(&score), "{fen}: {score}");
        let after = game.board().after(outcome.best(), &evaluator);
        assert_eq!(tables.value(&after), Some(Value::Draw), "{fen}: {}", outcome.best());
        tried[usize::from(score > 0)] += 1;
    }
    assert!(tried.iter().all(|&count| count > 5), "{tried:?}");
}

/// The same positions, first from one side and then from the other: what was remembered for one side
/// is not believed by the other.
#[test]
fn shades_of_one_side_are_forgotten_by_the_other() {
    let shaded = Settings {
        draws: Draws::Shaded,
        ..settings()
    };
    let limits = Limits {
        depth: Some(5),
        ..Limits::default()
    };
    let search = |software: &mut Software, fen: &str| {
        software
            .search(&game(fen), &limits, &shaded, &Control::new(false), &Silent)
            .score()
    };
    let (white, black) = ("8/8/8/4k3/1p6/1N6/8/K7 w - - 0 1", "8/8/8/4k3/1p6/1N6/8/K7 b - - 0 1");
    let mut software = Software::new(1);
    let first = search(&mut software, white);
    let second = search(&mut software, black);
    assert_eq!(second, search(&mut Software::new(1), black));
    assert_eq!(first, search(&mut software, white));
}

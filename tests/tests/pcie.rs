//! The pool of accelerators on boards behind rings: the model chip, the chip's own rings as Verilog, and a device that is unplugged.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{env, fs, process};

use bluebelle::link::Pcie;
use bluebelle::pool::{Batch, Pool, Settings};
use bluebelle_sim::bar::Bar;
use bluebelle_sim::board::{Mirror, RingLine, Tally, serve};
use bluebelle_sim::verilated::Process;
use bluebelle_sim::{ModelChip, ModelConfig, build_bar_board};
use bluebelle_spec::leaf::{self, legal_moves};
use bluebelle_spec::{Evaluator, Position, Weights};

const ADDRESS: &str = "0000:01:00.0";

/// No answer takes so long.
const HANGING: Duration = Duration::from_secs(60);

/// A folder as the kernel has it, with one device.
fn sysfs(name: &str) -> PathBuf {
    let root = env::temp_dir().join(format!("bluebelle-pcie-{name}-{}", process::id()));
    let _ = fs::remove_dir_all(&root);
    let folder = root.join(ADDRESS);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("vendor"), "0x1af4\n").expect("a file");
    fs::write(folder.join("device"), "0x1110\n").expect("a file");
    root
}

fn bar(root: &Path) -> PathBuf {
    root.join(ADDRESS).join("resource2")
}

/// A board behind a file, until it is unplugged.
struct Board {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Option<Tally>>,
}

impl Board {
    fn plug(path: PathBuf, verilated: bool) -> Board {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let (ready, is_ready) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            if verilated {
                let program = build_bar_board("1").expect("Verilator builds it");
                let mut process = Process::start(&program, None).expect("it starts");
                let bar = Bar::create(&path).expect("a window");
                let board = Mirror::new(&bar, &mut process).expect("the chip's header");
                ready.send(()).expect("somebody waits");
                board.serve(&flag).ok()
            } else {
                let mut chip = ModelChip::new(&ModelConfig::default(), Weights::standard());
                let mut line = RingLine::create(&path).expect("a window");
                ready.send(()).expect("somebody waits");
                serve(&mut line, &mut chip, &flag).ok()
            }
        });
        is_ready.recv().expect("the board is there");
        Board { stop, thread }
    }

    fn unplug(self) -> Option<Tally> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().expect("no panic")
    }
}

fn batch(beta: i16, depth: u8) -> Batch {
    let parent = Position::initial();
    Batch {
        pruning: false,
        gang: false,
        parent,
        children: legal_moves(&parent),
        depth,
        beta,
        step: 0,
        node_limit: 100_000,
    }
}

/// Every result of a board that is used is that of the golden search.
fn settings(warnings: &Arc<Mutex<Vec<String>>>, audited: &Arc<AtomicU64>) -> Settings {
    let (lines, count) = (Arc::clone(warnings), Arc::clone(audited));
    let evaluator = Evaluator::new(Weights::standard());
    Settings {
        model: false,
        report: Arc::new(move |line| lines.lock().expect("no panic").push(line.to_owned())),
        audit: Some(Arc::new(move |job, outcome| {
            count.fetch_add(1, Ordering::Relaxed);
            assert_eq!(leaf::run(job, &evaluator), *outcome, "a wrong result is used");
        })),
        ..Settings::default()
    }
}

async fn work(pool: &Pool, rounds: i16, depth: u8) {
    for round in 0..rounds {
        let batches = (0..4).map(|index| pool.submit(batch(round - 10 + 20 * index, depth)));
        for answers in batches.collect::<Vec<_>>() {
            let outcomes = tokio::time::timeout(HANGING, futures_util::future::join_all(answers)).await;
            assert!(outcomes.expect("no job hangs").iter().all(Option::is_some));
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime")
}

fn does_all_the_work(name: &str, verilated: bool, rounds: i16) {
    let root = sysfs(name);
    let board = Board::plug(bar(&root), verilated);
    let (warnings, audited) = Default::default();
    let settings = settings(&warnings, &audited);
    let done = runtime().block_on(async {
        let link = Pcie::in_sysfs(&root, ADDRESS);
        let pool = Pool::start(vec![Box::new(link)], settings).expect("threads");
        pool.settled(10_000).await;
        work(&pool, rounds, 2).await;
        pool.jobs_done()
    });
    let tally = board.unplug().expect("the board was well");
    println!("{name}: {done:?} jobs by board and workers, {tally:?}");
    assert_eq!(*warnings.lock().expect("no panic"), Vec::<String>::new());
    let jobs = 80 * rounds as u64;
    assert_eq!(done, (jobs, 0));
    assert_eq!(audited.load(Ordering::Relaxed), jobs);
    assert!(tally.results >= jobs);
    fs::remove_dir_all(root).expect("ours");
}

#[test]
fn the_model_behind_rings_does_all_the_work() {
    does_all_the_work("model", false, 20);
}

#[test]
fn the_chip_behind_its_own_rings_does_all_the_work() {
    does_all_the_work("verilated", true, 4);
}

#[test]
fn an_unplugged_device_loses_its_jobs_and_comes_back() {
    let root = sysfs("unplugged");
    let path = bar(&root);
    let mut board = Board::plug(path.clone(), false);
    let (warnings, audited) = Default::default();
    let settings = settings(&warnings, &audited);
    runtime().block_on(async {
        let link = Pcie::in_sysfs(&root, ADDRESS);
        let pool = Pool::start(vec![Box::new(link)], settings).expect("threads");
        pool.settled(3_000).await;
        let mut before = (0, 0);
        for round in 0..3 {
            work(&pool, 3, 2).await;
            let with = pool.jobs_done();
            assert!(with.0 > before.0, "round {round}: the board does nothing");
            // Jobs are under way when the mapping vanishes.
            let answers: Vec<_> = (0..4).flat_map(|index| pool.submit(batch(20 * index, 3))).collect();
            tokio::task::yield_now().await;
            fs::OpenOptions::new()
                .write(true)
                .open(&path)
                .and_then(|file| file.set_len(0))
                .expect("it can be cut off");
            let outcomes = tokio::time::timeout(HANGING, futures_util::future::join_all(answers)).await;
            assert!(outcomes.expect("no job hangs").iter().all(Option::is_some));
            assert_eq!(board.unplug(), None, "the board noticed too");
            work(&pool, 1, 2).await;
            let without = pool.jobs_done();
            assert!(without.1 > with.1, "round {round}: the workers do nothing");
            board = Board::plug(path.clone(), false);
            for _ in 0..500 {
                if pool.boards()[0].identity.is_some() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            before = pool.jobs_done();
        }
        work(&pool, 1, 2).await;
        assert!(pool.jobs_done().0 > before.0, "it is back");
        board.unplug();
    });
    let warnings = warnings.lock().expect("no panic");
    println!("{} results checked; {warnings:?}", audited.load(Ordering::Relaxed));
    assert!(
        !warnings.is_empty() && warnings.iter().any(|line| line.contains("unplugged")),
        "{warnings:?}"
    );
    fs::remove_dir_all(root).expect("ours");
}

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::mpsc;
use std::{env, fs, process};

use bluebelle_spec::leaf::{Ending, Job, Outcome, Task};
use bluebelle_spec::wire::{Batch, Child, ErrorCode, ErrorReply, JobResult, Kind, Message, Reply, Request};
use bluebelle_spec::{Move, Position};

use super::*;
use crate::clocked::Answer;

/// Sends each byte back, plus one; counts how often it was asked.
#[derive(Default)]
struct PlusOne {
    cycle: u64,
    asked: u64,
}

impl ClockedChip for PlusOne {
    fn exchange(&mut self, bytes: &[u8], until: Until) -> Result<Answer, ChipError> {
        self.cycle += until.cycles;
        self.asked += 1;
        Ok(Answer {
            bytes: bytes.iter().map(|byte| byte.wrapping_add(1)).collect(),
            untaken: 0,
            cycle: self.cycle,
        })
    }
}

fn scratch(name: &str) -> PathBuf {
    env::temp_dir().join(format!("bluebelle-board-{name}-{}", process::id()))
}

/// Stops the board, also when an assertion fails.
struct Stopper<'a>(&'a AtomicBool);

impl Drop for Stopper<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Serves a board while `client` talks to it; gives the chip as it was at the end.
fn with_board(name: &str, client: impl FnOnce(&mut fs::File)) -> PlusOne {
    let link = scratch(name);
    let mut line = Pty::open(Some(&link)).expect("a pseudo-terminal");
    let stop = AtomicBool::new(false);
    let mut chip = PlusOne::default();
    thread::scope(|scope| {
        let board = scope.spawn(|| serve(&mut line, &mut chip, &stop));
        let stopper = Stopper(&stop);
        let mut port = OpenOptions::new()
            .read(true)
            .write(true)
            .open(&link)
            .expect("the link leads to it");
        client(&mut port);
        drop(stopper);
        board.join().expect("no panic").expect("the board is well");
    });
    chip
}

/// So many bytes from the board, if they come at all.
fn read(port: &fs::File, length: usize) -> Vec<u8> {
    let mut port = port.try_clone().expect("a second handle");
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = vec![0; length];
        let read = port.read_exact(&mut bytes);
        send.send(read.map(|()| bytes))
    });
    let read = receive
        .recv_timeout(Duration::from_secs(20))
        .expect("all bytes come in time");
    read.expect("the port is well")
}

#[test]
fn every_byte_passes_unchanged_both_ways() {
    with_board("bytes", |port| {
        let all: Vec<u8> = (0..=255).collect();
        for _ in 0..40 {
            port.write_all(&all).expect("it takes bytes");
            let expected: Vec<u8> = all.iter().map(|byte| byte.wrapping_add(1)).collect();
            assert_eq!(read(port, 256), expected);
        }
    });
}

#[test]
fn clients_may_come_and_go() {
    with_board("clients", |port| {
        let path = scratch("clients");
        for _ in 0..3 {
            let mut other = OpenOptions::new()
                .read(true)
                .write(true)
                .open(&path)
                .expect("it is still there");
            other.write_all(b"a").expect("it takes bytes");
            assert_eq!(read(&other, 1), b"b");
        }
        port.write_all(b"x").expect("it takes bytes");
    });
}

#[test]
fn the_clock_stands_when_there_is_nothing_to_do() {
    let chip = with_board("idle", |port| {
        port.write_all(b"a").expect("it takes bytes");
        thread::sleep(Duration::from_millis(300));
    });
    assert!(chip.cycle >= LINGER, "{} cycles", chip.cycle);
    assert!(chip.cycle <= LINGER + 2 * GO, "{} cycles", chip.cycle);
    let chip = with_board("never", |_| thread::sleep(Duration::from_millis(50)));
    assert_eq!(chip.asked, 0);
}

#[test]
fn the_link_goes_with_the_board_and_nothing_else_is_replaced() {
    let link = scratch("link");
    let first = Pty::open(Some(&link)).expect("a pseudo-terminal");
    let second = Pty::open(Some(&link)).expect("the name can be taken over");
    assert_ne!(first.path(), second.path());
    drop(first);
    assert_eq!(fs::read_link(&link).expect("it is the second's now"), second.path());
    drop(second);
    assert!(fs::symlink_metadata(&link).is_err());

    fs::write(&link, "precious").expect("a file");
    let Err(error) = Pty::open(Some(&link)) else {
        panic!("a file must not be replaced");
    };
    assert!(error.to_string().contains("cannot link"), "{error}");
    assert_eq!(fs::read_to_string(&link).expect("it is still there"), "precious");
    fs::remove_file(&link).expect("ours");
}

#[test]
fn a_reader_that_sleeps_loses_nothing() {
    with_board("slow", |port| {
        // More than a terminal holds, so that the board must wait for us.
        let sent: Vec<u8> = (0..30_000_u32).map(|index| (index % 251) as u8).collect();
        let mut writer = port.try_clone().expect("a second handle");
        let expected: Vec<u8> = sent.iter().map(|byte| byte + 1).collect();
        let writing = thread::spawn(move || writer.write_all(&sent));
        thread::sleep(Duration::from_millis(100));
        assert!(read(port, expected.len()) == expected, "bytes were changed");
        writing.join().expect("no panic").expect("it takes bytes");
    });
}

#[test]
fn traffic_knows_which_jobs_run() {
    let mut traffic = Traffic::default();
    let job = Job::new(Position::initial(), Task::Perft { depth: 1 });
    let tell = |traffic: &mut Traffic, request: Request| traffic.hear_host(&request.encode().expect("a good request"));
    let hear = |traffic: &mut Traffic, reply: Reply| traffic.hear_chip(&reply.encode().expect("a good reply"));
    let result = |id| JobResult {
        id,
        outcome: Outcome {
            ending: Ending::Counted,
            score: 0,
            best: Move::NONE,
            nodes: 20,
            slots: 30,
        },
    };
    let batch = |ids: &[u16]| {
        let child = |&id: &u16| Child { id, first: Move::NONE };
        Request::Batch(Batch {
            parent: job.position,
            task: job.task,
            step: 0,
            node_limit: 0,
            pruning: false,
            gang: false,
            children: ids.iter().map(child).collect(),
        })
    };
    let refuse = |kind: Kind, id| {
        Reply::Error(ErrorReply {
            code: ErrorCode::QueueFull,
            kind: kind as u8,
            id,
        })
    };

    tell(&mut traffic, Request::Job { id: 1, job });
    tell(&mut traffic, batch(&[2, 3, 4]));
    assert_eq!(traffic.jobs(), 4);
    hear(&mut traffic, Reply::Results(vec![result(3), result(77)]));
    assert_eq!(traffic.jobs(), 3);
    tell(&mut traffic, batch(&[5, 6]));
    hear(&mut traffic, refuse(Kind::Batch, Some(6)));
    assert_eq!(traffic.jobs(), 3);
    tell(&mut traffic, batch(&[5, 6]));
    hear(&mut traffic, refuse(Kind::Batch, None));
    assert_eq!(traffic.jobs(), 3);
    hear(&mut traffic, refuse(Kind::LoadWeights, None));
    assert_eq!(traffic.jobs(), 3);
    tell(&mut traffic, Request::Abort(vec![]));
    assert_eq!(traffic.jobs(), 3);
    tell(&mut traffic, Request::Reset);
    assert_eq!(traffic.jobs(), 0);
}

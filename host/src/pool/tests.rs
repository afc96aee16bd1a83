use std::sync::Mutex;
use std::time::Duration;

use bluebelle_sim::ModelConfig;
use bluebelle_spec::leaf::{self, Ending, Outcome, legal_moves};
use bluebelle_spec::rng::SplitMix64;
use bluebelle_spec::wire::{Decoder, Message, Reply};
use bluebelle_spec::{Evaluator, Move, Position, Weights};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::*;
use crate::link::{Line, Opening, Timed};

/// What a meddler makes of the bytes that a chip says.
type Meddle = Box<dyn FnMut(&[u8]) -> Option<Vec<u8>> + Send>;

/// A link that changes what the chip says, and ends when told to.
struct Meddler {
    link: Timed,
    meddle: Box<dyn FnMut() -> Meddle + Send>,
    /// What there is to know about the line, every time it is opened.
    warning: Option<&'static str>,
}

impl Link for Meddler {
    fn name(&self) -> &str {
        "meddler"
    }

    fn open(&mut self) -> Opening<'_> {
        let mut meddle = (self.meddle)();
        Box::pin(async move {
            let chip = self.link.open().await?;
            let (ours, theirs) = tokio::io::duplex(1 << 16);
            let (mut from_host, mut to_host) = tokio::io::split(theirs);
            let (mut from_chip, mut to_chip) = tokio::io::split(chip);
            tokio::spawn(async move { tokio::io::copy(&mut from_host, &mut to_chip).await });
            tokio::spawn(async move {
                let mut buffer = [0; 4096];
                while let Ok(length @ 1..) = from_chip.read(&mut buffer).await
                    && let Some(bytes) = meddle(&buffer[..length])
                    && to_host.write_all(&bytes).await.is_ok()
                {}
                let _ = to_host.shutdown().await;
            });
            Ok(Box::new(ours) as Box<dyn Line>)
        })
    }

    fn bytes_per_second(&self) -> Option<f64> {
        self.link.bytes_per_second()
    }

    fn warnings(&mut self) -> Vec<String> {
        self.warning.map(str::to_owned).into_iter().collect()
    }
}

fn timed() -> Timed {
    Timed::new("timed", ModelConfig::default(), 300_000.0)
}

fn meddler(meddle: impl FnMut() -> Meddle + Send + 'static) -> Box<dyn Link> {
    Box::new(Meddler {
        link: timed(),
        meddle: Box::new(meddle),
        warning: None,
    })
}

/// A pool without threads, whose every result is held against the golden search; and its warnings.
fn pool(links: Vec<Box<dyn Link>>) -> (Pool, Arc<Mutex<Vec<String>>>) {
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let lines = Arc::clone(&warnings);
    let evaluator = Evaluator::new(Weights::standard());
    let settings = Settings {
        threads: 0,
        model: false,
        report: Arc::new(move |line| lines.lock().unwrap().push(line.to_owned())),
        audit: Some(Arc::new(move |job, outcome| {
            assert_eq!(leaf::run(job, &evaluator), *outcome, "a wrong result is used");
        })),
        ..Settings::default()
    };
    (Pool::start(links, settings).unwrap(), warnings)
}

fn batch(depth: u8, beta: i16) -> Batch {
    let parent = Position::initial();
    Batch {
        parent,
        children: legal_moves(&parent),
        depth,
        beta,
        step: 0,
        node_limit: 100_000,
        pruning: false,
        gang: false,
    }
}

fn expected(batch: &Batch) -> Vec<Outcome> {
    let evaluator = Evaluator::new(Weights::standard());
    let run = |index| leaf::run(&batch.job(index), &evaluator);
    (0..batch.children.len()).map(run).collect()
}

async fn all(answers: Vec<Answer>) -> Vec<Outcome> {
    let outcomes = futures_util::future::join_all(answers).await;
    outcomes
        .into_iter()
        .map(|outcome| outcome.expect("the pool is there"))
        .collect()
}

/// Asks some batches at once, and holds the answers against the golden search.
async fn work(pool: &Pool, rounds: i16) {
    for round in 0..rounds {
        let batches: Vec<Batch> = (0..6).map(|index| batch(2, 10 * index - 20 + round)).collect();
        let answers: Vec<Vec<Answer>> = batches.iter().map(|batch| pool.submit(batch.clone())).collect();
        for (batch, answers) in batches.iter().zip(answers) {
            assert_eq!(all(answers).await, expected(batch));
        }
    }
    // A job that was just cancelled may still be on a thread.
    for _ in 0..1000 {
        if pool.outstanding() > 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    assert_eq!(pool.outstanding(), 0);
}

#[tokio::test(start_paused = true)]
async fn boards_share_the_work() {
    let links: Vec<Box<dyn Link>> = vec![Box::new(timed()), Box::new(timed())];
    let (pool, warnings) = pool(links);
    pool.settled(1_000).await;
    assert_eq!(pool.threads(), 26);
    work(&pool, 3).await;
    assert_eq!(pool.jobs_done(), (3 * 6 * 20, 0));
    assert!(warnings.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn probes_have_windows_of_their_own() {
    let (pool, _) = pool(vec![Box::new(timed())]);
    pool.settled(1_000).await;
    let batch = Batch {
        children: vec![Move::NONE; 150],
        beta: -300,
        step: 4,
        ..batch(2, 0)
    };
    assert_eq!(all(pool.submit(batch.clone())).await, expected(&batch));
    assert_eq!(pool.jobs_done(), (150, 0));
}

/// The order in which answers come, with the time of each.
async fn course() -> Vec<(usize, Duration)> {
    let (pool, _) = pool(vec![Box::new(timed())]);
    pool.settled(1_000).await;
    let began = Instant::now();
    let answers = pool.submit(batch(3, 15)).into_iter().enumerate();
    let mut answers: FuturesUnordered<_> = answers
        .map(|(index, answer)| async move { (index, answer.await) })
        .collect();
    let mut course = Vec::new();
    while let Some((index, outcome)) = answers.next().await {
        assert!(outcome.is_some());
        course.push((index, began.elapsed()));
    }
    course
}

#[tokio::test(start_paused = true)]
async fn the_same_links_give_the_same_course() {
    let first = course().await;
    assert_eq!(first.len(), 20);
    assert_eq!(first, course().await);
}

#[tokio::test(start_paused = true)]
async fn answers_that_are_dropped_are_aborted() {
    let (pool, warnings) = pool(vec![Box::new(timed())]);
    pool.settled(1_000).await;
    let mut answers = pool.submit(batch(5, 15));
    let more = pool.submit(batch(5, 20));
    answers.remove(3).await.unwrap();
    drop((answers, more));
    // The rest of depth 5 would take seconds of the board's time.
    let began = Instant::now();
    work(&pool, 1).await;
    assert!(began.elapsed() < Duration::from_millis(100), "{:?}", began.elapsed());
    assert!(warnings.lock().unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_board_that_never_answers_is_done_without() {
    let (pool, warnings) = pool(vec![meddler(|| Box::new(|_| Some(Vec::new())))]);
    let began = Instant::now();
    work(&pool, 2).await;
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let (boards, workers) = pool.jobs_done();
    assert_eq!((boards, workers), (0, 240));
    // The same reason again, and again, is no news.
    tokio::time::sleep(Duration::from_secs(99)).await;
    let warnings = warnings.lock().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("no answer to identify"), "{warnings:?}");
}

#[tokio::test(start_paused = true)]
async fn a_board_is_told_of_when_it_comes_goes_and_is_back() {
    let mut openings = 0;
    let link = meddler(move || {
        openings += 1;
        let mut left = if openings == 1 { 3 } else { usize::MAX };
        Box::new(move |bytes| {
            left -= 1;
            (left > 0).then(|| bytes.to_vec())
        })
    });
    let told = Arc::new(Mutex::new(Vec::new()));
    let tell = || {
        let told = Arc::clone(&told);
        Arc::new(move |line: &str| told.lock().unwrap().push(line.to_owned()))
    };
    let settings = Settings {
        threads: 0,
        model: false,
        report: tell(),
        news: tell(),
        ..Settings::default()
    };
    let pool = Pool::start(vec![link], settings).unwrap();
    pool.settled(1_000).await;
    let in_use = "meddler: in use: 25 MHz, 1 × 13 threads, queue of 107, build golden model";
    assert_eq!(*told.lock().unwrap(), [in_use]);
    work(&pool, 1).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let told = told.lock().unwrap();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[1].contains("unplugged"), "{told:?}");
    assert_eq!(told[2], in_use);
}

#[tokio::test(start_paused = true)]
async fn the_load_of_a_board_is_that_of_the_search() {
    let (pool, _) = pool(vec![Box::new(timed())]);
    pool.settled(1_000).await;
    work(&pool, 1).await;
    tokio::time::sleep(Duration::from_secs(30)).await;
    let before = pool.begin_search();
    assert_eq!(pool.done().since(&before).busy(), None);
    work(&pool, 20).await;
    let done = pool.done().since(&before);
    assert_eq!((done.jobs, done.software_jobs), (20 * 120, 0));
    assert!(done.nodes > done.jobs, "{done:?}");
    let busy = done.busy().expect("it was measured");
    assert!(
        (0.03..=1.0).contains(&busy),
        "the idle time before is not counted: {busy}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_board_that_falls_silent_loses_its_jobs_and_comes_back() {
    let mut openings = 0;
    let (pool, warnings) = pool(vec![meddler(move || {
        openings += 1;
        let mut left = if openings == 1 { 400 } else { usize::MAX };
        Box::new(move |bytes| {
            let heard = bytes.len().min(left);
            left -= heard;
            Some(bytes[..heard].to_vec())
        })
    })]);
    pool.settled(1_000).await;
    let began = Instant::now();
    work(&pool, 1).await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    tokio::time::sleep(Duration::from_secs(3)).await;
    let before = pool.jobs_done();
    assert!(before.1 > 0);
    work(&pool, 1).await;
    assert_eq!(pool.jobs_done(), (before.0 + 120, before.1));
    let warnings = warnings.lock().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[tokio::test(start_paused = true)]
async fn a_board_that_is_unplugged_loses_its_jobs_at_once() {
    let mut openings = 0;
    let (pool, warnings) = pool(vec![meddler(move || {
        openings += 1;
        let mut left = if openings == 1 { 3 } else { usize::MAX };
        Box::new(move |bytes| {
            left -= 1;
            (left > 0).then(|| bytes.to_vec())
        })
    })]);
    pool.settled(1_000).await;
    let began = Instant::now();
    work(&pool, 2).await;
    assert!(began.elapsed() < Duration::from_millis(500), "{:?}", began.elapsed());
    let warnings = warnings.lock().unwrap();
    assert!(warnings[0].contains("unplugged"), "{warnings:?}");
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[tokio::test(start_paused = true)]
async fn what_there_is_to_know_about_a_line_is_told_once_and_hides_no_warning() {
    let mut openings = 0;
    let (pool, warnings) = pool(vec![Box::new(Meddler {
        link: timed(),
        meddle: Box::new(move || {
            openings += 1;
            let mut left = if openings == 1 { 3 } else { usize::MAX };
            Box::new(move |bytes| {
                left -= 1;
                (left > 0).then(|| bytes.to_vec())
            })
        }),
        warning: Some("latency timer is 16 ms"),
    })]);
    pool.settled(1_000).await;
    work(&pool, 2).await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    let before = pool.jobs_done();
    work(&pool, 1).await;
    assert_eq!(pool.jobs_done().0, before.0 + 120, "it was opened again");
    let warnings = warnings.lock().unwrap();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_eq!(warnings[0], "meddler: latency timer is 16 ms");
    assert!(warnings[1].contains("unplugged"), "{warnings:?}");
}

#[tokio::test(start_paused = true)]
async fn damaged_frames_are_never_used_and_their_jobs_are_done() {
    let mut rng = SplitMix64::new(4);
    let (pool, warnings) = pool(vec![meddler(move || {
        let mut rng = SplitMix64::new(rng.next_u64());
        Box::new(move |bytes| {
            let mut heard = Vec::new();
            for &byte in bytes {
                match rng.below(3_000) {
                    0 => {}
                    1 => heard.extend([byte, byte]),
                    2 => heard.push(byte ^ 1 << rng.below(8)),
                    _ => heard.push(byte),
                }
            }
            Some(heard)
        })
    })]);
    pool.settled(5_000).await;
    let began = Instant::now();
    for _ in 0..20 {
        work(&pool, 2).await;
        // Workers take no time here; a board that was opened anew gets its chance.
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let (boards, workers) = pool.jobs_done();
    assert!(boards > 2_400, "{boards} jobs by the board, {workers} by the workers");
    let warnings = warnings.lock().unwrap();
    assert!(!warnings.is_empty() && warnings.len() <= 4, "{warnings:?}");
}

/// Changes what the chip says, in frames that are whole.
fn liar(mut lie: impl FnMut(&mut Outcome) + Send + 'static) -> Meddle {
    let mut decoder = Decoder::<Reply>::new();
    Box::new(move |bytes| {
        let mut out = Vec::new();
        for reply in decoder.push(bytes) {
            let mut reply = reply.expect("the chip says what can be read");
            if let Reply::Results(results) = &mut reply {
                results.iter_mut().for_each(|result| lie(&mut result.outcome));
            }
            reply.encode_to(&mut out).expect("it can be said");
        }
        Some(out)
    })
}

#[tokio::test(start_paused = true)]
async fn results_that_cannot_be_are_never_used() {
    let lies: [fn(&mut Outcome); 4] = [
        |outcome| outcome.score += 1,
        |outcome| outcome.best = "a1h8".parse().unwrap(),
        |outcome| outcome.ending = Ending::Illegal,
        |outcome| outcome.ending = Ending::Limit,
    ];
    for lie in lies {
        let (pool, warnings) = pool(vec![meddler(move || liar(lie))]);
        pool.settled(1_000).await;
        work(&pool, 1).await;
        assert_eq!(pool.jobs_done(), (0, 120));
        let warnings = warnings.lock().unwrap();
        assert!(warnings[0].contains("a wrong result"), "{warnings:?}");
        assert_eq!(warnings.len(), 1, "{warnings:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn results_that_nobody_waits_for_are_ignored() {
    // Every result comes under the id of the next one, and then again as it was.
    let (pool, warnings) = pool(vec![meddler(|| {
        let mut decoder = Decoder::<Reply>::new();
        Box::new(move |bytes| {
            let mut out = Vec::new();
            for reply in decoder.push(bytes).filter_map(Result::ok) {
                if let Reply::Results(results) = &reply {
                    let mut others = results.clone();
                    others.iter_mut().for_each(|result| result.id += 30_000);
                    Reply::Results(others).encode_to(&mut out).unwrap();
                    reply.encode_to(&mut out).unwrap();
                }
                reply.encode_to(&mut out).unwrap();
            }
            Some(out)
        })
    })]);
    pool.settled(1_000).await;
    work(&pool, 2).await;
    assert_eq!(pool.jobs_done(), (240, 0));
    assert!(warnings.lock().unwrap().is_empty());
}

#[tokio::test]
async fn the_model_works_on_threads() {
    let settings = Settings {
        threads: 2,
        ..Settings::default()
    };
    let pool = Pool::start(Vec::new(), settings).unwrap();
    assert_eq!(pool.threads(), 2);
    work(&pool, 2).await;
    assert_eq!(pool.jobs_done(), (0, 240));
    let endless = pool.submit(batch(8, 15));
    drop(endless);
    work(&pool, 1).await;
}

use std::time::{Duration, Instant};
use bluebelle::epd;
use bluebelle::evaluation::Evaluator;
use bluebelle::game::{Ending, Game};
use bluebelle::limits::{Control, Limits};
use bluebelle::link::LineModel;
use bluebelle::projection::*;
use bluebelle::report::Silent;
use bluebelle::search::{Settings, Software};
use bluebelle_spec::{Color, Fen, Move, Weights};

fn env<T: std::str::FromStr>(name: &str, default: T) -> T {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn setup(boards: usize) -> Setup {
    Setup {
        boards,
        board: BoardModel { cores: env("CORES", 6), threads: 13, stages: 13, gangs: env("GANGS", 1) != 0, queue: env("QUEUE", 107), mhz: env("MHZ", 92.857) },
        line: LineModel { bytes_per_second: env("RATE", 1e8), latency: Duration::from_micros(env("LAT", 30)), jitter: Duration::ZERO, seed: 1 },
        host: FIXED_COST,
        threads: env("THREADS", 1), crew: env("CREW", 0),
        hash: env("HASH", 16),
    }
}

fn bench_fens() -> Vec<Fen> {
    include_str!("../src/command/bench.epd").lines().filter_map(|line| {
        
        if line.starts_with("#") { None } else { line.parse().ok() }
    }).collect()
}

fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let evaluator = Evaluator::new(Weights::standard());
    let depth: u32 = env("DEPTH", 12);
    match mode.as_str() {
        "bench" => {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let mut total = [0u64; 3];
            let mut times = [0f64; 3];
            let mut same = [0, 0];
            for fen in bench_fens() {
                let game = Game::new(&fen, &evaluator);
                let mut software = Software::new(16);
                let t = Instant::now();
                let a = software.search(&game, &limits, &Settings::default(), &Control::new(false), &Silent);
                times[0] += t.elapsed().as_secs_f64();
                total[0] += a.nodes;
                for (i, boards) in [0, 1].into_iter().enumerate() {
                    let mut p = Projection::new(setup(boards));
                    let t = Instant::now();
                    let b = p.search(&game, &limits).unwrap();
                    times[i + 1] += t.elapsed().as_secs_f64();
                    total[i + 1] += b.outcome.nodes;
                    same[i] += usize::from(b.outcome.nodes == a.nodes && b.outcome.lines[0].moves == a.lines[0].moves);
                    if boards == 1 {
                        let s = setup(1);
                        println!("{} sw {} {:.1}ms  acc {:.1}ms host {} jobs {} jn {:.0} busy {:.2} host {:.2} lines {:?} {}",
                            a.best(), a.nodes, a.nodes as f64 * 430e-6, b.outcome.time.as_secs_f64() * 1e3, b.work.nodes, b.metered.jobs,
                            b.result_nodes as f64 / b.results.max(1) as f64, b.hardware_busy(&s), b.host_busy(), b.link_busy(&s), b.outcome.best());
                    }
                }
            }
            println!("{total:?} {times:?} same {same:?}");
        }
        "match" => {
            let games: usize = env("GAMES", 20);
            let first: usize = env("FIRST", 0);
            let time: f64 = env("TIME", 0.1);
            let openings: Vec<Fen> = std::fs::read_to_string("/work/shared/data/openings.epd").unwrap().lines().filter_map(|line| {
                let problem = epd::parse_positions(line, &evaluator).ok()?;
                Some(problem.into_iter().next()?.fen)
            }).collect();
            let (mut w, mut d, mut l) = (0, 0, 0);
            let (mut da, mut ds, mut moves) = (0, 0, 0);
            let (mut busy, mut host, mut jobs, mut jn, mut secs) = (0.0, 0.0, 0, 0, 0.0);
            let wall = Instant::now();
            let mut pairs: Vec<f64> = Vec::new();
            for index in first..first + games {
                let acc_color = if index % 2 == 0 { Color::White } else { Color::Black };
                let mut p = Projection::new(setup(env("BOARDS", 1)));
                let mut software = Software::new(env("HASH", 16));
                let odds: f64 = env("ODDS", 1.0);
                let mut game = Game::new(&openings[index / 2 % openings.len()], &evaluator);
                let (mut leader, mut agreed) = (None, 0);
                let mut winner = None;
                for _ in 0..300 {
                    let turn = game.board().turn();
                    if let Some(e) = game.ending() { winner = (e == Ending::Checkmate).then_some(!turn); break; }
                    let fixed: u32 = env("FIXED", 0);
                    let (mv, score) = if turn == acc_color {
                        let limits = if fixed > 0 { Limits { depth: Some(fixed), ..Limits::default() } } else { Limits { movetime: Some(Duration::from_secs_f64(time)), ..Limits::default() } };
                        let b = p.search(&game, &limits).unwrap();
                        da += b.outcome.lines[0].depth; moves += 1;
                        let s = p.setup();
                        if s.boards > 0 { busy += b.hardware_busy(s) * b.outcome.time.as_secs_f64(); }
                        host += b.host_busy() * b.outcome.time.as_secs_f64(); jobs += b.results; jn += b.result_nodes; secs += b.outcome.time.as_secs_f64();
                        for warning in &b.warnings { println!("WARNING {warning}"); }
                        (b.outcome.best(), b.outcome.score())
                    } else {
                        let limits = if fixed > 0 { Limits { depth: Some(fixed), ..Limits::default() } } else { Limits { nodes: Some((time * odds * 1e9 / 430.0) as u64), ..Limits::default() } };
                        let b = software.search(&game, &limits, &Settings::default(), &Control::new(false), &Silent);
                        ds += b.lines[0].depth;
                        (b.best(), b.score())
                    };
                    let leads = if score >= 1000 { Some(turn) } else if score <= -1000 { Some(!turn) } else { None };
                    agreed = if leads == leader { agreed + 1 } else { 1 };
                    leader = leads;
                    if leader.is_some() && agreed >= 4 { winner = leader; break; }
                    assert!(game.board().is_legal(mv), "{mv:?} {}", mv == Move::NONE);
                    game.play(mv, &evaluator);
                }
                let points = match winner { None => { d += 1; 0.5 } Some(c) if c == acc_color => { w += 1; 1.0 } _ => { l += 1; 0.0 } };
                if index % 2 == 0 { pairs.push(points) } else { *pairs.last_mut().unwrap() += points }
                let n = (w + d + l) as f64;
                let share = (w as f64 + d as f64 / 2.0) / n;
                let np = pairs.len() as f64;
                let var = pairs.iter().map(|p| (p / 2.0 - share).powi(2)).sum::<f64>() / np;
                let err = 1.96 * (var / np).sqrt();
                let elo = |s: f64| { let s = s.clamp(0.001, 0.999); 400.0 * (s / (1.0 - s)).log10() };
                println!("{n} +{w} ={d} -{l} {:.1}% elo {:.0} ± {:.0} depth {:.2}:{:.2} busy {:.3} host {:.3} jobs/s {:.0} jn {:.0} wall {:.0}", share * 100.0, elo(share), (elo(share + err) - elo(share - err)) / 2.0,
                    da as f64 / moves as f64, ds as f64 / moves as f64, busy / secs, host / secs, jobs as f64 / secs, jn as f64 / jobs.max(1) as f64, wall.elapsed().as_secs_f64());
            }
        }
        "regret" => regret(&evaluator),
        _ => panic!("mode"),
    }
}

fn regret(evaluator: &Evaluator) {
    use std::collections::HashMap;
    let path = "/tmp/positions.fen";
    let count: usize = env("COUNT", 100);
    if !std::path::Path::new(path).exists() {
        let openings: Vec<Fen> = std::fs::read_to_string("/work/shared/data/openings.epd").unwrap().lines().filter_map(|line| {
            let problem = epd::parse_positions(line, evaluator).ok()?;
            Some(problem.into_iter().next()?.fen)
        }).collect();
        let mut text = String::new();
        let mut seed = 12345u64;
        for opening in openings.iter().cycle().take(200) {
            let mut software = Software::new(16);
            let mut game = Game::new(opening, evaluator);
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let want = 6 + (seed >> 33) % 60;
            for ply in 0..want {
                if game.ending().is_some() { break; }
                let b = software.search(&game, &Limits { nodes: Some(10_000), ..Limits::default() }, &Settings::default(), &Control::new(false), &Silent);
                if b.score().abs() > 250 { break; }
                game.play(b.best(), evaluator);
                if ply + 1 == want { text += &format!("{}\n", game.board().fen().unwrap()); }
            }
        }
        std::fs::write(path, text).unwrap();
    }
    let text = std::fs::read_to_string(path).unwrap();
    let cache: std::cell::RefCell<HashMap<String, i32>> = std::cell::RefCell::new( std::fs::read_to_string("/tmp/ref.txt").unwrap_or_default().lines().filter_map(|l| { let (k, v) = l.rsplit_once('|')?; Some((k.to_owned(), v.parse().ok()?)) }).collect());
    let time: f64 = env("TIME", 0.1);
    let boards: usize = env("BOARDS", 1);
    let odds: f64 = env("ODDS", 1.0);
    let (mut sum, mut squares, mut n, mut depth, mut busy, mut host, mut jobs, mut jn) = (0.0, 0.0, 0, 0, 0.0, 0.0, 0, 0);
    let wall = Instant::now();
    for fen in text.lines().take(count) {
        let parsed: Fen = fen.parse().unwrap();
        let game = Game::new(&parsed, evaluator);
        if game.ending().is_some() { continue; }
        let reference = |mv: Move| -> i32 {
            let key = format!("{fen}|{mv}");
            if let Some(&v) = cache.borrow().get(&key) { return v; }
            let mut after = game.clone();
            after.play(mv, evaluator);
            let v = if let Some(e) = after.ending() { if e == Ending::Checkmate { 3000 } else { 0 } } else {
                let mut software = Software::new(32);
                -software.search(&after, &Limits { nodes: Some(env("REF", 1_500_000)), ..Limits::default() }, &Settings::default(), &Control::new(false), &Silent).score()
            };
            use std::io::Write;
            writeln!(std::fs::OpenOptions::new().create(true).append(true).open("/tmp/ref.txt").unwrap(), "{key}|{v}").unwrap();
            cache.borrow_mut().insert(key, v);
            v
        };
        let mv = if boards == 0 && env("CREW", 0) == 0 {
            let mut software = Software::new(16);
            let b = software.search(&game, &Limits { nodes: Some((time * odds * 1e9 / 430.0) as u64), ..Limits::default() }, &Settings::default(), &Control::new(false), &Silent);
            depth += b.lines[0].depth;
            b.best()
        } else {
            let mut p = Projection::new(setup(boards));
            let b = p.search(&game, &Limits { movetime: Some(Duration::from_secs_f64(time)), ..Limits::default() }).unwrap();
            depth += b.outcome.lines[0].depth;
            if boards > 0 { busy += b.hardware_busy(p.setup()); }
            host += b.host_busy(); jobs += b.results; jn += b.result_nodes;
            b.outcome.best()
        };
        // The reference move: the software's with ten times the time.
        let best_key = format!("{fen}|best");
        let best: Move = match cache.borrow().get(&best_key) { Some(&bits) => Move::from_bits(bits as u16).unwrap(), None => {
            let mut software = Software::new(32);
            let b = software.search(&game, &Limits { nodes: Some(2_300_000), ..Limits::default() }, &Settings::default(), &Control::new(false), &Silent).best();
            use std::io::Write;
            writeln!(std::fs::OpenOptions::new().create(true).append(true).open("/tmp/ref.txt").unwrap(), "{best_key}|{}", b.bits()).unwrap();
            b } };
        let p = |cp: i32| 1.0 / (1.0 + 10f64.powf(-f64::from(cp) / 300.0));
        let r = (p(reference(best)) - p(reference(mv))) * 100.0;
        sum += r; squares += r * r; n += 1;
    }
    let mean = sum / n as f64;
    println!("n {n} regret {mean:.3} ± {:.3} depth {:.2} busy {:.3} host {:.3} jobs {:.0} jn {:.0} wall {:.0}", 1.0 * ((squares / n as f64 - mean * mean) / n as f64).sqrt(), depth as f64 / n as f64, busy / n as f64, host / n as f64, jobs as f64 / n as f64, jn as f64 / jobs.max(1) as f64, wall.elapsed().as_secs_f64());
}

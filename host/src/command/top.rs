//! The counters of the live view, in a terminal.

use std::io::{IsTerminal, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use bluebelle::web::{Choice, Desk, PORT};
use serde_json::Value;

use crate::input;
use crate::output::{self, say};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Search on these accelerators and show their counters; without it, those of the live view
    /// that is running
    #[arg(long, value_name = "NAMES")]
    accel: Option<String>,

    /// The position to search with --accel: a FEN, or startpos
    #[arg(long, default_value = "startpos", requires = "accel")]
    fen: String,

    /// The port of the live view
    #[arg(long, default_value_t = PORT, conflicts_with = "accel")]
    port: u16,

    /// Seconds between two looks
    #[arg(long, default_value_t = 0.5, value_parser = input::seconds)]
    every: f64,

    /// Print LOOKS looks and end; without this flag, go on until Ctrl-C
    #[arg(long, value_name = "LOOKS")]
    count: Option<u32>,
}

/// Where the counters are from.
enum Source {
    Own(Desk),
    Running(u16),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let source = match &arguments.accel {
        Some(name) => {
            let choice = Choice {
                accelerator: name.clone(),
                eager: true,
                ..Choice::default()
            };
            let desk = Desk::open(choice, 64, "")?;
            desk.analyse(&arguments.fen).map_err(anyhow::Error::msg)?;
            Source::Own(desk)
        }
        None => Source::Running(arguments.port),
    };
    let in_place = std::io::stdout().is_terminal();
    let mut looks = 0;
    loop {
        let text = render(&source.look()?);
        if in_place {
            // The cursor goes to the corner, and what was there before goes away.
            output::text("\u{1b}[H\u{1b}[J")?;
        }
        output::text(&text)?;
        looks += 1;
        if arguments.count.is_some_and(|count| looks >= count) {
            return Ok(ExitCode::SUCCESS);
        }
        std::thread::sleep(Duration::from_secs_f64(arguments.every));
        if !in_place {
            say!("");
        }
    }
}

/// How long the live view may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

/// The longest answer that is read.
const MOST: u64 = 8 << 20;

impl Source {
    fn look(&self) -> anyhow::Result<Value> {
        let text = match self {
            Source::Own(desk) => desk.snapshot(),
            Source::Running(port) => ask(*port)?,
        };
        serde_json::from_str(&text).context("the live view's answer is not understood; is it another version?")
    }
}

/// The state of the live view at a port of this machine.
fn ask(port: u16) -> anyhow::Result<String> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).with_context(|| {
        format!("no live view is at port {port}: start bluebelle web, name its --port, or search here with --accel")
    })?;
    stream.set_read_timeout(Some(PATIENCE))?;
    write!(
        stream,
        "GET /state HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )?;
    let mut answer = String::new();
    stream.take(MOST).read_to_string(&mut answer)?;
    match answer.split_once("\r\n\r\n") {
        Some((head, body)) if head.starts_with("HTTP/1.1 200") => Ok(body.to_owned()),
        _ => bail!("what is at port {port} is not the live view: name its --port"),
    }
}

/// A share as a bar and a number.
fn bar(share: &Value) -> String {
    const WIDTH: usize = 30;
    match share.as_f64() {
        Some(share) => {
            let full = (share.clamp(0.0, 1.0) * WIDTH as f64).round() as usize;
            format!(
                "[{}{}] {:5.1} %",
                "#".repeat(full),
                ".".repeat(WIDTH - full),
                100.0 * share
            )
        }
        None => "not measured".to_owned(),
    }
}

fn number(value: &Value) -> String {
    match value.as_f64() {
        Some(number) if number >= 1e9 => format!("{:.2} G", number / 1e9),
        Some(number) if number >= 1e6 => format!("{:.2} M", number / 1e6),
        Some(number) if number >= 1e4 => format!("{:.1} k", number / 1e3),
        Some(number) => format!("{number:.0}"),
        None => "-".to_owned(),
    }
}

fn score(line: &Value) -> String {
    match (line["mate"].as_i64(), line["centipawns"].as_f64()) {
        (Some(moves), _) => format!("#{moves}"),
        (None, Some(score)) => format!("{:+.2}", score / 100.0),
        (None, None) => "-".to_owned(),
    }
}

/// The screen.
fn render(state: &Value) -> String {
    let (live, game) = (&state["live"], &state["game"]);
    let (main, boards) = (&live["main"], &live["boards"]);
    let best = &main["lines"][0];
    let moves: Vec<&str> = best["san"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let what = match (live["opening"].as_str(), main["searching"].as_bool()) {
        (Some(name), _) => format!("opening {name}"),
        (None, Some(true)) => "searching".to_owned(),
        (None, _) => "resting".to_owned(),
    };
    let seconds = main["milliseconds"].as_f64().unwrap_or(0.0) / 1000.0;
    let mut text = format!("Bluebelle  {what}  {}\n\n", game["fen"].as_str().unwrap_or("?"));
    let mut row = |name: &str, value: String| text += &format!("{name:12} {value}\n");
    row(
        "score",
        format!("{} for White, depth {}, {seconds:.1} s", score(best), main["depth"]),
    );
    row("line", moves.join(" "));
    row(
        "host",
        format!("{} nodes/s, {} nodes", number(&main["speed"]), number(&main["nodes"])),
    );
    row(
        "table",
        bar(&main["hashfull"]
            .as_f64()
            .map_or(Value::Null, |full| (full / 1000.0).into())),
    );
    if boards.is_null() {
        row("boards", "none: the software searches alone".to_owned());
        return text;
    }
    for board in boards["boards"].as_array().into_iter().flatten() {
        let there = match board["there"].as_bool() {
            Some(true) => format!(
                "{} × {} threads at {} MHz",
                board["cores"], board["threads"], board["megahertz"]
            ),
            _ => "not there; it joins in when it is".to_owned(),
        };
        row("board", format!("{}  {there}", board["name"].as_str().unwrap_or("?")));
    }
    if boards["model"] == true {
        row("board", "model, on this machine's threads".to_owned());
    }
    row("chip busy", bar(&boards["busy"]));
    row("line busy", bar(&boards["line"]));
    let jobs = [&boards["jobs_per_second"], &boards["jobs"], &boards["nodes_per_job"]].map(number);
    row(
        "jobs",
        format!(
            "{}/s, {} in all, {} nodes each, {} in flight",
            jobs[0], jobs[1], jobs[2], boards["outstanding"]
        ),
    );
    row(
        "chip",
        format!(
            "{} nodes/s, {} nodes",
            number(&boards["nodes_per_second"]),
            number(&boards["nodes"])
        ),
    );
    row(
        "on the line",
        format!(
            "{} B/s out, {} B/s in",
            number(&boards["sent"]),
            number(&boards["received"])
        ),
    );
    text
}

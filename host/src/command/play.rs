use std::io::{self, BufRead};
use std::process::ExitCode;
use std::time::Duration;

use bluebelle::backend::{self, Backend, Request};
use bluebelle::evaluation::Evaluator;
use bluebelle::game::{Ending, Game};
use bluebelle::limits::{Control, Limits};
use bluebelle::notation;
use bluebelle::pool::Pool;
use bluebelle::report::{Line, Listener, Outcome};
use bluebelle::score::UciScore;
use bluebelle::search::Settings;
use bluebelle::strength::{self, Strength};
use bluebelle_spec::{Color, Fen, Move};

use crate::input;
use crate::output::{self, note, say};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Your side
    #[arg(long, default_value = "white", value_parser = ["white", "black"])]
    side: String,

    /// Where the game begins: a FEN, or startpos
    #[arg(long, default_value = "startpos", value_parser = input::game_position)]
    fen: Fen,

    /// Seconds that the engine thinks for each move
    #[arg(long, default_value_t = 2.0, value_parser = input::seconds)]
    time: f64,

    /// How strong the engine plays, in Elo
    #[arg(long, value_parser = clap::value_parser!(u32).range(i64::from(Strength::LEAST_ELO)..=i64::from(Strength::MOST_ELO)))]
    elo: Option<u32>,

    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Boards that help the engine, with commas between them, as in the option `Accelerator`:
    /// model, verilated, serial:PATH@BAUD, pcie:ADDRESS
    #[arg(long, value_name = "NAMES")]
    accel: Option<String>,

    #[command(flatten)]
    weights: input::WeightsArgument,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut table = Table::new(arguments)?;
    table.show()?;
    let mut lines = io::stdin().lock().lines();
    while table.ending().is_none() {
        if table.game.board().turn() != table.person {
            table.answer()?;
            continue;
        }
        output::text("your move> ")?;
        let Some(line) = lines.next() else {
            say!("");
            break;
        };
        if table.obey(line?.trim())? == Next::Leave {
            return Ok(ExitCode::SUCCESS);
        }
    }
    if let Some(ending) = table.ending() {
        say!("{}", ending.describe(table.game.board().turn()));
    }
    Ok(ExitCode::SUCCESS)
}

#[derive(PartialEq, Eq)]
enum Next {
    Stay,
    Leave,
}

/// The board between a person and the engine.
struct Table {
    backend: Box<dyn Backend>,
    settings: Settings,
    strength: Option<Strength>,
    time: Duration,
    person: Color,
    /// Jobs that the accelerators have done so far.
    jobs: u64,
    game: Game,
    /// The game before each move.
    earlier: Vec<Game>,
    evaluator: std::sync::Arc<Evaluator>,
}

/// Mebibytes for the transposition table.
const HASH: usize = 64;

const HELP: &str = "a move such as Nf3 or g1f3, or: undo, hint, board, moves, resign, quit";

impl Table {
    fn new(arguments: &Arguments) -> anyhow::Result<Table> {
        let request = Request {
            accelerator: arguments.accel.clone().unwrap_or_default(),
            hash: HASH,
            eval_file: arguments.weights.path().to_owned(),
            eager: false,
        };
        let backend = backend::open(&request)?;
        if let Some(pool) = backend.pool() {
            describe_boards(pool)?;
        }
        let evaluator = backend.evaluator();
        Ok(Table {
            settings: Settings {
                threads: usize::from(arguments.threads),
                ..Settings::default()
            },
            strength: arguments.elo.map(Strength::new),
            time: Duration::from_secs_f64(arguments.time),
            person: if arguments.side == "black" {
                Color::Black
            } else {
                Color::White
            },
            game: Game::new(&arguments.fen, &evaluator),
            earlier: Vec::new(),
            jobs: 0,
            backend,
            evaluator,
        })
    }

    fn ending(&self) -> Option<Ending> {
        self.game.ending()
    }

    fn show(&self) -> io::Result<()> {
        output::line(format_args!("\n{}", self.game.board()))
    }

    fn obey(&mut self, line: &str) -> io::Result<Next> {
        match line {
            "" => {}
            "help" | "?" => say!("{HELP}"),
            "board" | "d" => self.show()?,
            "moves" => {
                let board = self.game.board();
                let moves: Vec<String> = board
                    .legal_moves()
                    .iter()
                    .map(|scored| notation::format(board, scored.mv))
                    .collect();
                say!("{}", moves.join(" "));
            }
            "hint" => {
                let outcome = self.think(None);
                let best = notation::format(self.game.board(), outcome.best());
                say!("{best} ({})", UciScore(outcome.score()));
            }
            "undo" => self.undo()?,
            "resign" => {
                say!("you resign; {:?} wins", !self.person);
                return Ok(Next::Leave);
            }
            "quit" | "exit" => return Ok(Next::Leave),
            text => match notation::parse(self.game.board(), text) {
                Some(mv) => {
                    self.play(mv);
                    self.show()?;
                }
                None => say!("'{text}' is not a legal move here; {HELP}"),
            },
        }
        Ok(Next::Stay)
    }

    /// The engine's move.
    fn answer(&mut self) -> io::Result<()> {
        let outcome = self.think(self.strength);
        let best = outcome.best();
        let written = notation::format(self.game.board(), best);
        let work = self.work(&outcome);
        say!("Bluebelle plays {written} ({}){work}", UciScore(outcome.score()));
        self.play(best);
        self.show()
    }

    /// What a search with boards took.
    fn work(&mut self, outcome: &Outcome) -> String {
        let Some(pool) = self.backend.pool() else {
            return String::new();
        };
        let (boards, workers) = pool.jobs_done();
        let jobs = if pool.has_model() { boards + workers } else { boards };
        let before = std::mem::replace(&mut self.jobs, jobs);
        format!(
            ", {} jobs, {} nodes in {:.1} s",
            jobs - before,
            outcome.nodes,
            outcome.time.as_secs_f64()
        )
    }

    fn think(&mut self, strength: Option<Strength>) -> Outcome {
        let mut limits = Limits {
            movetime: Some(self.time),
            ..Limits::default()
        };
        let mut settings = self.settings.clone();
        if let Some(strength) = strength {
            strength.restrain(&mut limits, &mut settings);
        }
        let mut outcome = self
            .backend
            .search(&self.game, &limits, &settings, &Control::new(false), &Remarks);
        if let Some(strength) = strength {
            let seed = strength::seed(outcome.nodes, outcome.best());
            strength.choose(&self.game, &limits, &mut outcome, seed);
        }
        outcome
    }

    fn play(&mut self, mv: Move) {
        self.earlier.push(self.game.clone());
        self.game.play(mv, &self.evaluator);
    }

    /// Takes back the person's last move, and the answer to it.
    fn undo(&mut self) -> io::Result<()> {
        let person = self.person;
        match self.earlier.iter().rposition(|game| game.board().turn() == person) {
            Some(at) => {
                self.game = self.earlier[at].clone();
                self.earlier.truncate(at);
                self.show()
            }
            None => output::line(format_args!("there is no move of yours to take back")),
        }
    }
}

/// Who helps.
fn describe_boards(pool: &Pool) -> io::Result<()> {
    if pool.has_model() {
        say!("accelerator: the golden model of the chip, on this machine");
    }
    for board in pool.boards() {
        match board.identity {
            Some(identity) => say!(
                "accelerator: {}, {} × {} threads at {} MHz",
                board.name,
                identity.cores,
                identity.threads,
                f64::from(identity.clock_khz) / 1000.0
            ),
            None => note!(
                "warning: {} does not answer; the game goes on without it, and it joins in when it does",
                board.name
            ),
        }
    }
    Ok(())
}

/// Shows the remarks of a search, such as those about boards, and nothing else.
struct Remarks;

impl Listener for Remarks {
    fn line(&self, _: &Line) {}

    fn message(&self, text: &str) {
        note!("{text}");
    }
}

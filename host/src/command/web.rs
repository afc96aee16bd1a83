use std::process::ExitCode;

use anyhow::Context;
use bluebelle::web::{Choice, Desk, PORT, Server};

use crate::input;
use crate::output;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The port on this machine [default: 8960, or the next one that is free]
    #[arg(long)]
    port: Option<u16>,

    /// Boards that help the engine, with commas between them, as in the option `Accelerator`:
    /// model, verilated, serial:PATH@BAUD, pcie:ADDRESS; another can be chosen on the page
    #[arg(long, value_name = "NAMES", default_value = "")]
    accel: String,

    /// Seconds that the engine thinks for each move
    #[arg(long, default_value_t = 2.0, value_parser = input::seconds)]
    time: f64,

    /// Search threads
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// Mebibytes for the transposition table
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,

    #[command(flatten)]
    weights: input::WeightsArgument,
}

/// What `bluebelle` alone does in a terminal.
impl Default for Arguments {
    fn default() -> Arguments {
        Arguments {
            port: None,
            accel: String::new(),
            time: 2.0,
            threads: 1,
            hash: 64,
            weights: input::WeightsArgument::default(),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let choice = Choice {
        accelerator: arguments.accel.clone(),
        seconds: arguments.time,
        threads: usize::from(arguments.threads),
        ..Choice::default()
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let server = Server::bind(arguments.port)
            .await
            .with_context(|| refused(arguments.port))?;
        let desk = Desk::open(choice, arguments.hash as usize, arguments.weights.path())?;
        // In one piece: a reader that goes away after the address does not end the view.
        output::text(&format!(
            "the live view is at {}\nCtrl-C ends it; a chess program starts the engine by bluebelle uci\n",
            server.url()
        ))?;
        server.run(desk).await.context("the live view has lost its port")
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Why there is no port.
fn refused(port: Option<u16>) -> String {
    match port {
        Some(port) => format!("port {port} cannot be used; leave --port out, or name another"),
        None => format!("no port from {PORT} on is free; name one with --port"),
    }
}

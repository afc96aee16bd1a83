//! The live view: a page on which a person plays, analyses, and watches the search and its boards
//! at work.
//!
//! ```text
//! tab ⇄ socket ──requests──▶ desk (a thread) ⇄ engines: hardware, and software beside it
//!   ▲                          │
//!   └──── newest snapshot ─────┘   at most 10 a second, one for all tabs
//! ```
//!
//! One thread, the `desk`, owns the game and the engines, and all tabs look at the same game. The
//! desk writes a snapshot into a cell that holds the newest one only, so a slow tab misses
//! snapshots and holds up nothing, and `n` tabs cost one snapshot. What a tab sends is read and
//! judged in the tab's own task (`request`); only a sound request reaches the desk, and no more
//! than `MOST_WAITING` wait there.
//!
//! The server listens on loopback only, and answers only requests that name it as their host and
//! come from its own page (`guard`): another site cannot reach it, not even by a name that
//! resolves to this machine.

mod desk;
mod engine;
mod guard;
mod line;
mod owner;
mod page;
mod record;
mod request;
mod socket;
mod view;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use tokio::net::TcpListener;

pub use desk::{Desk, DeskError};
pub use request::Choice;

/// The port, if it is free and no other is asked for.
pub const PORT: u16 = 8960;

/// How many ports after [`PORT`] are tried.
const OTHERS: u16 = 20;

/// How often tabs hear news, at most.
pub(crate) const TICK: Duration = Duration::from_millis(100);

/// The live view at its address, before it answers.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Takes a port of this machine's loopback: the one that is asked for, or a free one near
    /// [`PORT`].
    ///
    /// # Errors
    /// If the port is taken.
    pub async fn bind(port: Option<u16>) -> io::Result<Server> {
        let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let listener = match port {
            Some(port) => bind(port).await?,
            None => {
                let mut listener = bind(PORT).await;
                for port in PORT + 1..=PORT + OTHERS {
                    if listener.is_ok() {
                        break;
                    }
                    listener = bind(port).await;
                }
                listener?
            }
        };
        let address = listener.local_addr()?;
        Ok(Server { listener, address })
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Answers until the process ends.
    ///
    /// # Errors
    /// If the system takes the port away.
    pub async fn run(self, desk: Desk) -> io::Result<()> {
        let guard = Arc::new(guard::Guard::new(self.address.port()));
        let router = Router::new()
            .route("/", get(page::html))
            .route("/page.css", get(page::css))
            .route("/{file}", get(page::file))
            .route("/state", get(socket::state))
            .route("/game.pgn", get(socket::pgn))
            .route("/live", get(socket::open))
            .fallback(page::nothing)
            .with_state(desk)
            .layer(axum::middleware::from_fn_with_state(guard, guard::check));
        axum::serve(line::Lines::new(self.listener), router).await
    }
}

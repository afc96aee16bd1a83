//! One tab: it hears the newest snapshots, and what it asks goes to the desk.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::desk::Desk;
use super::request;

/// The longest message of a tab, in bytes.
const MOST_BYTES: usize = 256 * 1024;

/// How long a tab may take to read a message; then it is a tab no more.
const PATIENCE: Duration = Duration::from_secs(15);

/// How often a tab is asked whether it is there.
const PING: Duration = Duration::from_secs(20);

/// How many complaints to a tab may wait; more are dropped.
const COMPLAINTS: usize = 8;

/// Both snapshots, for programs.
pub(super) async fn state(State(desk): State<Desk>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], desk.snapshot()).into_response()
}

/// The game, for other programs.
pub(super) async fn pgn(State(desk): State<Desk>) -> Response {
    let text = desk.pgn.borrow().to_string();
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"bluebelle.pgn\""),
    ];
    (headers, text).into_response()
}

pub(super) async fn open(upgrade: WebSocketUpgrade, State(desk): State<Desk>) -> Response {
    upgrade
        .max_message_size(MOST_BYTES)
        .max_frame_size(MOST_BYTES)
        .on_upgrade(move |socket| serve(socket, desk))
}

/// Why a tab is served no more.
struct Gone;

async fn serve(mut socket: WebSocket, desk: Desk) {
    let _tab = desk.tab();
    // The tab has left, or reads nothing: no complaint would arrive.
    let _ = talk(&mut socket, &desk).await;
}

async fn talk(socket: &mut WebSocket, desk: &Desk) -> Result<(), Gone> {
    let (mut game, mut live) = (desk.game.clone(), desk.live.clone());
    let (complain, mut complaints) = mpsc::channel::<String>(COMPLAINTS);
    let mut ping = interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    send(socket, newest(&mut game)).await?;
    send(socket, newest(&mut live)).await?;
    send_text(socket, devices().await).await?;
    loop {
        tokio::select! {
            changed = game.changed() => {
                changed.map_err(|_| Gone)?;
                send(socket, newest(&mut game)).await?;
            }
            changed = live.changed() => {
                changed.map_err(|_| Gone)?;
                send(socket, newest(&mut live)).await?;
            }
            Some(problem) = complaints.recv() => send_text(socket, complaint(&problem)).await?,
            _ = ping.tick() => send(socket, Message::Ping(Vec::new().into())).await?,
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    let asked = request::parse(&text).and_then(|request| desk.ask(request, complain.clone()));
                    if let Err(problem) = asked {
                        send_text(socket, complaint(&problem)).await?;
                    }
                }
                Some(Ok(Message::Binary(_))) => send_text(socket, complaint("expected text, found bytes")).await?,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Gone),
            },
        }
    }
}

fn newest(cell: &mut watch::Receiver<Utf8Bytes>) -> Message {
    Message::Text(cell.borrow_and_update().clone())
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), Gone> {
    match timeout(PATIENCE, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(Gone),
    }
}

async fn send_text(socket: &mut WebSocket, text: String) -> Result<(), Gone> {
    send(socket, Message::Text(text.into())).await
}

fn complaint(problem: &str) -> String {
    serde_json::json!({ "kind": "error", "text": problem }).to_string()
}

/// The accelerators that this machine may have.
async fn devices() -> String {
    let names = tokio::task::spawn_blocking(crate::link::candidates)
        .await
        .unwrap_or_default();
    serde_json::json!({ "kind": "devices", "names": names }).to_string()
}

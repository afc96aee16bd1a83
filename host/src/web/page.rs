//! The page's files, which are part of the program: no network is needed, and none is asked.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

/// The scripts and the picture in the tab, by name.
const FILES: [(&str, &str, &str); 6] = [
    ("board.js", SCRIPT, include_str!("page/board.js")),
    ("charts.js", SCRIPT, include_str!("page/charts.js")),
    ("panels.js", SCRIPT, include_str!("page/panels.js")),
    ("pieces.js", SCRIPT, include_str!("page/pieces.js")),
    ("view.js", SCRIPT, include_str!("page/view.js")),
    ("icon.svg", "image/svg+xml", include_str!("page/icon.svg")),
];

const SCRIPT: &str = "text/javascript; charset=utf-8";

pub(super) async fn html() -> Response {
    let text = include_str!("page/page.html");
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], text).into_response()
}

pub(super) async fn css() -> Response {
    let text = include_str!("page/page.css");
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], text).into_response()
}

pub(super) async fn file(Path(name): Path<String>) -> Response {
    match FILES.iter().find(|(known, _, _)| *known == name) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => nothing().await,
    }
}

pub(super) async fn nothing() -> Response {
    (StatusCode::NOT_FOUND, "there is no such page; the live view is at /").into_response()
}

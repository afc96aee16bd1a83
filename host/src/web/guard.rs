//! Who may ask: the page itself, and programs of this machine that say whom they ask.
//!
//! A browser sends the host it was told and the origin of the page that asks. Another site's page
//! has another origin, and a name that was made to resolve to this machine is another host. Both
//! are refused before anything is read.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The hosts that this server is.
pub(super) struct Guard {
    hosts: [String; 3],
}

/// What every answer says: only what this server sends may run or be shown, and nowhere else.
const HEADERS: [(header::HeaderName, &str); 6] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (
        header::HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

impl Guard {
    pub(super) fn new(port: u16) -> Guard {
        Guard {
            hosts: ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}")),
        }
    }

    /// Why a request is refused, if it is.
    fn refusal(&self, method: &Method, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next().and_then(|host| host.to_str().ok());
        let known = host.and_then(|host| self.hosts.iter().find(|known| known.eq_ignore_ascii_case(host)));
        let (Some(host), None) = (known, hosts.next()) else {
            let text = "this server answers as localhost only: open the address that bluebelle web has printed";
            return Some((StatusCode::MISDIRECTED_REQUEST, text));
        };
        let own = format!("http://{host}");
        let foreign = |origin: &HeaderValue| origin.to_str().map_or(true, |origin| origin != own);
        if headers.get_all(header::ORIGIN).iter().any(foreign) {
            return Some((
                StatusCode::FORBIDDEN,
                "this server does not answer pages of other sites",
            ));
        }
        let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
        if matches!(site, Some("cross-site" | "same-site")) && !navigates(headers) {
            return Some((
                StatusCode::FORBIDDEN,
                "this server does not answer pages of other sites",
            ));
        }
        if method != Method::GET && method != Method::HEAD {
            return Some((StatusCode::METHOD_NOT_ALLOWED, "expected GET"));
        }
        None
    }
}

/// Whether a person follows a link to the page, which is no harm: the page shows itself and does
/// nothing.
fn navigates(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
}

pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.refusal(request.method(), request.headers()) {
        Some(refusal) => refusal.into_response(),
        None => next.run(request).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(headers: &[(&'static str, &'static str)]) -> Option<u16> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        let refusal = Guard::new(8960).refusal(&Method::GET, &map);
        refusal.map(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_the_own_page_and_programs_that_know_the_host_are_answered() {
        for host in ["127.0.0.1:8960", "localhost:8960", "LOCALHOST:8960", "[::1]:8960"] {
            assert_eq!(status(&[("host", host)]), None, "{host}");
        }
        assert_eq!(
            status(&[("host", "localhost:8960"), ("origin", "http://localhost:8960")]),
            None
        );
        for host in [
            "localhost",
            "localhost:80",
            "chess.example:8960",
            "127.0.0.1:8960.chess.example",
            "",
        ] {
            assert_eq!(status(&[("host", host)]), Some(421), "{host}");
        }
        assert_eq!(status(&[]), Some(421));
        assert_eq!(
            status(&[("host", "localhost:8960"), ("host", "localhost:8960")]),
            Some(421)
        );
        for origin in [
            "http://chess.example",
            "null",
            "http://127.0.0.1:8960",
            "https://localhost:8960",
            "",
        ] {
            let headers = [("host", "localhost:8960"), ("origin", origin)];
            assert_eq!(status(&headers), Some(403), "{origin}");
        }
        let other = [("host", "localhost:8960"), ("sec-fetch-site", "cross-site")];
        assert_eq!(status(&other), Some(403));
        let link = [other[0], other[1], ("sec-fetch-mode", "navigate")];
        assert_eq!(status(&link), None);
    }

    #[test]
    fn nothing_but_get_is_answered() {
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, HeaderValue::from_static("localhost:8960"));
        let refusal = Guard::new(8960).refusal(&Method::POST, &headers);
        assert_eq!(refusal.map(|(status, _)| status.as_u16()), Some(405));
    }
}

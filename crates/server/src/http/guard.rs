//! Protection against other web sites and DNS rebinding for a server on localhost.

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::app::App;
use super::problem::Problem;
use super::token::{MCP_PATH, WORKERS_PATH};

/// Ends the connection after a request in chunks. If it had a length, too, which hyper drops, another server in front may
/// have seen its end elsewhere, and what follows must not be taken for another request (RFC 9112, section 6.1).
pub(crate) async fn end_after_chunks(request: Request, next: Next) -> Response {
    let is_in_chunks = request.headers().contains_key(header::TRANSFER_ENCODING);
    let mut response = next.run(request).await;
    if is_in_chunks {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Rejects requests for foreign host names (DNS rebinding) and, for requests that change or stream
/// something, pages of another origin.
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().unwrap_or_default().to_owned(),
        _ => {
            // RFC 9112, section 3.2. Several `Host` headers enable attacks if a proxy uses another one.
            let detail = "a request has exactly one Host header";
            return Problem::new(StatusCode::BAD_REQUEST, detail).into_response();
        }
    };
    // A request with a whole address is about that host (RFC 9112, section 3.2.2).
    if request.uri().authority().is_some_and(|named| !named.as_str().eq_ignore_ascii_case(&host)) {
        let detail = "the request's address and its Host header name different hosts";
        return Problem::new(StatusCode::BAD_REQUEST, detail).into_response();
    }
    if !host_allowed(&host, &app.allowed_hosts) {
        let detail = format!("the host name '{host}' is not served; start with --allow-host NAME");
        return Problem::new(StatusCode::MISDIRECTED_REQUEST, detail).into_response();
    }
    let is_health = matches!(request.uri().path(), "/healthz" | "/readyz");
    if app.draining.load(Ordering::Relaxed) && !is_health {
        return Problem::stopping().into_response();
    }
    let looks_only = request.method() == Method::GET || request.method() == Method::HEAD;
    let guarded = !looks_only || matches!(request.uri().path(), "/ws" | MCP_PATH | WORKERS_PATH);
    if guarded && !same_origin(request.headers(), &host) {
        let detail = "pages of another origin may not use this server";
        return Problem::new(StatusCode::FORBIDDEN, detail).into_response();
    }
    if let Some(answer) = app.tiers.welcome(&request) {
        return answer;
    }
    if let Some(token) = &app.token
        && let Some(answer) = token.refusal(&request, &app.tiers)
    {
        return answer;
    }
    next.run(request).await
}

/// IP addresses and localhost cannot be rebound; other names must be allowed.
fn host_allowed(host: &str, allowed: &[String]) -> bool {
    let Ok(authority) = host.parse::<Authority>() else {
        return false;
    };
    if authority.as_str().contains('@') {
        return false;
    }
    let name = authority.host().trim_matches(['[', ']']);
    let name_is = |known: &String| {
        // Ports in the list are ignored: only names can be rebound.
        known.rsplit_once(':').map_or(known.as_str(), |(host, _)| host).eq_ignore_ascii_case(name)
    };
    name.parse::<IpAddr>().is_ok()
        || name.eq_ignore_ascii_case("localhost")
        || allowed.iter().any(name_is)
}

/// Whether the request comes from a page of this server, or from no page at all.
fn same_origin(headers: &HeaderMap, host: &str) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let origin = origin.to_str().unwrap_or_default();
    let authority = origin.split_once("://").map(|(_, authority)| authority);
    authority.is_some_and(|authority| authority.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_localhost_are_served_and_other_names_only_when_allowed() {
        for host in ["127.0.0.1:8080", "[::1]:80", "localhost", "LOCALHOST:1", "192.168.0.4"] {
            assert!(host_allowed(host, &[]), "{host}");
        }
        for host in ["evil.example", "localhost.evil.example:8080", "", "a b", "evil@localhost"] {
            assert!(!host_allowed(host, &[]), "{host}");
        }
        assert!(host_allowed("scenes.example:443", &["scenes.example".into()]));
        assert!(host_allowed("scenes.example", &["scenes.example:443".into()]));
    }

    #[test]
    fn only_pages_of_the_same_host_and_port_are_of_the_same_origin() {
        let with = |origin: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ORIGIN, header::HeaderValue::from_static(origin));
            same_origin(&headers, "localhost:8080")
        };
        assert!(same_origin(&HeaderMap::new(), "localhost:8080"));
        assert!(with("http://localhost:8080"));
        for origin in ["http://localhost:9090", "https://evil.example", "null"] {
            assert!(!with(origin), "{origin}");
        }
    }
}

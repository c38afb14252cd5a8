//! The operator's token, which is required to create sessions, upload, render and list. For an existing
//! session, its id or a link to it suffices.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

use super::problem::Problem;
use crate::config::Tier;

/// Where MCP clients connect. Each request may act for the operator, so each needs the token.
pub(super) const MCP_PATH: &str = "/mcp";

/// Where agents of others call ours, likewise.
pub(super) const A2A_PATH: &str = "/a2a";

/// Where render workers connect, with a token of their own.
pub(super) const WORKERS_PATH: &str = "/api/workers";

/// The cookie in which a browser keeps the token.
const COOKIE: &str = "scene_llm_token";

/// The operator's token.
#[derive(Debug, Clone)]
pub(crate) struct OperatorToken(SecretString);

impl OperatorToken {
    pub(crate) fn new(token: SecretString) -> Self {
        Self(token)
    }

    /// The response to a request without the required token. `GET /?token=...` sets the cookie and redirects
    /// to the page.
    pub(crate) fn refusal(&self, request: &Request, tiers: &TierTokens) -> Option<Response> {
        let (uri, headers) = (request.uri(), request.headers());
        if let Some(given) = given_to_page(request).filter(|given| is_same(given, &self.0)) {
            return Some(kept_in_cookie(&given));
        }
        if is_open(request.method(), uri) || self.is_borne_by(headers) || tiers.suffice_for(request)
        {
            return None;
        }
        let detail = "this server asks for its operator's token: send 'Authorization: Bearer TOKEN', \
                      or open /?token=TOKEN in the browser once";
        let mut response = Problem::new(StatusCode::UNAUTHORIZED, detail).into_response();
        let challenge = header::HeaderValue::from_static("Bearer realm=\"scene-llm\"");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        Some(response)
    }

    /// Whether a request brings it, in a header or a cookie.
    pub(super) fn is_borne_by(&self, headers: &HeaderMap) -> bool {
        borne(headers).any(|given| is_same(given, &self.0))
    }

    /// The header by which this server brings it to others that have the same.
    pub(super) fn as_header(&self) -> Option<header::HeaderValue> {
        let bearer = format!("Bearer {}", self.0.expose_secret());
        let mut value = header::HeaderValue::from_str(&bearer).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

/// What render workers have to know. It is good for nothing else.
#[derive(Debug, Clone)]
pub(crate) struct WorkerToken(SecretString);

impl WorkerToken {
    pub(crate) fn new(token: SecretString) -> Self {
        Self(token)
    }

    /// Whether a request brings it.
    pub(super) fn is_borne_by(&self, headers: &HeaderMap) -> bool {
        borne(headers).any(|given| is_same(given, &self.0))
    }
}

/// The tokens that a request brings, in a header or in cookies.
fn borne(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let bearer = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
    let cookies = headers.get_all(header::COOKIE).iter();
    let in_cookies = cookies
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    bearer.map(str::trim).into_iter().chain(in_cookies)
}

/// Whether it is the token. Hashes are compared, so that the timing does not reveal it.
fn is_same(given: &str, token: &SecretString) -> bool {
    Sha256::digest(given) == Sha256::digest(token.expose_secret())
}

/// The tokens of tiers: whoever begins a session with one gets the limits of its tier.
#[derive(Debug, Clone, Default)]
pub(crate) struct TierTokens(Vec<(SecretString, Arc<str>)>);

impl TierTokens {
    pub(crate) fn new(tiers: &[Tier]) -> Self {
        Self(tiers.iter().map(|tier| (tier.token.clone(), tier.name.as_str().into())).collect())
    }

    /// The name of the tier whose token a request brings.
    pub(super) fn of(&self, headers: &HeaderMap) -> Option<Arc<str>> {
        borne(headers).find_map(|given| self.named(given))
    }

    fn named(&self, given: &str) -> Option<Arc<str>> {
        let known = self.0.iter().find(|(token, _)| is_same(given, token));
        known.map(|(_, name)| Arc::clone(name))
    }

    /// Whether a request needs no more than the token of a tier, and brings one: to begin a session, and what
    /// belongs to one.
    fn suffice_for(&self, request: &Request) -> bool {
        let (method, path) = (request.method(), request.uri().path());
        let begins = match path {
            "/ws" => method == Method::GET,
            "/api/sessions" | "/api/render" | "/api/assets" => method == Method::POST,
            _ => false,
        };
        begins && self.of(request.headers()).is_some()
    }

    /// The answer to `GET /?token=...` with the token of a tier.
    pub(super) fn welcome(&self, request: &Request) -> Option<Response> {
        let given = given_to_page(request)?;
        self.named(&given).map(|_| kept_in_cookie(&given))
    }
}

/// The token of `GET /?token=...`.
fn given_to_page(request: &Request) -> Option<String> {
    let is_page = request.uri().path() == "/" && request.method() == Method::GET;
    in_query(request.uri()).filter(|_| is_page)
}

/// Sets the cookie and leads to the page.
fn kept_in_cookie(given: &str) -> Response {
    // SameSite keeps other sites from using it, HttpOnly keeps scripts from reading it.
    let cookie = format!("{COOKIE}={given}; Path=/; HttpOnly; SameSite=Strict");
    let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, "/".to_owned())];
    (StatusCode::SEE_OTHER, headers).into_response()
}

/// The token in `?token=...`.
fn in_query(uri: &Uri) -> Option<String> {
    let pair = uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))?;
    percent_encoding::percent_decode_str(pair).decode_utf8().ok().map(Into::into)
}

/// Routes without a token: the files of the page, health checks, the catalogue, and routes of a
/// session, whose id or share token is in the path.
fn is_open(method: &Method, uri: &Uri) -> bool {
    let path = uri.path();
    let names_session = || {
        let id = path.strip_prefix("/api/sessions/").and_then(|rest| rest.split('/').next());
        id.is_some_and(|id| !id.is_empty() && id != "import") && !path.ends_with("/duplicate")
    };
    match path {
        "/healthz" | "/readyz" => true,
        "/ws" => names_session_in_query(uri),
        // Workers have a token of their own, which is asked for there.
        WORKERS_PATH => method == Method::GET,
        "/metrics" | MCP_PATH | A2A_PATH => false,
        _ if path.starts_with("/api/assets/") => method == Method::GET,
        // What is uploaded for a session needs the right to edit it, which is checked before the body is read.
        "/api/assets" => method == Method::POST && names_session_in_query(uri),
        // The catalogue is the same for everybody, and whoever may edit one session adds its objects. The user's own
        // are left out there without the token.
        _ if path == "/api/objects" || path.starts_with("/api/objects/") => method == Method::GET,
        "/api/openapi.json" | "/api/docs" => true,
        _ if path == "/api" || path.starts_with("/api/") => names_session(),
        // The page itself contains no data.
        _ => true,
    }
}

fn names_session_in_query(uri: &Uri) -> bool {
    uri.query().is_some_and(|query| {
        query.split('&').any(|pair| pair.strip_prefix("session=").is_some_and(|id| !id.is_empty()))
    })
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn status(method: &str, uri: &str, with: Option<(&str, &str)>) -> Option<StatusCode> {
        let token = OperatorToken::new(SecretString::from("open sesame"));
        let mut request = Request::builder().method(method).uri(uri);
        if let Some((name, value)) = with {
            request = request.header(name, value);
        }
        let tiers = TierTokens::new(&[Tier {
            name: "pro".into(),
            token: SecretString::from("pro token"),
            max_turns: 40,
        }]);
        let request = request.body(Body::empty()).unwrap();
        token.refusal(&request, &tiers).map(|response| response.status())
    }

    #[test]
    fn the_token_of_a_tier_begins_sessions_and_lists_nothing() {
        let bearer = Some(("authorization", "Bearer pro token"));
        for (method, uri) in [
            ("POST", "/api/sessions"),
            ("GET", "/ws"),
            ("POST", "/api/render"),
            ("POST", "/api/assets"),
        ] {
            assert_eq!(status(method, uri, bearer), None, "{method} {uri}");
        }
        for (method, uri) in [
            ("GET", "/api/sessions"),
            ("GET", "/api/assets"),
            ("GET", "/metrics"),
            ("PUT", "/api/keys"),
            ("POST", "/mcp"),
            ("POST", "/a2a"),
        ] {
            assert_eq!(
                status(method, uri, bearer),
                Some(StatusCode::UNAUTHORIZED),
                "{method} {uri}"
            );
        }
    }

    #[test]
    fn what_costs_or_lists_needs_the_token() {
        let guarded = [
            ("POST", "/api/sessions"),
            ("GET", "/api/sessions"),
            ("POST", "/api/sessions/import"),
            ("POST", "/api/sessions/abc/duplicate"),
            ("GET", "/ws"),
            ("GET", "/ws?session="),
            ("POST", "/api/render"),
            ("POST", "/api/assets"),
            ("POST", "/api/assets?name=a&session="),
            ("GET", "/api/assets"),
            ("GET", "/api/assets?session=abc"),
            ("GET", "/metrics"),
            ("POST", "/mcp"),
            ("GET", "/mcp"),
            ("POST", "/a2a"),
            ("PUT", "/api/keys"),
            ("POST", "/api/objects"),
            ("POST", "/api/objects/import"),
            ("PATCH", "/api/objects/lamp"),
            ("DELETE", "/api/objects/lamp"),
        ];
        for (method, uri) in guarded {
            assert_eq!(status(method, uri, None), Some(StatusCode::UNAUTHORIZED), "{method} {uri}");
            for wrong in ["Bearer open", "Basic open sesame", "open sesame"] {
                let refused = status(method, uri, Some(("authorization", wrong)));
                assert_eq!(refused, Some(StatusCode::UNAUTHORIZED), "{method} {uri} {wrong}");
            }
            let bearer = Some(("authorization", "Bearer open sesame"));
            assert_eq!(status(method, uri, bearer), None, "{method} {uri}");
            let cookie = Some(("cookie", "a=b; scene_llm_token=open sesame; c=d"));
            assert_eq!(status(method, uri, cookie), None, "{method} {uri}");
        }
        for uri in [
            "/",
            "/assets/x.js",
            "/healthz",
            "/.well-known/agent-card.json",
            "/readyz",
            "/ws?session=abc",
            "/api/sessions/abc/scene",
            "/api/objects?query=lamp",
            "/api/objects/armchair/picture",
        ] {
            assert_eq!(status("GET", uri, None), None, "{uri}");
        }
    }

    #[test]
    fn a_browser_brings_the_token_once() {
        assert_eq!(status("GET", "/?token=open%20sesame", None), Some(StatusCode::SEE_OTHER));
        assert_eq!(status("GET", "/?token=wrong", None), None, "the page says what is missing");
        assert_eq!(
            status("GET", "/api/sessions?token=open%20sesame", None),
            Some(StatusCode::UNAUTHORIZED)
        );
    }
}

//! Entity tags: what a client has already is not sent again.

use axum::http::{HeaderMap, header};

/// Whether the client has the version with this tag, by its `If-None-Match`.
pub(super) fn client_has(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|tags| tags.to_str().ok());
    known.flat_map(|tags| tags.split(',')).map(str::trim).any(|known| known == tag || known == "*")
}

//! Entity tags: what a client has already is not sent again.

use axum::http::{HeaderMap, HeaderName, header};

/// Whether the client has the version with this tag, by its `If-None-Match`.
pub(super) fn client_has(headers: &HeaderMap, tag: &str) -> bool {
    names(headers, header::IF_NONE_MATCH, tag).unwrap_or(false)
}

/// Whether a change is for the version with this tag: without `If-Match` it is for any. The tags are weak only
/// because bodies may be compressed, so they are compared as strong ones are.
pub(super) fn is_for(headers: &HeaderMap, tag: &str) -> bool {
    names(headers, header::IF_MATCH, tag).unwrap_or(true)
}

/// Whether a header names a tag; `None` without the header.
fn names(headers: &HeaderMap, name: HeaderName, tag: &str) -> Option<bool> {
    let mut tags = headers.get_all(name).iter().peekable();
    tags.peek()?;
    let mut tags = tags.filter_map(|tags| tags.to_str().ok()).flat_map(|tags| tags.split(','));
    Some(tags.any(|known| [tag, "*"].contains(&known.trim())))
}

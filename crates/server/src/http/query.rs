//! The query of a request.

use axum::extract::{FromRequestParts, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use scene::form::words;
use serde::de::DeserializeOwned;

use super::problem::Problem;

/// A query of this form. Errors are returned as a [`Problem`] that names the parameter.
pub(crate) struct QueryOf<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryOf<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Problem> {
        Query::<T>::try_from_uri(&parts.uri).map(|Query(query)| Self(query)).map_err(|error| {
            let said = error.body_text();
            let said = said.split_once("query string: ").map_or(&*said, |(_, said)| said);
            let query = parts.uri.query().unwrap_or_default();
            let detail = format!("the query: {}", plain(said, query));
            Problem::new(StatusCode::BAD_REQUEST, detail)
        })
    }
}

/// An error about a query in plain words. A number is read from text, so the error is one of Rust's.
fn plain(error: &str, query: &str) -> String {
    let (name, error) = match error.split_once(": ") {
        Some((name, error)) if !name.contains(' ') => (name, error),
        _ => ("", error),
    };
    let expected = match error {
        "invalid digit found in string"
        | "cannot parse integer from empty string"
        | "number too large to fit in target type"
        | "number too small to fit in target type" => "a whole number from 0 on",
        "invalid float literal" | "cannot parse float from empty string" => "a number",
        "provided string was not `true` or `false`" => "true or false",
        other => return words(name, other),
    };
    let got = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
    let got = percent_encoding::percent_decode_str(got.unwrap_or_default()).decode_utf8_lossy();
    let got: String = got.chars().take(60).collect();
    let limit = if error.contains("too large") { "that is not as large" } else { "" };
    let space = if limit.is_empty() { "" } else { " " };
    format!("'{name}' must be {expected}{space}{limit}, got '{got}'")
}

#[cfg(test)]
mod tests {
    use axum::http::{Request, Uri};
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only errors are looked at")]
    struct Wanted {
        after: u64,
        share: Option<f32>,
        #[serde(default)]
        all: bool,
        kind: Option<Kind>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Coarse,
        Fine,
    }

    async fn said(query: &str) -> String {
        let uri: Uri = format!("/x?{query}").parse().unwrap();
        let mut parts = Request::builder().uri(uri).body(()).unwrap().into_parts().0;
        match QueryOf::<Wanted>::from_request_parts(&mut parts, &()).await {
            Ok(QueryOf(read)) => panic!("{query} was read as {read:?}"),
            Err(problem) => problem.detail().to_owned(),
        }
    }

    #[tokio::test]
    async fn the_parameter_and_what_is_expected_are_named() {
        for (query, expected) in [
            ("after=-1", "the query: 'after' must be a whole number from 0 on, got '-1'"),
            ("after=", "the query: 'after' must be a whole number from 0 on, got ''"),
            ("after=1e3", "the query: 'after' must be a whole number from 0 on, got '1e3'"),
            (
                "after=99999999999999999999",
                "the query: 'after' must be a whole number from 0 on that is not as large, got \
                 '99999999999999999999'",
            ),
            ("after=1&share=%C3%BC", "the query: 'share' must be a number, got 'ü'"),
            ("after=1&all=yes", "the query: 'all' must be true or false, got 'yes'"),
            ("after=1&kind=best", "the query: 'kind' must be 'coarse' or 'fine', got 'best'"),
            ("after=1&after=2", "the query: 'after' is there twice"),
            ("", "the query: 'after' is missing"),
        ] {
            assert_eq!(said(query).await, expected, "{query}");
        }
    }
}

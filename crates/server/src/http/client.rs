//! The browser client, embedded in the binary.

use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use super::problem::Problem;

/// `web/dist`, or a page that says how to build it; see `build.rs`.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/client"]
struct Client;

/// Everything comes from this server; pictures also from memory. `$ancestors` are the pages it may be
/// embedded in.
macro_rules! policy {
    ($ancestors:literal) => {
        concat!(
            "default-src 'self'; img-src 'self' blob: data:; connect-src 'self'; object-src 'none'; \
             base-uri 'none'; form-action 'self'; frame-ancestors ",
            $ancestors
        )
    };
}
const CONTENT_SECURITY_POLICY: &str = policy!("'none'");
/// Of the viewer, with which nothing can be changed: any page may embed it.
const EMBEDDED_POLICY: &str = policy!("*");

/// Serves a file of the client; `/` is its page, `/embed` the same as a viewer for pages of others.
pub(crate) async fn serve(method: Method, uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" | "embed" => "index.html",
        path => path,
    };
    let looks_only = method == Method::GET || method == Method::HEAD;
    let Some(file) = Client::get(path).filter(|_| looks_only) else {
        let detail = format!("there is nothing at '{}'", uri.path());
        return Problem::new(StatusCode::NOT_FOUND, detail).into_response();
    };
    // Names under assets/ carry a hash of their content.
    let cache = match path.starts_with("assets/") {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    };
    let policy = if uri.path() == "/embed" { EMBEDDED_POLICY } else { CONTENT_SECURITY_POLICY };
    let headers = [
        (header::CONTENT_TYPE, file.metadata.mimetype().to_owned()),
        (header::CACHE_CONTROL, cache.to_owned()),
        (header::CONTENT_SECURITY_POLICY, policy.to_owned()),
    ];
    (headers, file.data.into_owned()).into_response()
}

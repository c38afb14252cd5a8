//! The browser client, embedded in the binary.

use axum::http::{Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use super::problem::Problem;

/// `web/dist`, or a page that says how to build it; see `build.rs`.
#[derive(RustEmbed)]
#[folder = "$OUT_DIR/client"]
struct Client;

/// Everything comes from this server; pictures also from memory.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; img-src 'self' blob: data:; \
     connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'";

/// Serves a file of the client; `/` is its page.
pub(crate) async fn serve(method: Method, uri: Uri) -> Response {
    let path = match uri.path().trim_start_matches('/') {
        "" => "index.html",
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
    let headers = [
        (header::CONTENT_TYPE, file.metadata.mimetype().to_owned()),
        (header::CACHE_CONTROL, cache.to_owned()),
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY.to_owned()),
    ];
    (headers, file.data.into_owned()).into_response()
}

//! The HTTP clients of this program.

use reqwest::Url;
use reqwest::redirect::Policy;

/// Redirects that are followed within a server.
const MAX_REDIRECTS: usize = 3;

/// The builder of an HTTP client, with `ring` as the cryptography of TLS: reqwest's own choice,
/// aws-lc, takes a minute longer to compile.
#[expect(clippy::disallowed_methods, reason = "this is what stands in for them")]
pub fn http_client_builder() -> reqwest::ClientBuilder {
    // The error only says that a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
}

/// Follows redirects within a server only: neither keys nor what is asked may go to another one.
pub fn redirects_within_a_server() -> Policy {
    Policy::custom(|attempt| {
        let first = attempt.previous().first().map(Url::origin);
        if first != Some(attempt.url().origin()) {
            return attempt.error("it redirects to another server, which is not followed");
        }
        if attempt.previous().len() > MAX_REDIRECTS {
            return attempt.error("it redirects too often");
        }
        attempt.follow()
    })
}

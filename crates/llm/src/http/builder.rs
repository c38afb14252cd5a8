//! The HTTP clients of this program.

/// The builder of an HTTP client, with `ring` as the cryptography of TLS: reqwest's own choice,
/// aws-lc, takes a minute longer to compile.
#[expect(clippy::disallowed_methods, reason = "this is what stands in for them")]
pub fn http_client_builder() -> reqwest::ClientBuilder {
    // The error only says that a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
}

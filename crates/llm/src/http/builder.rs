//! HTTP clients for everything that this program asks.

/// The builder of an HTTP client, with `ring` as the cryptography of TLS: reqwest's own choice,
/// aws-lc, takes a minute longer to compile.
#[expect(clippy::disallowed_methods, reason = "this is what stands in for them")]
pub fn http_client_builder() -> reqwest::ClientBuilder {
    // Refused when it is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
}

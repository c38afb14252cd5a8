//! The client of a request over HTTP.

use http::request::Parts;
use rmcp::model::Extensions;
use session::SharedClient;

/// What the client may have, in the extensions of its requests. A client over standard input and output has none: the
/// server is its own.
#[derive(Clone)]
pub struct Client(pub SharedClient);

/// The share of the client of a request.
pub(crate) fn share_of(extensions: &Extensions) -> Option<SharedClient> {
    extensions.get::<Parts>()?.extensions.get::<Client>().map(|Client(share)| share.clone())
}

//! The upgrade to a WebSocket, made by the HTTP client: so proxies, TLS and the server's own words for a
//! refusal are the same as for every other request.

use std::time::Duration;

use reqwest::{Method, StatusCode, Upgraded, header};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

use crate::error::ClientError;
use crate::server::Server;

/// An open WebSocket.
pub(crate) type Socket = WebSocketStream<Upgraded>;

/// From the first byte of the handshake to its end.
const TIMEOUT: Duration = Duration::from_secs(15);
/// The largest message: the welcome of the largest scene.
const MAX_MESSAGE: usize = 256 * 1024 * 1024;

/// Opens the WebSocket at `path` with a query.
pub(crate) async fn upgrade(
    server: &Server,
    path: &[&str],
    query: &[(&str, String)],
) -> Result<Socket, ClientError> {
    let key = generate_key();
    let request = server
        .request(Method::GET, path, query)
        .header(header::CONNECTION, "Upgrade")
        .header(header::UPGRADE, "websocket")
        .header(header::SEC_WEBSOCKET_VERSION, "13")
        .header(header::SEC_WEBSOCKET_KEY, &key);
    let upgraded = timeout(TIMEOUT, async {
        let answer = server.answer(request).await?;
        let accepted = answer.headers().get(header::SEC_WEBSOCKET_ACCEPT);
        if answer.status() != StatusCode::SWITCHING_PROTOCOLS
            || accepted
                .is_none_or(|accepted| accepted != derive_accept_key(key.as_bytes()).as_str())
        {
            return Err(server.unexpected("it opened no WebSocket"));
        }
        answer.upgrade().await.map_err(|error| server.lost(&error))
    });
    let upgraded = match upgraded.await {
        Ok(upgraded) => upgraded?,
        Err(_) => {
            let address = server.address().to_string();
            let reason = format!("it did not open a WebSocket within {} s", TIMEOUT.as_secs());
            return Err(ClientError::Unreachable { address, reason });
        }
    };
    let config = WebSocketConfig::default()
        .max_message_size(Some(MAX_MESSAGE))
        .max_frame_size(Some(MAX_MESSAGE));
    Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await)
}

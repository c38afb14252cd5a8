//! The end of the handshake of a WebSocket, once its headers are checked.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio_tungstenite::WebSocketStream;
use tokio_util::task::TaskTracker;
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::{Role, WebSocketConfig};

/// A WebSocket that sends frames one by one.
pub(super) type Socket = WebSocketStream<TokioIo<Upgraded>>;

/// Answers a handshake with this key. Once the connection is a WebSocket, a task attends to it.
pub(super) fn accept<F: Future<Output = ()> + Send>(
    key: &HeaderValue,
    on_upgrade: OnUpgrade,
    config: WebSocketConfig,
    tracker: &TaskTracker,
    attend: impl FnOnce(Socket) -> F + Send + 'static,
) -> Response {
    tracker.spawn(async move {
        // The client may leave before.
        let Ok(upgraded) = on_upgrade.await else { return };
        let (stream, config) = (TokioIo::new(upgraded), Some(config));
        attend(WebSocketStream::from_raw_socket(stream, Role::Server, config).await).await;
    });
    let headers = [
        (header::CONNECTION, "upgrade".to_owned()),
        (header::UPGRADE, "websocket".to_owned()),
        (header::SEC_WEBSOCKET_ACCEPT, derive_accept_key(key.as_bytes())),
    ];
    (StatusCode::SWITCHING_PROTOCOLS, headers).into_response()
}

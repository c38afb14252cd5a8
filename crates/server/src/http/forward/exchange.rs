//! One request on a connection of its own to another server: its answer, or for a WebSocket a line in both directions.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use hyper::body::Incoming;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::net::{TcpSocket, TcpStream, lookup_host};
use tokio::time::timeout;

use crate::admission::ConnectionPermit;

use super::super::app::{App, Peer};
use super::super::problem::{NOT_HERE, Problem};
use super::members::mark;
use super::nodes::Node;

/// The time in which a server has to be reached.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Bytes that wait here for a slow client; Linux takes twice as much. Frames wait at the owner instead, where the
/// newest replaces the others.
const RECEIVE_BUFFER: u32 = 64 * 1024;

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum ExchangeError {
    /// No connection; nothing was sent.
    Unreachable(io::Error),
    /// The owner is stopping, or is not the owner any more; it did nothing.
    NotThere,
    /// The owner was lost before it answered.
    Lost,
}

impl ExchangeError {
    /// What it means to a client: `address` is that of the server that was asked.
    pub(super) fn explained(&self, address: &str) -> String {
        match self {
            Self::Unreachable(error) => format!(
                "the session is open on the server at {address}, which cannot be reached ({error}); \
                 its --cluster-address has to be one that the other servers reach"
            ),
            Self::NotThere => format!(
                "the session is moving from the server at {address} to another one; try again soon. If this \
                 goes on, that server's --cluster-address leads elsewhere"
            ),
            Self::Lost => format!(
                "the server at {address}, which had the session, was lost before it answered; whether it \
                 did what was asked is not known: look at the session, then try again"
            ),
        }
    }
}

/// A connection to the server at `address`.
pub(super) async fn connect(address: &str) -> io::Result<TcpStream> {
    let connecting = async {
        let mut last = None;
        for address in lookup_host(address).await? {
            let socket =
                if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
            socket.set_recv_buffer_size(RECEIVE_BUFFER)?;
            match socket.connect(address).await {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    return Ok(stream);
                }
                Err(error) => last = Some(error),
            }
        }
        Err(last.unwrap_or_else(|| io::Error::other("the name has no address")))
    };
    let connected = timeout(CONNECT_TIMEOUT, connecting).await;
    connected.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// Sends a request and returns the answer, whose body follows as it comes. `asked` are the extensions of the client's
/// request.
pub(super) async fn exchange(
    app: &Arc<App>,
    stream: TcpStream,
    request: Request,
    asked: &Extensions,
    node: Arc<Node>,
) -> Result<Response, ExchangeError> {
    let handshake = hyper::client::conn::http1::handshake(TokioIo::new(stream));
    let (mut sender, connection) = handshake.await.map_err(|_| ExchangeError::Lost)?;
    let dead = node.dead.clone();
    // What it fails with is told by the request.
    app.tracker.spawn(async move { dead.run_until_cancelled(connection.with_upgrades()).await });
    let answered = node.dead.run_until_cancelled(sender.send_request(request));
    let Some(Ok(mut answer)) = answered.await else { return Err(ExchangeError::Lost) };
    if answer.headers().contains_key(NOT_HERE) {
        return Err(ExchangeError::NotThere);
    }
    if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
        let Some(client) = asked.get::<OnUpgrade>().cloned() else {
            return Err(ExchangeError::Lost);
        };
        let owner = hyper::upgrade::on(&mut answer);
        let permit = asked.get::<ConnectionPermit>().cloned();
        let cancel = app.cancel.clone();
        app.tracker.spawn(async move {
            tokio::select! {
                () = carry(client, owner) => {}
                // The client comes again, here or elsewhere.
                () = node.dead.cancelled() => {}
                () = cancel.cancelled() => {}
            }
            // A WebSocket counts as a connection for its lifetime.
            drop(permit);
        });
        return Ok(answer.map(|_| Body::empty()));
    }
    drop_connection_headers(answer.headers_mut());
    Ok(answer.map(|body| following(body, node)))
}

/// Carries both ways until one side ends.
async fn carry(client: OnUpgrade, owner: OnUpgrade) {
    let Ok((client, owner)) = tokio::try_join!(client, owner) else { return };
    let (mut client, mut owner) = (TokioIo::new(client), TokioIo::new(owner));
    // However it ends, the client comes again.
    let _ = tokio::io::copy_bidirectional(&mut client, &mut owner).await;
}

/// A body that breaks off when its server is dead, rather than never ending.
fn following(body: Incoming, node: Arc<Node>) -> Body {
    let mut pieces = Body::new(body).into_data_stream();
    Body::from_stream(async_stream::stream! {
        loop {
            match node.dead.run_until_cancelled(pieces.next()).await {
                Some(Some(piece)) => yield piece,
                Some(None) => return,
                None => {
                    yield Err(axum::Error::new(io::Error::other("the owner was lost")));
                    return;
                }
            }
        }
    })
}

/// Takes out what is about one connection (RFC 9110, section 7.6.1), but for the upgrade to a WebSocket.
fn drop_connection_headers(headers: &mut HeaderMap) {
    let upgrades = headers
        .get(header::UPGRADE)
        .is_some_and(|to| to.as_bytes().eq_ignore_ascii_case(b"websocket"));
    for name in [header::TE, header::TRANSFER_ENCODING, header::EXPECT, header::PROXY_AUTHENTICATE]
    {
        headers.remove(name);
    }
    headers.remove("keep-alive");
    if !upgrades {
        headers.remove(header::CONNECTION);
        headers.remove(header::UPGRADE);
    }
}

/// The request as it is sent on. The host and the origin stay those that the client named, so that the owner checks
/// them as this server did.
pub(super) fn outgoing(app: &App, parts: &Parts, body: Body) -> Request {
    let mut request = Request::new(body);
    *request.method_mut() = parts.method.clone();
    let path = parts.uri.path_and_query();
    *request.uri_mut() = path.map(|path| Uri::from(path.clone())).unwrap_or_default();
    *request.headers_mut() = parts.headers.clone();
    drop_connection_headers(request.headers_mut());
    let client = parts.extensions.get::<Peer>().map(|Peer(address)| *address);
    mark(request.headers_mut(), app, client);
    request
}

/// The answer to a client whose request was not answered by the server at `address`.
pub(super) fn refusal(address: &str, error: &ExchangeError) -> Response {
    let detail = error.explained(address);
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail).into_response()
}

//! Connections: accepted within limits, served until they end or the server stops.

use std::io::Write;
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower::Service;

use crate::admission::{AdmissionError, ConnectionPermit, network_of};
use crate::http::{App, Arriving, CountedStream, PacedStream, Peer};
use crate::listen::tune;
use crate::shares::Share;

/// The timeout for the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// The most bytes of the head of a request, and of what is read at once of its body.
const MAX_HEAD: usize = 32 * 1024;
/// The timeout for a client that reads nothing.
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);

/// Accepts connections until the server stops.
pub(crate) async fn accept(listener: Arc<TcpListener>, app: Arc<App>, router: Router) {
    let cancel = &app.cancel;
    loop {
        let (stream, address) = match cancel.run_until_cancelled(listener.accept()).await {
            None => return,
            Some(Ok(accepted)) => accepted,
            Some(Err(error)) => {
                // Out of file descriptors, or the client disconnected: pause, then continue.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let permit = match app.admission.admit(address.ip()) {
            Ok(permit) => permit,
            Err(refused) => {
                refuse(stream, refused);
                continue;
            }
        };
        let (router, cancel) = (router.clone(), cancel.clone());
        let client = Connected {
            peer: Peer(address.ip()),
            share: app.shares.of_address(network_of(address.ip())),
            permit,
        };
        app.tracker.spawn(serve_connection(stream, client, router, cancel));
    }
}

/// Sends the reason of a rejected connection, without blocking.
fn refuse(stream: TcpStream, refused: AdmissionError) {
    tracing::debug!(%refused, "a connection was refused");
    let status = match refused {
        AdmissionError::Total(_) => "503 Service Unavailable",
        AdmissionError::Address(_) => "429 Too Many Requests",
    };
    let body = serde_json::json!({
        "type": "about:blank", "title": &status[4..], "status": status[..3].parse::<u16>().unwrap_or(503),
        "detail": refused.to_string(),
    })
    .to_string();
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/problem+json\r\nRetry-After: 5\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    // The buffer of a new connection is empty: this does not block.
    if let Ok(mut stream) = stream.into_std() {
        let _ = stream.write(answer.as_bytes());
        let _ = stream.shutdown(Shutdown::Write);
    }
}

/// What requests of a connection know of it.
struct Connected {
    peer: Peer,
    share: Share,
    permit: ConnectionPermit,
}

async fn serve_connection(
    stream: TcpStream,
    client: Connected,
    router: Router,
    cancel: CancellationToken,
) {
    tune(&stream);
    let Connected { peer, share, permit } = client;
    let arriving = Arriving::new(&share);
    let upgraded = Arc::new(AtomicBool::new(false));
    let stream = CountedStream::new(stream, arriving.clone());
    let stream = PacedStream::new(stream, Arc::clone(&upgraded));
    let asked = Arc::new(AtomicBool::new(false));
    let has_asked = Arc::clone(&asked);
    let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
        asked.store(true, Ordering::Relaxed);
        // A WebSocket upgraded from this connection outlives it, and holds its permit.
        request.extensions_mut().insert(permit.clone());
        request.extensions_mut().insert(peer);
        request.extensions_mut().insert(share.clone());
        request.extensions_mut().insert(arriving.clone());
        // A router is always ready.
        let answer = router.clone().call(request);
        let upgraded = Arc::clone(&upgraded);
        async move {
            let answer = answer.await?;
            let is_upgrade = answer.status() == StatusCode::SWITCHING_PROTOCOLS;
            upgraded.fetch_or(is_upgrade, Ordering::Relaxed);
            Ok::<_, std::convert::Infallible>(answer)
        }
    });
    let mut stream = TimeoutStream::new(stream);
    // A client that reads nothing would keep the written data in memory forever.
    stream.set_write_timeout(Some(WRITE_TIMEOUT));
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(MAX_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .with_upgrades();
    tokio::pin!(connection);
    tokio::select! {
        // What has come by now is read first.
        biased;
        // A client that disconnects or does not speak HTTP is not worth a warning.
        result = connection.as_mut() => if let Err(error) = result {
            tracing::debug!(%error, "a connection ended early");
        },
        // Whoever has not sent the whole head of a request by now is not waited for.
        () = cancel.cancelled() => if has_asked.load(Ordering::Relaxed) {
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        },
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::time::timeout;

    use super::*;
    use crate::admission::{Admission, ConnectionLimits};
    use crate::shares::{SharedLimits, Shares};

    #[tokio::test(start_paused = true)]
    async fn a_stopping_server_waits_for_no_request_without_its_whole_head() {
        for begun in ["", "GET /healthz HTTP/1.1\r\nHost: loc"] {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            client.write_all(begun.as_bytes()).await.unwrap();
            let (stream, address) = listener.accept().await.unwrap();
            let admission = Admission::new(ConnectionLimits::default());
            let client_of_it = Connected {
                peer: Peer(address.ip()),
                share: Shares::new(SharedLimits::default()).of_address(address.ip()),
                permit: admission.admit(address.ip()).unwrap(),
            };
            let cancel = CancellationToken::new();
            let serving = serve_connection(stream, client_of_it, Router::new(), cancel.clone());
            let serving = tokio::spawn(serving);
            // It has read what was sent.
            for _ in 0..1_000 {
                tokio::task::yield_now().await;
            }
            cancel.cancel();
            // The clock stands still unless something is waited for.
            let ended = timeout(Duration::from_secs(1), serving).await;
            ended.expect("the server waits for the rest").unwrap();
            assert_eq!(client.read(&mut [0]).await.unwrap(), 0, "{begun}");
        }
    }
}

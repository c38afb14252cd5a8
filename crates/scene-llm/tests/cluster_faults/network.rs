//! The network between everybody and a server: it can lose its connections. Its address stays when the server behind it
//! is another one.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use end_to_end::process::ServerProcess;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

/// The way to a server.
pub(super) struct Network {
    address: SocketAddr,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Where the server listens; `None` while nothing passes.
    target: Option<String>,
    /// Cancelled when the connections of now are lost.
    lost: CancellationToken,
}

impl Network {
    /// A way to no server yet.
    pub(super) async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let (target, lost) = {
                    let state = shared.lock().unwrap();
                    (state.target.clone(), state.lost.clone())
                };
                // Else the connection is closed at once.
                if let Some(target) = target {
                    tokio::spawn(lost.run_until_cancelled_owned(carry(client, target)));
                }
            }
        });
        Self { address, state }
    }

    pub(super) fn address(&self) -> String {
        self.address.to_string()
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// From now on it leads to this server.
    pub(super) fn leads_to(&self, server: &ServerProcess) {
        self.state.lock().unwrap().target = Some(server.url("").replace("http://", ""));
    }

    /// All connections are lost, and for a time there are no new ones.
    pub(super) async fn fail_for(&self, time: Duration) {
        let target = {
            let mut state = self.state.lock().unwrap();
            std::mem::take(&mut state.lost).cancel();
            state.target.take()
        };
        sleep(time).await;
        self.state.lock().unwrap().target = target;
    }
}

async fn carry(mut client: TcpStream, target: String) {
    let Ok(mut server) = TcpStream::connect(target).await else { return };
    let _ = client.set_nodelay(true);
    let _ = server.set_nodelay(true);
    let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
}

//! A proxy that loses connections.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Where a client connects to instead of the server. Dropping it ends it.
pub(crate) struct Proxy {
    pub(crate) addr: SocketAddr,
    /// Whether connections are taken; changing it to false loses those there are.
    open: watch::Sender<bool>,
    /// Changes when the connections that there are are to be lost.
    cuts: watch::Sender<u64>,
    task: JoinHandle<()>,
}

impl Proxy {
    /// A proxy that loses each connection after so many bytes from the server, wherever in a frame that is.
    pub(crate) async fn start(server: SocketAddr, bytes_each: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let (open, is_open) = watch::channel(true);
        let (cuts, cut) = watch::channel(0);
        let task = tokio::spawn(async move {
            loop {
                let (client, _) = listener.accept().await.unwrap();
                let (mut is_open, mut cut) = (is_open.clone(), cut.clone());
                cut.mark_unchanged();
                if !*is_open.borrow() {
                    continue;
                }
                tokio::spawn(async move {
                    let server = TcpStream::connect(server).await.unwrap();
                    tokio::select! {
                        () = forward(client, server, bytes_each) => {}
                        _ = is_open.wait_for(|open| !open) => {}
                        _ = cut.changed() => {}
                    }
                });
            }
        });
        Self { addr, open, cuts, task }
    }

    /// Loses the connections that there are.
    pub(crate) fn cut(&self) {
        self.cuts.send_modify(|count| *count += 1);
    }

    pub(crate) fn set_open(&self, open: bool) {
        self.open.send_replace(open);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn forward(mut client: TcpStream, mut server: TcpStream, mut budget: usize) {
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let up = tokio::io::copy(&mut from_client, &mut to_server);
    let down = async {
        let mut buffer = [0; 4096];
        while budget > 0 {
            let most = buffer.len().min(budget);
            let Ok(read @ 1..) = from_server.read(&mut buffer[..most]).await else { return };
            budget -= read;
            if to_client.write_all(&buffer[..read]).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        _ = up => {}
        () = down => {}
    }
}

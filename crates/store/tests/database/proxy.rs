//! A line to the database that can be cut at a commit.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

/// What happens to the next commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// It passes.
    Never = 0,
    /// The line breaks before the database has it.
    BeforeCommit = 1,
    /// The database has it, and its answer is lost.
    AfterCommit = 2,
}

/// A line to a database.
pub(super) struct Proxy {
    directory: tempfile::TempDir,
    cut: Arc<AtomicU8>,
}

const SOCKET: &str = ".s.PGSQL.5432";

impl Proxy {
    /// A line to the database of `url`, which names a socket.
    pub(super) fn to(url: &str) -> (Self, String) {
        let directory = tempfile::tempdir().unwrap();
        let (_, place) = url.split_once('@').unwrap();
        let (host, name) = place.split_once('/').unwrap();
        let target = Path::new(&host.replace("%2F", "/")).join(SOCKET);
        let own = directory.path().display().to_string().replace('/', "%2F");
        let listener = UnixListener::bind(directory.path().join(SOCKET)).unwrap();
        let cut = Arc::new(AtomicU8::new(0));
        let shared = Arc::clone(&cut);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = UnixStream::connect(&target).await.unwrap();
                tokio::spawn(carry(client, server, Arc::clone(&shared)));
            }
        });
        (Self { directory, cut }, format!("postgres://tests@{own}/{name}"))
    }

    /// From now on commits are cut so, each of them.
    pub(super) fn cut(&self, cut: Cut) {
        self.cut.store(cut as u8, Ordering::SeqCst);
        assert!(self.directory.path().exists());
    }
}

/// Carries both ways until one side ends or the line is cut. A cut happens once.
async fn carry(mut client: UnixStream, mut server: UnixStream, cut: Arc<AtomicU8>) {
    let (mut asked, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            read = client.read(&mut asked) => {
                let Ok(count @ 1..) = read else { return };
                let part = &asked[..count];
                let is_commit = part.windows(7).any(|bytes| bytes == b"COMMIT\0");
                let wanted = if is_commit { cut.swap(0, Ordering::SeqCst) } else { 0 };
                if wanted == Cut::BeforeCommit as u8 {
                    return;
                }
                if server.write_all(part).await.is_err() {
                    return;
                }
                if wanted == Cut::AfterCommit as u8 {
                    // The database has answered, so it is done; nobody hears of it.
                    let _ = server.read(&mut answered).await;
                    return;
                }
            }
            read = server.read(&mut answered) => {
                let Ok(count @ 1..) = read else { return };
                if client.write_all(&answered[..count]).await.is_err() {
                    return;
                }
            }
        }
    }
}

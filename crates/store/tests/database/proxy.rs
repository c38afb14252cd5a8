//! A line to the database that can be cut, silent, or lost at a commit.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;

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

/// How the line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Open,
    /// Nothing passes, and nobody is told.
    Silent,
    /// All connections are lost, and new ones as well.
    Closed,
}

/// A line to a database.
pub(super) struct Proxy {
    /// Of its socket.
    _directory: tempfile::TempDir,
    cut: Arc<AtomicU8>,
    mode: watch::Sender<Mode>,
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
        let (mode, modes) = watch::channel(Mode::Open);
        let shared = Arc::clone(&cut);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = UnixStream::connect(&target).await.unwrap();
                tokio::spawn(carry(client, server, Arc::clone(&shared), modes.clone()));
            }
        });
        let url = format!("postgres://tests@{own}/{name}");
        (Self { _directory: directory, cut, mode }, url)
    }

    /// What happens to the next commit.
    pub(super) fn cut(&self, cut: Cut) {
        self.cut.store(cut as u8, Ordering::SeqCst);
    }

    /// Everything passes again.
    pub(super) fn open(&self) {
        self.mode.send_replace(Mode::Open);
    }

    /// From now on nothing passes.
    pub(super) fn silence(&self) {
        self.mode.send_replace(Mode::Silent);
    }

    /// From now on connections are lost.
    pub(super) fn close(&self) {
        self.mode.send_replace(Mode::Closed);
    }
}

/// Carries both ways until one side ends or the line is closed.
async fn carry(
    mut client: UnixStream,
    mut server: UnixStream,
    cut: Arc<AtomicU8>,
    mut modes: watch::Receiver<Mode>,
) {
    let (mut asked, mut answered) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        let is_open = match *modes.borrow_and_update() {
            Mode::Closed => return,
            mode => mode == Mode::Open,
        };
        tokio::select! {
            changed = modes.changed() => if changed.is_err() { return },
            read = client.read(&mut asked), if is_open => {
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
            read = server.read(&mut answered), if is_open => {
                let Ok(count @ 1..) = read else { return };
                if client.write_all(&answered[..count]).await.is_err() {
                    return;
                }
            }
        }
    }
}

//! The chat against a real server, with a terminal that is a parser of its bytes.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use end_to_end::server::TestServer;
use ratatui::backend::CrosstermBackend;
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};
use ratatui_image::picker::Picker;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use crate::interactive::{Chat, welcome};
use crate::picture::Picture;
use crate::view::View;

const PATIENCE: Duration = Duration::from_secs(60);

/// Where the chat writes: what a terminal would show of it.
#[derive(Clone)]
struct Screen {
    parser: Arc<Mutex<vt100::Parser>>,
    /// Counts what was written.
    written: watch::Sender<u64>,
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.parser.lock().unwrap().process(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.written.send_modify(|count| *count += 1);
        Ok(())
    }
}

impl Screen {
    fn new(width: u16, height: u16) -> Self {
        let parser = Arc::new(Mutex::new(vt100::Parser::new(height, width, 0)));
        Self { parser, written: watch::Sender::new(0) }
    }

    fn text(&self) -> String {
        self.parser.lock().unwrap().screen().contents()
    }

    /// Waits until the screen is as wanted.
    async fn until(&self, wanted: impl Fn(&vt100::Screen) -> bool) {
        let mut written = self.written.subscribe();
        let waiting = async {
            while !wanted(self.parser.lock().unwrap().screen()) {
                written.changed().await.unwrap();
            }
        };
        let in_time = tokio::time::timeout(PATIENCE, waiting).await;
        assert!(in_time.is_ok(), "not on the screen:\n{}", self.text());
    }

    async fn until_text(&self, text: &str) {
        self.until(|screen| screen.contents().contains(text)).await;
    }
}

/// A chat that is going on, on a screen of 100 x 30 with pictures of letters.
struct Talk {
    screen: Screen,
    keys: mpsc::Sender<io::Result<Event>>,
    talking: JoinHandle<anyhow::Result<()>>,
    /// Its session.
    id: String,
}

impl Talk {
    async fn with(running: &TestServer) -> Self {
        let server = client::Server::new(&running.addr().to_string(), None).unwrap();
        let mut session = server.open(None).await.unwrap();
        let id = session.id().to_owned();
        let first = welcome(&mut session).await.unwrap();
        let picture = Picture::new(Some(Picker::halfblocks()));
        let view = View::new(first, picture, Instant::now());
        let (jobs, sent) = (Vec::new(), Vec::new());
        let chat = Chat { server, session, view, jobs, sent, in_process: true };
        let screen = Screen::new(100, 30);
        let viewport = Viewport::Fixed(Rect::new(0, 0, 100, 30));
        let backend = CrosstermBackend::new(screen.clone());
        let mut terminal = Terminal::with_options(backend, TerminalOptions { viewport }).unwrap();
        let (keys, events) = mpsc::channel::<io::Result<Event>>(100);
        let events = futures_util::stream::unfold(events, |mut events| async move {
            events.recv().await.map(|event| (event, events))
        });
        let talking = tokio::spawn(async move {
            let events = Box::pin(events);
            chat.talk(&mut terminal, events).await.map(drop)
        });
        Self { screen, keys, talking, id }
    }

    async fn line(&self, text: &str) {
        self.keys.send(Ok(Event::Paste(text.to_owned()))).await.unwrap();
        let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE);
        self.keys.send(Ok(Event::Key(enter))).await.unwrap();
    }

    async fn leave(self) {
        self.line("/quit").await;
        tokio::time::timeout(PATIENCE, self.talking).await.unwrap().unwrap().unwrap();
    }
}

#[tokio::test]
async fn a_goal_is_worked_on_and_told() {
    let running = TestServer::start(server::ModelsConfig::default()).await;
    let talk = Talk::with(&running).await;
    talk.line("/goal").await;
    talk.screen.until_text("there is no goal; /goal TEXT sets one").await;
    talk.line("/goal a table with a red vase").await;
    talk.screen.until_text("The goal is reached").await;
    talk.screen.until_text("goal: reached").await;
    talk.line("/goal").await;
    talk.screen.until_text("goal: a table with a red vase (reached)").await;
    talk.line("/goal pause").await;
    talk.screen.until_text("so it cannot be paused").await;
    talk.leave().await;
    running.stop().await;
}

#[tokio::test]
async fn a_conversation_from_the_first_word_to_the_last() {
    let running = TestServer::start(server::ModelsConfig::default()).await;
    let talk = Talk::with(&running).await;
    let (screen, id) = (talk.screen.clone(), talk.id.clone());
    let line = async |text: &str| talk.line(text).await;

    line("a red ball on a table").await;
    screen.until_text("› a red ball on a table").await;
    screen.until_text("✓").await;
    screen.until_text("objects · revision").await;
    screen.until(|screen| !screen.contents().contains("thinking")).await;
    // The picture: letters of two colours in its area.
    let is_picture = |screen: &vt100::Screen| {
        let cell = |x| screen.cell(8, x).map(|cell| (cell.fgcolor(), cell.bgcolor()));
        (65..95).all(|x| matches!(cell(x), Some((vt100::Color::Rgb(..), _))))
    };
    screen.until(is_picture).await;

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ball.png");
    line(&format!("/render {} 32x24 1", file.display())).await;
    screen.until_text("saved").await;
    assert_eq!(image::image_dimensions(&file).unwrap(), (32, 24));

    line("/model nonsense/none").await;
    screen.until_text("there is no model").await;
    line("/undo").await;
    screen.until_text("0 objects").await;
    line("/undo").await;
    screen.until_text("nothing to undo").await;

    // Said in the page meanwhile.
    let path = running.url(&format!("/api/sessions/{id}/messages"));
    let said = running.http().post(path).json(&serde_json::json!({ "text": "a blue cube" }));
    assert_eq!(said.send().await.unwrap().status(), 202);
    screen.until_text("› a blue cube").await;
    screen.until_text("1 object · revision").await;

    line("/session new").await;
    screen.until_text("Say what you want to see").await;
    line(&format!("/session {id}")).await;
    screen.until_text("› a blue cube").await;
    screen.until(is_picture).await;
    talk.leave().await;
    running.stop().await;
}

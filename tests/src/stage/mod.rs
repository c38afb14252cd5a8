//! A server over all providers at once, and sessions that are told like a story.

mod seats;
mod told;
mod turn;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use crate::client::Client;
use crate::server::TestServer;

pub use seats::{Asked, FIRST_SEATS, Fake, SEATS, Seat};
pub use told::{told_revision, told_text};
pub use turn::Turn;

/// Awaits all of `sessions`, a few of them at the same time; what they give, in their order.
pub async fn few_at_once<S: Future>(sessions: impl IntoIterator<Item = S>) -> Vec<S::Output> {
    stream::iter(sessions).buffered(MAX_AT_ONCE).collect().await
}

/// More would only wait for each other's turn.
const MAX_AT_ONCE: usize = 4;

/// A server and the providers behind it.
pub struct Stage {
    fakes: Vec<(&'static str, Fake)>,
    server: TestServer,
    /// Counts parts of answers, so that every call has an id of its own, whoever makes it.
    parts: AtomicUsize,
    /// Where keys are kept.
    _directory: tempfile::TempDir,
}

impl Stage {
    /// All providers of `seats`.
    pub async fn start(seats: &[Seat]) -> Self {
        Self::with_window(seats, None).await
    }

    /// The same; what is longer than so many tokens is refused.
    ///
    /// # Panics
    /// When the server cannot start.
    pub async fn with_window(seats: &[Seat], window: Option<u64>) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let fakes = seats::start(seats, window).await;
        let models = seats::config(&fakes, directory.path());
        let server = TestServer::start(models).await;
        let listed = wait_for_lists(&server, seats);
        let in_time = tokio::time::timeout(Duration::from_secs(30), listed).await;
        assert!(in_time.is_ok(), "not listed: {}", server.get("/api/models").await);
        Self { fakes, server, parts: AtomicUsize::new(0), _directory: directory }
    }

    /// The provider of `seat`.
    ///
    /// # Panics
    /// When the stage was started without it.
    pub fn fake(&self, seat: Seat) -> &Fake {
        let found = self.fakes.iter().find(|(service, _)| *service == seat.service);
        &found.expect("a seat of this stage").1
    }

    /// Adds answers of `seat`.
    pub fn push(&self, seat: Seat, turns: impl IntoIterator<Item = Turn>) {
        for turn in turns {
            let first = self.parts.fetch_add(turn.len(), Ordering::Relaxed);
            match (self.fake(seat), seat.provider()) {
                (Fake::Chat(fake), Some(provider)) => fake.push(turn.reply(provider, first)),
                (Fake::Gemini(fake), _) => fake.push(turn.answer(first)),
                (Fake::Chat(_), None) => {}
            }
        }
    }

    /// A new session that `seat` answers.
    pub async fn session(&self, seat: Seat) -> Session<'_> {
        let client = self.server.client().await;
        let mut session = Session { stage: self, client, seat };
        // Nobody looks: pictures for the client would take the time of those for the model.
        session.client.send(json!({ "type": "view", "paused": true })).await;
        session.choose(seat).await;
        session
    }
}

/// Asks for the list until all of `seats` are in it: the server reads those of the providers.
async fn wait_for_lists(server: &TestServer, seats: &[Seat]) {
    loop {
        let list = server.get("/api/models").await;
        let known = |seat: &Seat| {
            list["models"].as_array().is_some_and(|all| all.iter().any(|it| it["id"] == seat.id()))
        };
        if seats.iter().all(known) {
            return;
        }
    }
}

/// A session of the stage.
pub struct Session<'a> {
    stage: &'a Stage,
    /// The one client of it.
    pub client: Client,
    seat: Seat,
}

impl Session<'_> {
    /// Goes on with another model.
    ///
    /// # Panics
    /// When the server does not take it.
    pub async fn choose(&mut self, seat: Seat) {
        self.client.send(json!({ "type": "select_model", "model": seat.id() })).await;
        let selected = |it: &Value| it["type"] == "model_selected" || it["type"] == "error";
        let selected = self.client.until_that(selected).await;
        assert_eq!(selected["model"], seat.id(), "{selected}");
        self.seat = seat;
    }

    /// The model that answers.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The provider of the model that answers.
    pub fn fake(&self) -> &Fake {
        self.stage.fake(self.seat)
    }

    /// What its provider is to answer.
    pub fn expect(&self, turns: impl IntoIterator<Item = Turn>) {
        self.stage.push(self.seat, turns);
    }

    /// Says something, is answered so, and waits for the end of the run, which must be whole.
    pub async fn say(&mut self, text: &str, turns: impl IntoIterator<Item = Turn>) {
        self.tell(json!({ "text": text }), turns).await;
    }

    /// The same with more fields of the message.
    ///
    /// # Panics
    /// When the run did not come to its end.
    pub async fn tell(&mut self, mut message: Value, turns: impl IntoIterator<Item = Turn>) {
        self.expect(turns);
        message["type"] = "user_message".into();
        self.client.send(message).await;
        let end = self.client.until("run_finished").await;
        let refusals = self.fake().refusals();
        assert_eq!(end["reason"], "completed", "{}: {end} {refusals:?}", self.seat.id());
    }

    /// Edits by hand.
    ///
    /// # Panics
    /// When the edit is refused.
    pub async fn edit(&mut self, calls: Value) {
        self.change(json!({ "type": "edit", "calls": calls })).await;
    }

    /// Sends what changes the scene, and waits for that.
    ///
    /// # Panics
    /// When nothing changes.
    pub async fn change(&mut self, message: Value) {
        self.client.send(message).await;
        let changed = |it: &Value| {
            ["scene_changed", "error", "unchanged"].iter().any(|kind| it["type"] == *kind)
        };
        let changed = self.client.until_that(changed).await;
        assert_eq!(changed["type"], "scene_changed", "{changed}");
    }

    /// The id of the message with this text.
    ///
    /// # Panics
    /// When nobody said so.
    pub fn message_id(&self, text: &str) -> Value {
        let said = |it: &&Value| it["type"] == "user_message" && it["text"] == text;
        let found = self.client.events.iter().rfind(said);
        found.expect("a message that was said")["message_id"].clone()
    }

    /// The shapes of the scene as it is: id and radius.
    pub async fn balls(&self) -> Vec<(String, f64)> {
        let path = format!("/api/sessions/{}/scene", self.client.session());
        let scene = self.stage.server.get(&path).await;
        let ball = |shape: &Value| {
            let id = shape["id"].as_str().unwrap_or_default().to_owned();
            (id, shape["properties"]["radius"].as_f64().unwrap_or_default())
        };
        scene["shapes"].as_array().into_iter().flatten().map(ball).collect()
    }

    /// Lines that told the user why a model was asked again.
    pub fn retries(&self) -> Vec<String> {
        let told = self.client.events.iter().filter(|it| it["type"] == "retrying");
        told.map(|it| it["reason"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// A2: the newest context of the last request tells of everything that the model did not change
    /// itself.
    ///
    /// # Panics
    /// When it does not.
    pub fn check_told(&self) {
        let asked = self.fake().asked();
        let last = asked.last().expect("a request");
        let told = told_revision(&last.body).expect("a scene in every request");
        let revision = |it: &Value| it["revision"].as_u64().unwrap_or(0);
        let changes = || self.client.events.iter().filter(|it| it["type"] == "scene_changed");
        let newest = changes().map(revision).max().unwrap_or(0);
        let by_hand = changes().filter(|it| it["by"] == "user").map(revision).max().unwrap_or(0);
        assert!(
            (by_hand..=newest).contains(&told),
            "{}: revision {told} is told; {newest} is the newest, {by_hand} by hand",
            self.seat.id()
        );
    }
}

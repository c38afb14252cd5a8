//! A client that looks at messages as they are written, for tests: the connection is that of `client`, which reads
//! them into types.

use std::net::SocketAddr;
use std::time::Duration;

use client::{Closed, Connection, Frame};
use serde_json::{Value, json};
use tokio::time::timeout;

/// How long a test waits for a message before it fails; far more than any needs.
const PATIENCE: Duration = Duration::from_secs(30);

/// A preview frame.
#[derive(Debug, Clone)]
pub struct Preview {
    /// The JSON header.
    pub header: Value,
    /// The encoded image.
    pub image: Vec<u8>,
}

/// A client that has been welcomed.
#[derive(Debug)]
pub struct Client {
    connection: Connection,
    /// The first message.
    pub welcome: Value,
    /// All events with a number, in order.
    pub events: Vec<Value>,
}

impl Client {
    /// Connects to the server at `addr` with a query, as `session=...&after=7`, and reads the welcome.
    ///
    /// # Panics
    /// When either fails.
    pub async fn connect(addr: SocketAddr, query: &str) -> Self {
        let server = client::Server::new(&addr.to_string(), None).expect("an address");
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let pairs: Vec<_> = pairs.map(|(name, value)| (name, value.to_owned())).collect();
        let connection = server.connect(&pairs).await.expect("an upgrade");
        let mut client = Self { connection, welcome: Value::Null, events: Vec::new() };
        client.welcome = client.next().await;
        assert_eq!(client.welcome["type"], "welcome");
        client
    }

    /// The session's id.
    ///
    /// # Panics
    /// When the welcome has none.
    pub fn session(&self) -> String {
        self.welcome["session_id"].as_str().expect("a session id").to_owned()
    }

    /// The query with which this client would come back.
    ///
    /// # Panics
    /// When the welcome has no epoch.
    pub fn resume_query(&self) -> String {
        let epoch = self.welcome["epoch"].as_str().expect("an epoch");
        format!("session={}&epoch={epoch}&after={}", self.session(), self.seq())
    }

    /// The number of the last event seen.
    pub fn seq(&self) -> u64 {
        let last = self.events.last().unwrap_or(&self.welcome);
        last["seq"].as_u64().unwrap_or(0)
    }

    /// Sends a message.
    pub async fn send(&mut self, message: Value) {
        self.send_text(message.to_string()).await;
    }

    /// Sends a text, whatever it says.
    ///
    /// # Panics
    /// When the connection is gone.
    pub async fn send_text(&mut self, text: String) {
        self.connection.send(vec![text]).await.expect("an open connection");
    }

    /// Sends a binary frame.
    ///
    /// # Panics
    /// When the connection is gone.
    pub async fn send_binary(&mut self, bytes: Vec<u8>) {
        self.connection.send_binary(bytes.into()).await.expect("an open connection");
    }

    async fn frame(&mut self) -> Result<Frame, Closed> {
        timeout(PATIENCE, self.connection.next()).await.expect("a message in time")
    }

    /// The next JSON message that is no render progress. Checks that events are numbered without
    /// gaps.
    ///
    /// # Panics
    /// When none comes, or one is out of order.
    pub async fn next(&mut self) -> Value {
        loop {
            let Frame::Text(text) = self.frame().await.expect("an open connection") else {
                continue;
            };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["type"] == "render_progress" {
                continue;
            }
            if message["type"] != "welcome"
                && let Some(seq) = message["seq"].as_u64()
            {
                assert_eq!(seq, self.seq() + 1, "a gap before {message}");
                self.events.push(message.clone());
            }
            return message;
        }
    }

    /// The next event or reply; `None` when the connection is gone.
    ///
    /// # Panics
    /// When one is out of order.
    pub async fn try_next(&mut self) -> Option<Value> {
        loop {
            let Frame::Text(text) = self.connection.next().await.ok()? else { continue };
            let message: Value = serde_json::from_str(&text).expect("JSON");
            if message["type"] == "render_progress" {
                continue;
            }
            if let Some(seq) = message["seq"].as_u64() {
                assert_eq!(seq, self.seq() + 1, "a gap before {message}");
                self.events.push(message.clone());
            }
            return Some(message);
        }
    }

    /// Sends a message; whether the connection took it.
    pub async fn try_send(&mut self, message: &Value) -> bool {
        self.connection.send(vec![message.to_string()]).await.is_ok()
    }

    /// Reads until a message of this type comes.
    pub async fn until(&mut self, kind: &str) -> Value {
        self.until_that(|message| message["type"] == kind).await
    }

    /// Reads until such a message comes.
    pub async fn until_that(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next().await;
            if wanted(&message) {
                return message;
            }
        }
    }

    /// The next preview frame.
    ///
    /// # Panics
    /// When none comes, or it is not in its form.
    pub async fn preview(&mut self) -> Preview {
        loop {
            match self.frame().await.expect("an open connection") {
                Frame::Preview(preview) => {
                    let header = serde_json::to_value(preview.header).expect("a header");
                    return Preview { header, image: preview.image.to_vec() };
                }
                Frame::Text(text) => {
                    let message: Value = serde_json::from_str(&text).expect("JSON");
                    if message.get("seq").is_some() {
                        self.events.push(message);
                    }
                }
                Frame::Other => {}
            }
        }
    }

    /// Says something and waits for the end of the run.
    pub async fn say(&mut self, text: &str) -> Value {
        self.send(json!({ "type": "user_message", "text": text })).await;
        self.until("run_finished").await
    }

    /// All text streamed so far, thoughts left out.
    pub fn text(&self) -> String {
        let visible = |event: &&Value| event["type"] == "text_delta" && event["thought"] == false;
        self.events.iter().filter(visible).filter_map(|event| event["text"].as_str()).collect()
    }

    /// The types of all events, in order, repeated ones once.
    pub fn story(&self) -> Vec<String> {
        let mut story: Vec<String> =
            self.events.iter().map(|event| event["type"].as_str().unwrap_or("?").into()).collect();
        story.dedup();
        story
    }

    /// Closes the connection without a word, as a lost network does.
    pub fn vanish(self) {
        drop(self.connection);
    }

    /// Waits for a direct reply, skipping events.
    pub async fn reply(&mut self, request_id: &str) -> Value {
        self.until_that(|message| message["request_id"] == request_id).await
    }

    /// Whether the connection still answers a ping.
    pub async fn still_there(&mut self) -> bool {
        self.send(json!({ "type": "ping", "request_id": "still-there" })).await;
        self.reply("still-there").await["type"] == "pong"
    }

    /// The code of the server's close frame.
    ///
    /// # Panics
    /// When the connection ends without one.
    pub async fn close_code(&mut self) -> u16 {
        loop {
            if let Err(closed) = self.frame().await {
                return closed.code.expect("a code");
            }
        }
    }
}

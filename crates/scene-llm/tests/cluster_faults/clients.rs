//! Clients that edit, talk or watch over any server, and check what they hear.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use client::{Connection, Frame, Server};
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::{sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

use super::{PATIENCE, model};

/// How long a client waits for an answer before it connects again, elsewhere.
const SILENCE: Duration = Duration::from_secs(2);
/// How long it waits for a server that is well to let it in and to tell what it missed: the owner may stand still, and be
/// followed when its lease is over.
const WELCOME: Duration = Duration::from_secs(10);
/// How long a balancer waits until a server says that it is well.
const CHECK: Duration = Duration::from_secs(1);
/// After how many edits a client goes to another server.
const MOVES_AFTER: u64 = 20;

/// What a client does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    Edit,
    Talk,
    Watch,
}

/// What all clients have in common.
pub(super) struct Crowd {
    /// The servers.
    pub(super) addresses: Vec<String>,
    pub(super) http: reqwest::Client,
    /// The pause between edits of one client, so that the machine carries all of them.
    pub(super) pace: Duration,
    /// How many edits were refused.
    pub(super) refused: watch::Sender<u64>,
    /// How often a connection did not tell what was missed, so that it was read from the log.
    pub(super) told_anew: AtomicU64,
}

/// Somebody at a client.
pub(super) struct Person {
    pub(super) work: Work,
    pub(super) name: String,
    pub(super) session: String,
    crowd: Arc<Crowd>,
    random: StdRng,
    /// The server it is at.
    at: usize,
    epoch: Option<String>,
    /// Number of the newest event.
    seq: u64,
    pub(super) events: Vec<Value>,
    /// Ids of objects whose making was told.
    created: HashSet<String>,
    /// What was said, as it was told.
    said: HashSet<String>,
    /// Ends of runs that were told.
    ends: u64,
    /// Edits that were acknowledged, and runs that ended.
    pub(super) done: watch::Sender<u64>,
    line: Option<Connection>,
}

impl Person {
    pub(super) fn new(
        work: Work,
        name: String,
        session: &str,
        crowd: &Arc<Crowd>,
        mut random: StdRng,
    ) -> Self {
        Self {
            work,
            name,
            session: session.to_owned(),
            crowd: Arc::clone(crowd),
            at: random.random_range(0..crowd.addresses.len()),
            random,
            epoch: None,
            seq: 0,
            events: Vec::new(),
            created: HashSet::new(),
            said: HashSet::new(),
            ends: 0,
            done: watch::Sender::new(0),
            line: None,
        }
    }

    /// Works until `stop`.
    pub(super) async fn go_on(mut self, stop: CancellationToken) -> Self {
        for number in 1.. {
            if stop.is_cancelled() {
                break;
            }
            let step = async {
                match self.work {
                    Work::Edit => self.edit(number).await,
                    Work::Talk => self.talk(number).await,
                    Work::Watch => self.watch().await,
                }
            };
            let done = timeout(PATIENCE, step).await;
            assert!(done.is_ok(), "{} cannot go on with {number}", self.name);
            self.done.send_modify(|count| *count += 1);
            sleep(self.crowd.pace).await;
        }
        self
    }

    /// Hears all events up to this number.
    pub(super) async fn catch_up(mut self, newest: u64) -> Self {
        while self.seq < newest {
            self.listen().await;
        }
        self
    }

    /// Makes an object and removes the one before, once, however often it has to be asked for.
    async fn edit(&mut self, number: u64) {
        let id = self.object(number);
        let mut calls = vec![json!({ "name": "create_shape", "args": { "id": id, "type": "sphere",
            "properties": { "center": [0, 0, 0], "radius": 1 } } })];
        if number > 1 {
            calls
                .push(json!({ "name": "remove_shape", "args": { "id": self.object(number - 1) } }));
        }
        if number.is_multiple_of(MOVES_AFTER) {
            self.line = None;
            self.at = self.random.random_range(0..self.crowd.addresses.len());
        }
        let edit = json!({ "type": "edit", "request_id": id, "calls": calls }).to_string();
        while !self.created.contains(&id) {
            if self.send(&edit).await {
                // What was refused is asked for again. That the object exists already is told by an event, too.
                self.hear_until(|this, message| {
                    let is_refused = message["request_id"] == *id && message["retryable"] == true;
                    if is_refused {
                        this.crowd.refused.send_modify(|count| *count += 1);
                    }
                    this.created.contains(&id) || is_refused
                })
                .await;
            }
        }
    }

    /// Says something, never twice, and waits for the end of the run that reads it. What is not in the log is not said
    /// again: the server may still be about to save it.
    async fn talk(&mut self, number: u64) {
        let text = model::message(&self.object(number));
        let said = json!({ "type": "user_message", "text": text }).to_string();
        while !self.send(&said).await {}
        let ends = self.ends;
        let mut left = 0;
        loop {
            if !self.connected().await {
                continue;
            }
            let is_whole = self
                .hear_until(|this, message| {
                    (this.said.contains(&text) && this.ends > ends) || message["type"] == "error"
                })
                .await;
            if self.said.contains(&text) && self.ends > ends {
                return;
            }
            // All that was missed is told with the connection. Whatever is on its way ends with the owner.
            if !self.said.contains(&text) && left > 1 {
                return;
            }
            left += u32::from(!is_whole);
        }
    }

    /// Watches until something happens.
    async fn watch(&mut self) {
        let before = self.seq;
        while self.seq == before {
            self.listen().await;
        }
    }

    /// Hears what there is, until something was told or nothing is.
    async fn listen(&mut self) {
        let before = self.seq;
        if self.connected().await {
            self.hear_until(|this, _| this.seq > before).await;
        }
    }

    /// The id of its object of this number.
    pub(super) fn object(&self, number: u64) -> String {
        format!("{}_{number}", self.name)
    }

    /// Sends a message to any server; false if there is no line.
    async fn send(&mut self, message: &str) -> bool {
        if !self.connected().await {
            return false;
        }
        let Some(line) = &mut self.line else { return false };
        let sent = line.send(vec![message.to_owned()]).await.is_ok();
        if !sent {
            self.leave();
        }
        sent
    }

    /// Hears messages until one is wanted; false if the line is lost or silent before.
    async fn hear_until(&mut self, wanted: impl Fn(&Self, &Value) -> bool) -> bool {
        let until = tokio::time::Instant::now() + SILENCE;
        loop {
            let Some(line) = &mut self.line else { return false };
            let Ok(Ok(frame)) = timeout_at(until, line.next()).await else {
                self.leave();
                return false;
            };
            let Frame::Text(text) = frame else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            self.hear(&message);
            if wanted(self, &message) {
                return true;
            }
        }
    }

    /// Goes to the next server, as a balancer leads it.
    fn leave(&mut self) {
        self.line = None;
        self.at = (self.at + 1) % self.crowd.addresses.len();
    }

    fn hear(&mut self, message: &Value) {
        let Some(seq) = message["seq"].as_u64() else { return };
        assert_eq!(seq, self.seq + 1, "{}: a gap or something twice: {message}", self.name);
        self.seq = seq;
        for id in made(message) {
            assert!(self.created.insert(id.clone()), "{id} was made twice");
        }
        if let Some(text) = said(message) {
            assert!(self.said.insert(text.clone()), "{text} was said twice");
        }
        self.ends += u64::from(message["type"] == "run_finished");
        self.events.push(message.clone());
    }

    /// Connects to its server, unless it is; false if that fails.
    async fn connected(&mut self) -> bool {
        if self.line.is_none() {
            self.line = self.connect().await;
        }
        if self.line.is_none() {
            self.leave();
            sleep(Duration::from_millis(20)).await;
        }
        self.line.is_some()
    }

    /// A connection to its server, with its welcome read.
    async fn connect(&mut self) -> Option<Connection> {
        let address = self.crowd.addresses[self.at].clone();
        let mut query = vec![("session", self.session.clone())];
        if let Some(epoch) = &self.epoch {
            query.push(("epoch", epoch.clone()));
            query.push(("after", self.seq.to_string()));
        }
        // A balancer leads nobody to a server that stands still.
        let check = self.crowd.http.get(format!("{address}/healthz")).timeout(CHECK);
        check.send().await.ok()?;
        let server = Server::new(&address, None).unwrap();
        let connecting = timeout(WELCOME, server.connect(&query));
        let mut line = connecting.await.ok()?.ok()?;
        let welcome = loop {
            match timeout(WELCOME, line.next()).await.ok()?.ok()? {
                Frame::Text(text) => break serde_json::from_str::<Value>(&text).unwrap(),
                _ => continue,
            }
        };
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        let newest = welcome["seq"].as_u64().unwrap();
        let epoch = welcome["epoch"].as_str().unwrap().to_owned();
        let Some(known) = self.epoch.clone() else {
            (self.epoch, self.seq) = (Some(epoch), newest);
            return Some(line);
        };
        // Another epoch means that the end of the log was lost.
        assert_eq!(known, epoch, "{} was at {}", self.name, self.seq);
        if welcome["resumed"] != true {
            // It begins with the scene of now. What led to it is in the log.
            self.crowd.told_anew.fetch_add(1, Ordering::Relaxed);
            self.read_log(&address, newest).await?;
        }
        assert_eq!(newest, self.seq, "{}", self.name);
        Some(line)
    }

    /// Reads from the log what it has not heard, up to this number; `None` if that fails.
    async fn read_log(&mut self, address: &str, newest: u64) -> Option<()> {
        while self.seq < newest {
            let url = format!("{address}/api/sessions/{}/events?after={}", self.session, self.seq);
            let asking = async { self.crowd.http.get(url).send().await?.json::<Value>().await };
            let page = timeout(WELCOME, asking).await.ok()?.ok()?;
            let events = page["events"].as_array().filter(|events| !events.is_empty())?;
            for event in events.iter().filter(|event| event["seq"].as_u64() <= Some(newest)) {
                self.hear(event);
            }
        }
        Some(())
    }
}

/// The objects that an event says were made.
pub(super) fn made(event: &Value) -> Vec<String> {
    let changes = event["changes"].as_array().filter(|_| event["type"] == "scene_changed");
    let changes = changes.into_iter().flatten().filter(|change| change["op"] == "create");
    changes.map(|change| change["id"].as_str().unwrap().to_owned()).collect()
}

/// What an event says a client said.
pub(super) fn said(event: &Value) -> Option<String> {
    let text = event["text"].as_str().filter(|_| event["type"] == "user_message")?;
    Some(text.to_owned())
}

//! Three servers on one database, clients on any of them, and faults: servers are killed, stand still, are asked to
//! stop, and the database crashes. What the clients were told is held against the log. `SCENE_LLM_CLUSTER_FAULTS`
//! says how many faults there are.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::print_stdout, reason = "times are measured, and not judged: docs/scaling.md")]

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use client::{Connection, Frame, Server};
use end_to_end::process::ServerProcess;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use test_postgres::TestPostgres;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout, timeout_at};
use tokio_util::sync::CancellationToken;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// Faults where nothing else is said: one of each kind.
const FAULTS: usize = 4;
const SERVERS: usize = 3;
const EDITORS_OF_EACH: usize = 2;
/// How long a client waits for an answer before it connects again, elsewhere.
const SILENCE: Duration = Duration::from_secs(2);
/// The pause between edits of one client, so that scenes and logs stay small.
const PACE: Duration = Duration::from_millis(50);
/// Far more than a lease runs and a database starts.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where the servers are now.
type Addresses = Arc<Mutex<Vec<String>>>;

/// A client that edits, and checks what it hears.
struct Editor {
    name: String,
    session: String,
    addresses: Addresses,
    random: StdRng,
    epoch: Option<String>,
    /// Number of the newest event.
    seq: u64,
    events: Vec<Value>,
    /// Ids of objects whose making was told.
    created: HashSet<String>,
    /// The edits that were acknowledged, in order.
    acknowledged: watch::Sender<u64>,
}

impl Editor {
    async fn work(mut self, stop: CancellationToken) -> Self {
        let mut line = None;
        for number in 1.. {
            if stop.is_cancelled() {
                break;
            }
            let done = timeout(PATIENCE, self.edit(&mut line, number)).await;
            assert!(done.is_ok(), "{} cannot go on with {number}", self.name);
            self.acknowledged.send_replace(number);
            sleep(PACE).await;
        }
        self
    }

    /// Makes an object and removes the one before, once, however often it has to be asked for.
    async fn edit(&mut self, line: &mut Option<Connection>, number: u64) {
        let id = format!("{}_{number}", self.name);
        let mut calls = vec![json!({ "name": "create_shape", "args": { "id": id, "type": "sphere",
            "properties": { "center": [0, 0, 0], "radius": 1 } } })];
        if number > 1 {
            let before = format!("{}_{}", self.name, number - 1);
            calls.push(json!({ "name": "remove_shape", "args": { "id": before } }));
        }
        let edit = json!({ "type": "edit", "request_id": id, "calls": calls }).to_string();
        while !self.created.contains(&id) {
            let is_told = match line {
                Some(line) => self.ask(line, &edit, &id).await,
                None => false,
            };
            if !is_told {
                *line = self.connect().await;
                if line.is_none() {
                    sleep(Duration::from_millis(20)).await;
                }
            }
        }
    }

    /// Asks for an edit until it is told, or something is wrong with the line.
    async fn ask(&mut self, line: &mut Connection, edit: &str, id: &str) -> bool {
        if line.send(vec![edit.to_owned()]).await.is_err() {
            return false;
        }
        let until = tokio::time::Instant::now() + SILENCE;
        loop {
            let Ok(Ok(frame)) = timeout_at(until, line.next()).await else { return false };
            let Frame::Text(text) = frame else { continue };
            let message: Value = serde_json::from_str(&text).unwrap();
            self.hear(&message);
            if self.created.contains(id) {
                return true;
            }
            // What was refused is asked for again. That the object exists already is told by an event, too.
            if message["request_id"] == id && message["retryable"] == true {
                return false;
            }
        }
    }

    fn hear(&mut self, message: &Value) {
        let Some(seq) = message["seq"].as_u64() else { return };
        assert_eq!(seq, self.seq + 1, "{}: a gap or something twice: {message}", self.name);
        self.seq = seq;
        for id in made(message) {
            assert!(self.created.insert(id.clone()), "{id} was made twice");
        }
        self.events.push(message.clone());
    }

    /// A connection to any server, with its welcome read.
    async fn connect(&mut self) -> Option<Connection> {
        let address = {
            let addresses = self.addresses.lock().unwrap();
            addresses[self.random.random_range(0..addresses.len())].clone()
        };
        let mut query = vec![("session", self.session.clone())];
        if let Some(epoch) = &self.epoch {
            query.push(("epoch", epoch.clone()));
            query.push(("after", self.seq.to_string()));
        }
        let server = Server::new(&address, None).unwrap();
        let connecting = timeout(SILENCE, server.connect(&query));
        let mut line = connecting.await.ok()?.ok()?;
        let welcome = loop {
            match timeout(SILENCE, line.next()).await.ok()?.ok()? {
                Frame::Text(text) => break serde_json::from_str::<Value>(&text).unwrap(),
                _ => continue,
            }
        };
        assert_eq!(welcome["type"], "welcome", "{welcome}");
        let epoch = welcome["epoch"].as_str().unwrap();
        match &self.epoch {
            // Another epoch means that the end of the log was lost.
            Some(known) => assert_eq!(known, epoch, "{} was at {}", self.name, self.seq),
            None => {
                self.epoch = Some(epoch.to_owned());
                self.seq = welcome["seq"].as_u64().unwrap();
            }
        }
        Some(line)
    }
}

/// The objects that an event says were made.
fn made(event: &Value) -> Vec<String> {
    let changes = event["changes"].as_array().filter(|_| event["type"] == "scene_changed");
    let changes = changes.into_iter().flatten().filter(|change| change["op"] == "create");
    changes.map(|change| change["id"].as_str().unwrap().to_owned()).collect()
}

fn signal(server: &ServerProcess, name: &str) {
    let done = Command::new("kill").args([name, &server.id().to_string()]).status();
    assert!(done.unwrap().success());
}

/// Waits until each client has had an edit acknowledged that it began after now; returns how long it took.
async fn until_all_go_on(counts: &mut [watch::Receiver<u64>]) -> Duration {
    let begun = Instant::now();
    for count in counts {
        // The next one may have been on its way.
        let wanted = *count.borrow_and_update() + 2;
        let reached = timeout(PATIENCE, count.wait_for(|count| *count >= wanted)).await;
        assert!(reached.is_ok(), "a client does not go on");
    }
    begun.elapsed()
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_lose_and_double_nothing() {
    let wanted = std::env::var("SCENE_LLM_CLUSTER_FAULTS").ok();
    let faults = wanted.map_or(FAULTS, |count| count.parse().unwrap());
    let mut postgres = TestPostgres::start();
    let url = postgres.database();
    let directory = tempfile::tempdir().unwrap();
    let start = || ServerProcess::start_on(Path::new(PROGRAM), directory.path(), Some(&url), None);
    let mut servers = vec![start().await, start().await, start().await];
    let addresses: Addresses =
        Arc::new(Mutex::new(servers.iter().map(|server| server.url("")).collect()));
    let mut random = StdRng::seed_from_u64(17);
    let stop = CancellationToken::new();
    let (mut editors, mut counts, mut sessions) = (JoinSet::new(), Vec::new(), Vec::new());
    // Each begins on a server of its own.
    for (number, server) in servers.iter().enumerate() {
        let address = server.url("");
        let session = Server::new(&address, None).unwrap().create_session().await.unwrap();
        for of_session in 0..EDITORS_OF_EACH {
            let (acknowledged, count) = watch::channel(0);
            counts.push(count);
            let editor = Editor {
                name: format!("s{number}_{of_session}"),
                session: session.clone(),
                addresses: Arc::clone(&addresses),
                random: StdRng::seed_from_u64(random.random()),
                epoch: None,
                seq: 0,
                events: Vec::new(),
                created: HashSet::new(),
                acknowledged,
            };
            editors.spawn(editor.work(stop.clone()));
        }
        sessions.push(session);
    }
    until_all_go_on(&mut counts).await;

    let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for fault in 0..faults {
        let victim = random.random_range(0..servers.len());
        let kind = ["kill -9", "SIGSTOP", "SIGTERM", "crash of the database"][fault % 4];
        let began = Instant::now();
        match kind {
            "kill -9" | "SIGTERM" => {
                let server = servers.remove(victim);
                addresses.lock().unwrap().remove(victim);
                match kind {
                    "kill -9" => server.kill().await,
                    _ => {
                        signal(&server, "-TERM");
                        assert!(server.ended().await.success());
                    }
                }
            }
            "SIGSTOP" => signal(&servers[victim], "-STOP"),
            _ => {
                postgres = tokio::task::spawn_blocking(move || {
                    postgres.crash();
                    postgres
                })
                .await
                .unwrap();
            }
        }
        until_all_go_on(&mut counts).await;
        times.entry(kind).or_default().push(began.elapsed());
        if kind == "SIGSTOP" {
            // What it has begun before it cannot end.
            signal(&servers[victim], "-CONT");
            until_all_go_on(&mut counts).await;
        }
        if servers.len() < SERVERS {
            let server = start().await;
            addresses.lock().unwrap().push(server.url(""));
            servers.push(server);
        }
    }
    stop.cancel();
    let editors = editors.join_all().await;

    for session in &sessions {
        let log = servers[0].events(session).await;
        for (index, event) in log.iter().enumerate() {
            assert_eq!(event["seq"], index as u64 + 1, "a gap in the log");
        }
        let mut made_in_log = HashSet::new();
        for id in log.iter().flat_map(made) {
            assert!(made_in_log.insert(id.clone()), "{id} is twice in the log");
        }
        for editor in editors.iter().filter(|editor| editor.session == *session) {
            let heard: Vec<u64> =
                editor.events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
            let first = usize::try_from(heard[0]).unwrap() - 1;
            assert_eq!(editor.events, log[first..first + heard.len()], "{}", editor.name);
            for number in 1..=*editor.acknowledged.borrow() {
                assert!(made_in_log.contains(&format!("{}_{number}", editor.name)));
            }
        }
        let scene = servers[0].get(&format!("/api/sessions/{session}/scene")).await;
        for server in &servers {
            assert_eq!(server.get(&format!("/api/sessions/{session}/scene")).await, scene);
        }
    }
    let edits: u64 = editors.iter().map(|editor| *editor.acknowledged.borrow()).sum();
    println!("{faults} faults, {edits} acknowledged edits, none lost or doubled");
    println!("from a fault until each of {} clients had a new edit acknowledged:", editors.len());
    for (kind, mut times) in times {
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        println!(
            "{kind}: {} times, median {:.1?}, p95 {:.1?}, most {:.1?}",
            times.len(),
            at(0.5),
            at(0.95),
            at(1.0)
        );
    }
}

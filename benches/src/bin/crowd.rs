//! What a crowd costs: memory of sessions that are looked at, a storm of new sockets, how long a newcomer
//! waits, four people who drag things about, one client that wants all the pictures, a viewer that stops
//! reading. Starts a server of its own for each: `crowd PROGRAM [SESSIONS]`, where PROGRAM is a
//! `scene-llm` of a release build.

use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use benches::summary;
use client::{Connection, Frame, PreviewHeader};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// Sockets of a storm.
const STORM: usize = 2_000;
/// How long people drag things about.
const DRAGGING: Duration = Duration::from_secs(20);
/// Longer than any wait that is worth a number.
const PATIENCE: Duration = Duration::from_secs(180);

struct Server {
    process: Child,
    addr: SocketAddr,
    /// Where it keeps its sessions.
    _directory: tempfile::TempDir,
}

impl Server {
    async fn start(program: &str) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let mut command = Command::new(program);
        command.args(["serve", "--addr", "127.0.0.1:0", "--data-dir"]).arg(directory.path());
        command.env_remove("GEMINI_API_KEY").env_remove("GOOGLE_API_KEY").kill_on_drop(true);
        let mut process = command.stdout(Stdio::piped()).spawn().expect("the program runs");
        let output = process.stdout.take().expect("its output");
        let line = BufReader::new(output).lines().next_line().await.expect("a line");
        let line = line.expect("the line with the address");
        let addr = line.rsplit("http://").next().and_then(|addr| addr.parse().ok());
        // What the offline model reads first is not to count.
        tokio::time::sleep(Duration::from_secs(2)).await;
        Self { process, addr: addr.expect("an address"), _directory: directory }
    }

    /// A line of what the system says of its memory, in MB.
    fn memory(&self, name: &str) -> f64 {
        let id = self.process.id().unwrap_or_default();
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        let kilobytes = line.split_whitespace().nth(1).and_then(|number| number.parse().ok());
        kilobytes.map_or(f64::NAN, |kilobytes: f64| (kilobytes / 102.4).round() / 10.0)
    }

    fn resident(&self) -> f64 {
        self.memory("VmRSS")
    }

    async fn viewer(&self) -> Viewer {
        Viewer::connect(&self.client()).await.expect("a socket")
    }

    fn client(&self) -> client::Server {
        client::Server::new(&self.addr.to_string(), None).expect("an address")
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }
}

/// A client that looks. It does not come back after a lost connection, so that a loss counts.
struct Viewer {
    connection: Connection,
    session: String,
}

impl Viewer {
    async fn connect(server: &client::Server) -> Option<Self> {
        let mut connection = server.connect(&[]).await.ok()?;
        let Frame::Text(welcome) = connection.next().await.ok()? else { return None };
        let welcome: Value = serde_json::from_str(&welcome).ok()?;
        Some(Self { connection, session: welcome["session_id"].as_str()?.to_owned() })
    }

    async fn send(&mut self, message: Value) {
        self.connection.send(vec![message.to_string()]).await.expect("an open socket");
    }

    /// What the next frame tells of itself; `None` when the connection is gone.
    async fn frame(&mut self) -> Option<PreviewHeader> {
        loop {
            if let Frame::Preview(preview) = self.connection.next().await.ok()? {
                return Some(preview.header);
            }
        }
    }

    /// How long it takes until such a frame comes; `None` when none does.
    async fn until(&mut self, wanted: impl Fn(&PreviewHeader) -> bool) -> Option<Duration> {
        let started = Instant::now();
        let waiting = async {
            while !wanted(&self.frame().await?) {}
            Some(started.elapsed())
        };
        tokio::time::timeout(PATIENCE, waiting).await.ok().flatten()
    }

    /// Reads on until the viewers are told to go.
    async fn look(mut self, go: Arc<AtomicBool>) {
        while !go.load(Ordering::Relaxed) && self.frame().await.is_some() {}
    }
}

fn milliseconds(time: Option<Duration>) -> Value {
    time.map_or(Value::Null, |time| json!((time.as_secs_f64() * 1e4).round() / 10.0))
}

/// Fifty things on a floor.
fn things() -> Value {
    let thing = |index: usize| {
        let center = [index as f64 % 10.0 * 1.1 - 5.0, 0.5, (index / 10) as f64 * 1.1 - 2.5];
        let material = match index % 3 {
            0 => json!({ "type": "lambertian", "albedo": [0.7, 0.3, 0.2] }),
            1 => json!({ "type": "metal", "albedo": [0.9, 0.8, 0.6], "fuzz": 0.2 }),
            _ => json!({ "type": "dielectric", "refractive_index": 1.5 }),
        };
        json!({ "name": "create_shape", "args": { "id": format!("thing_{index}"), "type": "sphere",
            "properties": { "center": center, "radius": 0.5, "material": material } } })
    };
    let mut calls: Vec<Value> = (0..50).map(thing).collect();
    calls.push(json!({ "name": "create_shape", "args": { "id": "floor", "type": "quad",
        "properties": { "corner": [-20, 0, 20], "u": [40, 0, 0], "v": [0, 0, -40] } } }));
    calls.push(
        json!({ "name": "set_camera", "args": { "center": [0, 4, 9], "look_at": [0, 0.4, 0] } }),
    );
    json!({ "type": "edit", "calls": calls })
}

/// Sessions whose preview is final, and what is left when nobody looks any more.
async fn memory_of_sessions(program: &str, sessions: usize) -> Value {
    let server = Server::start(program).await;
    let before = server.resident();
    let mut viewers = Vec::new();
    for _ in 0..sessions {
        let mut viewer = server.viewer().await;
        viewer.send(json!({ "type": "view", "quality": "draft" })).await;
        viewers.push(viewer);
    }
    let started = Instant::now();
    for viewer in &mut viewers {
        viewer.until(|frame| frame.is_final).await;
    }
    let all_final = milliseconds(Some(started.elapsed()));
    let peak = server.memory("VmHWM");
    tokio::time::sleep(Duration::from_secs(3)).await;
    let with = server.resident();
    drop(viewers);
    tokio::time::sleep(Duration::from_secs(10)).await;
    let after = server.resident();
    json!({
        "sessions": sessions, "before_mb": before, "peak_mb": peak, "all_final_ms": all_final,
        "final_mb": with, "ten_seconds_after_closing_mb": after,
        "final_kib_a_session": ((with - before) * 1024.0 / sessions as f64).round(),
        "closed_kib_a_session": ((after - before) * 1024.0 / sessions as f64).round(),
    })
}

/// All clients come at once, as after a restart.
async fn storm(program: &str) -> Value {
    let mut server = Server::start(program).await;
    let started = Instant::now();
    let first_frame = |server: client::Server| async move {
        let mut viewer = Viewer::connect(&server).await?;
        let seen = viewer.until(|_| true).await;
        seen.map(|_| (started.elapsed(), viewer))
    };
    let there = server.client();
    let clients: Vec<_> = (0..STORM).map(|_| tokio::spawn(first_frame(there.clone()))).collect();
    let mut seen = Vec::new();
    for client in clients {
        seen.extend(client.await.ok().flatten());
    }
    let crashed = server.process.try_wait().ok().flatten().map(|status| status.to_string());
    let times: Vec<Duration> = seen.iter().map(|(time, _)| *time).collect();
    let told = (!times.is_empty()).then(|| summary(times));
    json!({ "sockets": STORM, "saw_a_frame": seen.len(), "first_frames": told, "crashed": crashed,
            "peak_mb": server.memory("VmHWM") })
}

/// Somebody comes while everybody's pictures refine.
async fn newcomer(program: &str, sessions: usize) -> Value {
    let server = Server::start(program).await;
    let go = Arc::new(AtomicBool::new(false));
    for _ in 0..sessions {
        let mut viewer = server.viewer().await;
        viewer.send(json!({ "type": "view", "quality": "final" })).await;
        viewer.send(things()).await;
        tokio::spawn(viewer.look(Arc::clone(&go)));
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let (mut drafts, mut traced) = (Vec::new(), Vec::new());
    for _ in 0..5 {
        let started = Instant::now();
        let mut viewer = server.viewer().await;
        if viewer.until(|_| true).await.is_some() {
            drafts.push(started.elapsed());
        }
        if viewer.until(|frame| frame.samples >= 1).await.is_some() {
            traced.push(started.elapsed());
        }
    }
    go.store(true, Ordering::Relaxed);
    let told = |times: Vec<Duration>| (!times.is_empty()).then(|| summary(times));
    json!({ "sessions": sessions, "draft": told(drafts), "traced": told(traced),
            "resident_mb": server.resident(), "peak_mb": server.memory("VmHWM") })
}

/// Four people drag things about, four edits a second each, at 800 x 600.
async fn dragging(program: &str) -> Value {
    let server = Server::start(program).await;
    let before = server.resident();
    let drag = |mut viewer: Viewer| async move {
        viewer.send(json!({ "type": "view", "width": 800, "height": 600 })).await;
        viewer.send(things()).await;
        let started = Instant::now();
        let (mut edits, mut frames) = (0_u64, 0_u64);
        let mut ticks = tokio::time::interval(Duration::from_millis(250));
        while started.elapsed() < DRAGGING {
            tokio::select! {
                _ = ticks.tick() => {
                    edits += 1;
                    let center = [0.0, 0.5 + edits as f64 * 0.01, 0.0];
                    viewer.send(json!({ "type": "edit", "calls": [ { "name": "update_shape", "args":
                        { "id": "thing_24", "updates": { "properties": { "center": center } } } } ] }))
                        .await;
                }
                frame = viewer.frame() => frames += u64::from(frame.is_some()),
            }
        }
        // The things themselves were the first revision.
        let traced =
            viewer.until(move |frame| frame.revision == edits + 1 && frame.samples >= 1).await;
        (traced, frames)
    };
    let mut people = Vec::new();
    for _ in 0..4 {
        people.push(tokio::spawn(drag(server.viewer().await)));
    }
    tokio::time::sleep(DRAGGING * 3 / 4).await;
    let started = Instant::now();
    let mut newcomer = server.viewer().await;
    newcomer.until(|_| true).await;
    let draft = started.elapsed();
    let (mut traced, mut frames) = (Vec::new(), Vec::new());
    for person in people {
        let (time, seen) = person.await.expect("a person");
        traced.push(milliseconds(time));
        frames.push(seen);
    }
    json!({ "traced_after_the_last_edit_ms": traced, "frames_while_dragging": frames,
            "draft_of_a_newcomer_ms": milliseconds(Some(draft)), "before_mb": before,
            "peak_mb": server.memory("VmHWM") })
}

/// One client wants more large pictures than there is room for, another a thumbnail.
async fn pictures(program: &str) -> Value {
    let server = Server::start(program).await;
    let (greedy, other) = (server.viewer().await.session, server.viewer().await.session);
    let http = llm::http_client_builder().no_proxy().build().expect("an HTTP client");
    let large = format!("/api/sessions/{greedy}/render?width=1920&height=1080&samples=2000");
    let renders = (0..20).map(|_| {
        let request = http.get(server.url(&large)).send();
        tokio::spawn(async move { request.await.map(|answer| answer.status().as_u16()) })
    });
    let renders: Vec<_> = renders.collect();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let started = Instant::now();
    let answer = http.get(server.url(&format!("/api/sessions/{other}/thumbnail"))).send();
    let answer = tokio::time::timeout(PATIENCE, answer).await;
    let status = answer.ok().and_then(Result::ok).map(|answer| answer.status().as_u16());
    let thumbnail = started.elapsed();
    let refused = renders.iter().filter(|render| render.is_finished()).count();
    renders.iter().for_each(|render| render.abort());
    json!({ "large_pictures_refused": refused, "thumbnail_of_another_status": status,
            "thumbnail_of_another_ms": milliseconds(Some(thumbnail)),
            "peak_mb": server.memory("VmHWM") })
}

/// A viewer that asks for a large picture and reads no more.
async fn stalled(program: &str) -> Value {
    let server = Server::start(program).await;
    let before = server.resident();
    let mut viewer = server.viewer().await;
    let view = json!({ "type": "view", "width": 1920, "height": 1080, "quality": "final" });
    viewer.send(view).await;
    viewer.send(things()).await;
    let mut over_time = Vec::new();
    for _ in 0..10 {
        tokio::time::sleep(Duration::from_secs(3)).await;
        over_time.push(server.resident() - before);
    }
    drop(viewer);
    tokio::time::sleep(Duration::from_secs(5)).await;
    json!({ "more_mb_every_3_s": over_time, "closed_mb": server.resident() - before })
}

#[tokio::main]
async fn main() {
    let mut args = std::env::args().skip(1);
    let program = args.next().expect("crowd PROGRAM [SESSIONS] [MEASUREMENT ...]");
    let sessions = args.next().and_then(|count| count.parse().ok()).unwrap_or(200);
    let chosen: Vec<String> = args.collect();
    let is_wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|chosen| chosen == name);
    let mut told = json!({});
    if is_wanted("memory") {
        told["memory"] = memory_of_sessions(&program, sessions).await;
    }
    if is_wanted("storm") {
        told["storm"] = storm(&program).await;
    }
    if is_wanted("newcomer") {
        told["newcomer"] = newcomer(&program, sessions).await;
    }
    if is_wanted("dragging") {
        told["dragging"] = dragging(&program).await;
    }
    if is_wanted("pictures") {
        told["pictures"] = pictures(&program).await;
    }
    if is_wanted("stalled") {
        told["stalled"] = stalled(&program).await;
    }
    println!("{told:#}");
}

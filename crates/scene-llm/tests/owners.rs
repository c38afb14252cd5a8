//! Several servers on one database, as processes: one owns a session, another one follows it when it dies or
//! stands still, and what comes back cannot go on.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::print_stdout, reason = "times are measured, and not judged: docs/scaling.md")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use end_to_end::client::Client;
use end_to_end::fake_gemini::{Answer, FakeGemini, Gate, Options};
use end_to_end::process::ServerProcess;
use serde_json::{Value, json};
use test_postgres::TestPostgres;
use tokio::time::{sleep, timeout};

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// Far more than a lease runs.
const PATIENCE: Duration = Duration::from_secs(60);

fn signal(server: &ServerProcess, name: &str) {
    let done = Command::new("kill").args([name, &server.id().to_string()]).status();
    assert!(done.unwrap().success());
}

async fn edit(client: &mut Client, id: &str) -> Value {
    let quoted = format!("\"{id}\"");
    client
        .send(json!({ "type": "edit", "request_id": id, "calls": [{ "name": "create_shape",
            "args": { "id": id, "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } } }] }))
        .await;
    client
        .until_that(|message| {
            let is_change = message["type"] == "scene_changed";
            message["request_id"] == id || is_change && message.to_string().contains(&quoted)
        })
        .await
}

/// The scene of a session, asked of a server.
async fn scene(server: &ServerProcess, session: &str) -> Value {
    let url = server.url(&format!("/api/sessions/{session}/scene"));
    let answer = server.http().get(url).send().await.unwrap();
    let status = answer.status();
    let scene = answer.json().await.unwrap();
    assert_eq!(status, 200, "{scene}");
    scene
}

fn shapes(scene: &Value) -> Vec<&str> {
    let shapes = scene["shapes"].as_array().unwrap();
    shapes.iter().map(|shape| shape["id"].as_str().unwrap()).collect()
}

/// Waits until the metrics of a server have this line.
async fn until_counted(server: &ServerProcess, line: &str) {
    let counted = async {
        loop {
            let metrics = server.http().get(server.url("/metrics")).send().await.unwrap();
            if metrics.text().await.unwrap().lines().any(|found| found == line) {
                return;
            }
            sleep(Duration::from_millis(50)).await;
        }
    };
    let counted = timeout(PATIENCE, counted).await;
    assert!(counted.is_ok(), "not '{line}'");
}

/// A client that comes back as one whose connection was lost: at once, and again until it is let in.
async fn come_back(server: &ServerProcess, query: &str) -> Client {
    let client = server.attach(query).await;
    assert_eq!(client.welcome["resumed"], true, "{}", client.welcome);
    client
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_is_followed() {
    let url = TestPostgres::shared().database();
    let directory = tempfile::tempdir().unwrap();
    let start = || ServerProcess::start_on(Path::new(PROGRAM), directory.path(), Some(&url), None);
    let (mut one, mut two) = (start().await, start().await);
    let mut client = one.attach("").await;
    let session = client.session();
    let mut expected = Vec::new();
    let mut pauses = Vec::new();
    for number in 0..4 {
        let id = format!("shape_{number}");
        assert_eq!(edit(&mut client, &id).await["type"], "scene_changed");
        expected.push(id);
        let resume = client.resume_query();
        one.kill().await;
        let killed = Instant::now();
        client = come_back(&two, &resume).await;
        let id = format!("after_kill_{number}");
        assert_eq!(edit(&mut client, &id).await["type"], "scene_changed");
        pauses.push(killed.elapsed());
        expected.push(id);
        assert_eq!(shapes(&scene(&two, &session).await), expected);
        (one, two) = (two, start().await);
    }
    let events = one.events(&session).await;
    for (index, event) in events.iter().enumerate() {
        assert_eq!(event["seq"], index as u64 + 1);
    }
    let changes = events.iter().filter(|event| event["type"] == "scene_changed");
    assert_eq!(changes.count(), expected.len());
    println!("from kill -9 to the next acknowledged edit: {pauses:?}");
}

/// Whatever a client does at a server that does not own its session is done by the owner, and looks the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_works_through_any_server() {
    let url = TestPostgres::shared().database();
    let directory = tempfile::tempdir().unwrap();
    let start = || ServerProcess::start_on(Path::new(PROGRAM), directory.path(), Some(&url), None);
    let (one, two, three) = (start().await, start().await, start().await);
    let mut client = one.attach("").await;
    let session = client.session();
    // Two more sockets over other servers: each sees what the others do, in one order.
    let mut other = two.attach(&format!("session={session}")).await;
    let mut third = three.attach(&format!("session={session}")).await;
    for (number, editor) in [&mut other, &mut third, &mut client].into_iter().enumerate() {
        let changed = edit(editor, &format!("by_{number}")).await;
        assert_eq!(changed["type"], "scene_changed", "{changed}");
    }
    let told = other.say("add a blue box").await;
    assert_eq!(told["reason"], "completed");
    let events = one.events(&session).await;
    let last = events.last().unwrap()["seq"].as_u64().unwrap();
    for watching in [&mut client, &mut other, &mut third] {
        if watching.seq() < last {
            watching.until_that(|message| message["seq"] == last).await;
        }
        assert_eq!(watching.events, events);
    }
    // Pictures come through, too.
    assert!(!third.preview().await.image.is_empty());

    let path = |rest: &str| format!("/api/sessions/{session}{rest}");
    let on_one = one.get(&path("/scene")).await;
    assert_eq!(two.get(&path("/scene")).await, on_one);
    let mut changed = on_one.clone();
    changed["shapes"].as_array_mut().unwrap().clear();
    let put = two.http().put(two.url(&path("/scene"))).json(&changed).send().await.unwrap();
    assert_eq!(put.status(), 200);
    assert_eq!(shapes(&scene(&one, &session).await), [""; 0]);
    let share = two.http().post(two.url(&path("/shares"))).json(&json!({ "access": "view" }));
    let share: Value = share.send().await.unwrap().json().await.unwrap();
    let token = share["token"].as_str().unwrap_or_else(|| panic!("{share}"));
    let mut guest = three.attach(&format!("session={token}")).await;
    let refused = edit(&mut guest, "no").await;
    assert_eq!(refused["type"], "error", "{refused}");
    let taken_back = one.http().delete(one.url(&path(&format!("/shares/{token}")))).send().await;
    assert!(taken_back.unwrap().status().is_success());
    let until_closed = async { while guest.try_next().await.is_some() {} };
    timeout(PATIENCE, until_closed).await.unwrap();

    // A picture that is uploaded over one server is there on all, and in the session's owner.
    let upload = |server: &ServerProcess, query: &str| {
        let picture = include_bytes!("../../../docs/page.png").to_vec();
        let url = server.url(&format!("/api/assets?name=page.png{query}"));
        server.http().post(url).body(picture).send()
    };
    let asset: Value =
        upload(&two, &format!("&session={session}")).await.unwrap().json().await.unwrap();
    let hash = asset["asset"].as_str().unwrap();
    for server in [&one, &two, &three] {
        let got =
            server.http().get(server.url(&format!("/api/assets/{hash}"))).send().await.unwrap();
        assert_eq!(got.status(), 200);
    }
    let of_session = three.get(&path("/assets")).await;
    assert_eq!(of_session["assets"][0]["asset"], hash);

    let deleted = three.http().delete(three.url(&path(""))).send().await.unwrap();
    assert!(deleted.status().is_success());
    assert_eq!(two.http().get(two.url(&path(""))).send().await.unwrap().status(), 404);
    let until_closed = async { while other.try_next().await.is_some() {} };
    timeout(PATIENCE, until_closed).await.unwrap();
    let metrics = three.http().get(three.url("/metrics")).send().await.unwrap();
    let metrics = metrics.text().await.unwrap();
    assert!(metrics.contains("\nscene_llm_forwarded_requests_total "), "{metrics}");
}

/// A server that is asked to stop lets its sessions go, and clients go on over another one.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_hands_its_sessions_over() {
    let url = TestPostgres::shared().database();
    let directory = tempfile::tempdir().unwrap();
    let start = || ServerProcess::start_on(Path::new(PROGRAM), directory.path(), Some(&url), None);
    let (one, two) = (start().await, start().await);
    let mut client = one.attach("").await;
    let session = client.session();
    assert_eq!(edit(&mut client, "before").await["type"], "scene_changed");
    // Through the other one: its line ends with the owner.
    let mut client = two.attach(&format!("session={session}")).await;
    signal(&one, "-TERM");
    let asked = Instant::now();
    let until_closed = async { while client.try_next().await.is_some() {} };
    timeout(PATIENCE, until_closed).await.unwrap();
    let mut client = come_back(&two, &client.resume_query()).await;
    assert_eq!(edit(&mut client, "after").await["type"], "scene_changed");
    println!("from SIGTERM to the next acknowledged edit: {:?}", asked.elapsed());
    assert!(one.ended().await.success());
    assert_eq!(shapes(&scene(&two, &session).await), ["before", "after"]);
}

/// What a server leaves that dies is taken over without a client: its run is closed.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_nobody_comes_back_to_is_taken_over() {
    let url = TestPostgres::shared().database();
    let directory = tempfile::tempdir().unwrap();
    let gate = Gate::default();
    let options = Options { readers_may_die: true, ..Options::default() };
    let answers = [Answer::new().text("Wait.").gate(&gate)];
    let gemini = FakeGemini::start_with(options, answers).await;
    let base_url = gemini.base_url();
    let start = || {
        let program = Path::new(PROGRAM);
        ServerProcess::start_on(program, directory.path(), Some(&url), Some(&base_url))
    };
    let (one, two) = (start().await, start().await);
    let mut client = one.attach("").await;
    client.send(json!({ "type": "user_message", "text": "a ball" })).await;
    client.until("text_delta").await;
    one.kill().await;
    let taken_over = async {
        while TestPostgres::shared().query(&url, ENDED_RUNS) != "1" {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(PATIENCE, taken_over).await.unwrap();
    until_counted(&two, "scene_llm_sessions_taken_over_total 1").await;
}

/// Events that tell the end of a run.
const ENDED_RUNS: &str = "SELECT count(*) FROM record WHERE body LIKE '%run_finished%'::bytea";

/// A server whose connection to the database breaks is not dead, but others may think so until it is back.
#[tokio::test(flavor = "multi_thread")]
async fn what_another_server_took_meanwhile_is_not_answered_from_memory() {
    let url = TestPostgres::shared().database();
    let directory = tempfile::tempdir().unwrap();
    let start = || ServerProcess::start_on(Path::new(PROGRAM), directory.path(), Some(&url), None);
    let (one, two) = (start().await, start().await);
    let mut client = one.attach("").await;
    let session = client.session();
    assert_eq!(edit(&mut client, "before").await["type"], "scene_changed");
    // It holds its lock again within a second: the other one has to be asked meanwhile.
    let owner = || {
        let owner = format!(
            "SELECT address FROM node JOIN session ON owner = node.id WHERE session.id = '{session}'"
        );
        TestPostgres::shared().query(&url, &owner)
    };
    let first = owner();
    let taken = async {
        while owner() == first {
            let end = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid::bigint = \
                (SELECT life FROM node JOIN session ON owner = node.id)";
            TestPostgres::shared().query(&url, end);
            assert_eq!(shapes(&scene(&two, &session).await), ["before"]);
        }
    };
    timeout(PATIENCE, taken).await.unwrap();
    let mut other = two.attach(&format!("session={session}")).await;
    assert_eq!(edit(&mut other, "meanwhile").await["type"], "scene_changed");
    assert_eq!(shapes(&scene(&one, &session).await), ["before", "meanwhile"]);
    // Whoever still looks at what the first one has is led away.
    let until_closed = async { while client.try_next().await.is_some() {} };
    timeout(PATIENCE, until_closed).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stood_still_cannot_go_on() {
    let url = TestPostgres::shared().database();
    let directory = tempfile::tempdir().unwrap();
    let gate = Gate::default();
    let create = json!({ "id": "late", "type": "sphere", "properties": { "center": [0, 0, 0], "radius": 1 } });
    let options = Options { readers_may_die: true, foreign_answers: true, ..Options::default() };
    let answers = [
        Answer::new().text("Wait.").gate(&gate).call(Some("1"), "create_shape", create),
        Answer::new().text("Nobody asks for this."),
    ];
    let gemini = FakeGemini::start_with(options, answers).await;
    let base_url = gemini.base_url();
    let start = || {
        let program = Path::new(PROGRAM);
        ServerProcess::start_on(program, directory.path(), Some(&url), Some(&base_url))
    };
    let (one, two) = (start().await, start().await);
    let mut client = one.attach("").await;
    let session = client.session();
    assert_eq!(edit(&mut client, "before").await["type"], "scene_changed");
    client.send(json!({ "type": "user_message", "text": "a ball" })).await;
    client.until("text_delta").await;

    signal(&one, "-STOP");
    let stopped = Instant::now();
    assert_eq!(shapes(&scene(&two, &session).await), ["before"]);
    let mut other = two.attach(&format!("session={session}")).await;
    assert_eq!(edit(&mut other, "meanwhile").await["type"], "scene_changed");
    println!("from SIGSTOP to the next acknowledged edit: {:?}", stopped.elapsed());
    let events = two.events(&session).await;
    let ends: Vec<&Value> = events.iter().filter(|it| it["type"] == "run_finished").collect();
    assert_eq!(ends.len(), 1, "the run that stands still is closed");
    assert_eq!(ends[0]["reason"], "error");

    // It wakes in the middle of its run, whose model goes on.
    signal(&one, "-CONT");
    gate.open();
    let until_closed = async { while client.try_next().await.is_some() {} };
    timeout(PATIENCE, until_closed).await.unwrap();
    assert_eq!(shapes(&scene(&one, &session).await), ["before", "meanwhile"], "asked of the owner");
    assert_eq!(gemini.remaining(), 1, "a server that lost the session asked the model again");
    assert_eq!(two.events(&session).await, events);
    let told: Vec<&Value> = client.events.iter().collect();
    assert_eq!(told, events.iter().take(told.len()).collect::<Vec<_>>());
    assert_eq!(edit(&mut other, "after").await["type"], "scene_changed");

    until_counted(&one, "scene_llm_sessions_lost_total 1").await;
    until_counted(&two, "scene_llm_sessions_opened_total 1").await;
    // Whoever comes back is sent what it missed.
    until_counted(&two, "scene_llm_gaps_refilled_total 0").await;
    let mut client = come_back(&two, &client.resume_query()).await;
    let newest = &two.events(&session).await.pop().unwrap()["seq"];
    client.until_that(|message| message["seq"] == *newest).await;
    until_counted(&two, "scene_llm_gaps_refilled_total 1").await;

    // It takes part again: with a lease of its own it follows the other one.
    two.kill().await;
    assert_eq!(shapes(&scene(&one, &session).await), ["before", "meanwhile", "after"]);
    let mut client = one.attach(&format!("session={session}")).await;
    assert_eq!(edit(&mut client, "last").await["type"], "scene_changed");
}

/// Whoever lost a session without having heard of it writes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn an_append_of_a_term_that_is_over_is_refused_and_counted() {
    let url = TestPostgres::shared().database();
    let directory = tempfile::tempdir().unwrap();
    let one = ServerProcess::start_on(Path::new(PROGRAM), directory.path(), Some(&url), None).await;
    let mut client = one.attach("").await;
    let session = client.session();
    assert_eq!(edit(&mut client, "before").await["type"], "scene_changed");
    until_counted(&one, "scene_llm_fenced_appends_total 0").await;
    TestPostgres::shared().query(&url, "UPDATE session SET owner = NULL, term = term + 1");
    let late = json!({ "name": "create_shape", "args": { "id": "late", "type": "sphere",
        "properties": { "center": [0, 0, 0], "radius": 1 } } });
    client.send(json!({ "type": "edit", "request_id": "late", "calls": [late] })).await;
    let until_closed = async { while client.try_next().await.is_some() {} };
    timeout(PATIENCE, until_closed).await.unwrap();
    until_counted(&one, "scene_llm_fenced_appends_total 1").await;
    // Nobody owns it, so it is opened again as it is in the log.
    let mut client = come_back(&one, &client.resume_query()).await;
    assert_eq!(shapes(&scene(&one, &session).await), ["before"]);
    assert_eq!(edit(&mut client, "after").await["type"], "scene_changed");
    until_counted(&one, "scene_llm_sessions_opened_total 2").await;
}

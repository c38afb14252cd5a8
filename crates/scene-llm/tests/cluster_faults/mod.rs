//! Three servers on one database, clients on any of them and render workers, and faults: servers and workers are
//! killed or stand still, servers are asked to stop, the database crashes or its disk is full, the network loses its
//! connections, the shared directory is gone, clocks jump. What the clients were told is held against the log.
//! `SCENE_LLM_CLUSTER_FAULTS` says how many faults there are; with it there are more clients.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::print_stdout, reason = "times are measured, and not judged: docs/scaling.md")]

mod clients;
mod model;
mod network;
mod places;
mod renders;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use client::Server;
use end_to_end::machine::Machine;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use test_postgres::TestPostgres;
use tokio::sync::watch;
use tokio::task::{JoinSet, block_in_place};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use self::clients::{Crowd, Person, Work, made, said};
use self::model::Model;
use self::places::{Place, Setting};

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// The faults, in turn. Where nothing else is said there is one of each.
const FAULTS: [&str; 9] = [
    "kill -9",
    "SIGSTOP",
    "SIGTERM",
    "crash of the database",
    "full disk of the database",
    "lost connections",
    "no shared directory",
    "kill -9 of a worker",
    "SIGSTOP of a worker",
];
const SERVERS: usize = 3;
const WORKERS: usize = 2;
/// How long a network that has lost its connections takes none.
const OUTAGE: Duration = Duration::from_secs(1);
/// Far more than a lease runs and a database starts.
const PATIENCE: Duration = Duration::from_secs(120);
const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// By how many seconds the clock of a server is wrong at most; it jumps with each fault.
const WRONG_CLOCK: i64 = 600;

fn signal(process: u32, name: &str) {
    let done = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(done.unwrap().success());
}

/// Waits until each has done something that it began after now.
async fn until_all_go_on(counts: &mut [watch::Receiver<u64>]) {
    // The next one may have been on its way.
    let wanted: Vec<u64> = counts.iter_mut().map(|count| *count.borrow_and_update() + 2).collect();
    for (count, wanted) in counts.iter_mut().zip(wanted) {
        let reached = timeout(PATIENCE, count.wait_for(|count| *count >= wanted)).await;
        assert!(reached.is_ok(), "a client does not go on");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_lose_and_double_nothing() {
    let wanted = std::env::var("SCENE_LLM_CLUSTER_FAULTS").ok();
    // Clients of each session that edit, talk and watch, and the pause between their edits.
    let (kinds, pace) = if wanted.is_some() { ([5, 1, 4], 150) } else { ([2, 1, 1], 50) };
    let faults = wanted.map_or(FAULTS.len(), |count| count.parse().unwrap());
    let disk = Machine::new();
    let mut postgres = TestPostgres::start_with(&disk.environment());
    let directory = tempfile::tempdir().unwrap();
    let model = Model::start().await;
    let setting = Setting {
        database: postgres.database(),
        directory: directory.path().join("shared"),
        model: model.base_url(),
    };
    std::fs::create_dir(&setting.directory).unwrap();
    let mut places = Vec::new();
    for _ in 0..SERVERS {
        let mut place = Place::new().await;
        setting.start(&mut place).await;
        places.push(place);
    }
    let urls: Vec<String> = places.iter().map(|place| place.network.url()).collect();
    let http = places[0].server().http().clone();
    let crowd = Arc::new(Crowd {
        addresses: urls.clone(),
        http: http.clone(),
        pace: Duration::from_millis(pace),
        refused: watch::Sender::new(0),
        told_anew: AtomicU64::new(0),
    });
    let mut random = StdRng::seed_from_u64(17);
    let stop = CancellationToken::new();
    let (mut people, mut editing, mut talking) = (JoinSet::new(), Vec::new(), Vec::new());
    let mut sessions = Vec::new();
    // Each begins on a server of its own.
    for (number, url) in urls.iter().enumerate() {
        let session = Server::new(url, None).unwrap().create_session().await.unwrap();
        for (work, count) in [Work::Edit, Work::Talk, Work::Watch].into_iter().zip(kinds) {
            for of_session in 0..count {
                let name = format!("s{number}_{work:?}_{of_session}").to_lowercase();
                let random = StdRng::seed_from_u64(random.random());
                let person = Person::new(work, name, &session, &crowd, random);
                match work {
                    Work::Edit => editing.push(person.done.subscribe()),
                    Work::Talk => talking.push(person.done.subscribe()),
                    Work::Watch => {}
                }
                people.spawn(person.go_on(stop.clone()));
            }
        }
        sessions.push(session);
    }
    let mut workers: [_; WORKERS] = std::array::from_fn(|_| renders::worker(&urls));
    let (pictures, count) = watch::channel(0);
    let mut looking = vec![count];
    let renders = tokio::spawn(renders::look(http.clone(), urls.clone(), pictures, stop.clone()));
    until_all_go_on(&mut editing).await;
    until_all_go_on(&mut talking).await;
    until_all_go_on(&mut looking).await;

    let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    let (mut lost, mut fenced) = (0, 0);
    // How long servers take to end that are asked to.
    let mut ends = Vec::new();
    for fault in 0..faults {
        let kind = FAULTS[fault % FAULTS.len()];
        let victim = match kind {
            "kill -9" | "SIGSTOP" | "SIGTERM" | "lost connections" => {
                let session = &sessions[random.random_range(0..sessions.len())];
                let address = format!(
                    "SELECT address FROM session JOIN node ON owner = node.id WHERE session.id = '{session}'"
                );
                let address = block_in_place(|| postgres.query(&setting.database, &address));
                let owner = places.iter().position(|place| place.network.address() == address);
                // It may just be changing hands.
                owner.unwrap_or(0)
            }
            _ => random.random_range(0..places.len()),
        };
        let place = &mut places[victim];
        place.machine.set_clock_ahead(random.random_range(-WRONG_CLOCK..=WRONG_CLOCK));
        let worker = &mut workers[fault % WORKERS];
        if matches!(kind, "kill -9" | "SIGTERM") {
            lost += place.metric("sessions_lost_total").await;
            fenced += place.metric("fenced_appends_total").await;
        }
        let mut began = Instant::now();
        match kind {
            "kill -9" => place.server.take().unwrap().kill().await,
            "SIGTERM" => {
                let server = place.server.take().unwrap();
                signal(server.id(), "-TERM");
                assert!(server.ended().await.success());
                ends.push(began.elapsed());
            }
            "SIGSTOP" => signal(place.server().id(), "-STOP"),
            "crash of the database" => block_in_place(|| postgres.crash()),
            "full disk of the database" => {
                // The log of PostgreSQL has room for a while, as on a disk of its own.
                for statement in ["SELECT pg_switch_wal()", "CHECKPOINT"] {
                    block_in_place(|| postgres.query(&setting.database, statement));
                }
                let mut refused = crowd.refused.subscribe();
                disk.fill_disk(true);
                let told = timeout(PATIENCE, refused.changed()).await;
                disk.fill_disk(false);
                told.expect("edits are refused").unwrap();
                // It takes as long as it takes until there is room.
                began = Instant::now();
            }
            "lost connections" => place.network.fail_for(OUTAGE).await,
            "no shared directory" => {
                std::fs::rename(&setting.directory, directory.path().join("away")).unwrap();
            }
            "kill -9 of a worker" => worker.kill().await.unwrap(),
            "SIGSTOP of a worker" => signal(worker.id().unwrap(), "-STOP"),
            other => unreachable!("{other}"),
        }
        until_all_go_on(&mut editing).await;
        times.entry(kind).or_default().push(began.elapsed());
        match kind {
            "SIGSTOP" => {
                // What it has begun before it cannot end.
                signal(places[victim].server().id(), "-CONT");
                until_all_go_on(&mut editing).await;
            }
            "no shared directory" => {
                // It says so where a balancer asks, and files are refused.
                let place = &places[victim];
                let statuses = async || {
                    let upload = http.post(place.url("/api/assets?name=a.obj")).body(TRIANGLE);
                    let ready = http.get(place.url("/readyz")).send().await.unwrap().status();
                    (ready.as_u16(), upload.send().await.unwrap().status().is_success())
                };
                assert_eq!(statuses().await, (503, false));
                std::fs::rename(directory.path().join("away"), &setting.directory).unwrap();
                assert_eq!(statuses().await, (200, true));
            }
            "kill -9 of a worker" | "SIGSTOP of a worker" => {
                until_all_go_on(&mut looking).await;
                let _ = worker.kill().await;
                *worker = renders::worker(&urls);
            }
            _ => {}
        }
        for place in &mut places {
            if place.server.is_none() {
                setting.start(place).await;
            }
        }
        if (fault + 1).is_multiple_of(FAULTS.len()) {
            until_all_go_on(&mut talking).await;
        }
        if faults > FAULTS.len() {
            let load = std::fs::read_to_string("/proc/loadavg").unwrap();
            let load = load.split_whitespace().next().unwrap();
            println!("{fault}: {kind}, {:.1?} with all that follows, load {load}", began.elapsed());
        }
    }
    until_all_go_on(&mut talking).await;
    until_all_go_on(&mut looking).await;
    stop.cancel();
    renders.await.unwrap();
    let people = people.join_all().await;
    let clients = people.len();
    check(&places, &sessions, people, &model).await;

    for place in &places {
        lost += place.metric("sessions_lost_total").await;
        fenced += place.metric("fenced_appends_total").await;
    }
    println!("{faults} faults, {clients} clients, {} equal pictures", *looking[0].borrow());
    println!("{lost} sessions were lost to other servers, {fenced} appends refused for it");
    let told_anew = crowd.told_anew.load(Ordering::Relaxed);
    println!("{told_anew} times a client was not told what it missed, and read the log");
    println!("from a fault until each of {} clients had a new edit acknowledged:", editing.len());
    times.insert("SIGTERM until the process ended", ends);
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

/// Holds what clients were told and what the model was asked against the logs.
async fn check(places: &[Place], sessions: &[String], people: Vec<Person>, model: &Model) {
    let server = places[0].server();
    let mut people: HashMap<String, Vec<Person>> =
        people.into_iter().fold(HashMap::new(), |mut all, person| {
            all.entry(person.session.clone()).or_default().push(person);
            all
        });
    let (mut edits, mut talks) = (0, 0);
    for session in sessions {
        // A run that nobody waited for ends by itself.
        let is_running =
            async || server.get(&format!("/api/sessions/{session}")).await["running"] == true;
        while is_running().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        let log = server.events(session).await;
        let (mut made_in_log, mut said_in_log) = (HashSet::new(), HashSet::new());
        for (index, event) in log.iter().enumerate() {
            assert_eq!(event["seq"], index as u64 + 1, "a gap in the log");
            for id in made(event) {
                assert!(made_in_log.insert(id.clone()), "{id} is twice in the log");
            }
            if let Some(text) = said(event) {
                assert!(said_in_log.insert(text.clone()), "{text} is twice in the log");
            }
        }
        for person in people.remove(session).unwrap() {
            let done = *person.done.borrow();
            let catching_up = timeout(PATIENCE, person.catch_up(log.len() as u64)).await;
            let person =
                catching_up.unwrap_or_else(|_| panic!("a client cannot follow to the end"));
            let first = usize::try_from(person.events[0]["seq"].as_u64().unwrap()).unwrap() - 1;
            assert_eq!(person.events[..log.len() - first], log[first..], "{}", person.name);
            if person.work == Work::Edit {
                edits += done;
                for number in 1..=done {
                    assert!(made_in_log.contains(&person.object(number)));
                }
            }
        }
        talks += said_in_log.len();
        let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
        for place in places {
            let other = place.server().get(&format!("/api/sessions/{session}/scene")).await;
            assert_eq!(other, scene);
        }
    }
    for (step, times) in model.asked() {
        assert_eq!(times, 1, "the model was asked twice: {step:?}");
    }
    println!("{edits} acknowledged edits and {talks} messages, none lost or doubled");
}

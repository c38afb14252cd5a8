//! A goal survives the death of its server: killed at random moments, it goes on after each start without
//! being asked to, does nothing twice and loses no criterion.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use end_to_end::process::ServerProcess;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use tokio::time::timeout;

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");
/// How often the server is killed, where `SCENE_LLM_GOAL_CRASHES` does not say it.
const CRASHES: u64 = 10;
/// The longest time between the start of the server and its kill.
const MAX_LIFETIME: Duration = Duration::from_millis(900);
/// Far more than the whole goal needs.
const PATIENCE: Duration = Duration::from_secs(240);
/// Tasks of the goal. Each makes one thing and none has criteria, so doing one twice would show.
const TASKS: usize = 8;

fn workflow() -> String {
    let mut text = format!(
        "name = \"row\"\ndescription = \"Balls.\"\ncriteria = [\"{TASKS} sphere\", \"no box\", \"{TASKS} created sphere\"]\n"
    );
    for number in 0..TASKS {
        let after = match number {
            0 => String::new(),
            number => format!("\"t{}\"", number - 1),
        };
        text += &format!(
            "[[task]]\nid = \"t{number}\"\ndescription = \"a ball at {number} 1 0 with radius 0.2\"\n\
             depends_on = [{after}]\n"
        );
    }
    text
}

/// Watches the goal until it is over or the connection is gone.
async fn watch(server: &ServerProcess, session: &str) -> Option<Value> {
    let mut client = server.attach(&format!("session={session}")).await;
    let is_over = |goal: &Value| {
        let status = goal["status"].as_str().unwrap_or_default();
        !matches!(status, "" | "planning" | "active")
    };
    let mut goal = client.welcome["goal"].clone();
    while !is_over(&goal) {
        let message = client.try_next().await?;
        if message["type"] == "goal_changed" {
            goal = message["goal"].clone();
        }
    }
    Some(goal)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_goal_survives_kills_at_random_moments_and_does_nothing_twice() {
    let crashes = std::env::var("SCENE_LLM_GOAL_CRASHES").ok().and_then(|n| n.parse().ok());
    let mut left = crashes.unwrap_or(CRASHES);
    let seed = std::env::var("SCENE_LLM_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(23);
    let mut random = StdRng::seed_from_u64(seed);
    while left > 0 {
        left -= one_goal(&mut random, left).await;
    }
}

/// Works on one goal, killed until it is over or at most `kills` times; how often it was killed.
async fn one_goal(random: &mut StdRng, kills: u64) -> u64 {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(directory.path().join("workflows")).unwrap();
    std::fs::write(directory.path().join("workflows/row.toml"), workflow()).unwrap();
    let program = Path::new(PROGRAM);
    let server = ServerProcess::start(program, directory.path(), None).await;
    let made = server.http().post(server.url("/api/sessions")).send().await.unwrap();
    let made: Value = made.json().await.unwrap();
    let session = made["session_id"].as_str().unwrap().to_owned();
    let url = server.url(&format!("/api/sessions/{session}/goal"));
    let set = server.http().post(url).json(&json!({ "workflow": "row" })).send().await.unwrap();
    assert_eq!(set.status(), 201);
    let mut server = Some(server);
    let mut killed = 0;
    let goal = loop {
        let running = match server.take() {
            Some(running) => running,
            None => ServerProcess::start(program, directory.path(), None).await,
        };
        if killed == kills {
            let goal = timeout(PATIENCE, watch(&running, &session)).await.unwrap().unwrap();
            server = Some(running);
            break goal;
        }
        let lifetime = MAX_LIFETIME.mul_f64(random.random_range(0.0..1.0));
        match timeout(lifetime, watch(&running, &session)).await {
            Ok(goal) => {
                server = Some(running);
                break goal.unwrap();
            }
            Err(_) => running.kill().await,
        }
        killed += 1;
    };
    let server = server.unwrap();
    assert_eq!(goal["status"], "completed", "{goal}");
    let criteria: Vec<&str> =
        goal["criteria"].as_array().unwrap().iter().map(|c| c["text"].as_str().unwrap()).collect();
    let expected =
        [format!("{TASKS} sphere"), "no box".to_owned(), format!("{TASKS} created sphere")];
    assert_eq!(criteria, expected);
    let scene = server.get(&format!("/api/sessions/{session}/scene")).await;
    assert_eq!(scene["shapes"].as_array().unwrap().len(), TASKS, "a task was done twice");
    let mut finished: BTreeMap<String, usize> = BTreeMap::new();
    for event in server.events(&session).await {
        if event["change"]["kind"] == "task_finished" {
            *finished.entry(event["change"]["task"].as_str().unwrap().to_owned()).or_default() += 1;
        }
    }
    assert!(finished.len() == TASKS && finished.values().all(|count| *count == 1), "{finished:?}");
    killed.max(1)
}

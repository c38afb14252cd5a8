//! Issue "nothing is lost": clients of one session end equal, whatever they do.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod large;
mod presence;

use end_to_end::calls::{resize, sphere};
use end_to_end::client::Client;
use end_to_end::replica::Replica;
use end_to_end::server::TestServer;
use proptest::prelude::*;
use serde_json::{Value, json};

/// What one of three clients does.
#[derive(Debug, Clone)]
enum Step {
    Attach,
    Drop,
    Edit(u8),
    Resize(u8, u8),
    Message,
    Cancel,
    Undo,
    Redo,
    Restore(u8),
}

fn any_step() -> impl Strategy<Value = (usize, Step)> {
    let step = prop_oneof![
        2 => Just(Step::Attach),
        1 => Just(Step::Drop),
        4 => (0..8u8).prop_map(Step::Edit),
        4 => (0..8u8, 1..5u8).prop_map(|(id, radius)| Step::Resize(id, radius)),
        2 => Just(Step::Message),
        1 => Just(Step::Cancel),
        3 => Just(Step::Undo),
        2 => Just(Step::Redo),
        2 => (0..12u8).prop_map(Step::Restore),
    ];
    (0..3usize, step)
}

/// A client that comes and goes, and what it knows.
struct Guest {
    socket: Option<Client>,
    query: String,
    scene: Option<Replica>,
    followed: u64,
}

impl Guest {
    async fn attach(&mut self, server: &TestServer) {
        if self.socket.is_some() {
            return;
        }
        let client = server.attach(&self.query).await;
        let seq = client.welcome["seq"].as_u64().unwrap();
        match &self.scene {
            Some(_) => {
                assert_eq!(client.welcome["resumed"], true);
                assert_eq!(seq, self.followed);
            }
            None => {
                self.scene = Some(Replica::new(&client.welcome["scene"]));
                self.followed = seq;
            }
        }
        self.socket = Some(client);
    }

    /// Follows what came so far.
    fn follow(&mut self) {
        let (Some(client), Some(scene)) = (&self.socket, &mut self.scene) else { return };
        for event in &client.events {
            let seq = event["seq"].as_u64().unwrap();
            if seq > self.followed {
                assert_eq!(seq, self.followed + 1);
                scene.follow(event);
                self.followed = seq;
            }
        }
        self.query = client.resume_query();
    }
}

fn message_of(step: &Step) -> Option<Value> {
    Some(match step {
        Step::Attach | Step::Drop => return None,
        Step::Edit(id) => json!({ "type": "edit", "calls": [sphere(&format!("s{id}"), 1.0)] }),
        Step::Resize(id, radius) => {
            json!({ "type": "edit", "calls": [resize(&format!("s{id}"), f64::from(*radius))] })
        }
        Step::Message => json!({ "type": "user_message", "text": "a red sphere and a blue box" }),
        Step::Cancel => json!({ "type": "cancel" }),
        Step::Undo => json!({ "type": "undo" }),
        Step::Redo => json!({ "type": "redo" }),
        Step::Restore(revision) => json!({ "type": "restore", "revision": revision }),
    })
}

async fn play(steps: Vec<(usize, Step)>) {
    let server = TestServer::start(server::ModelsConfig::default()).await;
    let first = server.client().await;
    let query = format!("session={}", first.session());
    drop(first);
    let guest = || Guest { socket: None, query: query.clone(), scene: None, followed: 0 };
    let mut guests = [guest(), guest(), guest()];
    for (index, step) in steps {
        let guest = &mut guests[index];
        match &step {
            Step::Attach => guest.attach(&server).await,
            Step::Drop => {
                guest.follow();
                guest.socket = None;
            }
            step => {
                guest.attach(&server).await;
                let client = guest.socket.as_mut().unwrap();
                client.send(message_of(step).unwrap()).await;
                // Answered: whatever it did is told.
                assert!(client.still_there().await);
            }
        }
    }
    let mut guests_at_end = Vec::new();
    for mut guest in guests {
        guest.attach(&server).await;
        guests_at_end.push(guest);
    }
    // Everything has come to rest when a run that may go on has finished.
    let path = format!("/api/sessions/{}", query.trim_start_matches("session="));
    let mut watcher = server.attach(&query).await;
    if watcher.welcome["running"] == true {
        watcher.until("run_finished").await;
    }
    loop {
        let snapshot = server.get(&path).await;
        let log = server.get(&format!("{path}/events")).await;
        let newest = log["events"].as_array().unwrap().len() as u64;
        for guest in &mut guests_at_end {
            let client = guest.socket.as_mut().unwrap();
            while client.seq() < newest {
                client.next().await;
            }
            guest.follow();
        }
        let again = server.get(&path).await;
        if again["running"] == true || again["revision"] != snapshot["revision"] {
            continue;
        }
        for guest in &guests_at_end {
            let scene = guest.scene.as_ref().unwrap();
            assert!(scene.is(&again["scene"]), "{} is not {}", scene.scene(), again["scene"]);
        }
        return;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn three_clients_end_equal_whatever_they_do(steps in prop::collection::vec(any_step(), 1..40)) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(play(steps));
    }
}

//! Sessions that nobody uses, and what panics in them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use agent::{Event, Outcome, RunOptions};
use assets::{Blobs, Library};
use llm::LanguageModel;
use store::MemoryStore;
use tokio_util::task::TaskTracker;

use super::*;
use crate::actor::TurnLimits;
use crate::command::{EditCall, SceneCommand, Update, UserMessage};
use crate::event::{RunEnd, SessionEvent};
use crate::host::{Models, RunHost};

/// Sessions in memory, and bytes that they take.
const MAX_SESSIONS: usize = 100;
const MAX_BYTES: u64 = 16 << 20;

/// No model, no tools beside the session's own.
struct Nothing;

impl Models for Nothing {
    fn default_id(&self) -> String {
        "none".into()
    }

    fn contains(&self, _id: &str) -> bool {
        false
    }

    fn ids(&self) -> Vec<String> {
        Vec::new()
    }

    fn open(&self, _id: &str, _session: &str, _used: u64) -> Option<Arc<dyn LanguageModel>> {
        None
    }

    fn is_scripted(&self) -> bool {
        false
    }

    fn can_plan(&self, _id: &str) -> bool {
        false
    }

    fn cost(&self, _id: &str, _usage: &llm::Usage) -> Option<f64> {
        None
    }
}

impl RunHost for Nothing {
    fn options(&self, _id: &str) -> RunOptions {
        RunOptions::default()
    }

    fn tools(&self, _taken: &BTreeSet<String>) -> Vec<Arc<dyn Tool>> {
        Vec::new()
    }

    fn on_event(&self, _event: &Event, _tools: &Toolbox) {}

    fn on_goal(&self, _session: &str, _is_working: bool) {}

    fn on_owned(&self) {}

    fn on_fenced(&self, _session: &str) {}

    fn on_lost(&self, _session: &str) {}

    fn on_finished(&self, _outcome: &Outcome, _feedback: bool) {}
}

async fn sessions(tracker: &TaskTracker) -> Sessions {
    sessions_with(tracker, Arc::new(Nothing)).await
}

async fn sessions_with(tracker: &TaskTracker, models: Arc<dyn Models>) -> Sessions {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let library =
        Library::open(Arc::clone(&store), Blobs::in_memory(), 1 << 20, tracker.clone()).await;
    let environment = Environment {
        store,
        library: Arc::new(library.unwrap()),
        models,
        host: Arc::new(Nothing),
        standing: None,
        workflows: Arc::default(),
        agents: Arc::default(),
        searches_sessions: false,
        own_objects: Arc::default(),
        sets_stage: false,
        turn_limits: TurnLimits::all(10),
        max_sessions: MAX_SESSIONS,
        max_bytes: MAX_BYTES,
        tracker: tracker.clone(),
        stopping: CancellationToken::new(),
    };
    Sessions::new(environment, Renderer::new(1).unwrap())
}

#[tokio::test]
async fn sessions_nobody_uses_make_room_and_are_found_again() {
    let tracker = TaskTracker::new();
    let sessions = sessions(&tracker).await;
    let attached = sessions.create().await.unwrap();
    let _client = attached.attach(None).await.unwrap();
    let left = sessions.create().await.unwrap();
    left.rename("left".into()).await.unwrap();
    let left_id = left.id().to_owned();
    drop(left);
    for _ in 2..MAX_SESSIONS {
        sessions.create().await.unwrap();
    }
    assert!(matches!(sessions.create().await, Err(OpenError::TooMany(_))));
    // All have ended but the one somebody is attached to.
    while tracker.len() > 1 {
        tokio::task::yield_now().await;
    }
    sessions.create().await.unwrap();
    let (again, permission) = sessions.get(&left_id).await.unwrap().unwrap();
    assert_eq!(permission, Permission::Own);
    assert_eq!(again.snapshot().await.unwrap().name, "left");
    assert!(!attached.commands.is_closed());
    assert!(sessions.get("unknown").await.unwrap().is_none());
}

#[tokio::test]
async fn sessions_that_take_too_much_memory_make_room_or_no_more_are_opened() {
    let tracker = TaskTracker::new();
    let sessions = sessions(&tracker).await;
    let ball = |id: usize| {
        let args = serde_json::json!({ "id": format!("ball_{id}"), "type": "sphere",
            "properties": { "center": [id, 0, 0], "radius": 1 } });
        EditCall { name: "create_shape".into(), args }
    };
    let large = async || {
        let session = sessions.create().await?;
        for half in [0..2_000, 2_000..4_000] {
            let calls = half.map(ball).collect();
            let edit = SceneCommand::Edit { calls, base_revision: None };
            session.change(edit).await.unwrap();
        }
        Ok::<_, OpenError>(session)
    };
    let (mut used, mut refused) = (Vec::new(), None);
    while refused.is_none() && used.len() < 100 {
        match large().await {
            Ok(session) => used.push(session),
            Err(error) => refused = Some(error),
        }
    }
    assert!(matches!(refused, Some(OpenError::TooMany(TooManySessions::Memory(MAX_BYTES)))));
    let [_, memory] = sessions.bounds();
    assert!(memory.used >= MAX_BYTES && used.len() > 3, "{memory:?}, {}", used.len());
    // One that nobody uses any more makes room.
    drop(used.pop());
    while sessions.create().await.is_err() {
        tokio::task::yield_now().await;
    }
    for session in used {
        assert_eq!(session.scene().current().scene.shapes.len(), 4_000);
    }
}

#[tokio::test(start_paused = true)]
async fn a_session_nobody_uses_leaves_memory_within_a_minute_and_loses_nothing() {
    let tracker = TaskTracker::new();
    let sessions = sessions(&tracker).await;
    let used = sessions.create().await.unwrap();
    let left = sessions.create().await.unwrap();
    left.rename("left".into()).await.unwrap();
    let (left_id, its_scene) = (left.id().to_owned(), Arc::downgrade(&left.scene));
    drop(left);
    let began = tokio::time::Instant::now();
    while tracker.len() > 1 {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        assert!(began.elapsed().as_secs() <= 60, "it is still awake");
    }
    assert_eq!(sessions.loaded.lock().len(), 1);
    assert!(its_scene.upgrade().is_none(), "something holds its scene");
    used.rename("still here".into()).await.unwrap();
    let (again, _) = sessions.get(&left_id).await.unwrap().unwrap();
    assert_eq!(again.snapshot().await.unwrap().name, "left");
}

/// A tool that panics where nothing catches it.
struct Panics;

#[async_trait::async_trait]
impl Tool for Panics {
    fn name(&self) -> &str {
        "panics"
    }

    fn description(&self) -> &str {
        "Panics."
    }

    fn parameters(&self) -> Arc<serde_json::Value> {
        serde_json::json!({ "type": "object" }).into()
    }

    fn access(&self) -> agent::Access {
        agent::Access::Changes
    }

    async fn call(&self, _args: serde_json::Value) -> agent::ToolOutput {
        panic!("on purpose")
    }
}

#[tokio::test]
async fn a_session_goes_on_after_its_actor_panicked() {
    let tracker = TaskTracker::new();
    let sessions = sessions(&tracker).await;
    let session = sessions.create().await.unwrap();
    session.rename("kept".into()).await.unwrap();
    let tool: Arc<dyn Tool> = Arc::new(Panics);
    assert!(session.call_tool(&tool, serde_json::json!({})).await.is_err());
    let (again, _) = sessions.get(session.id()).await.unwrap().unwrap();
    assert_eq!(again.snapshot().await.unwrap().name, "kept");
    again.rename("goes on".into()).await.unwrap();
}

/// A model that panics at its first request, and answers the others.
#[derive(Clone, Default)]
struct Faulty(Arc<AtomicBool>);

impl LanguageModel for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    fn stream(&self, _request: llm::Request) -> llm::ChunkStream {
        assert!(self.0.swap(true, Ordering::Relaxed), "on purpose");
        Box::pin(futures_util::stream::iter([Ok(llm::Chunk::Part(llm::Part::text("Here.")))]))
    }
}

impl Models for Faulty {
    fn default_id(&self) -> String {
        "faulty".into()
    }

    fn contains(&self, id: &str) -> bool {
        id == "faulty"
    }

    fn ids(&self) -> Vec<String> {
        vec!["faulty".into()]
    }

    fn open(&self, _id: &str, _session: &str, _used: u64) -> Option<Arc<dyn LanguageModel>> {
        Some(Arc::new(self.clone()))
    }

    fn is_scripted(&self) -> bool {
        false
    }

    fn can_plan(&self, _id: &str) -> bool {
        false
    }

    fn cost(&self, _id: &str, _usage: &llm::Usage) -> Option<f64> {
        None
    }
}

#[tokio::test]
async fn a_run_that_panics_is_told_and_the_next_one_answers() {
    let tracker = TaskTracker::new();
    let sessions = sessions_with(&tracker, Arc::new(Faulty::default())).await;
    let session = sessions.create().await.unwrap();
    let mut live = session.attach(None).await.unwrap().live;
    let mut finished = async || {
        let text = "a ball".into();
        session.say(UserMessage { text, ..UserMessage::default() }).await.unwrap();
        loop {
            let Update::Event(event) = live.recv().await.unwrap() else { continue };
            if let SessionEvent::RunFinished { reason, message, .. } = event.event() {
                return (*reason, message.clone());
            }
        }
    };
    let (reason, told) = finished().await;
    assert_eq!(reason, RunEnd::Error);
    assert!(told.unwrap().contains("Your scene is intact; send a message to go on."));
    assert_eq!(finished().await, (RunEnd::Completed, None));
}

#[tokio::test]
async fn of_thousands_of_errors_in_an_edit_the_first_are_told() {
    let tracker = TaskTracker::new();
    let session = sessions(&tracker).await.create().await.unwrap();
    // Those that cannot be read, and those that cannot be done.
    for name in ["dance", "remove_shape"] {
        for (count, told) in [(20, 20), (21, 21), (2_000, 21)] {
            let call = EditCall { name: name.into(), args: serde_json::json!({ "id": "none" }) };
            let calls = vec![call; count];
            let edit = session.change(SceneCommand::Edit { calls, base_revision: None }).await;
            let Err(SessionError::Invalid(violations)) = edit else { panic!("{edit:?}") };
            assert_eq!(violations.messages().len(), told, "{count} times {name}");
            assert_eq!(violations.messages()[told - 1] == "and more", count > 20);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_stopped_can_be_corrected_minutes_later() {
    let tracker = TaskTracker::new();
    let sessions = sessions(&tracker).await;
    let session = sessions.create().await.unwrap();
    let id = session.id().to_owned();
    let ball = |radius: f64| {
        serde_json::json!({ "id": "ball", "type": "sphere",
        "properties": { "center": [0, 1, 0], "radius": radius } })
    };
    let batch = |call: serde_json::Value| serde_json::json!({ "calls": [call] });
    let make = |radius: f64| serde_json::json!({ "name": "create_shape", "args": ball(radius) });
    let tool = Arc::clone(session.tools().get("edit_scene").unwrap());
    let failed = session.call_tool(&tool, batch(make(-1.0))).await.unwrap();
    assert!(failed.outcome.is_err());
    drop((session, tool));
    // Nobody uses it while a slow model thinks.
    tokio::time::sleep(std::time::Duration::from_secs(300)).await;
    let (session, _) = sessions.get(&id).await.unwrap().unwrap();
    let tool = Arc::clone(session.tools().get("edit_scene").unwrap());
    let mut corrected = make(1.0);
    corrected["index"] = 1.into();
    let done = session.call_tool(&tool, batch(corrected)).await.unwrap();
    assert!(done.outcome.is_ok(), "{:?}", done.outcome);
    assert_eq!(session.scene().current().scene.shapes.len(), 1);
}

use llm::Part;
use scene::Edit;
use serde_json::json;
use store::{Append, MemoryStore, NewSession, Record, Snapshot};

use super::*;

/// Writes the log of a session as an actor would.
struct Author {
    state: State,
    records: Vec<Record>,
}

impl Author {
    fn new() -> Self {
        let mut author =
            Self { state: State::new("a".into(), "epoch".into()), records: Vec::new() };
        author.push(&Entry::Base(Arc::default()));
        author
    }

    fn push(&mut self, entry: &Entry) {
        let record = entry.to_record();
        self.records.push(record);
        self.state.apply(self.records.len() as u64, entry).unwrap();
    }

    fn tell(&mut self, make: impl FnOnce(u64) -> SessionEvent) {
        self.push(&Entry::Event(make(self.state.seq + 1)));
    }

    /// As far as a run gets before its first turn.
    fn begin(&mut self, text: &str) {
        let message_id = format!("u{}", self.state.messages + 1);
        let revision = self.state.scene.current().number;
        let (id, said) = (message_id.clone(), text.to_owned());
        self.tell(|seq| SessionEvent::UserMessage {
            seq,
            message_id: id,
            text: said,
            revision,
            session_name: None,
            selection: Vec::new(),
            images: Vec::new(),
        });
        let content = Content::user(text);
        self.push(&Entry::Said { message_id: message_id.clone(), content });
        let about = serde_json::json!({ "revision": self.state.scene.current().number });
        let context = Some(Part::context("[scene]", &about));
        self.push(&Entry::Read { message_id, context });
    }

    fn say(&mut self, text: &str) {
        self.begin(text);
        self.tell(|seq| SessionEvent::TurnStarted { seq, turn: 1, max_turns: 10 });
        self.push(&Entry::Content(Content::model(vec![Part::text(format!("to {text}"))])));
    }

    fn end(&mut self, input_tokens: u64) {
        let usage =
            crate::event::Usage { input_tokens, cost: Some(0.5), ..crate::event::Usage::default() };
        let reason = crate::event::RunEnd::Completed;
        self.tell(|seq| SessionEvent::RunFinished {
            seq,
            reason,
            turns: 1,
            message: None,
            usage: Some(usage),
        });
    }

    fn edit(&mut self, id: &str, by: studio::Author) {
        let args = json!({ "id": id, "type": "sphere",
            "properties": { "center": [0, 0, 0], "radius": 1 } });
        let edit = Edit::parse("create_shape", &args).unwrap();
        let applied = self.state.scene.clone().apply(&[edit]).unwrap();
        self.push(&Entry::Scene(Box::new(SceneEntry {
            revision: applied.revision.number,
            by,
            step: applied.step,
            patch: applied.patch,
            scene: None,
        })));
    }

    fn set_goal(&mut self, objective: &str) {
        let wanted = goals::NewGoal { objective: objective.into(), ..goals::NewGoal::default() };
        let goal = Goal::new(wanted, &NoCriteria).unwrap();
        let (change, goal, epoch) = (goals::GoalChange::Set, Box::new(goal), "epoch".to_owned());
        self.tell(|seq| SessionEvent::GoalChanged {
            seq,
            change,
            notice: Some("Goal".into()),
            epoch,
            goal,
        });
    }

    fn fork(&mut self, message_id: &str) {
        let conversation = &self.state.conversation;
        let at = conversation.checkpoint(message_id).unwrap();
        let branch = conversation.len();
        let mut chat = Arc::unwrap_or_clone(conversation.chat(conversation.active()));
        chat.truncate(at.chat());
        let branches = branch + 1;
        let fork = None;
        self.tell(|seq| SessionEvent::BranchSelected { seq, branch, branches, chat, fork });
    }

    async fn store(&self, snapshot: Option<Snapshot>) -> MemoryStore {
        let store = MemoryStore::default();
        let (id, epoch) = ("a".to_owned(), "epoch".to_owned());
        store.create(NewSession { id, epoch, name: String::new(), now_ms: 1 }).await.unwrap();
        let (session, records) = ("a".to_owned(), self.records.clone());
        store.append(Append { session, records, ..Append::default() }).await.unwrap();
        if let Some(snapshot) = snapshot {
            store.save_snapshot("a", snapshot).await.unwrap();
        }
        store
    }
}

/// Criteria that are never checked.
struct NoCriteria;

impl goals::Criteria for NoCriteria {
    fn read(&self, _criterion: &str) -> Result<(), String> {
        Ok(())
    }

    fn check(&self, _criterion: &str) -> Result<(), String> {
        Ok(())
    }
}

/// A session with branches, goals, a run that has not ended, and changes of both hands; and a snapshot
/// from the middle of it.
fn eventful() -> (Author, Snapshot) {
    let mut author = Author::new();
    author.say("first");
    author.edit("a", studio::Author::Model);
    author.end(10);
    author.say("second");
    author.edit("b", studio::Author::User);
    author.fork("u2");
    author.say("second, but better");
    author.set_goal("a room");
    let snapshot = author.state.snapshot();
    author.end(7);
    author.edit("c", studio::Author::User);
    author.set_goal("a garden");
    author.fork("u1");
    author.say("first, but better");
    (author, snapshot)
}

fn assert_same(read: &State, written: &State) {
    assert_eq!(read.snapshot(), written.snapshot());
    assert_eq!(read.conversation.contents(), written.conversation.contents());
    assert_eq!(read.conversation, written.conversation, "histories of all branches");
}

#[tokio::test]
async fn a_session_is_read_back_as_it_was_with_a_snapshot_and_without() {
    let (author, snapshot) = eventful();
    for snapshot in [None, Some(snapshot), Some(author.state.snapshot())] {
        let store = author.store(snapshot).await;
        let read = State::load(&store, "a").await.unwrap().unwrap();
        assert_same(&read, &author.state);
    }
}

#[test]
fn what_runs_used_adds_up_over_all_branches() {
    let (author, _) = eventful();
    assert_eq!((author.state.usage.input_tokens, author.state.usage.cost), (17, Some(1.0)));
}

#[tokio::test]
async fn a_snapshot_that_cannot_be_read_is_passed_by() {
    let (author, snapshot) = eventful();
    for body in ["", "{}", "{\"conversation\":3}", &snapshot.body.replace("branches", "x")] {
        let position = snapshot.position;
        let store = author.store(Some(Snapshot { position, body: body.into() })).await;
        let read = State::load(&store, "a").await.unwrap().unwrap();
        assert_same(&read, &author.state);
    }
}

#[tokio::test]
async fn any_revision_is_found_in_the_log() {
    let (author, _) = eventful();
    let store = author.store(None).await;
    let ids = |scene: scene::Scene| -> Vec<String> {
        scene.shapes.iter().map(|shape| shape.id.to_string()).collect()
    };
    for (revision, expected) in [(0, vec![]), (1, vec!["a"]), (3, vec!["a", "b", "c"])] {
        let found = State::scene_at(&store, "a", author.state.position, revision).await;
        assert_eq!(ids(found.unwrap().unwrap()), expected);
    }
}

#[test]
fn a_run_that_had_only_read_its_message_is_to_be_closed() {
    let mut author = Author::new();
    author.begin("a ball");
    assert!(crate::interrupted::needs_closing(&author.state));
    let closing =
        crate::interrupted::closing(&author.state, "the server stopped", author.state.seq);
    closing.iter().for_each(|entry| author.push(entry));
    assert!(!crate::interrupted::needs_closing(&author.state));
}

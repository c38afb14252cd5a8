//! A run in the making, over a scripted model and a tool that echoes.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use agent::{
    Access, ContextSource, Event, Inbox, Notes, Outcome, Run, RunOptions, Tool, ToolOutput,
    Toolbox, run,
};
use async_trait::async_trait;
use llm::{Content, Gate, Part, Role, Scripted, Step};
use serde_json::{Value, json};
use tokio::sync::{Barrier, mpsc};
use tokio_util::sync::CancellationToken;

/// Answers with its arguments, fails when told to, waits at gates, panics on request; some of its kind need approval.
pub(crate) struct Echo {
    pub(crate) name: &'static str,
    pub(crate) access: Access,
    pub(crate) calls: Arc<Mutex<Vec<Value>>>,
    pub(crate) gate: Option<Gate>,
    pub(crate) together: Option<Arc<Barrier>>,
    pub(crate) guarded: bool,
}

impl Echo {
    pub(crate) fn new(name: &'static str, access: Access) -> Self {
        Self { name, access, calls: Arc::default(), gate: None, together: None, guarded: false }
    }
}

#[async_trait]
impl Tool for Echo {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> &str {
        "Echoes."
    }

    fn parameters(&self) -> Arc<Value> {
        json!({ "type": "object" }).into()
    }

    fn access(&self) -> Access {
        self.access
    }

    fn needs_approval(&self) -> bool {
        self.guarded
    }

    async fn call(&self, args: Value) -> ToolOutput {
        tokio::task::yield_now().await;
        self.calls.lock().unwrap().push(args.clone());
        if let Some(barrier) = &self.together {
            barrier.wait().await;
        }
        if let Some(gate) = &self.gate {
            gate.pass().await;
        }
        assert!(args.get("panic").is_none(), "told to panic");
        match args.get("fail") {
            Some(why) => ToolOutput::failure(why.as_str().unwrap()),
            None => ToolOutput::success(args),
        }
    }

    async fn call_with_notes(&self, args: Value, notes: Notes) -> ToolOutput {
        let output = self.call(args.clone()).await;
        if let Some(note) = args["note"].as_str() {
            notes.note(note);
        }
        output
    }
}

/// Something with a version, which is told whenever it is another one; version 0 is not worth telling.
#[derive(Default)]
pub(crate) struct Work(pub(crate) AtomicUsize);

impl ContextSource for Work {
    fn untold(&self, told: &[Content]) -> Option<Part> {
        let now = self.0.load(Ordering::SeqCst);
        let parts = told.iter().flat_map(|content| &content.parts);
        let last = parts
            .filter_map(Part::as_context)
            .next_back()
            .map_or(json!(0), |it| it["version"].clone());
        (last != json!(now))
            .then(|| Part::context(format!("[version {now}]"), &json!({ "version": now })))
    }
}

/// A run in the making, and what came of it.
pub(crate) struct Stage {
    pub(crate) history: Vec<Content>,
    pub(crate) model: Arc<Scripted>,
    pub(crate) tools: Vec<Arc<dyn Tool>>,
    pub(crate) calls: Arc<Mutex<Vec<Value>>>,
    pub(crate) max_turns: u32,
    pub(crate) inbox: Inbox,
    pub(crate) cancel: CancellationToken,
    pub(crate) work: Arc<Work>,
}

impl Stage {
    pub(crate) fn new(answers: Vec<Vec<Step>>) -> Self {
        let change = Echo::new("change", Access::Changes);
        let calls = Arc::clone(&change.calls);
        Self {
            history: Vec::new(),
            model: Arc::new(Scripted::new(answers)),
            tools: vec![Arc::new(change)],
            calls,
            max_turns: 10,
            inbox: Inbox::default(),
            cancel: CancellationToken::new(),
            work: Arc::default(),
        }
    }

    pub(crate) fn with_tool(
        mut self,
        name: &'static str,
        access: Access,
        gate: Option<Gate>,
    ) -> Self {
        let calls = Arc::clone(&self.calls);
        self.tools.push(Arc::new(Echo { calls, gate, ..Echo::new(name, access) }));
        self
    }

    pub(crate) fn say(self, text: &str) -> Self {
        self.inbox.push("u1", Content::user(text));
        self
    }

    /// Runs to the end; `watch` sees every event as it comes.
    pub(crate) async fn run_watching(
        &mut self,
        mut watch: impl FnMut(&Event, &Stage),
    ) -> (Outcome, Vec<Event>) {
        let (sender, mut receiver) = mpsc::channel(4);
        let task = tokio::spawn(run(Run {
            history: self.history.clone(),
            model: Arc::clone(&self.model) as _,
            tools: Toolbox::new(self.tools.clone()),
            instruction: "You build.".into(),
            context: Arc::clone(&self.work) as _,
            max_turns: self.max_turns,
            inbox: self.inbox.clone(),
            events: sender,
            cancel: self.cancel.clone(),
            options: RunOptions::default(),
        }));
        let mut events = Vec::new();
        while let Some(event) = receiver.recv().await {
            watch(&event, self);
            if let Some(content) = event.content() {
                self.history.push(content.clone());
            }
            events.push(event);
        }
        (task.await.unwrap(), events)
    }

    pub(crate) async fn run(&mut self) -> (Outcome, Vec<Event>) {
        self.run_watching(|_, _| ()).await
    }

    /// The last content's responses as `name: success`.
    pub(crate) fn responses(&self) -> Vec<Value> {
        let last = self.history.iter().rfind(|content| content.role == Role::Function).unwrap();
        last.responses().map(|response| response.response.unwrap().clone()).collect()
    }
}

pub(crate) fn call(id: &str, name: &str, args: Value) -> Step {
    Step::part(Part::call(Some(id), name, args))
}

pub(crate) fn roles(history: &[Content]) -> String {
    history
        .iter()
        .map(|content| match content.role {
            Role::User => 'u',
            Role::Model => 'm',
            Role::Function => 'f',
        })
        .collect()
}

//! The session's actor. It alone owns the state, the log and at most one run. It stages each entry,
//! writes it to the store, and only then sends events to clients and replies to commands.

mod changes;
mod commit;
mod delegation;
mod ending;
mod goal;
mod goal_run;
mod goal_steps;
mod goal_usage;
mod in_flight;
mod messages;
mod running;
mod runs;
mod variants;
mod verify;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use agent::{Inbox, Toolbox};
use assets::{Library, SessionAssets};
use catalogue::OwnObjects;
use goals::Workflows;
use llm::LanguageModel;
use store::{Store, Tenure};
use studio::{Renderer, SharedScene, Steps};
use sub_agents::SubAgents;
use tokio::sync::{broadcast, mpsc};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::command::{Attachment, Command, Missed, SessionView, Snapshot, Update};
use crate::entry::Entry;
use crate::event::SessionEvent;
use crate::goal::{LiveGoal, Meter};
use crate::host::{Models, RunHost};
use crate::ids::random_id;
use crate::in_use::Uses;
use crate::interrupted;
use crate::pending::Batch;
use crate::standing_approvals::StandingApprovals;
use crate::state::State;
use crate::tail::Tail;

use self::goal_run::{GoalRun, Judging};
use self::in_flight::InFlight;
use self::running::Running;

pub use self::messages::MAX_IMAGES;

/// How often a session without commands looks whether anybody still uses it: an unused one leaves memory
/// after one to two of these.
const IDLE: Duration = Duration::from_secs(25);
/// How long an unused session stays in memory while a batch of its last call waits for a correction: a model
/// that answers slowly would find it gone otherwise.
const CORRECTION: Duration = Duration::from_secs(600);
/// The most missed events that a returning client is sent; beyond it, it gets a new welcome.
const MAX_MISSED: u64 = 50_000;
/// The message for a run that ended because the server stopped.
const SERVER_STOPPED: &str = "The server stopped while the model was working. What was done is kept; \
                              send a message to go on.";

/// The resources shared by all sessions.
pub struct Environment {
    /// Where sessions are kept.
    pub store: Arc<dyn Store>,
    /// Uploaded meshes and pictures.
    pub library: Arc<Library>,
    /// The models to choose from.
    pub models: Arc<dyn Models>,
    /// The host of runs.
    pub host: Arc<dyn RunHost>,
    /// Approvals for all sessions; `None` when sessions belong to different users.
    pub standing: Option<Arc<StandingApprovals>>,
    /// The plans with parameters that goals may follow.
    pub workflows: Arc<Workflows>,
    /// The agents that work for the models of sessions.
    pub agents: Arc<SubAgents>,
    /// Whether the model may search other sessions: for servers with one user.
    pub searches_sessions: bool,
    /// The objects of the user's own that calls may add; empty when sessions belong to different users.
    pub own_objects: Arc<OwnObjects>,
    /// Whether the first object of an empty scene gets a stage: ground, light, camera.
    pub sets_stage: bool,
    /// The most model calls of a run.
    pub turn_limits: TurnLimits,
    /// The most sessions in memory.
    pub max_sessions: usize,
    /// The most bytes that all of them may take, by estimate.
    pub max_bytes: u64,
    /// Owns the tasks of all sessions.
    pub tracker: TaskTracker,
    /// Cancelled when the server stops; ends all sessions.
    pub stopping: CancellationToken,
}

/// The most model calls of a run.
#[derive(Debug, Clone, Default)]
pub struct TurnLimits {
    /// Of sessions that belong to no tier, or to one that is not there any more.
    pub usual: u32,
    /// Of the sessions of a tier, by its name.
    pub of_tiers: BTreeMap<String, u32>,
}

impl TurnLimits {
    /// The same for all sessions.
    pub fn all(usual: u32) -> Self {
        Self { usual, of_tiers: BTreeMap::new() }
    }

    fn of(&self, tier: Option<&str>) -> u32 {
        tier.and_then(|tier| self.of_tiers.get(tier)).copied().unwrap_or(self.usual)
    }
}

pub(super) struct Actor {
    environment: Arc<Environment>,
    commands: mpsc::Receiver<Command>,
    /// Updates for all attached clients. A client that falls behind reads the log.
    live: broadcast::Sender<Update>,
    /// The stored state.
    state: State,
    tail: Tail,
    /// Entries that are not in the store yet.
    pending: Batch,
    in_flight: Option<InFlight>,
    /// Number of the newest event, staged ones included.
    seq: u64,
    /// Messages so far, staged ones included.
    messages: u64,
    /// Whether the session has a name, staged ones included.
    named: bool,
    /// Records since the last snapshot, and their bytes.
    since_snapshot: (u64, usize),
    /// The live scene: stored and staged changes.
    scene: Arc<SharedScene>,
    /// The assets it may use.
    assets: Arc<SessionAssets>,
    /// Draws the pictures of sub-agents.
    renderer: Renderer,
    tools: Toolbox,
    /// The models this session has used: a scripted model keeps its position.
    opened: HashMap<String, Arc<dyn LanguageModel>>,
    /// Stored messages that no run has read.
    inbox: Inbox,
    running: Option<Running>,
    /// The live goal: the stored one and what happened to it since.
    goal: LiveGoal,
    /// What the current run does for it, or the one whose request is being stored.
    goal_run: Option<GoalRun>,
    /// The check of its criteria that is going.
    judging: Option<Judging>,
    /// Counts what looks at the picture use.
    meter: Meter,
    /// Goals so far, staged ones included.
    goals_set: u64,
    /// The newest revision that the user made, staged ones included.
    last_user_revision: u64,
    /// Runs of the goal in a row in which the provider gave no answer.
    unanswered: u32,
    /// What the host was last told: whether there is work to do for a goal.
    told_working: bool,
    /// Set when an interrupted run has to be closed: when to try, and the message for the user.
    closing: Option<(Instant, String)>,
    /// The last reported error of the store.
    told_error: Option<store::StoreError>,
    cancel: CancellationToken,
    /// The right to append.
    tenure: Tenure,
    /// Whether another server has the session now: nothing more is done here.
    is_fenced: bool,
    /// Who has a handle of the session.
    uses: Arc<Uses>,
}

/// The parts of a session that its handle shares.
pub(super) struct Shared {
    pub(super) commands: mpsc::Receiver<Command>,
    pub(super) live: broadcast::Sender<Update>,
    pub(super) scene: Arc<SharedScene>,
    pub(super) assets: Arc<SessionAssets>,
    pub(super) renderer: Renderer,
    pub(super) tools: Toolbox,
    pub(super) cancel: CancellationToken,
    pub(super) tenure: Tenure,
    pub(super) uses: Arc<Uses>,
}

impl Actor {
    pub(super) fn new(environment: Arc<Environment>, state: State, shared: Shared) -> Self {
        let Shared { commands, live, scene, assets, renderer, tools, cancel, tenure, uses } =
            shared;
        let closing =
            interrupted::needs_closing(&state).then(|| (Instant::now(), SERVER_STOPPED.to_owned()));
        Self {
            environment,
            commands,
            live,
            tail: Tail::default(),
            pending: Batch::default(),
            in_flight: None,
            seq: state.seq,
            messages: state.messages,
            named: !state.name.is_empty(),
            since_snapshot: (0, 0),
            scene,
            assets,
            renderer,
            tools,
            opened: HashMap::new(),
            inbox: Inbox::default(),
            running: None,
            goal: LiveGoal::new(state.goal.as_ref().map(|(goal, _)| goal.clone())),
            goal_run: None,
            judging: None,
            meter: Meter::default(),
            goals_set: state.goals_set,
            last_user_revision: state.last_user_revision,
            unanswered: 0,
            // The opposite of what is, so that the host is told once.
            told_working: state.goal.as_ref().is_some_and(|(goal, _)| !goal.status.is_working()),
            closing,
            told_error: None,
            cancel,
            tenure,
            is_fenced: false,
            uses,
            state,
        }
    }

    /// Handles commands until the server stops, the session is unused, or it is deleted.
    ///
    /// What it does seldom is boxed: most sessions only wait, and each would hold room for all of it.
    pub(super) async fn serve(mut self) {
        let (cancel, lost) = (self.cancel.clone(), self.tenure.lost.clone());
        let mut idle_at = Instant::now() + IDLE;
        let mut used_at = Instant::now();
        self.pause_copied_goal();
        while !self.is_fenced {
            self.start_commit();
            if self.goal_is_due() {
                Box::pin(self.next_goal_step()).await;
                self.start_commit();
            }
            self.tell_host_of_goal();
            let goal_ends_at = self.goal_deadline();
            let has_room = self.pending.has_room();
            let closing_at = self.closing.as_ref().map(|(at, _)| *at);
            tokio::select! {
                biased;
                () = lost.cancelled() => self.is_fenced = true,
                () = cancel.cancelled() => break,
                outcome = in_flight::outcome(&mut self.in_flight) => Box::pin(self.on_committed(outcome)).await,
                event = running::next_event(&mut self.running), if has_room => match event {
                    Some(event) => self.on_event(event),
                    None => Box::pin(self.on_run_over()).await,
                },
                command = self.commands.recv(), if has_room => {
                    used_at = Instant::now();
                    idle_at = used_at + IDLE;
                    match command {
                        Some(Command::EndIfIdle) if self.may_sleep() => break,
                        Some(command) => Box::pin(self.on_command(command)).await,
                        None => break,
                    }
                }
                judged = goal_run::judged(&mut self.judging) => self.judged(&judged).await,
                () = at(closing_at) => self.close_interrupted(),
                () = at(goal_ends_at) => self.cancel_run(),
                () = tokio::time::sleep_until(idle_at) => {
                    let waits = self.scene.waits_for_correction() && used_at.elapsed() < CORRECTION;
                    if !waits && self.may_sleep() {
                        break;
                    }
                    idle_at = Instant::now() + IDLE;
                }
            }
        }
        match self.is_fenced {
            true => Box::pin(self.give_way()).await,
            false => Box::pin(self.end()).await,
        }
    }

    async fn on_command(&mut self, command: Command) {
        // If a reply cannot be delivered, its sender gave up.
        match command {
            Command::Attach { after, reply } => {
                let attachment = self.attach(after).await;
                drop(reply.send(attachment));
            }
            Command::Say { message, reply } => self.say(message, reply).await,
            Command::Cancel => {
                self.pause_working_goal();
                self.cancel_run();
            }
            Command::Goal { command, reply } => self.goal_command(command, reply).await,
            Command::ReadGoal { reply } => {
                drop(reply.send(self.state.goal.as_ref().map(|(goal, _)| goal.clone())));
            }
            Command::Approve { answer, reply } => drop(reply.send(self.approve(answer).await)),
            Command::ChangeScene { command, reply } => self.change(command, reply).await,
            Command::CallTool { tool, args, reply } => self.call_tool(&*tool, args, reply).await,
            Command::SelectModel { choice, reply } => self.select_model(choice, reply),
            Command::SelectBranch { branch, reply } => self.select_branch(branch, reply).await,
            Command::Rename { name, reply } => self.rename(&name, reply),
            Command::SetBookmarks { bookmarks, reply } => self.set_bookmarks(bookmarks, reply),
            Command::Snapshot { reply } => drop(reply.send(self.snapshot())),
            Command::History { reply } => drop(reply.send(self.state.conversation.contents())),
            Command::Message { message_id, reply } => {
                drop(reply.send(self.state.message(&message_id).cloned()));
            }
            Command::Branches { reply } => drop(reply.send(self.state.conversation.summaries())),
            Command::SceneAt { revision, reply } => drop(reply.send(self.scene_at(revision).await)),
            Command::Difference { from, to, reply } => {
                drop(reply.send(self.difference(from, to).await));
            }
            // In use: it stays.
            Command::EndIfIdle => {}
        }
    }

    /// Stages the event that `make` builds from its number.
    fn tell(&mut self, make: impl FnOnce(u64) -> SessionEvent) {
        self.seq += 1;
        self.pending.push(Entry::Event(make(self.seq)));
    }

    async fn attach(&mut self, after: Option<(String, u64)>) -> Attachment {
        let known = after.filter(|(epoch, _)| *epoch == self.state.epoch).map(|(_, after)| after);
        if known.is_some_and(|after| after > self.state.seq) {
            // A client has seen events that are not in the log, so the end of the log was lost. Other
            // clients may have seen them too, so their numbers must not be reused in the same epoch.
            self.pending.renew_epoch(random_id());
            self.flush().await;
        }
        let missed = known.and_then(|after| self.missed(after));
        Attachment { view: Box::new(self.view()), missed, live: self.live.subscribe() }
    }

    fn view(&self) -> SessionView {
        let steps = Steps::of(&self.state.scene);
        let conversation = &self.state.conversation;
        SessionView {
            id: Arc::clone(&self.state.id),
            name: self.state.name.clone(),
            branch: conversation.active(),
            branches: conversation.len(),
            epoch: self.state.epoch.clone(),
            seq: self.state.seq,
            revision: self.state.scene.current().clone(),
            can_undo: steps.can_undo,
            can_redo: steps.can_redo,
            chat: conversation.chat(conversation.active()),
            running: self.state.running || self.running.is_some(),
            model: self.model_id(),
            effort: self.state.effort,
            temperature: self.state.temperature,
            usage: self.state.usage,
            approvals: self.running.as_ref().map(|run| run.asked.clone()).unwrap_or_default(),
            goal: self.state.goal.as_ref().map(|(goal, _)| goal.clone()),
            bookmarks: self.state.bookmarks.clone(),
        }
    }

    /// The events after a number; `None` when there are too many, or none of that number.
    fn missed(&self, after: u64) -> Option<Missed> {
        let count = self.state.seq.checked_sub(after)?;
        if count == 0 {
            return Some(Missed::AtHand(Vec::new()));
        }
        if let Some(events) = self.tail.after(after) {
            return Some(Missed::AtHand(events));
        }
        (count <= MAX_MISSED).then_some(Missed::InLog)
    }

    fn snapshot(&self) -> Snapshot {
        let conversation = &self.state.conversation;
        Snapshot {
            name: self.state.name.clone(),
            revision: self.state.scene.current().clone(),
            chat: conversation.chat(conversation.active()),
            running: self.state.running || self.running.is_some(),
        }
    }

    /// The model of the next run.
    fn model_id(&self) -> String {
        let models = &self.environment.models;
        let chosen = self.state.model.clone().filter(|model| models.contains(model));
        chosen.unwrap_or_else(|| models.default_id())
    }
}

/// Waits until an instant; forever when there is none.
async fn at(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

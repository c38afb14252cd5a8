//! Handling the messages of one client.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use protocol::{ClientMessage, ClientRequest, ErrorCode, Quality, ServerMessage, ViewRequest};
use scene::Camera;
use serde_json::Value;
use studio::{Renderer, View};
use tokio::sync::watch;

use session::{
    Answer, Bookmark, Changed, GoalCommand, ModelChoice, Permission, Present, SceneCommand,
    SessionError, SessionHandle, UserMessage,
};

use crate::goal_wire;
use crate::shares::Share;
use crate::wire::{self, error};

/// Pixels of the longer side of a preview.
const MAX_PREVIEW_SIDE: u32 = 1920;
/// Pixels of the shorter side.
const MIN_PREVIEW_SIDE: u32 = 16;

/// Shapes, as width over height, that pictures may be composed for.
const FIT_ASPECTS: RangeInclusive<f64> = 0.1..=10.0;

/// The longest name of a person, in characters.
const MAX_PERSON_NAME: usize = 60;
/// The most selected objects that the others are told of.
const MAX_TOLD_SELECTION: usize = 100;
/// The longest id among them, in bytes: the longest there can be.
const MAX_TOLD_ID: usize = 1024;
/// The most objects a client may hide: all there can be.
const MAX_HIDDEN: usize = scene::MAX_SHAPES + scene::MAX_LIGHTS;
/// The longest animation, in seconds.
const MAX_VIEW_SECONDS: f64 = 600.0;

/// The view that a client requested.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct RequestedView {
    /// The picture.
    pub(super) view: View,
    /// Whether refinement is paused.
    pub(super) paused: bool,
    /// The request id of the newest message about the view.
    pub(super) request_id: Option<Value>,
}

/// Answers the messages of one client.
pub(super) struct Requests {
    session: SessionHandle,
    permission: Permission,
    /// That of the client's address.
    share: Share,
    renderer: Renderer,
    /// The requested view; the writer task follows it.
    requested: watch::Sender<RequestedView>,
    /// This client among the people of the session, once it has told of itself. The writer follows it, too.
    present: watch::Sender<Option<Arc<Present>>>,
}

impl Requests {
    pub(super) fn new(
        session: SessionHandle,
        permission: Permission,
        share: Share,
        renderer: Renderer,
        requested: watch::Sender<RequestedView>,
        present: watch::Sender<Option<Arc<Present>>>,
    ) -> Self {
        Self { session, permission, share, renderer, requested, present }
    }

    /// Handles a message; returns the direct reply or the error, if there is one.
    pub(super) async fn answer(&self, message: ClientMessage) -> Option<ServerMessage> {
        let ClientMessage { request_id, request } = message;
        let done = match request {
            ClientRequest::Ping => return Some(ServerMessage::Pong { request_id }),
            ClientRequest::Pick { x, y } => return Some(self.pick(request_id, x, y).await),
            ClientRequest::View(request) => {
                return self
                    .look(request, request_id.as_ref())
                    .err()
                    .map(|message| error(request_id, ErrorCode::OutOfRange, message, false));
            }
            ClientRequest::Presence { name, selection } => {
                return self
                    .tell_of_itself(name, selection)
                    .err()
                    .map(|message| error(request_id, ErrorCode::OutOfRange, message, false));
            }
            _ if self.permission < Permission::Edit => {
                let message = "this link is for looking only; ask its owner for one to edit with";
                return Some(error(request_id, ErrorCode::ReadOnly, message.into(), false));
            }
            ClientRequest::UserMessage { text, selection, images, replaces } => {
                let images = images.into_iter().map(wire::attachment).collect();
                let message = UserMessage { text, selection, images, replaces };
                self.share.talks_to(self.session.id());
                self.session.say(message).await.map(drop)
            }
            ClientRequest::SelectBranch { branch } => self.session.select_branch(branch).await,
            ClientRequest::Cancel => self.session.cancel().await,
            ClientRequest::Approve { call_id, allow, remember } => {
                let remember = remember.map(wire::remember);
                self.session.approve(Answer { call_id, allow, remember }).await
            }
            ClientRequest::SelectModel { model, effort, temperature } => {
                let effort = effort.map(wire::effort);
                self.session.select_model(ModelChoice { model, effort, temperature }).await
            }
            ClientRequest::StartGoal(request) => {
                self.goal(GoalCommand::Start(Box::new(goal_wire::start(request)))).await
            }
            ClientRequest::PauseGoal => self.goal(GoalCommand::Pause).await,
            ClientRequest::ResumeGoal => self.goal(GoalCommand::Resume).await,
            ClientRequest::EditGoal(edit) => {
                self.goal(GoalCommand::Edit(Box::new(goal_wire::edit(edit)))).await
            }
            ClientRequest::CancelGoal => self.goal(GoalCommand::Cancel).await,
            ClientRequest::ChooseVariant(choice) => {
                self.goal(GoalCommand::Choose(choice.variant)).await
            }
            ClientRequest::Edit { calls, base_revision } => {
                let calls = calls.into_iter().map(wire::edit_call).collect();
                return self.change(request_id, SceneCommand::Edit { calls, base_revision }).await;
            }
            ClientRequest::SetBookmarks { bookmarks } => {
                let bookmarks = bookmarks.into_iter();
                let bookmarks =
                    bookmarks.map(|protocol::Bookmark { name, camera }| Bookmark { name, camera });
                self.session.set_bookmarks(bookmarks.collect()).await
            }
            ClientRequest::Undo => return self.change(request_id, SceneCommand::Undo).await,
            ClientRequest::Redo => return self.change(request_id, SceneCommand::Redo).await,
            ClientRequest::Restore { revision } => {
                return self.change(request_id, SceneCommand::Restore(revision)).await;
            }
        };
        done.err().map(|refusal| refused(request_id, &refusal))
    }

    /// Does something to the goal. All clients get `goal_changed`.
    async fn goal(&self, command: GoalCommand) -> Result<(), SessionError> {
        self.share.talks_to(self.session.id());
        self.session.goal_command(command).await.map(drop)
    }

    /// Changes the scene. All clients get `scene_changed`; there is a direct reply only if nothing changed
    /// or the change was refused.
    async fn change(
        &self,
        request_id: Option<Value>,
        command: SceneCommand,
    ) -> Option<ServerMessage> {
        match self.session.change(command).await {
            Ok(Changed { is_new: true, .. }) => None,
            Ok(Changed { revision, .. }) => {
                Some(ServerMessage::Unchanged { request_id, revision: revision.number })
            }
            Err(refusal) => Some(refused(request_id, &refusal)),
        }
    }

    /// Changes the view. If any value is invalid, all errors are returned and nothing changes.
    fn look(&self, request: ViewRequest, request_id: Option<&Value>) -> Result<(), String> {
        let mut errors = Vec::new();
        for (name, side) in [("width", request.width), ("height", request.height)] {
            if let Some(side) = side
                && !(MIN_PREVIEW_SIDE..=MAX_PREVIEW_SIDE).contains(&side)
            {
                errors.push(format!(
                    "'{name}' must be from {MIN_PREVIEW_SIDE} to {MAX_PREVIEW_SIDE} pixels, got {side}"
                ));
            }
        }
        errors.extend(request.fit_aspect.and_then(|aspect| check_fit_aspect(aspect).err()));
        let RequestedView { mut view, paused, .. } = self.requested.borrow().clone();
        match request.camera {
            None => {}
            Some(None) => view.camera = None,
            Some(Some(camera)) => match Camera::from_json(&camera.0) {
                Ok(camera) => view.camera = Some(camera),
                Err(violations) => errors.extend(violations.messages().iter().cloned()),
            },
        }
        if let Some(hidden) = request.hidden {
            if hidden.len() > MAX_HIDDEN {
                let count = hidden.len();
                errors.push(format!("'hidden' may hold at most {MAX_HIDDEN} ids, got {count}"));
            }
            view.hidden = Arc::new(hidden.into_iter().collect());
        }
        match request.at_time {
            None => {}
            Some(None) => view.at_time = None,
            Some(Some(time)) => {
                view.at_time = Some(time);
                errors.extend(check_view_time(time).err());
            }
        }
        view.fit_aspect = request.fit_aspect.or(view.fit_aspect);
        view.width = request.width.unwrap_or(view.width);
        view.height = request.height.unwrap_or(view.height);
        let pixels = u64::from(view.width) * u64::from(view.height);
        let most = self.renderer.max_preview_pixels();
        if pixels > most {
            errors.push(format!(
                "'width' x 'height' may be at most {most} pixels, which is all the memory there is \
                 for previews, got {pixels}: ask for a smaller view"
            ));
        }
        if !errors.is_empty() {
            return Err(errors.join("; "));
        }
        if let Some(quality) = request.quality {
            let (samples, seconds) = refinement(quality);
            view.target_samples = samples;
            view.refined_for = Duration::from_secs(seconds);
        }
        let paused = request.paused.unwrap_or(paused);
        self.requested.send_replace(RequestedView {
            view,
            paused,
            request_id: request_id.cloned(),
        });
        Ok(())
    }

    /// Tells the other people of the session the name and the selection of this client's user.
    fn tell_of_itself(
        &self,
        name: Option<String>,
        selection: Option<Vec<String>>,
    ) -> Result<(), String> {
        if name.as_ref().is_some_and(|name| name.chars().count() > MAX_PERSON_NAME) {
            return Err(format!("'name' may have at most {MAX_PERSON_NAME} characters"));
        }
        if let Some(ids) = &selection {
            let longest = ids.iter().map(String::len).max().unwrap_or(0);
            if ids.len() > MAX_TOLD_SELECTION || longest > MAX_TOLD_ID {
                return Err(format!(
                    "'selection' may hold at most {MAX_TOLD_SELECTION} ids of at most {MAX_TOLD_ID} bytes"
                ));
            }
        }
        let name = name.map(|name| scene::shown(name.trim()));
        let present = self.present.borrow().clone();
        let present = present.unwrap_or_else(|| {
            let joined = self.session.presence().join(self.permission >= Permission::Edit);
            let joined = Arc::new(joined);
            self.present.send_replace(Some(Arc::clone(&joined)));
            joined
        });
        present.tell(name, selection);
        Ok(())
    }

    async fn pick(&self, request_id: Option<Value>, x: f64, y: f64) -> ServerMessage {
        let inside = |value: f64| (0.0..=1.0).contains(&value);
        if !inside(x) || !inside(y) {
            let message = format!("'x' and 'y' must be from 0 to 1, got {x} and {y}");
            return error(request_id, ErrorCode::OutOfRange, message, false);
        }
        let scene = self.session.scene().current().scene;
        let view = self.requested.borrow().view.clone();
        let client = self.session.scene().render_client();
        match self.renderer.pick(client, scene, view, x, y).await {
            Ok(picked) => ServerMessage::Picked {
                request_id,
                id: picked.as_ref().map(|picked| picked.id.clone()),
                point: picked.as_ref().map(|picked| picked.point),
                normal: picked.as_ref().map(|picked| picked.normal),
            },
            Err(fault) => error(request_id, ErrorCode::Internal, fault.to_string(), true),
        }
    }
}

/// Samples per pixel at the least, and for how many seconds a picture is refined beyond them.
fn refinement(quality: Quality) -> (u32, u64) {
    match quality {
        Quality::Draft => (16, 0),
        Quality::Preview => (64, 20),
        Quality::Final => (256, 180),
    }
}

/// The `error` message for an error of the session.
fn refused(request_id: Option<Value>, refusal: &SessionError) -> ServerMessage {
    let (code, retryable) = match refusal {
        SessionError::BadMessage(_)
        | SessionError::NothingToApprove(_)
        | SessionError::NoStandingApprovals => (ErrorCode::BadMessage, false),
        SessionError::Invalid(_) => (ErrorCode::InvalidEdit, false),
        SessionError::Stale(_) => (ErrorCode::Stale, false),
        SessionError::History(_) => (ErrorCode::NoHistory, false),
        SessionError::UnknownMessage(_) | SessionError::UnknownBranch { .. } => {
            (ErrorCode::UnknownBranch, false)
        }
        SessionError::Running => (ErrorCode::Busy, true),
        SessionError::NotSaved(_) | SessionError::ApprovalNotSaved(_) => {
            (ErrorCode::NotSaved, true)
        }
        SessionError::UnknownModel { .. } => (ErrorCode::UnknownModel, false),
        SessionError::BadGoal(_) | SessionError::NoGoal => (ErrorCode::BadGoal, false),
        SessionError::TooManyWaiting(_) => (ErrorCode::Busy, true),
        SessionError::Gone | SessionError::Unreadable(_) => (ErrorCode::Internal, true),
    };
    error(request_id, code, refusal.to_string(), retryable)
}

/// Checks the time of the animation at which a scene is shown.
pub(super) fn check_view_time(time: f64) -> Result<(), String> {
    if (0.0..=MAX_VIEW_SECONDS).contains(&time) {
        return Ok(());
    }
    Err(format!("'at_time' must be from 0 to {MAX_VIEW_SECONDS} seconds, or null, got {time}"))
}

/// Checks the shape, as width over height, that pictures are composed for.
pub(super) fn check_fit_aspect(aspect: f64) -> Result<(), String> {
    if FIT_ASPECTS.contains(&aspect) {
        return Ok(());
    }
    let (least, most) = (FIT_ASPECTS.start(), FIT_ASPECTS.end());
    Err(format!("'fit_aspect' must be from {least} to {most}, width over height, got {aspect}"))
}

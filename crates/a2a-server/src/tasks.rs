//! Tasks in the logs of sessions.

use serde::Deserialize;
use serde_json::{Value, json};
use session::{OpenError, PageSize, Permission, SessionEvent, SessionHandle};
use store::{Listing, StoreError};

use crate::error::{A2aError, Kind};
use crate::host::Host;
use crate::task::{State, Task};

/// Events that are read at once.
const PAGE: PageSize = PageSize::of_events(5_000);
/// Sessions whose tasks are listed.
const MAX_SESSIONS: usize = 20;
/// Tasks of an answer.
const MAX_TASKS: usize = 100;

/// All tasks of a session by its id, the oldest first, and the number of the last event they include.
pub(crate) async fn of_session(
    host: &Host,
    base: &str,
    context: &str,
    session: &str,
) -> Result<(Vec<Task>, u64), A2aError> {
    let mut tasks: Vec<Task> = Vec::new();
    let mut seq = 0;
    loop {
        let page = host.sessions.events(session, seq, PAGE).await?;
        let Some(page) = page else { return Ok((tasks, seq)) };
        for event in &page.events {
            seq = seq.max(event.seq());
            for task in &mut tasks {
                task.add(event);
            }
            if let SessionEvent::UserMessage { message_id, text, .. } = event {
                tasks.push(Task::new(base, context, message_id, text));
            }
        }
        if !page.more {
            return Ok((tasks, seq));
        }
    }
}

/// The session of a task's id, and the id of its message.
pub(crate) async fn session_of<'a>(
    host: &Host,
    id: &'a str,
    needed: Permission,
) -> Result<(SessionHandle, &'a str, &'a str), A2aError> {
    let (context, message) = id.split_once('.').ok_or_else(|| A2aError::no_task(id))?;
    match host.sessions.get(context).await? {
        Some((_, permission)) if permission < needed => Err(look_only()),
        Some((session, _)) => Ok((session, context, message)),
        None => Err(A2aError::no_task(id)),
    }
}

pub(crate) fn look_only() -> A2aError {
    A2aError::new(Kind::UnsupportedOperation, "this context's token is for looking only")
}

/// The task of an id.
pub(crate) async fn find(host: &Host, base: &str, id: &str) -> Result<Task, A2aError> {
    let (session, context, message) = session_of(host, id, Permission::View).await?;
    let (tasks, _) = of_session(host, base, context, session.id()).await?;
    tasks.into_iter().find(|task| task.message_id == message).ok_or_else(|| A2aError::no_task(id))
}

/// The parameters of `ListTasks`.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct ListTasks {
    context_id: String,
    status: String,
    page_size: Option<i64>,
    page_token: String,
    history_length: Option<u32>,
    include_artifacts: bool,
    status_timestamp_after: Option<Value>,
}

/// The tasks of a context, or of the newest sessions where sessions may be listed; the newest first.
pub(crate) async fn list(host: &Host, base: &str, asked: &ListTasks) -> Result<Value, A2aError> {
    if asked.status_timestamp_after.is_some() {
        return Err(A2aError::params(
            "'statusTimestampAfter' is not supported: tasks carry no times",
        ));
    }
    let has_state = match &*asked.status {
        "" | "TASK_STATE_UNSPECIFIED" => None,
        status if State::NAMES.contains(&status) => Some(status),
        other => {
            let other: String = other.chars().take(60).collect();
            let known = State::NAMES.join(", ");
            return Err(A2aError::params(format!(
                "'status' must be one of {known}, got '{other}'"
            )));
        }
    };
    let size = match asked.page_size {
        None | Some(0) => 50,
        Some(size) => usize::try_from(size)
            .ok()
            .filter(|size| (1..=MAX_TASKS).contains(size))
            .ok_or_else(|| {
                A2aError::params(format!("'pageSize' must be from 1 to {MAX_TASKS}, got {size}"))
            })?,
    };
    let from = match &*asked.page_token {
        "" => 0,
        token => token.parse::<usize>().map_err(|_| {
            A2aError::params("'pageToken' must be the 'nextPageToken' of an answer before")
        })?,
    };
    let mut contexts = Vec::new();
    if !asked.context_id.is_empty() {
        contexts.push(asked.context_id.clone());
    } else if host.lists_sessions {
        let listing = Listing { words: None, limit: MAX_SESSIONS, offset: 0 };
        let listed = host.sessions.store().list(listing).await;
        let listed = listed.map_err(|error| A2aError::new(Kind::Internal, error.to_string()))?;
        contexts.extend(listed.into_iter().map(|listed| listed.session.id));
    } else {
        return Err(A2aError::params("name a 'contextId': this server does not list its sessions"));
    }
    let mut tasks = Vec::new();
    for context in contexts {
        let found = match host.sessions.get(&context).await {
            Ok(found) => found.map(|(session, _)| session.id().to_owned()),
            // Its log can be read while another server has it.
            Err(OpenError::Store(StoreError::Elsewhere { .. })) => Some(context.clone()),
            Err(error) => return Err(error.into()),
        };
        if let Some(id) = found {
            let (of_one, _) = of_session(host, base, &context, &id).await?;
            tasks.extend(of_one.into_iter().rev());
        }
    }
    tasks.retain(|task| has_state.is_none_or(|state| task.state().name() == state));
    let total = tasks.len();
    let page: Vec<Value> = tasks
        .iter()
        .skip(from)
        .take(size)
        .map(|task| task.to_json(asked.history_length, asked.include_artifacts))
        .collect();
    let next = from.saturating_add(page.len());
    let next = if next < total && !page.is_empty() { next.to_string() } else { String::new() };
    Ok(json!({ "tasks": page, "nextPageToken": next, "pageSize": size, "totalSize": total }))
}

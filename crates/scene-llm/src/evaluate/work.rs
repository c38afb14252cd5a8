//! Working on one goal to its end, in a session of its own.

use std::time::Duration;

use evaluation::{Work, WorkResult};
use scene::Scene;
use session::{
    Budget, GoalChange, GoalCommand, Permission, SceneCommand, SessionEvent, SessionHandle,
    Sessions, StartGoal, Update, Verify,
};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::timeout;

/// Works on `work` until it is over.
pub(super) async fn hold(
    sessions: &Sessions,
    work: &Work,
    verify: Verify,
    time_limit: Duration,
) -> WorkResult {
    let mut result = WorkResult {
        name: work.name.clone(),
        planted: work.planted.clone(),
        expected: work.expect.clone(),
        status: "not over".into(),
        reason: String::new(),
        met: 0,
        criteria: 0,
        tasks: 0,
        attempts: 0,
        turns: 0,
        tool_calls: 0,
        failures: 0,
        milliseconds: 0,
    };
    let ended = timeout(time_limit, to_its_end(sessions, work, verify, &mut result)).await;
    let seconds = time_limit.as_secs();
    if let Err(reason) = ended.unwrap_or_else(|_| Err(format!("no end after {seconds} seconds"))) {
        result.reason = reason;
    }
    result
}

async fn to_its_end(
    sessions: &Sessions,
    work: &Work,
    verify: Verify,
    result: &mut WorkResult,
) -> Result<(), String> {
    let mut session = sessions.create().await.map_err(|error| error.to_string())?;
    if work.start != Scene::default() {
        let start = SceneCommand::Replace(Box::new(work.start.clone()));
        session.change(start).await.map_err(|error| error.to_string())?;
    }
    let start = StartGoal {
        objective: work.objective.clone(),
        criteria: work.criteria.clone(),
        workflow: work.workflow.clone(),
        parameters: work.parameters.clone(),
        budget: work.turns.map(|turns| Budget { turns: Some(turns), ..Budget::default() }),
        may_ask: false,
        verify,
        variants: 1,
        models: Vec::new(),
    };
    let start = GoalCommand::Start(Box::new(start));
    session.goal_command(start).await.map_err(|error| error.to_string())?;
    let mut crashes = work.crash;
    while !watch(&session, &mut crashes, result).await? {
        // Whoever asks for the session next opens it from the store, and its goal goes on.
        let id = session.id().to_owned();
        drop(session);
        sessions.put_to_rest(&id).await;
        let opened = sessions.get(&id).await.map_err(|error| error.to_string())?;
        let (again, _): (SessionHandle, Permission) =
            opened.ok_or_else(|| "the session is gone".to_owned())?;
        session = again;
    }
    session.cancel.cancel();
    Ok(())
}

/// Watches the goal until it is over; false if the session was stopped in the middle, once.
async fn watch(
    session: &SessionHandle,
    crashes: &mut bool,
    result: &mut WorkResult,
) -> Result<bool, String> {
    let mut attachment = session.attach(None).await.map_err(|error| error.to_string())?;
    let mut started = 0;
    loop {
        let goal = session.goal().await.map_err(|error| error.to_string())?;
        let goal = goal.ok_or("the session has no goal")?;
        if !goal.status.is_working() {
            result.status = goal.status.name().replace(' ', "_");
            result.reason = goal.reason.clone().unwrap_or_default();
            result.met = goal.criteria.iter().filter(|criterion| criterion.is_met()).count();
            result.criteria = goal.criteria.len();
            result.tasks = goal.plan.tasks().len();
            (result.turns, result.tool_calls) = (goal.used.turns, goal.used.tool_calls);
            result.milliseconds = goal.used.milliseconds;
            return Ok(true);
        }
        loop {
            let event = match attachment.live.recv().await {
                Ok(Update::Event(event)) => event.event().clone(),
                // What was missed is in the goal.
                Ok(_) | Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => return Err("the session has ended".into()),
            };
            let SessionEvent::GoalChanged { change, goal, .. } = event else { continue };
            match change {
                GoalChange::TaskStarted { .. } => {
                    started += 1;
                    result.attempts += 1;
                    if *crashes && started == 2 {
                        *crashes = false;
                        return Ok(false);
                    }
                }
                GoalChange::TaskFailed { .. } | GoalChange::TaskInterrupted { .. } => {
                    result.failures += 1;
                }
                _ => {}
            }
            if !goal.status.is_working() {
                break;
            }
        }
    }
}

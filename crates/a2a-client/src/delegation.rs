//! One task that is handed to an agent: sent, followed, and stopped if nobody waits any more.

use std::time::Duration;

use agent::Notes;
use agent::untrusted::clean;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::card::Card;
use crate::connection::AT_ONCE;
use crate::remote::Remote;
use crate::task::{State, Task};

/// The first pause before a task is read again; it doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const MAX_PAUSE: Duration = Duration::from_secs(4);

/// A task that is going. Dropping it tells the agent to stop, unless the task has ended.
pub(crate) struct Delegation<'a> {
    agent: &'a Remote,
    card: &'a Card,
    pub(crate) task: Task,
}

impl<'a> Delegation<'a> {
    pub(crate) fn new(agent: &'a Remote, card: &'a Card) -> Self {
        Self { agent, card, task: Task::new() }
    }

    /// Hands over `request`, and follows the task until it ends or the agent asks something.
    pub(crate) async fn run(&mut self, request: &str, notes: &Notes) -> Result<(), String> {
        let id = format!("{:032x}", rand::random::<u128>());
        let message =
            json!({ "messageId": id, "role": "ROLE_USER", "parts": [{ "text": request }] });
        if self.card.streams {
            let params = json!({ "message": message });
            self.follow("SendStreamingMessage", &params, notes).await?;
        } else {
            let params =
                json!({ "message": message, "configuration": { "returnImmediately": true } });
            let sent =
                self.agent.connection.call(&self.card.endpoint, "SendMessage", &params).await?;
            self.add(&sent, notes)?;
        }
        // A stream that broke, or an agent that has none.
        let mut pause = FIRST_PAUSE;
        while self.task.state == State::Going {
            let Some(id) = self.task.id.clone() else {
                return Err("it ended its answer without a task or a message".into());
            };
            tokio::time::sleep(pause).await;
            pause = MAX_PAUSE.min(pause * 2);
            let params = json!({ "id": id });
            let asked = self.agent.connection.call(&self.card.endpoint, "GetTask", &params);
            let task = timeout(AT_ONCE, asked).await;
            let task = task.map_err(|_| "it does not tell how the task goes on".to_owned())??;
            self.add(&task, notes)?;
        }
        Ok(())
    }

    async fn follow(&mut self, method: &str, params: &Value, notes: &Notes) -> Result<(), String> {
        let mut answers = self.agent.connection.stream(&self.card.endpoint, method, params).await?;
        while let Some(answer) = answers.next().await {
            match answer {
                Ok(result) => self.add(&result, notes)?,
                // The task may go on without its stream.
                Err(why) if self.task.id.is_some() && why.starts_with("its stream broke") => {
                    tracing::debug!("an agent's stream broke: {why}");
                    return Ok(());
                }
                Err(why) => return Err(why),
            }
            if self.task.state != State::Going {
                return Ok(());
            }
        }
        Ok(())
    }

    fn add(&mut self, result: &Value, notes: &Notes) -> Result<(), String> {
        if self.task.add(result)? {
            notes.note(clean(&self.task.note, 120));
        }
        Ok(())
    }
}

impl Drop for Delegation<'_> {
    fn drop(&mut self) {
        let is_over = matches!(self.task.state, State::Completed | State::Failed | State::Canceled);
        let Some(id) = self.task.id.take().filter(|_| !is_over) else { return };
        let (connection, endpoint) = (self.agent.connection.clone(), self.card.endpoint.clone());
        // A server that stops waits for it.
        self.agent.tracker.spawn(async move {
            let params = json!({ "id": id });
            let stop = connection.call(&endpoint, "CancelTask", &params);
            if let Ok(Err(why)) = timeout(AT_ONCE, stop).await {
                tracing::debug!("an agent's task could not be stopped: {why}");
            }
        });
    }
}

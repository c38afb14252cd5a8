//! The methods of the JSON-RPC binding.

use scene::form;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use session::{Permission, SessionHandle};
use tokio::sync::mpsc::{self, Receiver};

use crate::error::{A2aError, Kind};
use crate::follow::Following;
use crate::host::Host;
use crate::message::SendMessage;
use crate::tasks::{self, ListTasks};

/// Results that wait for a slow client. It delays only its own stream.
const UNSENT: usize = 64;

/// A request as it came.
pub struct Call<'a> {
    /// The header `A2A-Version`; empty if there is none.
    pub version: &'a str,
    /// The body.
    pub body: &'a [u8],
    /// The address of the server as the client has called it.
    pub base: String,
}

/// The answer to a request.
pub enum Answer {
    /// One response.
    One(Value),
    /// Responses, as they come.
    Stream(Receiver<Value>),
}

#[derive(Deserialize)]
struct Request {
    jsonrpc: String,
    method: String,
    #[serde(default)]
    params: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OneTask {
    id: String,
    history_length: Option<u32>,
}

/// Answers a request.
pub async fn answer(host: &Host, call: Call<'_>) -> Answer {
    let (body, id) = match read_body(call.body) {
        Ok(read) => read,
        Err(error) => return Answer::One(response(&Value::Null, Err(error))),
    };
    match carry_out(host, call.version, &call.base, body).await {
        Ok(Outcome::One(result)) => Answer::One(response(&id, Ok(result))),
        Ok(Outcome::Stream(following)) => Answer::Stream(stream(id, following)),
        Err(error) => Answer::One(response(&id, Err(error))),
    }
}

/// A request and its id.
fn read_body(body: &[u8]) -> Result<(Value, Value), A2aError> {
    let text = std::str::from_utf8(body)
        .map_err(|error| A2aError::new(Kind::Parse, format!("the body is not UTF-8: {error}")))?;
    let body: Value = form::from_text(text)
        .map_err(|error| A2aError::new(Kind::Parse, format!("the body is not JSON: {error}")))?;
    let refused = |why: &str| Err(A2aError::new(Kind::InvalidRequest, why));
    match &body {
        Value::Object(request) => match request.get("id") {
            Some(id @ (Value::String(_) | Value::Number(_))) => {
                let id = id.clone();
                Ok((body, id))
            }
            // Each method has an answer that somebody waits for.
            _ => refused("a request needs an 'id', which is a text or a number"),
        },
        Value::Array(_) => refused("one request at a time: lists of requests are not answered"),
        _ => refused("a request is a JSON object with jsonrpc, id, method and params"),
    }
}

enum Outcome {
    One(Value),
    /// A task, which the client gets before what happens to it.
    Stream(Box<(Value, Following)>),
}

fn response(id: &Value, result: Result<Value, A2aError>) -> Value {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(error) => json!({ "jsonrpc": "2.0", "id": id, "error": error.to_json() }),
    }
}

fn stream(id: Value, following: Box<(Value, Following)>) -> Receiver<Value> {
    let (task, following) = *following;
    let (responses, received) = mpsc::channel(UNSENT);
    // Ends with the run, with the session or when the client is gone.
    tokio::spawn(async move {
        let (results, mut news) = mpsc::channel(UNSENT);
        let first = responses.send(response(&id, Ok(json!({ "task": task }))));
        let forward = async {
            if first.await.is_err() {
                news.close();
            }
            while let Some(result) = news.recv().await {
                if responses.send(response(&id, result)).await.is_err() {
                    news.close();
                }
            }
        };
        tokio::join!(following.stream(results), forward);
    });
    received
}

async fn carry_out(
    host: &Host,
    version: &str,
    base: &str,
    body: Value,
) -> Result<Outcome, A2aError> {
    let request: Request = form::from_value(&body).map_err(|error| {
        A2aError::new(Kind::InvalidRequest, format!("no JSON-RPC request: {error}"))
    })?;
    if request.jsonrpc != "2.0" {
        return Err(A2aError::new(Kind::InvalidRequest, "'jsonrpc' must be \"2.0\""));
    }
    check_version(version)?;
    let params = request.params;
    match &*request.method {
        "SendMessage" => {
            let asked: SendMessage = read(&params)?;
            let following = send(host, base, &asked).await?;
            let history = asked.configuration.history_length;
            let task = match asked.configuration.return_immediately {
                true => following.task,
                false => following.wait().await?,
            };
            Ok(Outcome::One(json!({ "task": task.to_json(history, true) })))
        }
        "SendStreamingMessage" => {
            let asked: SendMessage = read(&params)?;
            let following = send(host, base, &asked).await?;
            let task = following.task.to_json(asked.configuration.history_length, true);
            Ok(Outcome::Stream(Box::new((task, following))))
        }
        "GetTask" => {
            let asked: OneTask = read(&params)?;
            let task = tasks::find(host, base, &asked.id).await?;
            Ok(Outcome::One(task.to_json(asked.history_length, true)))
        }
        "ListTasks" => {
            let asked: ListTasks =
                if params.is_null() { ListTasks::default() } else { read(&params)? };
            Ok(Outcome::One(tasks::list(host, base, &asked).await?))
        }
        "CancelTask" => {
            let asked: OneTask = read(&params)?;
            let following = Following::find(host, base, &asked.id, Permission::Edit).await?;
            if following.task.state().is_terminal() {
                let message = format!("the task has ended ({})", following.task.state().name());
                return Err(A2aError::new(Kind::TaskNotCancelable, message));
            }
            following.session().cancel().await?;
            Ok(Outcome::One(following.wait().await?.to_json(None, true)))
        }
        "SubscribeToTask" => {
            let asked: OneTask = read(&params)?;
            let following = Following::find(host, base, &asked.id, Permission::View).await?;
            if following.task.state().is_terminal() {
                let message = "the task has ended: read it with GetTask";
                return Err(A2aError::new(Kind::UnsupportedOperation, message));
            }
            let task = following.task.to_json(asked.history_length, true);
            Ok(Outcome::Stream(Box::new((task, following))))
        }
        "CreateTaskPushNotificationConfig"
        | "GetTaskPushNotificationConfig"
        | "ListTaskPushNotificationConfigs"
        | "DeleteTaskPushNotificationConfig" => Err(A2aError::new(
            Kind::PushNotificationNotSupported,
            "push notifications are not offered: use SubscribeToTask",
        )),
        "GetExtendedAgentCard" => {
            Err(A2aError::new(Kind::UnsupportedOperation, "there is no extended agent card"))
        }
        other => {
            let name: String = other.chars().take(100).collect();
            let message = format!(
                "there is no method '{name}'; the methods are SendMessage, SendStreamingMessage, GetTask, ListTasks, \
                 CancelTask and SubscribeToTask"
            );
            Err(A2aError::new(Kind::UnknownMethod, message))
        }
    }
}

/// Clients of 0.3 send no version.
fn check_version(version: &str) -> Result<(), A2aError> {
    let version = version.trim();
    if version == "1.0" || version.starts_with("1.0.") {
        return Ok(());
    }
    let asked = if version.is_empty() { "0.3 (no A2A-Version header)" } else { version };
    let asked: String = asked.chars().take(40).collect();
    let message = format!("version {asked} is not supported; send 'A2A-Version: 1.0'");
    Err(A2aError::new(Kind::VersionNotSupported, message))
}

fn read<T: DeserializeOwned>(params: &Value) -> Result<T, A2aError> {
    if !params.is_object() {
        let what = if params.is_null() { "are missing" } else { "must be an object" };
        return Err(A2aError::params(format!("'params' {what}")));
    }
    form::from_value(params).map_err(|error| A2aError::params(format!("'params': {error}")))
}

/// Says a message: in a new session, in the session of its context, or of its task.
async fn send(host: &Host, base: &str, asked: &SendMessage) -> Result<Following, A2aError> {
    let said = asked.read()?;
    let message = &asked.message;
    if message.task_id.is_empty() {
        let (session, context) = context(host, &message.context_id).await?;
        host.client.talks_to(session.id());
        return Following::say(session, base, &context, said).await;
    }
    let following = Following::find(host, base, &message.task_id, Permission::Edit).await?;
    if !message.context_id.is_empty() && message.context_id != following.task.context {
        return Err(A2aError::params(
            "'message.taskId' is of another context than 'message.contextId'",
        ));
    }
    if following.task.state().is_terminal() {
        return Err(A2aError::new(
            Kind::UnsupportedOperation,
            "the task has ended: send the message without 'taskId' in the same 'contextId'",
        ));
    }
    // The run reads it before its next step.
    host.client.talks_to(following.session().id());
    following.session().say(said).await?;
    Ok(following)
}

async fn context(host: &Host, named: &str) -> Result<(SessionHandle, String), A2aError> {
    if named.is_empty() {
        let refused = |why: String| A2aError::new(Kind::Internal, why);
        host.client.may_begin_session().map_err(refused)?;
        let session = host.sessions.create().await?;
        let id = session.id().to_owned();
        host.client.began_session(&id).map_err(refused)?;
        return Ok((session, id));
    }
    match host.sessions.get(named).await? {
        Some((_, permission)) if permission < Permission::Edit => Err(tasks::look_only()),
        Some((session, _)) => Ok((session, named.to_owned())),
        None => {
            Err(A2aError::params("there is no such context; leave out 'contextId' for a new one"))
        }
    }
}

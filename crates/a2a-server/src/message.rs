//! Messages of clients.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use session::{ImageAttachment, UserMessage};

use crate::error::{A2aError, Kind};

/// The parameters of `SendMessage` and `SendStreamingMessage`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SendMessage {
    pub(crate) message: Message,
    #[serde(default)]
    pub(crate) configuration: Configuration,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Message {
    pub(crate) message_id: String,
    #[serde(default)]
    pub(crate) context_id: String,
    #[serde(default)]
    pub(crate) task_id: String,
    #[serde(default)]
    role: String,
    parts: Vec<Part>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Configuration {
    pub(crate) history_length: Option<u32>,
    #[serde(default)]
    pub(crate) return_immediately: bool,
    task_push_notification_config: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Part {
    text: Option<String>,
    /// Base64.
    raw: Option<String>,
    url: Option<String>,
    data: Option<Value>,
    #[serde(default)]
    media_type: String,
}

impl SendMessage {
    /// What it says to our agent.
    pub(crate) fn read(&self) -> Result<UserMessage, A2aError> {
        if self.configuration.task_push_notification_config.is_some() {
            return Err(A2aError::new(
                Kind::PushNotificationNotSupported,
                "push notifications are not offered: use SendStreamingMessage or SubscribeToTask",
            ));
        }
        if self.message.message_id.is_empty() {
            return Err(A2aError::params("'message.messageId' must not be empty"));
        }
        if !matches!(&*self.message.role, "ROLE_USER" | "ROLE_UNSPECIFIED" | "") {
            return Err(A2aError::params(format!(
                "'message.role' must be ROLE_USER, got '{}'",
                self.message.role
            )));
        }
        if self.message.parts.is_empty() {
            return Err(A2aError::params("'message.parts' is empty: send a 'text'"));
        }
        let mut texts = Vec::new();
        let mut images = Vec::new();
        for (index, part) in self.message.parts.iter().enumerate() {
            if let Some(text) = &part.text {
                texts.push(text.as_str());
            } else if let Some(raw) = &part.raw {
                images.push(image(index, &part.media_type, raw)?);
            } else {
                let kind = match (&part.url, &part.data) {
                    (Some(_), _) => "'url'",
                    (_, Some(_)) => "'data'",
                    _ => "no content that is known",
                };
                let message =
                    format!("part {index} has {kind}; send 'text', or 'raw' of a picture");
                return Err(A2aError::new(Kind::ContentTypeNotSupported, message));
            }
        }
        Ok(UserMessage { text: texts.join("\n"), images, ..UserMessage::default() })
    }
}

fn image(index: usize, media_type: &str, raw: &str) -> Result<ImageAttachment, A2aError> {
    if !matches!(media_type, "image/png" | "image/jpeg" | "image/webp") {
        let message = format!(
            "part {index} has the type '{media_type}'; image/png, image/jpeg and image/webp are read"
        );
        return Err(A2aError::new(Kind::ContentTypeNotSupported, message));
    }
    // Some write base64 in its form for addresses, or without padding.
    let standard: String = raw
        .trim_end_matches('=')
        .chars()
        .map(|letter| match letter {
            '-' => '+',
            '_' => '/',
            other => other,
        })
        .collect();
    let padded = format!("{standard}{}", "=".repeat((4 - standard.len() % 4) % 4));
    if BASE64_STANDARD.decode(&padded).is_err() {
        return Err(A2aError::params(format!("'raw' of part {index} is not base64")));
    }
    Ok(ImageAttachment { mime_type: media_type.to_owned(), data: padded })
}

/// A message in the history of a task.
pub(crate) fn told(id: &str, task: &str, context: &str, role: &str, text: &str) -> Value {
    json!({ "messageId": id, "taskId": task, "contextId": context, "role": role, "parts": [{ "text": text }] })
}

//! An agent as a file.

use serde::{Deserialize, Serialize};
use studio::{Scope, tool_names};

/// The longest name, description and instruction, in characters.
const MAX_NAME: usize = 40;
const MAX_DESCRIPTION: usize = 300;
const MAX_INSTRUCTION: usize = 8_000;

/// An agent that works for the model of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubAgent {
    /// Unique; its tool is called `delegate_to_` and this.
    pub name: String,
    /// What it can do, for the model that hands it tasks.
    pub description: String,
    /// How it works, beside what every model of the program is told.
    pub instruction: String,
    /// The tools it has; `None` means all of the scene.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<String>>,
    /// Its model; `None` means that of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// How much it may use for a task.
    #[serde(default)]
    pub limits: WorkLimits,
    /// What it may change.
    #[serde(default)]
    pub may_change: Scope,
}

/// How much an agent may use for a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WorkLimits {
    /// Model calls.
    pub turns: u32,
    /// Tokens of requests and answers.
    pub tokens: u64,
    /// Seconds.
    pub seconds: u64,
}

impl Default for WorkLimits {
    fn default() -> Self {
        Self { turns: 12, tokens: 400_000, seconds: 300 }
    }
}

/// Why a file is no agent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the agent {file}: {reason}")]
pub struct AgentError {
    file: String,
    reason: String,
}

impl SubAgent {
    /// Reads a file.
    pub fn parse(file: &str, text: &str) -> Result<Self, AgentError> {
        let agent = toml::from_str(text).map_err(|error| error.to_string());
        let checked = agent.and_then(|agent: Self| agent.check().map(|()| agent));
        checked.map_err(|reason| AgentError { file: file.to_owned(), reason })
    }

    fn check(&self) -> Result<(), String> {
        let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        if self.name.is_empty() || self.name.len() > MAX_NAME || !self.name.chars().all(fits) {
            return Err(format!(
                "'name' must be 1 to {MAX_NAME} letters, digits, '-' and '_', got '{}'",
                self.name.chars().take(MAX_NAME).collect::<String>()
            ));
        }
        for (name, text, most) in [
            ("description", &self.description, MAX_DESCRIPTION),
            ("instruction", &self.instruction, MAX_INSTRUCTION),
        ] {
            let length = text.trim().chars().count();
            if length == 0 || length > most {
                return Err(format!("'{name}' must have 1 to {most} characters, got {length}"));
            }
        }
        let unknown = |tool: &&String| !tool_names().any(|known| known == tool.as_str());
        if let Some(tool) = self.tools.iter().flatten().find(unknown) {
            let why = match tool.starts_with(PREFIX) {
                true => "an agent hands no tasks to others".to_owned(),
                false => format!("the tools are: {}", tool_names().collect::<Vec<_>>().join(", ")),
            };
            return Err(format!("'tools' names '{tool}', which it cannot have: {why}"));
        }
        let WorkLimits { turns, tokens, seconds } = self.limits;
        if turns == 0 || tokens == 0 || seconds == 0 {
            return Err("each of 'limits' must be at least 1".into());
        }
        Ok(())
    }

    /// The name of its tool.
    pub fn tool_name(&self) -> String {
        format!("{PREFIX}{}", self.name)
    }
}

const PREFIX: &str = "delegate_to_";

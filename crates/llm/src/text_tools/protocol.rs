//! Text protocols for calls.

/// The notation of calls in text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextProtocol {
    /// `<tool_code><name>..</name><parameters>{..}</parameters></tool_code>`, one call per answer;
    /// results are sent as `<observation>`.
    React,
    /// `{"tool_calls": [{"name", "arguments"}]}`, also fenced, also a single call.
    Json,
    /// `{"status", "action", "tools": [{"id", "tool", "args", "needs"}], "reasoning"}`: a plan of
    /// calls that may depend on each other.
    Plan,
}

impl TextProtocol {
    /// The protocol named `name`: `react`, `json` or `plan`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "react" => Some(Self::React),
            "json" => Some(Self::Json),
            "plan" => Some(Self::Plan),
            _ => None,
        }
    }
}

//! What a chat is to do.

use std::io::IsTerminal as _;

use serde_json::Value;

use crate::picture::PictureProtocol;

/// What a chat is to do.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The session to go on with; `None` begins a new one.
    pub session: Option<String>,
    /// One message: say it, wait for the end of the run, and leave.
    pub once: Option<String>,
    /// Plain mode: one event of the protocol a line instead of text.
    pub json: bool,
    /// The model to talk to.
    pub model: Option<String>,
    /// A scene file's content, which becomes the session's scene.
    pub scene: Option<Value>,
    /// Plain mode: a picture to render at the end.
    pub render: Option<String>,
    /// Plain mode: approve tool calls that ask; else they are refused.
    pub allow_tools: bool,
    /// How pictures are drawn; `None` asks the terminal.
    pub pictures: Option<PictureProtocol>,
    /// The server runs in this process and ends with the chat.
    pub in_process: bool,
}

impl Options {
    /// Whether the chat takes the whole terminal.
    pub fn is_full_screen(&self) -> bool {
        let (input, output) = (std::io::stdin(), std::io::stdout());
        self.once.is_none() && !self.json && input.is_terminal() && output.is_terminal()
    }
}

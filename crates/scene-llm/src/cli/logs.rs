//! Log lines on standard error.

use std::io::IsTerminal as _;

use clap::Args;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

#[derive(Debug, Args)]
pub(super) struct LogArguments {
    /// What is logged to standard error: off, error, warn, info, debug or trace, also for one part, e.g.
    /// warn,server=debug. Without it warnings and errors.
    #[arg(long, global = true, env = "SCENE_LLM_LOG", value_name = "FILTER", value_parser = filter,
          default_value = DEFAULT, help_heading = "Logs")]
    log: Targets,
    /// How log lines are written: as text, or one JSON object a line.
    #[arg(long, global = true, env = "SCENE_LLM_LOG_FORMAT", value_name = "FORMAT", value_enum,
          default_value_t = Format::Text, help_heading = "Logs")]
    log_format: Format,
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// What a client of MCP asks wrongly is told to the client.
const DEFAULT: &str = "warn,rmcp=error";

fn filter(text: &str) -> Result<Targets, String> {
    let text = if text.trim().is_empty() { DEFAULT } else { text.trim() };
    text.parse()
        .map_err(|error| format!("it is no filter like 'info' or 'warn,server=debug': {error}"))
}

impl LogArguments {
    /// Begins to write log lines.
    pub(super) fn start(self) {
        let is_set = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let has_colours = std::io::stderr().is_terminal() && !is_set;
        let lines =
            tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(has_colours);
        let lines = match self.log_format {
            Format::Text => lines.boxed(),
            // What a line is about stands in `spans`, the outermost first: `run` with session and run.
            Format::Json => lines.json().flatten_event(true).with_current_span(false).boxed(),
        };
        tracing_subscriber::registry().with(lines).with(self.log).init();
    }
}

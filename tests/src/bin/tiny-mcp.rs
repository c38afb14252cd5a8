//! The tiny MCP server as a process: one JSON message a line.

use std::io::{BufRead, Write};

use end_to_end::tiny_mcp::answer;

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let message = serde_json::from_str(&line?).unwrap_or_default();
        if let Some(answer) = answer(&message) {
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
    }
    Ok(())
}

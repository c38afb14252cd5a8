//! What makes MCP clients start this program.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::{Map, Value, json};

/// The name of the entry.
const NAME: &str = "scene-llm";

/// A client that starts MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Client {
    /// Claude Desktop.
    ClaudeDesktop,
    /// Claude Code, in the project of the current directory.
    ClaudeCode,
    /// Cursor.
    Cursor,
    /// Visual Studio Code, in the project of the current directory.
    Vscode,
}

/// How a client starts this program.
pub(super) struct Entry {
    command: PathBuf,
    arguments: Vec<String>,
}

impl Entry {
    /// By its absolute path: clients have a PATH of their own.
    pub(super) fn of_this_program(
        data_dir: Option<&Path>,
        in_memory: bool,
    ) -> anyhow::Result<Self> {
        let command = std::env::current_exe().context("the path of this program is not known")?;
        let mut arguments = vec!["mcp".to_owned()];
        if let Some(data_dir) = data_dir {
            let absolute = std::path::absolute(data_dir)?;
            arguments.extend(["--data-dir".to_owned(), absolute.display().to_string()]);
        }
        if in_memory {
            arguments.push("--in-memory".to_owned());
        }
        Ok(Self { command, arguments })
    }
}

impl Client {
    /// Prints the configuration, or adds it to the client's file.
    pub(super) fn install(self, entry: &Entry, write: bool) -> anyhow::Result<()> {
        let file = self.file()?;
        let mut stdout = std::io::stdout();
        if write {
            let text = match std::fs::read_to_string(&file) {
                Ok(text) => text,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
                Err(error) => return Err(error).with_context(|| format!("{}", file.display())),
            };
            let added = self.added_to(&text, entry).with_context(|| {
                format!(
                    "{} was not changed; add the entry by hand:\n{}",
                    file.display(),
                    self.alone(entry)
                )
            })?;
            if let Some(directory) = file.parent() {
                std::fs::create_dir_all(directory)?;
            }
            if !text.is_empty() {
                std::fs::write(file.with_extension("json.bak"), &text)?;
            }
            std::fs::write(&file, added).with_context(|| format!("{}", file.display()))?;
            writeln!(stdout, "added to {}; start the client again", file.display())?;
        } else {
            writeln!(stdout, "{}", self.alone(entry))?;
            eprintln!("belongs into {} (--write puts it there)", file.display());
        }
        Ok(())
    }

    /// The client's file.
    fn file(self) -> anyhow::Result<PathBuf> {
        let bases = directories::BaseDirs::new();
        let bases = || bases.as_ref().context("there is no home directory");
        Ok(match self {
            Self::ClaudeDesktop => {
                bases()?.config_dir().join("Claude").join("claude_desktop_config.json")
            }
            Self::Cursor => bases()?.home_dir().join(".cursor").join("mcp.json"),
            Self::ClaudeCode => std::env::current_dir()?.join(".mcp.json"),
            Self::Vscode => std::env::current_dir()?.join(".vscode").join("mcp.json"),
        })
    }

    /// The member of the file that holds the servers.
    fn member(self) -> &'static str {
        if self == Self::Vscode { "servers" } else { "mcpServers" }
    }

    fn entry(self, entry: &Entry) -> Value {
        let mut value =
            json!({ "command": entry.command.display().to_string(), "args": entry.arguments });
        if matches!(self, Self::Vscode | Self::ClaudeCode) {
            value["type"] = "stdio".into();
        }
        value
    }

    /// A file with nothing but the entry.
    fn alone(self, entry: &Entry) -> String {
        let file = json!({ self.member(): { NAME: self.entry(entry) } });
        format!("{file:#}")
    }

    /// The text of the file with the entry added, or replaced if there was one.
    fn added_to(self, text: &str, entry: &Entry) -> anyhow::Result<String> {
        let mut file = match text.trim() {
            "" => Value::Object(Map::new()),
            text => serde_json::from_str(text).context("it is not plain JSON")?,
        };
        let Some(members) = file.as_object_mut() else { bail!("it holds no JSON object") };
        let servers = members.entry(self.member()).or_insert_with(|| json!({}));
        let Some(servers) = servers.as_object_mut() else {
            bail!("its '{}' is no object", self.member())
        };
        servers.insert(NAME.to_owned(), self.entry(entry));
        Ok(format!("{file:#}\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        Entry { command: "/opt/scene-llm".into(), arguments: vec!["mcp".into()] }
    }

    #[test]
    fn what_a_clients_file_holds_stays() {
        let before = r#"{"theme": "dark", "mcpServers": {"files": {"command": "files"}, "scene-llm": {"command": "old"}}}"#;
        let after = Client::ClaudeDesktop.added_to(before, &entry()).unwrap();
        let after: Value = serde_json::from_str(&after).unwrap();
        assert_eq!(after["theme"], "dark");
        assert_eq!(after["mcpServers"]["files"]["command"], "files");
        assert_eq!(
            after["mcpServers"]["scene-llm"],
            json!({ "command": "/opt/scene-llm", "args": ["mcp"] })
        );
        let new: Value =
            serde_json::from_str(&Client::Vscode.added_to("", &entry()).unwrap()).unwrap();
        assert_eq!(new["servers"]["scene-llm"]["type"], "stdio");
    }

    #[test]
    fn a_file_that_is_no_plain_json_is_left_alone() {
        for broken in ["// mine\n{}", "[]", "{\"servers\": 3}"] {
            let refused = Client::Vscode.added_to(broken, &entry());
            assert!(refused.is_err(), "{broken}");
        }
    }
}

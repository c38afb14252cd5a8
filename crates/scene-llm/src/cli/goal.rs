//! `scene-llm goal`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::Args;
use server::{ConfigFile, Server};
use terminal::{GoalOptions, Options, work_on_goal};

use super::own_server::OwnServer;
use super::serve::{LEFT_BEHIND, stop_signal};

/// Work on a goal until its criteria hold: plans tasks, does them, checks them by computation
///
/// Criteria are sentences about the scene such as "2+ ~desk", "1 ~lamp on ~desk", "no-overlap", "all-in-view"
/// (docs/evaluation.md), or check_scene. Standard output tells the criteria at the end, standard error what
/// happens. The exit code is 0 if the goal is reached, else 1, and then the last line says what is unmet.
///
/// Examples:
///   scene-llm goal "furnish this room for two people who work from home" --out room.json
///   scene-llm goal "clean up" --scene messy.json --out tidy.json
///   scene-llm goal "a table with a vase" --criteria "1 ~vase on ~table" --budget-turns 20
///   scene-llm goal --resume --session ID
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Arguments {
    /// What you want to have.
    #[arg(value_name = "TEXT", required_unless_present = "resume")]
    objective: Option<String>,
    /// Something that has to hold at the end; may be repeated.
    #[arg(long, value_name = "SENTENCE")]
    criteria: Vec<String>,
    #[command(flatten)]
    work: Work,
    /// Go on with the goal of --session.
    #[arg(long, requires = "session", conflicts_with_all = ["objective", "criteria"])]
    resume: bool,
}

/// How the work is done; the same for a goal and a workflow.
#[derive(Debug, Args)]
pub(super) struct Work {
    /// A scene file to begin with.
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,
    /// Where the scene is written at the end, reached or not.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Save a picture at the end, as `FILE [WIDTHxHEIGHT] [SAMPLES]`.
    #[arg(long, value_name = "FILE")]
    render: Option<String>,
    /// The most model calls. With any of the four limits, those that are left out have none.
    #[arg(long, value_name = "N")]
    budget_turns: Option<u64>,
    /// The most tokens.
    #[arg(long, value_name = "N")]
    budget_tokens: Option<u64>,
    /// The most seconds.
    #[arg(long, value_name = "N")]
    budget_seconds: Option<u64>,
    /// The most tool calls.
    #[arg(long, value_name = "N")]
    budget_tool_calls: Option<u64>,
    /// Write the session's events, one JSON object a line (docs/protocol.md), instead of text.
    #[arg(long)]
    json: bool,
    /// The model.
    #[arg(long, env = "SCENE_LLM_MODEL", value_name = "MODEL")]
    model: Option<String>,
    /// Allow every tool call that asks for an approval; else they are refused.
    #[arg(long)]
    allow_tools: bool,
    /// The server to work on; without it the command starts one of its own.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// What the server wants to know from whoever begins sessions (serve --token).
    #[arg(long, env = "SCENE_LLM_TOKEN", hide_env_values = true, value_name = "TOKEN")]
    token: Option<String>,
    /// The session to work in; without it a new one.
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    #[command(flatten)]
    own: OwnServer,
}

pub(super) fn run(arguments: &Arguments, file: Option<&ConfigFile>) -> anyhow::Result<()> {
    let options = GoalOptions {
        objective: arguments.objective.clone().unwrap_or_default(),
        criteria: arguments.criteria.clone(),
        resume: arguments.resume,
        ..arguments.work.options()?
    };
    arguments.work.run(&options, file)
}

impl Work {
    /// The options without a goal.
    fn options(&self) -> anyhow::Result<GoalOptions> {
        let scene = self.scene.as_deref().map(|path| {
            let text = std::fs::read_to_string(path);
            let text = text.with_context(|| format!("cannot read {}", path.display()))?;
            serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))
        });
        Ok(GoalOptions {
            chat: Options {
                session: self.session.clone(),
                json: self.json,
                model: self.model.clone().filter(|model| !model.is_empty()),
                scene: scene.transpose()?,
                render: self.render.clone(),
                allow_tools: self.allow_tools,
                in_process: self.server.is_none(),
                ..Options::default()
            },
            turns: self.budget_turns,
            tokens: self.budget_tokens,
            seconds: self.budget_seconds,
            tool_calls: self.budget_tool_calls,
            out: self.out.clone(),
            ..GoalOptions::default()
        })
    }

    /// Follows a workflow.
    pub(super) fn follow(
        &self,
        workflow: &str,
        parameters: BTreeMap<String, String>,
        file: Option<&ConfigFile>,
    ) -> anyhow::Result<()> {
        let workflow = Some(workflow.to_owned());
        self.run(&GoalOptions { workflow, parameters, ..self.options()? }, file)
    }

    fn run(&self, options: &GoalOptions, file: Option<&ConfigFile>) -> anyhow::Result<()> {
        let runtime = tokio::runtime::Runtime::new()?;
        let stop = async {
            // Without signals there is nothing to wait for.
            if stop_signal().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let worked = runtime.block_on(async {
            if let Some(address) = &self.server {
                let server = client::Server::new(address, self.token.as_deref())?;
                return work_on_goal(&server, options, stop).await;
            }
            let own = Server::start(self.own.config(0, file)?).await?;
            let worked = match client::Server::new(&own.addr().to_string(), None) {
                Ok(server) => work_on_goal(&server, options, stop).await,
                Err(error) => Err(error.into()),
            };
            own.stop().await;
            worked
        });
        // A read of standard input that nobody waits for any more keeps a thread.
        runtime.shutdown_timeout(LEFT_BEHIND);
        match worked? {
            None => Ok(()),
            Some(unmet) => bail!("{unmet}"),
        }
    }
}

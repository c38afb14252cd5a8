//! Working on a goal from the command line: starts it, tells what happens, and waits for its end.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use client::{Server, Session, Update};
use protocol::{ClientRequest, Goal, GoalBudget, GoalRequest, GoalStatus, ServerMessage};
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::goal_words::{self, is_over};
use crate::options::Options;
use crate::plain::print_line;
use crate::render_file::RenderFile;
use crate::spans::clean;

/// What is to be reached, and how it is told.
#[derive(Debug, Clone, Default)]
pub struct GoalOptions {
    /// Session, model, scene and the form of the output.
    pub chat: Options,
    /// What the user wants; may be empty with a workflow.
    pub objective: String,
    /// What has to hold at the end.
    pub criteria: Vec<String>,
    /// The workflow to follow.
    pub workflow: Option<String>,
    /// Values of its parameters.
    pub parameters: BTreeMap<String, String>,
    /// The most model calls.
    pub turns: Option<u64>,
    /// The most tokens.
    pub tokens: Option<u64>,
    /// The most seconds.
    pub seconds: Option<u64>,
    /// The most tool calls.
    pub tool_calls: Option<u64>,
    /// Go on with the goal of the session instead of setting one.
    pub resume: bool,
    /// Where the scene is written at the end.
    pub out: Option<PathBuf>,
}

/// Works on a goal until it is over, or until `stop` comes, which pauses it. Returns the sentence about the
/// end if the goal is not reached.
pub async fn work_on_goal(
    server: &Server,
    options: &GoalOptions,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<Option<String>> {
    let render = options.chat.render.as_deref().map(RenderFile::parse).transpose();
    let render = render.map_err(anyhow::Error::msg)?;
    let mut session = crate::open(server, &options.chat).await?;
    let id = session.id().to_owned();
    let worked = tokio::select! {
        worked = work(&mut session, options) => worked,
        () = stop => {
            let pause = session.ask(ClientRequest::PauseGoal);
            let _ = tokio::time::timeout(crate::CANCEL_TIMEOUT, pause).await;
            Err(anyhow::anyhow!("stopped; go on with: scene-llm goal --resume --session {id}"))
        }
    };
    if let Some(file) = &options.out {
        let scene = server.scene(&id).await?;
        let text = serde_json::to_string_pretty(&scene)? + "\n";
        std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    }
    if let Some(file) = render {
        eprintln!("{}", file.save(server, &id).await.map_err(anyhow::Error::msg)?);
    }
    session.close().await;
    worked
}

async fn work(session: &mut Session, options: &GoalOptions) -> anyhow::Result<Option<String>> {
    let Some(Update::Welcome(welcome)) = session.next().await else {
        bail!("the session ended before it began");
    };
    if welcome.durable && !options.chat.json {
        eprintln!("session {}", session.id());
    }
    let answers = std::io::stdin().is_terminal() && !options.chat.json;
    let request = match options.resume {
        true => ClientRequest::ResumeGoal,
        false => ClientRequest::StartGoal(options.request(answers)),
    };
    session.ask(request).await?;
    while let Some(update) = session.next().await {
        let message = match update {
            Update::Message(message) => message,
            Update::Lost { attempt, reason, .. } if attempt > crate::plain::MAX_ATTEMPTS => {
                bail!("the connection was lost: {reason}")
            }
            Update::Lost { reason, .. } => {
                eprintln!("the connection was lost: {reason}");
                continue;
            }
            Update::Ended(error) => return Err(error.into()),
            // The state of the goal comes with the welcome, too.
            Update::Welcome(welcome) => match welcome.goal {
                Some(goal) if is_over(goal.status) => return finish(&goal, options),
                _ => continue,
            },
            Update::Preview(_) | Update::Reply { .. } | Update::Resumed => continue,
        };
        if options.chat.json && message.seq().is_some() {
            print_line(&serde_json::to_string(&message)?)?;
        }
        match message {
            ServerMessage::GoalChanged { change, notice, goal, .. } => {
                if !options.chat.json {
                    let news = goal_words::news(&change, notice.as_deref(), &goal);
                    news.iter().for_each(|line| eprintln!("{line}"));
                }
                if is_over(goal.status) || goal.status == GoalStatus::Paused {
                    return finish(&goal, options);
                }
                if goal.status == GoalStatus::WaitingForUser && answers {
                    let answer = read_answer().await?;
                    session.ask(client::say(&answer)).await?;
                }
            }
            ServerMessage::ToolFinished { name, response, .. }
                if !response.success && !options.chat.json =>
            {
                let error = response.error.unwrap_or_default();
                eprintln!("  {} failed: {}", clean(&name), clean(&error));
            }
            ServerMessage::ApprovalNeeded { call_id, .. } => {
                let (allow, remember) = (options.chat.allow_tools, None);
                session.ask(ClientRequest::Approve { call_id, allow, remember }).await?;
            }
            ServerMessage::Retrying { reason, .. } if !options.chat.json => {
                eprintln!("  {}", clean(&reason));
            }
            _ => {}
        }
    }
    bail!("the session ended")
}

impl GoalOptions {
    fn request(&self, answers: bool) -> GoalRequest {
        let limits = [self.turns, self.tokens, self.seconds, self.tool_calls];
        let budget = limits.iter().any(Option::is_some).then_some(GoalBudget {
            turns: self.turns,
            tokens: self.tokens,
            seconds: self.seconds,
            tool_calls: self.tool_calls,
        });
        GoalRequest {
            objective: self.objective.clone(),
            criteria: self.criteria.clone(),
            workflow: self.workflow.clone(),
            parameters: self.parameters.clone(),
            budget,
            may_ask: answers,
        }
    }
}

/// The criteria with what was found, and how the goal ended.
fn finish(goal: &Goal, options: &GoalOptions) -> anyhow::Result<Option<String>> {
    if !options.chat.json {
        for criterion in &goal.criteria {
            print_line(&goal_words::criterion(criterion))?;
        }
    }
    if goal.status == GoalStatus::Completed {
        return Ok(None);
    }
    let reason = goal.reason.as_deref().unwrap_or("it is not over");
    Ok(Some(clean(&format!("the goal is not reached: {reason}"))))
}

async fn read_answer() -> anyhow::Result<String> {
    eprint!("> ");
    std::io::stderr().flush()?;
    let line = BufReader::new(tokio::io::stdin()).lines().next_line().await?;
    line.context("standard input ended before the question was answered")
}

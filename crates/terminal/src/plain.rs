//! The chat as plain text, for pipes and scripts: answers on standard output, what the model does on
//! standard error; or with `--json` the session's events.

use std::io::{self, Write};

use anyhow::bail;
use client::{Server, Session, Update};
use protocol::{
    ClientRequest, Goal, GoalChange, GoalStatus, RunFinishedReason, ServerMessage, ToolResponse,
};
use tokio::io::{AsyncBufReadExt as _, BufReader};

use crate::command::{Command, HELP};
use crate::goal_words;
use crate::options::Options;
use crate::render_file::RenderFile;
use crate::spans::clean;
use crate::summary;

/// Attempts to come back to a server that is away, about half a minute.
pub(crate) const MAX_ATTEMPTS: u32 = 8;

/// Says the one message, or the lines of standard input one after the other.
pub(crate) async fn run(
    server: &Server,
    session: &mut Session,
    options: &Options,
) -> anyhow::Result<()> {
    let render = options.render.as_deref().map(RenderFile::parse).transpose();
    let render = render.map_err(anyhow::Error::msg)?;
    let mut plain = Plain { server, session, options, answer: String::new(), goal: None };
    plain.welcome().await?;
    match &options.once {
        Some(text) => plain.line(text).await?,
        None => {
            let mut lines = BufReader::new(tokio::io::stdin()).lines();
            while let Some(line) = lines.next_line().await? {
                match line.trim() {
                    "" => {}
                    "/quit" | "/exit" | "/q" => break,
                    line => plain.line(line).await?,
                }
            }
        }
    }
    if let Some(file) = render {
        eprintln!("{}", plain.save(&file).await?);
    }
    Ok(())
}

struct Plain<'a> {
    server: &'a Server,
    session: &'a mut Session,
    options: &'a Options,
    /// The answer so far. It is printed when it is whole, since a provider that fails may begin it anew.
    answer: String,
    /// The goal of the session, as far as it is known.
    goal: Option<Goal>,
}

/// What a line waits for.
#[derive(Clone, Copy)]
enum Awaited<'a> {
    /// The end of the run that answers this.
    Answer(&'a str),
    /// The end of the goal, a pause, or a question.
    Goal,
}

impl Plain<'_> {
    async fn welcome(&mut self) -> anyhow::Result<()> {
        let Some(Update::Welcome(welcome)) = self.session.next().await else {
            bail!("the session ended before it began");
        };
        if welcome.durable {
            let how = if self.options.in_process { "" } else { "--server URL " };
            eprintln!(
                "session {0} (go on with: scene-llm chat {how}--session {0})",
                self.session.id()
            );
        }
        self.goal = welcome.goal.clone();
        if self.options.json {
            self.print_event(&ServerMessage::Welcome(welcome))?;
        }
        Ok(())
    }

    async fn line(&mut self, line: &str) -> anyhow::Result<()> {
        if line.starts_with('/') {
            return self.command(Command::parse(line).map_err(anyhow::Error::msg)?).await;
        }
        let answers =
            self.goal.as_ref().is_some_and(|goal| goal.status == GoalStatus::WaitingForUser);
        let awaited = if answers { Awaited::Goal } else { Awaited::Answer(line) };
        self.session.ask(client::say(line)).await?;
        self.follow(awaited).await
    }

    async fn follow(&mut self, awaited: Awaited<'_>) -> anyhow::Result<()> {
        let mut is_said = false;
        while let Some(update) = self.session.next().await {
            let message = match update {
                Update::Message(message) => message,
                Update::Lost { attempt, reason, .. } if attempt > MAX_ATTEMPTS => {
                    bail!("the connection was lost: {reason}")
                }
                Update::Lost { attempt, reason, .. } => {
                    eprintln!("the connection was lost (attempt {attempt} to come back): {reason}");
                    continue;
                }
                Update::Welcome(_) => {
                    bail!("the server lost the events of this run; look at the session")
                }
                Update::Ended(error) => return Err(error.into()),
                Update::Preview(_) | Update::Reply { .. } | Update::Resumed => continue,
            };
            if self.options.json && message.seq().is_some() {
                self.print_event(&message)?;
            }
            if let (Awaited::Answer(said), ServerMessage::UserMessage { text, .. }) =
                (awaited, &message)
            {
                is_said |= text.trim() == said.trim();
            }
            match message {
                ServerMessage::ApprovalNeeded { call_id, name, .. } => {
                    self.approve(call_id, &name).await?;
                }
                // A run from before may end first.
                ServerMessage::RunFinished { reason, message, .. } if is_said => {
                    self.print_answer()?;
                    return ended(reason, message);
                }
                ServerMessage::GoalChanged { change, notice, goal, .. } => {
                    self.print_answer()?;
                    if !self.options.json {
                        let news = goal_words::news(&change, notice.as_deref(), &goal);
                        news.iter().for_each(|line| eprintln!("{line}"));
                    }
                    let end = goal_end(&change);
                    self.goal = Some(*goal);
                    if let (Awaited::Goal, Some(end)) = (awaited, end) {
                        return end;
                    }
                }
                other if !self.options.json => self.tell(other)?,
                _ => {}
            }
        }
        bail!("the session ended")
    }

    /// What people want to know while they wait.
    fn tell(&mut self, message: ServerMessage) -> io::Result<()> {
        match message {
            ServerMessage::TurnStarted { .. } => self.print_answer()?,
            ServerMessage::TextDelta { text, thought: false, .. } => self.answer.push_str(&text),
            ServerMessage::TextDiscarded { .. } => self.answer.clear(),
            ServerMessage::ToolStarted { name, args, .. } => {
                self.print_answer()?;
                eprintln!("  {} {}", clean(&name), clean(&summary::call(&args)));
            }
            ServerMessage::ToolFinished {
                name,
                response: ToolResponse { success: false, error, .. },
                ..
            } => eprintln!("  {} failed: {}", clean(&name), clean(&error.unwrap_or_default())),
            // More than the name, which was told.
            ServerMessage::Progress { target, .. } if target.contains(": ") => {
                eprintln!("  {}", clean(&target));
            }
            ServerMessage::Retrying { reason, delay_ms, .. } => {
                eprintln!("{}; again in {}", clean(&reason), summary::duration(delay_ms as f64));
            }
            ServerMessage::Error { message, .. } => eprintln!("error: {}", clean(&message)),
            _ => {}
        }
        Ok(())
    }

    fn print_answer(&mut self) -> io::Result<()> {
        let answer = std::mem::take(&mut self.answer);
        if answer.trim().is_empty() {
            return Ok(());
        }
        let lines: Vec<String> = answer.trim_end().lines().map(clean).collect();
        print_line(&lines.join("\n"))
    }

    fn print_event(&self, message: &ServerMessage) -> io::Result<()> {
        print_line(&serde_json::to_string(message)?)
    }

    async fn approve(&mut self, call_id: String, name: &str) -> anyhow::Result<()> {
        let allow = self.options.allow_tools;
        if !allow {
            let name = clean(name);
            eprintln!("  {name} was refused: it needs an approval (--allow-tools gives it)");
        }
        let request = ClientRequest::Approve { call_id, allow, remember: None };
        Ok(self.session.ask(request).await.map(drop)?)
    }

    async fn command(&mut self, command: Command) -> anyhow::Result<()> {
        let id = self.session.id().to_owned();
        match command {
            Command::Undo => self.change(ClientRequest::Undo).await?,
            Command::Redo => self.change(ClientRequest::Redo).await?,
            Command::Model(Some(model)) => {
                let request = ClientRequest::SelectModel { model, effort: None, temperature: None };
                self.session.ask(request).await?;
            }
            Command::Model(None) => {
                for model in self.server.models().await?.models {
                    self.say(&model.id)?;
                }
            }
            Command::Session(None) => self.say(&format!("{id}\n{}", self.server.page(&id)))?,
            Command::Session(Some(_)) => {
                bail!("a session is chosen with --session; /session alone tells this one")
            }
            Command::Share(access) => {
                let link = self.server.share(&id, access).await?;
                self.say(&link)?;
            }
            Command::Render(file) => {
                let saved = self.save(&file).await?;
                self.say(&saved)?;
            }
            Command::Goal(goal) => {
                // Nobody answers the one message's questions.
                match goal.request(self.options.once.is_none()) {
                    None => self.tell_goal()?,
                    Some(request) => {
                        let waits = !matches!(
                            request,
                            ClientRequest::PauseGoal | ClientRequest::CancelGoal
                        );
                        self.session.ask(request).await?;
                        if waits {
                            self.follow(Awaited::Goal).await?;
                        }
                    }
                }
            }
            Command::Help => {
                for (usage, meaning) in HELP {
                    self.say(&format!("{usage}: {meaning}"))?;
                }
            }
            // Lines of standard input end there before; as the one message it has nothing to end.
            Command::Quit => {}
        }
        Ok(())
    }

    async fn change(&mut self, request: ClientRequest) -> anyhow::Result<()> {
        if let Some(ServerMessage::Unchanged { .. }) = self.session.ask(request).await? {
            return Ok(self.say("nothing changed")?);
        }
        while let Some(update) = self.session.next().await {
            let Update::Message(message @ ServerMessage::SceneChanged { .. }) = update else {
                continue;
            };
            if self.options.json {
                self.print_event(&message)?;
            }
            return Ok(());
        }
        bail!("the session ended")
    }

    fn tell_goal(&self) -> io::Result<()> {
        match &self.goal {
            Some(goal) => goal_words::whole(goal).iter().try_for_each(|line| self.say(line)),
            None => self.say("there is no goal; /goal TEXT sets one"),
        }
    }

    async fn save(&self, file: &RenderFile) -> anyhow::Result<String> {
        file.save(self.server, self.session.id()).await.map_err(anyhow::Error::msg)
    }

    /// The answer to a command; as JSON, it is a line like the events.
    fn say(&self, text: &str) -> io::Result<()> {
        match self.options.json {
            true => print_line(&serde_json::json!({ "type": "notice", "text": text }).to_string()),
            false => print_line(text),
        }
    }
}

pub(crate) fn print_line(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}

/// How a goal has ended, or that nothing is done for it now; `None` while it is worked on. Several changes may come
/// with the goal as it is after all of them.
fn goal_end(change: &GoalChange) -> Option<anyhow::Result<()>> {
    Some(match change {
        GoalChange::Finished { status: GoalStatus::Completed, .. }
        | GoalChange::Paused { .. }
        | GoalChange::Asked { .. } => Ok(()),
        GoalChange::Finished { reason, .. } => {
            Err(anyhow::anyhow!("the goal is not reached: {}", clean(reason)))
        }
        _ => return None,
    })
}

/// Whether the end of a run is the one that was wanted.
fn ended(reason: RunFinishedReason, message: Option<String>) -> anyhow::Result<()> {
    let message = message.map(|message| clean(&message.lines().collect::<Vec<_>>().join(" ")));
    match reason {
        RunFinishedReason::Completed => {
            if let Some(message) = message {
                eprintln!("{message}");
            }
            Ok(())
        }
        RunFinishedReason::TurnLimit => {
            bail!("{}", message.unwrap_or_else(|| "the turn limit was reached".into()))
        }
        RunFinishedReason::Cancelled => bail!("the run was stopped"),
        RunFinishedReason::Error => {
            bail!("{}", message.unwrap_or_else(|| "the model gave no answer".into()))
        }
    }
}

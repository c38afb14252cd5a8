//! The full screen: keys, updates of the session, pictures, and what takes a while, in one loop.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use client::{ClientError, RequestError, Server, Session, Update};
use crossterm::event::{
    DisableBracketedPaste, EnableBracketedPaste, Event, EventStream, KeyEventKind,
};
use futures_util::{Stream, StreamExt as _};
use protocol::{ClientRequest, ServerMessage, Welcome};
use ratatui::Terminal;
use ratatui::backend::Backend;
use tokio::task::JoinHandle;

use crate::command::{Command, HELP};
use crate::conversation::Link;
use crate::goal_words;
use crate::options::Options;
use crate::picture::{Picture, picker};
use crate::screen::{Areas, draw};
use crate::view::{Action, View};

/// One picture of the spinner.
const TICK: Duration = Duration::from_millis(100);

/// Takes the terminal, talks, and gives it back as it was.
pub(crate) async fn run(
    server: &Server,
    mut session: Session,
    options: &Options,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let welcome = welcome(&mut session).await?;
    let mut terminal = ratatui::try_init()?;
    let picture = Picture::new(picker(options.pictures));
    let _ = crossterm::execute!(io::stdout(), EnableBracketedPaste);
    let chat = Chat {
        server: server.clone(),
        session,
        view: View::new(welcome, picture, Instant::now()),
        jobs: Vec::new(),
        sent: Vec::new(),
        in_process: options.in_process,
    };
    let left = tokio::select! {
        left = chat.talk(&mut terminal, EventStream::new()) => left,
        () = stop => Err(anyhow::anyhow!("stopped")),
    };
    let _ = crossterm::execute!(io::stdout(), DisableBracketedPaste);
    ratatui::restore();
    let chat = left?;
    writeln!(io::stdout(), "{}", chat.farewell())?;
    chat.session.close().await;
    Ok(())
}

/// The first update of a session.
pub(crate) async fn welcome(session: &mut Session) -> anyhow::Result<Welcome> {
    loop {
        match session.next().await {
            Some(Update::Welcome(welcome)) => return Ok(*welcome),
            Some(Update::Ended(error)) => return Err(error.into()),
            Some(_) => {}
            None => anyhow::bail!("the session ended before it began"),
        }
    }
}

/// What came of something that took a while.
pub(crate) enum Done {
    Said(Result<String, String>),
    Opened(Box<Result<Session, ClientError>>),
}

pub(crate) struct Chat {
    pub(crate) server: Server,
    pub(crate) session: Session,
    pub(crate) view: View,
    /// Renders, links, sessions that are opened: few.
    pub(crate) jobs: Vec<JoinHandle<Done>>,
    /// Messages that the server has not confirmed, by the number of their request.
    pub(crate) sent: Vec<(u64, String)>,
    pub(crate) in_process: bool,
}

impl Chat {
    /// Runs until the user leaves.
    pub(crate) async fn talk<B>(
        mut self,
        terminal: &mut Terminal<B>,
        mut events: impl Stream<Item = io::Result<Event>> + Unpin,
    ) -> anyhow::Result<Self>
    where
        B: Backend<Error: Send + Sync + 'static>,
    {
        let mut tick = tokio::time::interval(TICK);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Skip);
        loop {
            // The size first: the draw finds the picture fitting, or none.
            terminal.autoresize()?;
            let size = terminal.get_frame().area().as_size();
            if let Some(wanted) =
                self.view.picture.resize(Areas::for_view(&self.view, size).picture.as_size())
            {
                self.ask(ClientRequest::View(wanted));
            }
            terminal.draw(|frame| draw(frame, &mut self.view, Instant::now()))?;
            tokio::select! {
                event = events.next() => match event {
                    Some(event) => {
                        let action = self.event(&event?);
                        if action == Some(Action::Quit) || !self.act(action) {
                            return Ok(self);
                        }
                    }
                    // The terminal is gone.
                    None => return Ok(self),
                },
                update = self.session.next(), if !self.has_ended() => self.update(update),
                () = self.view.picture.encoded() => {}
                done = next_done(&mut self.jobs) => self.finish(done),
                _ = tick.tick(), if self.view.is_animated() => {}
            }
        }
    }

    fn event(&mut self, event: &Event) -> Option<Action> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.view.key(*key),
            Event::Paste(text) => {
                self.view.prompt.paste(text);
                None
            }
            _ => None,
        }
    }

    fn update(&mut self, update: Option<Update>) {
        let now = Instant::now();
        let conversation = &mut self.view.conversation;
        match update {
            Some(Update::Welcome(welcome)) => self.view.welcome(*welcome, now),
            Some(Update::Message(message)) => conversation.apply(message, now),
            Some(Update::Preview(preview)) => self.view.picture.take(preview),
            Some(Update::Reply { id, outcome }) => self.reply(id, outcome),
            Some(Update::Lost { attempt, reason, .. }) => {
                conversation.link = Link::Lost { attempt, reason };
            }
            Some(Update::Resumed) => conversation.link = Link::Open,
            Some(Update::Ended(error)) => {
                let reason = error.to_string();
                conversation
                    .complain(format!("{reason}\n/session new begins another, /quit leaves"));
                conversation.link = Link::Ended { reason };
                conversation.running = None;
            }
            // It was told when it ended; nothing more comes.
            None => {}
        }
    }

    fn reply(&mut self, id: u64, outcome: Result<Option<ServerMessage>, RequestError>) {
        let said = self.sent.iter().position(|(sent, _)| *sent == id);
        let said = said.map(|index| self.sent.swap_remove(index).1);
        match outcome {
            Ok(Some(ServerMessage::Unchanged { .. })) => {
                self.view.conversation.say("nothing changed");
            }
            Ok(_) => {}
            Err(error) => {
                self.view.conversation.complain(error.to_string());
                // What was typed is not lost.
                if let Some(said) = said
                    && self.view.prompt.text().is_empty()
                {
                    self.view.prompt.set(&said);
                }
            }
        }
    }

    fn ask(&mut self, request: ClientRequest) {
        let said = match &request {
            ClientRequest::UserMessage { text, .. } => Some(text.clone()),
            _ => None,
        };
        match (self.session.send(request), said) {
            (Ok(id), Some(said)) => self.sent.push((id, said)),
            (Ok(_), None) => {}
            (Err(error), said) => {
                self.view.conversation.complain(error.to_string());
                if let Some(said) = said {
                    self.view.prompt.set(&said);
                }
            }
        }
    }

    /// Does what a key asked for; false to leave.
    fn act(&mut self, action: Option<Action>) -> bool {
        let command = match action {
            None => return true,
            Some(Action::Quit) => return false,
            Some(Action::Request(request)) => {
                self.ask(request);
                return true;
            }
            Some(Action::Command(command)) => command,
        };
        let conversation = &mut self.view.conversation;
        match command {
            Command::Quit => return false,
            Command::Undo => self.ask(ClientRequest::Undo),
            Command::Redo => self.ask(ClientRequest::Redo),
            Command::Goal(goal) => match goal.request(true) {
                Some(request) => self.ask(request),
                None => conversation.say(match &conversation.goal {
                    Some(goal) => goal_words::whole(goal).join("\n"),
                    None => "there is no goal; /goal TEXT sets one".into(),
                }),
            },
            Command::Help => {
                let widest = HELP.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
                let line = |(usage, meaning): &(&str, &str)| format!("{usage:widest$}  {meaning}");
                let lines: Vec<String> = HELP.iter().map(line).collect();
                conversation.say(lines.join("\n"));
            }
            Command::Model(None) => {
                let current = &conversation.model;
                let line = |model: &protocol::ModelInfo| {
                    let mark = if model.id == *current { "*" } else { " " };
                    format!("{mark} {}", model.id)
                };
                let lines: Vec<String> = conversation.models.iter().map(line).collect();
                let text = format!("{}\n/model NAME chooses one", lines.join("\n"));
                conversation.say(text);
            }
            Command::Model(Some(model)) => {
                let request = ClientRequest::SelectModel { model, effort: None, temperature: None };
                self.ask(request);
            }
            Command::Session(None) => {
                let page = self.server.page(self.session.id());
                let text = format!("session {}\npage {page}", self.session.id());
                conversation.say(text);
            }
            Command::Session(Some(id)) => {
                let id = (id != "new").then_some(id);
                let server = self.server.clone();
                self.begin("opening the session", async move {
                    Done::Opened(Box::new(server.open(id.as_deref()).await))
                });
            }
            Command::Share(access) => {
                let (server, id) = (self.server.clone(), self.session.id().to_owned());
                let is_brief = self.in_process;
                self.begin("making a link", async move {
                    let link = server.share(&id, access).await;
                    let link = link.map_err(|error| error.to_string());
                    Done::Said(link.map(|link| match is_brief {
                        true => format!("{link}\n(answers on this machine, while this chat runs)"),
                        false => link,
                    }))
                });
            }
            Command::Render(file) => {
                let (server, id) = (self.server.clone(), self.session.id().to_owned());
                self.begin("rendering", async move { Done::Said(file.save(&server, &id).await) });
            }
        }
        true
    }

    fn begin(&mut self, what: &str, job: impl Future<Output = Done> + Send + 'static) {
        self.view.working = Some((what.to_owned(), Instant::now()));
        self.jobs.push(tokio::spawn(job));
    }

    fn finish(&mut self, done: Done) {
        if self.jobs.is_empty() {
            self.view.working = None;
        }
        match done {
            Done::Said(Ok(text)) => self.view.conversation.say(text),
            Done::Said(Err(error)) => self.view.conversation.complain(error),
            Done::Opened(opened) => match *opened {
                // Its welcome is its first update, and shows it.
                Ok(session) => {
                    self.session = session;
                    self.sent.clear();
                    self.view.picture.forget();
                }
                Err(error) => self.view.conversation.complain(error.to_string()),
            },
        }
    }

    /// Nothing comes from a session that has ended.
    fn has_ended(&self) -> bool {
        matches!(self.view.conversation.link, Link::Ended { .. })
    }

    /// How to come back.
    fn farewell(&self) -> String {
        let id = self.session.id();
        if !self.view.conversation.durable {
            return format!("session {id} was kept in memory only");
        }
        let server = match self.in_process {
            true => String::new(),
            false => format!(" --server {}", self.server.address()),
        };
        format!("go on with: scene-llm chat{server} --session {id}")
    }
}

/// Waits for one of the jobs. Never ends while there is none. May be dropped while it waits.
async fn next_done(jobs: &mut Vec<JoinHandle<Done>>) -> Done {
    if jobs.is_empty() {
        return std::future::pending().await;
    }
    let (done, index, _) = futures_util::future::select_all(jobs.iter_mut()).await;
    drop(jobs.swap_remove(index));
    done.unwrap_or_else(|error| Done::Said(Err(format!("it broke off: {error}"))))
}

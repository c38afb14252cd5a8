//! The chat in a terminal: full screen with the picture, or plain text for pipes and scripts.

mod command;
mod conversation;
mod goal;
mod goal_words;
mod interactive;
mod markdown;
mod options;
mod picture;
mod plain;
mod prompt;
mod render_file;
mod screen;
mod spans;
mod summary;
mod transcript;
mod view;

use std::time::Duration;

use anyhow::Context as _;
use client::{Server, Session};
use protocol::ClientRequest;

pub use goal::{GoalOptions, work_on_goal};
pub use options::Options;
pub use picture::PictureProtocol;

/// How long a chat that is stopped waits for its last request.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);

/// Talks until the user leaves, or `stop` comes. Full screen if standard input and output are a terminal
/// and there is not just one message.
pub async fn chat(
    server: &Server,
    options: &Options,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let mut session = open(server, options).await?;
    if options.is_full_screen() {
        return interactive::run(server, session, options, stop).await;
    }
    let done = tokio::select! {
        done = plain::run(server, &mut session, options) => done,
        () = stop => {
            // Nobody waits for the answer any more. A server that does not hear it goes on.
            let cancel = session.ask(ClientRequest::Cancel);
            let _ = tokio::time::timeout(CANCEL_TIMEOUT, cancel).await;
            Err(anyhow::anyhow!("stopped"))
        }
    };
    session.close().await;
    match done {
        // A reader that wants no more, as `head`, is no error.
        Err(error) if is_broken_pipe(&error) => Ok(()),
        done => done,
    }
}

/// The session, with the model and the scene that were asked for.
async fn open(server: &Server, options: &Options) -> anyhow::Result<Session> {
    let named = options.session.clone().or_else(|| server.address().session.clone());
    let mut session = server.open(named.as_deref()).await?;
    if let Some(model) = &options.model {
        let model = model.clone();
        let request = ClientRequest::SelectModel { model, effort: None, temperature: None };
        session.ask(request).await?;
    }
    if let Some(scene) = &options.scene {
        server.put_scene(session.id(), scene).await.context("the scene was not taken")?;
    }
    Ok(session)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests;

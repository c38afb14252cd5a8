//! Giving the answers of transcripts again.

use std::sync::Arc;
use std::time::Duration;

use evaluation::{Transcript, TranscriptCost};
use scene::Scene;
use session::{RunEnd, SessionEvent, Sessions, UserMessage};
use tokio::time::timeout;

use super::conversation::Listener;

/// Gives the answers of `transcript` to a session whose model is its script: what they cost, with `constant` bytes
/// of instruction and tools in each request, and the scene they made.
pub(super) async fn replay(
    sessions: &Sessions,
    transcript: &Transcript,
    constant: usize,
    time_limit: Duration,
) -> Result<(TranscriptCost, Arc<Scene>), String> {
    let session = sessions.create().await.map_err(|error| error.to_string())?;
    let attachment = session.attach(None).await.map_err(|error| error.to_string())?;
    let mut listener = Listener::new(&session, attachment.live, attachment.view.seq);
    let brief = UserMessage { text: transcript.brief.clone(), ..UserMessage::default() };
    session.say(brief).await.map_err(|error| error.to_string())?;
    let (mut results, mut failed) = (Vec::new(), 0);
    let all = async {
        loop {
            for event in listener.next().await? {
                match event {
                    SessionEvent::TurnStarted { .. } => results.push(0),
                    SessionEvent::ToolFinished { response, .. } => {
                        failed += usize::from(!response.success);
                        let told = serde_json::to_string(&response).map_or(0, |told| told.len());
                        if let Some(all) = results.last_mut() {
                            *all += told;
                        }
                    }
                    SessionEvent::RunFinished { reason: RunEnd::Error, message, .. } => {
                        return Err(message.unwrap_or_default());
                    }
                    SessionEvent::RunFinished { .. } => return Ok(()),
                    _ => {}
                }
            }
        }
    };
    let seconds = time_limit.as_secs();
    let ended = timeout(time_limit, all).await;
    ended.unwrap_or_else(|_| Err(format!("no end after {seconds} seconds")))?;
    let scene = session.scene().current().scene;
    session.cancel.cancel();
    let cost = TranscriptCost::of(transcript, results, [failed, scene.shapes.len()], constant);
    Ok((cost, scene))
}

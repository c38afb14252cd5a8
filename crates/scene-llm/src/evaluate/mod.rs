//! Evaluating a model on goals, in this process, through the same sessions that clients use.

mod conversation;
mod transcripts;
mod work;

use std::sync::Arc;
use std::time::Duration;

use evaluation::{Goal, GoalResult, Report, Transcript, TranscriptReport, Work, WorkReport};
use futures_util::{StreamExt, stream};
use scene::Scene;
use server::{InMemoryError, InMemorySessions, ModelsConfig};
use session::Verify;

/// Settings of an evaluation.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// The models; its `model` is the evaluated one.
    pub models: ModelsConfig,
    /// Concurrent dialogues.
    pub jobs: usize,
    /// The most model calls for one message.
    pub max_turns: u32,
    /// The most time for one message.
    pub time_limit: Duration,
}

/// Why transcripts could not be given again.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// There are no sessions.
    #[error(transparent)]
    Sessions(#[from] InMemoryError),
    /// A run ended with an error.
    #[error("the transcript '{name}' ended early: {reason}")]
    Ended {
        /// Its name.
        name: String,
        /// What happened.
        reason: String,
    },
}

impl Evaluation {
    /// Works on every goal until it is over, one after the other: each has models and sessions of its own.
    pub async fn work(&self, works: &[Work], verify: Verify) -> Result<WorkReport, InMemoryError> {
        let mut results = Vec::with_capacity(works.len());
        let mut model = String::new();
        for work in works {
            let mut models = self.models.clone();
            if work.script.is_some() {
                models.mock_responses.clone_from(&work.script);
                models.model = None;
            }
            let local = InMemorySessions::new(models, self.max_turns).await?;
            if work.script.is_none() || model.is_empty() {
                model = local.default_model();
            }
            results.push(work::hold(local.sessions(), work, verify, self.time_limit).await);
        }
        Ok(WorkReport { model, works: results })
    }

    /// Gives the answers of each transcript again, one after the other: each has a model and sessions of its own.
    /// `instruction` is the one that is counted; `told` gets the scene of each. An error names the transcript.
    pub async fn replay(
        &self,
        transcripts: &[Transcript],
        instruction: &str,
        mut told: impl FnMut(&Transcript, Arc<Scene>),
    ) -> Result<TranscriptReport, TranscriptError> {
        let mut report = TranscriptReport::default();
        for transcript in transcripts {
            let models = ModelsConfig {
                mock_responses: Some(transcript.as_script()),
                ..ModelsConfig::default()
            };
            let local = InMemorySessions::new(models, self.max_turns).await?;
            let sessions = local.sessions();
            let bytes = |tool: &Arc<dyn agent::Tool>| {
                let schema = tool.parameters().to_string();
                tool.name().len() + tool.description().len() + schema.len()
            };
            let constant = instruction.len() + sessions.tools().iter().map(bytes).sum::<usize>();
            let made = transcripts::replay(sessions, transcript, constant, self.time_limit).await;
            let (cost, scene) = made.map_err(|reason| TranscriptError::Ended {
                name: transcript.name.clone(),
                reason,
            })?;
            told(transcript, scene);
            report.costs.push(cost);
        }
        Ok(report)
    }

    /// Runs every goal and checks its expectations. `told` is called for each goal when it is done, in any
    /// order.
    pub async fn run(
        &self,
        goals: &[Goal],
        mut told: impl FnMut(&GoalResult),
    ) -> Result<Report, InMemoryError> {
        let local = InMemorySessions::new(self.models.clone(), self.max_turns).await?;
        let (sessions, model) = (local.sessions(), local.default_model());
        let mut running = stream::iter(goals.iter().enumerate())
            .map(|(number, goal)| {
                let held = conversation::hold(sessions, goal, self.time_limit);
                async move { (number, held.await) }
            })
            .buffer_unordered(self.jobs.max(1));
        let mut results = Vec::with_capacity(goals.len());
        while let Some((number, result)) = running.next().await {
            told(&result);
            results.push((number, result));
        }
        results.sort_by_key(|(number, _)| *number);
        let goals = results.into_iter().map(|(_, result)| result).collect();
        Ok(Report { model, goals })
    }
}

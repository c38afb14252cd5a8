//! `scene-llm eval`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use evaluation::{Goal, Report, Transcript, WorkReport, goals, transcripts, works};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::index::sample;
use server::ConfigFile;
use session::Verify;

use super::model_arguments::ModelArguments;
use crate::evaluate::Evaluation;

/// Measure how well a model builds: talks to it as a user would, and computes from the scenes whether it
/// did what was asked.
///
/// A goal is a dialogue with expectations such as "1 red sphere" or "sphere on ~table" after its
/// messages; evals/work holds goals that are worked on until their criteria hold, with planted failures;
/// evals/goals holds some for any model, evals/offline the corpus of the built-in one. Their
/// language is described in docs/evaluation.md. Keys and the configuration file
/// are those of `serve`.
///
/// Ends with 0 when all goals are met (or as many as --at-least says), with 1 otherwise.
#[derive(Debug, Args)]
pub(super) struct Arguments {
    /// The model, e.g. offline, gpt-5.5, anthropic/claude-opus-5-5 [default: that of new sessions].
    #[arg(long, env = "SCENE_LLM_MODEL", value_name = "NAME")]
    model: Option<String>,
    #[command(flatten)]
    models: ModelArguments,
    /// A file of goals, or a folder of such files.
    #[arg(long, value_name = "DIR|FILE", default_value = "evals/goals")]
    goals: PathBuf,
    /// In place of goals: answers of models that are kept, a file or a folder of them, which are given to the
    /// program again; prints what they cost.
    #[arg(long, value_name = "DIR|FILE", conflicts_with_all = ["goals", "sample"])]
    transcripts: Option<PathBuf>,
    /// With --transcripts: a file with another system instruction, to compare what it costs.
    #[arg(long, value_name = "FILE", requires = "transcripts")]
    instruction: Option<PathBuf>,
    /// With --transcripts: batches are done whole or not at all, and a fault has the whole batch sent again. Transcripts
    /// that correct one of several batches of an answer are left out.
    #[arg(long, requires = "transcripts")]
    all_or_nothing: bool,
    /// With --transcripts: a folder to write the scenes to.
    #[arg(long, value_name = "DIR", requires = "transcripts")]
    scenes: Option<PathBuf>,
    /// Only goals whose name, category or file has this in it; capitals do not matter.
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only so many of the goals, chosen by --seed: a glance at a model that costs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Chooses other goals for --sample.
    #[arg(long, value_name = "N", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// Dialogues at the same time.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=64))]
    jobs: u32,
    /// The most model calls for one message.
    #[arg(long, env = "SCENE_LLM_MAX_TURNS", default_value_t = agent::DEFAULT_MAX_TURNS, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    max_turns: u32,
    /// The most seconds for one message.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    time_limit: u64,
    /// Work on goals of evals/work a second time, without verifying and repairing in between, and tell how many
    /// criteria are met either way.
    #[arg(long)]
    compare_repair: bool,
    /// The percentage of goals that has to be met.
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0, value_parser = percentage)]
    at_least: f64,
    /// Write the whole report, with every answer, as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Print the table only, not what failed.
    #[arg(long)]
    quiet: bool,
}

fn percentage(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("must be a number from 0 to 100".into()),
    }
}

pub(super) fn run(arguments: &Arguments, file: Option<&ConfigFile>) -> anyhow::Result<()> {
    if let Some(path) = &arguments.transcripts {
        return arguments.replay(path, file);
    }
    if let Some(mut works) = works(&arguments.goals)? {
        let text = arguments.filter.as_deref().unwrap_or_default().to_lowercase();
        works.retain(|work| {
            let planted = work.planted.as_deref().unwrap_or_default();
            work.name.to_lowercase().contains(&text) || planted.to_lowercase().contains(&text)
        });
        if works.is_empty() {
            bail!("no goal has '{text}' in its name");
        }
        let evaluation = arguments.evaluation(file)?;
        let runtime = tokio::runtime::Runtime::new()?;
        let report = runtime.block_on(evaluation.work(&works, Verify::Pictures))?;
        if arguments.compare_repair {
            let without = runtime.block_on(evaluation.work(&works, Verify::Off))?;
            let ((met, all), (met_without, _)) = (report.criteria(), without.criteria());
            let mut out = std::io::stdout().lock();
            writeln!(out, "Without verifying and repairing:\n{without}")?;
            writeln!(
                out,
                "Criteria met: {met} of {all} with verifying and repairing, {met_without} without\n"
            )?;
        }
        return arguments.tell_work(&report);
    }
    let goals = arguments.chosen(goals(&arguments.goals)?);
    if goals.is_empty() {
        bail!("no goal has '{}' in its name", arguments.filter.as_deref().unwrap_or_default());
    }
    let evaluation = arguments.evaluation(file)?;
    let runtime = tokio::runtime::Runtime::new()?;
    let report = runtime.block_on(evaluation.run(&goals, |_| {}))?;
    arguments.tell(&report)
}

impl Arguments {
    fn evaluation(&self, file: Option<&ConfigFile>) -> anyhow::Result<Evaluation> {
        let mut models = self.models.read(file)?;
        models.model = self.model.clone().or(models.model);
        Ok(Evaluation {
            models,
            jobs: self.jobs as usize,
            max_turns: self.max_turns,
            time_limit: Duration::from_secs(self.time_limit),
        })
    }

    fn replay(&self, path: &Path, file: Option<&ConfigFile>) -> anyhow::Result<()> {
        let mut transcripts = transcripts(path)?;
        let text = self.filter.as_deref().unwrap_or_default().to_lowercase();
        transcripts.retain(|transcript| transcript.name.to_lowercase().contains(&text));
        if transcripts.is_empty() {
            bail!("there are no transcripts with '{text}' in their name at '{}'", path.display());
        }
        if self.all_or_nothing {
            transcripts = transcripts.iter().filter_map(Transcript::all_or_nothing).collect();
        }
        let instruction = match &self.instruction {
            Some(file) => std::fs::read_to_string(file)
                .with_context(|| format!("cannot read '{}'", file.display()))?,
            None => studio::INSTRUCTION.to_owned(),
        };
        let evaluation = self.evaluation(file)?;
        let runtime = tokio::runtime::Runtime::new()?;
        let mut scenes = Vec::new();
        let replayed = evaluation.replay(&transcripts, &instruction, |transcript, scene| {
            scenes.push((transcript.name.clone(), scene));
        });
        let report = runtime.block_on(replayed)?;
        if let Some(folder) = &self.scenes {
            for (name, scene) in scenes {
                let file = folder.join(format!("{name}.json"));
                std::fs::write(&file, scene.to_json().to_string())
                    .with_context(|| format!("cannot write '{}'", file.display()))?;
            }
        }
        write!(std::io::stdout().lock(), "{report}")?;
        if let Some(file) = &self.json {
            std::fs::write(file, serde_json::to_string_pretty(&report)? + "\n")
                .with_context(|| format!("cannot write '{}'", file.display()))?;
        }
        Ok(())
    }

    fn tell_work(&self, report: &WorkReport) -> anyhow::Result<()> {
        write!(std::io::stdout().lock(), "{report}")?;
        if let Some(file) = &self.json {
            let text = serde_json::to_string_pretty(report)? + "\n";
            std::fs::write(file, text)
                .with_context(|| format!("cannot write '{}'", file.display()))?;
        }
        let (percent, least) = (report.percent(), self.at_least);
        if percent < least {
            bail!("{percent:.1} % of the goals ended as they had to, {least} % have to");
        }
        Ok(())
    }

    fn chosen(&self, mut goals: Vec<Goal>) -> Vec<Goal> {
        if let Some(text) = self.filter.as_ref().map(|text| text.to_lowercase()) {
            let has = |field: &str| field.to_lowercase().contains(&text);
            goals.retain(|goal| {
                has(&goal.name) || has(&goal.category) || has(&goal.file.to_string_lossy())
            });
        }
        let Some(count) = self.sample.map(|count| (count as usize).min(goals.len())) else {
            return goals;
        };
        let mut chosen =
            sample(&mut StdRng::seed_from_u64(self.seed), goals.len(), count).into_vec();
        chosen.sort_unstable();
        chosen.into_iter().map(|at| goals[at].clone()).collect()
    }

    fn tell(&self, report: &Report) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        if !self.quiet {
            write!(out, "{}", report.failures())?;
        }
        write!(out, "{report}")?;
        if let Some(file) = &self.json {
            let text = serde_json::to_string_pretty(&report.to_json())?;
            std::fs::write(file, text + "\n")
                .with_context(|| format!("cannot write '{}'", file.display()))?;
        }
        let (percent, least) = (report.share().percent(), self.at_least);
        if percent < least {
            bail!("{percent:.1} % of the goals are met, {least} % have to be");
        }
        Ok(())
    }
}

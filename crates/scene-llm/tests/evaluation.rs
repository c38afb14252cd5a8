//! The built-in model held against the goals of the repository. What it has to reach is what it reaches:
//! raise the thresholds as it gets better. `--nocapture` shows the tables, `scene-llm eval` every failure.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::print_stdout, reason = "the tables are what this is run for")]

use std::path::Path;
use std::time::Duration;

use evaluation::{Goal, Report, goals};
use scene_llm::Evaluation;
use server::{InMemoryError, ModelsConfig};
use session::Verify;

fn of_repository(folder: &str) -> Vec<Goal> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals");
    goals(&root.join(folder)).unwrap()
}

fn evaluation(models: ModelsConfig) -> Evaluation {
    Evaluation { models, jobs: 2, max_turns: 10, time_limit: Duration::from_secs(300) }
}

async fn offline(goals: &[Goal]) -> Report {
    let models = ModelsConfig { model: Some("offline".into()), ..ModelsConfig::default() };
    let report = evaluation(models).run(goals, |_| {}).await.unwrap();
    println!("{report}");
    report
}

#[track_caller]
fn assert_at_least(percent: f64, report: &Report) {
    let share = report.share();
    assert!(
        share.percent() >= percent,
        "{} of {} goals are met, {:.1} %, and {percent} % were before:\n{}",
        share.passed,
        share.of,
        share.percent(),
        report.failures()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_offline_model_meets_the_general_goals_it_met_before() {
    let goals = of_repository("goals");
    assert!(goals.len() >= 60, "{}", goals.len());
    assert_at_least(GENERAL, &offline(&goals).await);
}

#[tokio::test]
async fn refused_calls_recoveries_and_turns_are_counted() {
    let goals: Vec<Goal> = of_repository("goals")
        .into_iter()
        .filter(|goal| goal.name == "Add a red sphere.")
        .collect();
    let script = r#"[
        {"tool_calls": [{"name": "create_shape", "arguments": {"id": "ball", "type": "sphere"}}]},
        {"tool_calls": [{"name": "create_shape", "arguments": {"id": "ball", "type": "sphere", "properties":
            {"center": [0, 0, 0], "radius": 1, "material": {"type": "lambertian", "albedo": [0.8, 0.1, 0.1]}}}}]},
        "A red ball."]"#;
    let models = ModelsConfig { mock_responses: Some(script.into()), ..ModelsConfig::default() };
    let mut told = Vec::new();
    let report = evaluation(models).run(&goals, |goal| told.push(goal.name.clone())).await.unwrap();
    let message = &report.goals[0].messages[0];
    assert_eq!((message.turns, message.calls), (3, 2));
    assert_eq!((message.invalid_calls, message.recoveries), (1, 1));
    assert_eq!(message.answer, "A red ball.");
    assert!(report.goals[0].passed(), "{}", report.failures());
    assert_eq!(told, ["Add a red sphere."]);
}

#[tokio::test]
async fn a_wrong_scene_fails_and_says_what_was_found() {
    let goals: Vec<Goal> = of_repository("goals")
        .into_iter()
        .filter(|goal| goal.name == "Add a red sphere.")
        .collect();
    let models =
        ModelsConfig { mock_responses: Some(r#"["Done."]"#.into()), ..ModelsConfig::default() };
    let report = evaluation(models).run(&goals, |_| {}).await.unwrap();
    let failure = &report.goals[0].messages[0].failures[0];
    assert_eq!(failure.expected, "1 red sphere");
    assert_eq!(failure.found, "0; there are no things at all");
}

#[tokio::test]
async fn a_model_without_a_key_is_refused_by_name() {
    let models = ModelsConfig { model: Some("gpt-5.5".into()), ..ModelsConfig::default() };
    let error = evaluation(models).run(&[], |_| {}).await.unwrap_err();
    assert!(matches!(error, InMemoryError::Models(_)) && error.to_string().contains("gpt-5.5"));
}

/// Percent of the general goals.
const GENERAL: f64 = 64.0;

/// Percent of the requests of the built-in model's corpus.
const CORPUS: f64 = 80.0;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_offline_model_understands_as_much_of_its_corpus_as_before() {
    let goals = of_repository("offline");
    assert!(goals.len() >= 600, "{}", goals.len());
    assert_at_least(CORPUS, &offline(&goals).await);
}

/// E8: completion, attempts, and recovery from planted failures.
#[tokio::test]
async fn goals_that_are_worked_on_end_as_they_have_to_and_planted_failures_are_survived() {
    let report = worked("", Verify::Pictures).await;
    assert!((report.percent() - 100.0).abs() < f64::EPSILON, "{report}");
    assert_eq!(report.recovered(), (9, 9), "{report}");
}

/// E8: the same goals at equal turns, with mistakes that a scripted model corrects when it is told of them.
#[tokio::test]
async fn verifying_and_repairing_meets_more_criteria_at_equal_turns() {
    let (with, without) = (
        worked("mistakes.toml", Verify::Computed).await,
        worked("mistakes.toml", Verify::Off).await,
    );
    assert_eq!(with.criteria(), (9, 9), "{with}");
    assert_eq!(without.criteria(), (4, 9), "{without}");
    for work in &without.works {
        assert_eq!(work.status, "failed", "{without}");
        assert!(work.reason.contains("unmet"), "{without}");
    }
}

/// What came of the goals of a file in `evals/work`, or of all.
async fn worked(file: &str, verify: Verify) -> evaluation::WorkReport {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/work").join(file);
    let works = evaluation::works(&folder).unwrap().unwrap();
    let models = ModelsConfig { model: Some("offline".into()), ..ModelsConfig::default() };
    let time_limit = Duration::from_secs(240);
    let evaluation = Evaluation { models, jobs: 1, max_turns: 10, time_limit };
    evaluation.work(&works, verify).await.unwrap()
}

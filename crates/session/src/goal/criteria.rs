//! The criteria of goals over the scene: the sentences of `evaluation`, and `check_scene`.

use std::collections::BTreeSet;
use std::sync::Arc;

use agent::Tool;
use evaluation::{Expectation, Moment};
use goals::{Criteria, Criterion, Verdict, check_criteria};
use scene::{Assets, FindingKind, Scene};
use serde_json::{Value, json};
use studio::SharedScene;

use super::look::{Eyes, statement, unknown};

/// The criterion that the scene check finds nothing; kinds of findings after it are the ones that count.
const CHECK_SCENE: &str = "check_scene";
/// Messages of findings that an unmet criterion tells.
const MAX_TOLD: usize = 5;

/// What is needed to check criteria of the present scene.
#[derive(Clone)]
pub(crate) struct Examination {
    /// The scene when the goal was set: sentences that compare do so with it.
    pub(crate) base: Arc<Scene>,
    /// The live scene.
    pub(crate) scene: Arc<SharedScene>,
    /// The tool that finds likely mistakes.
    pub(crate) checker: Option<Arc<dyn Tool>>,
    /// Looks at the picture; `None` if the session's model does not see.
    pub(crate) eyes: Option<Eyes>,
}

/// Why a criterion about the picture could not be checked.
const BLIND: &str =
    "the session's model does not see pictures; choose one that does, or look yourself";

impl Examination {
    /// Checks criteria, on a blocking thread: distances and pictures take a while.
    pub(crate) async fn check(&self, criteria: Vec<Criterion>) -> Vec<Verdict> {
        let is_seen = |criterion: &Criterion| statement(&criterion.text).is_some();
        let (seen, computed): (Vec<_>, Vec<_>) = criteria.into_iter().partition(is_seen);
        let mut verdicts = self.compute(computed).await;
        verdicts.extend(match &self.eyes {
            _ if seen.is_empty() => Vec::new(),
            Some(eyes) => eyes.judge(seen).await,
            None => seen.into_iter().map(|criterion| unknown(criterion, BLIND)).collect(),
        });
        verdicts
    }

    async fn compute(&self, criteria: Vec<Criterion>) -> Vec<Verdict> {
        if criteria.is_empty() {
            return Vec::new();
        }
        let asks = criteria.iter().any(|criterion| kinds_to_check(&criterion.text).is_some());
        let report = if asks { self.report().await } else { Value::Null };
        let (revision, assets) = self.scene.with_assets();
        let (base, texts) = (Arc::clone(&self.base), criteria.clone());
        let checked = tokio::task::spawn_blocking(move || {
            let after = revision.scene;
            let by =
                SceneCriteria { base: &base, after: &after, assets: &*assets, report: &report };
            check_criteria(&texts, &by)
        });
        checked.await.unwrap_or_else(|panic| {
            let found = Some(format!("it could not be checked: {panic}"));
            let verdict = |criterion: Criterion| {
                let found = found.clone();
                Verdict { text: criterion.text, found, unknown: false }
            };
            criteria.into_iter().map(verdict).collect()
        })
    }

    /// What `check_scene` answers.
    pub(crate) async fn report(&self) -> Value {
        match &self.checker {
            Some(checker) => match checker.call(json!({})).await.outcome {
                Ok(report) => report,
                Err(error) => json!({ "ok": false, "findings": [{ "message": error }] }),
            },
            None => Value::Null,
        }
    }
}

/// Criteria of one moment.
pub(crate) struct SceneCriteria<'a> {
    pub(crate) base: &'a Scene,
    pub(crate) after: &'a Scene,
    pub(crate) assets: &'a dyn Assets,
    /// The answer of `check_scene`, if a criterion needs it.
    pub(crate) report: &'a Value,
}

impl Criteria for SceneCriteria<'_> {
    fn read(&self, criterion: &str) -> Result<(), String> {
        if let Some(statement) = statement(criterion) {
            return match statement.is_empty() {
                true => {
                    Err("after 'picture:' stands what the picture has to show, e.g. 'picture: the \
                             bottle is the brightest thing'"
                        .into())
                }
                false => Ok(()),
            };
        }
        if let Some(kinds) = kinds_to_check(criterion) {
            let known = FindingKind::ALL.map(FindingKind::name);
            return match kinds.iter().find(|kind| !known.contains(kind)) {
                Some(kind) => Err(format!(
                    "'{kind}' is no kind of finding; after check_scene may stand: {}",
                    known.join(", ")
                )),
                None => Ok(()),
            };
        }
        let read = Expectation::parse(criterion);
        read.map(drop).map_err(|error| {
            format!("{error}; write it as docs/evaluation.md tells, e.g. '4 ~chair around ~table'")
        })
    }

    fn check(&self, criterion: &str) -> Result<(), String> {
        if statement(criterion).is_some() {
            return Err("this is told by a look at the picture".into());
        }
        if let Some(kinds) = kinds_to_check(criterion) {
            return match messages(self.report, &kinds).as_slice() {
                [] => Ok(()),
                found => Err(found[..found.len().min(MAX_TOLD)].join(" ")),
            };
        }
        let read = Expectation::parse(criterion).map_err(|error| error.to_string())?;
        let moment = Moment::new(self.base, self.after, None, "", self.assets);
        read.check(&moment)
    }
}

/// The kinds of findings of a criterion about the scene check; none means all kinds.
fn kinds_to_check(criterion: &str) -> Option<Vec<&str>> {
    let mut words = criterion.split_whitespace();
    (words.next() == Some(CHECK_SCENE)).then(|| words.collect())
}

/// What a report tells of these kinds; without kinds, of all.
fn messages(report: &Value, kinds: &[&str]) -> Vec<String> {
    let findings = report["findings"].as_array().map_or(&[][..], Vec::as_slice);
    let counts = |finding: &&Value| {
        kinds.is_empty() || finding["check"].as_str().is_none_or(|kind| kinds.contains(&kind))
    };
    let message = |finding: &Value| finding["message"].as_str().map(str::to_owned);
    findings.iter().filter(counts).filter_map(message).collect()
}

/// Overlaps and floating objects of a report: what is wrong in any scene, finished or not.
#[derive(Debug, Clone, Default)]
pub(crate) struct Faults(Vec<Fault>);

#[derive(Debug, Clone)]
struct Fault {
    /// Kind and ids.
    key: (String, Vec<String>),
    message: String,
    fix: Option<Value>,
}

/// The faults that a report of `check_scene` tells.
pub(crate) fn faults_of(report: &Value) -> Faults {
    let kinds = [FindingKind::Overlap, FindingKind::Floating].map(FindingKind::name);
    let findings = report["findings"].as_array().map_or(&[][..], Vec::as_slice);
    let fault = |finding: &Value| {
        let kind = finding["check"].as_str().filter(|kind| kinds.contains(kind))?;
        let ids = finding["ids"].as_array()?.iter().filter_map(Value::as_str).map(str::to_owned);
        Some(Fault {
            key: (kind.to_owned(), ids.collect()),
            message: finding["message"].as_str()?.to_owned(),
            fix: finding.get("fix").filter(|fix| fix.is_object()).cloned(),
        })
    };
    Faults(findings.iter().filter_map(fault).collect())
}

impl Faults {
    /// Those that `before` does not have.
    pub(crate) fn since(&self, before: &Self) -> Self {
        let known: BTreeSet<_> = before.0.iter().map(|fault| &fault.key).collect();
        Self(self.0.iter().filter(|fault| !known.contains(&fault.key)).cloned().collect())
    }

    /// What they tell.
    pub(crate) fn messages(&self) -> Vec<String> {
        self.0.iter().map(|fault| fault.message.clone()).collect()
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The calls `(name, args)` that mend them.
    pub(crate) fn fixes(&self) -> Vec<(String, Value)> {
        let fix = |fault: &Fault| {
            let fix = fault.fix.as_ref()?;
            Some((fix["name"].as_str()?.to_owned(), fix["args"].clone()))
        };
        self.0.iter().filter_map(fix).collect()
    }
}

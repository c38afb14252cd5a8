//! The tools of a model that works on a goal. A claim that a task is done is checked by computation.

use std::sync::Arc;

use agent::{Access, Tool, ToolOutput};
use async_trait::async_trait;
use goals::{Source, TaskEnd, Verify, WantedTask};
use serde::Deserialize;
use serde_json::{Value, json};

use super::criteria::{Examination, SceneCriteria};
use super::live::LiveGoal;

/// The tools for a run that works on `goal`.
pub(crate) fn goal_tools(goal: &LiveGoal, examination: &Examination) -> Vec<Arc<dyn Tool>> {
    let tool = |kind| {
        Arc::new(GoalTool { kind, goal: goal.clone(), examination: examination.clone() })
            as Arc<dyn Tool>
    };
    [Kind::SetPlan, Kind::UpdateTask, Kind::ReportBlocked, Kind::AskUser].map(tool).to_vec()
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    SetPlan,
    UpdateTask,
    ReportBlocked,
    AskUser,
}

struct GoalTool {
    kind: Kind,
    goal: LiveGoal,
    examination: Examination,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlanArguments {
    tasks: Vec<WantedTask>,
    #[serde(default)]
    criteria: Vec<String>,
    #[serde(default)]
    why: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Claim {
    Completed,
    Failed,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaskArguments {
    id: String,
    status: Claim,
    #[serde(default)]
    result: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReasonArguments {
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionArguments {
    question: String,
}

#[async_trait]
impl Tool for GoalTool {
    fn name(&self) -> &str {
        match self.kind {
            Kind::SetPlan => "set_plan",
            Kind::UpdateTask => "update_task",
            Kind::ReportBlocked => "report_blocked",
            Kind::AskUser => "ask_user",
        }
    }

    fn description(&self) -> &str {
        match self.kind {
            Kind::SetPlan => {
                "Sets the plan of the goal: tasks with the ids of those they depend on, and criteria that are \
                 computed, such as '4 ~chair around ~table', '1 ~desk next-to ~wall', 'no-overlap', \
                 'all-in-view', 'check_scene', or seen, such as \
                 'picture: the desk looks tidy'. Completed tasks stay. 'criteria' adds to those of the goal."
            }
            Kind::UpdateTask => {
                "Tells that the task under way is completed (its criteria are checked at once) or failed, with \
                 a sentence as result."
            }
            Kind::ReportBlocked => {
                "Tells that the goal or the task under way cannot be reached, and why."
            }
            Kind::AskUser => {
                "Asks the user what only the user knows. End your answer afterwards; the work goes on with \
                 the user's answer."
            }
        }
    }

    fn parameters(&self) -> Arc<Value> {
        let text = json!({ "type": "string" });
        let texts = json!({ "type": "array", "items": text });
        let parameters = match self.kind {
            Kind::SetPlan => json!({
                "type": "object",
                "properties": {
                    "tasks": { "type": "array", "items": {
                        "type": "object",
                        "properties": {
                            "id": text, "description": text, "depends_on": texts, "criteria": texts
                        },
                        "required": ["id", "description"]
                    } },
                    "criteria": texts,
                    "why": text
                },
                "required": ["tasks"]
            }),
            Kind::UpdateTask => json!({
                "type": "object",
                "properties": {
                    "id": text,
                    "status": { "type": "string", "enum": ["completed", "failed"] },
                    "result": text
                },
                "required": ["id", "status"]
            }),
            Kind::ReportBlocked => json!({
                "type": "object", "properties": { "reason": text }, "required": ["reason"]
            }),
            Kind::AskUser => json!({
                "type": "object", "properties": { "question": text }, "required": ["question"]
            }),
        };
        parameters.into()
    }

    fn access(&self) -> Access {
        Access::Changes
    }

    async fn call(&self, args: Value) -> ToolOutput {
        let done = match self.kind {
            Kind::SetPlan => read(args).and_then(|args| self.set_plan(&args)),
            Kind::UpdateTask => match read(args) {
                Ok(args) => self.update_task(args).await,
                Err(error) => Err(error),
            },
            Kind::ReportBlocked => read(args).and_then(|args| self.report_blocked(args)),
            Kind::AskUser => read(args).and_then(|args| self.ask_user(&args)),
        };
        match done {
            Ok(result) => ToolOutput::success(result),
            Err(error) => ToolOutput::failure(error),
        }
    }
}

fn read<T: serde::de::DeserializeOwned>(args: Value) -> Result<T, String> {
    serde_json::from_value(args).map_err(|error| error.to_string())
}

const NO_GOAL: &str = "no goal is being worked on";

impl GoalTool {
    fn set_plan(&self, args: &PlanArguments) -> Result<Value, String> {
        let (revision, assets) = self.examination.scene.with_assets();
        let by = SceneCriteria {
            base: &self.examination.base,
            after: &revision.scene,
            assets: &*assets,
            report: &Value::Null,
        };
        let set = self.goal.change(|goal, tell| {
            if !goal.status.is_working() {
                return Err(NO_GOAL.to_owned());
            }
            let why = args.why.as_deref().unwrap_or("the model made it");
            let change = goal.set_plan(&args.tasks, &args.criteria, Source::Model, why, &by);
            let change = change.map_err(|error| error.to_string())?;
            tell(change, goal);
            let ready: Vec<&str> = goal.plan.ready().map(|task| task.id.as_str()).collect();
            Ok(json!({
                "tasks": goal.plan.tasks().len(),
                "ready": ready,
                "criteria": goal.criteria.iter().map(|c| &c.text).collect::<Vec<_>>(),
                "note": "End your answer now; the ready tasks are given to you one by one."
            }))
        });
        set.unwrap_or_else(|| Err(NO_GOAL.to_owned()))
    }

    async fn update_task(&self, args: TaskArguments) -> Result<Value, String> {
        let goal = self.goal.get().filter(|goal| goal.status.is_working()).ok_or(NO_GOAL)?;
        let task =
            goal.plan.in_progress().filter(|task| task.id == args.id).ok_or_else(|| match goal
                .plan
                .in_progress()
            {
                Some(task) => {
                    format!("only the task under way can be told of, which is '{}'", task.id)
                }
                None => "no task is under way".into(),
            })?;
        if matches!(args.status, Claim::Failed) {
            let why = args.result.unwrap_or_else(|| "the model gave it up".into());
            self.goal.report(why);
            return Ok(json!({ "task": args.id, "note": "End your answer now." }));
        }
        let checked = match goal.verify {
            Verify::Off => Vec::new(),
            _ => task.criteria.clone(),
        };
        let verdicts = self.examination.check(checked).await;
        let unmet: Vec<String> = verdicts
            .iter()
            .filter(|verdict| !verdict.unknown)
            .filter_map(|verdict| Some(format!("'{}': {}", verdict.text, verdict.found.as_ref()?)))
            .collect();
        if !unmet.is_empty() {
            let unmet = unmet.join("; ");
            return Err(format!("task '{}' is not completed, these do not hold: {unmet}", args.id));
        }
        let end = TaskEnd { verdicts, said: args.result, ..TaskEnd::default() };
        self.goal.change(|goal, tell| {
            for change in goal.task_ended(&args.id, end, true) {
                tell(change, goal);
            }
        });
        Ok(json!({ "task": args.id, "status": "completed", "note": "End your answer now." }))
    }

    fn report_blocked(&self, args: ReasonArguments) -> Result<Value, String> {
        let in_task = self.goal.get().filter(|goal| goal.status.is_working()).ok_or(NO_GOAL)?;
        match in_task.plan.in_progress() {
            Some(_) => self.goal.report(args.reason),
            None => {
                self.goal.change(|goal, tell| {
                    let change = goal.block(&args.reason);
                    tell(change, goal);
                });
            }
        }
        Ok(json!({ "note": "End your answer now." }))
    }

    fn ask_user(&self, args: &QuestionArguments) -> Result<Value, String> {
        let question = args.question.trim();
        if question.is_empty() {
            return Err("'question' is empty".into());
        }
        let asked = self.goal.change(|goal, tell| {
            if !goal.may_ask {
                return Err("nobody is there to answer; decide it yourself".to_owned());
            }
            let task = goal.plan.in_progress().map(|task| task.id.clone());
            let change = goal.ask(question, task).map_err(|error| error.to_string())?;
            tell(change, goal);
            Ok(json!({ "note": "The question is put. End your answer now." }))
        });
        asked.unwrap_or_else(|| Err(NO_GOAL.to_owned()))
    }
}

//! Plans: calls with dependencies, as one JSON object.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::found::Found;
use super::json::{Meaning, object_of};
use crate::content::Part;

/// The form of a plan, for the model.
const FORM: &str = "{\"status\": \"continue\" or \"done\", \"reasoning\": \"why\", \"action\": \"what \
                    the person reads\", \"tools\": [{\"id\": \"a\", \"tool\": \"tool_name\", \
                    \"args\": {}, \"needs\": []}]}";

/// Objects with a `status` and maybe `tools`.
pub(super) struct Plans;

impl Meaning for Plans {
    fn read(&self, plan: &Map<String, Value>) -> Option<Result<Vec<Found>, String>> {
        if !plan.contains_key("status") && !plan.contains_key("tools") {
            return None;
        }
        Some(read(plan))
    }

    fn is_meant(&self, text: &str) -> bool {
        text.contains("\"status\"") || text.contains("\"tools\"")
    }

    fn form(&self) -> &'static str {
        FORM
    }
}

fn read(plan: &Map<String, Value>) -> Result<Vec<Found>, String> {
    let text = |name: &str| plan.get(name).and_then(Value::as_str).unwrap_or_default();
    let status = text("status");
    if !matches!(status, "continue" | "done" | "") {
        return Err(format!("\"status\" must be \"continue\" or \"done\", got {status:?}"));
    }
    let mut found = Vec::new();
    if !text("reasoning").is_empty() {
        found.push(Found::Thought(text("reasoning").to_owned()));
    }
    if !text("action").is_empty() {
        found.push(Found::Text(text("action").to_owned()));
    }
    let calls = match plan.get("tools") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(calls)) => {
            calls.iter().enumerate().map(call).collect::<Result<_, _>>()?
        }
        Some(_) => return Err("\"tools\" must be an array".into()),
    };
    if status == "continue" && calls.is_empty() {
        return Err("\"status\" is \"continue\", but \"tools\" is empty".into());
    }
    check_order(&calls)?;
    found.extend(calls.into_iter().map(|call| {
        Found::Call(Part::ordered_call(&call.id, &call.name, Value::Object(call.args), &call.needs))
    }));
    Ok(found)
}

struct Planned {
    id: String,
    name: String,
    args: Map<String, Value>,
    needs: Vec<String>,
}

fn call((index, value): (usize, &Value)) -> Result<Planned, String> {
    // Ids are often numbers.
    let word = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let id = word(&value["id"]).unwrap_or_else(|| format!("#{}", index + 1));
    let name = value["tool"].as_str().or(value["name"].as_str()).unwrap_or_default().to_owned();
    if name.is_empty() {
        return Err(format!("tool {id:?} has no \"tool\": name the tool to call"));
    }
    let args = object_of(value.get("args").or(value.get("arguments")))
        .ok_or_else(|| format!("the \"args\" of {id:?} must be a JSON object"))?;
    let needs = match value.get("needs") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(needs)) => needs
            .iter()
            .map(|need| word(need).ok_or_else(|| format!("the \"needs\" of {id:?} must be ids")))
            .collect::<Result<_, _>>()?,
        Some(_) => return Err(format!("the \"needs\" of {id:?} must be an array of ids")),
    };
    Ok(Planned { id, name, args, needs })
}

/// Refuses ids that occur twice or are needed and not there, and circles.
fn check_order(calls: &[Planned]) -> Result<(), String> {
    let mut by_id = HashMap::new();
    for call in calls {
        if by_id.insert(call.id.as_str(), call).is_some() {
            return Err(format!("the id {:?} stands for two tools", call.id));
        }
    }
    for call in calls {
        if let Some(missing) = call.needs.iter().find(|need| !by_id.contains_key(need.as_str())) {
            return Err(format!("{:?} needs {missing:?}, which is not in this plan", call.id));
        }
    }
    let mut done: HashSet<&str> = HashSet::new();
    while done.len() < calls.len() {
        let ready: Vec<&str> = calls
            .iter()
            .filter(|call| !done.contains(call.id.as_str()))
            .filter(|call| call.needs.iter().all(|need| done.contains(need.as_str())))
            .map(|call| call.id.as_str())
            .collect();
        if ready.is_empty() {
            let left = calls.iter().filter(|call| !done.contains(call.id.as_str()));
            let circle: Vec<&str> = left.map(|call| call.id.as_str()).collect();
            return Err(format!("these need each other in a circle: {}", circle.join(", ")));
        }
        done.extend(ready);
    }
    Ok(())
}

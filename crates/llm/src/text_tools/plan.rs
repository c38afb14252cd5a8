//! Lists of calls, and plans: calls that may depend on each other.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use super::items::{Call, Interpretation, Item, Order, thoughts};
use super::tools::Tools;
use super::words::{self, plain};

/// Parses an object with calls in `list`, under `key`; `read_item` parses one of them.
pub(super) fn read(
    object: &Map<String, Value>,
    key: &str,
    list: &Value,
    tools: &Tools,
    read_item: impl Fn(&Value) -> Interpretation,
) -> Result<Vec<Item>, String> {
    let text = list.as_str().map(super::literal::whole).transpose()?;
    let one;
    let values: &[Value] = match text.as_ref().unwrap_or(list) {
        Value::Array(values) => values,
        Value::Null => &[],
        object @ Value::Object(_) => {
            one = [object.clone()];
            &one
        }
        _ => return Err(format!("{key:?} must be an array")),
    };
    let status = status(object)?;
    if status.as_deref() == Some("continue") && values.is_empty() {
        return Err(format!("\"status\" is \"continue\", but {key:?} is empty"));
    }
    let mut items = about(object);
    if items.is_empty() && values.is_empty() {
        return Err(format!("{key:?} is empty: answer in plain words when nothing is left to do"));
    }
    let is_plan = status.is_some() || plain(key) == "tools";
    for (index, value) in values.iter().enumerate() {
        let Value::Object(written) = value else {
            items.extend(
                read_item(value)
                    .unwrap_or_else(|| Err(format!("every item of {key:?} must be an object")))?,
            );
            continue;
        };
        let read = read_item(value).unwrap_or_else(|| Err(nameless(written, tools)))?;
        let order = order(written, index, is_plan)?;
        items.extend(read.into_iter().map(|item| match item {
            Item::Call(call) => Item::Call(Call { order: order.clone(), ..call }),
            other => other,
        }));
    }
    check_order(&items)?;
    Ok(items)
}

/// Parses a plan without calls; `None` for other objects with a `status`.
pub(super) fn read_status(
    object: &Map<String, Value>,
    tools: &Tools,
) -> Option<Result<Vec<Item>, String>> {
    object.get("status")?.as_str()?;
    if !tools.speak_plans() && !object.contains_key("action") {
        return None;
    }
    Some(match status(object) {
        Ok(Some(status)) if status == "continue" => {
            Err("\"status\" is \"continue\", but \"tools\" is empty".into())
        }
        Ok(_) => Ok(about(object)),
        Err(why) => Err(why),
    })
}

fn status(object: &Map<String, Value>) -> Result<Option<String>, String> {
    let status = object.get("status").and_then(Value::as_str).unwrap_or_default();
    match status.to_lowercase().as_str() {
        "" => Ok(None),
        known @ ("continue" | "done") => Ok(Some(known.to_owned())),
        _ => Err(format!("\"status\" must be \"continue\" or \"done\", got {status:?}")),
    }
}

/// The thoughts and texts of the object.
fn about(object: &Map<String, Value>) -> Vec<Item> {
    let mut items = thoughts(object, None);
    let texts = object.iter().filter(|(key, _)| words::is_text(&plain(key)));
    let texts = texts.filter_map(|(_, text)| text.as_str()).filter(|text| !text.is_empty());
    items.extend(texts.map(|text| Item::Text(text.to_owned())));
    items
}

fn nameless(object: &Map<String, Value>, tools: &Tools) -> String {
    let name = object
        .iter()
        .filter(|(key, _)| words::is_name(&plain(key)))
        .find_map(|(_, name)| name.as_str().filter(|name| !name.is_empty()));
    name.map_or_else(|| "a call has no \"name\"".into(), |name| tools.unknown(name))
}

fn order(
    object: &Map<String, Value>,
    index: usize,
    is_plan: bool,
) -> Result<Option<Order>, String> {
    // Ids are often numbers.
    let word = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let needs = object.iter().find(|(key, _)| words::are_needs(&plain(key)));
    if !is_plan && needs.is_none() {
        return Ok(None);
    }
    let id = object.get("id").and_then(word).unwrap_or_else(|| format!("#{}", index + 1));
    let needs = match needs.map(|(_, needs)| needs) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(needs)) => needs
            .iter()
            .map(|need| word(need).ok_or_else(|| format!("the \"needs\" of {id:?} must be ids")))
            .collect::<Result<_, _>>()?,
        Some(one) => {
            vec![
                word(one)
                    .ok_or_else(|| format!("the \"needs\" of {id:?} must be an array of ids"))?,
            ]
        }
    };
    Ok(Some(Order { id, needs }))
}

/// Refuses duplicate ids, unknown dependencies and cycles.
fn check_order(items: &[Item]) -> Result<(), String> {
    let orders: Vec<&Order> = items
        .iter()
        .filter_map(|item| match item {
            Item::Call(call) => call.order.as_ref(),
            _ => None,
        })
        .collect();
    let mut by_id = HashMap::new();
    for order in &orders {
        if by_id.insert(order.id.as_str(), *order).is_some() {
            return Err(format!("the id {:?} stands for two tools", order.id));
        }
    }
    for order in &orders {
        if let Some(missing) = order.needs.iter().find(|need| !by_id.contains_key(need.as_str())) {
            return Err(format!("{:?} needs {missing:?}, which is not in this plan", order.id));
        }
    }
    let mut done: HashSet<&str> = HashSet::new();
    while done.len() < orders.len() {
        let ready: Vec<&str> = orders
            .iter()
            .filter(|order| !done.contains(order.id.as_str()))
            .filter(|order| order.needs.iter().all(|need| done.contains(need.as_str())))
            .map(|order| order.id.as_str())
            .collect();
        if ready.is_empty() {
            let left = orders.iter().filter(|order| !done.contains(order.id.as_str()));
            let circle: Vec<&str> = left.map(|order| order.id.as_str()).collect();
            return Err(format!("these need each other in a circle: {}", circle.join(", ")));
        }
        done.extend(ready);
    }
    Ok(())
}

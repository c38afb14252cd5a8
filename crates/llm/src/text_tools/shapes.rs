//! Recognition of calls in objects and arrays, in all known shapes.

use serde_json::{Map, Value};

use super::items::{Call, Interpretation, Item, thoughts};
use super::literal;
use super::plan;
use super::tools::{self, Tools};
use super::words::{self, plain};
use crate::model::ToolDeclaration;

type Object = Map<String, Value>;

/// Interprets a value.
pub(super) fn meaning(value: &Value, tools: &Tools) -> Interpretation {
    match value {
        Value::Object(object) => meaning_of_object(object, tools),
        Value::Array(items) => {
            let read: Vec<Interpretation> = items.iter().map(|item| meaning(item, tools)).collect();
            if read.iter().all(Option::is_none) {
                return None;
            }
            let no_call = || Err("every item of the array must be a call".to_owned());
            let read: Result<Vec<_>, _> =
                read.into_iter().map(|item| item.unwrap_or_else(no_call)).collect();
            Some(read.map(|items| items.concat()))
        }
        Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
            meaning(&literal::whole(text.trim()).ok()?, tools)
        }
        _ => None,
    }
}

fn meaning_of_object(object: &Object, tools: &Tools) -> Interpretation {
    let is_list = |value: &Value| match value {
        Value::String(text) => text.trim_start().starts_with(['{', '[']),
        _ => true,
    };
    let list = object
        .iter()
        .find(|(key, value)| words::are_certainly_calls(&plain(key)) && is_list(value));
    if let Some((key, list)) = list {
        let read = |item: &Value| meaning(item, tools).or_else(|| listed(item.as_object()?, tools));
        return Some(plan::read(object, key, list, tools, read));
    }
    if let Some((key, tool)) = tool_of(object, tools) {
        return call(object, key, tool, false).map(|call| {
            call.map(|call| {
                let mut items = thoughts(object, Some(tool));
                items.push(Item::Call(call));
                items
            })
        });
    }
    let inner = object
        .iter()
        .filter(|(key, value)| {
            words::are_calls(&plain(key)) && (value.is_object() || value.is_array())
        })
        .find_map(|(_, value)| meaning(value, tools));
    if let Some(inner) = inner {
        return Some(inner.map(|calls| [thoughts(object, None), calls].concat()));
    }
    if let Some(calls) = keyed_by_tools(object, tools) {
        return Some(calls);
    }
    if let Some(name) = unknown_tool(object) {
        return Some(match final_answer(name, object) {
            Some(text) => Ok(vec![Item::Text(text)]),
            None => Err(tools.unknown(name)),
        });
    }
    // JSON-RPC: `{"method": "tools/call", "params": {"name", "arguments"}}`.
    let params =
        object.iter().find(|(key, value)| words::are_arguments(&plain(key)) && value.is_object());
    if let Some(Ok(calls)) = params.and_then(|(_, value)| meaning(value, tools)) {
        return Some(Ok(calls));
    }
    plan::read_status(object, tools)
}

/// The declared tool that the object names, with its key.
fn tool_of<'o, 't>(object: &'o Object, tools: &'t Tools) -> Option<(&'o str, &'t ToolDeclaration)> {
    let named = |(key, value): (&'o String, &'o Value)| {
        let plain = plain(key);
        let tool = words::is_name(&plain).then(|| tools.resolve(value.as_str()?)).flatten()?;
        // `name` may be an argument if another key names the tool.
        Some((plain == "name", key.as_str(), tool))
    };
    let (_, key, tool) = object.iter().filter_map(named).min_by_key(|(is_name, ..)| *is_name)?;
    Some((key, tool))
}

/// Interprets an item of a list, which must be a call.
fn listed(object: &Object, tools: &Tools) -> Interpretation {
    let (key, tool) = tool_of(object, tools)?;
    Some(call(object, key, tool, true)?.map(|call| vec![Item::Call(call)]))
}

/// Interprets an object that names a tool under `key`.
fn call(
    object: &Object,
    key: &str,
    tool: &ToolDeclaration,
    is_listed: bool,
) -> Option<Result<Call, String>> {
    let rest = || object.iter().filter(|(other, _)| other.as_str() != key);
    let declares = |key: &String| tools::declares(tool, key);
    let mut given: Vec<(&String, Option<Object>)> = rest()
        .filter(|(key, value)| {
            words::are_arguments(&plain(key)) && !(declares(key) && is_argument_itself(tool, value))
        })
        .map(|(key, value)| (key, literal::object(value)))
        .collect();
    if let Some((key, _)) = given.iter().find(|(_, args)| args.is_none()) {
        return Some(Err(format!("the {key:?} of {} must be a JSON object", tool.name)));
    }
    if given.len() > 1 {
        // Drop empty and duplicate objects.
        given.retain(|(_, args)| args.as_ref().is_some_and(|args| !args.is_empty()));
        given.dedup_by(|one, other| one.1 == other.1);
        if given.len() > 1 {
            let keys: Vec<&str> = given.iter().map(|(key, _)| key.as_str()).collect();
            return Some(Err(format!(
                "{} has arguments twice, in {}",
                tool.name,
                keys.join(" and ")
            )));
        }
    }
    let about = |key: &String| {
        let plain = plain(key);
        words::is_about_the_call(&plain) || words::are_arguments(&plain) || words::is_name(&plain)
    };
    let Some((args_key, args)) = given.pop() else {
        let is_call_word = |(key, value): &(&String, &Value)| {
            plain(key) == "type"
                && value.as_str().is_some_and(|kind| words::are_calls(&plain(kind)))
        };
        let args: Object = rest()
            .filter(|argument| {
                declares(argument.0) || !tools::knows_arguments(tool) || !about(argument.0)
            })
            .filter(|argument| !is_call_word(argument) && !words::are_needs(&plain(argument.0)))
            .filter(|(key, _)| declares(key) || !words::are_thoughts(&plain(key)))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let is_certain = is_listed || plain(key) != "name" || tool.name.contains('_');
        let fits = tools::knows_arguments(tool) && tools::fits(tool, &args);
        if !is_certain && !fits {
            return None;
        }
        if args.is_empty() && tools::needs_arguments(tool) {
            return Some(Err(no_arguments(&tool.name)));
        }
        return Some(Ok(Call::new(tool, args)));
    };
    let args = args.unwrap_or_default();
    let is_schema = object.contains_key("description")
        && args.get("type").is_some_and(|kind| kind == "object")
        && args.contains_key("properties");
    if is_schema {
        // The declaration of a tool, repeated by the model.
        return None;
    }
    let beside = rest().find(|(key, value)| {
        *key != args_key
            && !about(key)
            && if tools::knows_arguments(tool) {
                declares(key) && args.get(*key) != Some(*value)
            } else {
                value.is_object() || value.is_array()
            }
    });
    if let Some((beside, _)) = beside {
        return Some(Err(format!(
            "{beside:?} of {} stands beside {args_key:?} and not in it",
            tool.name
        )));
    }
    Some(Ok(Call::new(tool, unwrapped(tool, args))))
}

/// Whether `value`, under a key that often holds all arguments, is one argument of that name.
fn is_argument_itself(tool: &ToolDeclaration, value: &Value) -> bool {
    value.as_object().is_none_or(|args| args.is_empty() || !tools::fits(tool, args))
}

/// The error for the model about a call without arguments.
pub(super) fn no_arguments(tool: &str) -> String {
    format!("no arguments of {tool} were found")
}

/// The arguments without a wrapper like `{"arguments": {..}}`.
pub(super) fn unwrapped(tool: &ToolDeclaration, args: Object) -> Object {
    let mut members = args.iter();
    match (members.next(), members.next()) {
        (Some((key, inner @ (Value::Object(_) | Value::String(_)))), None)
            if words::are_arguments(&plain(key))
                && tools::knows_arguments(tool)
                && !tools::declares(tool, key) =>
        {
            literal::object(inner).unwrap_or(args)
        }
        _ => args,
    }
}

/// Interprets `{"create_shape": {..}}`, with one or more tools.
fn keyed_by_tools(object: &Object, tools: &Tools) -> Interpretation {
    let calls = object.iter().map(|(key, value)| {
        let tool = tools.exact(key)?;
        let args = (!value.is_array()).then(|| literal::object(value)).flatten()?;
        let args = unwrapped(tool, args);
        // Common words like `scale` are also keys of other objects.
        let is_call = tool.name.contains('_') || tools::fits(tool, &args);
        is_call.then(|| Item::Call(Call::new(tool, args)))
    });
    let calls: Vec<Item> = calls.collect::<Option<_>>()?;
    (!calls.is_empty()).then_some(Ok(calls))
}

/// The name in an object with the shape of a call to an undeclared tool.
fn unknown_tool(object: &Object) -> Option<&str> {
    let name = object
        .iter()
        .find_map(|(key, value)| words::is_name(&plain(key)).then_some(value.as_str()?))?;
    let is_argument =
        |(key, value): (&String, &Value)| words::are_arguments(&plain(key)) && !value.is_number();
    let only_a_call = object.keys().all(|key| {
        let plain = plain(key);
        words::is_name(&plain) || words::are_arguments(&plain) || words::is_about_the_call(&plain)
    });
    (only_a_call && object.iter().any(is_argument) && name.len() < 100).then_some(name)
}

/// The answer that some models give by calling a tool named `final_answer`.
fn final_answer(name: &str, object: &Object) -> Option<String> {
    let text = || object.iter().find(|(key, _)| words::are_arguments(&plain(key)));
    (plain(name) == "finalanswer").then(text)?.and_then(|(_, text)| Some(text.as_str()?.to_owned()))
}

//! Conversion of a request to text only.

use std::sync::Arc;

use serde_json::{Value, json};

use super::protocol::TextProtocol;
use crate::content::{Content, Part, Role};
use crate::model::{Request, ToolDeclaration};

/// The notation of a ReAct call, for the instruction.
pub(super) const REACT_FORM: &str =
    "<tool_code><name>tool_name</name><parameters>{\"argument\": 1}</parameters></tool_code>";

/// The notation of JSON calls, for the instruction.
pub(super) const JSON_FORM: &str =
    "{\"tool_calls\": [{\"name\": \"tool_name\", \"arguments\": {\"argument\": 1}}]}";

/// The notation of a plan, for the instruction.
pub(super) const PLAN_FORM: &str = "{\"status\": \"continue\" or \"done\", \"reasoning\": \"why\", \"action\": \"what the user \
     reads\", \"tools\": [{\"id\": \"a\", \"tool\": \"tool_name\", \"args\": {}, \"needs\": []}]}";

const REACT: &str = "\
To act, write one block of exactly this form and then stop; you get its result as an <observation>:
<tool_code><name>tool_name</name><parameters>{\"argument\": 1}</parameters></tool_code>
One block in an answer. The parameters are one JSON object. Before it you may think aloud. When nothing is \
left to do, answer the user in plain words without a block; <final_answer>..</final_answer> around it is \
welcome. Never write an <observation> yourself.";

const JSON: &str = "\
To call tools, write one JSON object of exactly this form, and nothing after it:
{\"tool_calls\": [{\"name\": \"tool_name\", \"arguments\": {\"argument\": 1}}]}
Several calls in it run in order. You get their results as {\"tool_results\": [...]}. When nothing is left \
to do, answer the user in plain words without such an object.";

const PLAN: &str = "\
Answer with one JSON object of exactly this form, and nothing else:
{\"status\": \"continue\", \"reasoning\": \"why\", \"action\": \"what the user reads\", \"tools\": \
[{\"id\": \"a\", \"tool\": \"tool_name\", \"args\": {\"argument\": 1}, \"needs\": []}]}
Tools that need nothing run at the same time; \"needs\" names ids of this plan that have to succeed first. \
You get the results as {\"results\": [...]} and plan again. When nothing is left to do, \"status\" is \
\"done\", \"tools\" is empty and \"action\" is your answer to the user.";

/// `request` with its tools and history as text. `sees`: whether the model has vision.
pub(super) fn request(protocol: TextProtocol, request: Request, sees: bool) -> Request {
    let mut instruction = request.system_instruction;
    if !request.tools.is_empty() {
        instruction.push_str("\n\n");
        instruction.push_str(&tools(protocol, &request.tools));
    }
    let contents = request.contents.iter().map(|content| render(protocol, content, sees)).collect();
    Request {
        system_instruction: instruction,
        contents,
        tools: Arc::default(),
        settings: request.settings,
    }
}

fn tools(protocol: TextProtocol, tools: &[ToolDeclaration]) -> String {
    let (how, list) = match protocol {
        TextProtocol::React => {
            let tool = |tool: &ToolDeclaration| {
                let ToolDeclaration { name, description, parameters } = tool;
                format!(
                    "<tool><name>{name}</name><description>{description}</description>\
                     <parameters>{parameters}</parameters></tool>"
                )
            };
            let list: Vec<String> = tools.iter().map(tool).collect();
            (REACT, format!("<tools>\n{}\n</tools>", list.join("\n")))
        }
        TextProtocol::Json | TextProtocol::Plan => {
            let tool = |tool: &ToolDeclaration| {
                let ToolDeclaration { name, description, parameters } = tool;
                json!({ "name": name, "description": description, "parameters": parameters })
                    .to_string()
            };
            let list: Vec<String> = tools.iter().map(tool).collect();
            let how = if protocol == TextProtocol::Json { JSON } else { PLAN };
            (how, list.join("\n"))
        }
    };
    format!("The tools, with the JSON Schema of their arguments:\n{list}\n\n{how}")
}

fn render(protocol: TextProtocol, content: &Content, sees: bool) -> Content {
    match content.role {
        Role::User => content.clone(),
        Role::Model => answer(protocol, content),
        Role::Function => results(protocol, content, sees),
    }
}

/// An answer in the notation of the protocol.
fn answer(protocol: TextProtocol, content: &Content) -> Content {
    let calls: Vec<&Part> = content.parts.iter().filter(|part| part.as_call().is_some()).collect();
    let mut text = content.visible_text();
    if !calls.is_empty() {
        if !text.is_empty() && protocol != TextProtocol::Plan {
            text.push('\n');
        }
        text = match protocol {
            TextProtocol::React => {
                calls.iter().filter_map(|part| react_call(part)).fold(text, |all, call| all + &call)
            }
            TextProtocol::Json => {
                text + &json!({ "tool_calls": calls.iter().filter_map(|part| {
                let call = part.as_call()?;
                Some(json!({ "name": call.name, "arguments": call.args }))
            }).collect::<Vec<_>>() })
                .to_string()
            }
            TextProtocol::Plan => json!({ "status": "continue", "action": text,
                "tools": calls.iter().enumerate().filter_map(planned).collect::<Vec<_>>() })
            .to_string(),
        };
    }
    let mut parts: Vec<Part> = Vec::new();
    if !text.is_empty() {
        parts.push(Part::text(text));
    }
    Content::model(parts)
}

fn react_call(part: &Part) -> Option<String> {
    let call = part.as_call()?;
    let arguments = call.args.cloned().unwrap_or_else(|| json!({}));
    Some(format!(
        "<tool_code><name>{}</name><parameters>{arguments}</parameters></tool_code>",
        call.name
    ))
}

fn planned((index, part): (usize, &&Part)) -> Option<Value> {
    let call = part.as_call()?;
    let (id, needs) = match part.order() {
        Some((id, needs)) => (id.to_owned(), needs),
        None => (format!("#{}", index + 1), Vec::new()),
    };
    Some(json!({ "id": id, "tool": call.name, "args": call.args, "needs": needs }))
}

/// Tool results as a user message, with their pictures.
fn results(protocol: TextProtocol, content: &Content, sees: bool) -> Content {
    let value = |response: Option<&Value>| response.cloned().unwrap_or(Value::Null);
    let text = match protocol {
        TextProtocol::React => content
            .responses()
            .map(|response| {
                let value = value(response.response);
                format!("<observation tool=\"{}\">{value}</observation>", response.name)
            })
            .collect::<Vec<_>>()
            .join("\n"),
        TextProtocol::Json | TextProtocol::Plan => {
            let results: Vec<Value> = content
                .responses()
                .map(|it| json!({ "name": it.name, "response": value(it.response) }))
                .collect();
            let field = if protocol == TextProtocol::Json { "tool_results" } else { "results" };
            json!({ field: results }).to_string()
        }
    };
    let mut parts = vec![Part::text(text)];
    for part in &content.parts {
        if part.as_response().is_none() {
            parts.push(part.clone());
            continue;
        }
        let pictures = part.raw()["functionResponse"]["parts"].as_array();
        let pictures = pictures.into_iter().flatten().filter(|_| sees);
        parts.extend(pictures.cloned().map(Part::from_value));
    }
    Content { role: Role::User, parts }
}

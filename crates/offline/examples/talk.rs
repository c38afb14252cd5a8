//! Reads conversations and shows what becomes of each message: `talk [--only WORDS] FILE ...`. A file is plain text: a
//! conversation begins with "# title" and has one message a line; lines that begin with "- " are single requests and are
//! left out. Of each message it prints what was understood, what changed and the answer.

#![expect(clippy::print_stdout, reason = "what this is run for")]

mod conversation;

use std::collections::BTreeMap;

use scene::{Change, Kind, Operation, Scene, diff};
use serde_json::Value;

use conversation::Conversation;

type Fault = Box<dyn std::error::Error>;

/// A conversation of a file.
struct Talk {
    title: String,
    messages: Vec<String>,
}

fn talks(text: &str) -> Vec<Talk> {
    let mut talks: Vec<Talk> = Vec::new();
    for line in text.lines().map(str::trim) {
        match (line.strip_prefix("# "), talks.last_mut()) {
            (Some(title), _) => talks.push(Talk { title: title.to_owned(), messages: Vec::new() }),
            (None, Some(talk)) if !line.is_empty() && !line.starts_with("- ") => {
                talk.messages.push(line.to_owned());
            }
            _ => {}
        }
    }
    talks
}

/// What of an object changed, by the names of its properties.
fn fields(before: &Value, after: &Value) -> String {
    let mut names = Vec::new();
    let (old, new) = (&before["properties"], &after["properties"]);
    for (name, value) in new.as_object().into_iter().flatten() {
        if old.get(name) != Some(value) {
            let brief = value.to_string();
            let short: String = brief.chars().take(90).collect();
            names.push(format!("{name}={short}"));
        }
    }
    names.join(" ")
}

/// The changes in a few lines: of groups one for all their parts.
fn changes(before: &Scene, after: &Scene) -> Vec<String> {
    let mut groups: BTreeMap<(char, String), usize> = BTreeMap::new();
    let mut lines = Vec::new();
    for change in diff(before, after) {
        let Change { operation, kind, id, before, after, .. } = change;
        let mark = match operation {
            Operation::Create => '+',
            Operation::Remove => '-',
            Operation::Update => '~',
        };
        if kind == Kind::Group || (operation == Operation::Update && before == after) {
            continue;
        }
        let own = after.as_ref().or(before.as_ref());
        let group = own.and_then(|own| own["group"].as_str()).map(str::to_owned);
        if let Some(group) = group {
            *groups.entry((mark, group)).or_default() += 1;
            continue;
        }
        let (old, new) = (before.unwrap_or_default(), after.unwrap_or_default());
        let what = if mark == '-' { String::new() } else { fields(&old, &new) };
        let place = if kind == Kind::Shape || kind == Kind::Light {
            String::new()
        } else {
            format!("{kind:?} ")
        };
        lines.push(format!("{mark} {place}{} {what}", id.unwrap_or_default()));
    }
    lines.extend(
        groups.into_iter().map(|((mark, group), parts)| format!("{mark} {group} ({parts} parts)")),
    );
    lines
}

fn main() -> Result<(), Fault> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let only = match files.first().map(String::as_str) {
        Some("--only") if files.len() > 1 => {
            files.remove(0);
            Some(files.remove(0))
        }
        _ => None,
    };
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        for talk in talks(&text) {
            if only.as_ref().is_some_and(|only| !talk.title.contains(only.as_str())) {
                continue;
            }
            println!("# {}", talk.title);
            let mut conversation = Conversation::over(Scene::default());
            let mut said: Vec<String> = Vec::new();
            for message in talk.messages {
                let before = conversation.scene();
                let answer = conversation.say(&message, &[]);
                said.push(message);
                println!("> {}", said.last().map_or("", String::as_str));
                for frame in offline::understood(&said, &Scene::default()) {
                    println!("    {frame}");
                }
                for change in changes(&before, &conversation.scene()) {
                    println!("  {change}");
                }
                println!("  = {}", answer.lines().last().unwrap_or_default());
            }
            if let Some(slowest) = conversation.times.iter().max_by_key(|timed| timed.own) {
                println!("(slowest: {:?} for “{}”)", slowest.own, slowest.said);
            }
        }
    }
    Ok(())
}

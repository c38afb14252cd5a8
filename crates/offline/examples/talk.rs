//! What messages in plain text come to: `talk FILE ...` prints of each what the model answered and what is different
//! then, for somebody who judges whether that is what was asked for. "# title" begins a conversation, with a message a
//! line; "- a red ball" and "- [a table] put a cup on it" are conversations of one message, after what is in brackets.

#![expect(clippy::print_stdout, reason = "what this is run for")]

use std::collections::{BTreeMap, BTreeSet};

use conversation::{Conversation, Timed};
use offline::Offline;
use scene::{NoAssets, Scene, diff};
use serde_json::Value;
use spatial::{Extent, Space};

mod conversation;

type Fault = Box<dyn std::error::Error>;

/// The most letters of a value.
const MAX_LETTERS: usize = 200;

/// A conversation of a file.
struct Talk {
    title: String,
    messages: Vec<String>,
}

fn main() -> Result<(), Fault> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        return Err("usage: talk FILE ..., for example evals/voices/gardener.txt".into());
    }
    Offline::warm();
    let mut times = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
        for (number, talk) in talks(&text).into_iter().enumerate() {
            println!("\n=== {} {}", number + 1, talk.title);
            let mut conversation = Conversation::over(Scene::default());
            for message in talk.messages {
                let before = conversation.scene();
                let answer = conversation.say(&message, &[]);
                println!("> {message}\n  = {}", answer.replace('\n', " / "));
                for change in changes(&before, &conversation.scene()) {
                    println!("    {change}");
                }
            }
            times.append(&mut conversation.times);
        }
    }
    if let Some(Timed { own, said }) = times.iter().max_by_key(|timed| timed.own) {
        println!("\nslowest: {own:.1?} for “{said}”");
    }
    Ok(())
}

fn talks(text: &str) -> Vec<Talk> {
    let mut talks: Vec<Talk> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(single) = line.strip_prefix("- ") {
            let given = single.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let messages = given.map_or(vec![single], |(given, request)| vec![given, request]);
            let messages = messages.into_iter().map(|message| message.trim().to_owned());
            talks.push(Talk { title: "single request".into(), messages: messages.collect() });
        } else if let Some(title) = line.strip_prefix("# ") {
            talks.push(Talk { title: title.to_owned(), messages: Vec::new() });
        } else if let Some(talk) = talks.last_mut() {
            talk.messages.push(line.to_owned());
        }
    }
    talks
}

/// The changes in a line for each whole, and one for each setting.
fn changes(before: &Scene, after: &Scene) -> Vec<String> {
    let (old, new) = (wholes(before), wholes(after));
    let gone = old.keys().filter(|name| !new.contains_key(*name)).map(|name| format!("- {name}"));
    let there = new.iter().filter_map(|(name, now)| match old.get(name) {
        None => Some(format!("+ {name} {now}")),
        Some(then) if then != now => Some(format!("* {name} {then} -> {now}")),
        Some(_) => None,
    });
    let settings = diff(before, after).into_iter().filter(|change| change.id.is_none());
    let settings = settings.map(|change| {
        let now = change.after.map(|value| value.to_string()).unwrap_or_default();
        format!("~ {:?} {}", change.kind, shortened(&now))
    });
    gone.chain(there).chain(settings).collect()
}

/// Every whole of a scene: of how many parts, where, how large, of what.
fn wholes(scene: &Scene) -> BTreeMap<String, String> {
    let space = Space::of(scene, &NoAssets);
    let mut wholes: BTreeMap<String, (usize, Extent, BTreeSet<String>)> = BTreeMap::new();
    for body in space.bodies() {
        let name = space.whole_of(body).unwrap_or(body.id).to_owned();
        let extent = body.solid.extent();
        let look = body.shape().map_or_else(|| "light".to_owned(), |shape| look(&shape.to_json()));
        let whole = wholes.entry(name).or_insert_with(|| (0, extent, BTreeSet::new()));
        whole.0 += 1;
        whole.1 = whole.1.union(extent);
        whole.2.insert(look);
    }
    let told = |(parts, extent, looks): (usize, Extent, BTreeSet<String>)| {
        let looks = looks.into_iter().take(3).collect::<Vec<_>>().join(" | ");
        let (at, size) = (extent.center(), extent.size());
        format!("({parts}) at {at:.2} above {:.2} size {size:.2} {looks}", extent.min.y)
    };
    wholes.into_iter().map(|(name, whole)| (name, told(whole))).collect()
}

/// The material of a shape: a preset, or its type and color.
fn look(shape: &Value) -> String {
    let material = &shape["properties"]["material"];
    if let Some(name) = material.as_str() {
        return name.to_owned();
    }
    let kind = material["type"].as_str().or(material["preset"].as_str()).unwrap_or_default();
    let color = ["albedo", "base_color", "color", "emission"];
    let color = color.iter().map(|name| &material[*name]).find(|value| !value.is_null());
    format!("{kind} {}", shortened(&color.map(Value::to_string).unwrap_or_default()))
}

fn shortened(text: &str) -> String {
    text.chars().take(MAX_LETTERS).collect()
}

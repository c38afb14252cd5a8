//! Holds the model to a corpus without a server: `corpus [--failures] [--deeds] [GOALS ...]` prints one JSON object
//! with the share of goals that are met and the model's own time for each request to it (wall time from history to
//! answer, nothing else), `--failures` tells first what failed, `--files` the figures of each file, `--deeds` the
//! wrong deeds: what was taken away or changed though neither the message nor the goal names it, `--slowest` the messages
//! that took longest; without these no word of the goals is printed. Without goals it takes `evals/offline`.

#![expect(clippy::print_stdout, reason = "the figures are what this is run for")]

use std::path::Path;
use std::time::Duration;

use conversation::{Conversation, Timed};
use evaluation::{Expectation, Goal, Moment};
use offline::Offline;
use scene::{Kind, NoAssets, Operation, Scene, diff};
use serde_json::{Value, json};

mod conversation;

type Fault = Box<dyn std::error::Error>;

/// Requests that take longer are counted.
const DUE: Duration = Duration::from_millis(5);

/// Words of expectations that speak of all there is, or of what is as it was.
const OF_ALL: [&str; 9] =
    ["undone", "empty", "removed", "all", "thing", "shape", "changed-scene", "kept", "only"];
/// Words of messages that speak of all there is.
const EVERYTHING: [&str; 6] = ["everything", "scene", "all", "whole", "furniture", "scratch"];
/// Words of expectations about the light of the scene, which names its lights.
const OF_LIGHT: [&str; 8] =
    ["brighter", "darker", "warmer", "cooler", "lit", "environment", "shining", "light"];
/// Words of expectations that something stays as it is.
const STAYS: [&str; 5] = ["unchanged", "kept", "unmoved", "asks", "answers"];

/// What was taken away or changed that neither the message nor its expectations name.
fn wrong_deeds(
    say: &str,
    expected: &[&str],
    [before, after]: [&Scene; 2],
    earlier: &[Scene],
) -> Vec<String> {
    let said = format!("{} {}", say.to_lowercase(), expected.join(" ").to_lowercase());
    let words: Vec<&str> = said.split(|letter: char| !letter.is_alphanumeric()).collect();
    let told = |list: &[&str]| {
        expected.iter().any(|text| text.split_whitespace().any(|word| list.contains(&word)))
    };
    let of_everything = words.iter().any(|word| EVERYTHING.contains(word));
    let (of_all, of_light) = (of_everything || told(&OF_ALL), told(&OF_LIGHT));
    let named = |id: &str, value: &Value| {
        let kind = value["type"].as_str().unwrap_or_default();
        let whole = value["group"].as_str().unwrap_or(id);
        // A part is called by its own name, too: "the roof" is `house_roof`.
        let names = whole.split(|letter: char| !letter.is_alphabetic());
        let own =
            names.chain(id.split(|letter: char| !letter.is_alphabetic())).chain(kind.split('_'));
        let own: Vec<&str> = own.filter(|word| word.len() > 2).collect();
        own.iter().any(|word| words.iter().any(|other| other.trim_end_matches('s') == *word))
    };
    let mut deeds = Vec::new();
    for change in diff(before, after) {
        let (Some(id), Some(old)) = (&change.id, &change.before) else { continue };
        let is_light = change.kind == Kind::Light;
        let removed = change.operation == Operation::Remove;
        // What a correction puts back as it was is no deed.
        let as_earlier = || {
            let was = |scene: &Scene| scene.shape(id).map(|shape| shape.to_json());
            let now = after.shape(id).map(|shape| shape.to_json());
            now.is_some() && earlier.iter().any(|scene| was(scene) == now)
        };
        let excused = match change.kind {
            Kind::Shape | Kind::Light => of_all || (is_light && of_light) || named(id, old),
            _ => true,
        };
        if !excused && !as_earlier() {
            deeds.push(format!("{} {id}", if removed { "removed" } else { "changed" }));
        }
    }
    deeds
}

/// Holds a goal; what failed, one line each.
fn hold(goal: &Goal, times: &mut Vec<Timed>, deeds: &mut Vec<String>) -> Vec<String> {
    let mut conversation = Conversation::over(goal.start.clone());
    let mut scenes: Vec<Scene> = vec![goal.start.clone()];
    let mut failures = Vec::new();
    for message in &goal.dialogue {
        let answer = conversation.say(&message.say, &message.selection);
        scenes.push(conversation.scene());
        let [earlier @ .., before, after] = scenes.as_slice() else { continue };
        let moment = Moment::new(before, after, earlier.last(), &answer, &NoAssets);
        let failed: Vec<String> = message
            .expect
            .iter()
            .filter_map(|expectation: &Expectation| {
                let found = expectation.check(&moment).err()?;
                Some(format!("    {}: {found}", expectation.as_str()))
            })
            .collect();
        let expected: Vec<&str> = message.expect.iter().map(Expectation::as_str).collect();
        let mut wrong = wrong_deeds(&message.say, &expected, [before, after], earlier);
        // Where something was to stay, a change of it is one, too.
        let stays = |line: &&String| {
            let text = line.trim().split(':').next().unwrap_or_default();
            text.split_whitespace().any(|word| STAYS.contains(&word))
        };
        let alike = before.to_json() == after.to_json();
        let is_there = |line: &&String| !line.contains("there is none") && !line.contains(": 0;");
        wrong.extend(
            failed
                .iter()
                .filter(stays)
                .filter(is_there)
                .filter(|_| !alike)
                .map(|line| line.trim().to_owned()),
        );
        if !wrong.is_empty() {
            wrong.truncate(4);
            deeds.push(format!("“{}”: {}", message.say.replace('\n', " "), wrong.join("; ")));
        }
        if !failed.is_empty() {
            failures.push(format!("  “{}” -> {answer}", message.say.replace('\n', " ")));
            failures.extend(failed);
        }
    }
    times.append(&mut conversation.times);
    failures
}

fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (flags, files): (Vec<String>, Vec<String>) =
        arguments.into_iter().partition(|argument| argument.starts_with("--"));
    let tell = flags.iter().any(|flag| flag == "--failures");
    let by_file = flags.iter().any(|flag| flag == "--files");
    let mut counts: std::collections::BTreeMap<String, (usize, usize)> =
        std::collections::BTreeMap::new();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/offline");
    let files = match files.as_slice() {
        [] => vec![corpus],
        files => files.iter().map(Into::into).collect(),
    };
    // As a server does before the first request.
    Offline::warm();
    let mut times = Vec::new();
    let (mut passed, mut all, mut messages) = (0, 0, 0);
    let mut deeds = Vec::new();
    for file in files {
        for goal in evaluation::goals(&file)? {
            let failures = hold(&goal, &mut times, &mut deeds);
            messages += goal.dialogue.len();
            all += 1;
            passed += usize::from(failures.is_empty());
            let name = goal.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let count = counts.entry(name.unwrap_or_default()).or_default();
            count.0 += usize::from(failures.is_empty());
            count.1 += 1;
            if tell && !failures.is_empty() {
                println!("FAILED {}: {}\n{}", goal.category, goal.name, failures.join("\n"));
            }
        }
    }
    if by_file {
        for (file, (passed, all)) in &counts {
            println!("{file:<24} {passed:>4} / {all}");
        }
    }
    if flags.iter().any(|flag| flag == "--deeds") {
        deeds.iter().for_each(|deed| println!("WRONG {deed}"));
    }
    times.sort_by_key(|timed| timed.own);
    let at = |share: f64| {
        let index = (share * times.len().saturating_sub(1) as f64).round() as usize;
        times.get(index).map_or(0.0, |timed| timed.own.as_secs_f64() * 1e3)
    };
    if flags.iter().any(|flag| flag == "--slowest") {
        for Timed { said, own } in times.iter().rev().take(5) {
            println!("SLOW {:.1} ms “{said}”", own.as_secs_f64() * 1e3);
        }
    }
    let report = json!({
        "goals": all, "passed": passed, "messages": messages, "wrong_deeds": deeds.len(), "requests": times.len(),
        "own_time_ms": { "median": at(0.5), "p99": at(0.99), "worst": at(1.0) },
        "over_5_ms": times.iter().filter(|timed| timed.own > DUE).count(),
    });
    println!("{report}");
    Ok(())
}

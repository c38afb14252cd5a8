//! Every call in every notation with every protocol: the share of parsed calls, and that no
//! argument is lost.

mod calls;
mod forms;
mod prose;
mod writers;

use serde_json::{Value, json};

use super::TextProtocol;
use super::output::Output;
use super::tests::{find_with, pieces_of};
use crate::model::ToolDeclaration;
use calls::{calls, tools};
use forms::Form;

const PROTOCOLS: [(TextProtocol, &str); 3] =
    [(TextProtocol::React, "react"), (TextProtocol::Json, "json"), (TextProtocol::Plan, "plan")];

fn forms() -> impl Iterator<Item = &'static Form> {
    [forms::OBJECTS, forms::MARKS, forms::LINES].into_iter().flatten()
}

fn found_calls(found: &[Output]) -> Vec<(String, Value)> {
    found
        .iter()
        .filter_map(|found| match found {
            Output::Call(part) => {
                let call = part.as_call().unwrap();
                Some((call.name.to_owned(), call.args.unwrap().clone()))
            }
            _ => None,
        })
        .collect()
}

/// The share of parsed calls for each protocol, and all calls that were parsed as something else.
#[expect(clippy::print_stdout, reason = "the rates are what this is run for")]
fn run(tools: &[ToolDeclaration], protocols: &[(TextProtocol, &str)]) -> (Vec<f64>, Vec<String>) {
    let calls = calls();
    let mut rates = Vec::new();
    let mut lost = Vec::new();
    for &(protocol, name) in protocols {
        let (mut right, mut all) = (0, 0);
        for (form, write) in forms() {
            let mut failed: Vec<(usize, String)> = Vec::new();
            for (number, (tool, args)) in calls.iter().enumerate() {
                let written = write(tool, args);
                let found = find_with(protocol, tools, &[&written]);
                let calls = found_calls(&found);
                all += 1;
                if calls == [((*tool).to_owned(), args.clone())] {
                    right += 1;
                    continue;
                }
                if !calls.is_empty() {
                    lost.push(format!("{name}, {form}: {written}\n  ran as {calls:?}"));
                }
                failed.push((number, format!("{written}\n    {found:?}")));
            }
            if let Some((_, example)) = failed.first() {
                let numbers: Vec<usize> = failed.iter().map(|(number, _)| *number).collect();
                println!("  {name}, {form}: not understood {numbers:?}, e.g. {example}");
            }
        }
        println!("{name}: {right} of {all} understood");
        rates.push(f64::from(right) / f64::from(all));
    }
    (rates, lost)
}

#[test]
fn calls_are_understood_in_the_forms_of_all_models() {
    assert!(calls().len() >= 28 && forms().count() >= 73);
    let (rates, lost) = run(&tools(), &PROTOCOLS);
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert!(rates[0] >= 0.97 && rates[1] >= 0.97 && rates[2] >= 0.97, "{rates:?}");
}

#[test]
fn calls_are_understood_also_where_a_tool_does_not_say_what_it_takes() {
    let mut tools = tools();
    for tool in &mut tools {
        tool.parameters = json!({ "type": "object" }).into();
    }
    let (rates, _) = run(&tools, &PROTOCOLS[1..2]);
    assert!(rates.iter().all(|rate| *rate >= 0.9), "{rates:?}");
}

#[test]
fn the_cuts_of_a_stream_do_not_matter_to_any_form() {
    let tools = tools();
    let calls = calls();
    for (index, (form, write)) in forms().enumerate() {
        let (tool, args) = &calls[index % calls.len()];
        let written = write(tool, args);
        for (protocol, name) in PROTOCOLS {
            let whole = find_with(protocol, &tools, &[&written]);
            let letters = find_with(protocol, &tools, &pieces_of(&written));
            assert_eq!(letters, whole, "{name}, {form}: {written}");
        }
        let short = write("remove_shape", &json!({ "id": "a" }));
        let whole = find_with(TextProtocol::Json, &tools, &[&short]);
        for (at, _) in short.char_indices() {
            let (before, after) = short.split_at(at);
            let cut = find_with(TextProtocol::Json, &tools, &[before, after]);
            assert_eq!(cut, whole, "{form}, at {at}: {short}");
        }
    }
}

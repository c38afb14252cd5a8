//! Generated growing conversations, for tests of what stays the same from request to request.

use proptest::prelude::*;
use serde_json::json;

use crate::content::{Content, Part, Role};

/// A user message and the answers to it.
#[derive(Debug, Clone)]
pub(crate) struct Round {
    said: Vec<Part>,
    /// The calls of each answer.
    waves: Vec<Vec<Call>>,
    /// Whether answers begin with a thought.
    thinks: bool,
    answer: String,
}

#[derive(Debug, Clone)]
struct Call {
    id: Option<String>,
    name: String,
    success: bool,
    pictured: bool,
}

fn picture() -> Part {
    Part::inline_data("image/png", "AAAA")
}

fn call() -> impl Strategy<Value = Call> {
    let id = prop_oneof![Just(None), "[a-c]{1,2}".prop_map(Some), Just(Some("f:0".to_owned()))];
    let name = prop_oneof![Just("f".to_owned()), Just("made up".to_owned()), Just(String::new())];
    (id, name, any::<bool>(), any::<bool>()).prop_map(|(id, name, success, pictured)| Call {
        id,
        name,
        success,
        pictured,
    })
}

/// One to five rounds.
pub(crate) fn rounds() -> impl Strategy<Value = Vec<Round>> {
    let said = prop_oneof![
        "[a-z]{1,5}".prop_map(Part::text),
        Just(Part::text(" ")),
        Just(Part::context("The scene now.", &json!({}))),
        Just(picture()),
    ];
    let answer = prop_oneof!["[a-z ]{1,5}", Just(String::new())];
    let waves = prop::collection::vec(prop::collection::vec(call(), 1..3), 0..3);
    let round = (prop::collection::vec(said, 1..3), waves, any::<bool>(), answer)
        .prop_map(|(said, waves, thinks, answer)| Round { said, waves, thinks, answer });
    prop::collection::vec(round, 1..5)
}

/// The history in each request of a conversation, in order. `thought` makes the stored form of a
/// thought in an answer to the given history.
pub(crate) fn requests(
    rounds: &[Round],
    mut thought: impl FnMut(&[Content]) -> Part,
) -> Vec<Vec<Content>> {
    let (mut history, mut requests) = (Vec::new(), Vec::new());
    for round in rounds {
        history.push(Content { role: Role::User, parts: round.said.clone() });
        let mut answer = |history: &mut Vec<Content>, parts: Vec<Part>| {
            let request = crate::normalise(history);
            let thought = round.thinks.then(|| thought(&request));
            requests.push(request);
            let parts: Vec<Part> = thought.into_iter().chain(parts).collect();
            history.push(Content::model(parts));
        };
        for wave in &round.waves {
            let calls = wave.iter().map(|it| Part::call(it.id.as_deref(), &it.name, json!({})));
            answer(&mut history, calls.collect());
            let response = |it: &Call| {
                let pictures = if it.pictured { vec![picture()] } else { Vec::new() };
                let response = json!({ "success": it.success });
                Part::response(it.id.as_deref(), &it.name, response, pictures)
            };
            history.push(Content::function(wave.iter().map(response).collect()));
        }
        answer(&mut history, vec![Part::text(round.answer.clone())]);
    }
    requests
}

//! The clients against every provider's rules, without a server around them.

use std::time::Duration;

use end_to_end::dumps;
use end_to_end::fake_chat::{Dialect, FakeChat, KEY, Reply};
use end_to_end::providers::{PROVIDERS, Provider, strict};
use futures_util::StreamExt;
use llm::{Anthropic, Chunk, ClientConfig, Content, Gate, LanguageModel, OpenAi, Part, normalise};
use proptest::prelude::*;
use secrecy::SecretString;
use serde_json::json;

use crate::chat_clients::{all, history, parts, request};

async fn start(
    provider: Provider,
    script: impl IntoIterator<Item = Reply>,
) -> (FakeChat, Box<dyn LanguageModel>) {
    let fake = FakeChat::start(strict(provider.dialect), script).await;
    let key = SecretString::from(KEY);
    let mut config = ClientConfig::new(fake.base_url(), key, provider.model);
    config.retry.base_delay = Duration::from_millis(1);
    let model: Box<dyn LanguageModel> = match provider.dialect {
        Dialect::Anthropic => Box::new(Anthropic::new(config).unwrap()),
        _ => Box::new(OpenAi::proxy_of(provider.origin(), config).unwrap()),
    };
    (fake, model)
}

/// Results of all calls of the last answer, every second one an error.
fn results(answer: &Content) -> Content {
    let result = |(index, call): (usize, llm::FunctionCall<'_>)| {
        let result = json!({ "success": index % 2 == 0, "result": { "id": "a" } });
        Part::response(call.id, call.name, result, Vec::new())
    };
    Content::function(answer.calls().enumerate().map(result).collect())
}

/// Asks once more; the answer and its results go to the history. Why it was refused, if it was.
async fn turn(
    model: &dyn LanguageModel,
    history: &mut Vec<Content>,
    fake: &FakeChat,
) -> Result<(), String> {
    let chunks = all(model, history).await;
    let refusals = fake.refusals();
    if !refusals.is_empty() {
        return Err(format!("{}: {}", model.name(), refusals.join("; ")));
    }
    let answer = Content::model(parts(&chunks));
    let has_calls = answer.calls().next().is_some();
    let results = results(&answer);
    history.push(answer);
    if has_calls {
        history.push(results);
    }
    Ok(())
}

/// Shows all that was refused.
fn none_of(refused: Vec<Result<(), String>>) {
    let refused: Vec<String> = refused.into_iter().filter_map(Result::err).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// A conversation that the user interrupts in the middle of an answer.
async fn converse(provider: Provider) -> Result<(), String> {
    let gate = Gate::new();
    let (fake, model) = start(
        provider,
        [
            provider.creating(0..2),
            provider.creating(2..3),
            provider.thinking(30).text("Done."),
            provider.thinking(31).text("I beg").gate(&gate),
            provider.creating(4..5),
            provider.thinking(32).text("Done again."),
            provider.thinking(33).text("Bye."),
        ],
    )
    .await;
    let mut history = vec![Content::user("Two balls")];
    for _ in 0..3 {
        turn(&*model, &mut history, &fake).await?;
    }
    history.push(Content::user("another"));
    let mut stream = model.stream(request(&normalise(&history)));
    let mut begun: Vec<Part> = Vec::new();
    // Some providers send a text in pieces.
    while !begun.iter().filter_map(Part::as_text).collect::<String>().ends_with("I beg") {
        match stream.next().await {
            Some(Ok(Chunk::Part(part))) => begun.push(part),
            Some(Ok(_)) => {}
            other => return Err(format!("{provider:?}: {other:?} {:?}", fake.refusals())),
        }
    }
    drop(stream);
    begun.push(Part::text("[interrupted by the user]"));
    history.push(Content::model(begun));
    history.push(Content::user("go on"));
    for _ in 0..2 {
        turn(&*model, &mut history, &fake).await?;
    }
    history.push(Content::user("thanks"));
    let last = turn(&*model, &mut history, &fake).await;
    dumps::write(&format!("clients-{}", provider.model.replace(['/', ':'], "-")), &fake);
    last
}

#[tokio::test]
async fn thoughts_calls_and_an_interruption_are_taken_by_every_provider() {
    let mut refused = Vec::new();
    for provider in PROVIDERS.iter().copied() {
        refused.push(converse(provider).await);
    }
    none_of(refused);
}

#[tokio::test]
async fn a_history_moves_from_every_provider_to_every_other() {
    let mut refused = Vec::new();
    for from in PROVIDERS.iter().copied() {
        let (fake, model) =
            start(from, [from.creating(0..2), from.thinking(1).text("Done.")]).await;
        let mut history = vec![Content::user("Two balls")];
        refused.push(turn(&*model, &mut history, &fake).await);
        refused.push(turn(&*model, &mut history, &fake).await);
        history.push(Content::user("more"));
        for to in PROVIDERS.iter().copied().filter(|to| *to != from) {
            let (fake, model) = start(to, [to.creating(5..6), to.thinking(2).text("Done.")]).await;
            let mut history = history.clone();
            for _ in 0..2 {
                let turned = turn(&*model, &mut history, &fake).await;
                refused.push(turned.map_err(|why| format!("from {} to {why}", from.model)));
            }
        }
    }
    none_of(refused);
}

#[tokio::test]
async fn calls_of_made_up_names_go_back_in_a_form_that_is_taken() {
    let mut refused = Vec::new();
    for provider in PROVIDERS.iter().copied() {
        let made_up = provider
            .thinking(60)
            .call(&provider.call_id(0), "functions.create_shape", json!({ "id": "a" }))
            .call(&provider.call_id(1), "create shape", json!({ "id": "a" }))
            .call(&provider.call_id(2), "", json!({}));
        let (fake, model) = start(provider, [made_up, Reply::new().text("Done.")]).await;
        let mut history = vec![Content::user("A ball")];
        refused.push(turn(&*model, &mut history, &fake).await);
        refused.push(turn(&*model, &mut history, &fake).await);
    }
    none_of(refused);
}

proptest! {
    // The same histories in each run; PROPTEST_RNG_SEED gives others.
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: std::env::var("PROPTEST_RNG_SEED")
            .ok()
            .and_then(|seed| seed.parse().ok())
            .unwrap_or(proptest::test_runner::RngSeed::Fixed(7)),
        ..ProptestConfig::with_cases(32)
    })]

    /// Whatever happened in a conversation, and whoever answered in it, every provider takes it.
    #[test]
    fn any_history_is_taken_by_every_provider(mut history in history()) {
        history.push(Content::user("go on"));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            for provider in PROVIDERS {
                let (fake, model) = start(*provider, [Reply::new().text("ok")]).await;
                let chunks = all(&*model, &history).await;
                let repaired = fake.refusals();
                // Pictures may be refused by models that see none, which is repaired.
                let only_pictures = !provider.sees() && repaired.len() <= 1;
                prop_assert!(repaired.is_empty() || only_pictures, "{provider:?}: {repaired:?}");
                prop_assert!(
                    chunks.contains(&Ok(Chunk::Part(Part::text("ok")))),
                    "{provider:?}: {chunks:?}"
                );
            }
            Ok(())
        })?;
    }
}

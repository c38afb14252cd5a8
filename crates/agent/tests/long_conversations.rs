//! A10: long conversations stay within the model's window, and lose nothing that matters.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::{Arc, Mutex};

use agent::{Compaction, ContextSource, Event, Inbox, Reason, Run, RunOptions, Toolbox, run};
use llm::{
    Chunk, ChunkStream, Content, LanguageModel, ModelError, Part, Request, Role, Usage,
    estimate_request,
};
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Tokens of the window in these tests.
const WINDOW: u64 = 8_000;

const PREFERENCE: &str = "I like it minimal, always warm light.";

/// Tells that a house stands, unless that is told already.
struct Village;

impl ContextSource for Village {
    fn untold(&self, told: &[Content]) -> Option<Part> {
        let mut parts = told.iter().flat_map(|content| &content.parts);
        let is_told = parts.any(|part| part.as_context().is_some());
        (!is_told).then(|| Part::context("[The scene now: house_17]", &json!({})))
    }
}

/// Answers everything, summarises when asked to, and keeps what it saw.
#[derive(Default)]
struct Talker {
    requests: Mutex<Vec<Request>>,
    /// Whether it fails to summarise.
    no_summaries: bool,
    /// Requests of more tokens are refused.
    refuses_above: Option<u64>,
}

impl LanguageModel for Talker {
    fn name(&self) -> &str {
        "talker"
    }

    fn stream(&self, request: Request) -> ChunkStream {
        let errors = llm::history_errors(&request.contents);
        assert!(errors.is_empty(), "{errors:?}");
        let summarises = request.system_instruction.starts_with("You summarise");
        let usage = Usage {
            input_tokens: estimate_request(&request),
            output_tokens: 5,
            ..Usage::default()
        };
        let text = match summarises {
            true => "They build a village; house_17 stands.".to_owned(),
            false => {
                format!("Answer {}. {}", self.requests.lock().unwrap().len(), "word ".repeat(30))
            }
        };
        if self.refuses_above.is_some_and(|most| estimate_request(&request) > most) {
            let refusal = ModelError::ContextOverflow("Too long.".into());
            return Box::pin(futures_util::stream::iter([Err(refusal)]));
        }
        self.requests.lock().unwrap().push(request);
        let mut chunks = vec![Ok(Chunk::Usage(usage)), Ok(Chunk::Part(Part::text(text)))];
        if summarises && self.no_summaries {
            chunks = vec![Err(ModelError::Unavailable("down".into()))];
        }
        Box::pin(futures_util::stream::iter(chunks))
    }
}

async fn say(model: &Arc<Talker>, history: &mut Vec<Content>, text: String) -> Vec<Event> {
    say_within(Some(WINDOW), model, history, text).await
}

async fn say_within(
    window: Option<u64>,
    model: &Arc<Talker>,
    history: &mut Vec<Content>,
    text: String,
) -> Vec<Event> {
    let (sender, mut events) = mpsc::channel(64);
    let inbox = Inbox::default();
    inbox.push("u1", Content::user(text));
    let options = RunOptions {
        compaction: Compaction { window, ..Compaction::default() },
        ..RunOptions::default()
    };
    let task = tokio::spawn(run(Run {
        history: history.clone(),
        model: Arc::clone(model) as _,
        tools: Toolbox::default(),
        instruction: "You build.".into(),
        context: Arc::new(Village),
        max_turns: 10,
        inbox,
        events: sender,
        cancel: CancellationToken::new(),
        options,
    }));
    let mut seen = Vec::new();
    while let Some(event) = events.recv().await {
        if let Some(content) = event.content() {
            history.push(content.clone());
        }
        seen.push(event);
    }
    assert_eq!(task.await.unwrap().reason, Reason::Completed);
    seen
}

fn size_of(request: &Request) -> u64 {
    estimate_request(request)
}

/// Requirement A10.
#[tokio::test]
async fn two_thousand_messages_keep_requests_small_and_preferences_alive() {
    let model = Arc::new(Talker::default());
    let mut history = Vec::new();
    say(&model, &mut history, format!("Build a village. {PREFERENCE}")).await;
    let mut compacted = 0;
    for number in 1..1_000 {
        let text = format!("Message {number}: and one more house, please, next to the last one.");
        let events = say(&model, &mut history, text).await;
        compacted += events.iter().filter(|it| matches!(it, Event::Compacted { .. })).count();
    }
    let requests = model.requests.lock().unwrap();
    let largest = requests.iter().map(size_of).max().unwrap();
    assert!(largest <= WINDOW * 6 / 10, "{largest} tokens");
    assert!((10..200).contains(&compacted), "{compacted} summaries");
    let last = requests.last().unwrap();
    let first = last.contents[0].visible_text();
    assert!(first.contains(PREFERENCE) && first.contains("house_17 stands"), "{first}");
    // The newest are whole, and the present state is told.
    let parts = last.contents.iter().flat_map(|content| &content.parts);
    let shown = parts.filter_map(Part::as_text).collect::<String>();
    for number in 990..1_000 {
        assert!(shown.contains(&format!("Message {number}:")), "{number}");
    }
    assert!(shown.contains("The scene now"));
    // The log has everything: what was said, what was answered, and the summaries.
    let of = |role| history.iter().filter(|content| content.role == role).count();
    let told = history.iter().filter(|content| content.is_context()).count();
    assert!((1..=compacted).contains(&told), "{told} contexts, {compacted} summaries");
    assert_eq!((of(Role::Model), of(Role::User)), (1_000, 1_000 + compacted + told));
    assert!(history.iter().any(|content| content.visible_text().contains("Message 1:")));
}

#[tokio::test]
async fn a_summary_that_cannot_be_had_does_not_stop_the_conversation() {
    let model = Arc::new(Talker { no_summaries: true, ..Talker::default() });
    let mut history = Vec::new();
    say(&model, &mut history, PREFERENCE.to_owned()).await;
    for number in 0..150 {
        say(&model, &mut history, format!("Message {number}, with a few more words in it.")).await;
    }
    let stand_ins: Vec<_> =
        history.iter().filter_map(|content| content.parts[0].as_summary()).collect();
    assert!(!stand_ins.is_empty() && stand_ins.iter().all(|about| about["stand_in"] == true));
    let requests = model.requests.lock().unwrap();
    let last = requests.last().unwrap();
    assert!(size_of(last) < WINDOW / 2);
    let first = last.contents[0].visible_text();
    assert!(first.contains(PREFERENCE) && first.contains("left out"), "{first}");
}

#[tokio::test]
async fn a_refused_length_is_answered_by_a_summary_and_the_conversation_goes_on() {
    // Nothing is known of this model's window, which is smaller than what is assumed.
    let model = Arc::new(Talker { refuses_above: Some(WINDOW), ..Talker::default() });
    let mut history = Vec::new();
    let (mut told, mut compacted) = (0, 0);
    for number in 0..150 {
        let text = format!("Message {number}: {}", "and one more house ".repeat(20));
        let events = say_within(None, &model, &mut history, text).await;
        told += events.iter().filter(|it| matches!(it, Event::Retrying { .. })).count();
        compacted += events.iter().filter(|it| matches!(it, Event::Compacted { .. })).count();
    }
    assert!(told > 0 && told == compacted, "{told} refusals, {compacted} summaries");
    let answers = history.iter().filter(|content| content.role == Role::Model).count();
    assert_eq!(answers, 150);
}

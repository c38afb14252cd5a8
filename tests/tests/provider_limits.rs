//! What providers refuse: sessions that grew too long, and refusals on purpose. The session goes on and
//! the user reads one line.

use std::panic::AssertUnwindSafe;

use end_to_end::calls::sphere;
use end_to_end::fake_chat::{Denied, estimate_tokens};
use end_to_end::fake_gemini::Answer;
use end_to_end::stage::{FIRST_SEATS, Fake, SEATS, Seat, Session, Stage, Turn, few_at_once};
use futures_util::FutureExt;

use crate::provider_sessions::look;

/// What Gemini says of a request that is too long.
const GEMINI_OVERFLOW: &str =
    "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).";

/// How many requests got an error.
fn refused(session: &Session<'_>) -> usize {
    session.fake().asked().iter().filter(|it| it.is_refused).count()
}

/// A provider with room for a first request twice, and some more.
async fn small_stage(seat: Seat) -> Stage {
    let probe = Stage::start(&[seat]).await;
    let mut session = probe.session(seat).await;
    session.say("Hello", [Turn::saying("Hello.")]).await;
    let first = estimate_tokens(&session.fake().asked()[0].body);
    // Ollama is given a context of 16,384 at most, and what nears its end is summarised before it overflows.
    let window = 2 * first + 4_000;
    let window = if seat.service == "ollama" { window.min(12_400) } else { window };
    Stage::with_window(&[seat], Some(window)).await
}

/// Says more than the window of `seat` takes; whether a request was refused for its length.
async fn overflow(seat: Seat) -> bool {
    let stage = small_stage(seat).await;
    let mut session = stage.session(seat).await;
    let rounds = 10;
    for round in 0..rounds {
        if let (Fake::Gemini(fake), 6) = (session.fake(), round) {
            fake.push(Answer::error(400, GEMINI_OVERFLOW));
        }
        let build = Turn::new().thought("So.").calls(&sphere(&format!("s{round}"), 1.0));
        let text = format!("Round {round}: {}", "and on ".repeat(1_200));
        session.say(&text, [build, Turn::new().thought("Fine.").text("Done.")]).await;
        session.check_told();
    }
    assert_eq!(session.balls().await.len(), rounds, "{}", seat.id());
    let asked = session.fake().asked();
    let has_summary = asked.last().unwrap().body.to_string().contains("They build with balls.");
    assert!(has_summary, "{}: nothing was summarised", seat.id());
    let lines = session.retries();
    assert!(lines.iter().all(|line| line.contains("is summarised")), "{}: {lines:?}", seat.id());
    assert_eq!(lines.len(), refused(&session), "{}: a line for each refusal", seat.id());
    // The fake has far less room than the provider says, so each time it is full there is a refusal; a
    // summary has to last for three rounds at least.
    assert!(3 * lines.len() <= rounds, "{}: {lines:?}", seat.id());
    !lines.is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_grew_too_long_is_summarised_and_goes_on() {
    let seats = &SEATS[..FIRST_SEATS];
    let overflown = few_at_once(seats.iter().copied().map(overflow)).await;
    for (seat, overflown) in seats.iter().zip(overflown) {
        // llama.cpp lists a window that is shorter still: nothing gets so far.
        assert_eq!(overflown, seat.service != "llamacpp", "{}", seat.id());
    }
}

/// Refused from the second message on, and what the user reads of it.
async fn refusal(seat: Seat, denied: Denied) {
    let (line, gemini) = match denied {
        Denied::Pictures => ("picture", "Unable to process input image."),
        Denied::Thoughts => ("thoughts", "Corrupted thought signature."),
        Denied::ToolNames => ("name", ""),
    };
    let at = format!("{}, {denied:?}", seat.id());
    let stage = Stage::start(&[seat]).await;
    let mut session = stage.session(seat).await;
    let made_up = match denied {
        Denied::ToolNames => "functions.".to_owned() + &"create_".repeat(10),
        _ => "no_such_tool".to_owned(),
    };
    let build = Turn::new()
        .thought("I try.")
        .text("I try.")
        .call(&made_up, sphere("x", 1.0)["args"].clone())
        .calls(&sphere("a", 1.0));
    session.say("Build", [build, look(64), Turn::new().thought("Fine.").text("Done.")]).await;
    assert_eq!((refused(&session), session.retries().len()), (0, 0), "{at}");
    match session.fake() {
        Fake::Chat(fake) => fake.deny(Some(denied)),
        Fake::Gemini(fake) => fake.push(Answer::error(400, gemini)),
    }
    let build = Turn::new().text("On.").calls(&sphere("b", 1.0));
    session.say("Go on", [build, Turn::saying("Done.")]).await;
    session.say("And on", [Turn::saying("On.")]).await;
    session.check_told();
    let lines = session.retries();
    assert!(lines.len() == 1 && lines[0].contains(line), "{at}: {lines:?}");
    assert_eq!(refused(&session), 1, "{at}");
    assert_eq!(session.balls().await.len(), 2, "{at}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picture_a_thought_or_a_name_is_refused_and_the_session_goes_on() {
    let on = |denied, services: &'static [&str]| {
        let denies = move |seat: &&Seat| services.contains(&seat.service);
        SEATS.iter().filter(denies).map(move |seat| (*seat, denied))
    };
    let pictures = on(
        Denied::Pictures,
        &[
            "openai",
            "responses",
            "anthropic",
            "gemini",
            "ollama",
            "mistral",
            "openrouter",
            "moonshot",
            "groq",
        ],
    );
    let pictures = pictures.filter(|(seat, _)| seat.sees());
    // Thoughts that are not bound to calls. The fake Gemini takes answers back as they were given only, so it
    // cannot be told one without its signatures.
    let thoughts = on(Denied::Thoughts, &["anthropic", "groq"]);
    let thoughts = thoughts.filter(|(seat, _)| seat.thinks());
    // Ollama takes any name; Gemini and Anthropic get none that is too long.
    let names = on(
        Denied::ToolNames,
        &[
            "openai",
            "responses",
            "mistral",
            "deepseek",
            "moonshot",
            "groq",
            "openrouter",
            "llamacpp",
        ],
    );
    let cases = pictures.chain(thoughts).chain(names);
    let ended = cases.map(|(seat, denied)| AssertUnwindSafe(refusal(seat, denied)).catch_unwind());
    let failed = few_at_once(ended).await.into_iter().filter(Result::is_err).count();
    assert_eq!(failed, 0, "sessions that did not go on, as told above");
}

//! Whole sessions of the server over every provider's rules: one script, told to each of them.

use std::time::Duration;

use end_to_end::calls::{resize, sphere};
use end_to_end::prefix::{Prompt, Share, automatic, marked};
use end_to_end::stage::{SEATS, Seat, Session, Stage, Turn, few_at_once, told_text};
use llm::Gate;
use serde_json::{Value, json};

/// A small picture for the model.
pub(crate) fn look(width: usize) -> Turn {
    Turn::new().thought("I look.").call("render_preview", json!({ "width": width, "height": 48 }))
}

/// Whether the beginning of a JPEG is among the texts of a request.
fn has_picture(value: &Value) -> bool {
    match value {
        Value::String(text) => text.starts_with("/9j/") || text.starts_with("data:image/"),
        Value::Array(values) => values.iter().any(has_picture),
        Value::Object(fields) => fields.values().any(has_picture),
        _ => false,
    }
}

fn ball(id: &str, radius: f64) -> (String, f64) {
    (id.to_owned(), radius)
}

/// Which request each one goes on from: the last one of its branch.
#[derive(Default)]
struct Line {
    parents: Vec<Option<usize>>,
    tip: Option<usize>,
    /// Whether the older part was summarised: what follows a summary begins anew.
    has_summary: bool,
}

impl Line {
    /// The requests up to now belong to the branch that goes on.
    fn reach(&mut self, session: &Session<'_>) {
        let asked = session.fake().asked();
        for index in self.parents.len()..asked.len() {
            // One without tools asks for a summary.
            if asked[index].body.get("tools").is_none() {
                let told = asked[index + 1].body.to_string();
                assert!(told.contains("[Summary of the conversation so far]"), "{told}");
                self.has_summary = true;
                self.tip = None;
                self.parents.push(None);
            } else {
                self.parents.push(self.tip.replace(index));
            }
        }
    }
}

/// Tools, calls beside each other, one that fails, pictures, thoughts, edits by hand, undo, a message
/// said anew and the way back, then more of that.
async fn converse(session: &mut Session<'_>) -> Line {
    let mut line = Line::default();
    let seat = session.seat();
    let two_and_a_fault = Turn::new()
        .thought("Two of them.")
        .text("I build.")
        .calls(&sphere("a", 1.0))
        .calls(&sphere("b", 1.0))
        .calls(&sphere("broken", -1.0));
    let end = Turn::new().thought("Good.").text("Two balls are there.");
    session.say("Two balls", [two_and_a_fault, look(64), end]).await;
    let finished = session.client.events.iter().filter(|it| it["type"] == "tool_finished");
    let outcomes: Vec<_> = finished.map(|it| it["response"]["success"].clone()).collect();
    assert_eq!(outcomes, [true, true, false, true], "{}", seat.id());
    let sees = has_picture(&session.fake().asked()[2].body);
    assert_eq!(sees, seat.sees(), "{}: a picture where the model sees", seat.id());

    session.edit(json!([resize("a", 2.0), sphere("c", 1.0)])).await;
    session.say("Look", [Turn::new().thought("Larger.").text("One is larger.")]).await;
    session.check_told();
    let told = told_text(&session.fake().asked()[3].body).unwrap();
    assert!(told.contains("radius 1.0 -> 2.0") && told.contains("added shape c"), "{told}");

    session.change(json!({ "type": "undo" })).await;
    line.reach(session);
    let fork = line.tip;
    let resized = Turn::new().thought("So.").calls(&resize("b", 3.0));
    session.say("A larger b", [resized, Turn::saying("Larger.")]).await;
    session.check_told();
    assert_eq!(session.balls().await, [ball("a", 1.0), ball("b", 3.0)], "{}", seat.id());

    line.reach(session);
    let first_tip = std::mem::replace(&mut line.tip, fork);
    let replaces = session.message_id("A larger b");
    let third = Turn::new().thought("A third.").calls(&sphere("d", 1.0));
    let anew = json!({ "text": "A third one", "replaces": replaces });
    session.tell(anew, [third, Turn::saying("A third.")]).await;
    session.check_told();
    let balls = [ball("a", 1.0), ball("b", 1.0), ball("d", 1.0)];
    assert_eq!(session.balls().await, balls, "{}", seat.id());

    line.reach(session);
    line.tip = first_tip;
    session.change(json!({ "type": "select_branch", "branch": 0 })).await;
    session.say("Back again", [Turn::new().thought("Back.").text("Here we are.")]).await;
    session.check_told();
    let told = told_text(&session.fake().asked().last().unwrap().body).unwrap();
    assert!(told.starts_with("[The scene as it is now"), "{told}");

    let mut balls = vec![ball("a", 1.0), ball("b", 3.0)];
    for round in 0..9 {
        let radius = 1.5 + f64::from(round);
        session.edit(json!([resize("a", radius)])).await;
        balls[0].1 = radius;
        let id = format!("s{round}");
        let build =
            Turn::new().thought("One more.").calls(&sphere(&id, 1.0)).calls(&resize("b", radius));
        let picture = (round % 3 == 0).then(|| look(64));
        let end = Turn::new().thought("There.").text("There it is.");
        let turns = [build].into_iter().chain(picture).chain([end]);
        session.say(&format!("Round {round}"), turns).await;
        session.check_told();
        balls[1].1 = radius;
        balls.push(ball(&id, 1.0));
        assert_eq!(session.balls().await, balls, "{}", seat.id());
    }
    line.reach(session);
    line
}

/// Checks that each request only adds to the one it goes on from, and says what a cache would serve.
fn check_prefixes(seat: Seat, session: &Session<'_>, line: &Line) -> Share {
    let asked = session.fake().asked();
    assert!(asked.len() >= 30, "{} requests", asked.len());
    let prompts: Vec<Prompt> = asked.iter().map(|it| Prompt::of(&it.body)).collect();
    for (index, parent) in line.parents.iter().enumerate() {
        let Some(parent) = *parent else { continue };
        if let Some(what) = prompts[index].breaks(&prompts[parent]) {
            panic!("{}: request {index} after {parent}: {what}", seat.id());
        }
    }
    if seat.service == "anthropic" { marked(&prompts) } else { automatic(&prompts) }
}

/// Ollama sends thoughts back only while their calls go on, since its templates drop older ones.
fn drops_thoughts(seat: Seat) -> bool {
    seat.service == "ollama" && seat.thinks()
}

async fn whole_session(seat: Seat) {
    let stage = Stage::start(&[seat]).await;
    let mut session = stage.session(seat).await;
    let line = converse(&mut session).await;
    assert_eq!(session.fake().refusals(), Vec::<String>::new(), "{}", seat.id());
    assert_eq!(session.retries(), Vec::<String>::new(), "{}", seat.id());
    if drops_thoughts(seat) {
        return;
    }
    let share = check_prefixes(seat, &session, &line);
    println!("{:50} {:5.1} % of {} tokens", seat.id(), share.ratio() * 100.0, share.tokens);
    // A short window costs the cache with every summary.
    assert_eq!(line.has_summary, seat.service == "llamacpp", "{}", seat.id());
    assert!(line.has_summary || share.ratio() >= 0.8, "{}: {share:?}", seat.id());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_session_is_taken_by_every_provider_and_only_adds_to_its_prompts() {
    few_at_once(SEATS.iter().copied().map(whole_session)).await;
}

/// When the user stops a run.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Moment {
    BeforeTheFirstByte,
    InAThought,
    AfterAThought,
    InText,
    InArguments,
    AfterACall,
    WhileAToolRuns,
    BetweenTurns,
}

const MOMENTS: [Moment; 8] = [
    Moment::BeforeTheFirstByte,
    Moment::InAThought,
    Moment::AfterAThought,
    Moment::InText,
    Moment::InArguments,
    Moment::AfterACall,
    Moment::WhileAToolRuns,
    Moment::BetweenTurns,
];

impl Moment {
    /// An answer that comes to `gate` at this moment.
    fn turns(self, gate: &Gate, number: usize) -> Vec<Turn> {
        let late = sphere("late", 1.0);
        let turn = Turn::new();
        let first = match self {
            Self::BeforeTheFirstByte => turn.wait(gate).text("Never."),
            Self::InAThought => turn.within(gate).thought("Let me think.").text("Never."),
            Self::AfterAThought => turn.thought("Let me think.").wait(gate).text("Never."),
            Self::InText => turn.thought("So.").text("I begin").wait(gate).text(" it."),
            Self::InArguments => turn.thought("So.").text("I build.").within(gate).calls(&late),
            Self::AfterACall => turn.thought("So.").calls(&late).wait(gate).text("Never."),
            Self::WhileAToolRuns => {
                let view = json!({ "width": 200, "height": 150 });
                turn.thought("I look.").call("render_preview", view).calls(&late)
            }
            Self::BetweenTurns => {
                let kept = turn.thought("So.").calls(&sphere(&format!("kept{number}"), 1.0));
                return vec![kept, Turn::new().wait(gate).text("Never.")];
            }
        };
        vec![first]
    }
}

/// Stops a run at `moment` and goes on; what the scene has more then.
async fn stop(session: &mut Session<'_>, moment: Moment, number: usize) -> Vec<(String, f64)> {
    let gate = Gate::new();
    let at = format!("{}, {moment:?}", session.seat().id());
    session.expect(moment.turns(&gate, number));
    session.client.send(json!({ "type": "user_message", "text": format!("Do {number}") })).await;
    match moment {
        Moment::WhileAToolRuns => drop(session.client.until("tool_started").await),
        _ => {
            let reached = tokio::time::timeout(Duration::from_secs(30), gate.reached()).await;
            assert!(reached.is_ok(), "{at}: {:?}", session.fake().refusals());
        }
    }
    session.client.send(json!({ "type": "cancel" })).await;
    let end = session.client.until("run_finished").await;
    assert_eq!(end["reason"], "cancelled", "{at}");
    gate.open();
    session.fake().clear();
    let id = format!("after{number}");
    let build = Turn::new().thought("On.").calls(&sphere(&id, 1.0));
    session.say("Go on", [build, Turn::new().thought("Done.").text("Here.")]).await;
    session.check_told();
    assert_eq!(session.fake().refusals(), Vec::<String>::new(), "{at}");
    let kept = (moment == Moment::BetweenTurns).then(|| ball(&format!("kept{number}"), 1.0));
    kept.into_iter().chain([ball(&id, 1.0)]).collect()
}

async fn stopped_session(seat: Seat) {
    let stage = Stage::start(&[seat]).await;
    let mut session = stage.session(seat).await;
    let mut balls = Vec::new();
    for (number, moment) in MOMENTS.into_iter().enumerate() {
        let is_of_thoughts = matches!(moment, Moment::InAThought | Moment::AfterAThought);
        if !is_of_thoughts || seat.thinks() {
            balls.extend(stop(&mut session, moment, number).await);
        }
    }
    assert_eq!(session.balls().await, balls, "{}", seat.id());
    assert_eq!(session.retries(), Vec::<String>::new(), "{}", seat.id());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_can_be_stopped_at_every_moment_of_every_provider() {
    few_at_once(SEATS.iter().copied().map(stopped_session)).await;
}

//! One answer: looks first, then acts, then corrects, then checks, then tells.

use std::sync::Arc;

use llm::{Content, Part};
use serde_json::json;

use crate::answer::{Outcome, announcement, joined, say, summary};
use crate::check::{CHECK, is_worth_a_check, remarks};
use crate::correct::{Fix, fix};
use crate::history::{Job, LOOK, Situation, Step};
use crate::language::{
    Determiner, FollowUp, Heard, Intent, Names, Question, follow_up, hear, hear_as_said,
    is_foreign, is_nonsense, reference_points,
};
use crate::plan::{Call, Dialogue, Plan, Saying, calls, plan};
use crate::resolve::{Context, Resolver};
use crate::world::World;

/// The most waves of calls for one message before it is looked over: look, act, and two corrections.
const MOST_WAVES: usize = 4;

/// The answer to a message in another language.
const ENGLISH_ONLY: &str = "I did not understand that, so I changed nothing: I am the built-in model and read English \
     only. Please say it in English, for example “a red sphere on a wooden table”, or set a key (GEMINI_API_KEY, \
     ANTHROPIC_API_KEY or OPENAI_API_KEY) and choose a model that knows your language.";

/// What this model says next.
pub(crate) struct Response {
    /// The text, complete.
    pub(crate) text: String,
    /// The calls; none in a final answer.
    pub(crate) calls: Vec<Call>,
}

impl Response {
    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), calls: Vec::new() }
    }

    /// The parts as they are streamed: text in word-sized pieces, then the calls. `history` is the
    /// number of contents so far; it makes the ids of the calls unique.
    pub(crate) fn into_parts(self, history: usize) -> Vec<Part> {
        let words = self.text.split_inclusive(' ').map(Part::text);
        let calls = self.calls.into_iter().enumerate().map(|(index, call)| {
            let id = format!("call_{history}_{}", index + 1);
            Part::call(Some(&id), &call.name, call.args)
        });
        words.chain(calls).collect()
    }
}

/// The next answer to this history; `can_check` says whether the tool for that is offered.
pub(crate) fn respond(contents: &[Content], can_check: bool) -> Response {
    let situation = Situation::read(contents);
    let Some(job) = &situation.job else {
        return Response::text("Tell me what you want to see, for example “a red sphere”.");
    };
    if job.message.is_empty() {
        return Response::text("What shall I do with the selection?");
    }
    let waves = job.steps.len();
    if waves == 0 && situation.question.is_none() && is_foreign(&job.message) {
        return Response::text(ENGLISH_ONLY);
    }
    // Unknown words alone ask for nothing, unless they name the thing that was asked about.
    // A number alone may be said instead of the one before.
    let anew = follow_up(&job.message) == FollowUp::Amount && situation.has_acted();
    let nonsense = situation.question.is_none() && !anew && is_nonsense(&job.message);
    if waves == 0 && (nonsense || needs_no_look(&job.message)) {
        let failure = situation.failure.clone();
        let dialogue = Dialogue { failure, ..Dialogue::default() };
        let plan = plan(&job.message, &Arc::default(), &dialogue);
        return told(&situation, job, None, &plan);
    }
    let Some(before) = job.before() else {
        return look_or_complain(job);
    };
    let plan = planned(&situation, job, &before);
    let acted = job.outcomes().next().is_some();
    if !acted {
        let calls = calls_of(&situation, job, &before, &plan);
        if calls.is_empty() {
            return told(&situation, job, Some(&before), &plan);
        }
        return Response { text: announcement(&calls), calls };
    }
    if waves < MOST_WAVES
        && let Some(correction) = correction(job, &before)
    {
        return correction;
    }
    if can_check && is_to_be_checked(job) {
        return Response {
            text: "Now I'll check it.".to_owned(),
            calls: vec![Call::new(CHECK, json!({}))],
        };
    }
    told(&situation, job, Some(&before), &plan)
}

/// Whether what was done may have gone wrong without an error, and nobody has looked yet.
fn is_to_be_checked(job: &Job) -> bool {
    let checked = job.steps.iter().any(|step| matches!(step, Step::Check(_)));
    !checked && is_worth_a_check(job.outcomes())
}

/// Whether everything that was said can be answered without the scene.
fn needs_no_look(message: &str) -> bool {
    let clauses = hear_as_said(message);
    let scene_free = |intent: &Intent| {
        matches!(
            intent,
            Intent::Help
                | Intent::Hello
                | Intent::Thanks
                | Intent::Nothing
                | Intent::Ask(Question::Failure)
        )
    };
    clauses.iter().all(|clause| match &clause.heard {
        Heard::Intents(intents) => intents.iter().all(scene_free),
        Heard::Unclear(_) => false,
    })
}

fn look_or_complain(job: &Job) -> Response {
    let error = job.steps.iter().rev().find_map(|step| match step {
        Step::Blind(error) => Some(error),
        _ => None,
    });
    let looks = job.steps.len();
    match error {
        Some(error) if looks >= 2 => Response::text(format!(
            "I could not look at the scene, so I changed nothing. The tool said: {error}"
        )),
        None if looks >= 2 => {
            Response::text("I could not read the scene, so I changed nothing.".to_owned())
        }
        _ => Response {
            text: "I'll look at the scene first.".to_owned(),
            calls: vec![Call::new(LOOK, json!({}))],
        },
    }
}

fn planned(situation: &Situation, job: &Job, before: &Arc<World>) -> Arc<Plan> {
    let mut context = situation.context(before);
    if let Some(focus) = spoken_of(situation, &context, before) {
        context.focus = focus;
    }
    context.named = named_last(situation, &context, before);
    let dialogue = Dialogue {
        context,
        question: situation.question.clone(),
        failure: situation.failure.clone(),
        previous: situation.recent.last().map(|job| job.message.clone()),
        last: situation.last_deed(&job.message),
        undone: situation.undone(),
        gone: situation.gone(),
    };
    let continued = wants_continuation(&job.message)
        .then(|| situation.unfinished.as_ref().filter(|job| job.outcomes().next().is_none()))
        .flatten();
    match continued {
        Some(unfinished) => plan(&unfinished.message, before, &dialogue),
        None => plan(&job.message, before, &dialogue),
    }
}

/// What the last messages placed things by, the latest first: "next to the red ball".
fn named_last(situation: &Situation, context: &Context, now: &World) -> Vec<Vec<String>> {
    let names = Names::new(now.names());
    let resolver = Resolver { world: now, context };
    let named = |job: &Job| {
        let targets = reference_points(&job.message, &names);
        targets.iter().filter_map(|target| resolver.resolve(target).ok()).flatten().collect()
    };
    situation.recent.iter().rev().map(named).collect()
}

/// What the last messages spoke of beyond what they changed: a question, a look, the whole of what
/// was painted in part. Found by reading them again.
fn spoken_of(situation: &Situation, context: &Context, now: &World) -> Option<Vec<String>> {
    let of_parts = |id: &String| now.find(id).is_some_and(|thing| thing.assembly().is_some());
    let recent = &situation.recent;
    let touched = recent.iter().rposition(Job::touches);
    let mut focus = context.focus.clone();
    for (at, job) in recent.iter().enumerate().skip(touched.unwrap_or(0)) {
        let follows = matches!(
            follow_up(&job.message),
            FollowUp::Undo(_) | FollowUp::Redo | FollowUp::Correction
        );
        let several = counts(&job.message) || speaks_of_several(&job.message);
        let clear =
            job.touches() && !focus.iter().any(of_parts) && !several || stages(&job.message);
        let Some(world) = job.before().filter(|_| !follows && !clear) else {
            continue;
        };
        let before = at.checked_sub(1).and_then(|at| recent.get(at));
        let selection = job.selection.clone();
        // What it spoke of is told by what was spoken of before it.
        let meant = match job.touches() {
            true => context.before.first().cloned().unwrap_or_default(),
            false => focus.clone(),
        };
        let dialogue = Dialogue {
            context: Context { selection, focus: meant, ..context.clone() },
            previous: before.map(|job| job.message.clone()),
            question: job.answers.clone(),
            ..Dialogue::default()
        };
        let mut spoken_of = plan(&job.message, &world, &dialogue).focus.clone();
        spoken_of.retain(|id| now.find(id).is_some());
        if !spoken_of.is_empty() {
            focus = spoken_of;
        }
    }
    (focus != context.focus).then_some(focus)
}

/// "make five of them": those that were there before belong to them.
fn counts(message: &str) -> bool {
    hear_as_said(message).iter().any(|clause| match &clause.heard {
        Heard::Intents(intents) => {
            intents.iter().any(|intent| matches!(intent, Intent::Multiply { .. }))
        }
        Heard::Unclear(_) => false,
    })
}

/// "a city at night": a whole new scene, of which nothing in particular was spoken.
fn stages(message: &str) -> bool {
    let whole = |intent: &Intent| matches!(intent, Intent::Stage(staging) if !staging.known);
    hear_as_said(message).iter().all(|clause| match &clause.heard {
        Heard::Intents(intents) => intents.iter().all(whole),
        Heard::Unclear(_) => false,
    })
}

/// "make all balls the same size": those that were so before belong to them.
fn speaks_of_several(message: &str) -> bool {
    hear(message, &Names::default()).iter().any(|clause| match &clause.heard {
        Heard::Intents(intents) => intents.iter().any(|intent| match intent {
            // Also what stood in its place already.
            Intent::Arrange { .. } => true,
            Intent::Change { target, .. } => target.0.iter().any(|phrase| {
                phrase.plural || matches!(phrase.determiner, Determiner::Rest | Determiner::All)
            }),
            _ => false,
        }),
        Heard::Unclear(_) => false,
    })
}

fn wants_continuation(message: &str) -> bool {
    hear_as_said(message).iter().any(|clause| match &clause.heard {
        Heard::Intents(intents) => intents.contains(&Intent::Continue),
        Heard::Unclear(_) => false,
    })
}

/// The calls for a plan; "continue" repeats what was cut off.
fn calls_of(situation: &Situation, job: &Job, before: &World, plan: &Plan) -> Vec<Call> {
    let cut_off = situation.unfinished.as_ref().map(Job::interrupted_calls).unwrap_or_default();
    if !cut_off.is_empty() && wants_continuation(&job.message) {
        return cut_off;
    }
    calls(before, &plan.world, &plan.focus)
}

/// What every failed call of the last wave needs.
fn fixes<'a, 'h>(
    outcomes: &'a [Outcome<'h>],
    all: &[&Outcome],
    before: &World,
    looked_again: Option<&World>,
) -> Vec<(&'a Outcome<'h>, Fix)> {
    if outcomes.iter().all(|outcome| outcome.result.is_ok()) {
        return Vec::new();
    }
    let mut taken: Vec<String> =
        all.iter().filter_map(|outcome| outcome.id().map(str::to_owned)).collect();
    let mut fixes = Vec::new();
    for outcome in outcomes.iter().filter(|outcome| outcome.result.is_err()) {
        let names: Vec<&str> = taken.iter().map(String::as_str).collect();
        let fix = fix(outcome, before, &names, looked_again);
        if let Fix::Retry { call, .. } = &fix {
            taken.extend(call.id().map(str::to_owned));
        }
        fixes.push((outcome, fix));
    }
    fixes
}

/// The last wave of changes and the scene, if it was looked at after.
fn last_wave<'a, 'h>(job: &'a Job<'h>) -> Option<(&'a [Outcome<'h>], Option<Arc<World>>)> {
    let at = job.steps.iter().rposition(|step| matches!(step, Step::Wave(_)))?;
    let Step::Wave(outcomes) = &job.steps[at] else { return None };
    let again = job.steps[at + 1..].iter().rev().find_map(|step| match step {
        Step::Look(look) => look.world(),
        _ => None,
    });
    Some((outcomes, again))
}

fn correction(job: &Job, before: &World) -> Option<Response> {
    let (outcomes, again) = last_wave(job)?;
    let all: Vec<&Outcome> = job.outcomes().collect();
    let fixes = fixes(outcomes, &all, before, again.as_deref());
    let retries: Vec<Call> = fixes
        .iter()
        .filter_map(|(_, fix)| match fix {
            Fix::Retry { call, .. } => Some(call.clone()),
            _ => None,
        })
        .collect();
    if !retries.is_empty() {
        return Some(Response {
            text: "That did not all work; I'll correct it.".into(),
            calls: retries,
        });
    }
    let look = again.is_none() && fixes.iter().any(|(_, fix)| *fix == Fix::LookAgain);
    look.then(|| Response {
        text: "Something has changed; I'll look again.".into(),
        calls: vec![Call::new(LOOK, json!({}))],
    })
}

/// The final answer: what was done, what there is to know, what failed.
fn told(situation: &Situation, job: &Job, before: Option<&World>, plan: &Plan) -> Response {
    let mut sentences = Vec::new();
    for earlier in &situation.unreported {
        sentences.extend(done(earlier));
    }
    sentences.extend(done(job));
    let tried = job.outcomes().next().is_some();
    let achieved = job.outcomes().any(|outcome| outcome.result.is_ok());
    let failed = before.map(|before| failures(job, before)).unwrap_or_default();
    let continued = wants_continuation(&job.message) && !sentences.is_empty();
    let sayings: Vec<Saying> = plan
        .sayings
        .iter()
        .filter(|saying| match saying {
            // Remarks tell how something was done: only when it was.
            Saying::Remark(_) => achieved || !tried,
            Saying::Answer(_) => !continued,
            Saying::Courtesy(_) => {
                let courtesy = |saying: &Saying| matches!(saying, Saying::Courtesy(_));
                sentences.is_empty() && plan.sayings.iter().all(courtesy)
            }
            _ => true,
        })
        .cloned()
        .collect();
    sentences.extend(say(&sayings));
    sentences.extend(failed);
    if let Some(report) = job.last_check() {
        sentences.extend(remarks(report, &job.message, job.outcomes(), &plan.world));
    }
    // An empty answer would end the message without a word to the user.
    sentences.retain(|sentence| !sentence.trim().is_empty());
    if sentences.is_empty() {
        sentences.push(match achieved {
            true => "That is done.".to_owned(),
            false => "That is how it is already, so there was nothing to change.".to_owned(),
        });
    }
    Response::text(sentences.join(" "))
}

fn done(job: &Job) -> Vec<String> {
    let outcomes: Vec<&Outcome> = job.outcomes().collect();
    summary(&job.before().unwrap_or_default(), &outcomes)
}

/// What was corrected and what could not be.
fn failures(job: &Job, before: &World) -> Vec<String> {
    let all: Vec<&Outcome> = job.outcomes().collect();
    let succeeded =
        |call: &Call| all.iter().any(|outcome| outcome.is_of(call) && outcome.result.is_ok());
    let again = last_wave(job).and_then(|(_, again)| again);
    let mut sentences = Vec::new();
    let mut errors: Vec<String> = Vec::new();
    let mut known: Vec<&Outcome> = Vec::new();
    for step in &job.steps {
        let Step::Wave(outcomes) = step else { continue };
        // The calls up to and including a wave: what was known when it was corrected.
        known.extend(outcomes);
        for (outcome, fix) in fixes(outcomes, &known, before, again.as_deref()) {
            match fix {
                Fix::Retry { call, note } if succeeded(&call) => sentences.extend(note),
                Fix::Retry { call, .. }
                    if all.iter().any(|o| o.is_of(&call) && **o != *outcome) => {}
                _ => errors.push(explained(outcome)),
            }
        }
    }
    if !errors.is_empty() {
        sentences.push(format!("This did not work: {}", joined(&errors, "and")));
    }
    sentences
}

fn explained(outcome: &Outcome) -> String {
    let what = outcome.name.replace('_', " ");
    let id = outcome.id().map_or(String::new(), |id| format!(" {id}"));
    let error = match &outcome.result {
        Err(error) => crate::answer::cut(error, 300),
        Ok(_) => String::new(),
    };
    format!("{what}{id} ({error})")
}

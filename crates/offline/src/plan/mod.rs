//! Carries intents out in thought: changes a copy of the scene and notes what there is to say.
//! The difference between the scenes becomes the tool calls.

mod acts;
mod dialogue;
mod places;
mod scenery;

use std::sync::Arc;

use crate::history::Deed;
use crate::language::{
    CameraMove, Clause, Correction, Determiner, Heard, Intent, Names, Noun, Phrase, Target, hear,
};
use crate::resolve::{Context, Resolver};
use crate::world::World;

use dialogue::problem::{later, mentions_later};
use dialogue::reply::answer_in;
use places::joined::joined_up;

pub(crate) use dialogue::difference::{Call, calls};
pub(crate) use dialogue::part_way::is_moderated;
pub(crate) use dialogue::problem::{Done, Problem, cannot_build};

/// Something to tell the person.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Saying {
    /// The answer to a question.
    Answer(String),
    /// A kind word, for when there is nothing else to say.
    Courtesy(String),
    /// What the person should know about what was done.
    Remark(String),
    /// A clause that was not understood, and the words in the way.
    Unclear { clause: String, words: Vec<String> },
    /// Which one is meant? The clause, the words and the candidates.
    Question { clause: String, words: String, candidates: Vec<String> },
    /// Why a clause could not be done.
    Refused(String),
}

/// What a message comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    /// The scene as it is to be.
    pub(crate) world: World,
    /// What "it" means after it.
    pub(crate) focus: Vec<String>,
    /// What there is to say besides what was done.
    pub(crate) sayings: Vec<Saying>,
}

/// What the dialogue so far adds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Dialogue {
    /// What "it" means, and the selection.
    pub(crate) context: Context,
    /// The clause this model asked about last.
    pub(crate) question: Option<String>,
    /// What failed last and why.
    pub(crate) failure: Option<String>,
    /// What the person said before, whatever came of it.
    pub(crate) previous: Option<String>,
    /// What was done last and can be taken back.
    pub(crate) last: Option<Deed>,
    /// What was taken back last.
    pub(crate) undone: Option<Deed>,
    /// What was taken away, a list for each message, the last last.
    pub(crate) gone: Vec<Vec<crate::world::Thing>>,
}

/// The working state while a message is planned.
#[derive(Debug, Clone)]
pub(crate) struct Planner {
    pub(crate) world: World,
    pub(crate) context: Context,
    pub(crate) sayings: Vec<Saying>,
    /// Whether the person said where the camera should be.
    camera_told: bool,
    /// Where something stood that was taken away.
    vacated: Option<glam::DVec3>,
    /// Whether the person said how large the thing is that is being made.
    pub(crate) size_told: bool,
    failure: Option<String>,
    previous: Option<String>,
    last: Option<Deed>,
    undone: Option<Deed>,
    /// Whether the message is a question.
    asking: bool,
    /// The scene as it was before this message took something back.
    taken_back: Option<World>,
    /// What this message has wished for so far, the last of it.
    acted: Option<Clause>,
    /// What was taken away, a list for each message, the last last.
    gone: Vec<Vec<crate::world::Thing>>,
    /// The scene without what was taken back: what is made instead is framed as if it came first.
    restored: Option<World>,
}

/// The most characters of a message that are read; a longer one is cut, and said so.
const LONGEST_MESSAGE: usize = 4_000;

/// Plans what a message asks for, over the scene as it was looked at.
pub(crate) fn plan(message: &str, world: &Arc<World>, dialogue: &Dialogue) -> Arc<Plan> {
    dialogue::memory::remembered(message, world, dialogue, think)
}

fn think(message: &str, world: &World, dialogue: &Dialogue) -> Plan {
    let mut planner = Planner {
        world: world.clone(),
        context: dialogue.context.clone(),
        sayings: Vec::new(),
        camera_told: false,
        vacated: None,
        size_told: false,
        failure: dialogue.failure.clone(),
        previous: dialogue.previous.clone(),
        last: dialogue.last.clone(),
        undone: dialogue.undone.clone(),
        asking: message.trim_end().ends_with('?'),
        taken_back: None,
        acted: None,
        gone: dialogue.gone.clone(),
        restored: None,
    };
    let message = match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => {
            planner.remark("Your message is very long; I read only its beginning.");
            &message[..end]
        }
        None => message,
    };
    let mut clauses = understand(message, world);
    if let (Some(question), Some(answer)) = (&dialogue.question, answer_in(message, &clauses)) {
        planner.context.answer = Some(answer);
        clauses = understand(question, world);
    }
    if clauses.is_empty() {
        let words = vec![message.trim().to_owned()];
        planner.sayings.push(Saying::Unclear { clause: message.trim().to_owned(), words });
    }
    for clause in &joined_up(clauses, message) {
        planner.carry_out_clause(clause);
    }
    let seen_before = planner.restored.take();
    planner.keep_in_view(seen_before.as_ref().unwrap_or(world));
    planner.warn_of_darkness(world);
    Plan { world: planner.world, focus: planner.context.focus, sayings: planner.sayings }
}

/// Reads a message. Names that it gives itself ("called bob") are known in the rest of it.
fn understand(message: &str, world: &World) -> Vec<Clause> {
    let names = Names::of(world);
    let clauses = hear(message, &names);
    let given: Vec<String> = clauses
        .iter()
        .flat_map(|clause| match &clause.heard {
            Heard::Intents(intents) => intents.as_slice(),
            Heard::Unclear(_) => &[],
        })
        .flat_map(|intent| match intent {
            Intent::Create(phrases) => phrases.as_slice(),
            _ => &[],
        })
        .filter_map(|phrase| phrase.name.as_deref().map(as_id))
        .collect();
    if given.is_empty() || clauses.len() < 2 {
        return clauses;
    }
    hear(message, &names.and(given.iter().map(String::as_str)))
}

/// A name as an id: lower case, underscores for what is no letter or digit.
pub(crate) fn as_id(name: &str) -> String {
    let id: String = name
        .trim()
        .to_lowercase()
        .chars()
        .map(|letter| if letter.is_alphanumeric() { letter } else { '_' })
        .take(64)
        .collect();
    let id = id.trim_matches('_').to_owned();
    if id.is_empty() { "thing".to_owned() } else { id }
}

impl Planner {
    pub(crate) fn remark(&mut self, text: impl Into<String>) {
        let saying = Saying::Remark(text.into());
        if !self.sayings.contains(&saying) {
            self.sayings.push(saying);
        }
    }

    pub(crate) fn resolve(&self, target: &Target) -> Result<Vec<String>, Problem> {
        let resolver = Resolver { world: &self.world, context: &self.context };
        Ok(resolver.resolve(target)?)
    }

    /// Carries a clause out as a whole or not at all.
    fn carry_out_clause(&mut self, clause: &Clause) {
        let intents = match &clause.heard {
            Heard::Intents(intents) => intents,
            Heard::Unclear(words) => {
                let saying = Saying::Unclear { clause: clause.text.clone(), words: words.clone() };
                self.sayings.push(saying);
                // What it was about is what "it" means after, though nothing was done.
                let names = Names::of(&self.world);
                if let Some(ids) = crate::language::mentioned(&clause.text, &names)
                    .and_then(|target| self.resolve(&target).ok())
                {
                    self.context.focus = ids;
                }
                return;
            }
        };
        if !clause.left_out.is_empty() {
            let words = clause.left_out.join("”, “");
            self.remark(format!("I don't know what “{words}” looks like, so I did without that."));
        }
        if !clause.passed.is_empty() {
            let words = clause.passed.join("”, “");
            self.remark(format!("I passed over “{words}”."));
        }
        let before = self.clone();
        let further = vec![Intent::Correct(Correction::More(None))];
        let intents = if self.is_further_move(clause) { &further } else { intents };
        let again = self.meant_with_the_last(clause, intents);
        let intents = again.as_ref().unwrap_or(intents);
        let intents = &self.known_before(intents);
        let intents = &self.for_all_asked(intents);
        let intents = &self.for_all_changed(intents);
        self.bring_back_to_place(intents);
        let mut made: Vec<String> = Vec::new();
        for intent in intents {
            if matches!(intent, Intent::Arrange { .. }) && !made.is_empty() {
                // "a ball and a cube, a metre apart": all that was just made.
                self.context.focus = std::mem::take(&mut made);
            }
            if let Err(problem) = self.carry_out(intent, clause) {
                *self = before;
                let saying = self.saying_of(problem, clause);
                self.sayings.push(saying);
                return;
            }
            if matches!(intent, Intent::Create(_)) {
                made.extend(self.context.focus.iter().cloned());
            }
        }
        if acts::again::acts(clause) {
            self.acted = Some(clause.clone());
        }
        let changing =
            |intent: &Intent| matches!(intent, Intent::Change { .. } | Intent::Exchange { .. });
        if intents.iter().any(changing) && self.world == before.world {
            self.remark(format!("“{}” is so already.", clause.text.trim_end_matches('.')));
        }
    }

    /// "make the red ball white and the white ball red": what each means before the first is done.
    fn known_before(&self, intents: &[Intent]) -> Vec<Intent> {
        let mut intents = intents.to_vec();
        if intents.len() < 2 {
            return intents;
        }
        let told = |phrase: &Phrase| phrase.determiner == Determiner::The;
        for intent in &mut intents {
            if let Intent::Change { target, .. } = intent
                && target.0.iter().all(told)
                && let Ok(ids) = self.resolve(target)
            {
                *target = Target(ids.into_iter().map(Phrase::named).collect());
            }
        }
        intents
    }

    pub(super) fn carry_out(&mut self, intent: &Intent, clause: &Clause) -> Done {
        match intent {
            Intent::Create(phrases) => match self.wished_total(phrases, &clause.text) {
                Some(total) => self.have_so_many(&phrases[0], total),
                None => self.create(phrases),
            },
            Intent::Stage(staging) => self.stage(staging),
            Intent::Change { target, changes }
                if let Some(other) = self.of_that_colour_too(target, changes, &clause.text) =>
            {
                self.repeat_deed(&other)
            }
            Intent::Change { target, changes } => {
                let taller = self.taller(target, changes, &clause.text);
                self.change(target, taller.as_ref().map_or(changes, std::slice::from_ref))
            }
            Intent::Multiply { target, total, how } => self.multiply(target, *total, how.as_ref()),
            Intent::Total { kind, total } => self.have_so_many(kind, *total),
            Intent::Remove(target) => self.remove(target),
            Intent::Duplicate { target, count, places, shift } => {
                self.duplicate(target, *count, places, *shift)
            }
            Intent::Exchange { target, what } => self.exchange(target, *what),
            Intent::Arrange { target, how } if let Some(total) = self.missing_of(target) => {
                self.multiply(&Target::of(Phrase::new(Determiner::Focus)), total, Some(how))
            }
            Intent::Arrange { target, how } => self.arrange(target, how),
            Intent::Mirror { target, axis } => self.mirror(target, *axis),
            Intent::Group { target, name } => self.group(target, name.as_deref()),
            Intent::Ungroup(target) => self.ungroup(target),
            Intent::Surround { mood, colour } => {
                self.surround(*mood, colour.as_ref());
                Ok(())
            }
            Intent::Horizon(colour) => {
                self.set_horizon(colour);
                Ok(())
            }
            Intent::Mention(target) => {
                self.context.focus = self.resolve(target)?;
                let text = "What shall I change about it?".to_owned();
                self.sayings.push(Saying::Courtesy(text));
                Ok(())
            }
            Intent::Autumn => {
                self.turn_leaves();
                Ok(())
            }
            Intent::OnlyLight(target) => self.leave_alight(target),
            Intent::Air(air) => {
                self.fill_air(air);
                Ok(())
            }
            Intent::Snow => {
                self.let_it_snow();
                Ok(())
            }
            Intent::Light(setup) => {
                self.light_up(*setup);
                Ok(())
            }
            Intent::Expose(factor) => {
                self.expose(*factor);
                Ok(())
            }
            Intent::Camera(CameraMove::LookAt(target)) if self.wants_to_see_new(target) => {
                self.create(&target.0)
            }
            Intent::Camera(movement) => self.move_camera(movement),
            Intent::Ask(question) => self.inquire(question),
            Intent::Answer(target) if target.0.iter().all(|phrase| phrase.ordinal.is_some()) => {
                // A number answers a question, or is said instead of the one before.
                let number = target.0.first().and_then(|phrase| phrase.ordinal).unwrap_or_default();
                let bare = clause.text.trim_start().starts_with(|c: char| c.is_alphanumeric());
                if bare && let Some(done) = self.say_number_anew(number as f64) {
                    return done;
                }
                let words = vec![clause.text.clone()];
                self.sayings.push(Saying::Unclear { clause: clause.text.clone(), words });
                Ok(())
            }
            Intent::Answer(target)
                if let Some(changes) = self.looks_of_last(&target.0, &clause.text) =>
            {
                self.change(&Target::of(Phrase::new(Determiner::It)), &changes)
            }
            // "a smaller blue one", where nothing was asked.
            Intent::Answer(target) if target.0.iter().all(|p| self.like_the_last(p).is_some()) => {
                self.create(&target.0)
            }
            Intent::Answer(target) if self.is_whole_room(target) => {
                self.move_camera(&CameraMove::Frame)
            }
            Intent::Answer(target) if self.asking && self.resolve(target).is_ok() => {
                self.inquire(&crate::language::Question::About(target.clone()))
            }
            Intent::Answer(target)
                if let Some(changes) = self.looks_of_ones(target)
                    && self.resolve(target).is_err() =>
            {
                self.change(&self.ones_meant(), &changes)
            }
            // "the roof in dark grey".
            Intent::Answer(target)
                if let Some((known, changes)) = self.looks_of_known(target, &clause.text) =>
            {
                self.change(&known, &changes)
            }
            Intent::Answer(target) if let Some(changes) = self.size_of_it(target) => {
                let fresh = self.acted.is_none();
                if let Some(done) = fresh.then(|| self.say_length_anew(&changes)).flatten() {
                    return done;
                }
                self.change(&Target::of(Phrase::new(Determiner::It)), &changes)
            }
            Intent::Answer(target) if let Some(wish) = self.first_wish(target) => {
                self.create(&wish)
            }
            Intent::Answer(target) => {
                if mentions_later(target) && self.resolve(target).is_err() {
                    return Err(later(target));
                }
                if let Some(done) = self.so_many_of_it(target).or_else(|| self.repeat(target)) {
                    return done;
                }
                let ids = self.resolve(target)?;
                Err(Problem::Cannot(format!(
                    "“{}” is {}, but I don't know what to do with it. Say for example \
                     “make it blue” or “move it up by 1”.",
                    clause.text,
                    crate::answer::list(&ids)
                )))
            }
            Intent::Help => {
                self.sayings.push(Saying::Answer(crate::answer::help()));
                Ok(())
            }
            Intent::Furnish { target, parts } => self.give_parts(target, parts),
            Intent::Whereabouts(place) => self.whereabouts(place),
            Intent::Wanting { target, what } => self.ask_for(target, *what),
            Intent::Undo { redo, .. } => self.undo(*redo),
            Intent::Correct(correction) => self.correct(correction),
            Intent::Repeat(target) => self.repeat_deed(target),
            Intent::BringBack(target) => self.bring_back(target),
            Intent::Keep(regards) => {
                self.keep(regards);
                Ok(())
            }
            Intent::Excess { excess, otherwise } => self.moderate(*excess, otherwise, clause),
            Intent::Leave(target) => {
                self.leave(target.as_ref());
                Ok(())
            }
            Intent::Continue | Intent::Hello | Intent::Thanks | Intent::Nothing => {
                self.sayings.extend(dialogue::reply::courtesy(intent));
                Ok(())
            }
        }
    }

    /// "show me the solar system", where there is none: one is to be made.
    fn wants_to_see_new(&self, target: &Target) -> bool {
        let object = |phrase: &Phrase| matches!(phrase.head, Some(Noun::Assembly(_)));
        self.world.objects().next().is_none() && target.0.iter().all(object)
    }
}

//! Taking back what was done, doing it again, and doing it differently.

use super::{Done, Planner, Problem, understand};
use crate::colour::Colour;
use crate::history::Deed;
use crate::language::{
    Change, Clause, Correction, Degree, Determiner, Heard, Intent, Noun, Phrase, Place, Shift,
    Target, Way,
};
use crate::world::World;

impl Planner {
    /// Puts everything back that the last deed changed, or forward again. The person's own edits
    /// in between stay, but for those of the same things.
    pub(crate) fn undo(&mut self, redo: bool) -> Done {
        // "bring it back", where nothing was taken back: what was removed.
        let redo = redo && self.undone.is_some();
        let deed = if redo { self.undone.clone() } else { self.last.clone() };
        let Some(deed) = deed else {
            return Err(Problem::Cannot(format!(
                "I remember nothing that I could {word} here; the button {button} of the page \
                 takes steps of any kind {way}.",
                word = if redo { "do again" } else { "undo" },
                button = if redo { "Redo" } else { "Undo" },
                way = if redo { "forward" } else { "back" }
            )));
        };
        self.camera_told = true;
        self.restore(&deed);
        let before = cut_message(&deed.message);
        self.remark(if redo {
            format!("That is “{before}” done again.")
        } else {
            format!("That takes “{before}” back.")
        });
        self.context.focus =
            deed.ids.into_iter().filter(|id| self.world.find(id).is_some()).collect();
        Ok(())
    }

    /// Makes the things of a deed, the surroundings and the camera as they were before it.
    fn restore(&mut self, deed: &Deed) {
        let Some(before) = World::read(&deed.before) else { return };
        for (old, new) in &deed.renamed {
            if let Some(thing) = self.world.find_mut(new) {
                thing.id.clone_from(old);
            }
        }
        for id in &deed.ids {
            match (before.find(id), self.world.find_mut(id)) {
                (Some(old), Some(now)) => {
                    now.group.clone_from(&old.group);
                    now.body.clone_from(&old.body);
                }
                (Some(old), None) => {
                    let mut thing = old.clone();
                    thing.origin = None;
                    self.world.things.push(thing);
                }
                (None, _) => self.world.things.retain(|thing| thing.id != *id),
            }
        }
        self.world.environment = before.environment;
        self.world.camera = before.camera;
        self.restored = Some(self.world.clone());
    }

    /// Does the last thing differently.
    pub(crate) fn correct(&mut self, correction: &Correction) -> Done {
        let Some(deed) = self.last.clone() else {
            return match correction {
                // Nothing was done, so nothing is wrong: a wish like any other.
                Correction::Rather(changes) => {
                    self.change(&Target::of(Phrase::new(Determiner::It)), changes)
                }
                Correction::Remade(phrases) => self.create(phrases),
                Correction::Back => self.change(&Target::of(Phrase::new(Determiner::It)), &[BACK]),
                Correction::Instead(_)
                | Correction::More(_)
                | Correction::Less
                | Correction::Number(_) => Err(Problem::Cannot(
                    "I have done nothing yet that could be done differently; say what to do, \
                         for example “make the box blue”."
                        .to_owned(),
                )),
            };
        };
        let clauses = understand(&deed.message, &self.world);
        let mut acted: Vec<Clause> = clauses.into_iter().filter(acts).collect();
        let Some(clause) = acted.pop() else {
            return Err(Problem::Cannot(
                "I don't know how to do the last thing differently; say it anew, please."
                    .to_owned(),
            ));
        };
        let touched = touched_by(&deed, &self.world);
        let again: Vec<Intent> = match correction {
            Correction::Instead(target) => {
                let ids = self.of_same_kind(target, &clause)?;
                self.restore(&deed);
                directed_at(&clause, &Target(ids.into_iter().map(Phrase::named).collect()))
            }
            Correction::Rather(changes) if surrounds(&clause) && names_colour(changes) => {
                vec![Intent::Surround { mood: None, colour: named_colour(changes) }]
            }
            Correction::Rather(changes) => {
                self.restore(&deed);
                vec![Intent::Change { target: touched, changes: changes.clone() }]
            }
            Correction::Remade(phrases) => {
                self.restore(&deed);
                vec![Intent::Create(remade(&clause, phrases))]
            }
            Correction::Number(count) => {
                self.restore(&deed);
                counted(&clause, *count)
            }
            Correction::Back => returned(&clause, &touched),
            Correction::More(degree) => repeated(&clause, &touched, *degree),
            Correction::Less => {
                self.restore(&deed);
                softened(&clause, &touched)
            }
        };
        for intent in &again {
            self.carry_out(intent, &clause)?;
        }
        Ok(())
    }

    /// "and the box", "this too": what was said of the last thing, said of another. None when there
    /// is nothing to repeat.
    pub(crate) fn repeat(&mut self, target: &Target) -> Option<Done> {
        let clause = self.last_wish()?;
        let directed = intents(&clause).iter().any(|intent| intent.target().is_some());
        if !directed {
            return None;
        }
        let ids = match self.of_same_kind(target, &clause) {
            Ok(ids) => ids,
            Err(problem) => {
                // "and the other ball on the table": where it is to be.
                let mut bare = target.clone();
                let place = bare.0.last_mut().and_then(|phrase| phrase.places.pop());
                return Some(match place {
                    Some(place) => self.change(&bare, &[Change::Place(place)]),
                    None => Err(problem),
                });
            }
        };
        let other = Target(ids.iter().cloned().map(Phrase::named).collect());
        for intent in directed_at(&clause, &other) {
            if let Err(problem) = self.carry_out(&intent, &clause) {
                return Some(Err(problem));
            }
        }
        if self.context.focus.is_empty() {
            self.context.focus =
                ids.into_iter().filter(|id| self.world.find(id).is_some()).collect();
        }
        Some(Ok(()))
    }

    /// What the person wished for last, also where it only was a question or a look.
    fn last_wish(&self) -> Option<Clause> {
        let of = |message: &str| {
            let mut clauses = understand(message, &self.world);
            clauses.retain(|clause| acts(clause) || asks(clause));
            clauses.pop()
        };
        let previous = self.previous.as_deref().and_then(of);
        previous.or_else(|| of(&self.last.as_ref()?.message))
    }

    /// "where it was": the middle of what was taken away last.
    pub(crate) fn former_place(&self) -> Result<Place, Problem> {
        let before = || {
            let deed = self.last.as_ref()?;
            let before = World::read(&deed.before)?;
            let gone = |id: &String| self.world.find(id).is_none();
            let ids: Vec<&String> = deed.ids.iter().filter(|id| gone(id)).collect();
            let things = before.things.iter().filter(|thing| ids.contains(&&thing.id));
            World::bounds_of(things).map(|bounds| bounds.center())
        };
        let middle = self.vacated.or_else(before).ok_or_else(|| {
            Problem::Cannot("Nothing was taken away whose place I could use.".to_owned())
        })?;
        Ok(Place::Ground(middle.x, middle.z))
    }

    /// What the last thing was placed by: "one behind" is behind the same table.
    pub(crate) fn placed_by(&self) -> Option<Target> {
        let clause = self.last_wish()?;
        let mut places = intents(&clause).iter().flat_map(|intent| match intent {
            Intent::Create(phrases) => phrases.iter().flat_map(|phrase| &phrase.places).collect(),
            _ => Vec::new(),
        });
        places.find_map(|place| match place {
            Place::Relative { target, .. } => {
                let known = |phrase: &Phrase| phrase.determiner == Determiner::The;
                let there = target.0.iter().all(known) && self.resolve(target).is_ok();
                there.then(|| target.clone())
            }
            _ => None,
        })
    }

    /// "back down" goes as far as it went up.
    pub(crate) fn way_back(&self, shift: Shift) -> Shift {
        if shift.metres.is_some() || shift.degree.is_some() {
            return shift;
        }
        let clauses = self.last.as_ref().map(|deed| understand(&deed.message, &self.world));
        let last = clauses.iter().flatten().last();
        let changes = last.into_iter().flat_map(intents).filter_map(|intent| match intent {
            Intent::Change { changes, .. } => Some(changes),
            _ => None,
        });
        let went = changes.flatten().find_map(|change| match change {
            Change::Shift(went) if went.way == shift.way.opposite() => went.metres,
            _ => None,
        });
        Shift { metres: went, ..shift }
    }

    /// "further" after something was moved: once more, rather than the camera.
    pub(crate) fn is_further_move(&self, clause: &Clause) -> bool {
        let text = clause.text.to_lowercase();
        let further = ["further", "farther"].iter().any(|word| text.ends_with(word));
        let last = self.last.as_ref().map(|deed| understand(&deed.message, &self.world));
        further && last.is_some_and(|clauses| clauses.last().is_some_and(moves))
    }

    /// "no, the other one": another of what was spoken of, or whatever the words mean.
    fn of_same_kind(&self, target: &Target, clause: &Clause) -> Result<Vec<String>, Problem> {
        let spoken_of = intents(clause).iter().find_map(|intent| intent.target()?.0.first());
        let mut same = target.clone();
        for phrase in &mut same.0 {
            if matches!(phrase.head, None | Some(Noun::Thing)) {
                phrase.head =
                    spoken_of.and_then(|phrase| phrase.head.clone()).or(phrase.head.take());
            }
        }
        self.resolve(&same).or_else(|_| self.resolve(target))
    }

    /// "don't move the cone": it stays as it is, and is what "it" means after.
    pub(crate) fn leave(&mut self, target: Option<&Target>) {
        let ids = target.and_then(|target| self.resolve(target).ok()).unwrap_or_default();
        let text = if ids.is_empty() {
            "All right, I don't.".to_owned()
        } else {
            let names = self.names_of(&ids);
            let are = if names.len() == 1 { "it is" } else { "they are" };
            format!("All right, I leave {} as {are}.", crate::answer::list(&names))
        };
        self.sayings.push(super::Saying::Answer(text));
        if !ids.is_empty() {
            self.context.focus = ids;
        }
    }
}

fn cut_message(message: &str) -> String {
    crate::answer::cut(message.trim_end_matches(['.', '!', '?']), 60)
}

fn acts(clause: &Clause) -> bool {
    match &clause.heard {
        Heard::Intents(intents) => intents.iter().any(|intent| {
            !matches!(
                intent,
                Intent::Ask(_)
                    | Intent::Hello
                    | Intent::Thanks
                    | Intent::Nothing
                    | Intent::Help
                    | Intent::Leave(_)
                    | Intent::Answer(_)
                    | Intent::Undo { .. }
                    | Intent::Correct(_)
            )
        }),
        Heard::Unclear(_) => false,
    }
}

/// Whether it asks about things.
fn asks(clause: &Clause) -> bool {
    intents(clause).iter().any(|intent| matches!(intent, Intent::Ask(_)))
}

fn intents(clause: &Clause) -> &[Intent] {
    match &clause.heard {
        Heard::Intents(intents) => intents,
        Heard::Unclear(_) => &[],
    }
}

/// The things a deed changed and that are there still.
fn touched_by(deed: &Deed, world: &World) -> Target {
    let now = |id: &String| {
        let renamed = deed.renamed.iter().find(|(old, _)| old == id);
        renamed.map_or(id.clone(), |(_, new)| new.clone())
    };
    let ids = deed.ids.iter().map(now).filter(|id| world.find(id).is_some());
    Target(ids.map(Phrase::named).collect())
}

/// The same done to other things.
fn directed_at(clause: &Clause, other: &Target) -> Vec<Intent> {
    let mut intents = intents(clause).to_vec();
    for target in intents.iter_mut().filter_map(Intent::target_mut) {
        target.clone_from(other);
    }
    intents
}

/// The same once more; comparisons by as much as said now.
fn repeated(clause: &Clause, touched: &Target, degree: Option<Degree>) -> Vec<Intent> {
    let mut intents = intents(clause).to_vec();
    for intent in &mut intents {
        if let Intent::Change { target, changes } = intent {
            target.clone_from(touched);
            for change in changes {
                if let Change::Compare { degree: said, factor, .. } = change {
                    *said = degree;
                    *factor = if degree.is_some() { None } else { *factor };
                } else if let Change::Shift(Shift { degree: said, metres, .. }) = change {
                    *said = degree;
                    *metres = if degree.is_some() { None } else { *metres };
                }
            }
        }
    }
    intents
}

/// A step away from the viewer.
const BACK: Change = Change::Shift(Shift { way: Way::Back, metres: None, degree: None });

/// As many as said, of what was made.
fn counted(clause: &Clause, count: usize) -> Vec<Intent> {
    let mut intents = intents(clause).to_vec();
    for intent in &mut intents {
        match intent {
            Intent::Create(phrases) => {
                for phrase in phrases {
                    (phrase.count, phrase.plural) = (Some(count), count > 1);
                }
            }
            Intent::Multiply { total, .. } => *total = count,
            Intent::Duplicate { count: copies, .. } => *copies = count,
            _ => {}
        }
    }
    intents
}

/// The way it came; what was not moved goes back from the viewer.
fn returned(clause: &Clause, touched: &Target) -> Vec<Intent> {
    let moves = intents(clause).iter().filter_map(|intent| match intent {
        Intent::Change { changes, .. } => Some(changes),
        _ => None,
    });
    let shifts = moves.flatten().filter_map(|change| match change {
        Change::Shift(shift) => Some(Change::Shift(Shift { way: shift.way.opposite(), ..*shift })),
        _ => None,
    });
    let mut changes: Vec<Change> = shifts.collect();
    if changes.is_empty() {
        changes.push(BACK);
    }
    vec![Intent::Change { target: touched.clone(), changes }]
}

/// Whether the clause set what is behind everything.
fn surrounds(clause: &Clause) -> bool {
    intents(clause).iter().any(|intent| matches!(intent, Intent::Surround { .. }))
}

fn names_colour(changes: &[Change]) -> bool {
    named_colour(changes).is_some()
}

fn named_colour(changes: &[Change]) -> Option<Colour> {
    match changes {
        [Change::Colour(colour)] => Some(colour.clone()),
        _ => None,
    }
}

/// Whether the clause moved something.
fn moves(clause: &Clause) -> bool {
    let shifts = |change: &Change| matches!(change, Change::Shift(_));
    intents(clause).iter().any(|intent| match intent {
        Intent::Change { changes, .. } => changes.iter().any(shifts),
        _ => false,
    })
}

/// The same, but less of it.
fn softened(clause: &Clause, touched: &Target) -> Vec<Intent> {
    let mut intents = intents(clause).to_vec();
    for intent in &mut intents {
        if let Intent::Change { target, changes } = intent {
            target.clone_from(touched);
            for change in changes {
                match change {
                    Change::Compare { degree, factor, .. } => {
                        *degree = Some(Degree::Slight);
                        *factor = factor.map(f64::sqrt);
                    }
                    Change::Shift(Shift { degree, metres, .. }) => {
                        *degree = Some(Degree::Slight);
                        *metres = metres.map(|metres| metres / 2.0);
                    }
                    Change::Rotate(angle) => angle.degrees /= 2.0,
                    Change::Size(size) => size.factors = size.factors.map(f64::sqrt),
                    Change::Brightness(factor) => *factor = factor.max(0.0).sqrt(),
                    _ => {}
                }
            }
        } else if let Intent::Expose(factor) = intent {
            *factor = factor.max(0.0).sqrt();
        }
    }
    intents
}

/// What is made instead: as said now, and for the rest as it was said before.
fn remade(clause: &Clause, phrases: &[Phrase]) -> Vec<Phrase> {
    let before = intents(clause).iter().find_map(|intent| match intent {
        Intent::Create(phrases) => phrases.first(),
        _ => None,
    });
    let Some(before) = before else { return phrases.to_vec() };
    let merged = |phrase: &Phrase| {
        let mut new = phrase.clone();
        if matches!(new.head, None | Some(Noun::Thing)) {
            new.head.clone_from(&before.head);
        }
        if new.colours.is_empty() && new.finish.is_none() {
            new.colours.clone_from(&before.colours);
            new.finish = before.finish;
        }
        if new.size.is_unsaid() {
            new.size = before.size.clone();
        }
        if new.count.is_none() && !new.plural && new.determiner != Determiner::A {
            (new.count, new.plural) = (before.count, before.plural);
        }
        if new.places.is_empty() {
            new.places.clone_from(&before.places);
        }
        new
    };
    phrases.iter().map(merged).collect()
}

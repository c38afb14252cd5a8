//! What was done last, done differently or said of something else.

use crate::history::Deed;
use crate::language::{
    Change, Clause, Correction, Determiner, Heard, Intent, Noun, Phrase, Place, Shift, Target,
    unit_in,
};
use crate::plan::dialogue::differently::{
    BACK, can_be_softened, concerns_others, counted, directed_at, farther, is_counted, is_staged,
    moves, named_colour, names_colour, remade, repeated, returned, softened, surrounds,
};
use crate::plan::dialogue::part_way::{A_BIT, A_BIT_BACK, HALF};
use crate::plan::dialogue::reference::{placed_anew, referred_to};
use crate::plan::places::opposite::opposite;
use crate::plan::{Done, Planner, Problem, understand};
use crate::world::World;

impl Planner {
    /// Does the last thing differently.
    pub(crate) fn correct(&mut self, correction: &Correction) -> Done {
        let Some(deed) = self.last.clone() else {
            return match correction {
                Correction::Spare(target) => {
                    self.leave(Some(target));
                    Ok(())
                }
                // Nothing was done, so nothing is wrong: a wish like any other.
                Correction::Rather(changes) => {
                    self.change(&Target::of(Phrase::new(Determiner::It)), changes)
                }
                Correction::Remade(phrases) => self.create(phrases),
                Correction::Back => self.change(&Target::of(Phrase::new(Determiner::It)), &[BACK]),
                Correction::PartlyBack => {
                    self.change(&Target::of(Phrase::new(Determiner::It)), &[A_BIT_BACK])
                }
                Correction::Instead { .. }
                | Correction::More(_)
                | Correction::By(_)
                | Correction::Further(_)
                | Correction::Only { .. }
                | Correction::Reversed
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
        let touched = touched_by(&deed, &self.world);
        let Some(clause) = acted.pop() else {
            // What was only taken back is changed as it is.
            if let (Correction::Rather(changes), false) = (correction, touched.0.is_empty()) {
                return self.change(&touched, changes);
            }
            return Err(Problem::Cannot(
                "I don't know how to do the last thing differently; say it anew, please."
                    .to_owned(),
            ));
        };
        if let Some(done) = self.corrected_anew(correction, &clause, &deed) {
            return done;
        }
        let again: Vec<Intent> = match correction {
            Correction::Instead { meant, wrong }
                if self.is_of_reference(&clause, meant, wrong.as_deref()) =>
            {
                let ids = self.resolve(meant)?;
                self.restore(&deed);
                referred_to(&clause, &Target(ids.into_iter().map(Phrase::named).collect()))
            }
            Correction::Instead { meant, .. } => {
                let ids = self.of_same_kind(meant, &clause)?;
                self.restore(&deed);
                directed_at(&clause, &Target(ids.into_iter().map(Phrase::named).collect()))
            }
            Correction::Rather(changes) if surrounds(&clause) && names_colour(changes) => {
                vec![Intent::Surround { mood: None, colour: named_colour(changes) }]
            }
            Correction::Rather(changes) => {
                // What was only just made stays and is changed, and so does what was set in other regards.
                if !self.all_made_by(&deed) && !concerns_others(&clause, changes) {
                    self.restore(&deed);
                }
                vec![Intent::Change { target: touched, changes: changes.clone() }]
            }
            Correction::Remade(phrases) => {
                self.restore(&deed);
                vec![Intent::Create(remade(&clause, phrases))]
            }
            Correction::Number(count) if !is_counted(&clause) => {
                // "no, 3" after "2 m wide".
                let measured = unit_in(&deed.message).map(|_| self.say_number_anew(*count as f64));
                return measured.flatten().unwrap_or_else(|| self.keep_only(*count));
            }
            Correction::Number(count) => {
                self.restore_from_the_start(&deed);
                counted(&clause, *count)
            }
            Correction::Only { target, glowing: true } => return self.glow_alone(target),
            Correction::Only { target, glowing: false } => {
                let kept = self.of_same_kind(target, &clause)?;
                let others = deed.ids.iter().filter(|id| !kept.contains(id)).cloned();
                self.restore(&Deed { ids: others.collect(), ..deed.clone() });
                self.context.focus = kept;
                return Ok(());
            }
            Correction::Reversed => {
                let reversed = match opposite(&clause, &touched) {
                    Some(opposite) => opposite,
                    None => self.reversed(&clause)?,
                };
                self.restore(&deed);
                reversed
            }
            Correction::Spare(target) => return self.spare(target, &deed),
            Correction::PartlyBack if self.goes_part_way(&deed, &clause) => {
                return self.go_part_way(&deed, A_BIT);
            }
            Correction::PartlyBack => {
                vec![Intent::Change { target: touched, changes: vec![A_BIT_BACK] }]
            }
            Correction::Further(number) => match unit_in(&deed.said).or(unit_in(&deed.message)) {
                Some(unit) => farther(&clause, &touched, number * unit),
                None => return self.have_more(&touched, *number),
            },
            Correction::By(metres) => farther(&clause, &touched, *metres),
            Correction::Back if !moves(&clause) && !self.all_made_by(&deed) => {
                return self.undo(false);
            }
            Correction::Back => returned(&clause, &touched),
            Correction::More(_) if is_staged(&clause) => {
                return Err(Problem::Cannot(
                    "More of what? Say for example “add another lamp” or “make it brighter”."
                        .to_owned(),
                ));
            }
            Correction::More(degree) => repeated(&clause, &touched, *degree),
            Correction::Less
                if !can_be_softened(&clause) || deed.origin.is_some() || touched.0.is_empty() =>
            {
                return self.go_part_way(&deed, HALF);
            }
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

    /// "only the red one should glow": the others of its kind are put out.
    fn glow_alone(&mut self, target: &Target) -> Done {
        let kept = self.resolve(target)?;
        let shines = |thing: &&mut crate::world::Thing| {
            !kept.contains(&thing.id)
                && thing.material().is_some_and(|material| material.is(GLOWING))
        };
        for thing in self.world.things.iter_mut().filter(shines) {
            if let crate::world::Body::Shape { material, .. } = &mut thing.body
                && let Some(colour) = material.colour()
            {
                let dimmed = colour / colour.max_element().max(1.0);
                *material = crate::world::Material::Matte(dimmed);
            }
        }
        self.context.focus = kept;
        Ok(())
    }

    /// Whether nothing that a deed touched was there before it.
    pub(in crate::plan) fn all_made_by(&self, deed: &Deed) -> bool {
        let new = |id: &String| deed.before.find(id).is_none();
        !deed.ids.is_empty() && deed.ids.iter().all(new)
    }

    /// "too many, only three": so many of those that were spoken of stay, or come to be.
    fn keep_only(&mut self, count: usize) -> Done {
        let mut all = Phrase::new(Determiner::Them);
        all.plural = true;
        let ids = self.resolve(&Target::of(all))?;
        self.come_to(ids, count)
    }

    /// "the other way round": the box on the ball rather than the ball on the box.
    fn reversed(&self, clause: &Clause) -> Result<Vec<Intent>, Problem> {
        let reversed = intents(clause).iter().find_map(|intent| {
            let Intent::Change { target, changes } = intent else { return None };
            changes.iter().find_map(|change| match change {
                Change::Place(Place::Relative { relation, target: other, metres }) => {
                    let place = Place::Relative {
                        relation: *relation,
                        target: target.clone(),
                        metres: *metres,
                    };
                    let changes = vec![Change::Place(place)];
                    Some(Intent::Change { target: other.clone(), changes })
                }
                _ => None,
            })
        });
        reversed.map(|intent| vec![intent]).ok_or_else(|| {
            Problem::Cannot(
                "Say which is to be where, please; I don't see what to turn round.".into(),
            )
        })
    }

    /// What the last wish came to as intents; none when there was none.
    pub(crate) fn last_intents(&self) -> Vec<Intent> {
        self.last_wish().map_or_else(Vec::new, |clause| intents(&clause).to_vec())
    }

    /// "and the box", "this too": what was said of the last thing, said of another. None when there
    /// is nothing to repeat.
    pub(crate) fn repeat(&mut self, target: &Target) -> Option<Done> {
        let clause = self.last_wish()?;
        self.repeat_of(&clause, target)
    }

    /// "same for the lamp": what was done last, in this message or before, done to another.
    pub(crate) fn repeat_deed(&mut self, target: &Target) -> Done {
        let before = self.last.as_ref().and_then(|deed| self.wish_in(&deed.message, acts));
        let clause = self.acted.clone().or(before);
        let done = clause.and_then(|clause| {
            let made = intents(&clause).iter().any(|intent| matches!(intent, Intent::Create(_)));
            match made {
                true => self.make_again_at(&clause, target),
                false => self.repeat_of(&clause, target),
            }
        });
        done.unwrap_or_else(|| {
            Err(Problem::Cannot(
                "I don't know what of the last step to repeat; say what to do, please.".to_owned(),
            ))
        })
    }

    /// "a lamp beside the sofa", "the same for the armchair": one more, placed by that.
    fn make_again_at(&mut self, clause: &Clause, target: &Target) -> Option<Done> {
        let ids = self.resolve(target).ok()?;
        let there = Target(ids.into_iter().map(Phrase::named).collect());
        let again = referred_to(clause, &there);
        let refers = again != intents(clause);
        refers.then(|| again.iter().try_for_each(|intent| self.carry_out(intent, clause)))
    }

    fn repeat_of(&mut self, clause: &Clause, target: &Target) -> Option<Done> {
        if let Some((bare, place)) = placed_anew(clause, target) {
            return Some(self.change(&bare, &[Change::Place(place)]));
        }
        // "a blue door for the house", "the roof too": the look of the part that was given.
        if let [Intent::Furnish { parts, .. }] = intents(clause)
            && let Some(part) = parts.first()
        {
            let mut changes: Vec<Change> =
                part.colours.iter().cloned().map(Change::Colour).collect();
            changes.extend(part.finish.map(Change::Finish));
            if !changes.is_empty() {
                return Some(self.change(target, &changes));
            }
        }
        let directed = intents(clause).iter().any(|intent| intent.target().is_some());
        if !directed {
            return None;
        }
        let ids = match self.of_same_kind(target, clause) {
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
        for intent in directed_at(clause, &other) {
            if let Err(problem) = self.carry_out(&intent, clause) {
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
        let wishes = |clause: &Clause| acts(clause) || asks(clause);
        let previous = self.previous.as_deref().and_then(|text| self.wish_in(text, wishes));
        previous.or_else(|| self.wish_in(&self.last.as_ref()?.message, wishes))
    }

    /// The last clause of a message that is such a wish.
    pub(in crate::plan) fn wish_in(
        &self,
        text: &str,
        wishes: impl Fn(&Clause) -> bool,
    ) -> Option<Clause> {
        understand(text, &self.world).into_iter().rev().find(wishes)
    }

    /// "where it was": where what was taken away or moved last stood.
    pub(crate) fn former_foot(&self) -> Result<glam::DVec3, Problem> {
        let before = || {
            let deed = self.last.as_ref()?;
            let before = &deed.before;
            // What was taken away, or moved to somewhere else.
            let gone = |id: &String| {
                let now = self.world.find(id).map(crate::world::Thing::bounds);
                now != before.find(id).map(crate::world::Thing::bounds)
            };
            let ids: Vec<&String> = deed.ids.iter().filter(|id| gone(id)).collect();
            let things = before.things.iter().filter(|thing| ids.contains(&&thing.id));
            World::bounds_of(things).map(crate::world::Bounds::foot)
        };
        self.vacated.or_else(before).ok_or_else(|| {
            Problem::Cannot("Nothing was taken away whose place I could use.".to_owned())
        })
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
            // "and the other two": whatever is left.
            if phrase.count.is_some() && phrase.head.is_none() {
                continue;
            }
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
        self.sayings.push(crate::plan::Saying::Answer(text));
        if !ids.is_empty() {
            self.context.focus = ids;
        }
    }
}

pub(in crate::plan) fn acts(clause: &Clause) -> bool {
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
                    | Intent::Repeat(_)
                    | Intent::Keep(_)
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

pub(in crate::plan) fn intents(clause: &Clause) -> &[Intent] {
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

/// What shines by itself.
const GLOWING: crate::language::Finish =
    crate::language::Finish::Plain(crate::language::Surface::Glowing);

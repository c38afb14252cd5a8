//! What was taken away earlier and comes back, and what stays though a step is taken back.

use glam::DVec3;

use crate::language::{CameraMove, Determiner, Noun, Phrase, Target, Wanted};
use crate::plan::{Done, Planner, Problem, Saying};
use crate::resolve::{Context, Resolver};
use crate::world::{Body, Thing, World};

impl Planner {
    /// "bring the cone back": the last thing of that name that was taken away; what is there comes back to
    /// where it was.
    pub(crate) fn bring_back(&mut self, target: &Target) -> Done {
        let pronoun = |phrase: &Phrase| {
            let all = phrase.determiner == Determiner::Everything && phrase.places.is_empty();
            matches!(phrase.determiner, Determiner::It | Determiner::Them | Determiner::This) || all
        };
        if target.0.iter().all(pronoun) {
            return self.bring_it_back(target);
        }
        let target = &so_many_things(target);
        let Some(things) = self.taken_away(target) else {
            // It is there: back to where it was, or a step back.
            let ids = self.resolve(target)?;
            let moved = self.last.as_ref().is_some_and(|deed| {
                let stood = |id: &String| deed.before.find(id).map(Thing::bounds);
                deed.ids.iter().any(|id| {
                    ids.contains(id) && stood(id) != self.world.find(id).map(Thing::bounds)
                })
            });
            return match moved {
                true => self.undo(false),
                false => self.change(target, &[crate::plan::dialogue::differently::BACK]),
            };
        };
        self.context.focus = ids_of(&things);
        self.world.things.extend(things.into_iter().map(|thing| Thing { origin: None, ..thing }));
        Ok(())
    }

    /// What was taken away of what the words mean, the last of that name.
    fn taken_away(&self, target: &Target) -> Option<Vec<Thing>> {
        self.gone.iter().rev().find_map(|gone| {
            let world = World { things: gone.iter().cloned().collect(), ..self.world.clone() };
            // "the first one" is of the kind that was spoken of when it went.
            let context = Context { focus: ids_of(gone), ..Context::default() };
            let ids = Resolver { world: &world, context: &context }.resolve(target).ok()?;
            let fits = |thing: &&Thing| ids.contains(&thing.id) && self.is_gone(&thing.id);
            let back: Vec<Thing> = gone.iter().filter(fits).cloned().collect();
            (!back.is_empty()).then_some(back)
        })
    }

    /// "where the cone was": its foot before it was taken away, or moved by the last step.
    pub(in crate::plan) fn place_of(&self, target: &Target) -> Result<DVec3, Problem> {
        let there = self.resolve(target);
        let (Ok(ids), deed) = (&there, &self.last) else {
            let gone = self.taken_away(target).and_then(|things| World::bounds_of(things.iter()));
            return match (gone, there) {
                (Some(bounds), _) => Ok(bounds.foot()),
                (None, Err(problem)) => Err(problem),
                (None, Ok(_)) => self.former_foot(),
            };
        };
        let stood = deed.as_ref().and_then(|deed| {
            let before = deed.before.things.iter().filter(|thing| ids.contains(&thing.id));
            World::bounds_of(before)
        });
        match (stood, self.bounds_of(ids)) {
            (Some(stood), Some(now)) if (stood.foot() - now.foot()).length() > 1e-6 => {
                Ok(stood.foot())
            }
            _ => Err(Problem::Cannot(format!(
                "{} still stands there: move that away first, or say “swap the two”.",
                crate::answer::list(&self.names_of(ids))
            ))),
        }
    }

    /// "put it back": what was taken away last comes back, else the last step is taken back.
    fn bring_it_back(&mut self, target: &Target) -> Done {
        let taken = self.last.as_ref().is_some_and(|deed| {
            self.gone
                .last()
                .is_some_and(|gone| gone.iter().any(|thing| deed.ids.contains(&thing.id)))
        });
        let gone = self.gone.last().cloned().unwrap_or_default();
        let back: Vec<Thing> = gone.into_iter().filter(|thing| self.is_gone(&thing.id)).collect();
        if !taken || back.is_empty() {
            let made = self.last.as_ref().is_none_or(|deed| self.all_made_by(deed));
            let everything = |phrase: &Phrase| phrase.determiner == Determiner::Everything;
            if target.0.iter().all(everything) {
                // "show me everything again", where nothing is gone.
                return self.move_camera(&CameraMove::Frame);
            }
            return match made {
                true => self.change(target, &[crate::plan::dialogue::differently::BACK]),
                false => self.undo(false),
            };
        }
        self.context.focus = ids_of(&back);
        self.world.things.extend(back.into_iter().map(|thing| Thing { origin: None, ..thing }));
        Ok(())
    }

    fn is_gone(&self, id: &str) -> bool {
        self.world.find(id).is_none()
    }

    /// "undo that, but keep the colour": of what was taken back this stays as it was just now.
    pub(crate) fn keep(&mut self, regards: &[Wanted]) {
        let Some(before) = self.taken_back.clone() else {
            let names: Vec<&str> = regards.iter().map(|regard| name_of(*regard)).collect();
            let text = format!("All right, I leave the {} as it is.", names.join(" and the "));
            self.sayings.push(Saying::Answer(text));
            return;
        };
        let focus = self.context.focus.clone();
        for id in &focus {
            let (Some(old), Some(now)) = (before.find(id), self.world.find_mut(id)) else {
                continue;
            };
            for regard in regards {
                take_over(now, old, *regard);
            }
        }
    }
}

/// "one", "two of them": so many things, of whatever kind.
fn so_many_things(target: &Target) -> Target {
    let counted = target.0.iter().map(|phrase| match phrase.head {
        None if phrase.count.is_some() => Phrase { head: Some(Noun::Thing), ..phrase.clone() },
        _ => phrase.clone(),
    });
    Target(counted.collect())
}

fn ids_of(things: &[Thing]) -> Vec<String> {
    things.iter().map(|thing| thing.id.clone()).collect()
}

fn name_of(regard: Wanted) -> &'static str {
    match regard {
        Wanted::Colour => "colour",
        Wanted::Material => "material",
        Wanted::Place => "place",
        Wanted::Size => "size",
    }
}

/// Lets a thing be in one regard as another is.
fn take_over(now: &mut Thing, other: &Thing, regard: Wanted) {
    let by = other.bounds().foot() - now.bounds().foot();
    match (regard, &mut now.body, &other.body) {
        (
            Wanted::Colour | Wanted::Material,
            Body::Shape { material, .. },
            Body::Shape { material: other, .. },
        ) => material.clone_from(other),
        (Wanted::Colour | Wanted::Material, Body::Light(lamp), Body::Light(other)) => {
            lamp.emission = other.emission;
        }
        (Wanted::Place, ..) => now.moved(by),
        (Wanted::Size, Body::Shape { form, .. }, Body::Shape { form: other, .. }) => {
            form.clone_from(other);
            form.moved(-by);
        }
        _ => {}
    }
}

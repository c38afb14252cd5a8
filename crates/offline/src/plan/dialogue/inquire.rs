//! Answers to questions about the scene.

use crate::answer::{
    describe_contents, describe_object, describe_sky, describe_thing, list, metres, point,
};
use crate::colour::Colour;
use crate::language::{Comparison, Determiner, Finish, Noun, Place, Question, Target};
use crate::plan::{Done, Planner, Problem, Saying};
use crate::resolve::{Lost, Resolver};
use crate::world::{Bounds, Material, Thing};
use glam::DVec3;

impl Planner {
    pub(crate) fn inquire(&mut self, question: &Question) -> Done {
        let answer = match question {
            Question::Contents => describe_contents(&self.world),
            Question::Sky => describe_sky(&self.world.environment),
            Question::Camera => {
                let camera = &self.world.camera;
                format!(
                    "The camera stands at {} and looks at {}, with a vertical view of {}°.",
                    point(camera.center),
                    point(camera.look_at),
                    camera.vfov
                )
            }
            Question::Failure => match &self.failure {
                Some(failure) => failure.clone(),
                None => "Nothing has failed so far.".to_owned(),
            },
            Question::Count(target) => self.counted(target)?,
            Question::Holds { subject, place } => self.holds(subject, place)?,
            Question::Looks { subject, colour, finish } => {
                self.looks(subject, colour.as_ref(), *finish)?
            }
            Question::More { comparison, first, other, yes_no } => {
                self.which_is_more(*comparison, first, other, *yes_no)?
            }
            Question::Distance(first, other) => self.distance(first, other)?,
            Question::Exists(target) => self.exists(target)?,
            Question::About(target) => self.told_of(target)?,
            Question::MadeOf(target) => {
                let told = self.told_of(target)?;
                let things = self.context.focus.iter().filter_map(|id| self.world.find(id));
                let plain = |thing: &Thing| matches!(thing.material(), Some(Material::Matte(_)));
                match things.fold(None, |all, thing| Some(all.unwrap_or(true) && plain(thing))) {
                    Some(true) => format!("{told} The surface is matte, as of paint or paper."),
                    _ => told,
                }
            }
            Question::Where(target) => {
                let told = self.told_of(target)?;
                let carrier = self.carrier_of(&self.context.focus);
                carrier.map_or(told.clone(), |carrier| format!("{told} It stands on {carrier}."))
            }
            Question::HowBig(target) => {
                let told = self.told_of(target)?;
                match self.bounds_of(&self.context.focus) {
                    Some(bounds)
                        if self.wholes(&self.context.focus).len() == 1
                            && !told.contains(&across(bounds)) =>
                    {
                        format!("{told} It measures {}.", across(bounds))
                    }
                    Some(bounds) if self.wholes(&self.context.focus).len() > 1 => {
                        format!("{told} Together they measure {}.", across(bounds))
                    }
                    _ => told,
                }
            }
            Question::Room(target) => format!(
                "There is room for {} {}: say for example “put one to the right of it”, or just \
                 “add one”, and I find a free place.",
                words_of(target).0,
                words_of(target).1
            ),
        };
        self.sayings.push(Saying::Answer(answer));
        Ok(())
    }

    /// A sentence about each of the things; they are what "it" means after.
    fn told_of(&mut self, target: &Target) -> Result<String, Problem> {
        let ids = self.all_meant(target)?;
        self.speak_of(&ids);
        let lines = self.described(&ids);
        let more = self.wholes(&ids).len().saturating_sub(lines.len());
        let rest = if more > 0 { format!(" And {more} more.") } else { String::new() };
        Ok(format!("{}{rest}", lines.join(" ")))
    }

    /// What one thing stands on, by its name.
    fn carrier_of(&self, ids: &[String]) -> Option<String> {
        let own = self.bounds_of(ids).filter(|_| self.wholes(ids).len() == 1)?;
        let carries = |thing: &&Thing| {
            let top = thing.bounds();
            let near = (top.max.y - own.min.y).abs() < 0.02;
            near && !ids.contains(&thing.id)
                && top.widened(0.02).overlaps(own.moved(DVec3::NEG_Y * 0.02))
        };
        let carrier = self.world.shapes().find(carries)?.id.clone();
        let name = self.names_of(std::slice::from_ref(&carrier)).pop().unwrap_or(carrier.clone());
        let whole = self.world.find(&carrier).and_then(Thing::assembly).map(str::to_owned);
        Some(format!("the {}", whole.unwrap_or(name).replace('_', " ")))
    }

    /// "it" after a question is what was asked about.
    fn speak_of(&mut self, ids: &[String]) {
        if !ids.is_empty() {
            self.context.focus = ids.to_vec();
        }
    }

    /// What the things are called, an object of several parts by its name.
    pub(crate) fn names_of(&self, ids: &[String]) -> Vec<String> {
        let name = |unit: Vec<String>| {
            let first = self.world.find(unit.first()?)?;
            let alone = unit.len() == 1;
            Some(first.assembly().filter(|_| !alone).map_or(first.id.clone(), str::to_owned))
        };
        self.wholes(ids).into_iter().filter_map(name).collect()
    }

    /// A sentence about each, an object of several parts as one; twelve at most.
    fn described(&self, ids: &[String]) -> Vec<String> {
        let wholes = self.wholes(ids).into_iter().take(12);
        let told = wholes.filter_map(|unit| {
            let things: Vec<&Thing> = unit.iter().filter_map(|id| self.world.find(id)).collect();
            match things.as_slice() {
                [] => None,
                [only] => Some(describe_thing(only)),
                [first, ..] => {
                    let group = first.assembly().unwrap_or_default();
                    let own = |thing: &&Thing| thing.assembly() == Some(group);
                    let whole = self.world.things.iter().filter(own).count() == things.len();
                    Some(describe_object(group, whole, &things))
                }
            }
        });
        told.collect()
    }

    /// For a question all that fit are meant, also where one was said.
    fn all_meant(&self, target: &Target) -> Result<Vec<String>, Problem> {
        match self.resolve(target) {
            Err(Problem::Lost(Lost::Ambiguous(_, candidates))) => Ok(candidates),
            other => other,
        }
    }

    /// "is the sphere on the box": yes or no, and where it is.
    fn holds(&mut self, subject: &Target, place: &Place) -> Result<String, Problem> {
        let ids = self.all_meant(subject)?;
        self.speak_of(&ids);
        let resolver = Resolver { world: &self.world, context: &self.context };
        if let Place::Relative { target, .. } = place {
            resolver.resolve(target)?;
        }
        let things: Vec<&Thing> =
            self.world.things.iter().filter(|thing| ids.contains(&thing.id)).collect();
        let all = things.iter().all(|thing| resolver.stands(thing, place));
        let told = self.described(&ids);
        Ok(format!("{}: {}", if all { "Yes" } else { "No" }, told.join(" ")))
    }

    fn looks(
        &mut self,
        subject: &Target,
        colour: Option<&Colour>,
        finish: Option<Finish>,
    ) -> Result<String, Problem> {
        let ids = self.all_meant(subject)?;
        self.speak_of(&ids);
        let fits = |thing: &&Thing| {
            let material = thing.material();
            let coloured = colour.is_none_or(|wanted| {
                material.and_then(Material::colour).is_some_and(|own| {
                    crate::colour::describe(own) == crate::colour::describe(wanted.rgb)
                        || crate::colour::alike(own, wanted.rgb)
                })
            });
            coloured && finish.is_none_or(|finish| material.is_some_and(|own| own.is(finish)))
        };
        let things: Vec<&Thing> =
            self.world.things.iter().filter(|thing| ids.contains(&thing.id)).collect();
        let all = things.iter().all(fits);
        let told: Vec<String> = things.iter().take(6).map(|thing| describe_thing(thing)).collect();
        Ok(format!("{}: {}", if all { "Yes" } else { "No" }, told.join(" ")))
    }

    /// "which is bigger, the box or the cone?", "is the box bigger than the cone?".
    fn which_is_more(
        &self,
        comparison: Comparison,
        first: &Target,
        other: &Target,
        yes_no: bool,
    ) -> Result<String, Problem> {
        let (first, other) = (self.resolve(first)?, self.resolve(other)?);
        let (Some(one), Some(two)) = (self.bounds_of(&first), self.bounds_of(&other)) else {
            return Err(Problem::Cannot("There is nothing to compare.".to_owned()));
        };
        let towards = self.world.camera.towards();
        let volume = |bounds: Bounds| bounds.size().max(DVec3::splat(1e-3)).element_product();
        let measure = |bounds: Bounds| match comparison {
            Comparison::Bigger => volume(bounds),
            Comparison::Smaller => -volume(bounds),
            Comparison::Taller => bounds.size().y,
            Comparison::Shorter | Comparison::Flatter => -bounds.size().y,
            Comparison::Wider | Comparison::Longer => bounds.size().x,
            Comparison::Narrower => -bounds.size().x,
            Comparison::Deeper => bounds.size().z,
            Comparison::Higher => bounds.center().y,
            Comparison::Lower => -bounds.center().y,
            Comparison::Closer => bounds.center().dot(towards),
            Comparison::Farther => -bounds.center().dot(towards),
            _ => 0.0,
        };
        let (a, b) = (measure(one), measure(two));
        let sizes = |bounds: Bounds| {
            let [w, h, d] = bounds.size().to_array().map(|edge| (edge * 100.0).round() / 100.0);
            format!("{w} × {h} × {d} m")
        };
        let (first, other) = (list(&self.names_of(&first)), list(&self.names_of(&other)));
        let facts = format!("{first} measures {} and {other} {}.", sizes(one), sizes(two));
        if (a - b).abs() < 1e-6 {
            return Ok(format!("They are alike in that: {facts}"));
        }
        Ok(match (yes_no, a > b) {
            (true, true) => format!("Yes: {facts}"),
            (true, false) => format!("No: {facts}"),
            (false, true) => format!("{first}: {facts}"),
            (false, false) => format!("{other}: {facts}"),
        })
    }

    fn distance(&mut self, first: &Target, other: &Target) -> Result<String, Problem> {
        let (mut first, mut other) = (self.resolve(first)?, self.resolve(other)?);
        if first == other
            && let [one, two] = self.wholes(&first).as_slice()
        {
            (first, other) = (one.clone(), two.clone());
        }
        if first == other {
            // "how far apart are they now": the two that were measured before.
            let mut pairs = self.context.named.iter().map(|ids| self.wholes(ids));
            if let Some([one, two]) = pairs.find(|pair| pair.len() == 2).as_deref() {
                (first, other) = (one.clone(), two.clone());
            }
        }
        let (Some(one), Some(two)) = (self.bounds_of(&first), self.bounds_of(&other)) else {
            return Err(Problem::Cannot("There is nothing to measure.".to_owned()));
        };
        if first == other {
            return Err(Problem::Cannot(
                "A distance is between two things; name both, please.".to_owned(),
            ));
        }
        let both: Vec<String> = first.iter().chain(&other).cloned().collect();
        self.speak_of(&both);
        let apart = (one.center() - two.center()).length();
        let gap = ((one.center() - two.center()).abs() - (one.size() + two.size()) * 0.5)
            .max(DVec3::ZERO)
            .length();
        Ok(format!(
            "{} and {} are {} apart, middle to middle; about {} of that is free.",
            list(&self.names_of(&first)),
            list(&self.names_of(&other)),
            metres(apart),
            metres(gap)
        ))
    }

    fn counted(&mut self, target: &Target) -> Result<String, Problem> {
        let whole = target.0.iter().all(|phrase| {
            let plain = !phrase.has_adjective() && phrase.places.is_empty();
            let unknown = self.context.kind.is_none() && phrase.determiner == Determiner::Them;
            matches!(phrase.determiner, Determiner::Everything)
                || unknown
                || (phrase.head == Some(Noun::Thing) && plain)
        });
        if whole {
            let all: Vec<String> = self.world.shapes().map(|thing| thing.id.clone()).collect();
            let (things, lights) = (self.wholes(&all).len(), self.world.lights().count());
            let noun = if things == all.len() { "shape" } else { "thing" };
            return Ok(format!(
                "There {} {} and {}.",
                if things == 1 { "is" } else { "are" },
                counted_noun(things, noun),
                counted_noun(lights, "light")
            ));
        }
        // "how many are left": of the kind that was spoken of.
        let target = &match (target.0.as_slice(), &self.context.kind) {
            ([only], Some(kind)) if only.determiner == Determiner::Them => {
                let mut all = crate::plan::Phrase::new(Determiner::All);
                (all.head, all.plural) = (Some(kind.clone()), true);
                Target::of(all)
            }
            _ => target.clone(),
        };
        let words: Vec<String> = target.0.iter().map(crate::plan::Phrase::text).collect();
        let words = words.join(" and ").replace("it", "of them");
        let mut ids = self.found(target).unwrap_or_default();
        if ids.is_empty()
            && let Some(there) = self.placed_by()
        {
            // "on it", after things were put on a table: on the table.
            let mut told = target.clone();
            for place in told.0.iter_mut().flat_map(|phrase| &mut phrase.places) {
                if let Place::Relative { target, .. } = place
                    && target.0.iter().all(|phrase| phrase.determiner == Determiner::It)
                {
                    target.clone_from(&there);
                }
            }
            ids = self.found(&told)?;
        }
        self.speak_of(&ids);
        let ids: Vec<String> = self.names_of(&ids);
        Ok(match ids.len() {
            0 => format!("There are no {words}."),
            1 => format!("There is 1: {}.", list(&ids)),
            count => format!("There are {count} {words}: {}.", list(&ids)),
        })
    }

    fn exists(&mut self, target: &Target) -> Result<String, Problem> {
        let ids = self.found(target)?;
        self.speak_of(&ids);
        let ids = self.names_of(&ids);
        let words: Vec<String> = target.0.iter().map(crate::plan::Phrase::text).collect();
        Ok(if ids.is_empty() {
            let plural = target.0.iter().any(|phrase| phrase.plural);
            let verb = if plural { "are" } else { "is" };
            format!("No, there {verb} no {}.", words.join(" and "))
        } else {
            format!("Yes: {}.", list(&ids))
        })
    }

    /// All that fit; nothing is no failure.
    fn found(&self, target: &Target) -> Result<Vec<String>, Problem> {
        let mut target = target.clone();
        for phrase in &mut target.0 {
            if matches!(phrase.determiner, Determiner::A | Determiner::Bare | Determiner::Another) {
                phrase.determiner = Determiner::All;
            }
        }
        match self.all_meant(&target) {
            Err(Problem::Lost(Lost::NotFound(_))) => Ok(Vec::new()),
            other => other,
        }
    }
}

/// "a", "plant".
fn words_of(target: &Target) -> (&'static str, String) {
    let words = target.0.first().map_or_else(String::new, crate::plan::Phrase::text);
    (crate::answer::article(&words), words)
}

/// "1 × 2 × 1 m".
fn across(bounds: Bounds) -> String {
    let size = bounds.size();
    let edges = [size.x, size.y, size.z].map(|edge| metres(edge).replace(" m", ""));
    format!("{} m", edges.join(" × "))
}

fn counted_noun(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_their_nouns() {
        assert_eq!(counted_noun(1, "light"), "1 light");
        assert_eq!(counted_noun(0, "light"), "0 lights");
    }
}

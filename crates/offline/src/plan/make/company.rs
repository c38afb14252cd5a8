//! What comes with a thing: on it, in it, around it.

use catalogue::{Carries, Object, catalogue};

use crate::frames::{Act, Frame, Head, Phrase, Place, Quality, Region, Relation};

use super::create::related;
use super::objects::{is_part_of, named};
use super::shapes::is_long;
use crate::plan::planner::{Done, Planner, Stopped};

/// How much of the cost of what nobody knows is forgiven where it only comes with something.
const UNKNOWN_COMPANY: f32 = 1.5;

impl Planner<'_> {
    /// Makes what comes with a thing and is no part of it: "a desk with a lamp on it".
    pub(crate) fn add_company(&mut self, phrase: &Phrase, made: &[String]) -> Done {
        let object = match &phrase.head {
            Head::Object { name, .. } => catalogue().find(name),
            _ => None,
        };
        for company in &phrase.with {
            if object.is_some_and(|object| is_part_of(object, company)) {
                continue;
            }
            // "two chairs with a table in between": one for both.
            if company.at.iter().any(|place| place.region == Some(Region::Between)) {
                let ids = self.make(company)?;
                self.made.extend(ids.iter().cloned());
                self.context.focus.insert(0, made.to_vec());
                let ids = self.settle_new(company, ids, &company.at, &[])?;
                self.add_company(company, &ids)?;
                continue;
            }
            // Each of several has its own: "two tables with a lamp".
            // "a road with lamps on both sides": more than one on each.
            let flanks = |place: &Place| place.region == Some(Region::Flanking);
            let is_row = company.plural
                && company.count.is_none()
                && company.at.iter().any(flanks)
                && object.is_some_and(|object| is_long(object.name()));
            let several = Phrase { count: Some(6.0), ..company.clone() };
            let company = if is_row { &several } else { company };
            for owner in made.iter().take(12) {
                let ids = match self.make(company) {
                    Ok(ids) => ids,
                    Err(Stopped(remark)) => {
                        // What comes with a thing is told as unknown; the thing is made.
                        self.forgiven += UNKNOWN_COMPANY;
                        self.remarks.push(remark);
                        break;
                    }
                };
                if ids.is_empty() {
                    continue;
                }
                self.made.extend(ids.iter().cloned());
                let places = if company.at.is_empty() {
                    let holds = object.is_some_and(|object| {
                        let containers = catalogue().category_named("containers").ok();
                        containers.is_some_and(|kind| {
                            kind.objects().iter().any(|name| name == object.name())
                        })
                    });
                    let is_flat = phrase.usual.is_some_and(|usual| usual.is_flat());
                    let relation = match object.and_then(Object::carries) {
                        // "a driveway with a car".
                        None if is_flat => Relation::On,
                        // "a bowl with three apples".
                        None if holds => Relation::Inside,
                        None => Relation::NextTo,
                        Some(_) => Relation::On,
                    };
                    // What stands on an island may be higher than that.
                    let is_ground = is_flat
                        || matches!(object.and_then(Object::carries), Some(Carries::Ground));
                    let large =
                        !is_ground && ids.first().is_some_and(|id| self.is_larger(id, owner));
                    // "a table with four chairs": people sit at it.
                    let seats = self.sits_at(&ids, owner);
                    let relation = match ids.len() {
                        2.. if seats && company.pattern.is_empty() => Relation::Around,
                        1 if seats => Relation::NextTo,
                        _ if !large => relation,
                        _ if relation == Relation::NextTo || !company.pattern.is_empty() => {
                            Relation::NextTo
                        }
                        1 => Relation::NextTo,
                        2 => Relation::Flanking,
                        _ => Relation::Around,
                    };
                    vec![related(relation, Some(named(owner)))]
                } else {
                    let whose = |place: &Place| match place.target {
                        None if place.region.is_some_and(Region::is_side) => {
                            Place { target: Some(Box::new(named(owner))), ..place.clone() }
                        }
                        _ => place.clone(),
                    };
                    company.at.iter().map(whose).collect()
                };
                self.context.focus.insert(0, vec![owner.clone()]);
                // What nobody knows the place of stands by.
                let mut problems = Vec::new();
                let ids = self.settle_or_stand(company, ids, &places, &[], &mut problems)?;
                self.remarks.extend(problems.into_iter().map(|Stopped(remark)| remark));
                self.add_company(company, &ids)?;
            }
        }
        Ok(())
    }

    /// "a reading nook with a lamp and a rug": what comes with something that cannot be made; the ids of what was made.
    pub(super) fn company_alone(&mut self, phrase: &Phrase) -> Vec<String> {
        if phrase.with.is_empty() {
            return Vec::new();
        }
        let kept = self.draft.clone();
        let theme = phrase.with.clone();
        match self.create(&Frame { act: Some(Act::Create), theme, ..Frame::default() }) {
            Ok(()) => std::mem::take(&mut self.focus),
            Err(Stopped(remark)) => {
                self.draft = kept;
                self.remarks.push(remark);
                Vec::new()
            }
        }
    }

    /// Whether things are seats and the other is what one sits at.
    fn sits_at(&self, ids: &[String], owner: &str) -> bool {
        let state = self.state();
        let world = state.world();
        let is_of = |id: &str, kind: &str| {
            world.find(id).is_some_and(|thing| crate::resolve::is_member(thing, kind))
        };
        ids.iter().all(|id| is_of(id, "seats"))
            && is_of(owner, "furniture")
            && !is_of(owner, "seats")
    }

    /// Whether a thing is too wide or too high to stand on the other: chairs with a table.
    fn is_larger(&self, one: &str, other: &str) -> bool {
        let state = self.state();
        let world = state.world();
        match (world.find(one), world.find(other)) {
            (Some(one), Some(other)) => {
                let width = |thing: &crate::resolve::Thing| {
                    let size = thing.extent.size();
                    size.x.max(size.z)
                };
                let height = |thing: &crate::resolve::Thing| thing.extent.size().y;
                width(one) > width(other) || height(one) > height(other)
            }
            _ => false,
        }
    }

    /// "give the snowman a red hat": a part it has is painted, another thing is put on it.
    pub(crate) fn furnish(&mut self, frame: &Frame) -> Done {
        let targets = self.theme(frame)?;
        for phrase in &frame.with {
            let part = Phrase {
                part_of: Some(Box::new(Phrase {
                    plural: true,
                    ..Phrase::of(Head::These(targets.clone()))
                })),
                qualities: Vec::new(),
                count: None,
                plural: true,
                ..phrase.clone()
            };
            // "give it a ball": what only has that form is no part called so.
            let of_form = matches!(phrase.head, Head::Shape { .. });
            if !of_form
                && !phrase.qualities.is_empty()
                && let Ok(parts) = self.find(&part)
            {
                self.change_all(&parts, &phrase.qualities)?;
                self.focus = parts;
                continue;
            }
            for target in targets.iter().take(20) {
                let made = self.make(phrase)?;
                let places = if phrase.at.is_empty() {
                    vec![related(Relation::On, Some(named(target)))]
                } else {
                    phrase.at.clone()
                };
                let made = self.settle_new(phrase, made, &places, &[])?;
                self.made.extend(made.iter().cloned());
                self.focus = made;
            }
        }
        Ok(())
    }

    /// Whether "lamp" means the piece of furniture and not a light alone.
    pub(crate) fn is_lamp(&self, phrase: &Phrase) -> bool {
        let hangs = |place: &Place| place.relation == Some(Relation::Above);
        // "three lamps above the table" are pieces of furniture.
        matches!(phrase.head, Head::Light("lamp"))
            && (phrase.plural || !phrase.at.iter().any(hangs))
            && phrase.qualities.iter().all(|quality| !matches!(quality, Quality::Tone(_)))
    }
}

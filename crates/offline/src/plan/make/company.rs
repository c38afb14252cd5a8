//! What comes with a thing: on it, in it, around it.

use catalogue::{Carries, Object, catalogue};

use crate::frames::{Act, Frame, Head, Layout, Phrase, Place, Quality, Region, Relation};

use super::composed::{is_hollow, is_own_part, is_way_through};
use super::objects::{is_part_of, named};
use super::shapes::is_long;
use crate::plan::planner::{Done, Planner, Remark, Stopped};
use crate::resolve::singulars;
use crate::tokens::lexicon;

/// How much of the cost of what nobody knows is forgiven where it only comes with something.
const UNKNOWN_COMPANY: f32 = 1.5;
/// What is left free between things with their company, in parts of their width.
const GROUP_GAP: f64 = 0.15;

impl Planner<'_> {
    /// Makes what comes with a thing and is no part of it: "a desk with a lamp on it".
    pub(crate) fn add_company(&mut self, phrase: &Phrase, made: &[String]) -> Done {
        let object = object_of(phrase);
        let mut groups: Vec<Vec<String>> =
            made.iter().take(12).map(|owner| vec![owner.clone()]).collect();
        for company in &phrase.with {
            if object.is_some_and(|object| is_part_of(object, company))
                || is_own_part(phrase, company)
            {
                continue;
            }
            // "with a gap between each": no thing.
            if is_way_through(company) && matches!(company.head, Head::Part(_)) {
                let words = self.words_of(company);
                self.remarks.push(Remark::Note(format!("I left out “{words}”.")));
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
            let one = one_each(company, phrase, made.len());
            // Each of several has its own: "two tables with a lamp".
            for (owner, own) in made.iter().zip(&mut groups) {
                let before = self.made.len();
                if !self.add_to_owner(phrase, one.as_ref().unwrap_or(company), owner)? {
                    break;
                }
                own.extend(self.made.get(before..).into_iter().flatten().cloned());
            }
        }
        self.untangle()?;
        self.keep_groups_apart(&groups)
    }

    /// Several things in a row go apart until what comes with each has room: "two tables with four chairs each".
    fn keep_groups_apart(&mut self, groups: &[Vec<String>]) -> Done {
        if groups.len() < 2 || groups.iter().any(|group| group.len() < 2 || !self.is_new(group)) {
            return Ok(());
        }
        let extents: Option<Vec<_>> = groups.iter().map(|group| self.extent_of(group)).collect();
        let Some(extents) = extents else { return Ok(()) };
        let (first, all) = (extents[0], extents.iter().copied().reduce(spatial::Extent::union));
        let Some(all) = all else { return Ok(()) };
        let is_row = extents.iter().all(|one| (one.center().z - first.center().z).abs() < 0.1);
        let is_level = extents.iter().all(|one| (one.min.y - first.min.y).abs() < 0.05);
        let is_tight = extents.windows(2).any(|pair| pair[1].min.x < pair[0].max.x);
        if !is_row || !is_level || !is_tight {
            return Ok(());
        }
        let gap = GROUP_GAP * first.size().x;
        let whole: f64 = extents.iter().map(|one| one.size().x + gap).sum::<f64>() - gap;
        let mut from = all.center().x - 0.5 * whole;
        for (group, own) in groups.iter().zip(&extents) {
            self.shift_by(group, glam::DVec3::X * (from - own.min.x))?;
            from += own.size().x + gap;
        }
        Ok(())
    }

    /// Makes what comes with one thing, in its place there; whether it could be made.
    fn add_to_owner(&mut self, phrase: &Phrase, company: &Phrase, owner: &str) -> Done<bool> {
        let mut company = company.clone();
        let told = own_places(&company, owner);
        // "a road with lamps on both sides": more than one on each.
        let flanks = |place: &Place| place.region == Some(Region::Flanking);
        let is_row = company.plural && company.count.is_none() && company.at.iter().any(flanks);
        self.count_along(&mut company, &told);
        if is_row
            && company.count.is_none()
            && object_of(phrase).is_some_and(|it| is_long(it.name()))
        {
            company.count = Some(6.0);
        }
        if let Some(id) = self.enclose(&company, &told, &[])? {
            self.made.push(id);
            return Ok(true);
        }
        let ids = match self.make(&company) {
            Ok(ids) => ids,
            Err(Stopped(remark)) => {
                // What comes with a thing is told as unknown; the thing is made.
                self.forgiven += UNKNOWN_COMPANY;
                self.remarks.push(remark);
                return Ok(false);
            }
        };
        if ids.is_empty() {
            return Ok(true);
        }
        self.made.extend(ids.iter().cloned());
        if told.is_empty() && self.lay_below(&company, &ids, owner)? {
            return Ok(true);
        }
        let places = if told.is_empty() {
            let relation = self.usual_relation(phrase, &company, &ids, owner);
            vec![Place::by(relation, Some(named(owner)))]
        } else {
            told
        };
        self.context.focus.insert(0, vec![owner.to_owned()]);
        // What nobody knows the place of stands by.
        let mut problems = Vec::new();
        let ids = self.settle_or_stand(&company, ids, &places, &[], &mut problems)?;
        self.remarks.extend(problems.into_iter().map(|Stopped(remark)| remark));
        self.add_company(&company, &ids)?;
        Ok(true)
    }

    /// "a cup with a saucer": what things stand on by its kind is put below; whether it was.
    fn lay_below(&mut self, company: &Phrase, ids: &[String], owner: &str) -> Done<bool> {
        let is_below = singulars(&company.word).iter().any(|word| lexicon().has(word, "Beneath"));
        let whole = [owner.to_owned()];
        let (Some(own), Some(above)) = (self.extent_of(ids), self.extent_of(&whole)) else {
            return Ok(false);
        };
        if !is_below || ids.len() != 1 || !self.is_new(&whole) {
            return Ok(false);
        }
        let spot = above.center().with_y(above.min.y) - own.center().with_y(own.min.y);
        self.shift_by(&whole, glam::DVec3::Y * (own.size().y + 1.0))?;
        self.shift_by(ids, spot)?;
        self.let_down(&whole)?;
        Ok(true)
    }

    /// Where what comes with a thing goes by itself: on a table, in a bowl, around it, along a road.
    fn usual_relation(
        &self,
        phrase: &Phrase,
        company: &Phrase,
        ids: &[String],
        owner: &str,
    ) -> Relation {
        let object = object_of(phrase);
        if is_hollow(phrase) {
            return Relation::Inside;
        }
        if self.floats_on(company, owner) {
            return Relation::On;
        }
        let is_line = matches!(company.pattern.layout, None | Some(Layout::Row | Layout::Column));
        if ids.len() > 2 && is_line && object.is_some_and(|object| is_long(object.name())) {
            return Relation::Along;
        }
        let holds = object.is_some_and(|object| {
            let containers = catalogue().category_named("containers").ok();
            containers.is_some_and(|kind| kind.objects().iter().any(|name| name == object.name()))
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
        let is_ground =
            is_flat || matches!(object.and_then(Object::carries), Some(Carries::Ground));
        let large = !is_ground && ids.first().is_some_and(|id| self.is_larger(id, owner));
        // "a table with four chairs": people sit at it.
        let seats = self.sits_at(ids, owner);
        match ids.len() {
            2.. if seats && company.pattern.is_empty() => Relation::Around,
            1 if seats => Relation::NextTo,
            _ if !large => relation,
            _ if relation == Relation::NextTo || !company.pattern.is_empty() => Relation::NextTo,
            1 => Relation::NextTo,
            2 => Relation::Flanking,
            _ => Relation::Around,
        }
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
                    vec![Place::by(Relation::On, Some(named(target)))]
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

/// The object of the catalogue that is asked for.
fn object_of(phrase: &Phrase) -> Option<&'static Object> {
    match &phrase.head {
        Head::Object { name, .. } => catalogue().find(name),
        _ => None,
    }
}

/// The places that are told of what comes with a thing; a side alone is that thing's.
fn own_places(company: &Phrase, owner: &str) -> Vec<Place> {
    let whose = |place: &Place| match place.target {
        // "a row of houses with a car in front of each".
        Some(ref target) if target.singly && !matches!(target.head, Head::Object { .. }) => {
            Place { target: Some(Box::new(named(owner))), ..place.clone() }
        }
        None if place.region.is_some_and(Region::is_side) => {
            Place { target: Some(Box::new(named(owner))), ..place.clone() }
        }
        _ => place.clone(),
    };
    company.at.iter().map(whose).collect()
}

/// "two cups with saucers": one for each, unless they hold several, or several sit there.
fn one_each(company: &Phrase, owner: &Phrase, owners: usize) -> Option<Phrase> {
    let is_of = |phrase: &Phrase, kind: &str| {
        let category = catalogue().category_named(kind).ok();
        let object = object_of(phrase).map(Object::name);
        category
            .zip(object)
            .is_some_and(|(kind, own)| kind.objects().iter().any(|name| name == own))
    };
    let several = ["seats", "food", "fruit", "plants", "animals"];
    let is_one = owners > 1
        && company.plural
        && company.count.is_none()
        && company.at.is_empty()
        && company.pattern.is_empty()
        && !is_of(owner, "containers")
        && !several.iter().any(|kind| is_of(company, kind));
    is_one.then(|| Phrase { count: Some(1.0), plural: false, ..company.clone() })
}

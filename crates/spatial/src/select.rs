//! `select_objects`: the names of what fits a description.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use glam::DVec3;
use scene::{Geometry, Id, Length, Light, Point, Violations, properties, stem};
use serde_json::{Value, json};

use crate::args::{Word, several};
use crate::colour::Colour;
use crate::space::{Body, Object, Space, fits};

properties! {
    /// Arguments of `select_objects`; all that is given has to fit.
    pub struct Select {
        /// A type of shape, light or material.
        pub kind: Option<Word> = None,
        /// A colour name, or clear for glass.
        pub colour: Option<Colour> = None,
        /// Corner of a region their centres lie in.
        pub min: Option<Point> = None,
        /// Opposite corner.
        pub max: Option<Point> = None,
        /// Longest side at least.
        pub larger_than: Option<Length> = None,
        /// Longest side at most.
        pub smaller_than: Option<Length> = None,
        /// In this group.
        pub group: Option<Id> = None,
        /// Part of the id, or a pattern.
        pub name: Option<Word> = None,
    }
}

/// Names for a result: of more than a few, those that are called alike by their pattern, `"pine_*"`, where this fits
/// nothing else.
fn folded<'a>(space: &Space<'a>, ids: &[&'a str]) -> Vec<Cow<'a, str>> {
    /// Names that are told one by one.
    const FEW: usize = 8;
    if ids.len() <= FEW {
        return ids.iter().copied().map(Cow::from).collect();
    }
    let mut copies: BTreeMap<&str, Vec<&'a str>> = BTreeMap::new();
    for id in ids {
        copies.entry(stem(id)).or_default().push(id);
    }
    let chosen: HashSet<&str> = ids.iter().copied().collect();
    let fits_more = |pattern: &str| {
        let others = space.bodies().iter().map(|it| it.id).filter(|id| !chosen.contains(id));
        others.chain(space.scene.group_ids()).any(|id| fits(pattern, id))
    };
    let fold = |(stem, names): (&str, Vec<&'a str>)| {
        let pattern = format!("{stem}*");
        if names.len() > 1 && !fits_more(&pattern) {
            return vec![Cow::from(pattern)];
        }
        names.into_iter().map(Cow::from).collect()
    };
    copies.into_iter().flat_map(fold).collect()
}

impl Select {
    /// `{"ids": [...], "count": n}`.
    pub fn answer(&self, space: &Space<'_>) -> Result<Value, Violations> {
        let groups = self.group.as_ref().map(|group| space.groups_in(group.as_str()));
        if let Some(group) = &self.group
            && space.scene.kind_of(group.as_str()) != Some("group")
        {
            return Err(Violations::one(format!("select_objects: there is no group '{group}'")));
        }
        if let Some(word) = &self.kind {
            self.check_type(word.as_str())?;
        }
        let fits = |body: &&Body<'_>| self.fits(body, groups.as_ref());
        let ids: Vec<&str> = space.bodies().iter().filter(fits).map(|body| body.id).collect();
        Ok(json!({ "count": ids.len(), "ids": several(&folded(space, &ids)) }))
    }

    fn check_type(&self, word: &str) -> Result<(), Violations> {
        let known = [Geometry::TYPES, Light::TYPES, scene::Material::TYPES].concat();
        if known.contains(&word) || word == "light" || word == "shape" {
            return Ok(());
        }
        Err(Violations::one(format!(
            "select_objects property 'kind' is '{word}', which is not known; did you mean '{}'? It takes \
             one of shape, light, {}",
            scene::read::nearest(word, known.iter().copied()),
            known.join(", ")
        )))
    }

    fn fits(&self, body: &Body<'_>, groups: Option<&HashSet<&str>>) -> bool {
        let types: [&str; 3] = match body.object {
            Object::Shape(shape) => {
                ["shape", shape.geometry.type_name(), shape.material.type_name()]
            }
            Object::Light(light) => ["light", light.light.type_name(), "light"],
        };
        let (center, size) = (body.solid.extent().center(), body.solid.size());
        let colour = body.shape().map(|shape| Colour::of(&shape.material));
        let corners = match (self.min, self.max) {
            (None, None) => None,
            (min, max) => Some((
                min.map_or(DVec3::NEG_INFINITY, |min| min.get().into()),
                max.map_or(DVec3::INFINITY, |max| max.get().into()),
            )),
        };
        let is_in = |(one, other): (DVec3, DVec3)| {
            one.min(other).cmple(center).all() && center.cmple(one.max(other)).all()
        };
        self.kind.as_ref().is_none_or(|word| types.contains(&word.as_str()))
            && self.colour.is_none_or(|wanted| colour == Some(wanted))
            && corners.is_none_or(is_in)
            && self.larger_than.is_none_or(|least| size >= least.get())
            && self.smaller_than.is_none_or(|most| size <= most.get())
            && self.name.as_ref().is_none_or(|part| match part.as_str() {
                pattern if pattern.contains('*') => fits(pattern, body.id),
                part => body.id.contains(part),
            })
            && groups.is_none_or(|groups| {
                body.group().is_some_and(|group| groups.contains(group.as_str()))
            })
    }
}

//! What people count as one thing: a shape that stands alone, or all parts of an object.

use crate::world::{Bounds, Thing, World};

/// One thing as people count.
#[derive(Debug, Clone)]
pub(super) struct Unit<'a> {
    /// Its shapes, at least one.
    pub(super) things: Vec<&'a Thing>,
    /// The box round them.
    pub(super) bounds: Bounds,
}

impl<'a> Unit<'a> {
    pub(super) fn of(things: Vec<&'a Thing>) -> Option<Self> {
        let bounds = World::bounds_of(things.iter().copied())?;
        Some(Self { things, bounds })
    }

    pub(super) fn single(thing: &'a Thing) -> Self {
        Self { things: vec![thing], bounds: thing.bounds() }
    }

    /// Things put together by the groups that `group_of` tells; in the order of the scene.
    pub(super) fn gathered(
        things: impl Iterator<Item = &'a Thing>,
        group_of: impl Fn(&'a Thing) -> Option<&'a str>,
    ) -> Vec<Self> {
        let mut gathered: Vec<(Option<&str>, Vec<&Thing>)> = Vec::new();
        for thing in things {
            let group = group_of(thing);
            let same = gathered.iter_mut().find(|(known, _)| group.is_some() && *known == group);
            match same {
                Some((_, members)) => members.push(thing),
                None => gathered.push((group, vec![thing])),
            }
        }
        gathered.into_iter().filter_map(|(_, things)| Self::of(things)).collect()
    }

    /// The parts that make up the most of it: those a person speaks of when naming its colour.
    pub(super) fn main_parts(&self) -> impl Iterator<Item = &&'a Thing> {
        let area = |thing: &Thing| {
            let size = thing.bounds().size();
            size.x * size.y + size.y * size.z + size.z * size.x
        };
        let most = self.things.iter().map(|thing| area(thing)).fold(0.0, f64::max);
        self.things.iter().filter(move |thing| area(thing) >= 0.5 * most)
    }

    pub(super) fn ids(&self) -> Vec<String> {
        self.things.iter().map(|thing| thing.id.clone()).collect()
    }

    /// What it is called: its id, or that of the group it is.
    pub(super) fn name(&self) -> String {
        match self.things.as_slice() {
            [only] => only.id.clone(),
            things => things.first().and_then(|thing| thing.group.clone()).unwrap_or_default(),
        }
    }
}

/// The ids of all shapes of all units.
pub(super) fn all_ids<'a>(units: impl IntoIterator<Item = Unit<'a>>) -> Vec<String> {
    units.into_iter().flat_map(|unit| unit.ids()).collect()
}

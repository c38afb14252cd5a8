//! Things in the order that superlatives, ordinals and words of size put them.

use glam::DVec3;

use crate::frames::{Dimension, Head, Phrase, Place, Quality, Relation, Way};

use super::choose::Chooser;
use super::fit::size_along;
use super::sides::{Sides, is_at};
use super::world::{Thing, World};
use super::{Context, Unresolved};

/// Things in the order in which a description counts them.
pub(crate) fn in_order(phrase: &Phrase, ids: &[String], world: &World<'_>) -> Vec<String> {
    let context = Context::default();
    let chooser = Chooser { world, context: &context, sides: Sides::of(world.scene) };
    let things = ids.iter().filter_map(|id| world.find(id)).collect();
    chooser.ordered(phrase, things).into_iter().map(|thing| thing.id.clone()).collect()
}

impl Chooser<'_, '_> {
    /// Those of things that are at a place.
    pub(super) fn at_place<'t>(
        &self,
        things: Vec<&'t Thing>,
        place: &Place,
        count: usize,
    ) -> Result<Vec<&'t Thing>, Unresolved> {
        let region = place.region.and_then(Relation::of_region);
        let targets = match &place.target {
            Some(target) => self.choose(target)?,
            None => match place.region {
                // "the ball on the left" is the leftmost.
                Some(region) => return Ok(self.in_region(things, region, count)),
                None => return Ok(things),
            },
        };
        let Some(relation) = place.relation.or(region) else { return Ok(things) };
        let Some(target) = self.world.extent_of(&targets) else { return Ok(things) };
        let is_so = |thing: &&&Thing| {
            !targets.contains(&thing.id) && is_at(relation, thing.extent, target, self.sides)
        };
        Ok(things.iter().filter(is_so).copied().collect())
    }

    /// "the block below it", where there are several: the nearest, if one is.
    pub(super) fn nearest(&self, phrase: &Phrase, fitting: &[&Thing]) -> Option<String> {
        const CLEARLY: f64 = 0.8;
        let target = phrase.places.iter().find_map(|place| place.target.as_deref())?;
        let goal = self.world.extent_of(&self.choose(target).ok()?)?.center();
        let far = |thing: &Thing| (thing.extent.center() - goal).length();
        let mut ranked: Vec<&Thing> = fitting.to_vec();
        ranked.sort_by(|one, other| far(one).total_cmp(&far(other)));
        match ranked.as_slice() {
            [first, second, ..] if far(first) < CLEARLY * far(second) => Some(first.id.clone()),
            _ => None,
        }
    }

    /// "the two nearest the bus", "the one farthest from the door".
    pub(super) fn by_distance(
        &self,
        phrase: &Phrase,
        things: Vec<&Thing>,
        near: bool,
        other: &Phrase,
    ) -> Result<Vec<String>, Unresolved> {
        let is_viewer = matches!(other.head, Head::Scene("camera" | "viewer"));
        let others = if is_viewer { Vec::new() } else { self.choose(other)? };
        let goal = match is_viewer {
            true => self.world.scene.camera.center.get().into(),
            false => self.world.extent_of(&others).ok_or(Unresolved::Missing)?.center(),
        };
        let mut ranked: Vec<(f64, &Thing)> = things
            .into_iter()
            .filter(|thing| !others.contains(&thing.id))
            .map(|thing| (thing.extent.center().distance(goal), thing))
            .map(|(far, thing)| (if near { far } else { -far }, thing))
            .collect();
        ranked.sort_by(|one, other| one.0.total_cmp(&other.0));
        let count = match phrase.count {
            Some(count) => count.max(1.0) as usize,
            None if phrase.plural => ranked.len().div_ceil(2),
            None => 1,
        };
        let ids: Vec<String> =
            ranked.into_iter().take(count).map(|(_, thing)| thing.id.clone()).collect();
        if ids.is_empty() { Err(Unresolved::Missing) } else { Ok(ids) }
    }

    pub(super) fn in_region<'t>(
        &self,
        things: Vec<&'t Thing>,
        region: crate::frames::Region,
        count: usize,
    ) -> Vec<&'t Thing> {
        use crate::frames::Region;
        // "the things on the floor" are all that stand there.
        if region == Region::Ground {
            const NEAR: f64 = 0.02;
            let lowest = things.iter().map(|thing| thing.extent.min.y).fold(f64::MAX, f64::min);
            return things.into_iter().filter(|thing| thing.extent.min.y < lowest + NEAR).collect();
        }
        let name = match region {
            Region::Left => "left",
            Region::Right => "right",
            Region::Front => "front",
            Region::Back | Region::Behind => "back",
            Region::Middle => "middle",
            Region::Above | Region::Top => "top",
            Region::Below => "bottom",
            _ => return things,
        };
        self.ranked(things, name).into_iter().take(count.max(1)).collect()
    }

    /// Things by how far they are what a superlative says, the most first.
    pub(super) fn ranked<'t>(&self, things: Vec<&'t Thing>, superlative: &str) -> Vec<&'t Thing> {
        self.keyed(things, superlative).into_iter().map(|(_, thing)| thing).collect()
    }

    /// "the front ones": all that are nearly as much so as the first.
    pub(super) fn most<'t>(&self, things: Vec<&'t Thing>, superlative: &str) -> Vec<&'t Thing> {
        const NEAR: f64 = 0.25;
        let keyed = self.keyed(things, superlative);
        let (Some((first, _)), Some((last, _))) = (keyed.first(), keyed.last()) else {
            return Vec::new();
        };
        let limit = first + NEAR * (last - first);
        keyed.iter().filter(|(key, _)| *key <= limit).map(|(_, thing)| *thing).collect()
    }

    /// How far things are from the middle of them: by their order where they stand in a row or on each other.
    fn off_middle(&self, things: &[&Thing]) -> Vec<f64> {
        const IN_ROW: f64 = 0.35;
        let centers: Vec<DVec3> = things.iter().map(|thing| thing.extent.center()).collect();
        let mean = centers.iter().sum::<DVec3>() / centers.len().max(1) as f64;
        let axes = [self.sides.right, self.sides.front, DVec3::Y];
        let mut spreads = axes.map(|axis| (self.spread(things, axis), axis));
        spreads.sort_by(|one, other| other.0.total_cmp(&one.0));
        let [(most, axis), (next, _), _] = spreads;
        if next > IN_ROW * most {
            return centers.iter().map(|center| center.distance(mean)).collect();
        }
        let along = |center: &DVec3| center.dot(axis);
        let before = |own: f64| centers.iter().filter(|center| along(center) < own).count() as f64;
        let half = 0.5 * (things.len().max(1) - 1) as f64;
        centers.iter().map(|own| (before(along(own)) - half).abs()).collect()
    }

    /// How far apart the middles of things are along an axis.
    fn spread(&self, things: &[&Thing], axis: DVec3) -> f64 {
        let along = things.iter().map(|thing| thing.extent.center().dot(axis));
        let (low, high) =
            along.fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)));
        high - low
    }

    fn keyed<'t>(&self, things: Vec<&'t Thing>, superlative: &str) -> Vec<(f64, &'t Thing)> {
        let off_middle = match superlative {
            "middle" => self.off_middle(&things),
            "outer" => self.off_middle(&things).into_iter().map(|off| -off).collect(),
            _ => Vec::new(),
        };
        let key = |thing: &Thing| -> f64 {
            let (center, size) = (thing.extent.center(), thing.extent.size());
            let volume = size.x * size.y * size.z;
            let bulk = if volume > 0.0 { volume.cbrt() } else { size.max_element() };
            let light = || self.world.colour(thing).map_or(0.5, |rgb| rgb.element_sum());
            match superlative {
                "left" => center.dot(self.sides.right),
                "right" => -center.dot(self.sides.right),
                "front" => -center.dot(self.sides.front),
                "back" => center.dot(self.sides.front),
                "top" => -thing.extent.max.y,
                "bottom" => thing.extent.max.y,
                "big" => -bulk,
                "small" => bulk,
                "tall" => -size.y,
                "short" => size.y,
                "long" => -size.x.max(size.z),
                "wide" => -size.x,
                "narrow" => size.x,
                "bright" => -light(),
                "dark" => light(),
                _ => 0.0,
            }
        };
        let mut off_middle = off_middle.into_iter();
        let mut keyed: Vec<(f64, &Thing)> = things
            .into_iter()
            .map(|thing| (off_middle.next().unwrap_or_else(|| key(thing)), thing))
            .collect();
        keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
        keyed
    }

    /// In the order people count: from left to right, or from the side that is named.
    pub(super) fn ordered<'t>(&self, phrase: &Phrase, fitting: Vec<&'t Thing>) -> Vec<&'t Thing> {
        let spread = |axis: DVec3| self.spread(&fitting, axis);
        let across = spread(self.sides.right);
        let side = match phrase.counted_from {
            Some(Way::Left) => "left",
            Some(Way::Right) => "right",
            Some(Way::Up) => "top",
            Some(Way::Down) => "bottom",
            Some(Way::Front) => "front",
            Some(Way::Back) => "back",
            _ if spread(DVec3::Y) > 1.5 * across => "bottom",
            _ if spread(self.sides.front) > 3.0 * across => "front",
            _ => "left",
        };
        self.ranked(fitting, side)
    }

    /// "the big ball" is the biggest of them, "the big balls" the bigger ones.
    pub(super) fn by_size<'t>(&self, phrase: &Phrase, fitting: Vec<&'t Thing>) -> Vec<&'t Thing> {
        let size = phrase.qualities.iter().find_map(|quality| match quality {
            Quality::Size { dimension, factor } => Some((*dimension, *factor)),
            _ => None,
        });
        let Some((dimension, factor)) = size.filter(|_| fitting.len() > 1) else { return fitting };
        let of = |thing: &Thing| match dimension {
            Dimension::Size => {
                let size = thing.extent.size();
                size.x * size.y * size.z.max(1e-6)
            }
            dimension => size_along(thing.extent, dimension),
        };
        let sizes: Vec<f64> = fitting.iter().map(|thing| of(thing)).collect();
        let (low, high) = (
            sizes.iter().copied().fold(f64::MAX, f64::min),
            sizes.iter().copied().fold(0.0, f64::max),
        );
        let middle = (low * high).sqrt();
        let is_big = factor > 1.0;
        if high < 1.02 * low {
            return fitting;
        }
        // "the medium one".
        if factor == 1.0 {
            let between = |size: &f64| *size > 1.02 * low && 1.02 * *size < high;
            let sized = fitting.iter().zip(&sizes).filter(|(_, size)| between(size));
            let medium: Vec<&Thing> = sized.map(|(thing, _)| *thing).collect();
            return if medium.is_empty() { fitting } else { medium };
        }
        if phrase.plural || phrase.is_all() {
            return fitting
                .iter()
                .zip(&sizes)
                .filter(|(_, size)| (**size > middle) == is_big)
                .map(|(thing, _)| *thing)
                .collect();
        }
        let most = if is_big { high } else { low };
        fitting
            .iter()
            .zip(&sizes)
            .filter(|(_, size)| (**size / most - 1.0).abs() < 0.02)
            .map(|(thing, _)| *thing)
            .collect()
    }
}

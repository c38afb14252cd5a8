//! How an object of the catalogue stands in the scene: how large, where, and turned how far.

use std::collections::BTreeMap;

use catalogue::{Object, ObjectParameters, catalogue};
use glam::{DMat3, DVec3};

use crate::plan::Planner;
use crate::plan::acts::rotate::turned;
use crate::plan::scenery::assembly::parts;
use crate::resolve::stem;
use crate::world::{Body, Bounds, Form, Thing, World};

/// From an object as the catalogue builds it, standing on the origin, to where it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pose {
    /// The middle of its parts in the catalogue, and in the scene.
    from: DVec3,
    to: DVec3,
    scale: f64,
    /// About y, in radians.
    turn: f64,
}

impl Pose {
    /// The pose that brings the middles of some parts closest to where they are; none for no part.
    fn between(pairs: &[(Bounds, Bounds)]) -> Option<Self> {
        let count = pairs.len() as f64;
        if pairs.is_empty() {
            return None;
        }
        let from = pairs.iter().map(|(built, _)| built.center()).sum::<DVec3>() / count;
        let to = pairs.iter().map(|(_, there)| there.center()).sum::<DVec3>() / count;
        let (mut along, mut across, mut built_spread, mut there_spread) = (0.0, 0.0, 0.0, 0.0);
        for (built, there) in pairs {
            let (a, b) = (built.center() - from, there.center() - to);
            along += a.x * b.x + a.z * b.z;
            across += a.z * b.x - a.x * b.z;
            built_spread += a.length_squared();
            there_spread += b.length_squared();
        }
        let scale = if built_spread > 1e-9 {
            (there_spread / built_spread).sqrt()
        } else {
            let size = |bounds: &Bounds| bounds.extent();
            pairs.iter().map(|(built, there)| size(there) / size(built).max(1e-9)).sum::<f64>()
                / count
        };
        let turn = if along.abs().max(across.abs()) > 1e-9 { across.atan2(along) } else { 0.0 };
        Some(Self { from, to, scale, turn })
    }

    /// Brings a shape of the catalogue to where the object stands.
    fn apply(&self, form: &mut Form) {
        form.scaled(DVec3::splat(self.scale), self.from);
        let _ = turned(form, DMat3::from_rotation_y(self.turn), self.from);
        form.moved(self.to - self.from);
    }

    /// The horizontal direction it faces.
    fn front(&self) -> DVec3 {
        DMat3::from_rotation_y(self.turn) * DVec3::Z
    }
}

impl Planner {
    /// The object of the catalogue that a group was built as, by its name.
    pub(crate) fn object_of(&self, ids: &[String]) -> Option<&'static Object> {
        let group = self.world.find(ids.first()?)?.assembly()?;
        let kind = stem(group).replace('_', " ");
        let words: Vec<&str> = kind.split(' ').collect();
        (0..words.len()).find_map(|first| {
            (first + 1..=words.len())
                .rev()
                .find_map(|end| catalogue().find(&words[first..end].join(" ")))
        })
    }

    /// The parts an object has when these options are wished for, by name.
    fn parts_built(object: &Object, with: &[String]) -> BTreeMap<String, Thing> {
        let parameters = ObjectParameters { with: with.to_vec(), ..ObjectParameters::default() };
        let things = parts(object, &parameters).unwrap_or_default();
        let named = |thing: Thing| (thing.part_name().to_owned(), thing);
        things.into_iter().map(named).collect()
    }

    /// How the object that `ids` are stands; none where nothing of it is as the catalogue has it.
    fn pose_of(&self, ids: &[String], object: &Object) -> Option<Pose> {
        let built = Self::parts_built(object, &[]);
        let there = ids.iter().filter_map(|id| self.world.find(id));
        let pairs: Vec<(Bounds, Bounds)> = there
            .filter_map(|thing| Some((built.get(thing.part_name())?.bounds(), thing.bounds())))
            .collect();
        Pose::between(&pairs)
    }

    /// The parts that an option adds to the object that `ids` are, where they belong.
    pub(crate) fn option_parts(
        &self,
        ids: &[String],
        object: &Object,
        option: &str,
    ) -> Vec<(String, Body)> {
        let Some(pose) = self.pose_of(ids, object) else { return Vec::new() };
        let usual = Self::parts_built(object, &[]);
        let there = |name: &String| {
            ids.iter().any(|id| self.world.find(id).is_some_and(|thing| thing.part_name() == name))
        };
        let with = Self::parts_built(object, &[option.to_owned()]);
        let named = |name: &str| {
            let words = crate::language::id_words(name);
            words.iter().any(|word| word == option || option.strip_suffix('s') == Some(word))
        };
        let new = with
            .into_iter()
            .filter(|(name, _)| (!usual.contains_key(name) || named(name)) && !there(name));
        new.map(|(name, mut thing)| {
            if let Body::Shape { form, .. } = &mut thing.body {
                pose.apply(form);
            }
            (name, thing.body)
        })
        .collect()
    }

    /// The horizontal direction things face: as the catalogue has them, away from their back, or
    /// towards the viewer.
    pub(crate) fn front_of(&self, ids: &[String]) -> DVec3 {
        let middle = self.bounds_of(ids).map_or(DVec3::ZERO, Bounds::center);
        let part = |word: &str| {
            let things = ids.iter().filter_map(|id| self.world.find(id));
            let named = things.filter(|thing| {
                crate::language::id_words(thing.part_name()).contains(&word.to_owned())
            });
            let part = World::bounds_of(named)?;
            (part.center() - middle).with_y(0.0).try_normalize()
        };
        let posed = self.object_of(ids).and_then(|object| self.pose_of(ids, object));
        posed
            .map(|pose| pose.front())
            .or_else(|| part("back").map(|way| -way))
            .or_else(|| ["nose", "face", "screen", "door", "front"].into_iter().find_map(part))
            .unwrap_or_else(|| self.world.camera.towards())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pose_of_a_turned_and_scaled_object_is_found() {
        let turn = DMat3::from_rotation_y(0.7);
        let places = [DVec3::X, DVec3::new(0.0, 2.0, 1.0), DVec3::new(-1.0, 0.5, 0.3)];
        let pairs = places.map(|place| {
            let there = DVec3::new(3.0, 0.0, -1.0) + turn * place * 2.0;
            let half = DVec3::splat(0.1);
            (Bounds::around(place, half), Bounds::around(there, half * 2.0))
        });
        let pose = Pose::between(&pairs).expect("three parts");
        assert!((pose.scale - 2.0).abs() < 1e-9);
        assert!((pose.turn - 0.7).abs() < 1e-9);
        assert!((pose.front() - turn * DVec3::Z).length() < 1e-9);
    }
}

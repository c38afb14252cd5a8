//! The fronts of things.

use glam::{DQuat, DVec3, EulerRot};
use scene::{Geometry, Light};
use spatial::{Object, Space};

use crate::name::words;
use crate::thing::Thing;

/// The largest angle between the front of a thing and the direction it faces, in degrees.
const FACING: f64 = 30.0;

/// Names of parts on the front.
const FRONTS: &[&str] = &[
    "eye",
    "eyes",
    "nose",
    "face",
    "screen",
    "front",
    "headlight",
    "hood",
    "bonnet",
    "muzzle",
    "beak",
    "mouth",
    "windscreen",
    "windshield",
    "lens",
];
/// Names of parts on the back.
const BACKS: &[&str] = &["back", "backrest", "headrest", "tail", "headboard"];

/// Whether `thing` faces `way`, as seen from above unless it is a light.
pub(super) fn faces(thing: &Thing, way: DVec3, space: &Space<'_>) -> bool {
    let is_along = |(front, is_level): &(DVec3, bool)| {
        let flat = |vector: DVec3| if *is_level { vector.with_y(0.0) } else { vector };
        match (flat(*front).try_normalize(), flat(way).try_normalize()) {
            (Some(front), Some(way)) => front.dot(way) >= FACING.to_radians().cos(),
            _ => false,
        }
    };
    fronts(thing, space).iter().any(is_along)
}

/// The possible front directions of a thing, and whether only their horizontal part counts.
fn fronts(thing: &Thing, space: &Space<'_>) -> Vec<(DVec3, bool)> {
    let middle = thing.center();
    let toward = |names: &[&str]| {
        let is_one = |id: &str| words(id).iter().any(|word| names.contains(&word.as_str()));
        let parts: Vec<DVec3> = thing
            .bodies(space)
            .filter(|body| is_one(body.id))
            .map(|body| body.solid.extent().center())
            .collect();
        let mean = parts.iter().sum::<DVec3>() / (parts.len().max(1) as f64);
        (!parts.is_empty()).then(|| mean - middle)
    };
    if let Some(front) = toward(FRONTS) {
        return vec![(front, true)];
    }
    if let Some(back) = toward(BACKS) {
        return vec![(-back, true)];
    }
    let [at] = thing.members[..] else { return Vec::new() };
    match space.bodies()[at].object {
        Object::Light(source) => match &source.light {
            Light::PointSpotLight(light) => vec![(light.direction.get().into(), false)],
            Light::DiscSpotLight(light) => vec![(light.normal.get().into(), false)],
            Light::AreaDiscSpotLight(light) => vec![(light.normal.get().into(), false)],
            Light::AreaQuadLight(light) => {
                let (u, v) = (DVec3::from(light.u.get()), DVec3::from(light.v.get()));
                vec![(u.cross(v), false)]
            }
            _ => Vec::new(),
        },
        Object::Shape(shape) => match &shape.geometry {
            Geometry::Quad(quad) => {
                let normal = DVec3::from(quad.u.get()).cross(quad.v.get().into());
                vec![(normal, false), (-normal, false)]
            }
            Geometry::Disc(disc) => {
                let normal = DVec3::from(disc.normal.get());
                vec![(normal, false), (-normal, false)]
            }
            Geometry::Box(cuboid) => {
                let [x, y, z] = cuboid.rotation.get().map(f64::to_radians);
                // Rotations about X, then Y, then Z.
                let turn = DQuat::from_euler(EulerRot::ZYX, z, y, x);
                vec![(turn * DVec3::Z, true), (turn * DVec3::NEG_Z, true)]
            }
            _ => Vec::new(),
        },
    }
}

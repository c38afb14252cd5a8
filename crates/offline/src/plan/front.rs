//! Which way things look.

use catalogue::{ObjectParameters, catalogue};
use glam::DVec3;
use scene::{Id, NoAssets};
use spatial::{Solid, front_of};

use crate::resolve::{Kind, Thing, World};

/// Parts that lie closer together than this tell no way.
const MIN_SPREAD: f64 = 1e-6;

/// The degrees about y that a thing has been turned by, if it was made facing the viewer.
pub(super) fn turned_by(thing: &Thing, world: &World<'_>) -> f64 {
    if thing.kind == Kind::Group
        && let Some(degrees) = against_catalogue(thing, world)
    {
        return degrees;
    }
    Id::new(&thing.id).map_or(0.0, |id| front_of(&world.space, &[id]))
}

/// The level way in which the front of a thing looks.
pub(super) fn front(thing: &Thing, world: &World<'_>) -> DVec3 {
    let angle = turned_by(thing, world).to_radians();
    DVec3::new(angle.sin(), 0.0, angle.cos())
}

/// How the parts of an object lie against those it has in the catalogue.
fn against_catalogue(thing: &Thing, world: &World<'_>) -> Option<f64> {
    let is_number = |word: &&String| word.chars().all(|letter| letter.is_ascii_digit());
    let words: Vec<&str> =
        thing.words().iter().filter(|word| !is_number(word)).map(String::as_str).collect();
    // "wooden_chair" is a chair.
    let named = (0..words.len()).find_map(|from| {
        let name = words[from..].join(" ");
        catalogue().find(&name).or_else(|| catalogue().stand_in(&name))
    })?;
    let built = named.build(&thing.id, &ObjectParameters::default()).ok()?;
    let pairs: Vec<(DVec3, DVec3)> = built
        .iter()
        .filter_map(|shape| {
            let now = world.find(shape.id.as_str())?.extent.center();
            let then = Solid::of_shape(&shape.geometry, &NoAssets)?.extent().center();
            Some((then, now))
        })
        .collect();
    let count = pairs.len().max(1) as f64;
    let mean = pairs.iter().fold((DVec3::ZERO, DVec3::ZERO), |sum, pair| {
        (sum.0 + pair.0 / count, sum.1 + pair.1 / count)
    });
    let (mut along, mut across) = (0.0, 0.0);
    for (then, now) in pairs {
        let (then, now) = (then - mean.0, now - mean.1);
        along += then.x * now.x + then.z * now.z;
        across += then.z * now.x - then.x * now.z;
    }
    let spread = along.hypot(across);
    (spread > MIN_SPREAD).then(|| across.atan2(along).to_degrees())
}

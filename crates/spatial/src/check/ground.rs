//! What things stand on.

use std::collections::{BTreeMap, HashSet};

use glam::DVec3;

use crate::solid::Solid;
use crate::space::{Body, Space};

/// Share of the ground under all things that makes a low thing a ground itself: land, a table top.
const WIDE: f64 = 0.25;
/// Height over width up to which a thing is low.
const LOW: f64 = 0.4;

/// Flat shapes that carry things: floors and walls, not the flat faces of an object.
pub(crate) fn grounds(space: &Space<'_>) -> HashSet<usize> {
    let mut sizes: BTreeMap<&str, f64> = BTreeMap::new();
    for (_, body) in space.shapes().filter(|(_, body)| !body.solid.is_flat()) {
        if let Some(group) = body.group() {
            let size = sizes.entry(group.as_str()).or_default();
            *size = size.max(body.solid.size());
        }
    }
    let is_face = |body: &Body<'_>| {
        let parts = body.group().and_then(|group| sizes.get(group.as_str()));
        parts.is_some_and(|size| body.solid.size() <= *size)
    };
    let flat = space.shapes().filter(|(_, body)| body.solid.is_flat() && !is_face(body));
    flat.map(|(at, _)| at).collect()
}

/// The shapes that reach lowest: where there is no floor, things stand on these.
pub(super) fn lowest(space: &Space<'_>) -> HashSet<usize> {
    let bottom = |body: &Body<'_>| body.solid.extent().min.y;
    let lowest = space.shapes().map(|(_, body)| bottom(body)).fold(f64::INFINITY, f64::min);
    let is_lowest = |body: &Body<'_>| bottom(body) <= lowest + body.solid.contact_tolerance();
    space.shapes().filter(|(_, body)| is_lowest(body)).map(|(at, _)| at).collect()
}

/// Low things that cover much of the ground under all things: land, a floor that has a height, a table top in
/// a scene without a floor. Things stand on them, whatever else lies lower.
pub(super) fn wide_grounds(space: &Space<'_>) -> HashSet<usize> {
    let area = |size: DVec3| size.x * size.z;
    let solids = || space.shapes().filter(|(_, body)| !body.solid.is_flat());
    let all = Solid::union(solids().map(|(_, body)| &body.solid));
    let least = all.map_or(0.0, |all| WIDE * area(all.extent().size()));
    let is_wide = |body: &Body<'_>| {
        let size = body.solid.extent().size();
        area(size) >= least && size.y <= LOW * size.x.max(size.z)
    };
    solids().filter(|(_, body)| is_wide(body)).map(|(at, _)| at).collect()
}

//! The origins of groups: the middle of what each holds, about which other programs turn and scale it.

use std::collections::HashMap;

use glam::DVec3;
use scene::{Aabb, Geometry, Scene};

/// The parent of each listed group that has one.
pub(super) fn parents(scene: &Scene) -> HashMap<&str, &str> {
    let listed = scene.groups.iter();
    listed.filter_map(|group| Some((group.id.as_str(), group.parent.as_ref()?.as_str()))).collect()
}

/// The middles of the groups that hold anything, with what is in the groups within them. Of a mesh only its
/// origin is known here.
pub(super) fn origins<'a>(
    scene: &'a Scene,
    parents: &HashMap<&'a str, &'a str>,
) -> HashMap<&'a str, DVec3> {
    let of_shape = |geometry: &Geometry| match geometry {
        Geometry::Mesh(mesh) => Some(Aabb::around(mesh.translation.get(), [0.0; 3])),
        geometry => geometry.bounds(),
    };
    let shapes = scene
        .shapes
        .iter()
        .filter_map(|shape| Some((shape.group.as_ref()?, of_shape(&shape.geometry)?)));
    let lights = scene
        .lights
        .iter()
        .filter_map(|source| Some((source.group.as_ref()?, source.light.bounds())));
    let mut boxes: HashMap<&str, Aabb> = HashMap::new();
    for (group, bounds) in shapes.chain(lights) {
        let mut within = Some(group.as_str());
        while let Some(id) = within {
            let all = boxes.entry(id).or_insert(bounds);
            *all = all.union(bounds);
            within = parents.get(id).copied();
        }
    }
    let middle = |bounds: Aabb| 0.5 * (DVec3::from(bounds.min) + DVec3::from(bounds.max));
    boxes.into_iter().map(|(id, bounds)| (id, middle(bounds))).collect()
}

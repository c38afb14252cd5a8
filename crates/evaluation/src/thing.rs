//! Things as people count them: a group, a shape without a group, or connected parts with the same
//! name.

use std::collections::HashSet;

use glam::DVec3;
use spatial::{Body, Extent, Solid, Space};

use crate::name::{Bearing, Name, is_plural};
use crate::substance;

/// A group, a shape, or connected parts with the same name.
#[derive(Debug, Clone)]
pub(crate) struct Thing {
    /// The id of the group or shape.
    pub(crate) name: String,
    /// The indices of its bodies.
    pub(crate) members: Vec<usize>,
    /// The volume it occupies.
    pub(crate) solid: Solid,
}

/// The largest gap between connected parts, in metres.
const HANGS_TOGETHER: f64 = 0.01;

impl Thing {
    /// The thing of the bodies at `members`; `None` if there are none.
    pub(crate) fn new(space: &Space<'_>, name: &str, members: Vec<usize>) -> Option<Self> {
        let solid = Solid::union(members.iter().map(|at| &space.bodies()[*at].solid))?;
        Some(Self { name: name.to_owned(), members, solid })
    }

    /// The shape, light or group with this id.
    pub(crate) fn of_id(space: &Space<'_>, id: &str) -> Option<Self> {
        let unit = space.unit(id).ok()?;
        Some(Self { name: unit.name, members: unit.members, solid: unit.solid })
    }

    /// Its bounding box.
    pub(crate) fn extent(&self) -> Extent {
        self.solid.extent()
    }

    /// The centre of that box.
    pub(crate) fn center(&self) -> DVec3 {
        self.extent().center()
    }

    /// Its bodies.
    pub(crate) fn bodies<'b, 'a>(
        &'b self,
        space: &'b Space<'a>,
    ) -> impl Iterator<Item = &'b Body<'a>> {
        self.members.iter().map(|at| &space.bodies()[*at])
    }

    /// The ids of its bodies.
    pub(crate) fn ids<'b>(&'b self, space: &'b Space<'_>) -> impl Iterator<Item = &'b str> {
        self.bodies(space).map(|body| body.id)
    }

    /// Whether it shares a body with `other`.
    pub(crate) fn shares(&self, other: &Self) -> bool {
        self.members.iter().any(|at| other.members.contains(at))
    }

    /// The share of its surface, estimated by bounding boxes, for which `part` gives the share of
    /// each shape.
    pub(crate) fn share(&self, space: &Space<'_>, part: impl Fn(&scene::Shape) -> f64) -> f64 {
        let (mut whole, mut fitting) = (0.0, 0.0);
        for body in self.bodies(space) {
            let Some(shape) = body.shape() else { continue };
            let size = body.solid.extent().size();
            let area = size.x * size.y + size.y * size.z + size.z * size.x;
            whole += area;
            fitting += area * part(shape);
        }
        if whole > 0.0 { fitting / whole } else { 0.0 }
    }

    /// The average colour of its surface, or of its emitted light; `None` for clear things.
    pub(crate) fn colour(&self, space: &Space<'_>) -> Option<[f64; 3]> {
        let (mut sum, mut whole) = ([0.0; 3], 0.0);
        for body in self.bodies(space) {
            let colour = match body.object {
                spatial::Object::Shape(shape) => substance::colour_of(shape),
                spatial::Object::Light(light) => Some(substance::normalised(emission(light))),
            };
            let Some(colour) = colour else { continue };
            let size = body.solid.extent().size();
            let area = (size.x * size.y + size.y * size.z + size.z * size.x).max(1e-9);
            whole += area;
            sum = std::array::from_fn(|at| sum[at] + area * colour[at]);
        }
        (whole > 0.0).then(|| sum.map(|channel| channel / whole))
    }
}

/// The emission of a light, per channel.
pub(crate) fn emission(light: &scene::LightSource) -> [f64; 3] {
    let value = light.to_json();
    let channel = |at: usize| value["properties"]["emission"][at].as_f64().unwrap_or(0.0);
    [channel(0), channel(1), channel(2)]
}

/// Each shape as a thing.
pub(crate) fn shapes(space: &Space<'_>) -> Vec<Thing> {
    space.shapes().filter_map(|(at, body)| Thing::new(space, body.id, vec![at])).collect()
}

/// Each light as a thing.
pub(crate) fn lights(space: &Space<'_>) -> Vec<Thing> {
    let bodies = space.bodies().iter().enumerate().filter(|(_, body)| body.shape().is_none());
    bodies.filter_map(|(at, body)| Thing::new(space, body.id, vec![at])).collect()
}

/// The top-level groups, and the shapes without a group.
pub(crate) fn whole_things(space: &Space<'_>) -> Vec<Thing> {
    let outermost = |group: &str| {
        let mut at = group.to_owned();
        // The scene reader ensures that groups form a tree.
        while let Some(parent) = space
            .scene
            .groups
            .iter()
            .find_map(|listed| listed.parent.as_ref().filter(|_| listed.id.as_str() == at))
        {
            parent.as_str().clone_into(&mut at);
        }
        at
    };
    let (mut things, mut seen) = (Vec::new(), HashSet::new());
    for (at, body) in space.shapes() {
        match body.group() {
            None => things.extend(Thing::new(space, body.id, vec![at])),
            Some(group) => {
                let group = outermost(group.as_str());
                if seen.insert(group.clone()) {
                    things.extend(Thing::of_id(space, &group));
                }
            }
        }
    }
    things
}

/// The things with one of `names`.
pub(crate) fn named(space: &Space<'_>, names: &[Name]) -> Vec<Thing> {
    let bearing = |id: &str| {
        let bearings = names.iter().filter_map(|name| name.bearing(id));
        bearings.min_by_key(|bearing| *bearing as u8)
    };
    let mut things = Vec::new();
    let mut taken = HashSet::new();
    for group in groups_called(space, &bearing) {
        let Some(thing) = Thing::of_id(space, group) else { continue };
        taken.extend(thing.members.iter().copied());
        // A group "boxes" is as many things as it has boxes.
        let each: Vec<usize> = thing
            .members
            .iter()
            .copied()
            .filter(|at| bearing(space.bodies()[*at].id) == Some(Bearing::Is))
            .collect();
        if is_plural(group) && each.len() > 1 {
            things.extend(
                each.into_iter()
                    .filter_map(|at| Thing::new(space, space.bodies()[at].id, vec![at])),
            );
        } else {
            things.push(thing);
        }
    }
    // A part of a group that is named for another thing ("table_lamp") does not match ("table").
    let is_owned = |body: &Body<'_>| {
        body.group().is_some_and(|group| bearing(group.as_str()) == Some(Bearing::Part))
            && bearing(body.id) != Some(Bearing::Is)
    };
    let loose: Vec<(usize, Bearing)> = space
        .bodies()
        .iter()
        .enumerate()
        .filter(|(at, body)| !taken.contains(at) && !is_owned(body))
        .filter_map(|(at, body)| Some((at, bearing(body.id)?)))
        .collect();
    things.extend(clusters(space, &loose));
    things
}

/// The innermost groups with this name.
fn groups_called<'a>(
    space: &'a Space<'_>,
    bearing: &dyn Fn(&str) -> Option<Bearing>,
) -> Vec<&'a str> {
    let mut groups: Vec<&str> = Vec::new();
    for group in space.scene.group_ids() {
        if bearing(group) == Some(Bearing::Is) && !groups.contains(&group) {
            groups.push(group);
        }
    }
    let holds_another = |group: &str| {
        let inside = space.groups_in(group);
        groups.iter().any(|other| *other != group && inside.contains(other))
    };
    groups.iter().copied().filter(|group| !holds_another(group)).collect()
}

/// Shapes without a group: each with this name is a thing; connected parts form one.
fn clusters(space: &Space<'_>, loose: &[(usize, Bearing)]) -> Vec<Thing> {
    let solid = |at: usize| &space.bodies()[at].solid;
    let mut open: Vec<(usize, Bearing)> = loose.to_vec();
    let mut things = Vec::new();
    while let Some(first) = open.pop() {
        let mut cluster = vec![first];
        let mut next = 0;
        while next < cluster.len() {
            let at = cluster[next].0;
            let (near, far): (Vec<_>, Vec<_>) = open.iter().copied().partition(|(other, _)| {
                solid(at).extent().is_near(solid(*other).extent(), HANGS_TOGETHER)
                    && solid(at).relation(solid(*other)).gap <= HANGS_TOGETHER
            });
            cluster.extend(near);
            open = far;
            next += 1;
        }
        cluster.sort_unstable_by_key(|(at, _)| *at);
        let heads: Vec<usize> = cluster
            .iter()
            .filter(|(_, bearing)| *bearing == Bearing::Is)
            .map(|(at, _)| *at)
            .collect();
        if heads.len() > 1 {
            things.extend(
                heads
                    .into_iter()
                    .filter_map(|at| Thing::new(space, space.bodies()[at].id, vec![at])),
            );
        } else {
            let name = space.bodies()[heads.first().copied().unwrap_or(cluster[0].0)].id;
            things.extend(Thing::new(space, name, cluster.into_iter().map(|(at, _)| at).collect()));
        }
    }
    things.sort_by_key(|thing| thing.members.first().copied());
    things
}

#[cfg(test)]
mod tests {
    use scene::{NoAssets, Scene};
    use serde_json::json;

    use super::*;

    fn shape(id: &str, x: f64, group: Option<&str>) -> serde_json::Value {
        let mut shape = json!({ "id": id, "type": "sphere", "properties": { "center": [x, 0, 0], "radius": 0.5 } });
        if let Some(group) = group {
            shape["group"] = group.into();
        }
        shape
    }

    fn count(shapes: &[serde_json::Value], name: &str) -> usize {
        let scene = Scene::from_json(&json!({ "version": 1, "shapes": shapes })).unwrap();
        let space = Space::of(&scene, &NoAssets);
        named(&space, &[Name::new(name).unwrap()]).len()
    }

    #[test]
    fn things_are_counted_as_people_count_them() {
        let table = [
            shape("table_top", 0.0, None),
            shape("table_leg_1", 0.9, None),
            shape("table_leg_2", -0.9, None),
        ];
        assert_eq!(count(&table, "table"), 1);
        let crates =
            [shape("crate_1", 0.0, None), shape("crate_2", 0.9, None), shape("crate_3", 5.0, None)];
        assert_eq!(count(&crates, "crate"), 3);
        let group = [
            shape("trunk", 0.0, Some("tree_1")),
            shape("crown", 0.9, Some("tree_1")),
            shape("trunk_2", 9.0, Some("tree_2")),
        ];
        assert_eq!((count(&group, "tree"), count(&group, "trunk")), (2, 2));
        let boxes = [shape("box_1", 0.0, Some("boxes")), shape("box_2", 9.0, Some("boxes"))];
        assert_eq!(count(&boxes, "box"), 2);
        let lamp = [
            shape("base", 0.0, Some("table_lamp")),
            shape("table_lamp_shade", 0.9, Some("table_lamp")),
        ];
        assert_eq!((count(&lamp, "table"), count(&lamp, "lamp")), (0, 1));
    }

    #[test]
    fn a_group_inside_a_group_belongs_to_the_outer_one() {
        let scene = Scene::from_json(&json!({ "version": 1,
            "shapes": [shape("a", 0.0, Some("head")), shape("b", 2.0, Some("robot")), shape("c", 4.0, None)],
            "groups": [{ "id": "robot", "parent": null }, { "id": "head", "parent": "robot" }] }))
        .unwrap();
        let space = Space::of(&scene, &NoAssets);
        let names: Vec<String> = whole_things(&space).into_iter().map(|thing| thing.name).collect();
        assert_eq!(names, ["robot", "c"]);
    }
}

//! Objects of a scene as the parts of an object of the user's own.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use catalogue::{About, OwnObject};
use glam::DVec3;
use scene::{Group, Id, LightSource, Motion, Rotation, Scene, Shape, Violations};

use crate::solid::Solid;
use crate::space::{Object, Space, Unit};

/// The shapes, lights and groups that `ids` name, as an object of the user's own: the middle of their
/// underside at the origin, turned so that what faces `front_degrees` about y faces +z. What a single group holds
/// goes by its names without that of the group: `shade` for `lamp_shade`.
///
/// # Errors
/// Unknown names, and what no object may be; meshes that are not at hand.
pub fn own_object(
    space: &Space<'_>,
    ids: &[Id],
    front_degrees: f64,
    about: About,
) -> Result<OwnObject, Violations> {
    let units = space.units(ids)?;
    let whole: HashSet<&str> = units.iter().flat_map(|unit| space.groups_in(&unit.name)).collect();
    check_meshes(space, &units, &whole)?;
    let turn = Motion::turn([0.0, -front_degrees, 0.0], [0.0; 3]);
    let turned = extent_of(space, &units, &turn)?;
    let down = turned.center().with_y(turned.min.y);
    let motion = turn.then(Motion::shift((-down).to_array()));
    // What one group holds is the object; several things stay what they are inside of it.
    let root = match &units[..] {
        [unit] if space.place_of(&unit.name).is_none() => Some(unit.name.as_str()),
        _ => None,
    };
    let names = PartNames::of(space, &units, root);
    let parts = parts_of(space, &units, &motion, root, &names)?;
    OwnObject::new(about, parts, turned.size().to_array())
}

/// Meshes that are not loaded are no bodies, and would be left out without a word.
fn check_meshes(
    space: &Space<'_>,
    units: &[Unit],
    groups: &HashSet<&str>,
) -> Result<(), Violations> {
    let named: HashSet<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
    let is_meant = |shape: &&Arc<Shape>| {
        named.contains(shape.id.as_str())
            || shape.group.as_ref().is_some_and(|group| groups.contains(group.as_str()))
    };
    let missing = space.scene.shapes.iter().filter(is_meant);
    let missing = missing.filter(|shape| space.place_of(shape.id.as_str()).is_none());
    let missing = missing.map(|shape| {
        Violations::one(format!("the mesh of '{}' is not at hand; upload it again", shape.id))
    });
    Violations::joined(missing).map_or(Ok(()), Err)
}

/// The box of all shapes after a motion; that of the lights where there are no shapes.
fn extent_of(
    space: &Space<'_>,
    units: &[Unit],
    motion: &Motion,
) -> Result<crate::solid::Extent, Violations> {
    let bodies = || units.iter().flat_map(|unit| &unit.members).map(|at| &space.bodies()[*at]);
    let mut solids = Vec::new();
    for shape in bodies().filter_map(|body| body.shape()) {
        let moved =
            shape.geometry.moved(motion).map_err(|error| out_of_range(&shape.id, &error))?;
        solids.extend(space.solid_of(&moved));
    }
    let solid = Solid::union(&solids).ok_or_else(|| {
        Violations::one("an object needs at least one shape; select some shapes or a group")
    })?;
    Ok(solid.extent())
}

fn out_of_range(id: &Id, error: &scene::MotionError) -> Violations {
    Violations::one(format!("'{id}' cannot be put at the origin: {error}"))
}

/// New names of parts by their ids.
struct PartNames(HashMap<String, Id>);

impl PartNames {
    fn of(space: &Space<'_>, units: &[Unit], root: Option<&str>) -> Self {
        let mut ids: BTreeSet<&str> = BTreeSet::new();
        for unit in units {
            ids.extend(unit.members.iter().map(|at| space.bodies()[*at].id));
            if space.place_of(&unit.name).is_none() {
                ids.extend(space.groups_in(&unit.name));
            }
        }
        let prefix = root.map(|root| format!("{root}_"));
        let stripped = |id: &'_ str| -> Option<Id> {
            let rest = id.strip_prefix(prefix.as_deref()?)?;
            // "lamp_2" is the second lamp, not the part "2".
            let is_name = rest.chars().next().is_some_and(char::is_alphabetic);
            Id::new(rest).filter(|rest| is_name && !ids.contains(rest.as_str()))
        };
        let named = ids
            .iter()
            .filter_map(|id| Some(((*id).to_owned(), stripped(id).or_else(|| Id::new(id))?)));
        Self(named.collect())
    }

    fn get(&self, id: &Id) -> Id {
        self.0.get(id.as_str()).unwrap_or(id).clone()
    }
}

fn parts_of(
    space: &Space<'_>,
    units: &[Unit],
    motion: &Motion,
    root: Option<&str>,
    names: &PartNames,
) -> Result<Scene, Violations> {
    // Of what is around the chosen things, nothing is taken.
    let inside: HashSet<&str> = units
        .iter()
        .filter(|unit| space.place_of(&unit.name).is_none())
        .flat_map(|unit| space.groups_in(&unit.name))
        .filter(|group| Some(*group) != root)
        .collect();
    let group = |group: Option<&Id>| {
        group.filter(|group| inside.contains(group.as_str())).map(|group| names.get(group))
    };
    let mut parts = Scene::default();
    for at in units.iter().flat_map(|unit| &unit.members) {
        match space.bodies()[*at].object {
            Object::Shape(shape) => {
                let geometry = shape.geometry.moved(motion);
                let geometry = geometry.map_err(|error| out_of_range(&shape.id, &error))?;
                parts.shapes.push(Arc::new(Shape {
                    id: names.get(&shape.id),
                    group: group(shape.group.as_ref()),
                    geometry,
                    ..(**shape).clone()
                }));
            }
            Object::Light(light) => {
                let moved = light.light.moved(motion);
                let moved = moved.map_err(|error| out_of_range(&light.id, &error))?;
                parts.lights.push(Arc::new(LightSource {
                    id: names.get(&light.id),
                    group: group(light.group.as_ref()),
                    light: moved,
                    ..(**light).clone()
                }));
            }
        }
    }
    let listed = space.scene.groups.iter().filter(|group| inside.contains(group.id.as_str()));
    parts.groups = listed
        .map(|listed| {
            let turned = Rotation::new(motion.rotation(listed.rotation.get()));
            Group {
                id: names.get(&listed.id),
                parent: group(listed.parent.as_ref()),
                rotation: turned.unwrap_or(listed.rotation),
            }
        })
        .collect();
    Ok(parts)
}

/// The degrees about y that a thing has been turned by as a whole: where its front is, if it was made facing +z.
pub fn front_of(space: &Space<'_>, ids: &[Id]) -> f64 {
    let [id] = ids else { return 0.0 };
    let angles = space.axes_of(id.as_str()).unwrap_or_default();
    let rows = scene::rotation_matrix(angles);
    let facing = DVec3::new(rows[0][2], rows[1][2], rows[2][2]);
    // What lies on its back or its face has no front to the side.
    if facing.y.abs() > 0.99 { 0.0 } else { facing.x.atan2(facing.z).to_degrees() }
}

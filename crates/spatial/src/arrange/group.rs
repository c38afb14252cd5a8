//! `group` and `ungroup`, and edits of a group as a whole.

use std::collections::HashSet;

use scene::{Edit, Group, Id, Kind, LightSource, Objects, Shape, Update, Violations, properties};
use serde_json::json;

use crate::args::{Ids, several};
use crate::plan::{Plan, Planned};
use crate::space::{Object, Space, fits, is_pattern};

properties! {
    /// Arguments of `group`.
    pub struct Grouping {
        /// Name of the group; an existing one grows.
        pub id: Id,
        /// Shapes, lights, groups.
        pub ids: Ids,
    }
}

properties! {
    /// Arguments of `ungroup`.
    pub struct Ungrouping {
        /// The group to dissolve; its members stay.
        pub id: Id,
    }
}

impl Planned for Grouping {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let units = space.units(self.ids.as_slice())?;
        let name = self.id.as_str();
        let mut objects = Objects::default();
        match space.scene.kind_of(name) {
            Some("group") => {}
            Some(kind) => {
                return Err(Violations::one(format!(
                    "group property 'id': '{name}' is a {kind}; choose another name"
                )));
            }
            None => objects.groups.push(Group::new(self.id.clone(), None)),
        }
        for unit in &units {
            if space.place_of(&unit.name).is_none() {
                if space.groups_in(&unit.name).contains(name) {
                    return Err(Violations::one(format!(
                        "group: '{}' cannot be put into '{name}', which is inside it",
                        unit.name
                    )));
                }
                let parent = Some(self.id.clone());
                objects
                    .groups
                    .extend(Id::new(&unit.name).map(|id| Group { parent, ..space.listed(id) }));
                continue;
            }
            regroup(space, &unit.members, Some(&self.id), &mut objects);
        }
        // A group that things only carried has to be listed to be a parent.
        let has_children =
            objects.groups.iter().any(|group| group.parent.as_ref() == Some(&self.id));
        let is_listed = |id: &Id| space.scene.groups.iter().any(|group| group.id == *id);
        if has_children && !is_listed(&self.id) && !objects.groups.iter().any(|g| g.id == self.id) {
            objects.groups.push(Group::new(self.id.clone(), None));
        }
        let members: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
        Ok(Plan {
            result: Some(json!({ "id": name, "added": members })),
            about: about(space, units.iter().flat_map(|unit| &unit.members)),
            edits: vec![Edit::Put(objects)],
        })
    }
}

impl Planned for Ungrouping {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let name = self.id.as_str();
        known_group(space, name)?;
        let parent = space.scene.groups.iter().find(|group| group.id.as_str() == name);
        let parent = parent.and_then(|group| group.parent.clone());
        let carries = |(at, body): (usize, &crate::space::Body<'_>)| {
            body.group().is_some_and(|group| group.as_str() == name).then_some(at)
        };
        let members: Vec<usize> = space.bodies().iter().enumerate().filter_map(carries).collect();
        let mut objects = Objects::default();
        regroup(space, &members, parent.as_ref(), &mut objects);
        let children =
            space.scene.groups.iter().filter(|group| {
                group.parent.as_ref().is_some_and(|parent| parent.as_str() == name)
            });
        objects.groups =
            children.map(|group| Group { parent: parent.clone(), ..group.clone() }).collect();
        objects.removed_groups = vec![self.id.clone()];
        let freed: Vec<&str> = members.iter().map(|at| space.bodies()[*at].id).collect();
        Ok(Plan {
            result: Some(json!({ "id": name, "members": freed })),
            about: about(space, &members),
            edits: vec![Edit::Put(objects)],
        })
    }
}

fn about<'b>(
    space: &Space<'_>,
    members: impl IntoIterator<Item = &'b usize>,
) -> Vec<(Kind, String)> {
    let kind = |at: usize| match space.bodies()[at].object {
        Object::Shape(_) => Kind::Shape,
        Object::Light(_) => Kind::Light,
    };
    members.into_iter().map(|at| (kind(*at), space.bodies()[*at].id.to_owned())).collect()
}

fn regroup(space: &Space<'_>, members: &[usize], group: Option<&Id>, objects: &mut Objects) {
    for at in members {
        let group = group.cloned();
        match space.bodies()[*at].object {
            Object::Shape(shape) => {
                objects.shapes.push(Shape { group, ..(**shape).clone() }.into());
            }
            Object::Light(light) => {
                objects.lights.push(LightSource { group, ..(**light).clone() }.into());
            }
        }
    }
}

fn known_group(space: &Space<'_>, name: &str) -> Result<(), Violations> {
    match space.scene.kind_of(name) {
        Some("group") => Ok(()),
        Some(kind) => Err(Violations::one(format!("'{name}' is a {kind}, not a group"))),
        None => {
            let groups: HashSet<&str> = space.scene.group_ids().collect();
            let mut groups: Vec<&str> = groups.into_iter().collect();
            groups.sort_unstable();
            let known = if groups.is_empty() { "none".to_owned() } else { groups.join(", ") };
            Err(Violations::one(format!("there is no group '{name}'; the groups are: {known}")))
        }
    }
}

/// `update_shape` or `update_light` of a group or a pattern, e.g. to give all its shapes a color: the update
/// of each of them.
pub(crate) fn update_members(
    space: &Space<'_>,
    kind: Kind,
    update: &Update,
) -> Result<Plan, Violations> {
    let name = update.id().as_str();
    if update.renames() {
        let what = if is_pattern(space.scene, name) { "pattern" } else { "group" };
        return Err(Violations::one(format!(
            "'{name}' is a {what}, and its {}s keep their ids; leave 'id' out of the updates",
            kind.name()
        )));
    }
    let members = Members::named(space, name)?;
    let glowing = members.glowing(space);
    let ids = match kind {
        Kind::Light => members.lights,
        _ => members.shapes,
    };
    if ids.is_empty() {
        let hint = match glowing {
            Some(id) if kind == Kind::Light => {
                format!("; its shape '{id}' glows: change its material by update_shape")
            }
            _ => String::new(),
        };
        return Err(Violations::one(format!("'{name}' has no {}s to update{hint}", kind.name())));
    }
    let about = ids.iter().map(|id| (kind, id.as_str().to_owned())).collect();
    let edit = |id: Id| match kind {
        Kind::Light => Edit::UpdateLight(update.of(id)),
        _ => Edit::UpdateShape(update.of(id)),
    };
    Ok(Plan { edits: ids.into_iter().map(edit).collect(), about, result: None })
}

properties! {
    /// Arguments of `remove`.
    pub struct Remove {
        /// Shapes, lights, groups.
        pub ids: Ids,
    }
}

impl Planned for Remove {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let (mut all, mut faults) = (Members::default(), Vec::new());
        for id in self.ids.as_slice() {
            match Members::named(space, id.as_str()) {
                Ok(members) => all.join(members),
                Err(violations) => faults.push(violations),
            }
        }
        Violations::joined(faults).map_or_else(|| Ok(all.removed(space, None)), Err)
    }
}

/// `remove_shape` of a group or a pattern: all its members go, lights too.
pub(crate) fn remove_members(space: &Space<'_>, id: &Id) -> Result<Plan, Violations> {
    Ok(Members::named(space, id.as_str())?.removed(space, Some(id)))
}

/// What a name stands for in the document, also meshes that are not at hand.
#[derive(Debug, Default)]
struct Members {
    shapes: Vec<Id>,
    lights: Vec<Id>,
    groups: HashSet<String>,
}

impl Members {
    /// The shape or light of this name, or the members of the group; all that a pattern fits.
    fn named(space: &Space<'_>, name: &str) -> Result<Self, Violations> {
        let pattern = is_pattern(space.scene, name);
        let is_meant = |id: &str| if pattern { fits(name, id) } else { id == name };
        let groups = space.scene.group_ids().filter(|id| is_meant(id));
        let groups: HashSet<String> =
            groups.flat_map(|group| space.groups_in(group)).map(str::to_owned).collect();
        let is_in = |id: &Id, group: &Option<Id>| {
            is_meant(id.as_str()) || group.as_ref().is_some_and(|id| groups.contains(id.as_str()))
        };
        let shapes = space.scene.shapes.iter().filter(|shape| is_in(&shape.id, &shape.group));
        let lights = space.scene.lights.iter().filter(|light| is_in(&light.id, &light.group));
        let shapes = shapes.map(|shape| shape.id.clone()).collect();
        let lights = lights.map(|light| light.id.clone()).collect();
        let members = Self { shapes, lights, groups };
        let is_nothing =
            members.shapes.is_empty() && members.lights.is_empty() && members.groups.is_empty();
        if is_nothing { Err(Violations::one(space.unknown(name))) } else { Ok(members) }
    }

    /// The first of its shapes that glows.
    fn glowing(&self, space: &Space<'_>) -> Option<Id> {
        let glows =
            |id: &&Id| space.scene.shape(id.as_str()).is_some_and(|shape| shape.material.glows());
        self.shapes.iter().find(glows).cloned()
    }

    fn join(&mut self, other: Self) {
        for (all, more) in [(&mut self.shapes, other.shapes), (&mut self.lights, other.lights)] {
            let known: HashSet<Id> = all.iter().cloned().collect();
            all.extend(more.into_iter().filter(|id| !known.contains(id)));
        }
        self.groups.extend(other.groups);
    }

    /// The plan that takes all of them away; `named` is the group they were called by.
    fn removed(self, space: &Space<'_>, named: Option<&Id>) -> Plan {
        let listed = space.scene.groups.iter().map(|listed| listed.id.clone());
        let removed_groups: Vec<Id> =
            listed.filter(|id| self.groups.contains(id.as_str())).collect();
        let ids = self.shapes.iter().chain(&self.lights).map(Id::as_str);
        let ids: Vec<&str> = ids.collect();
        let mut result = json!({ "count": ids.len(), "removed": several(&ids) });
        if let Some(group) = named {
            result["group"] = json!(group);
        }
        let shapes = self.shapes.into_iter().map(Edit::RemoveShape);
        let lights = self.lights.into_iter().map(Edit::RemoveLight);
        let mut edits: Vec<Edit> = shapes.chain(lights).collect();
        if !removed_groups.is_empty() {
            edits.push(Edit::Put(Objects { removed_groups, ..Objects::default() }));
        }
        Plan { edits, about: Vec::new(), result: Some(result) }
    }
}

//! `group` and `ungroup`, and edits of a group as a whole.

use std::collections::HashSet;

use scene::{Edit, Group, Id, Kind, LightSource, Objects, Shape, Update, Violations, properties};
use serde_json::json;

use crate::args::Ids;
use crate::plan::{Plan, Planned};
use crate::space::{Object, Space};

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
            None => objects.groups.push(Group { id: self.id.clone(), parent: None }),
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
                objects.groups.extend(Id::new(&unit.name).map(|id| Group { id, parent }));
                continue;
            }
            regroup(space, &unit.members, Some(&self.id), &mut objects);
        }
        // A group that things only carried has to be listed to be a parent.
        let has_children =
            objects.groups.iter().any(|group| group.parent.as_ref() == Some(&self.id));
        let is_listed = |id: &Id| space.scene.groups.iter().any(|group| group.id == *id);
        if has_children && !is_listed(&self.id) && !objects.groups.iter().any(|g| g.id == self.id) {
            objects.groups.push(Group { id: self.id.clone(), parent: None });
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

/// `update_shape` of a group, e.g. to give all its shapes a colour: the update of each of them.
pub(crate) fn update_members(space: &Space<'_>, update: &Update) -> Result<Plan, Violations> {
    let name = update.id().as_str();
    if update.renames() {
        return Err(Violations::one(format!(
            "'{name}' is a group, and its shapes keep their ids; leave 'id' out of the updates"
        )));
    }
    let ids = shapes_in(space, name);
    if ids.is_empty() {
        return Err(Violations::one(format!("group '{name}' has no shapes to update")));
    }
    let about = ids.iter().map(|id| (Kind::Shape, id.as_str().to_owned())).collect();
    let edits = ids.into_iter().map(|id| Edit::UpdateShape(update.of(id))).collect();
    Ok(Plan { edits, about, result: None })
}

/// `remove_shape` of a group: all its members go, lights too.
pub(crate) fn remove_members(space: &Space<'_>, group: &Id) -> Plan {
    let groups = space.groups_in(group.as_str());
    let is_in = |group: &Option<Id>| group.as_ref().is_some_and(|id| groups.contains(id.as_str()));
    let shapes = space.scene.shapes.iter().filter(|shape| is_in(&shape.group));
    let lights = space.scene.lights.iter().filter(|light| is_in(&light.group));
    let mut removed: Vec<&str> = shapes.clone().map(|shape| shape.id.as_str()).collect();
    removed.extend(lights.clone().map(|light| light.id.as_str()));
    let result = json!({ "group": group, "removed": removed });
    let listed = space.scene.groups.iter().filter(|listed| groups.contains(listed.id.as_str()));
    let removed_groups = listed.map(|listed| listed.id.clone()).collect();
    let edits = shapes
        .map(|shape| Edit::RemoveShape(shape.id.clone()))
        .chain(lights.map(|light| Edit::RemoveLight(light.id.clone())))
        .chain([Edit::Put(Objects { removed_groups, ..Objects::default() })])
        .collect();
    Plan { edits, about: Vec::new(), result: Some(result) }
}

fn shapes_in(space: &Space<'_>, group: &str) -> Vec<Id> {
    let groups = space.groups_in(group);
    let is_in = |group: &Option<Id>| group.as_ref().is_some_and(|id| groups.contains(id.as_str()));
    let shapes = space.scene.shapes.iter().filter(|shape| is_in(&shape.group));
    shapes.map(|shape| shape.id.clone()).collect()
}

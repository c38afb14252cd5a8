//! Another scene's objects under names that are free in this one.

use std::collections::HashMap;
use std::sync::Arc;

use scene::{Group, Id, LightSource, Objects, Scene, Shape, Violations};

use super::names::Names;

/// The shapes, lights and groups of `added`; names that `scene` has already are counted on.
pub(crate) fn renamed(added: &Scene, scene: &Scene) -> Result<Objects, Violations> {
    let mut names = Names::of(scene).and(added);
    let mut new: HashMap<Id, Id> = HashMap::new();
    let shapes = added.shapes.iter().map(|shape| &shape.id);
    let lights = added.lights.iter().map(|light| &light.id);
    let carried = added.shapes.iter().filter_map(|shape| shape.group.as_ref());
    let groups = added.groups.iter().map(|group| &group.id).chain(carried);
    for id in shapes.chain(lights).chain(groups) {
        if new.contains_key(id) {
            continue;
        }
        let free = match scene.kind_of(id.as_str()) {
            None => Some(id.clone()),
            Some(_) => names.copy_of(id.as_str(), 2),
        };
        let free = free
            .ok_or_else(|| Violations::one(format!("no free name is left for a copy of '{id}'")))?;
        new.insert(id.clone(), free);
    }
    let name = |id: &Id| new.get(id).unwrap_or(id).clone();
    let shape = |shape: &Arc<Shape>| {
        let group = shape.group.as_ref().map(name);
        Arc::new(Shape { id: name(&shape.id), group, ..(**shape).clone() })
    };
    let light = |light: &Arc<LightSource>| {
        let group = light.group.as_ref().map(name);
        Arc::new(LightSource { id: name(&light.id), group, ..(**light).clone() })
    };
    let group = |group: &Group| Group {
        id: name(&group.id),
        parent: group.parent.as_ref().map(name),
        ..group.clone()
    };
    Ok(Objects {
        shapes: added.shapes.iter().map(shape).collect(),
        lights: added.lights.iter().map(light).collect(),
        groups: added.groups.iter().map(group).collect(),
        removed_groups: Vec::new(),
    })
}

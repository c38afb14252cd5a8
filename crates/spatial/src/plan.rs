//! Plans: the edits that a call makes in a scene.

use std::sync::Arc;

use scene::{Edit, Id, Kind, LightSource, Motion, Objects, Shape, Violations};
use serde_json::Value;

use crate::space::{Object, Space, Unit};

/// The edits of a call for one revision of the scene.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The edits in the order in which they apply.
    pub edits: Vec<Edit>,
    /// The objects that the call changes, for its result and its facts. The id is empty for environment
    /// and camera.
    pub about: Vec<(Kind, String)>,
    /// The result of the call, if it is more than the changed objects.
    pub result: Option<Value>,
}

/// The arguments of a call whose edits are computed from the scene.
pub(crate) trait Planned {
    /// Computes the edits, or all violations.
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations>;
}

/// The groups of a unit whose own axes a motion turns.
fn turned_groups(space: &Space<'_>, unit: &Unit, motion: &Motion) -> Vec<scene::Group> {
    if space.place_of(&unit.name).is_some() {
        return Vec::new();
    }
    let mut names: Vec<&str> = space.groups_in(&unit.name).into_iter().collect();
    names.sort_unstable();
    let turned = names.into_iter().filter_map(|name| {
        let (before, after) = (space.axes_of(name).ok()?, space.turned(Id::new(name)?, motion));
        let is_turned = before.iter().zip(after.rotation.get()).any(|(a, b)| (a - b).abs() > 1e-9);
        is_turned.then_some(after)
    });
    turned.collect()
}

/// Collects moved and copied objects into a [`Plan`].
#[derive(Debug, Default)]
pub(crate) struct PlanBuilder {
    objects: Objects,
    about: Vec<(Kind, String)>,
    faults: Vec<Violations>,
}

impl PlanBuilder {
    /// Moves all members of a unit.
    pub(crate) fn moved(&mut self, space: &Space<'_>, unit: &Unit, motion: &Motion) {
        self.groups(turned_groups(space, unit, motion));
        for at in &unit.members {
            self.put(space, *at, |shape| shape.moved(motion), |light| light.moved(motion));
        }
    }

    /// Replaces the geometry of a shape or a light.
    pub(crate) fn put(
        &mut self,
        space: &Space<'_>,
        at: usize,
        shape: impl Fn(&scene::Geometry) -> Result<scene::Geometry, scene::MotionError>,
        light: impl Fn(&scene::Light) -> Result<scene::Light, scene::MotionError>,
    ) {
        match space.bodies()[at].object {
            Object::Shape(old) => match shape(&old.geometry) {
                Ok(geometry) => self.shape(Shape { geometry, ..(**old).clone() }),
                Err(fault) => self.fault("shape", old.id.as_str(), &fault),
            },
            Object::Light(old) => match light(&old.light) {
                Ok(light) => self.light(LightSource { light, ..(**old).clone() }),
                Err(fault) => self.fault("light", old.id.as_str(), &fault),
            },
        }
    }

    pub(crate) fn shape(&mut self, shape: Shape) {
        self.about.push((Kind::Shape, shape.id.as_str().to_owned()));
        self.objects.shapes.push(Arc::new(shape));
    }

    pub(crate) fn light(&mut self, light: LightSource) {
        self.about.push((Kind::Light, light.id.as_str().to_owned()));
        self.objects.lights.push(Arc::new(light));
    }

    /// Lists groups; the last word on each counts.
    pub(crate) fn groups(&mut self, groups: impl IntoIterator<Item = scene::Group>) {
        for group in groups {
            self.objects.groups.retain(|known| known.id != group.id);
            self.objects.groups.push(group);
        }
    }

    pub(crate) fn fault(&mut self, kind: &str, id: &str, fault: &scene::MotionError) {
        self.faults.push(Violations::one(format!("{kind} '{id}' cannot be put there: {fault}")));
    }

    /// The plan, or all violations.
    pub(crate) fn finish(self) -> Result<Plan, Violations> {
        match Violations::joined(self.faults) {
            Some(violations) => Err(violations),
            None => {
                let edits = vec![Edit::Put(self.objects)];
                Ok(Plan { edits, about: self.about, result: None })
            }
        }
    }
}

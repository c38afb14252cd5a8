//! What a call comes to in a scene: the edits it stands for.

use std::sync::Arc;

use scene::{Edit, Kind, LightSource, Motion, Objects, Shape, Violations};
use serde_json::Value;

use crate::space::{Object, Space, Unit};

/// What a call does to the scene it was planned for.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// The edits, to be made in order.
    pub edits: Vec<Edit>,
    /// What the call is about, for its result and its facts; the id is empty for environment and
    /// camera.
    pub about: Vec<(Kind, String)>,
    /// What the result is, when it is not simply the things the call is about.
    pub result: Option<Value>,
}

/// Arguments of a call that changes the scene by computation.
pub(crate) trait Planned {
    /// What the call comes to; all faults that show.
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations>;
}

/// Collects moved and copied objects.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    objects: Objects,
    about: Vec<(Kind, String)>,
    faults: Vec<Violations>,
}

impl Changes {
    /// Puts every member of `unit` where `motion` leads.
    pub(crate) fn moved(&mut self, space: &Space<'_>, unit: &Unit, motion: &Motion) {
        for at in &unit.members {
            self.put(space, *at, |shape| shape.moved(motion), |light| light.moved(motion));
        }
    }

    /// Puts a changed form of one body in.
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

    pub(crate) fn groups(&mut self, groups: impl IntoIterator<Item = scene::Group>) {
        self.objects.groups.extend(groups);
    }

    pub(crate) fn fault(&mut self, kind: &str, id: &str, fault: &scene::MotionError) {
        self.faults.push(Violations::one(format!("{kind} '{id}' cannot be put there: {fault}")));
    }

    /// The plan, or everything that stands against it.
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

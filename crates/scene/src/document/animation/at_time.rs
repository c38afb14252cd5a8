//! The scene at a time.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::Value;

use crate::assets::Assets;
use crate::bounds::Aabb;
use crate::document::Scene;
use crate::document::camera::Camera;
use crate::document::motion::{Motion, tidy};
use crate::document::object::{LightSource, Shape};
use crate::id::Id;
use crate::values::{Direction, Point};

use super::check::{CAMERA, ENVIRONMENT, Target};
use super::pose::{Pose, PoseProperty};
use super::property::{camera_with, environment_with, light_with, material_with, shape_with};
use super::track::Track;
use super::value::KeyValue;

impl Scene {
    /// The scene at `time` in seconds: an ordinary one without animation. `assets` tell where the
    /// middle of a mesh is.
    ///
    /// First properties of the document change, then things move, each by itself and then with its
    /// groups, then the camera, which may look at what has moved. A value between two keys that the
    /// document does not take is left out.
    #[must_use]
    pub fn at_time(&self, time: f64, assets: &dyn Assets) -> Self {
        let Some(animation) = &self.animation else { return self.clone() };
        let mut at = AtTime {
            document: self,
            scene: Self { animation: None, ..self.clone() },
            assets,
            poses: BTreeMap::new(),
            hidden: BTreeSet::new(),
            camera: Vec::new(),
            orbit: 0.0,
        };
        for track in animation.tracks.get() {
            at.apply(track, &track.at(time.clamp(0.0, animation.duration.get())));
        }
        at.pose();
        at.film();
        at.scene
    }
}

/// A scene on its way to a time.
struct AtTime<'a> {
    document: &'a Scene,
    scene: Scene,
    assets: &'a dyn Assets,
    /// How shapes, lights and groups stand.
    poses: BTreeMap<&'a str, Pose>,
    hidden: BTreeSet<&'a str>,
    /// Properties of the camera.
    camera: Vec<(&'a str, KeyValue)>,
    /// Degrees.
    orbit: f64,
}

impl<'a> AtTime<'a> {
    fn apply(&mut self, track: &'a Track, value: &KeyValue) {
        let (target, property) = (track.target.as_str(), track.property.as_str());
        match (target, value) {
            (CAMERA, KeyValue::Number(degrees)) if property == PoseProperty::OF_CAMERAS => {
                self.orbit = *degrees;
                return;
            }
            (CAMERA, value) => {
                self.camera.push((property, value.clone()));
                return;
            }
            (ENVIRONMENT, value) => {
                let changed = environment_with(&self.scene.environment, property, value.to_json());
                if let Ok(environment) = changed {
                    self.scene.environment = environment;
                }
                return;
            }
            _ => {}
        }
        let Some(found) = Target::of(self.document, target) else { return };
        let is_light = matches!(found, Target::Light(_));
        let is_thing = !matches!(found, Target::Material(_));
        let pose = PoseProperty::of_thing(property, is_light).filter(|_| is_thing);
        match (pose, value) {
            (Some(PoseProperty::Visible), KeyValue::Flag(is_there)) => {
                if !is_there {
                    self.hidden.insert(target);
                }
            }
            (Some(PoseProperty::Intensity), KeyValue::Number(factor)) => {
                self.change_light(target, |light| {
                    let emission = light.light.emission().map(|channel| channel * factor.max(0.0));
                    light_with(light, "emission", emission.to_vec().into()).ok()
                });
            }
            (Some(pose), value) => {
                let pivot = track.pivot.map(Point::get);
                self.poses.entry(target).or_default().set(pose, value, pivot);
            }
            (None, value) => self.change(&found, target, property, &value.to_json()),
        }
    }

    /// Gives a property of the document another value.
    fn change(&mut self, found: &Target<'_>, target: &str, property: &str, value: &Value) {
        match found {
            Target::Light(_) => {
                self.change_light(target, |light| light_with(light, property, value.clone()).ok());
            }
            Target::Shape(_) => {
                let shapes = &mut self.scene.shapes;
                let found = shapes.iter_mut().find(|shape| shape.id.as_str() == target);
                if let Some(shape) = found
                    && let Ok(changed) = shape_with(shape, property, value.clone())
                {
                    *shape = Arc::new(changed);
                }
            }
            Target::Material(_) => {
                let is_named = |shape: &Shape| {
                    shape.material_name.as_ref().is_some_and(|name| name.as_str() == target)
                };
                let mut sharers = self.scene.shapes.iter_mut().filter(|shape| is_named(shape));
                let Some(first) = sharers.next() else { return };
                let Ok(material) = material_with(&first.material, property, value.clone()) else {
                    return;
                };
                for shape in std::iter::once(first).chain(sharers) {
                    let material = material.clone();
                    *shape = Arc::new(Shape { material, ..(**shape).clone() });
                }
            }
            Target::Camera | Target::Environment | Target::Group => {}
        }
    }

    fn change_light(&mut self, id: &str, change: impl Fn(&LightSource) -> Option<LightSource>) {
        let found = self.scene.lights.iter_mut().find(|light| light.id.as_str() == id);
        if let Some(light) = found
            && let Some(changed) = change(light)
        {
            *light = Arc::new(changed);
        }
    }

    /// Moves and hides things.
    fn pose(&mut self) {
        if self.poses.is_empty() && self.hidden.is_empty() {
            return;
        }
        let groups = Groups::of(self.document);
        let poses = std::mem::take(&mut self.poses);
        let motions: HashMap<&str, Motion> = poses
            .into_iter()
            .filter_map(|(target, pose)| {
                let middle = groups.middle(self.document, target, self.assets)?;
                Some((target, pose.motion(middle)))
            })
            .collect();
        let motion = |id: &Id, group: Option<&Id>| {
            let units = std::iter::once(id.as_str()).chain(groups.path(group));
            units.filter_map(|unit| motions.get(unit)).copied().reduce(Motion::then)
        };
        for shape in &mut self.scene.shapes {
            if let Some(motion) = motion(&shape.id, shape.group.as_ref())
                && let Ok(geometry) = shape.geometry.moved(&motion)
            {
                *shape = Arc::new(Shape { geometry, ..(**shape).clone() });
            }
        }
        for light in &mut self.scene.lights {
            if let Some(motion) = motion(&light.id, light.group.as_ref())
                && let Ok(moved) = light.light.moved(&motion)
            {
                *light = Arc::new(LightSource { light: moved, ..(**light).clone() });
            }
        }
        let is_hidden = |id: &Id, group: Option<&Id>| {
            let mut units = std::iter::once(id.as_str()).chain(groups.path(group));
            units.any(|unit| self.hidden.contains(unit))
        };
        if !self.hidden.is_empty() {
            self.scene.shapes.retain(|shape| !is_hidden(&shape.id, shape.group.as_ref()));
            self.scene.lights.retain(|light| !is_hidden(&light.id, light.group.as_ref()));
        }
    }

    /// Moves the camera.
    fn film(&mut self) {
        let camera = std::mem::take(&mut self.camera);
        let values = camera.into_iter().map(|(property, value)| {
            let middle = match &value {
                KeyValue::Text(id) => self.middle(id),
                _ => None,
            };
            let value = middle.map_or_else(|| value.to_json(), |middle| middle.to_vec().into());
            (property, value)
        });
        let values: Vec<(&str, Value)> = values.collect();
        if let Ok(camera) = camera_with(&self.scene.camera, &values) {
            self.scene.camera = camera;
        }
        if self.orbit != 0.0 {
            self.scene.camera = around(&self.scene.camera, self.orbit);
        }
    }

    /// The middle of a thing where it is now; of a hidden one where it is in the document.
    fn middle(&self, id: &str) -> Option<[f64; 3]> {
        let now = Groups::of(&self.scene).middle(&self.scene, id, self.assets);
        now.or_else(|| Groups::of(self.document).middle(self.document, id, self.assets))
    }
}

/// A camera that has gone around what it looks at by so many degrees.
fn around(camera: &Camera, degrees: f64) -> Camera {
    let turn = Motion::turn([0.0, degrees, 0.0], camera.look_at.get());
    let center = Point::new(tidy(turn.point(camera.center.get())));
    let up = Direction::new(tidy(turn.direction(camera.up.get())));
    Camera {
        center: center.unwrap_or(camera.center),
        up: up.unwrap_or(camera.up),
        ..camera.clone()
    }
}

/// The groups of a scene with their parents.
struct Groups<'a>(HashMap<&'a str, &'a str>);

impl<'a> Groups<'a> {
    fn of(scene: &'a Scene) -> Self {
        let parent = |group: &'a crate::document::object::Group| {
            Some((group.id.as_str(), group.parent.as_ref()?.as_str()))
        };
        Self(scene.groups.iter().filter_map(parent).collect())
    }

    /// The groups that a thing is in, from the innermost out.
    fn path<'b>(&'b self, group: Option<&'b Id>) -> impl Iterator<Item = &'b str> {
        // A document has no circles among its groups.
        std::iter::successors(group.map(Id::as_str), |group| self.0.get(group).copied())
    }

    /// The middle of the bounds of a shape, a light, or all that is in a group.
    fn middle(&self, scene: &Scene, target: &str, assets: &dyn Assets) -> Option<[f64; 3]> {
        let is_in = |id: &Id, group: Option<&Id>| {
            id.as_str() == target || self.path(group).any(|group| group == target)
        };
        let shapes = scene.shapes.iter().filter(|shape| is_in(&shape.id, shape.group.as_ref()));
        let shapes = shapes.filter_map(|shape| shape.geometry.bounds_with(assets));
        let lights = scene.lights.iter().filter(|light| is_in(&light.id, light.group.as_ref()));
        let bounds = shapes.chain(lights.map(|light| light.light.bounds()));
        Some(bounds.reduce(Aabb::union)?.center())
    }
}

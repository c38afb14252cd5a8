//! Whether tracks fit the scene: their targets, properties and values.

use std::sync::Arc;

use crate::document::Scene;
use crate::document::material::Material;
use crate::document::object::{LightSource, Shape};
use crate::document::shapes::Geometry;
use crate::read::nearest;
use crate::violations::{ReadErrors, Violations};

use super::Animation;
use super::pose::PoseProperty;
use super::property::{
    MATERIAL, camera_with, environment_with, light_with, material_with, shape_with,
};
use super::track::Track;
use super::value::KeyValue;

/// The targets that are no ids.
pub(super) const CAMERA: &str = "camera";
pub(super) const ENVIRONMENT: &str = "environment";

/// Properties of the camera that may be the id of an object: the middle of it at that time.
const POINTS_OF_THINGS: [&str; 2] = ["center", "look_at"];

/// The most keys of all tracks together.
const MAX_ALL_KEYS: usize = 2_000;

/// What a track is about.
#[derive(Debug)]
pub(super) enum Target<'a> {
    Camera,
    Environment,
    Shape(&'a Arc<Shape>),
    Light(&'a Arc<LightSource>),
    Group,
    /// A shared material.
    Material(&'a Material),
}

impl<'a> Target<'a> {
    /// The target of this name, in this order: camera and environment, ids, names of materials.
    pub(super) fn of(scene: &'a Scene, name: &str) -> Option<Self> {
        match name {
            CAMERA => return Some(Self::Camera),
            ENVIRONMENT => return Some(Self::Environment),
            _ => {}
        }
        let shape = || scene.shape(name).map(Self::Shape);
        let light = || scene.light(name).map(Self::Light);
        let group = || scene.group_ids().any(|id| id == name).then_some(Self::Group);
        let material = || {
            let named = |shape: &&Arc<Shape>| {
                shape.material_name.as_ref().is_some_and(|known| known.as_str() == name)
            };
            scene.shapes.iter().find(named).map(|shape| Self::Material(&shape.material))
        };
        shape().or_else(light).or_else(group).or_else(material)
    }
}

impl Scene {
    /// Checks that all tracks fit the scene.
    pub(crate) fn check_animation(&self, animation: &Animation) -> Result<(), Violations> {
        let mut errors = ReadErrors::default();
        let tracks = animation.tracks.get();
        let keys: usize = tracks.iter().map(|track| track.keys.get().len()).sum();
        if keys > MAX_ALL_KEYS {
            errors.add(format!(
                "an animation may have at most {MAX_ALL_KEYS} keys in all, got {keys}; use fewer keys or easing"
            ));
        } else {
            tracks.iter().for_each(|track| self.check_track(track, &mut errors));
        }
        errors.finish(Some(()))
    }

    /// Whether a track fits the scene.
    pub(super) fn check_track(&self, track: &Track, errors: &mut ReadErrors) {
        let (name, target) = (track.name(), track.target.as_str());
        let Some(found) = Target::of(self, target) else {
            let ids = self.shapes.iter().map(|shape| shape.id.as_str());
            let ids = ids.chain(self.lights.iter().map(|light| light.id.as_str()));
            let known = ids.chain(self.group_ids()).chain([CAMERA, ENVIRONMENT]);
            errors.add(format!(
                "track '{name}': there is no '{target}' in the scene; did you mean '{}'? A target is camera, \
                 environment, or the id of a shape, light or group, or the name of a shared material",
                nearest(target, known)
            ));
            return;
        };
        let property = track.property.as_str();
        let pose = self.pose_property(&found, property);
        if track.pivot.is_some()
            && !matches!(pose, Some(PoseProperty::Rotation | PoseProperty::Scale))
        {
            errors.add(format!(
                "track '{name}' has a 'pivot', which only rotation and scale of an object have; leave it out"
            ));
        }
        if property.rsplit('.').next() == Some("asset") {
            errors.add(format!(
                "track '{name}': files of meshes and pictures cannot be animated; show and hide two objects by \
                 'visible' instead"
            ));
            return;
        }
        if let Some(pose) = pose {
            for key in track.keys.get() {
                if let Some(expected) = pose.refuses(&key.value) {
                    let got = key.value.to_json();
                    let at = key.time.get();
                    errors.add(format!("track '{name}' at {at} s must be {expected}, got {got}"));
                }
            }
            return;
        }
        let keys = track.keys.get();
        let mut refused = keys.iter().find_map(|key| {
            let at = key.time.get();
            Some(
                self.accepts(&found, property, &key.value)
                    .err()?
                    .prefixed(&format!("track '{name}' at {at} s: ")),
            )
        });
        if refused.is_none() {
            // What is mixed of two good values is good, unless it has to be a whole number.
            refused = keys.windows(2).find_map(|pair| {
                let at = 0.5 * (pair[0].time.get() + pair[1].time.get());
                let violations = self.accepts(&found, property, &track.at(at)).err()?;
                let prefix = format!(
                    "track '{name}' between its keys, at {at} s (easing step would jump instead): "
                );
                Some(violations.prefixed(&prefix))
            });
        }
        if let Some(violations) = refused {
            errors.add_all(violations);
        }
    }

    /// The pose property of this name that a target has.
    fn pose_property(&self, target: &Target<'_>, name: &str) -> Option<PoseProperty> {
        match target {
            Target::Camera => (name == PoseProperty::OF_CAMERAS).then_some(PoseProperty::Orbit),
            Target::Shape(_) | Target::Group => PoseProperty::of_thing(name, false),
            Target::Light(_) => PoseProperty::of_thing(name, true),
            Target::Environment | Target::Material(_) => None,
        }
    }

    /// Whether a property of the document takes a value.
    fn accepts(&self, target: &Target<'_>, name: &str, value: &KeyValue) -> Result<(), Violations> {
        if let (Target::Camera, KeyValue::Text(id)) = (target, value)
            && POINTS_OF_THINGS.contains(&name)
        {
            return match self.kind_of(id) {
                Some(_) => Ok(()),
                None => Err(Violations::one(format!(
                    "there is no '{id}' to follow; give the id of a shape, light or group, or [x, y, z]"
                ))),
            };
        }
        let value = value.to_json();
        match target {
            // By itself: other tracks move the other point out of its way.
            Target::Camera => camera_with(&self.camera, &[(name, value)]).map(drop),
            Target::Environment => environment_with(&self.environment, name, value).map(drop),
            Target::Material(material) => material_with(material, name, value).map(drop),
            Target::Light(light) => {
                light_with(light, name, value).map(drop).map_err(|violations| {
                    beside(
                        &violations,
                        &[&PoseProperty::OF_THINGS[..], &[PoseProperty::OF_LIGHTS]].concat(),
                    )
                })
            }
            Target::Shape(shape) => {
                let is_of_geometry = !name.starts_with(MATERIAL);
                if is_of_geometry && matches!(shape.geometry, Geometry::HeightField(_)) {
                    return Err(Violations::one(format!(
                        "the form of a height_field cannot be animated, only its material and: {}",
                        PoseProperty::OF_THINGS.join(", ")
                    )));
                }
                shape_with(shape, name, value)
                    .map(drop)
                    .map_err(|violations| beside(&violations, &PoseProperty::OF_THINGS))
            }
            Target::Group => Err(Violations::one(format!(
                "a group has no property '{name}' to animate; it has: {}",
                PoseProperty::OF_THINGS.join(", ")
            ))),
        }
    }
}

/// Names the properties that only animations have, beside those of the document.
fn beside(violations: &Violations, names: &[&str]) -> Violations {
    let also = format!("; animations also have: {}", names.join(", "));
    let messages = violations.messages().iter().map(|message| {
        let is_of_name = message.contains("has no property");
        Violations::one(if is_of_name { format!("{message}{also}") } else { message.clone() })
    });
    Violations::joined(messages).unwrap_or(violations.clone())
}

//! The typed document. Values of these types are valid by construction: only readers that validate
//! everything create them.

mod animation;
mod camera;
mod clouds;
mod environment;
mod file;
mod finding_kind;
mod fog;
mod kinds;
mod light;
mod material;
mod motion;
mod movable;
mod object;
mod outline;
mod shapes;
mod sky;
mod stretch;
mod texture;

use std::sync::Arc;

use serde_json::Value;

use crate::kind::Kind;

pub use animation::{
    Animation, Easing, Key, KeyValue, Keys, MAX_TRACKS, PropertyName, Track, Tracks,
};
pub use camera::{Camera, Projection};
pub use clouds::{Cloud, Clouds, MAX_CLOUDS};
pub use environment::{Darkness, Environment, Gradient, ImageEnvironment, Uniform};
pub use finding_kind::{FindingKind, Intentional};
pub use fog::Fog;
pub use kinds::{Frame, KindInfo};
pub use light::{
    AreaDiscSpotLight, AreaQuadLight, AreaSphereLight, DirectionalLight, DiscSpotLight, Light,
    PointSpotLight,
};
pub(crate) use material::spelled_out;
pub use material::{
    Dielectric, Emissive, Lambertian, MAX_MIX_DEPTH, Material, MaterialChange, Metal, Mix, MixPart,
    NamedMaterial, Preset, PresetName, Principled, presets,
};
pub use motion::{Motion, MotionError, euler_angles};
pub use movable::{PropertyInfo, Role};
pub(crate) use object::Object;
pub use object::{Group, LightSource, Shape};
pub use shapes::{
    BaseShape, Box, Capsule, Cone, Curve, Cylinder, Disc, Ellipsoid, Extrusion, Faces, Geometry,
    Grid, HeightField, HeightNoise, Lathe, Letter, Mesh, Piece, Polyhedron, Prism, Quad,
    RoundedBox, Sphere, Text, Torus, Triangle, Tube, TubeRadius, Wedge, Words,
};
pub use sky::Sky;
pub use texture::{
    Brick, Channel, Checker, GradientPattern, ImagePattern, MAX_TEXTURE_DEPTH, Mapping, Marble,
    Noise, NoiseKind, NormalImage, NormalMap, Pattern, Placement, Stripes, Texture, Textured,
    Variable, Wood, Wrap, texture_types,
};

/// The maximum number of shapes in a scene.
pub const MAX_SHAPES: usize = 10_000;
/// The maximum number of lights in a scene.
pub const MAX_LIGHTS: usize = 1_000;

/// A scene. Objects are shared between revisions, so a copy costs one pointer per object.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    /// A description of one line.
    pub description: Option<String>,
    /// The shapes, in order of creation.
    pub shapes: Vec<Arc<Shape>>,
    /// The lights, in order of creation.
    pub lights: Vec<Arc<LightSource>>,
    /// The listed groups; a group that objects refer to need not be listed.
    pub groups: Vec<Group>,
    /// The environment.
    pub environment: Environment,
    /// The camera.
    pub camera: Camera,
    /// What changes over time, if anything does.
    pub animation: Option<Arc<Animation>>,
}

impl Scene {
    /// The shape with this id.
    pub fn shape(&self, id: &str) -> Option<&Arc<Shape>> {
        self.shapes.iter().find(|shape| shape.id.as_str() == id)
    }

    /// A shape that has the shared material of this name.
    pub fn sharer_of(&self, material_name: &str) -> Option<&Arc<Shape>> {
        let shares = |shape: &&Arc<Shape>| {
            shape.material_name.as_ref().is_some_and(|name| name.as_str() == material_name)
        };
        self.shapes.iter().find(shares)
    }

    /// The light with this id.
    pub fn light(&self, id: &str) -> Option<&Arc<LightSource>> {
        self.lights.iter().find(|light| light.id.as_str() == id)
    }

    /// An object in the format of files; environment, camera and animation ignore the id.
    pub fn thing(&self, kind: Kind, id: &str) -> Option<Value> {
        match kind {
            Kind::Shape => self.shape(id).map(|shape| shape.to_json()),
            Kind::Light => self.light(id).map(|light| light.to_json()),
            Kind::Group => {
                self.groups.iter().find(|group| group.id.as_str() == id).map(Group::to_json)
            }
            Kind::Environment => Some(self.environment.to_json()),
            Kind::Camera => Some(self.camera.to_json()),
            Kind::Animation => self.animation.as_ref().map(|animation| animation.to_json()),
        }
    }

    /// The kind of the object with this id: "shape", "light" or "group".
    pub fn kind_of(&self, id: &str) -> Option<&'static str> {
        if self.shape(id).is_some() {
            Some("shape")
        } else if self.light(id).is_some() {
            Some("light")
        } else if self.group_ids().any(|group| group == id) {
            Some("group")
        } else {
            None
        }
    }

    /// The ids of all groups, listed or referred to; may have duplicates.
    pub fn group_ids(&self) -> impl Iterator<Item = &str> {
        let listed = self.groups.iter().map(|group| group.id.as_str());
        let of_shapes = self.shapes.iter().filter_map(|shape| shape.group.as_ref());
        let of_lights = self.lights.iter().filter_map(|light| light.group.as_ref());
        listed.chain(of_shapes.chain(of_lights).map(|id| id.as_str()))
    }
}

//! The graphics state, and everything that directives name.

use std::collections::HashMap;
use std::rc::Rc;

use glam::{DMat4, DVec3};
use serde_json::{Value, json};

use super::parameters::Parameters;
use crate::image_texture::ImageTexture;
use crate::import::ImageCache;

/// The graphics state, which `AttributeBegin` saves.
#[derive(Debug, Clone)]
pub(super) struct GraphicsState {
    /// From object space to the world; before `WorldBegin`, from the world to the camera.
    pub(super) matrix: DMat4,
    pub(super) material: Rc<Value>,
    /// The area light of the shapes that follow.
    pub(super) emission: Option<Emission>,
    pub(super) reversed: bool,
}

/// An area light.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Emission {
    pub(super) radiance: [f64; 3],
    pub(super) both_sides: bool,
    /// The power of the whole shape in watts, in place of the radiance.
    pub(super) power: Option<f64>,
}

impl GraphicsState {
    pub(super) fn new() -> Self {
        Self {
            matrix: DMat4::IDENTITY,
            material: Rc::new(scene::Material::default().to_json()),
            emission: None,
            reversed: false,
        }
    }

    /// `Rotate`: degrees about an axis.
    pub(super) fn rotate(&mut self, [degrees, x, y, z]: [f64; 4]) {
        if let Some(axis) = DVec3::new(x, y, z).try_normalize() {
            self.matrix *= DMat4::from_axis_angle(axis, degrees.to_radians());
        }
    }

    /// `LookAt`: eye, target and up vector; `None` if they give no direction.
    pub(super) fn look_at(&mut self, [ex, ey, ez, lx, ly, lz, ux, uy, uz]: [f64; 9]) -> Option<()> {
        let eye = DVec3::new(ex, ey, ez);
        let forward = (DVec3::new(lx, ly, lz) - eye).try_normalize()?;
        let right = DVec3::new(ux, uy, uz).cross(forward).try_normalize()?;
        let up = forward.cross(right);
        let camera = DMat4::from_cols(
            right.extend(0.0),
            up.extend(0.0),
            forward.extend(0.0),
            eye.extend(1.0),
        );
        self.matrix *= camera.inverse();
        Some(())
    }
}

/// A named texture.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Texture {
    /// Its average colour, for properties that cannot have an image.
    pub(super) mean: [f64; 3],
    pub(super) image: Option<ScaledImage>,
}

/// An image texture multiplied by a factor from 0 to 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ScaledImage {
    pub(super) texture: ImageTexture<String>,
    pub(super) scale: f64,
}

impl ScaledImage {
    /// A colour of the scene file.
    pub(super) fn color_json(&self) -> Value {
        self.texture.to_json(None, json!([self.scale, self.scale, self.scale]))
    }

    /// A number of the scene file.
    pub(super) fn number_json(&self) -> Value {
        self.texture.to_json(None, json!(self.scale))
    }
}

/// Everything that directives name.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) materials: HashMap<String, Rc<Value>>,
    pub(super) textures: HashMap<String, Texture>,
    pub(super) images: ImageCache<String>,
    pub(super) spaces: HashMap<String, DMat4>,
    pub(super) objects: HashMap<String, Vec<Rc<ObjectShape>>>,
}

/// A shape with the state it was defined in.
#[derive(Debug)]
pub(super) struct ObjectShape {
    /// Unique in the file.
    pub(super) number: usize,
    pub(super) state: GraphicsState,
    pub(super) kind: String,
    pub(super) parameters: Parameters,
}

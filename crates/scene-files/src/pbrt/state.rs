//! What holds while a file is read: the current matrix, material and light.

use std::collections::HashMap;
use std::rc::Rc;

use glam::{DMat4, DVec3};
use serde_json::{Map, Value};

use super::parameters::Parameters;
use crate::pictures::Pictures;

/// What `AttributeBegin` remembers.
#[derive(Debug, Clone)]
pub(super) struct State {
    /// From the space of what comes to the world (before `WorldBegin`: from the world to the camera).
    pub(super) matrix: DMat4,
    pub(super) material: Rc<Value>,
    /// What the shapes that come send out, if they are lights.
    pub(super) emission: Option<Emission>,
    pub(super) reversed: bool,
}

/// What a glowing shape sends out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Emission {
    pub(super) radiance: [f64; 3],
    pub(super) both_sides: bool,
    /// Instead of the radiance, the power of the whole shape in watts.
    pub(super) power: Option<f64>,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            matrix: DMat4::IDENTITY,
            material: Rc::new(scene::Material::default().to_json()),
            emission: None,
            reversed: false,
        }
    }

    /// Turns, as `Rotate` says it: degrees about an axis.
    pub(super) fn rotate(&mut self, [degrees, x, y, z]: [f64; 4]) {
        if let Some(axis) = DVec3::new(x, y, z).try_normalize() {
            self.matrix *= DMat4::from_axis_angle(axis, degrees.to_radians());
        }
    }

    /// Looks from a point at another, as `LookAt` says it; `None` where that is no direction.
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
    /// The colour it has in the mean, which it counts as where it shows no image.
    pub(super) mean: [f64; 3],
    /// The image it shows, as scene files have it.
    pub(super) image: Option<Map<String, Value>>,
}

/// What has a name.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) materials: HashMap<String, Rc<Value>>,
    pub(super) textures: HashMap<String, Texture>,
    pub(super) images: Pictures,
    pub(super) spaces: HashMap<String, DMat4>,
    pub(super) objects: HashMap<String, Vec<Rc<Stored>>>,
}

/// A shape of an object that is shown later.
#[derive(Debug)]
pub(super) struct Stored {
    /// Each shape of a file has another one.
    pub(super) number: usize,
    pub(super) state: State,
    pub(super) kind: String,
    pub(super) parameters: Parameters,
}

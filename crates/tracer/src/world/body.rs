//! The bodies of a world.

use crate::primitive::Primitive;
use crate::surface_kind::SurfaceKind;

/// The advantage of lights that coincide with a surface: their distance is reduced by this share,
/// some rounding errors of a distance.
pub(super) const LIGHT_ADVANTAGE: f32 = 64.0 * f32::EPSILON;

/// A primitive with its surface.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) primitive: Primitive,
    pub(super) kind: SurfaceKind,
    pub(super) object: u32,
    /// The factor of hit distances before comparison: lights win where they coincide with a
    /// surface.
    pub(super) handicap: f32,
    /// Whether rays from the camera pass through it.
    pub(super) is_hidden: bool,
}

impl Body {
    pub(super) fn new(primitive: Primitive, kind: SurfaceKind, object: usize) -> Self {
        let handicap = match kind {
            SurfaceKind::Surface(_) | SurfaceKind::Varied(_) => 1.0,
            SurfaceKind::Light(_) | SurfaceKind::Emissive(_) => 1.0 - LIGHT_ADVANTAGE,
        };
        Self { primitive, kind, object: object as u32, handicap, is_hidden: false }
    }

    pub(super) fn hidden_if(self, is_hidden: bool) -> Self {
        Self { is_hidden, ..self }
    }
}

//! The kinds of things: what words for them are called by the tools, and which lights are of which kind.

use crate::language::{LightKind, Pattern, ShapeKind};
use crate::world::{Body, LampForm, Thing};

/// The name of a shape as the tools know it.
pub(crate) fn shape_name(kind: ShapeKind) -> &'static str {
    match kind {
        ShapeKind::Sphere => "sphere",
        ShapeKind::Box => "box",
        ShapeKind::Quad => "quad",
        ShapeKind::Disc => "disc",
        ShapeKind::Cylinder => "cylinder",
        ShapeKind::Cone => "cone",
        ShapeKind::Torus => "torus",
        ShapeKind::Capsule => "capsule",
        ShapeKind::Ellipsoid => "ellipsoid",
        ShapeKind::RoundedBox => "rounded_box",
        ShapeKind::Triangle => "triangle",
        ShapeKind::Text => "text",
    }
}

/// The group of things made in a pattern.
pub(crate) fn pattern_name(pattern: Pattern) -> &'static str {
    match pattern {
        Pattern::Row => "row",
        Pattern::Column => "column",
        Pattern::Circle => "circle",
        Pattern::Arc => "arc",
        Pattern::Grid => "grid",
        Pattern::Wall => "wall",
        Pattern::Stack => "tower",
        Pattern::Steps => "steps",
        Pattern::Pyramid => "pyramid",
        Pattern::Spiral => "spiral",
        Pattern::Scatter => "cluster",
        Pattern::Triangle => "triangle",
    }
}

/// Whether a thing is a light of this kind.
pub(super) fn is_lamp(thing: &Thing, kind: LightKind) -> bool {
    let Body::Light(lamp) = &thing.body else { return false };
    match kind {
        LightKind::Any => true,
        LightKind::Point => matches!(lamp.form, LampForm::Point { .. }),
        LightKind::Spot => {
            matches!(lamp.form, LampForm::Point { .. } | LampForm::SpotDisc { .. })
        }
        LightKind::Sphere => matches!(lamp.form, LampForm::Sphere { .. }),
        LightKind::Quad => matches!(lamp.form, LampForm::Quad { .. }),
        LightKind::Disc => {
            matches!(lamp.form, LampForm::Disc { .. } | LampForm::SpotDisc { .. })
        }
    }
}

//! The lights.

use glam::DVec3;
use serde_json::{Map, Value, json};

use super::Bounds;
use super::read::{number, vector};

/// A light: where and how big it is, and how much it emits.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Lamp {
    pub(crate) form: LampForm,
    /// W/(sr m^2) per channel; W/sr for points.
    pub(crate) emission: DVec3,
}

/// The geometry of a light.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LampForm {
    Point {
        center: DVec3,
        direction: DVec3,
        cutoff_angle: f64,
        falloff: f64,
    },
    Quad {
        corner: DVec3,
        u: DVec3,
        v: DVec3,
    },
    Disc {
        center: DVec3,
        normal: DVec3,
        radius: f64,
    },
    Sphere {
        center: DVec3,
        radius: f64,
    },
    SpotDisc {
        center: DVec3,
        normal: DVec3,
        radius: f64,
        cutoff_angle: f64,
        falloff: f64,
    },
    /// A light this model does not make itself.
    Other {
        type_name: String,
        properties: Map<String, Value>,
        bounds: Bounds,
    },
}

impl Lamp {
    pub(crate) fn type_name(&self) -> &str {
        match &self.form {
            LampForm::Point { .. } => "point_spot_light",
            LampForm::Quad { .. } => "area_quad_light",
            LampForm::Disc { .. } => "disc_spot_light",
            LampForm::Sphere { .. } => "area_sphere_light",
            LampForm::SpotDisc { .. } => "area_disc_spot_light",
            LampForm::Other { type_name, .. } => type_name,
        }
    }

    /// The properties as tools take them.
    pub(crate) fn properties(&self) -> Map<String, Value> {
        let value = match &self.form {
            LampForm::Point { center, direction, cutoff_angle, falloff } => json!({
                "center": vector(*center), "direction": vector(*direction),
                "cutoff_angle": number(*cutoff_angle), "falloff_exponent": number(*falloff),
            }),
            LampForm::Quad { corner, u, v } => {
                json!({ "corner": vector(*corner), "u": vector(*u), "v": vector(*v) })
            }
            LampForm::Disc { center, normal, radius } => json!({
                "center": vector(*center), "normal": vector(*normal), "radius": number(*radius),
            }),
            LampForm::Sphere { center, radius } => {
                json!({ "center": vector(*center), "radius": number(*radius) })
            }
            LampForm::SpotDisc { center, normal, radius, cutoff_angle, falloff } => json!({
                "center": vector(*center), "normal": vector(*normal), "radius": number(*radius),
                "cutoff_angle": number(*cutoff_angle), "falloff_exponent": number(*falloff),
            }),
            LampForm::Other { properties, .. } => Value::Object(properties.clone()),
        };
        let mut map = match value {
            Value::Object(map) => map,
            _ => Map::new(),
        };
        map.insert("emission".into(), vector(self.emission));
        map
    }

    pub(crate) fn bounds(&self) -> Bounds {
        match &self.form {
            LampForm::Point { center, .. } => Bounds::around(*center, DVec3::ZERO),
            LampForm::Quad { corner, u, v } => {
                Bounds::around_points([*corner, corner + u, corner + v, corner + u + v])
            }
            LampForm::Disc { center, normal, radius }
            | LampForm::SpotDisc { center, normal, radius, .. } => {
                Bounds::around_disc(*center, *normal, *radius)
            }
            LampForm::Sphere { center, radius } => Bounds::around(*center, DVec3::splat(*radius)),
            LampForm::Other { bounds, .. } => *bounds,
        }
    }

    pub(crate) fn moved(&mut self, by: DVec3) {
        match &mut self.form {
            LampForm::Point { center, .. }
            | LampForm::Disc { center, .. }
            | LampForm::Sphere { center, .. }
            | LampForm::SpotDisc { center, .. } => *center += by,
            LampForm::Quad { corner, .. } => *corner += by,
            LampForm::Other { bounds, properties, .. } => {
                if let Some(value) = properties.get_mut("center")
                    && let Some(point) = super::read::as_vector(value)
                {
                    *value = vector(point + by);
                }
                *bounds = bounds.moved(by);
            }
        }
    }

    /// Scales its area about its middle; the light it gives in all stays the same, so it gets
    /// softer, not brighter. Points have no size.
    pub(crate) fn resized(&mut self, factor: f64) -> bool {
        let middle = self.bounds().center();
        match &mut self.form {
            LampForm::Quad { corner, u, v } => {
                *corner = middle + (*corner - middle) * factor;
                *u *= factor;
                *v *= factor;
            }
            LampForm::Disc { radius, .. }
            | LampForm::Sphere { radius, .. }
            | LampForm::SpotDisc { radius, .. } => *radius *= factor,
            LampForm::Point { .. } | LampForm::Other { .. } => return false,
        }
        self.emission /= factor * factor;
        true
    }

    /// The emitting area in square metres as seen face on; 1 for points, whose emission is an
    /// intensity.
    pub(crate) fn facing_area(&self) -> f64 {
        use std::f64::consts::PI;
        match &self.form {
            LampForm::Point { .. } | LampForm::Other { .. } => 1.0,
            LampForm::Quad { u, v, .. } => u.cross(*v).length(),
            LampForm::Disc { radius, .. }
            | LampForm::Sphere { radius, .. }
            | LampForm::SpotDisc { radius, .. } => PI * radius * radius,
        }
    }
}

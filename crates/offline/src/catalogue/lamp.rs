//! The lights of scenes, by what they bring to what they shine at.

use std::f64::consts::PI;

use glam::DVec3;
use serde::Deserialize;
use serde_json::{Value, json};

use super::CatalogueFault;
use super::assemble::Workshop;
use super::draw::Draw;
use super::form::values;
use super::recipe::{Number, Point};
use super::spot::Neighbours;

/// A light: exactly one of `panel` [w, h], `ball` r, `spot` degrees.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Lamp {
    pub(super) name: String,
    panel: Option<[Number; 2]>,
    ball: Option<Number>,
    spot: Option<Number>,
    at: Option<Point>,
    toward: Option<Point>,
    /// Irradiance on what faces it at `toward`, in W/m^2: at pi a white surface looks white.
    brings: Option<Number>,
    tint: Option<[f64; 3]>,
    #[serde(rename = "if")]
    only_if: Option<String>,
    unless: Option<String>,
}

impl Lamp {
    pub(super) fn is_wanted(&self, workshop: &Workshop<'_>) -> bool {
        workshop.holds(self.only_if.as_deref(), self.unless.as_deref())
    }

    /// As the document has it, every channel of what it emits multiplied by `tint`.
    pub(super) fn document(
        &self,
        neighbours: &Neighbours,
        tint: DVec3,
        draw: &mut Draw,
    ) -> Result<Value, CatalogueFault> {
        let point = |point: &Option<Point>, draw: &mut Draw| match point {
            Some(point) => neighbours.point(point, draw),
            None => Ok(DVec3::ZERO),
        };
        let (at, toward) = (point(&self.at, draw)?, point(&self.toward, draw)?);
        let (way, distance) = ((toward - at).normalize_or(DVec3::NEG_Y), (toward - at).length());
        let brings = self.brings.map_or(PI, |brings| brings.value(draw));
        let colour = tint * self.tint.map_or(DVec3::ONE, DVec3::from) * brings;
        let strength = |area: f64| rounded(colour * distance * distance / area).to_array();
        let (kind, properties) = if let Some(sides) = &self.panel {
            let [width, height] = values(sides, draw);
            // It shines to the side of u x v.
            let u = way.cross(DVec3::Y).try_normalize().unwrap_or(DVec3::X) * width;
            let v = way.cross(u).normalize_or(DVec3::Z) * height;
            let corner = rounded(at - (u + v) * 0.5);
            (
                "area_quad_light",
                json!({
                    "corner": corner.to_array(), "u": rounded(u).to_array(),
                    "v": rounded(v).to_array(), "emission": strength(width * height),
                }),
            )
        } else if let Some(radius) = self.ball {
            let radius = radius.value(draw);
            (
                "area_sphere_light",
                json!({
                    "center": at.to_array(), "radius": radius,
                    "emission": strength(PI * radius * radius),
                }),
            )
        } else if let Some(degrees) = self.spot {
            (
                "point_spot_light",
                json!({
                    "center": at.to_array(), "direction": rounded(way).to_array(),
                    "cutoff_angle": degrees.value(draw), "falloff_exponent": 2.0,
                    "emission": strength(1.0),
                }),
            )
        } else {
            return Err(CatalogueFault::Shape(format!("light '{}' has no form", self.name)));
        };
        Ok(json!({ "id": self.name, "type": kind, "properties": properties }))
    }
}

/// Four decimals: a tenth of a millimetre, and more than enough of light.
pub(super) fn rounded(value: DVec3) -> DVec3 {
    (value * 1e4).round() / 1e4
}

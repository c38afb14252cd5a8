//! The lights of scenes, by the irradiance they cause at what they shine at.

use std::f64::consts::PI;

use glam::DVec3;
use serde_json::{Value, json};

use super::placement::PlacedParts;
use super::primitives::sample;
use super::random::Random;
use crate::error::CatalogueError;
use crate::files::{LightFile, Point};

/// A light in the form of the document, each channel of its emission multiplied by `tint`.
pub(crate) fn light(
    file: &LightFile,
    parts: &PlacedParts,
    tint: DVec3,
    random: &mut Random,
) -> Result<Value, CatalogueError> {
    let point = |point: &Option<Point>, random: &mut Random| match point {
        Some(point) => parts.point(point, random),
        None => Ok(DVec3::ZERO),
    };
    let (at, toward) = (point(&file.at, random)?, point(&file.toward, random)?);
    let (direction, distance) = ((toward - at).normalize_or(DVec3::NEG_Y), (toward - at).length());
    let irradiance = file.irradiance.map_or(PI, |irradiance| irradiance.sample(random));
    let colour = tint * file.tint.map_or(DVec3::ONE, DVec3::from) * irradiance;
    let emission = |area: f64| rounded(colour * distance * distance / area).to_array();
    let (kind, properties) = if let Some(sides) = &file.panel {
        let [width, height] = sample(sides, random);
        // It shines to the side of u x v.
        let u = direction.cross(DVec3::Y).try_normalize().unwrap_or(DVec3::X) * width;
        let v = direction.cross(u).normalize_or(DVec3::Z) * height;
        let corner = rounded(at - (u + v) * 0.5);
        (
            "area_quad_light",
            json!({
                "corner": corner.to_array(), "u": rounded(u).to_array(),
                "v": rounded(v).to_array(), "emission": emission(width * height),
            }),
        )
    } else if let Some(radius) = file.ball {
        let radius = radius.sample(random);
        (
            "area_sphere_light",
            json!({
                "center": at.to_array(), "radius": radius,
                "emission": emission(PI * radius * radius),
            }),
        )
    } else if let Some(degrees) = file.spot {
        (
            "point_spot_light",
            json!({
                "center": at.to_array(), "direction": rounded(direction).to_array(),
                "cutoff_angle": degrees.sample(random), "falloff_exponent": 2.0,
                "emission": emission(1.0),
            }),
        )
    } else {
        return Err(CatalogueError::Shape(format!("light '{}' has no form", file.name)));
    };
    Ok(json!({ "id": file.name, "type": kind, "properties": properties }))
}

/// Rounded to four decimals: a tenth of a millimetre, and more than enough for light.
pub(crate) fn rounded(value: DVec3) -> DVec3 {
    (value * 1e4).round() / 1e4
}

//! The primitives of parts, written in a few numbers, standing on the origin.

use glam::DVec3;
use scene::Geometry;
use serde_json::{Value, json};

use super::random::Random;
use crate::error::CatalogueError;
use crate::files::{Number, Part};

impl Number {
    /// The number itself, or one drawn from its range.
    pub(crate) fn sample(self, random: &mut Random) -> f64 {
        match self {
            Self::Fixed(value) => value,
            Self::Random { between: [low, high] } => random.between(low, high),
        }
    }
}

/// The values of several numbers.
pub(crate) fn sample<const N: usize>(numbers: &[Number; N], random: &mut Random) -> [f64; N] {
    numbers.map(|number| number.sample(random))
}

/// The geometry of a part, standing on the origin; between its two `ends` for a part that spans
/// between points. `None` for a part made of other parts.
pub(crate) fn geometry_of(
    part: &Part,
    ends: Option<[DVec3; 2]>,
    random: &mut Random,
) -> Result<Option<Geometry>, CatalogueError> {
    let primitive = match &part.shape {
        Some(shape) => {
            let kind = shape.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
            Some((kind, shape.get("properties").cloned().unwrap_or_default()))
        }
        None => primitive(part, ends, random)?.map(|(kind, value)| (kind.to_owned(), value)),
    };
    let Some((kind, properties)) = primitive else { return Ok(None) };
    Geometry::from_json(&kind, &properties)
        .map(Some)
        .map_err(|violations| invalid(part, &violations.to_string()))
}

fn invalid(part: &Part, message: &str) -> CatalogueError {
    let error = CatalogueError::Shape(message.to_owned());
    CatalogueError::Part { name: part.name.clone(), error: error.into() }
}

/// The type and the properties of a part that is a shape of its own.
fn primitive(
    part: &Part,
    ends: Option<[DVec3; 2]>,
    random: &mut Random,
) -> Result<Option<(&'static str, Value)>, CatalogueError> {
    let capped = !part.open;
    if let Some(radius) = part.sphere {
        let radius = radius.sample(random);
        return Ok(Some(("sphere", json!({ "center": [0.0, radius, 0.0], "radius": radius }))));
    }
    if let Some(sides) = &part.cuboid {
        let sides = sample(sides, random);
        let center = [0.0, sides[1] / 2.0, 0.0];
        return Ok(Some(("box", json!({ "center": center, "dimensions": sides }))));
    }
    if let Some(sides) = &part.cylinder {
        let [radius, height] = sample(sides, random);
        return Ok(Some(("cylinder", cylinder([DVec3::ZERO, DVec3::Y * height], radius, capped))));
    }
    if let Some(sides) = &part.cone {
        let sides: Vec<f64> = sides.iter().map(|side| side.sample(random)).collect();
        let (low, height, high) = match sides[..] {
            [low, height] => (low, height, 0.0),
            [low, height, high] => (low, height, high),
            _ => {
                return Err(invalid(
                    part,
                    "'cone' takes [radius, height] or [radius, height, radius]",
                ));
            }
        };
        let ends = [DVec3::ZERO, DVec3::Y * height];
        return Ok(Some(("cone", cone(ends, low, high, capped))));
    }
    if let Some(sides) = &part.torus {
        let [radius, thickness] = sample(sides, random);
        let center = [0.0, thickness / 2.0, 0.0];
        let ring = json!({
            "center": center, "normal": [0, 1, 0], "radius": radius, "thickness": thickness,
        });
        return Ok(Some(("torus", ring)));
    }
    if let Some(sides) = &part.arch {
        let sides: Vec<f64> = sides.iter().map(|side| side.sample(random)).collect();
        let [radius, thickness, start, end] = sides[..] else {
            return Err(invalid(part, "'arch' takes [radius, thickness, start, end]"));
        };
        let ring = json!({
            "center": [0, 0, 0], "normal": [0, 0, 1], "radius": radius, "thickness": thickness,
            "start_angle": start, "end_angle": end,
        });
        return Ok(Some(("torus", ring)));
    }
    if let Some(sides) = &part.capsule {
        let [radius, height] = sample(sides, random);
        let (start, end) = ([0.0, radius, 0.0], [0.0, height - radius, 0.0]);
        return Ok(Some(("capsule", json!({ "start": start, "end": end, "radius": radius }))));
    }
    flat(part, random).map_or_else(|| spanning(part, ends, random), |flat| Ok(Some(flat)))
}

fn flat(part: &Part, random: &mut Random) -> Option<(&'static str, Value)> {
    if let Some(radius) = part.disc {
        let radius = radius.sample(random);
        let disc = json!({ "center": [0, 0, 0], "normal": [0, 1, 0], "radius": radius });
        return Some(("disc", disc));
    }
    if let Some(sides) = &part.quad {
        let [width, height] = sample(sides, random);
        let corner = [-width / 2.0, 0.0, 0.0];
        return Some((
            "quad",
            json!({ "corner": corner, "u": [width, 0.0, 0.0], "v": [0.0, height, 0.0] }),
        ));
    }
    if let Some(sides) = &part.floor {
        let [width, depth] = sample(sides, random);
        let corner = [-width / 2.0, 0.0, -depth / 2.0];
        return Some((
            "quad",
            json!({ "corner": corner, "u": [0.0, 0.0, depth], "v": [width, 0.0, 0.0] }),
        ));
    }
    let vertices = part.triangle.as_ref()?;
    Some(("triangle", json!({ "vertices": vertices })))
}

fn spanning(
    part: &Part,
    ends: Option<[DVec3; 2]>,
    random: &mut Random,
) -> Result<Option<(&'static str, Value)>, CatalogueError> {
    let spans = part.rod.is_some() || part.limb.is_some() || part.spike.is_some();
    let Some(ends) = ends.filter(|_| spans) else {
        return if spans { Err(invalid(part, "it needs 'from' and 'to'")) } else { Ok(None) };
    };
    let [start, end] = ends.map(|end| end.to_array());
    if let Some(radius) = part.rod {
        return Ok(Some(("cylinder", cylinder(ends, radius.sample(random), !part.open))));
    }
    if let Some(radius) = part.limb {
        let radius = radius.sample(random);
        return Ok(Some(("capsule", json!({ "start": start, "end": end, "radius": radius }))));
    }
    Ok(part.spike.as_ref().map(|radii| {
        let [low, high] = sample(radii, random);
        ("cone", cone(ends, low, high, !part.open))
    }))
}

fn cylinder(ends: [DVec3; 2], radius: f64, capped: bool) -> Value {
    let [base, top] = ends.map(|end| end.to_array());
    json!({ "base_center": base, "top_center": top, "radius": radius, "capped": capped })
}

/// A cone from the first end to the second; in the document the wide end comes first.
fn cone(ends: [DVec3; 2], first: f64, second: f64, capped: bool) -> Value {
    let [mut base, mut top] = ends.map(|end| end.to_array());
    let (mut wide, mut narrow) = (first, second);
    if narrow > wide {
        (base, top) = (top, base);
        (wide, narrow) = (narrow, wide);
    }
    json!({
        "base_center": base, "base_radius": wide, "top_center": top, "top_radius": narrow,
        "capped": capped,
    })
}

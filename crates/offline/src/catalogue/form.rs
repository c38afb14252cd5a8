//! The forms of parts: written in a few numbers, standing on the origin.

use glam::DVec3;
use scene::Geometry;
use serde_json::{Value, json};

use super::CatalogueFault;
use super::draw::Draw;
use super::piece::geometry;
use super::recipe::{Number, Part};

impl Number {
    pub(super) fn value(self, draw: &mut Draw) -> f64 {
        match self {
            Self::Fixed(value) => value,
            Self::Drawn { between: [low, high] } => draw.between(low, high),
        }
    }
}

/// The values of numbers that stand together.
pub(super) fn values<const N: usize>(numbers: &[Number; N], draw: &mut Draw) -> [f64; N] {
    numbers.map(|number| number.value(draw))
}

/// The shape of a part, standing on the origin; `ends` are its two ends where it spans between
/// points, and then it lies there. `None` for a part that is no shape of its own.
pub(super) fn shape_of(
    part: &Part,
    ends: Option<[DVec3; 2]>,
    draw: &mut Draw,
) -> Result<Option<Geometry>, CatalogueFault> {
    let written = match &part.shape {
        Some(shape) => {
            let kind = shape.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
            Some((kind, shape.get("properties").cloned().unwrap_or_default()))
        }
        None => written(part, ends, draw)?.map(|(kind, value)| (kind.to_owned(), value)),
    };
    let Some((kind, properties)) = written else { return Ok(None) };
    geometry(&kind, &properties)
        .map(Some)
        .map_err(|fault| CatalogueFault::Part { name: part.name.clone(), fault: fault.into() })
}

fn written(
    part: &Part,
    ends: Option<[DVec3; 2]>,
    draw: &mut Draw,
) -> Result<Option<(&'static str, Value)>, CatalogueFault> {
    let capped = !part.open;
    let wrong = |what: &str| CatalogueFault::Part {
        name: part.name.clone(),
        fault: CatalogueFault::Shape(what.to_owned()).into(),
    };
    if let Some(radius) = part.sphere {
        let radius = radius.value(draw);
        return Ok(Some(("sphere", json!({ "center": [0.0, radius, 0.0], "radius": radius }))));
    }
    if let Some(sides) = &part.cuboid {
        let sides = values(sides, draw);
        let center = [0.0, sides[1] / 2.0, 0.0];
        return Ok(Some(("box", json!({ "center": center, "dimensions": sides }))));
    }
    if let Some(sides) = &part.cylinder {
        let [radius, height] = values(sides, draw);
        return Ok(Some(("cylinder", cylinder([DVec3::ZERO, DVec3::Y * height], radius, capped))));
    }
    if let Some(sides) = &part.cone {
        let sides: Vec<f64> = sides.iter().map(|side| side.value(draw)).collect();
        let (low, height, high) = match sides[..] {
            [low, height] => (low, height, 0.0),
            [low, height, high] => (low, height, high),
            _ => return Err(wrong("'cone' takes [radius, height] or [radius, height, radius]")),
        };
        let ends = [DVec3::ZERO, DVec3::Y * height];
        return Ok(Some(("cone", cone(ends, low, high, capped))));
    }
    if let Some(sides) = &part.torus {
        let [radius, thickness] = values(sides, draw);
        let center = [0.0, thickness / 2.0, 0.0];
        let ring = json!({
            "center": center, "normal": [0, 1, 0], "radius": radius, "thickness": thickness,
        });
        return Ok(Some(("torus", ring)));
    }
    if let Some(sides) = &part.arch {
        let sides: Vec<f64> = sides.iter().map(|side| side.value(draw)).collect();
        let [radius, thickness, start, end] = sides[..] else {
            return Err(wrong("'arch' takes [radius, thickness, start, end]"));
        };
        let ring = json!({
            "center": [0, 0, 0], "normal": [0, 0, 1], "radius": radius, "thickness": thickness,
            "start_angle": start, "end_angle": end,
        });
        return Ok(Some(("torus", ring)));
    }
    if let Some(sides) = &part.capsule {
        let [radius, height] = values(sides, draw);
        let (start, end) = ([0.0, radius, 0.0], [0.0, height - radius, 0.0]);
        return Ok(Some(("capsule", json!({ "start": start, "end": end, "radius": radius }))));
    }
    flat(part, draw).map_or_else(|| spanning(part, ends, draw), |flat| Ok(Some(flat)))
}

fn flat(part: &Part, draw: &mut Draw) -> Option<(&'static str, Value)> {
    if let Some(radius) = part.disc {
        let radius = radius.value(draw);
        let disc = json!({ "center": [0, 0, 0], "normal": [0, 1, 0], "radius": radius });
        return Some(("disc", disc));
    }
    if let Some(sides) = &part.quad {
        let [width, height] = values(sides, draw);
        let corner = [-width / 2.0, 0.0, 0.0];
        return Some((
            "quad",
            json!({ "corner": corner, "u": [width, 0.0, 0.0], "v": [0.0, height, 0.0] }),
        ));
    }
    if let Some(sides) = &part.floor {
        let [width, depth] = values(sides, draw);
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
    draw: &mut Draw,
) -> Result<Option<(&'static str, Value)>, CatalogueFault> {
    let spans = part.rod.is_some() || part.limb.is_some() || part.spike.is_some();
    let Some(ends) = ends.filter(|_| spans) else {
        return if spans {
            Err(CatalogueFault::Part {
                name: part.name.clone(),
                fault: CatalogueFault::Shape("it needs 'from' and 'to'".to_owned()).into(),
            })
        } else {
            Ok(None)
        };
    };
    let [start, end] = ends.map(|end| end.to_array());
    if let Some(radius) = part.rod {
        return Ok(Some(("cylinder", cylinder(ends, radius.value(draw), !part.open))));
    }
    if let Some(radius) = part.limb {
        let radius = radius.value(draw);
        return Ok(Some(("capsule", json!({ "start": start, "end": end, "radius": radius }))));
    }
    Ok(part.spike.as_ref().map(|radii| {
        let [low, high] = values(radii, draw);
        ("cone", cone(ends, low, high, !part.open))
    }))
}

fn cylinder(ends: [DVec3; 2], radius: f64, capped: bool) -> Value {
    let [base, top] = ends.map(|end| end.to_array());
    json!({ "base_center": base, "top_center": top, "radius": radius, "capped": capped })
}

/// A cone from the first end to the second; the document wants the wide end first.
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

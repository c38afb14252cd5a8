//! A shape of the wanted size, standing on the origin.

use glam::DVec3;
use serde_json::{Value, json};

use crate::language::{Phrase, ShapeKind, Size};
use crate::plan::Problem;
use crate::world::{Bounds, Form, Thing};

/// Builds shape `kind` standing on y = 0 above the origin. `usual` scales the usual size; numbers
/// in `size` are taken as they are.
pub(crate) fn template(kind: ShapeKind, size: &Size, usual: f64) -> Result<Form, Problem> {
    check(size)?;
    let mut factors = size.factors * usual;
    let stands = matches!(kind, ShapeKind::Cylinder | ShapeKind::Cone | ShapeKind::Capsule);
    // "1 m long": so it is along its axis.
    let along = Size { height: size.width, width: None, ..size.clone() };
    let long = stands && size.length_told && size.height.is_none();
    let size = if long { &along } else { size };
    // "major radius 2" of what is no ring.
    let round = Size { radius: size.radius.or(size.ring_radius), ..size.clone() };
    let size = if kind == ShapeKind::Torus { size } else { &round };
    if stands && size.words.iter().any(|word| word == "long") {
        // What is round and long is so along its axis.
        factors = glam::DVec3::new(factors.z, factors.y * factors.x / factors.z, factors.z);
    }
    let even = factors.element_product().cbrt();
    let radius_given = size.radius.or(size.diameter.or(size.extent).map(|diameter| diameter / 2.0));
    let across = size.width.or(size.depth).map(|width| width / 2.0);
    let level = (factors.x + factors.z) / 2.0;
    Ok(match kind {
        ShapeKind::Sphere => {
            let height = size.height.map(|height| height / 2.0);
            let radius = radius_given.or(across).or(height).unwrap_or(even);
            Form::Sphere { center: DVec3::Y * radius, radius }
        }
        ShapeKind::Box => {
            let cube = size.extent.or(size.radius.map(|radius| radius * 2.0)).or(size.diameter);
            let edge = |given: Option<f64>, factor: f64| given.or(cube).unwrap_or(1.5 * factor);
            let size = DVec3::new(
                edge(size.width, factors.x),
                edge(size.height.or(size.thickness), factors.y),
                edge(size.depth, factors.z),
            );
            Form::Box { center: DVec3::Y * size.y / 2.0, size, rotation: DVec3::ZERO }
        }
        ShapeKind::Quad => {
            let width = size.width.or(size.extent).unwrap_or(2.0 * factors.x);
            let height = size.height.or(size.depth).or(size.extent).unwrap_or(2.0 * factors.y);
            Form::Quad {
                corner: DVec3::X * (-width / 2.0),
                u: DVec3::X * width,
                v: DVec3::Y * height,
            }
        }
        ShapeKind::Disc => {
            let radius = radius_given.or(across).unwrap_or(level);
            // "5 cm thick": a flat cylinder.
            if let Some(height) = size.thickness.or(size.height) {
                let top = DVec3::Y * height;
                return Ok(Form::Cylinder { base: DVec3::ZERO, top, radius, capped: true });
            }
            // A hair above the ground, so that it does not fight with the floor for the same place.
            Form::Disc { center: DVec3::Y * 0.01, normal: DVec3::Y, radius }
        }
        ShapeKind::Cylinder => {
            let radius =
                size.radius.or(size.diameter.or(size.thickness).map(|d| d / 2.0)).or(across);
            let height = size.height.or(size.extent).unwrap_or(2.0 * factors.y);
            let slim = size.extent.map(|extent| extent * 0.3);
            Form::Cylinder {
                base: DVec3::ZERO,
                top: DVec3::Y * height,
                radius: radius.or(slim).unwrap_or(0.6 * level),
                capped: true,
            }
        }
        ShapeKind::Torus => {
            let (radius, thickness) = ring(size, radius_given.or(across), level);
            let center = DVec3::Y * (thickness / 2.0);
            Form::Torus { center, normal: DVec3::Y, radius, thickness }
        }
        ShapeKind::Capsule => {
            let radius =
                size.radius.or(size.diameter.or(size.thickness).map(|d| d / 2.0)).or(across);
            let height = size.height.or(size.extent).unwrap_or(2.0 * factors.y);
            let radius = radius.unwrap_or(0.5 * level).min(0.499 * height);
            known(
                "capsule",
                &json!({
                    "start": [0.0, radius, 0.0], "end": [0.0, height - radius, 0.0],
                    "radius": radius,
                }),
            )?
        }
        ShapeKind::Ellipsoid => {
            let whole = radius_given.map(|radius| DVec3::new(1.0, 0.7, 0.7) * radius);
            let usual = DVec3::new(1.0, 0.7, 0.7) * factors;
            let half = |given: Option<f64>, axis: usize| {
                given.map(|length| length / 2.0).unwrap_or(whole.unwrap_or(usual)[axis])
            };
            let (x, y, z) =
                (half(size.width, 0), half(size.height.or(size.thickness), 1), half(size.depth, 2));
            known("ellipsoid", &json!({ "center": [0.0, y, 0.0], "radii": [x, y, z] }))?
        }
        ShapeKind::RoundedBox => {
            let cube = size.extent.or(size.diameter);
            let edge = |given: Option<f64>, factor: f64| given.or(cube).unwrap_or(1.5 * factor);
            let (x, y, z) = (
                edge(size.width, factors.x),
                edge(size.height.or(size.thickness), factors.y),
                edge(size.depth, factors.z),
            );
            let radius = size.radius.unwrap_or(0.12 * x.min(y).min(z)).min(0.5 * x.min(y).min(z));
            known(
                "rounded_box",
                &json!({ "center": [0.0, y / 2.0, 0.0], "dimensions": [x, y, z], "radius": radius }),
            )?
        }
        ShapeKind::Text => return Err(unsaid()),
        ShapeKind::Triangle => {
            let width = size.width.or(size.extent).unwrap_or(2.0 * factors.x);
            let height = size.height.or(size.extent).unwrap_or(1.75 * factors.y);
            let half = width / 2.0;
            let corners = [[-half, 0.0, 0.0], [half, 0.0, 0.0], [0.0, height, 0.0]];
            known("triangle", &json!({ "vertices": corners }))?
        }
        ShapeKind::Cone => {
            let radius =
                size.radius.or(size.diameter.or(size.thickness).map(|d| d / 2.0)).or(across);
            let height = size.height.or(size.extent).unwrap_or(2.0 * factors.y);
            let slim = size.extent.map(|extent| extent * 0.4);
            Form::Cone {
                base: DVec3::ZERO,
                base_radius: radius.or(slim).unwrap_or(0.8 * level),
                top: DVec3::Y * height,
                top_radius: 0.0,
                capped: true,
            }
        }
    })
}

/// The radius of a ring to the middle of its tube, and how thick that is. It lies flat; `reach` is its outer radius
/// where that was told, `usual` what it is else.
fn ring(size: &Size, reach: Option<f64>, usual: f64) -> (f64, f64) {
    let told = size.thickness.or(size.height);
    if let Some(radius) = size.ring_radius {
        return (radius, told.unwrap_or(0.6 * radius).min(1.8 * radius));
    }
    let reach = match (reach, size.hole_radius, told) {
        (None, Some(hole), Some(thickness)) => hole + thickness,
        (None, Some(hole), None) => 2.0 * hole,
        (reach, ..) => reach.unwrap_or(usual),
    };
    let around_hole = size.hole_radius.filter(|hole| *hole < reach).map(|hole| reach - hole);
    let thickness = around_hole.or(told).unwrap_or(0.5 * reach).min(0.9 * reach);
    (reach - thickness / 2.0, thickness)
}

/// Letters standing on y = 0 above the origin. A height is that of a capital letter.
pub(in crate::plan) fn lettering(inscription: Option<&str>, size: &Size) -> Result<Form, Problem> {
    const USUAL: f64 = 0.5;
    /// How deep letters are against their height.
    const DEPTH: f64 = 0.2;
    check(size)?;
    let text = inscription.ok_or_else(unsaid)?;
    let even = size.factors.element_product().cbrt();
    let height = size.height.or(size.extent).unwrap_or(USUAL * even);
    let depth = size.depth.or(size.thickness).unwrap_or(DEPTH * height);
    let form = known(
        "text",
        &json!({ "text": text, "base_center": [0.0, 0.0, 0.0], "size": height, "depth": depth }),
    );
    form.map_err(|_| {
        Problem::Cannot(format!(
            "I cannot write “{}”: letters are Latin, Greek or Cyrillic, at most 200 of them.",
            crate::answer::cut(text, 40)
        ))
    })
}

/// Other letters in place of a thing: as high and as deep as the ones that were there.
pub(in crate::plan) fn lettering_like(thing: &Thing, phrase: &Phrase) -> Result<Form, Problem> {
    let old = thing.form().filter(|form| form.type_name() == "text").map(Form::properties);
    let told = |name: &str| old.as_ref().and_then(|old| old.get(name)?.as_f64());
    let height = told("size").unwrap_or_else(|| thing.bounds().size().y);
    let unsaid = phrase.size.is_unsaid();
    let as_before = Size { height: Some(height), depth: told("depth"), ..Size::default() };
    let size = if unsaid { &as_before } else { &phrase.size };
    lettering(phrase.inscription.as_deref(), size)
}

fn unsaid() -> Problem {
    Problem::Cannot("Say what the letters are to spell, for example: letters “HELLO”.".to_owned())
}

/// A shape that the document knows and this model moves by it.
fn known(type_name: &str, properties: &Value) -> Result<Form, Problem> {
    Form::other(type_name, properties).ok_or_else(|| {
        let name = type_name.replace('_', " ");
        Problem::Cannot(format!("I cannot make a {name} of that size."))
    })
}

/// Lengths have to be above 0.
pub(crate) fn check(size: &Size) -> Result<(), Problem> {
    match size.lengths().find(|length| *length <= 0.0) {
        Some(length) => Err(Problem::Cannot(format!(
            "A size of {length} is not possible: lengths must be above 0."
        ))),
        None => Ok(()),
    }
}

/// A level floor under `bounds`, wide enough for its far edge to be taken for the horizon.
pub(crate) fn floor(bounds: Option<Bounds>, size: &Size, height: f64) -> Form {
    let reach = bounds.map_or(0.0, |bounds| {
        let far = bounds.min.abs().max(bounds.max.abs());
        far.x.max(far.z)
    });
    let usual = (12.0 * reach).max(60.0) * size.factors.x.max(0.25);
    let side = size.extent.or(size.width).unwrap_or(usual.ceil());
    let depth = size.depth.or(size.height).or(size.extent).unwrap_or(side);
    Form::Quad {
        corner: DVec3::new(-side / 2.0, height, -depth / 2.0),
        // u x v points up: the floor faces up.
        u: DVec3::Z * depth,
        v: DVec3::X * side,
    }
}

/// An upright wall behind `bounds`, facing +z.
pub(crate) fn wall(bounds: Option<Bounds>, size: &Size, ground: f64) -> Form {
    let bounds = bounds.unwrap_or(Bounds::around(DVec3::Y * (ground + 1.0), DVec3::splat(1.0)));
    let usual_width = (bounds.size().x * 2.0).max(10.0) * size.factors.x;
    let width = size.width.or(size.extent).unwrap_or(usual_width.ceil());
    let usual_height = (bounds.size().y * 1.5).max(4.0) * size.factors.y;
    // "a wall, 4 m x 2 m": as high as its other side.
    let height = size.height.or(size.depth).or(size.extent).unwrap_or(usual_height.ceil());
    let back = bounds.min.z - 1.5;
    Form::Quad {
        corner: DVec3::new(bounds.center().x - width / 2.0, ground, back),
        u: DVec3::X * width,
        v: DVec3::Y * height,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_lies_on_the_ground_as_wide_as_was_said() {
        for (size, width, height) in [
            (Size::default(), 2.0, 0.5),
            (Size { diameter: Some(3.0), ..Size::default() }, 3.0, 0.75),
            (Size { radius: Some(2.0), height: Some(0.4), ..Size::default() }, 4.0, 0.4),
        ] {
            let mut ring = template(ShapeKind::Torus, &size, 1.0).unwrap();
            let check = |ring: &Form, width: f64, height: f64| {
                let (bounds, extent) = (ring.bounds(), ring.bounds().size());
                assert!(bounds.min.y.abs() < 1e-9 && (extent.y - height).abs() < 1e-9, "{ring:?}");
                assert!((extent.x - width).abs() < 1e-9 && (extent.z - width).abs() < 1e-9);
            };
            check(&ring, width, height);
            assert!(ring.scaled(DVec3::splat(2.0), DVec3::ZERO));
            check(&ring, 2.0 * width, 2.0 * height);
        }
    }
}

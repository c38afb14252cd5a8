//! Single shapes: their usual sizes, and those that were asked for.

use scene::Material;
use serde_json::{Value, json};

use crate::frames::{Dimension, Quality};
use crate::looks;

/// Width, height and depth of a shape, and what else tells its size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Size {
    pub(crate) edges: [f64; 3],
    /// The tube of a ring: its diameter.
    pub(crate) tube: Option<f64>,
}

/// The usual size of a shape, in metres.
fn usual(name: &str) -> [f64; 3] {
    match name {
        "torus" => [1.0, 0.24, 1.0],
        "capsule" => [0.5, 1.2, 0.5],
        "disc" => [1.0, 0.0, 1.0],
        "quad" => [1.0, 1.0, 0.0],
        "ellipsoid" => [1.2, 0.8, 0.8],
        "text" => [1.0, 0.5, 0.12],
        _ => [1.0, 1.0, 1.0],
    }
}

/// The size that qualities ask for, over the usual one of the shape or of what it stands for.
pub(crate) fn size_of(
    name: &str,
    cube: bool,
    qualities: &[Quality],
    own: Option<[f64; 3]>,
) -> Size {
    let mut edges = own.unwrap_or_else(|| usual(name));
    let round = matches!(name, "cylinder" | "cone" | "torus" | "capsule" | "disc" | "prism");
    let uniform = name == "sphere" || cube;
    let mut given: [Option<f64>; 3] = [None; 3];
    let (mut tube, mut whole) = (None, None);
    let mut factor = 1.0;
    for quality in qualities {
        match quality {
            Quality::Measures([x, y, z]) => {
                given = [Some(*x), Some(*y).filter(|y| *y > 0.0), Some(*z)];
                if *y == 0.0 && name == "quad" {
                    given = [Some(*x), Some(*z), None];
                }
            }
            Quality::Measured { dimension, amount } => {
                let Some(metres) = amount.metres().filter(|metres| *metres > 0.0) else { continue };
                let metres = metres.clamp(1e-4, 1e4);
                match dimension {
                    Dimension::Height => given[1] = Some(metres),
                    Dimension::Width => given[0] = Some(metres),
                    Dimension::Depth => given[2] = Some(metres),
                    Dimension::Length if name == "capsule" || name == "cylinder" => {
                        given[1] = Some(metres)
                    }
                    Dimension::Length if given[0].is_some() => given[2] = Some(metres),
                    Dimension::Length => given[0] = Some(metres),
                    Dimension::Radius | Dimension::RingRadius if name == "torus" => {
                        // From the middle to the middle of the tube.
                        given[0] = Some(2.0 * metres);
                    }
                    Dimension::Radius => given[0] = Some(2.0 * metres),
                    Dimension::TubeRadius => tube = Some(2.0 * metres),
                    Dimension::Thickness if name == "torus" => tube = Some(metres),
                    Dimension::Thickness if name == "quad" => given[2] = given[2].or(Some(metres)),
                    Dimension::Thickness if matches!(name, "cylinder" | "capsule") => {
                        given[0] = Some(metres)
                    }
                    Dimension::Thickness if round => given[1] = given[1].or(Some(metres)),
                    Dimension::Thickness => given[1] = given[1].or(Some(metres)),
                    Dimension::Diameter => given[0] = Some(metres),
                    _ => whole = Some(metres),
                }
            }
            Quality::Size { dimension, factor: size } => match dimension {
                Dimension::Height => edges[1] *= size,
                Dimension::Width => edges[0] *= size,
                Dimension::Length if round => edges[1] *= size,
                Dimension::Length => edges[0] *= size,
                Dimension::Thickness if round => {
                    let across = size.powf(1.8);
                    edges = [edges[0] * across, edges[1], edges[2] * across]
                }
                Dimension::Thickness => edges[2] *= size,
                _ => factor *= size,
            },
            _ => {}
        }
    }
    edges = edges.map(|edge| edge * factor);
    if let Some(whole) = whole {
        let most = edges.iter().copied().fold(1e-9, f64::max);
        edges = edges.map(|edge| edge * whole / most);
    }
    if uniform
        && let Some(edge) = given.iter().flatten().next()
        && (!cube || given.iter().flatten().count() == 1)
    {
        return Size { edges: [*edge; 3], tube };
    }
    // What is not told keeps its proportion to what is.
    let ratios: Vec<f64> = (0..3)
        .filter_map(|axis| Some(given[axis]? / edges[axis].max(1e-9)))
        .filter(|ratio| ratio.is_finite() && *ratio < 1e6)
        .collect();
    if !ratios.is_empty() {
        let scale =
            (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        for axis in 0..3 {
            edges[axis] = given[axis].unwrap_or(edges[axis] * scale);
        }
    }
    if round {
        let across = given[0].or(given[2]).unwrap_or(edges[0]);
        edges = [across, edges[1], across];
    }
    Size { edges, tube }
}

/// A shape that stands on y = 0 around the origin: its type and properties.
pub(crate) fn standing(name: &str, size: Size, text: Option<&str>) -> (&'static str, Value) {
    let [width, height, depth] = size.edges.map(|edge| edge.max(1e-4));
    let middle = [0.0, 0.5 * height, 0.0];
    let radius = 0.5 * width;
    match name {
        "sphere" => ("sphere", json!({ "center": middle, "radius": 0.5 * height })),
        "cylinder" => (
            "cylinder",
            json!({ "base_center": [0, 0, 0], "top_center": [0.0, height, 0.0], "radius": radius, "capped": true }),
        ),
        "cone" => (
            "cone",
            json!({ "base_center": [0, 0, 0], "base_radius": radius, "top_center": [0.0, height, 0.0],
                "top_radius": 0, "capped": true }),
        ),
        "torus" => {
            let tube = size.tube.unwrap_or(0.24 * width).min(0.95 * width);
            json_torus(radius, tube)
        }
        "capsule" => {
            let radius = radius.min(0.45 * height);
            let (start, end) = ([0.0, radius, 0.0], [0.0, height - radius, 0.0]);
            ("capsule", json!({ "start": start, "end": end, "radius": radius }))
        }
        "disc" if size.edges[1] > 1e-3 => standing("cylinder", size, None),
        "disc" => {
            ("disc", json!({ "center": [0.0, 0.001, 0.0], "normal": [0, 1, 0], "radius": radius }))
        }
        "quad" => (
            "quad",
            json!({ "corner": [-radius, 0.0, 0.0], "u": [width, 0.0, 0.0], "v": [0.0, height, 0.0] }),
        ),
        "ellipsoid" => (
            "ellipsoid",
            json!({ "center": middle, "radii": [0.5 * width, 0.5 * height, 0.5 * depth] }),
        ),
        "rounded_box" => {
            let round = 0.12 * width.min(height).min(depth);
            (
                "rounded_box",
                json!({ "center": middle, "dimensions": [width, height, depth], "radius": round }),
            )
        }
        "triangle" => (
            "triangle",
            json!({ "vertices": [[-radius, 0.0, 0.0], [radius, 0.0, 0.0], [0.0, height, 0.0]] }),
        ),
        "wedge" => ("wedge", json!({ "center": middle, "dimensions": [width, height, depth] })),
        "prism" => {
            ("prism", json!({ "center": middle, "radius": radius, "height": height, "sides": 6 }))
        }
        "tube" => standing("cylinder", size, None),
        "text" => (
            "text",
            json!({ "text": text.unwrap_or("text"), "base_center": [0, 0, 0], "size": height, "depth": depth }),
        ),
        _ => ("box", json!({ "center": middle, "dimensions": [width, height, depth] })),
    }
}

fn json_torus(radius: f64, tube: f64) -> (&'static str, Value) {
    (
        "torus",
        json!({ "center": [0.0, 0.5 * tube, 0.0], "normal": [0, 1, 0], "radius": radius, "thickness": tube }),
    )
}

/// The surface that qualities make of a usual one; `None` when they say nothing of it.
pub(crate) fn surface(qualities: &[Quality], old: &Material) -> Option<Value> {
    let colour = qualities.iter().rev().find_map(|quality| match quality {
        Quality::Colour(word) => Some(word.clone()),
        _ => None,
    });
    // What something is made of tells more than how it is finished.
    let is_finish = |quality: &&Quality| match quality {
        Quality::Material { name, .. } => scene::PresetName::new(name).is_none(),
        _ => false,
    };
    let materials = || {
        qualities
            .iter()
            .filter(|quality| matches!(quality, Quality::Material { .. } | Quality::Texture { .. }))
    };
    let finish = materials().find(is_finish);
    let main = materials().find(|quality| !is_finish(quality)).or(finish);
    let material = main.map(|quality| match (quality, finish) {
        (Quality::Material { name, tint }, finish) => {
            let finished = finish.and_then(|finish| match finish {
                Quality::Material { name: finish, .. } => Some(format!("{finish}_{name}")),
                _ => None,
            });
            let name = finished
                .filter(|name| scene::PresetName::new(name).is_some())
                .unwrap_or(name.clone());
            Quality::Material { name, tint: tint.clone().or(colour.clone()) }
        }
        (other, _) => other.clone(),
    });
    let quality = material.or(colour.map(Quality::Colour))?;
    looks::of_quality(&quality, old)
}

/// Whether an object is a way or the like.
pub(in crate::plan) fn is_long(name: &str) -> bool {
    const LONG: f64 = 8.0;
    catalogue::catalogue().find(name).is_some_and(|object| {
        let [width, _, depth] = object.natural().size;
        width.max(depth) >= LONG && width.max(depth) >= 2.0 * width.min(depth)
    })
}

//! The pieces that composed things are made of: upright panels, floors, boxes.

use glam::DVec3;
use serde_json::{Value, json};

/// What a piece is of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::plan) enum Role {
    Floor,
    Wall,
    Ceiling,
    Step,
    Landing,
}

impl Role {
    /// As the lexicon calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Floor => "floor",
            Self::Wall => "wall",
            Self::Ceiling => "ceiling",
            Self::Step => "step",
            Self::Landing => "landing",
        }
    }
}

/// A shape of a composed thing.
#[derive(Debug, Clone)]
pub(in crate::plan) struct Piece {
    pub(super) name: String,
    pub(super) role: Role,
    /// Its type in the document, and its properties without a material.
    pub(super) shape: &'static str,
    pub(super) properties: Value,
}

/// A way through a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Opening {
    pub(super) wide: f64,
    pub(super) high: f64,
    /// Which of the walls of a room it is in.
    pub(super) side: Side,
}

/// A wall of a room, as the viewer sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Back,
    Left,
    Right,
}

/// A flat panel that stands upright.
pub(super) fn panel(name: &str, from: DVec3, along: DVec3, high: f64) -> Piece {
    let properties =
        json!({ "corner": from.to_array(), "u": along.to_array(), "v": [0.0, high, 0.0] });
    Piece { name: name.to_owned(), role: Role::Wall, shape: "quad", properties }
}

/// A flat rectangle that lies.
pub(super) fn sheet(role: Role, [wide, deep]: [f64; 2], high: f64) -> Piece {
    let corner = [-0.5 * wide, high, 0.5 * deep];
    let properties = json!({ "corner": corner, "u": [wide, 0.0, 0.0], "v": [0.0, 0.0, -deep] });
    Piece { name: role.name().to_owned(), role, shape: "quad", properties }
}

/// A box that stands on a level.
pub(super) fn block(name: &str, role: Role, foot: DVec3, edges: DVec3) -> Piece {
    let middle = foot + DVec3::Y * 0.5 * edges.y;
    let properties = json!({ "center": middle.to_array(), "dimensions": edges.to_array() });
    Piece { name: name.to_owned(), role, shape: "box", properties }
}

/// The stretches of a wall that are left between openings, and the heads of those that are lower than the wall: from
/// where, how long, from which height, how high.
pub(super) fn stretches(length: f64, high: f64, openings: &[Opening]) -> Vec<[f64; 4]> {
    let count = openings.len() as f64;
    let mut all = Vec::new();
    let mut from = 0.0;
    for (at, opening) in openings.iter().enumerate() {
        let wide = opening.wide.min(0.8 * length / count);
        let middle = length * (at as f64 + 1.0) / (count + 1.0);
        let (left, right) = (middle - 0.5 * wide, middle + 0.5 * wide);
        all.push([from, left - from, 0.0, high]);
        if opening.high < high - 1e-3 {
            all.push([left, wide, opening.high, high - opening.high]);
        }
        from = right;
    }
    all.push([from, length - from, 0.0, high]);
    all.retain(|[_, long, ..]| *long > 1e-3);
    all
}

/// The direction from one place to another along one of the axes, the distance, and the level axis across it.
pub(super) fn line(from: DVec3, to: DVec3) -> (DVec3, f64, DVec3) {
    let way = (to - from).normalize_or(DVec3::X);
    (way, from.distance(to), DVec3::new(way.z.abs(), 0.0, way.x.abs()))
}

/// A wall of panels with its openings.
pub(super) fn wall(
    name: &str,
    from: DVec3,
    to: DVec3,
    high: f64,
    openings: &[Opening],
) -> Vec<Piece> {
    let (way, length, _) = line(from, to);
    let piece = |[at, long, low, high]: [f64; 4]| {
        panel(name, from + way * at + DVec3::Y * low, way * long, high)
    };
    stretches(length, high, openings).into_iter().map(piece).collect()
}

/// A wall of boxes with its openings, along one of the axes.
pub(super) fn thick_wall(
    name: &str,
    from: DVec3,
    to: DVec3,
    [high, thick]: [f64; 2],
    openings: &[Opening],
) -> Vec<Piece> {
    let (way, length, across) = line(from, to);
    let piece = |[at, long, low, high]: [f64; 4]| {
        let foot = from + way * (at + 0.5 * long) + DVec3::Y * low;
        block(name, Role::Wall, foot, way.abs() * long + across * thick + DVec3::Y * high)
    };
    stretches(length, high, openings).into_iter().map(piece).collect()
}

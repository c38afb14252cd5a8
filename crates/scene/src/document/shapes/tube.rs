//! Tubes along curves.

use serde::Serialize;
use serde_json::Value;

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{Motion, MotionError};
use crate::document::movable::{Movable, Role, movable, stays};
use crate::lists::Points;
use crate::read::{PropertyPath, Read, nearest};
use crate::values::{Length, SideCount};
use crate::vector::Vector;
use crate::violations::ReadErrors;

use super::curve::{Piece, monotone, smooth_through};

movable! {
    /// A round tube along a line; its ends are half balls.
    pub struct Tube {
        /// The points of the line, 2 to 500.
        pub points: Points,
        /// The radius: a number, or one for each point.
        pub radius: TubeRadius,
        /// How the line goes: smoothly through the points, straight with bent corners, or as cubic
        /// Bézier curves, whose points are end, handle, handle, end, handle, handle, end, ...
        pub curve: Curve = Curve::Smooth,
        /// Whether the line goes on from the last point to the first.
        pub closed: bool = false,
        /// Makes it of so many flat sides around, 3 to 64: low-poly looks. Its edges lie on the round shape.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sides: Option<SideCount> = None,
    }
    check(self, reader) {
        let count = self.points.get().len();
        if let TubeRadius::PerPoint(radii) = &self.radius && radii.len() != count {
            reader.error(&format!(
                "'radius' must be one number or one for each of the {count} points, got {}",
                radii.len()
            ));
        }
        let is_whole = if self.closed { count.is_multiple_of(3) } else { count % 3 == 1 };
        if self.curve == Curve::Bezier && !is_whole {
            let (rule, more) = if self.closed { ("3n", "") } else { ("3n + 1", " and the last end") };
            reader.error(&format!(
                "'points' of a bezier curve must be {rule}: end, handle, handle for each piece{more}; got {count}"
            ));
        }
        if self.closed && count < 3 {
            reader.error("'closed' needs 3 points at least");
        }
        if let Some(at) = self.repeated() {
            reader.error(&format!(
                "'points' {at} and {} are the same: leave one out", (at + 1) % count
            ));
        }
    }
}

/// How the line of a tube goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Curve {
    /// Smoothly through all points.
    Smooth,
    /// Straight from point to point, bent at the corners.
    Straight,
    /// As cubic Bézier curves.
    Bezier,
}

impl Read for Curve {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let known =
            [("smooth", Self::Smooth), ("straight", Self::Straight), ("bezier", Self::Bezier)];
        let name = value.as_str();
        let found = known.iter().find(|(word, _)| Some(*word) == name).map(|(_, curve)| *curve);
        if found.is_none() {
            let near = nearest(name.unwrap_or_default(), known.iter().map(|(word, _)| *word));
            at.must_be(&format!("{} (did you mean '{near}'?)", Self::expected()), value, errors);
        }
        found
    }

    fn expected() -> String {
        "smooth, straight or bezier".into()
    }
}

/// The radius of a tube; written as it was given.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum TubeRadius {
    /// The same all along.
    Even(Length),
    /// One for each point.
    PerPoint(Vec<Length>),
}

impl TubeRadius {
    /// The radius at a point of the curve.
    fn at(&self, index: usize) -> f64 {
        match self {
            Self::Even(radius) => radius.get(),
            Self::PerPoint(radii) => radii[index].get(),
        }
    }
}

stays! {
    Curve, Plain, "";
}

impl Movable for TubeRadius {
    const ROLE: Role = Role::Length;
    const UNIT: &'static str = "m";

    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        Ok(match self {
            Self::Even(radius) => Self::Even(radius.moved(motion)?),
            Self::PerPoint(radii) => Self::PerPoint(
                radii.iter().map(|radius| radius.moved(motion)).collect::<Result<_, _>>()?,
            ),
        })
    }
}

impl Read for TubeRadius {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let length = |value: &Value| Length::new(value.as_f64()?);
        let read = match value {
            Value::Array(radii) => {
                radii.iter().map(length).collect::<Option<Vec<_>>>().map(Self::PerPoint)
            }
            _ => length(value).map(Self::Even),
        };
        if read.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        read
    }

    fn expected() -> String {
        "a number > 0 and <= 1000000, or a list of one for each point".into()
    }
}

impl schemars::JsonSchema for TubeRadius {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TubeRadius".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["number", "array"], "items": { "type": "number" } })
    }
}

/// Steps per piece for the bounding box.
const BOX_STEPS: usize = 32;

impl Tube {
    /// The index of a point that equals the next one.
    fn repeated(&self) -> Option<usize> {
        let points = self.points.get();
        let pairs = if self.closed { points.len() } else { points.len() - 1 };
        let next = |at: usize| points[(at + 1) % points.len()];
        // Control points may coincide with their ends.
        (self.curve != Curve::Bezier)
            .then(|| (0..pairs).find(|&at| (Vector(next(at)) - Vector(points[at])).length() < 1e-9))
            .flatten()
    }

    /// The curve as consecutive cubic pieces: x, y, z and the radius.
    pub fn pieces(&self) -> Vec<Piece<4>> {
        let points = self.points.get();
        match self.curve {
            Curve::Smooth => {
                let radii: Vec<f64> = (0..points.len()).map(|at| self.radius.at(at)).collect();
                let lines = smooth_through(points, self.closed);
                let both = lines.iter().zip(monotone(&radii, self.closed));
                both.map(|(line, radii)| {
                    Piece([0, 1, 2, 3].map(|at| with_radius(line.0[at], radii[at])))
                })
                .collect()
            }
            Curve::Straight => self.bent(),
            Curve::Bezier => {
                let ends = (0..points.len() - usize::from(!self.closed)).step_by(3);
                ends.map(|end| Piece([0, 1, 2, 3].map(|at| self.node(end + at)))).collect()
            }
        }
    }

    /// A point of the curve with its radius; the index wraps around.
    fn node(&self, index: usize) -> [f64; 4] {
        let index = index % self.points.get().len();
        with_radius(self.points.get()[index], self.radius.at(index))
    }

    /// Straight pieces with a bend at each corner, which starts two radii before it, or halfway to
    /// the next corner if that is nearer.
    fn bent(&self) -> Vec<Piece<4>> {
        let count = self.points.get().len();
        let spans = if self.closed { count } else { count - 1 };
        let is_bent = |at: usize| self.closed || (at > 0 && at < count - 1);
        let length = |at: usize| {
            let (from, to) = (self.node(at), self.node(at + 1));
            (Vector([to[0], to[1], to[2]]) - Vector([from[0], from[1], from[2]])).length()
        };
        // The share of a span that the bend at one of its ends takes.
        let cut = |span: usize, corner: usize| match is_bent(corner % count) {
            true => (2.0 * self.node(corner)[3] / length(span)).min(0.5),
            false => 0.0,
        };
        let mut pieces = Vec::new();
        for span in 0..spans {
            let (from, to) = (self.node(span), self.node(span + 1));
            let along =
                |share: f64| std::array::from_fn(|at| from[at] + (to[at] - from[at]) * share);
            let (start, end) = (cut(span, span), 1.0 - cut(span, span + 1));
            if end - start > 1e-9 {
                pieces.push(Piece::straight(along(start), along(end)));
            }
            if is_bent((span + 1) % count) {
                let next = self.node(span + 2);
                let start = cut((span + 1) % count, span + 1);
                let beyond = std::array::from_fn(|at| to[at] + (next[at] - to[at]) * start);
                pieces.push(bend(along(end), to, beyond));
            }
        }
        pieces
    }
}

fn with_radius([x, y, z]: [f64; 3], radius: f64) -> [f64; 4] {
    [x, y, z, radius]
}

/// The parabola between two points whose end tangents go through `corner`.
fn bend(from: [f64; 4], corner: [f64; 4], to: [f64; 4]) -> Piece<4> {
    let towards =
        |end: [f64; 4]| std::array::from_fn(|at| end[at] + (corner[at] - end[at]) * 2.0 / 3.0);
    Piece([from, towards(from), towards(to), to])
}

impl ShapeKind for Tube {
    const LABEL: &'static str = "Tube";
    const ICON: &'static str = "spline";
    const FRAME: Frame = Frame::Line;
    const ON_REQUEST: bool = true;

    fn sample() -> Option<Self> {
        let points = [[-1.0, -0.5, 0.0], [-0.35, 0.5, 0.0], [0.35, -0.5, 0.0], [1.0, 0.5, 0.0]];
        Some(Self {
            points: Points::new(points.to_vec())?,
            radius: TubeRadius::Even(Length::known(0.15)),
            curve: Curve::Smooth,
            closed: false,
            sides: None,
        })
    }

    fn sides(&self) -> Option<SideCount> {
        self.sides
    }

    /// Accurate to a thousandth of a piece.
    fn bounds(&self) -> Option<Aabb> {
        let pieces = self.pieces();
        let nodes = pieces
            .iter()
            .flat_map(|piece| (0..=BOX_STEPS).map(|step| piece.at(step as f64 / BOX_STEPS as f64)));
        let balls = nodes.map(|[x, y, z, radius]| Aabb::around_ball([x, y, z], radius));
        let first = self.node(0);
        Some(
            balls
                .reduce(Aabb::union)
                .unwrap_or(Aabb::around_ball([first[0], first[1], first[2]], first[3])),
        )
    }
}

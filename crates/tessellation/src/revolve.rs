//! Surfaces of revolution about the axis y.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};

use crate::Triangles;

/// Segments of a circle.
const MAX_STEPS: f64 = 512.0;
/// Segments of a circle, below which even a small one does not look round.
const MIN_STEPS: f64 = 12.0;

/// A point of a profile.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Knot {
    /// x: the distance from the axis, at least 0; y: along it.
    pub(crate) place: DVec2,
    /// Unit normal in the same plane, to the right of the direction of the profile.
    pub(crate) normal: DVec2,
}

/// A turn about the axis y, in radians, from x towards -z.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Turn {
    pub(crate) start: f64,
    pub(crate) length: f64,
}

impl Turn {
    pub(crate) const WHOLE: Self = Self { start: 0.0, length: TAU };

    /// Unit vectors away from the axis at the ends of `steps` steps. For a whole turn the last one equals
    /// the first, bit for bit.
    fn directions(self, steps: usize) -> Vec<DVec3> {
        let at = |step: usize| {
            let angle = self.start + self.length * step as f64 / steps as f64;
            DVec3::new(angle.cos(), 0.0, -angle.sin())
        };
        let mut directions: Vec<DVec3> = (0..=steps).map(at).collect();
        if self.is_whole() {
            directions[steps] = directions[0];
        }
        directions
    }

    pub(crate) fn is_whole(self) -> bool {
        self.length >= TAU
    }
}

/// How finely round things are divided.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Detail {
    /// No chord is farther than this from its arc, in metres.
    Within(f64),
    /// So many flat sides around.
    Sides(u32),
}

impl Detail {
    /// Its number of sides, or else the tolerance.
    pub(crate) fn of(geometry: &scene::Geometry, tolerance: f64) -> Self {
        geometry.sides().map_or(Self::Within(tolerance), Self::Sides)
    }

    /// For a surface with chords in two directions, each of which gets half of the tolerance.
    pub(crate) fn half(self) -> Self {
        match self {
            Self::Within(tolerance) => Self::Within(0.5 * tolerance),
            sides => sides,
        }
    }

    /// The tolerance along lines that are not round; `size` is that of the shape.
    pub(crate) fn tolerance(self, size: f64) -> f64 {
        match self {
            Self::Within(tolerance) => tolerance,
            Self::Sides(sides) => size * (1.0 - (0.5 * TAU / f64::from(sides)).cos()),
        }
    }

    /// A whole turn, which with flat sides begins so that the middle of one faces +z.
    pub(crate) fn whole_turn(self) -> Turn {
        match self {
            Self::Within(_) => Turn::WHOLE,
            Self::Sides(sides) => {
                let start = 0.5 * TAU / f64::from(sides) - 0.25 * TAU;
                Turn { start, ..Turn::WHOLE }
            }
        }
    }

    /// The number of chords along an arc of `angle` radians.
    pub(crate) fn steps(self, radius: f64, angle: f64) -> usize {
        match self {
            Self::Within(tolerance) => steps(radius, angle, tolerance),
            Self::Sides(sides) => (f64::from(sides) * angle / TAU).round().max(1.0) as usize,
        }
    }
}

/// The number of chords along an arc of `angle` radians, so that none is farther than `tolerance` from it.
pub(crate) fn steps(radius: f64, angle: f64, tolerance: f64) -> usize {
    let widest = 2.0 * (1.0 - (tolerance / radius).min(1.0)).clamp(-1.0, 1.0).acos();
    let most = MAX_STEPS * angle / TAU;
    let fewest = MIN_STEPS * angle / TAU;
    // Rounding makes the angle 0 if the tolerance is far below the radius.
    let wanted = if widest > 0.0 { angle / widest } else { most };
    (wanted.clamp(fewest, most).ceil() as usize).max(1)
}

/// The knots of an arc between two angles, in radians from x towards y, with normals away from the centre.
pub(crate) fn arc(
    center: DVec2,
    radius: f64,
    [from, to]: [f64; 2],
    steps: usize,
) -> impl Iterator<Item = Knot> {
    (0..=steps).map(move |step| {
        let normal = DVec2::from_angle(from + (to - from) * step as f64 / steps as f64);
        Knot { place: center + normal * radius, normal }
    })
}

/// The knots of a straight line.
pub(crate) fn line(from: DVec2, to: DVec2) -> [Knot; 2] {
    let way = (to - from).normalize_or_zero();
    let normal = DVec2::new(way.y, -way.x);
    [from, to].map(|place| Knot { place, normal })
}

impl Triangles {
    /// Adds the smooth surface of revolution of a profile. The outside of a profile that goes up is away
    /// from the axis.
    pub(crate) fn revolve(&mut self, knots: &[Knot], turn: Turn, steps: usize) {
        let directions = turn.directions(steps);
        let rows: Vec<u32> = knots
            .iter()
            .map(|knot| {
                let row = self.positions.len() as u32;
                for &direction in &directions {
                    let place = direction * knot.place.x + DVec3::Y * knot.place.y;
                    self.vertex(place, direction * knot.normal.x + DVec3::Y * knot.normal.y);
                }
                row
            })
            .collect();
        for pair in rows.windows(2) {
            for step in 0..steps as u32 {
                let [low, high] = [pair[0] + step, pair[1] + step];
                self.quad([low, low + 1, high + 1, high]);
            }
        }
    }

    /// Adds the two flat convex faces that close a partial turn. `outline` is counter-clockwise seen with
    /// the axis to the left.
    pub(crate) fn close_turn(&mut self, outline: &[DVec2], turn: Turn, steps: usize) {
        let directions = turn.directions(steps);
        for (direction, side) in [(directions[0], -1.0), (directions[steps], 1.0)] {
            // The way the turn goes there.
            let normal = DVec3::Y.cross(direction) * side;
            let place = |point: &DVec2| direction * point.x + DVec3::Y * point.y;
            let mut corners: Vec<DVec3> = outline.iter().map(place).collect();
            if side > 0.0 {
                corners.reverse();
            }
            self.face(&corners, normal);
        }
    }
}

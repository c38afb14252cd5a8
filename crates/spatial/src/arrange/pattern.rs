//! What `array` takes.

use glam::DVec3;
use scene::{Displacement, Exponent, Id, Length, LengthOrZero, Point, Points, properties};

use super::curve::Curve;
use crate::args::{Axis, Coordinate, Count, Counts, Ids, Interval, Seed, choice};

choice! {
    /// How copies lie to each other.
    pub enum Pattern {
        /// One after the other.
        Line = "line",
        /// In rows, columns and layers.
        Grid = "grid",
        /// On a level ring.
        Circle = "circle",
        /// On a winding line.
        Spiral = "spiral",
        /// Each on the one before.
        Stack = "stack",
        /// In square layers, each one smaller and resting on the one below.
        Pyramid = "pyramid",
        /// Along a curve through points.
        Path = "path",
        /// At random, free of each other.
        Scatter = "scatter",
    }
}

/// The most things one call makes.
pub(super) const MAX_COPIES: u64 = 2_000;

properties! {
    /// Arguments of `array`.
    pub struct Array {
        /// It becomes the first.
        pub id: Id,
        /// The pattern.
        pub pattern: Pattern,
        /// In all; pyramid: along a base side.
        pub count: Option<Count> = None,
        /// Grid: along x, y, z.
        pub counts: Option<Counts> = None,
        /// Line, grid: from each to the next; default: side by side.
        pub step: Option<Displacement> = None,
        /// Metres between them.
        pub gap: Option<LengthOrZero> = None,
        /// Of circle, spiral, scatter; default: where it is.
        pub center: Option<Point> = None,
        /// Default: where it is.
        pub radius: Option<Length> = None,
        /// Of the spiral, default 2.
        pub turns: Option<Exponent> = None,
        /// The height of the spiral.
        pub rise: Option<Coordinate> = None,
        /// Of a path (without a count side by side), or to scatter along.
        pub points: Option<Points> = None,
        /// Turn each with the ring or path; scatter: at random.
        pub turn: bool = false,
        /// Path, scatter: what each rests on.
        pub on: Option<Id> = None,
        /// Path, scatter: more things to copy.
        pub also: Option<Ids> = None,
        /// Least and most factor.
        pub sizes: Option<Interval> = None,
        /// Upright on the surface.
        pub align: bool = false,
        /// Degrees of the ground.
        pub slope: Option<Interval> = None,
        /// Of the ground.
        pub heights: Option<Interval> = None,
        /// Scatter: what stays clear.
        pub avoid: Option<Ids> = None,
        /// Copies may touch.
        pub overlap: bool = false,
        /// It gets a new place, too.
        pub move_first: bool = false,
        /// Also mirror images, across this axis through center (else 0).
        pub mirror: Option<Axis> = None,
        /// Path, scatter: another layout.
        pub seed: Seed = Seed::FIRST,
        /// A group for all.
        pub group: Option<Id> = None,
    }
    check(self, reader) {
        let needs: &[&str] = match self.pattern {
            Pattern::Line | Pattern::Stack | Pattern::Pyramid => &["count"],
            Pattern::Grid => &["counts"],
            Pattern::Path => &["points"],
            Pattern::Spiral => &["count", "radius"],
            // The radius follows from where it is, or from what they stand on.
            Pattern::Circle if self.center.is_some() => &["count"],
            Pattern::Scatter if self.on.is_some() || self.points.is_some() => &["count"],
            Pattern::Circle | Pattern::Scatter => &["count", "radius"],
        };
        let is_given = |name: &str| match name {
            "count" => self.count.is_some(),
            "counts" => self.counts.is_some(),
            "points" => self.points.is_some(),
            _ => self.radius.is_some(),
        };
        if self.sizes.is_some_and(|sizes| sizes.get()[0] < 0.01 || sizes.get()[1] > 100.0) {
            reader.error("'sizes' must be factors from 0.01 to 100");
        }
        for name in needs.iter().filter(|name| !is_given(name)) {
            reader.error(&format!("pattern '{}' requires '{name}'", self.pattern.name()));
        }
        if self.avoid.is_some() && self.pattern != Pattern::Scatter {
            reader.error("'avoid' is for pattern 'scatter'");
        }
        let total = self.total();
        if total > MAX_COPIES {
            reader.error(&format!("makes {total} things, and at most {MAX_COPIES} are made at once"));
        }
    }
}

impl Array {
    /// How many things there will be, the first included.
    pub(super) fn total(&self) -> u64 {
        let count = self.count.map_or(1, Count::get);
        let own = match self.pattern {
            Pattern::Grid => self.counts.map_or([1; 3], Counts::get).iter().product(),
            Pattern::Pyramid => count * (count + 1) * (2 * count + 1) / 6,
            _ => count,
        };
        if self.mirror.is_some() { 2 * own } else { own }
    }

    /// The curve through its points.
    pub(super) fn curve(&self) -> Option<Curve> {
        let points = self.points.as_ref()?.get().iter();
        Some(Curve::through(&points.map(|point| DVec3::from(*point)).collect::<Vec<_>>()))
    }

    pub(super) fn gap(&self) -> f64 {
        self.gap.map_or(0.0, LengthOrZero::get)
    }
}

//! What `array` takes.

use scene::{Displacement, Exponent, Id, Length, LengthOrZero, Point, properties};

use crate::args::{Coordinate, Count, Counts, Seed, choice};

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
        /// At random, free of each other.
        Scatter = "scatter",
    }
}

/// The most things one call makes.
const MAX_COPIES: u64 = 2_000;

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
        /// Of circle, spiral, scatter.
        pub radius: Option<Length> = None,
        /// Of the spiral, default 2.
        pub turns: Option<Exponent> = None,
        /// Spiral: height; without, it winds outwards.
        pub rise: Option<Coordinate> = None,
        /// Turn each with the ring; scatter: at random.
        pub turn: bool = false,
        /// Scatter: what each rests on.
        pub on: Option<Id> = None,
        /// Scatter: another layout.
        pub seed: Seed = Seed::FIRST,
        /// New group for all.
        pub group: Option<Id> = None,
    }
    check(self, reader) {
        let needs: &[&str] = match self.pattern {
            Pattern::Line | Pattern::Stack | Pattern::Pyramid => &["count"],
            Pattern::Grid => &["counts"],
            Pattern::Circle | Pattern::Spiral | Pattern::Scatter => &["count", "radius"],
        };
        let is_given = |name: &str| match name {
            "count" => self.count.is_some(),
            "counts" => self.counts.is_some(),
            _ => self.radius.is_some(),
        };
        for name in needs.iter().filter(|name| !is_given(name)) {
            reader.error(&format!("pattern '{}' requires '{name}'", self.pattern.name()));
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
        match self.pattern {
            Pattern::Grid => self.counts.map_or([1; 3], Counts::get).iter().product(),
            Pattern::Pyramid => count * (count + 1) * (2 * count + 1) / 6,
            _ => count,
        }
    }

    pub(super) fn gap(&self) -> f64 {
        self.gap.map_or(0.0, LengthOrZero::get)
    }
}

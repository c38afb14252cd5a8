//! How a solid is built: as a bar, as a plate, or neither.

use std::f64::consts::PI;

use glam::DVec3;

use super::Solid;

/// A bar is at least so many times as long as it is thick, and a plate as wide.
const BAR: f64 = 3.5;
const PLATE: f64 = 4.5;
/// Angles around an axis at which a solid is measured first, and halvings of the step after that.
const ANGLES: usize = 24;
const HALVINGS: usize = 12;

/// What a solid is built like, with its thickness in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Build {
    /// Long and thin: a post, a leg, a stem.
    Bar(f64),
    /// Wide and thin: a wall, a board, a cloth.
    Plate(f64),
    /// Anything else.
    Bulky,
}

impl Solid {
    /// Whether it is a bar or a plate, however it is turned.
    pub(crate) fn build(&self) -> Build {
        let across = self.thinnest_axis();
        let thickness = self.width(across);
        let [breadth, length] = self.sides_across(across);
        if BAR * breadth <= length {
            return Build::Bar(thickness);
        }
        if PLATE * thickness <= breadth { Build::Plate(thickness) } else { Build::Bulky }
    }

    /// Whether its top is a face or an edge on which things stand, and not a peak, a ridge or a dome.
    pub(crate) fn has_flat_top(&self) -> bool {
        /// How far the direction up is tilted, and the share of its width that the highest point moves then.
        const TILT: f64 = 0.02;
        const FLAT: f64 = 0.25;
        let is_flat_along = |axis: DVec3| {
            let highest = |tilt: f64| self.farthest((DVec3::Y + axis * tilt).normalize()).dot(axis);
            highest(TILT) - highest(-TILT) >= FLAT * self.width(axis)
        };
        is_flat_along(DVec3::X) && is_flat_along(DVec3::Z)
    }

    fn width(&self, axis: DVec3) -> f64 {
        self.reach(axis) + self.reach(-axis)
    }

    /// The direction in which it is thinnest.
    fn thinnest_axis(&self) -> DVec3 {
        let faces = self.parts.iter().flat_map(|part| part.core.axes());
        let axes = faces.chain(super::sphere_of_directions());
        let width = |axis: &DVec3| self.width(*axis);
        let mut best =
            axes.min_by(|one, other| width(one).total_cmp(&width(other))).unwrap_or(DVec3::Y);
        let mut step = 0.2;
        for _ in 0..HALVINGS {
            let (right, up) = best.any_orthonormal_pair();
            for way in [right, -right, up, -up] {
                let moved = (best + way * step).normalize();
                if width(&moved) < width(&best) {
                    best = moved;
                }
            }
            step *= 0.6;
        }
        best
    }

    /// The least and the largest width across an axis.
    fn sides_across(&self, axis: DVec3) -> [f64; 2] {
        let (right, up) = axis.any_orthonormal_pair();
        let width = |angle: f64| self.width(right * angle.cos() + up * angle.sin());
        [1.0, -1.0].map(|sign| {
            let is_better = |one: f64, other: f64| sign * width(one) < sign * width(other);
            let mut step = PI / ANGLES as f64;
            let angles = (0..ANGLES).map(|index| index as f64 * PI / ANGLES as f64);
            let mut best = angles
                .reduce(|one, other| if is_better(other, one) { other } else { one })
                .unwrap_or(0.0);
            for _ in 0..HALVINGS {
                step *= 0.5;
                for angle in [best - step, best + step] {
                    if is_better(angle, best) {
                        best = angle;
                    }
                }
            }
            width(best)
        })
    }

    /// Whether, seen from above, all of `other` lies within this one.
    pub(crate) fn surrounds(&self, other: &Self) -> bool {
        let tolerance = self.contact_tolerance();
        let around = (0..ANGLES).map(|index| {
            let angle = 2.0 * PI * index as f64 / ANGLES as f64;
            DVec3::new(angle.cos(), 0.0, angle.sin())
        });
        let sides = self.parts.iter().flat_map(|part| part.core.axes());
        let level = sides.filter_map(|axis| axis.with_y(0.0).try_normalize());
        let level: Vec<DVec3> = level.flat_map(|axis| [axis, -axis]).collect();
        let mut ways = around.chain(level);
        ways.all(|way| other.reach(way) <= self.reach(way) + tolerance)
    }
}

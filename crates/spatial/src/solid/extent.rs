//! Axis-aligned boxes.

use glam::DVec3;
use scene::Aabb;

/// An axis-aligned box in world space, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// The smallest corner.
    pub min: DVec3,
    /// The largest corner.
    pub max: DVec3,
}

impl Extent {
    /// The smallest box that holds both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The middle.
    pub fn center(self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    /// Full edge lengths.
    pub fn size(self) -> DVec3 {
        self.max - self.min
    }

    /// The box moved.
    #[must_use]
    pub fn moved(self, shift: DVec3) -> Self {
        Self { min: self.min + shift, max: self.max + shift }
    }

    /// Whether the two are at most `gap` apart along each axis.
    pub fn is_near(self, other: Self, gap: f64) -> bool {
        let gap = DVec3::splat(gap);
        (self.min - gap).cmple(other.max).all() && (other.min - gap).cmple(self.max).all()
    }

    /// Whether `point` lies in the box.
    pub fn contains(self, point: DVec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// The shortest way along an axis that takes this one out of `other`; not positive when they are apart.
    pub(crate) fn way_out_of(self, other: Self) -> f64 {
        (self.max - other.min).min(other.max - self.min).min_element()
    }

    /// The distance of the two boxes, 0 when they meet.
    pub fn distance(self, other: Self) -> f64 {
        (self.min - other.max).max(other.min - self.max).max(DVec3::ZERO).length()
    }
}

impl From<Extent> for Aabb {
    fn from(extent: Extent) -> Self {
        Self { min: extent.min.to_array(), max: extent.max.to_array() }
    }
}

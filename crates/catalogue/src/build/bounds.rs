//! Axis-aligned bounding boxes, with the measures that placing needs.

use glam::DVec3;
use scene::Aabb;

/// An axis-aligned bounding box, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
}

impl From<Aabb> for Bounds {
    fn from(aabb: Aabb) -> Self {
        Self { min: aabb.min.into(), max: aabb.max.into() }
    }
}

impl Bounds {
    pub(crate) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(crate) fn center(self) -> DVec3 {
        (self.min + self.max) * 0.5
    }

    pub(crate) fn size(self) -> DVec3 {
        self.max - self.min
    }

    /// The middle of the lower side.
    pub(crate) fn foot(self) -> DVec3 {
        self.center().with_y(self.min.y)
    }

    pub(crate) fn moved(self, by: DVec3) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    /// Whether they share more than a touching face.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        const TOLERANCE: f64 = 1e-6;
        (self.min + TOLERANCE).cmplt(other.max).all()
            && (other.min + TOLERANCE).cmplt(self.max).all()
    }

    /// Widened by `margin` to the four sides, not up or down.
    pub(crate) fn widened(self, margin: f64) -> Self {
        let by = DVec3::new(margin, 0.0, margin);
        Self { min: self.min - by, max: self.max + by }
    }

    pub(crate) fn corners(self) -> [DVec3; 8] {
        std::array::from_fn(|corner| {
            let pick = |axis: usize| {
                if corner >> axis & 1 == 1 { self.max[axis] } else { self.min[axis] }
            };
            DVec3::new(pick(0), pick(1), pick(2))
        })
    }
}

//! Axis-aligned boxes.

use glam::DVec3;

/// An axis-aligned box in world space, in metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) min: DVec3,
    pub(crate) max: DVec3,
}

impl Bounds {
    pub(crate) fn around(center: DVec3, reach: DVec3) -> Self {
        Self { min: center - reach, max: center + reach }
    }

    /// A disc with a normal of any length reaches r sqrt(1 - n^2) on each axis.
    pub(crate) fn around_disc(center: DVec3, normal: DVec3, radius: f64) -> Self {
        let unit = normal.normalize_or(DVec3::Y);
        let reach = (DVec3::ONE - unit * unit).max(DVec3::ZERO).to_array().map(f64::sqrt);
        Self::around(center, DVec3::from(reach) * radius)
    }

    pub(crate) fn around_points(points: [DVec3; 4]) -> Self {
        let [a, b, c, d] = points;
        Self { min: a.min(b).min(c).min(d), max: a.max(b).max(c).max(d) }
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    pub(crate) fn center(self) -> DVec3 {
        (self.min + self.max) * 0.5
    }

    pub(crate) fn size(self) -> DVec3 {
        self.max - self.min
    }

    /// The longest edge.
    pub(crate) fn extent(self) -> f64 {
        self.size().max_element()
    }

    /// The middle of the lower side.
    pub(crate) fn foot(self) -> DVec3 {
        self.center().with_y(self.min.y)
    }

    pub(crate) fn moved(self, by: DVec3) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    /// Whether both share more than a touch.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        const TOUCH: f64 = 1e-6;
        (self.min + TOUCH).cmplt(other.max).all() && (other.min + TOUCH).cmplt(self.max).all()
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

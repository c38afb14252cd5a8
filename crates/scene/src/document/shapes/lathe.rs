//! Surfaces of revolution.

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::MotionError;
use crate::document::movable::movable;
use crate::document::stretch::Stretch;
use crate::lists::Profile;
use crate::values::{Point, Rotation, SideCount};
use crate::vector::{Vector, rotation_matrix};

use super::curve::{Piece, smooth_through};

movable! {
    /// What a profile makes when it is turned about an axis: a vase, a bowl, a chess piece.
    pub struct Lathe {
        /// The point of the axis at height 0.
        pub base_center: Point,
        /// Points [distance from the axis, height], 2 to 500, usually from the bottom up; the same
        /// first and last point close the line to a ring.
        pub profile: Profile,
        /// Whether the line goes smoothly through the points.
        pub smooth: bool = false,
        /// Makes it of so many flat sides around, 3 to 64: low-poly looks. Its edges lie on the round shape.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub sides: Option<SideCount> = None,
        /// Euler angles in degrees, applied X, then Y, then Z; without it the axis is y.
        pub rotation: Rotation = Rotation::NONE,
    }
    check(self, reader) {
        let points = self.profile.get();
        if let Some(at) = points.windows(2).position(|pair| pair[0] == pair[1]) {
            reader.error(&format!("'profile' points {at} and {} are the same: leave one out", at + 1));
        }
        if points.iter().all(|[radius, _]| *radius < 1e-9) {
            reader.error("'profile' lies on the axis: some points need a distance from it");
        }
        if self.is_ring() && points.len() < 4 {
            reader.error("'profile' ends where it begins: it needs two more points between at least");
        }
    }
}

/// Steps per piece for the bounding box.
const BOX_STEPS: usize = 16;

impl Lathe {
    /// Whether the profile is closed.
    pub fn is_ring(&self) -> bool {
        let points = self.profile.get();
        points.len() > 2 && points[0] == points[points.len() - 1]
    }

    /// Whether the surface is closed: the profile is closed, or both of its ends are on the axis.
    pub fn is_closed(&self) -> bool {
        let points = self.profile.get();
        self.is_ring() || (points[0][0] == 0.0 && points[points.len() - 1][0] == 0.0)
    }

    /// The profile as cubic pieces of [distance, height]. A smooth one may cross the axis, where
    /// the distance counts as 0.
    pub fn pieces(&self) -> Vec<Piece<2>> {
        let points = self.profile.get();
        match (self.smooth, self.is_ring()) {
            (false, _) => points.windows(2).map(|pair| Piece::straight(pair[0], pair[1])).collect(),
            (true, true) => smooth_through(&points[1..], true),
            (true, false) => smooth_through(points, false),
        }
    }
}

impl ShapeKind for Lathe {
    const LABEL: &'static str = "Lathe";
    const ICON: &'static str = "amphora";
    const FRAME: Frame = Frame::Profile;
    const ON_REQUEST: bool = true;

    fn sample() -> Option<Self> {
        let vase = [[0.0, 0.0], [0.5, 0.0], [0.75, 0.6], [0.35, 1.4], [0.5, 2.0]];
        Some(Self {
            base_center: Point::known([0.0, -1.0, 0.0]),
            profile: Profile::new(vase.to_vec())?,
            smooth: true,
            sides: None,
            rotation: Rotation::NONE,
        })
    }

    /// The union of the discs at its heights.
    fn bounds(&self) -> Option<Aabb> {
        let rows = rotation_matrix(self.rotation.get());
        let axis = Vector(rows.map(|row| row[1]));
        let disc = |[radius, height]: [f64; 2]| {
            let center = Vector(self.base_center.get()) + axis * height;
            let reach = axis.0.map(|along| radius.max(0.0) * (1.0 - along * along).max(0.0).sqrt());
            Aabb::around(center.0, reach)
        };
        let steps = if self.smooth { BOX_STEPS } else { 1 };
        let pieces = self.pieces();
        let places = pieces
            .iter()
            .flat_map(|piece| (0..=steps).map(|step| piece.at(step as f64 / steps as f64)));
        Some(places.map(disc).reduce(Aabb::union).unwrap_or(disc(self.profile.get()[0])))
    }

    fn sides(&self) -> Option<SideCount> {
        self.sides
    }

    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        let [across, _, away] = stretch.factors;
        if across != away {
            return Ok(None);
        }
        let profile = self.profile.get().iter();
        let profile = profile.map(|[x, y]| [stretch.length(*x, 0), stretch.length(*y, 1)]);
        Ok(Some(Self {
            base_center: stretch.own_point(self.base_center, self.rotation)?,
            profile: Profile::new(profile.collect()).ok_or(MotionError::OutOfRange)?,
            ..self.clone()
        }))
    }
}

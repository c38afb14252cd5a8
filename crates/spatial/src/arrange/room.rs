//! Where there is room for a new object.

use std::collections::HashSet;

use glam::DVec3;
use scene::Geometry;

use crate::check::grounds;
use crate::solid::{Extent, Solid};
use crate::space::{Body, Space};

/// What begins higher than this, and higher than the eye, is overhead.
const HEAD_ROOM: f64 = 2.0;
/// The share of a width that has to lie on what carries it: with less it would tip.
const MIN_CARRIED: f64 = 1.0 / 3.0;

/// The room around an object that stands on y = 0 about the origin.
pub(super) struct Room<'a> {
    pub(super) space: &'a Space<'a>,
    /// The volume it occupies.
    pub(super) subject: &'a Solid,
    /// Its own bodies.
    pub(super) own: &'a HashSet<usize>,
}

impl Room<'_> {
    /// Where it comes to rest over a point of the ground: on the highest thing there that is not overhead, or on
    /// y = 0.
    pub(super) fn resting(&self, at: DVec3) -> DVec3 {
        let eye = self.space.scene.camera.center.get()[1];
        let tops = self.space.shapes().map(|(_, body)| body.solid.extent().max.y);
        let start = at.with_y(tops.fold(0.0, f64::max) + self.subject.size());
        let mut passed = self.own.clone();
        loop {
            let Some((way, on)) = self.space.fall_from(self.subject, start, &passed) else {
                return at;
            };
            let body = &self.space.bodies()[on];
            let carrier = body.solid.extent();
            let is_ceiling = carrier.min.y > eye && self.is_wide(carrier);
            // Eaves, awnings and branches.
            let is_overhead = is_ceiling || carrier.min.y > eye.max(HEAD_ROOM);
            if !is_overhead && self.is_carried(at, carrier) && self.may_stand_on(body) {
                return start - DVec3::Y * way;
            }
            passed.insert(on);
        }
    }

    /// Whether enough of it is above something: a chair stands before a table whose edge it reaches under, not on it.
    fn is_carried(&self, at: DVec3, carrier: Extent) -> bool {
        let own = self.subject.extent().moved(at);
        let is_carried = |axis: usize| {
            let shared =
                own.max[axis].min(carrier.max[axis]) - own.min[axis].max(carrier.min[axis]);
            let width = own.size()[axis].min(carrier.size()[axis]);
            shared >= MIN_CARRIED * width
        };
        is_carried(0) && is_carried(2)
    }

    /// Whether it stands on a shape, and would not roll off: a crown of leaves carries no bench, a hill does.
    fn may_stand_on(&self, body: &Body<'_>) -> bool {
        let Some(shape) = body.shape() else { return false };
        let is_round = matches!(
            shape.geometry,
            Geometry::Sphere(_)
                | Geometry::Ellipsoid(_)
                | Geometry::Cone(_)
                | Geometry::Capsule(_)
                | Geometry::Tube(_)
        );
        let width = |extent: Extent| extent.size().x.min(extent.size().z);
        !is_round || width(body.solid.extent()) > 3.0 * width(self.subject.extent())
    }

    /// Whether something is a floor or a ceiling by its size: level and three metres wide.
    fn is_wide(&self, extent: Extent) -> bool {
        let size = extent.size();
        let width = size.x.min(size.z);
        width >= 3.0 && size.y <= 0.05 * width
    }

    /// The free place nearest to the origin, on the ground.
    pub(super) fn free(&self) -> DVec3 {
        let ground = self.ground();
        let size = self.subject.extent().size();
        let step = 0.5 * size.x.max(size.z).max(0.05);
        const RINGS: i32 = 24;
        let mut spots: Vec<(i32, i32)> =
            (-RINGS..=RINGS).flat_map(|x| (-RINGS..=RINGS).map(move |z| (x, z))).collect();
        spots.sort_by_key(|(x, z)| x * x + z * z);
        let spots = spots
            .into_iter()
            .map(|(x, z)| DVec3::new(f64::from(x) * step, ground, f64::from(z) * step));
        let mut spots = spots.peekable();
        let first = spots.peek().copied().unwrap_or(DVec3::Y * ground);
        spots.find(|spot| self.is_free(*spot)).unwrap_or(first)
    }

    fn is_free(&self, at: DVec3) -> bool {
        let extent = self.subject.extent().moved(at);
        let slack = 1e-3 * self.subject.size();
        // What it stands on does not count.
        let extent = Extent { min: extent.min.with_y(extent.min.y + slack), ..extent };
        self.space.near(extent, 0.0).into_iter().all(|other| self.own.contains(&other))
    }

    /// The height of the widest ground, 0 without one.
    fn ground(&self) -> f64 {
        let eye = self.space.scene.camera.center.get()[1];
        let flat = grounds(self.space);
        let widest = self
            .space
            .shapes()
            .filter(|(at, _)| !self.own.contains(at))
            .map(|(at, body)| (at, body.solid.extent()))
            .filter(|(at, extent)| {
                self.is_wide(*extent) || (flat.contains(at) && extent.size().y < 1e-6)
            })
            .filter(|(_, extent)| extent.max.y <= eye.max(0.0))
            .map(|(_, extent)| (extent.size().x.min(extent.size().z), extent.max.y))
            .max_by(|(one, _), (other, _)| one.total_cmp(other));
        widest.map_or(0.0, |(_, height)| height)
    }
}

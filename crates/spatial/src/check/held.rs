//! What touches nothing, and is held by means that nobody sees or models: a hand on its dial, a garland, letters
//! before a wall.

use glam::DVec3;
use scene::{Geometry, Length, Text, Tube, TubeRadius, rotation_matrix};

use crate::space::{Body, Space};

/// The height over its size up to which nobody sees that a thing does not touch.
pub(super) const HAIR: f64 = 0.06;
/// The most thickness of a cord, in shares of the way between its ends, and how far it sags at least.
const THIN: f64 = 0.02;
const SAG: f64 = 0.02;
/// How far letters stand out from what they are mounted on, in heights of a capital.
const STAND_OFF: f64 = 0.5;

impl Space<'_> {
    /// Whether bodies that touch nothing else are held all the same.
    pub(crate) fn seem_held(&self, members: &[usize]) -> bool {
        let is_near = || self.are_nearly_held(members);
        is_near() || hang_on_a_cord(self, members) || are_mounted_letters(self, members)
    }

    /// Whether something else is so near to one of these bodies, in any direction, that they seem to touch.
    fn are_nearly_held(&self, members: &[usize]) -> bool {
        /// The widest gap that nobody sees, in metres.
        const SIDE_HAIR: f64 = 0.001;
        members.iter().any(|at| {
            let solid = &self.bodies()[*at].solid;
            let hair = SIDE_HAIR.min(HAIR * solid.size());
            let near = self.near(solid.extent(), hair).into_iter();
            let mut others =
                near.filter(|other| !members.contains(other)).map(|at| &self.bodies()[at]);
            others.any(|other| other.shape().is_some() && solid.relation(&other.solid).gap <= hair)
        })
    }
}

/// Whether one of these bodies is a cord that sags between its two ends, and none reaches above these: whatever
/// holds the ends is not modelled.
fn hang_on_a_cord(space: &Space<'_>, members: &[usize]) -> bool {
    let bodies = || members.iter().map(|at| &space.bodies()[*at]);
    let highest = bodies().map(|body| body.solid.extent().max.y).fold(f64::MIN, f64::max);
    bodies().any(|body| match body.shape().map(|shape| &shape.geometry) {
        Some(Geometry::Tube(tube)) => sags(tube) && body.solid.extent().max.y >= highest - 1e-6,
        _ => false,
    })
}

fn sags(tube: &Tube) -> bool {
    let [first, inner @ .., last] = tube.points.get() else { return false };
    let span = DVec3::from(*first).distance(DVec3::from(*last));
    let lower_end = first[1].min(last[1]);
    let highest = inner.iter().map(|point| point[1]).fold(f64::MIN, f64::max);
    let lowest = inner.iter().map(|point| point[1]).fold(f64::MAX, f64::min);
    let radius = match &tube.radius {
        TubeRadius::Even(radius) => radius.get(),
        TubeRadius::PerPoint(radii) => radii.iter().copied().map(Length::get).fold(0.0, f64::max),
    };
    let is_thin = 2.0 * radius <= THIN * span;
    let is_below = !inner.is_empty() && highest < lower_end && lowest < lower_end - SAG * span;
    !tube.closed && is_thin && is_below
}

/// Whether all of these bodies are letters that have something close behind them.
fn are_mounted_letters(space: &Space<'_>, members: &[usize]) -> bool {
    members.iter().all(|at| {
        let body = &space.bodies()[*at];
        match body.shape().map(|shape| &shape.geometry) {
            Some(Geometry::Text(text)) => has_something_behind(space, body, text, members),
            _ => false,
        }
    })
}

fn has_something_behind(
    space: &Space<'_>,
    body: &Body<'_>,
    text: &Text,
    members: &[usize],
) -> bool {
    let [x, y, z] = rotation_matrix(text.rotation.get()).map(|row| row[2]);
    let (facing, reach) = (DVec3::new(x, y, z), STAND_OFF * text.size.get());
    let near = space.near(body.solid.extent(), reach).into_iter();
    let mut others = near.filter(|other| !members.contains(other)).map(|at| &space.bodies()[at]);
    others.any(|other| {
        let relation = body.solid.relation(&other.solid);
        let is_shape = other.shape().is_some();
        is_shape && relation.gap <= reach && relation.away.dot(facing) > 0.7
    })
}

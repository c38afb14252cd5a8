//! Connections between subpaths, whose visibility is tested for many at once.

use glam::Vec3A;

use super::strategy::{Contribution, Sink};
use crate::ray::{LANES, Ray};
use crate::world::World;

/// The contributions of connections that something may block.
pub(super) struct Connections<'a, K> {
    world: &'a World,
    pub(super) sink: &'a mut K,
    /// Of each of those that wait, the ray along it and its length.
    rays: [Ray; LANES],
    distances: [f32; LANES],
    waiting: Vec<Contribution>,
    /// The rays traced so far.
    pub(super) traced: u64,
}

impl<'a, K: Sink> Connections<'a, K> {
    pub(super) fn new(world: &'a World, sink: &'a mut K) -> Self {
        let nowhere = Ray::new(Vec3A::ZERO, Vec3A::Y);
        let (rays, distances) = ([nowhere; LANES], [0.0; LANES]);
        Self { world, sink, rays, distances, waiting: Vec::with_capacity(LANES), traced: 0 }
    }

    /// Adds a contribution unless its ray is blocked before that distance. Nothing blocks it without a ray, between
    /// points at one place.
    pub(super) fn add(&mut self, ray: Option<(Ray, f32)>, contribution: Contribution) {
        let at = self.waiting.len();
        self.distances[at] = 0.0;
        if let Some((ray, distance)) = ray {
            (self.rays[at], self.distances[at]) = (ray, distance);
        }
        self.waiting.push(contribution);
        if self.waiting.len() == LANES {
            self.settle();
        }
    }

    /// Tests those that wait.
    pub(super) fn settle(&mut self) {
        let count = self.waiting.len();
        if count == 0 {
            return;
        }
        let blocked = self.world.blocked_of_many(&self.rays[..count], &self.distances);
        for (lane, contribution) in self.waiting.drain(..).enumerate() {
            if blocked >> lane & 1 == 0 {
                self.sink.take(&contribution);
            }
        }
        self.traced += count as u64;
    }
}

//! Subpaths are followed side by side, edge by edge, and where one ends the next begins, as by the
//! [path tracer](crate::integrator::path::stream).

use crate::integrator::vertex_numbers::{NumbersOfVertices, VertexNumbers};
use crate::ray::{LANES, Ray};
use crate::sampler::Sampler;
use crate::world::{Hit, World};

/// A subpath under way.
pub(super) trait Subpath {
    /// The ray that continues it.
    fn ray(&self) -> &Ray;

    /// Whether nothing has changed the direction of the ray since the camera.
    fn is_from_camera(&self) -> bool;

    /// The random numbers of the sample and the first set of those of the next vertex.
    fn numbers(&self) -> (Sampler, u32);
}

/// All subpaths of one kind of a group of samples.
pub(super) trait Subpaths<'world> {
    type Path: Subpath;

    /// Begins the next one; `None` after the last.
    fn start(&mut self) -> Option<Self::Path>;

    /// Follows the ray of a subpath to what it hits; returns whether the subpath goes on.
    fn follow(
        &mut self,
        path: &mut Self::Path,
        hit: Option<Hit<'world>>,
        numbers: &VertexNumbers,
    ) -> bool;

    /// Is called when each of those under way has been followed by an edge.
    fn settle(&mut self);
}

/// Follows all subpaths to their ends and returns the number of their edges; `None` when cancelled.
pub(super) fn follow<'world, P: Subpaths<'world>>(
    world: &'world World,
    subpaths: &mut P,
    cancelled: &dyn Fn() -> bool,
) -> Option<u64> {
    let mut edges = 0;
    let mut lanes: Vec<P::Path> = Vec::with_capacity(LANES);
    while lanes.len() < LANES
        && let Some(path) = subpaths.start()
    {
        lanes.push(path);
    }
    while !lanes.is_empty() {
        if cancelled() {
            return None;
        }
        edges += lanes.len() as u64;
        let rays: [Ray; LANES] =
            std::array::from_fn(|lane| *lanes[lane.min(lanes.len() - 1)].ray());
        let mut found = [None; LANES];
        world.nearest_of_many(&rays[..lanes.len()], 0, &mut found);
        let numbers = NumbersOfVertices::of::<4>(lanes.iter().map(P::Path::numbers), world.level());
        let mut ended = 0_u32;
        for (at, path) in lanes.iter_mut().enumerate() {
            let mut hit =
                found[at].map(|(body, intersection)| world.hit(&rays[at], body, intersection));
            if path.is_from_camera() {
                hit = world.seen_from_camera(&rays[at], hit);
            }
            ended |= u32::from(!subpaths.follow(path, hit, &numbers.of_lane(at))) << at;
        }
        subpaths.settle();
        for lane in (0..lanes.len()).rev().filter(|lane| ended >> lane & 1 == 1) {
            match subpaths.start() {
                Some(next) => lanes[lane] = next,
                None => drop(lanes.swap_remove(lane)),
            }
        }
    }
    Some(edges)
}

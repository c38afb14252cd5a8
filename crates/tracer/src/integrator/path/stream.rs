//! A stream of paths: many are followed side by side, edge by edge, and where one ends the next begins.
//!
//! Their rays and their random numbers are computed in vector registers; what is met is shaded path by path.
//! Each path depends on its pixel and sample alone, so the picture does not depend on which paths go side by
//! side.

use super::lane::{FirstHit, Lane};
use super::starts::Starts;
use super::{ShadowRay, plain};
use crate::bsdf::ShadingArena;
use crate::integrator::batch::{Batch, Taken};
use crate::integrator::bdpt::Splat;
use crate::integrator::sample_fn::SampleFn;
use crate::integrator::scene_features::{Clear, Foggy, SceneFeatures};
use crate::integrator::vertex_numbers::NumbersOfVertices;
use crate::light::Anything;
use crate::ray::{LANES, Ray};
use crate::world::World;

/// The path tracer specialised for the features of this world.
pub(in crate::integrator) fn sample_fn(world: &World) -> SampleFn {
    let is_uneven = world.lights().environment.is_uneven(Anything);
    match (world.fog(), world.is_simple()) {
        (Some(_), _) => sample_all::<Foggy>,
        (None, true) if is_uneven => plain::sample_all::<false, true>,
        (None, true) => plain::sample_all::<true, true>,
        (None, false) if !world.has_many_simple_surfaces() => sample_all::<Clear>,
        (None, false) if is_uneven => plain::sample_all::<false, false>,
        (None, false) => plain::sample_all::<true, false>,
    }
}

/// Takes all samples of a batch; they are black if the world does not have these features.
pub(super) fn sample_all<S: SceneFeatures>(
    batch: &Batch<'_>,
    _: &mut Vec<Splat>,
    taken: &mut Taken,
) -> Option<()> {
    taken.reset(batch.len());
    if let Some(features) = S::of(batch.world)
        && batch.settings.max_depth > 0
    {
        let starts = Starts::new(batch);
        let (lanes, shadows) = (Vec::with_capacity(LANES), Vec::with_capacity(LANES));
        Stream { features, starts, lanes, shadows }.run(taken)?;
    }
    Some(())
}

struct Stream<'a, S: SceneFeatures> {
    features: S,
    starts: Starts<'a>,
    /// The paths under way.
    lanes: Vec<Lane<'a, S>>,
    /// The shadow rays of the vertices just met, with the lanes of their paths.
    shadows: Vec<(usize, ShadowRay)>,
}

impl<'a, S: SceneFeatures + 'a> Stream<'a, S> {
    /// Follows all paths to their ends; `None` when cancelled.
    fn run(mut self, taken: &mut Taken) -> Option<()> {
        while self.lanes.len() < LANES
            && let Some(lane) = self.start()
        {
            self.lanes.push(lane);
        }
        while !self.lanes.is_empty() {
            if (self.starts.batch().cancelled)() {
                return None;
            }
            let ended = self.follow();
            for lane in (0..self.lanes.len()).rev().filter(|lane| ended >> lane & 1 == 1) {
                taken.set(self.lanes[lane].at, self.lanes[lane].result());
                match self.start() {
                    Some(next) => self.lanes[lane] = next,
                    None => drop(self.lanes.swap_remove(lane)),
                }
            }
        }
        Some(())
    }

    fn start(&mut self) -> Option<Lane<'a, S>> {
        let (at, start) = self.starts.next()?;
        Some(Lane::new(self.starts.batch(), self.features, at, start))
    }

    /// Follows each path by an edge and returns a bit mask of those that end.
    fn follow(&mut self) -> u32 {
        let world = self.starts.batch().world;
        let rays: [Ray; LANES] =
            std::array::from_fn(|lane| self.lanes[lane.min(self.lanes.len() - 1)].ray);
        let (mut found, mut known) = ([None; LANES], 0);
        for (at, lane) in self.lanes.iter_mut().enumerate() {
            if let FirstHit::Known(first) = lane.first {
                (found[at], lane.first) = (first, FirstHit::Unknown);
                known |= 1 << at;
            }
        }
        world.nearest_of_many(&rays[..self.lanes.len()], known, &mut found);
        let numbers =
            NumbersOfVertices::of::<4>(self.lanes.iter().map(Lane::numbers), world.level());
        let arena = ShadingArena::default();
        self.shadows.clear();
        let mut ended = 0;
        for (at, lane) in self.lanes.iter_mut().enumerate() {
            let mut hit =
                found[at].map(|(body, intersection)| world.hit(&rays[at], body, intersection));
            if lane.is_from_camera {
                hit = world.seen_from_camera(&rays[at], hit);
            }
            let mut shadow = None;
            let goes_on = lane.follow(hit, &numbers.of_lane(at), &arena, &mut shadow);
            ended |= u32::from(!goes_on) << at;
            self.shadows.extend(shadow.map(|shadow| (at, shadow)));
        }
        self.add_unblocked();
        ended
    }

    /// Adds the light that nothing blocks.
    fn add_unblocked(&mut self) {
        let Some((_, first)) = self.shadows.first() else { return };
        let mut rays = [first.ray; LANES];
        let mut distances = [0.0; LANES];
        for ((ray, distance), (_, shadow)) in rays.iter_mut().zip(&mut distances).zip(&self.shadows)
        {
            (*ray, *distance) = (shadow.ray, shadow.distance);
        }
        let world = self.starts.batch().world;
        let blocked = world.blocked_of_many(&rays[..self.shadows.len()], &distances);
        for (at, (lane, shadow)) in self.shadows.iter().enumerate() {
            if blocked >> at & 1 == 0 {
                self.lanes[*lane].add(shadow);
            }
        }
    }
}

//! Paths through worlds without fog, where some or all surfaces [are simple](crate::bsdf::Bsdf::simple): vertices there are
//! shaded side by side, too.
//!
//! They are the same as those of a [stream](super::stream) but for roundings.

mod paths;
mod shade;
mod single;
mod sky;

use fearless_simd::dispatch;

use self::paths::{Paths, Vertices};
use self::shade::{Shade, ShadowRays};
use self::single::{SinglePaths, add_through_surfaces};
use super::lane::FirstHit;
use super::starts::Starts;
use crate::bsdf::{Bsdf, ShadingArena};
use crate::integrator::batch::{Batch, Taken};
use crate::integrator::bdpt::Splat;
use crate::integrator::vertex_numbers::NumbersOfVertices;
use crate::lane_mask::lanes_of;
use crate::light::{OneSided, Source};
use crate::primitive::Intersection;
use crate::ray::LANES;
use crate::sampling::power_heuristic;
use crate::settings::DirectLighting;
use crate::surface_kind::SurfaceKind;
use crate::world::Hit;

/// Takes all samples of a batch; in a `PLAIN` world all surfaces are simple.
pub(super) fn sample_all<const EVEN_SKY: bool, const PLAIN: bool>(
    batch: &Batch<'_>,
    _: &mut Vec<Splat>,
    taken: &mut Taken,
) -> Option<()> {
    taken.reset(batch.len());
    let mut starts = Starts::new(batch);
    if batch.settings.max_depth > 0
        && let Some((at, start)) = starts.next()
    {
        let mut paths = Paths::new(at, start);
        for lane in 1..LANES {
            let Some((at, start)) = starts.next() else { break };
            paths.begin(lane, at, start);
        }
        let (vertices, shadows) = (Vertices::default(), ShadowRays::new(start.ray));
        let singles = SinglePaths::new();
        PlainStream::<EVEN_SKY, PLAIN> { starts, paths, vertices, shadows, singles }.run(taken)?;
    }
    Some(())
}

struct PlainStream<'a, const EVEN_SKY: bool, const PLAIN: bool> {
    starts: Starts<'a>,
    paths: Paths,
    /// Where the paths have just arrived.
    vertices: Vertices,
    /// From there.
    shadows: ShadowRays,
    /// Those whose vertices are not simple.
    singles: SinglePaths<'a>,
}

impl<const EVEN_SKY: bool, const PLAIN: bool> PlainStream<'_, EVEN_SKY, PLAIN> {
    const KNOWN: OneSided<EVEN_SKY> = OneSided;

    /// Follows all paths to their ends; `None` when cancelled.
    fn run(mut self, taken: &mut Taken) -> Option<()> {
        while self.paths.active != 0 {
            if (self.starts.batch().cancelled)() {
                return None;
            }
            for lane in lanes_of(self.follow()) {
                taken.set(self.paths.at[lane], self.paths.result(lane));
                match self.starts.next() {
                    Some((at, start)) => self.paths.begin(lane, at, start),
                    None => self.paths.active &= !(1 << lane),
                }
            }
        }
        Some(())
    }

    /// Follows each path by an edge and returns a bit mask of those that end.
    fn follow(&mut self) -> u32 {
        let Batch { world, settings, .. } = *self.starts.batch();
        let paths = &mut self.paths;
        let (mut found, mut known) = ([None; LANES], !paths.active);
        for lane in lanes_of(paths.active) {
            if let FirstHit::Known(first) = paths.first[lane] {
                (found[lane], paths.first[lane]) = (first, FirstHit::Unknown);
                known |= 1 << lane;
            }
        }
        world.nearest_of_many(&paths.rays, known, &mut found);
        let sets = |lane: usize| (paths.samplers[lane], 2 * paths.edges[lane] + 1);
        let sets = (0..LANES).map(sets);
        // Simple surfaces use no fourth number.
        let numbers = if PLAIN {
            NumbersOfVertices::of::<3>(sets, world.level())
        } else {
            NumbersOfVertices::of::<4>(sets, world.level())
        };
        let arena = ShadingArena::default();
        self.vertices.clear();
        for lane in lanes_of(self.paths.active) {
            self.paths.edges[lane] += 1;
            self.paths.traced[lane] += 1;
            match found[lane] {
                None if self.comes_from_single(lane) => {
                    self.follow_singly(lane, None, &numbers, &arena)
                }
                None => self.vertices.missed |= 1 << lane,
                Some(found) => self.meet(lane, found, &numbers, &arena),
            }
        }
        let shade = Shade { world, settings, known: Self::KNOWN };
        let (paths, vertices, shadows) = (&mut self.paths, &self.vertices, &mut self.shadows);
        let mut going_on = dispatch!(world.level(), simd => {
            shade.add_sky(simd, paths, vertices.missed);
            shade.scatter(simd, paths, vertices, &numbers, shadows)
        });
        if !PLAIN {
            going_on |= self.singles.put_back(&mut self.paths, &mut self.shadows);
        }
        if !PLAIN && world.has_transparent_shadows() {
            add_through_surfaces(self.starts.batch(), &mut self.paths, &self.shadows, &arena);
        } else {
            self.add_unblocked();
        }
        self.paths.active & !going_on
    }

    /// Whether the last vertex of a path was shaded by itself.
    #[inline(always)]
    fn comes_from_single(&self, lane: usize) -> bool {
        !PLAIN && self.paths.origin.single >> lane & 1 == 1
    }

    fn follow_singly(
        &mut self,
        lane: usize,
        hit: Option<Hit<'_>>,
        numbers: &NumbersOfVertices,
        arena: &ShadingArena,
    ) {
        let batch = self.starts.batch();
        self.singles.follow((&self.paths, lane), batch, hit, (numbers, arena));
    }

    /// Whether the vertex of a path on a simple surface is shaded with others: there is no medium before it.
    #[inline(always)]
    fn is_in_air(&self, lane: usize) -> bool {
        PLAIN || self.paths.medium[lane].is_air()
    }

    /// Adds the emission of the body that a path hits, or takes its vertex to those to be shaded.
    #[inline(always)]
    fn meet(
        &mut self,
        lane: usize,
        (index, intersection): (usize, Intersection),
        numbers: &NumbersOfVertices,
        arena: &ShadingArena,
    ) {
        let Batch { world, settings, .. } = *self.starts.batch();
        let (primitive, kind) = world.body(index);
        let ray = &self.paths.rays[lane];
        if let SurfaceKind::Surface(bsdf) = kind
            && let Some(bsdf) = bsdf.simple()
            && self.is_in_air(lane)
        {
            if self.paths.edges[lane] < settings.max_depth {
                self.vertices.set(lane, (primitive, intersection), ray, bsdf);
            }
        } else {
            self.meet_other(lane, world.hit(ray, index, intersection), numbers, arena);
        }
    }

    /// Lights, which the camera may not see, and surfaces that are not simple.
    #[inline(never)]
    fn meet_other(
        &mut self,
        lane: usize,
        hit: Hit<'_>,
        numbers: &NumbersOfVertices,
        arena: &ShadingArena,
    ) {
        let Batch { world, settings, .. } = *self.starts.batch();
        let mut hit = Some(hit);
        if self.paths.from_camera >> lane & 1 == 1 {
            hit = world.seen_from_camera(&self.paths.rays[lane], hit);
        }
        match hit {
            None => self.vertices.missed |= 1 << lane,
            Some(mut hit) => match hit.kind {
                SurfaceKind::Light(light)
                    if !self.comes_from_single(lane) && self.is_in_air(lane) =>
                {
                    self.meet_light(lane, *light, &hit);
                }
                kind if kind.is_simple() && self.is_in_air(lane) => {
                    if self.paths.edges[lane] < settings.max_depth
                        && let Some(bsdf) = hit.bsdf(arena).and_then(Bsdf::simple)
                    {
                        self.vertices.set_surface(lane, &hit.surface, bsdf);
                    }
                }
                // There are none in a plain world.
                _ if PLAIN => {}
                _ => self.follow_singly(lane, Some(hit), numbers, arena),
            },
        }
    }

    fn meet_light(&mut self, lane: usize, index: usize, hit: &Hit<'_>) {
        let Batch { world, settings, .. } = *self.starts.batch();
        let (lights, direction) = (world.lights(), self.paths.rays[lane].direction);
        let (light, surface) = (&lights.lights[index], &hit.surface);
        let radiance = light.radiance(surface, hit.part, -direction);
        let weight = match (self.paths.pdf_of(lane), settings.direct_lighting) {
            (None, _) | (_, DirectLighting::Bsdf) => 1.0,
            (_, DirectLighting::Lights) => 0.0,
            (Some(pdf), DirectLighting::Mis) => {
                let receiver = self.paths.receiver(lane, Self::KNOWN);
                let chance = lights.chance(&receiver, Source::Light(index));
                let light_pdf = light.pdf(receiver.point, (surface, hit.part), direction);
                power_heuristic(pdf, chance * light_pdf)
            }
        };
        self.paths.add(lane, radiance * weight, settings.clamp_indirect);
    }

    /// Adds the light that nothing blocks.
    fn add_unblocked(&mut self) {
        let shadows = &self.shadows;
        if shadows.lanes.is_empty() {
            return;
        }
        let rays = &shadows.rays[..shadows.lanes.len()];
        let blocked = self.starts.batch().world.blocked_of_many(rays, &shadows.distances);
        for (at, lane) in shadows.lanes.iter().enumerate() {
            if blocked >> at & 1 == 0 {
                for (radiance, light) in self.paths.radiance.iter_mut().zip(&shadows.light) {
                    radiance[*lane] += light[*lane];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;

//! Light along one path: unidirectional path tracing with next-event estimation.

use glam::{Vec2, Vec3A};

use crate::bsdf::Bsdf;
use crate::light::{End, Receiver, Source};
use crate::ray::{Ray, SurfacePoint};
use crate::sampler::Sampler;
use crate::sampling::power_heuristic;
use crate::settings::{DirectLighting, RenderSettings};
use crate::shading::Shading;
use crate::world::{Role, World};

/// Russian roulette starts at this bounce, mirrors and glass not counted: what is seen in them is
/// mostly a few edges away, and to end such a path early is noise where there was none.
const ROULETTE_FROM_BOUNCE: u32 = 3;
/// From this edge on all bounces take part in roulette.
const ROULETTE_FROM_EDGE: u32 = 12;
/// The smallest chance to end a path from [`ROULETTE_FROM_EDGE`] on: without it, paths between
/// perfect mirrors would never end.
const SMALLEST_END_CHANCE: f32 = 0.05;

/// What the path of one sample has found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PathResult {
    /// Radiance in W/(sr m^2) per channel, always finite.
    pub(crate) radiance: Vec3A,
    /// Rays traced, shadow rays included.
    pub(crate) rays: u32,
    /// Whether the radiance was not finite and has been replaced by 0.
    pub(crate) rejected: bool,
}

/// One sample of a picture of `size` pixels, `block` pixels wide and high, with its top left corner
/// at `corner`.
pub(crate) fn sample_picture(
    world: &World,
    settings: &RenderSettings,
    size: Vec2,
    [corner, block]: [Vec2; 2],
    sampler: Sampler,
) -> PathResult {
    let [x, y, lens @ ..] = sampler.first::<4>(0);
    let at = (corner + block * Vec2::new(x, y)) / size;
    let ray = world.camera.ray(at, size.x / size.y, lens);
    Path::new(world, settings, sampler).trace(ray)
}

/// The surface a path comes from, when light sampling could have found the same light.
struct Origin {
    receiver: Receiver,
    /// Density with which the direction was sampled there, per steradian.
    pdf: f32,
}

/// How a surface is seen by the path.
#[derive(Clone, Copy)]
struct View<'a> {
    bsdf: &'a Bsdf,
    shading: Shading,
    /// Local direction back along the path.
    wo: Vec3A,
}

struct Path<'a> {
    world: &'a World,
    settings: &'a RenderSettings,
    sampler: Sampler,
    radiance: Vec3A,
    throughput: Vec3A,
    /// Edges from the camera so far.
    edges: u32,
    /// Bounces so far at surfaces that scatter into more than single directions.
    scatterings: u32,
    rays: u32,
}

impl<'a> Path<'a> {
    fn new(world: &'a World, settings: &'a RenderSettings, sampler: Sampler) -> Self {
        Self {
            world,
            settings,
            sampler,
            radiance: Vec3A::ZERO,
            throughput: Vec3A::ONE,
            edges: 0,
            scatterings: 0,
            rays: 0,
        }
    }

    fn trace(mut self, mut ray: Ray) -> PathResult {
        let mut origin: Option<Origin> = None;
        // Radiance that entered glass is larger there by the square of the index; roulette must not
        // take that for brightness.
        let mut eta_squared = 1.0;
        while self.edges < self.settings.max_depth {
            self.edges += 1;
            self.rays += 1;
            let Some(hit) = self.world.intersect(&ray) else {
                self.meet_sky(ray.direction, origin.as_ref());
                break;
            };
            let bsdf = match hit.role {
                Role::Surface(bsdf) => bsdf,
                Role::Light(light) => {
                    self.meet_light(*light, &hit.surface, ray.direction, origin.as_ref());
                    break;
                }
            };
            if self.edges == self.settings.max_depth {
                break;
            }
            let outside = hit.surface.normal.dot(ray.direction) < 0.0;
            let facing = if outside { hit.surface.normal } else { -hit.surface.normal };
            let shading = Shading::new(facing, hit.surface.shading, -ray.direction);
            let mut wo = shading.frame.to_local(-ray.direction);
            wo.z = wo.z.max(0.0);
            let first_set = 2 * self.edges - 1;
            let receiver =
                Receiver { point: hit.surface.point, normal: facing, samples_sky: bsdf.is_matte() };
            if !bsdf.is_specular() {
                let view = View { bsdf, shading, wo };
                self.add_direct_light(&hit.surface, &receiver, view, first_set + 1);
            }
            let [u, v, choice] = self.sampler.first(first_set);
            let Some(sample) = bsdf.sample(wo, outside, [u, v, choice]) else {
                break;
            };
            self.throughput *= sample.weight;
            eta_squared *= sample.eta_squared;
            self.scatterings += u32::from(sample.pdf.is_some());
            let sampler = self.sampler;
            // Surfaces choose a direction by the third number only when they take no light sample.
            let roulette = || match sample.pdf {
                Some(_) => choice,
                None => sampler.first::<3>(first_set + 1)[2],
            };
            if !self.survives(eta_squared, roulette) {
                break;
            }
            // The side is that of the local direction: in world space a flat one may be rounded to
            // the other side.
            let side = if sample.wi.z < 0.0 { -facing } else { facing };
            let mut direction = shading.frame.to_world(sample.wi).normalize();
            if sample.pdf.is_none() {
                direction = shading.forced(sample.wi, direction);
            } else if !shading.agrees(sample.wi, direction) {
                break;
            }
            ray = Ray::new(hit.surface.origin_towards(side), direction);
            origin = sample.pdf.map(|pdf| Origin { receiver, pdf });
        }
        let rejected = !self.radiance.is_finite();
        let radiance = if rejected { Vec3A::ZERO } else { self.radiance };
        PathResult { radiance, rays: self.rays, rejected }
    }

    /// Russian roulette by what the path can still bring.
    fn survives(&mut self, eta_squared: f32, roulette: impl FnOnce() -> f32) -> bool {
        let brightest = self.throughput.max_element() * eta_squared;
        if brightest == 0.0 {
            return false;
        }
        let deep = self.edges >= ROULETTE_FROM_EDGE;
        let takes_part = deep || self.scatterings >= ROULETTE_FROM_BOUNCE;
        if !self.settings.russian_roulette || !takes_part {
            return true;
        }
        let chance = brightest.min(if deep { 1.0 - SMALLEST_END_CHANCE } else { 1.0 });
        self.throughput /= chance;
        roulette() < chance
    }

    fn meet_sky(&mut self, direction: Vec3A, origin: Option<&Origin>) {
        let sky = &self.world.lights().environment;
        let weight = self.weight_of_meeting(origin, Source::Sky, |origin| {
            sky.pdf(origin.receiver.normal, direction)
        });
        self.add(sky.radiance(direction) * weight, self.edges);
    }

    fn meet_light(
        &mut self,
        index: usize,
        surface: &SurfacePoint,
        direction: Vec3A,
        origin: Option<&Origin>,
    ) {
        let light = &self.world.lights().lights[index];
        let radiance = light.radiance(surface, -direction);
        if radiance == Vec3A::ZERO {
            return;
        }
        let weight = self.weight_of_meeting(origin, Source::Light(index), |origin| {
            light.pdf(origin.receiver.point, surface, direction)
        });
        self.add(radiance * weight, self.edges);
    }

    /// The weight of having met `source` by following the path; `pdf_of_light` is the density of
    /// finding the same by sampling that source.
    fn weight_of_meeting(
        &self,
        origin: Option<&Origin>,
        source: Source,
        pdf_of_light: impl FnOnce(&Origin) -> f32,
    ) -> f32 {
        let Some(origin) = origin else { return 1.0 };
        match self.settings.direct_lighting {
            DirectLighting::Lights => {
                let sampled = source != Source::Sky || origin.receiver.samples_sky;
                if sampled { 0.0 } else { 1.0 }
            }
            DirectLighting::Bsdf => 1.0,
            DirectLighting::Mis => {
                let chance = self.world.lights().chance(&origin.receiver, source);
                power_heuristic(origin.pdf, chance * pdf_of_light(origin))
            }
        }
    }

    /// Next-event estimation: one sample of one light.
    fn add_direct_light(
        &mut self,
        surface: &SurfacePoint,
        receiver: &Receiver,
        view: View<'_>,
        set: u32,
    ) {
        let [u, v, choice] = self.sampler.first(set);
        let Some(sample) = self.world.lights().sample(receiver, choice, [u, v]) else {
            return;
        };
        let towards = view.shading.frame.to_local(sample.direction);
        if !view.shading.agrees(towards, sample.direction) {
            return;
        }
        let scattering = view.bsdf.evaluate(view.wo, towards);
        let weight = match (sample.pdf, self.settings.direct_lighting) {
            (None, _) => 1.0,
            (Some(_), DirectLighting::Bsdf) => 0.0,
            (Some(pdf), DirectLighting::Lights) => 1.0 / pdf,
            (Some(pdf), DirectLighting::Mis) => power_heuristic(pdf, scattering.pdf) / pdf,
        };
        let arriving = scattering.value * sample.radiance * weight;
        if arriving == Vec3A::ZERO {
            return;
        }
        self.rays += 1;
        let start = surface.origin_towards(receiver.normal);
        let blocked = match sample.end {
            End::Infinity => {
                self.world.is_blocked(&Ray::new(start, sample.direction), f32::INFINITY)
            }
            End::Point(point) => self.world.is_blocked_between(start, point),
            End::Surface(end) => {
                let near = end.origin_towards(-sample.direction);
                self.world.is_blocked_between(start, near)
            }
        };
        if !blocked {
            self.add(arriving, self.edges + 1);
        }
    }

    /// Adds light that arrives at the end of a path of `edges` edges.
    fn add(&mut self, radiance: Vec3A, edges: u32) {
        let mut contribution = self.throughput * radiance;
        if let Some(limit) = self.settings.clamp_indirect
            && edges > 2
        {
            contribution = contribution.min(Vec3A::splat(limit));
        }
        self.radiance += contribution;
    }
}

//! Light along one path: unidirectional path tracing with next-event estimation.

use glam::Vec3A;

use super::medium::Medium;
use super::panes;
use super::roulette::{chance_to_survive, roulette_number};
use super::scenery::{Clear, Foggy, Scenery};
use super::vertex::Vertex;
use super::{PathResult, Window};
use crate::bsdf::Looks;
use crate::fog::Fog;
use crate::light::{End, Glow, LightSample, Receiver, Source};
use crate::ray::{Ray, SurfacePoint};
use crate::sampler::Sampler;
use crate::sampling::power_heuristic;
use crate::settings::{DirectLighting, RenderSettings};
use crate::world::{Role, World};

/// One sample of a picture.
pub(super) fn sample(world: &World, settings: &RenderSettings, window: &Window) -> PathResult {
    match world.fog() {
        None if world.is_simple() => through(Clear::<true>, world, settings, window),
        None => through(Clear::<false>, world, settings, window),
        Some(fog) => through(Foggy(fog), world, settings, window),
    }
}

/// Apart, so that the code for each kind of world is as if there were no other.
#[inline(never)]
fn through(
    scenery: impl Scenery,
    world: &World,
    settings: &RenderSettings,
    window: &Window,
) -> PathResult {
    let sampler = window.sampler(settings.seed);
    let [x, y, lens @ ..] = sampler.first::<4>(0);
    let ray = world.camera.ray(window.at(x, y), window.aspect(), lens);
    Path::new(world, settings, sampler, scenery).trace(ray, &Looks::default())
}

/// The point a path comes from, when light sampling could have found the same light.
struct Origin<Place> {
    /// In the air only its point counts.
    receiver: Receiver,
    place: Place,
    /// Density with which the direction was sampled there, per steradian.
    pdf: f32,
}

/// What becomes of a path on its way through the air.
enum Passage<Place> {
    /// It arrives.
    Clear,
    /// It ends on the way.
    Ended,
    /// It goes on along another ray.
    Scattered(Ray, Origin<Place>),
}

struct Path<'a, S: Scenery> {
    world: &'a World,
    scenery: S,
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

impl<'a, S: Scenery> Path<'a, S> {
    fn new(world: &'a World, settings: &'a RenderSettings, sampler: Sampler, scenery: S) -> Self {
        Self {
            world,
            scenery,
            settings,
            sampler,
            radiance: Vec3A::ZERO,
            throughput: Vec3A::ONE,
            edges: 0,
            scatterings: 0,
            rays: 0,
        }
    }

    #[inline(always)]
    fn trace(mut self, mut ray: Ray, looks: &Looks) -> PathResult {
        let mut origin: Option<Origin<S::Place>> = None;
        // Radiance that entered glass is larger there by the square of the index; roulette must not
        // take that for brightness.
        let mut eta_squared = 1.0;
        let mut medium = Medium::AIR;
        // Fog does not get into closed things; whether one is in such counts in fog only.
        let mut inside = false;
        while self.edges < self.settings.max_depth {
            self.edges += 1;
            self.rays += 1;
            let Some(mut hit) = self.world.intersect(&ray) else {
                match self.pass_air(&ray, f32::INFINITY, inside, looks) {
                    Passage::Clear => self.meet_sky(ray.direction, origin.as_ref()),
                    Passage::Ended => {}
                    Passage::Scattered(next, from) => {
                        (ray, origin) = (next, Some(from));
                        continue;
                    }
                }
                break;
            };
            match self.pass_air(&ray, hit.distance, inside, looks) {
                Passage::Clear => {}
                Passage::Ended => break,
                Passage::Scattered(next, from) => {
                    (ray, origin) = (next, Some(from));
                    continue;
                }
            }
            if !S::SIMPLE
                && let Some(left) = medium.left_after(hit.distance)
            {
                self.throughput *= left;
            }
            let bsdf = match hit.role {
                Role::Surface(bsdf) => bsdf,
                // There is nothing else.
                _ if S::SIMPLE => {
                    if let Role::Light(light) = hit.role {
                        self.meet_light(
                            *light,
                            (&hit.surface, hit.part),
                            ray.direction,
                            origin.as_ref(),
                        );
                    }
                    break;
                }
                Role::Varied(finish) => finish.at(&mut hit.surface, hit.part, looks),
                Role::Light(light) => {
                    self.meet_light(
                        *light,
                        (&hit.surface, hit.part),
                        ray.direction,
                        origin.as_ref(),
                    );
                    break;
                }
                Role::Glowing(glowing) => {
                    self.meet_glow(
                        glowing.glow,
                        (&hit.surface, hit.part),
                        ray.direction,
                        origin.as_ref(),
                    );
                    let scatters = glowing.bsdf_at(&mut hit.surface, hit.part, looks);
                    let Some(bsdf) = scatters else { break };
                    bsdf
                }
            };
            if self.edges == self.settings.max_depth {
                break;
            }
            let vertex = if S::SIMPLE {
                Vertex::simple(hit.surface, bsdf, ray.direction)
            } else {
                Vertex::new(hit.surface, bsdf, ray.direction, medium)
            };
            let first_set = S::SETS * self.edges - (S::SETS - 1);
            let receiver = vertex.receiver();
            if !bsdf.is_specular() {
                self.add_direct_light(&vertex, &receiver, first_set + 1, (looks, inside));
            }
            let [u, v, choice] = self.sampler.first(first_set);
            let Some(sample) = bsdf.sample(vertex.wo, vertex.outside, [u, v, choice]) else {
                break;
            };
            self.throughput *= sample.weight;
            eta_squared *= sample.eta_squared;
            self.scatterings += u32::from(sample.pdf.is_some());
            let sampler = self.sampler;
            let roulette = || roulette_number(&sampler, first_set, vertex.bsdf, &sample, choice);
            if !self.survives(eta_squared, roulette) {
                break;
            }
            let Some(next) = vertex.ray_along(&sample) else { break };
            ray = next;
            if !S::SIMPLE {
                medium = vertex.medium_after(&sample);
            }
            if self.scenery.fog().is_some() && vertex.is_crossed_by(&sample) {
                inside = vertex.outside;
            }
            // Through panes, a lamp could have been found from where the path comes from.
            if S::SIMPLE || !(self.world.has_panes() && sample.goes_straight()) {
                origin = sample.pdf.map(|pdf| Origin { receiver, place: S::SURFACE, pdf });
            }
        }
        let rejected = !self.radiance.is_finite();
        let radiance = if rejected { Vec3A::ZERO } else { self.radiance };
        PathResult { radiance, rays: self.rays, rejected }
    }

    /// Goes `distance` metres along the ray, `inside` of something or in the air.
    #[inline(always)]
    fn pass_air(
        &mut self,
        ray: &Ray,
        distance: f32,
        inside: bool,
        looks: &Looks,
    ) -> Passage<S::Place> {
        match self.scenery.fog().copied() {
            Some(fog) if !inside => self.pass_fog(&fog, ray, distance, looks),
            _ => Passage::Clear,
        }
    }

    #[inline(never)]
    fn pass_fog(
        &mut self,
        fog: &Fog,
        ray: &Ray,
        distance: f32,
        looks: &Looks,
    ) -> Passage<S::Place> {
        let first_set = S::SETS * self.edges - (S::SETS - 1);
        let [u] = self.sampler.first(first_set + 2);
        let Some(met) = fog.meeting(ray, distance, u) else { return Passage::Clear };
        let (point, before) = (ray.at(met), ray.direction);
        match self.scatter_in_air(fog, (point, before), first_set, looks) {
            None => Passage::Ended,
            Some((next, pdf)) => {
                let receiver =
                    Receiver { point, normal: before, samples_sky: true, both_sides: true };
                Passage::Scattered(next, Origin { receiver, place: S::AIR, pdf })
            }
        }
    }

    /// Adds the light that is scattered in the fog at `point` towards where the path comes from along
    /// `before`, and chooses a ray to go on along, with its density; `None` where the path ends.
    fn scatter_in_air(
        &mut self,
        fog: &Fog,
        (point, before): (Vec3A, Vec3A),
        first_set: u32,
        looks: &Looks,
    ) -> Option<(Ray, f32)> {
        if self.edges == self.settings.max_depth {
            return None;
        }
        self.throughput *= fog.albedo;
        let [u, v, choice] = self.sampler.first(first_set + 1);
        let light = self.world.lights().sample_in_air(point, choice, [u, v]);
        if let Some(light) = light {
            let phase = fog.phase(before, light.direction);
            let weight = self.weight_of_light(&light, phase);
            let arriving = light.radiance * (phase * weight * fog.left_of(&light, point));
            if arriving != Vec3A::ZERO {
                self.rays += 1;
                if self.world.has_panes() {
                    self.add_through_panes(arriving, point, &light, looks);
                } else if !self.is_shadowed(point, &light) {
                    self.add(arriving, self.edges + 1);
                }
            }
        }
        let [u, v, _, roulette] = self.sampler.first(first_set);
        let after = fog.sample_phase(before, [u, v]);
        self.scatterings += 1;
        let goes_on = self.survives(1.0, || roulette);
        goes_on.then(|| (Ray::new(point, after), fog.phase(before, after)))
    }

    /// Whether something keeps `light` from arriving at a point in the air.
    fn is_shadowed(&self, point: Vec3A, light: &LightSample) -> bool {
        match light.end {
            End::Infinity => {
                self.world.is_blocked(&Ray::new(point, light.direction), f32::INFINITY)
            }
            End::Point(end) => self.world.is_blocked_between(point, end),
            End::Surface(end) => {
                self.world.is_blocked_between(point, end.origin_towards(-light.direction))
            }
        }
    }

    /// What a light sample is weighed with, where scattering finds its direction with the density
    /// `scattering_pdf`.
    #[inline(always)]
    fn weight_of_light(&self, sample: &LightSample, scattering_pdf: f32) -> f32 {
        match (sample.pdf, self.settings.direct_lighting) {
            (None, _) => 1.0,
            (Some(_), DirectLighting::Bsdf) => 0.0,
            (Some(pdf), DirectLighting::Lights) => 1.0 / pdf,
            (Some(pdf), DirectLighting::Mis) => power_heuristic(pdf, scattering_pdf) / pdf,
        }
    }

    /// Russian roulette by what the path can still bring.
    #[inline(always)]
    fn survives(&mut self, eta_squared: f32, roulette: impl FnOnce() -> f32) -> bool {
        let brightest = self.throughput.max_element() * eta_squared;
        if brightest == 0.0 {
            return false;
        }
        if !self.settings.russian_roulette {
            return true;
        }
        let Some(chance) = chance_to_survive(self.edges, self.scatterings, brightest) else {
            return true;
        };
        self.throughput /= chance;
        roulette() < chance
    }

    fn meet_sky(&mut self, direction: Vec3A, origin: Option<&Origin<S::Place>>) {
        let sky = &self.world.lights().environment;
        let weight = self.weight_of_meeting(origin, Source::Sky, None, direction, |origin| {
            sky.pdf(&origin.receiver, direction)
        });
        self.add(sky.radiance(direction) * weight, self.edges);
    }

    #[inline(always)]
    fn meet_light(
        &mut self,
        index: usize,
        (surface, part): (&SurfacePoint, u32),
        direction: Vec3A,
        origin: Option<&Origin<S::Place>>,
    ) {
        let light = &self.world.lights().lights[index];
        let radiance = light.radiance(surface, part, -direction);
        if radiance == Vec3A::ZERO {
            return;
        }
        let source = Source::Light(index);
        let weight = self.weight_of_meeting(origin, source, Some(surface), direction, |origin| {
            light.pdf(origin.receiver.point, surface, direction)
        });
        self.add(radiance * weight, self.edges);
    }

    /// Apart from the loop: most scenes have no shape that glows.
    #[inline(never)]
    fn meet_glow(
        &mut self,
        glow: Glow,
        (surface, part): (&SurfacePoint, u32),
        direction: Vec3A,
        origin: Option<&Origin<S::Place>>,
    ) {
        if let Some((light, surface)) = glow.seen(surface, direction) {
            self.meet_light(light, (&surface, part), direction, origin);
        }
    }

    /// The weight of having met `source`, of which `surface` was met, by following the path along
    /// `direction`; `pdf_of_light` is the density of finding the same by sampling that source.
    fn weight_of_meeting(
        &self,
        origin: Option<&Origin<S::Place>>,
        source: Source,
        surface: Option<&SurfacePoint>,
        direction: Vec3A,
        pdf_of_light: impl FnOnce(&Origin<S::Place>) -> f32,
    ) -> f32 {
        let Some(origin) = origin else { return 1.0 };
        match self.settings.direct_lighting {
            DirectLighting::Lights => {
                let sampled = S::is_in_air(origin.place)
                    || source != Source::Sky
                    || self.world.lights().samples_sky(&origin.receiver);
                if sampled { 0.0 } else { 1.0 }
            }
            DirectLighting::Bsdf => 1.0,
            DirectLighting::Mis if S::is_in_air(origin.place) => {
                let (lights, point) = (self.world.lights(), origin.receiver.point);
                let pdf = lights.pdf_in_air(point, source, surface, direction);
                power_heuristic(origin.pdf, pdf)
            }
            DirectLighting::Mis => {
                let chance = self.world.lights().chance(&origin.receiver, source);
                power_heuristic(origin.pdf, chance * pdf_of_light(origin))
            }
        }
    }

    /// Next-event estimation: one sample of one light.
    #[inline(always)]
    fn add_direct_light(
        &mut self,
        vertex: &Vertex<'_>,
        receiver: &Receiver,
        set: u32,
        (looks, inside): (&Looks, bool),
    ) {
        let [u, v, choice] = self.sampler.first(set);
        let Some(sample) = self.world.lights().sample(receiver, choice, [u, v]) else {
            return;
        };
        let scattering = vertex.evaluate(sample.direction);
        let weight = self.weight_of_light(&sample, scattering.pdf);
        let mut arriving = scattering.value * sample.radiance * weight;
        if arriving == Vec3A::ZERO {
            return;
        }
        if let Some(left) = vertex.left_of(&sample) {
            arriving *= left;
        }
        if let Some(fog) = self.scenery.fog() {
            let behind = vertex.is_behind(sample.direction);
            if !(if behind { vertex.outside } else { inside }) {
                arriving *= fog.left_of(&sample, vertex.surface.point);
            }
        }
        self.rays += 1;
        if !S::SIMPLE && self.world.has_panes() {
            let start = vertex.start_towards(sample.direction);
            self.add_through_panes(arriving, start, &sample, looks);
        } else if !vertex.is_shadowed(self.world, &sample) {
            self.add(arriving, self.edges + 1);
        }
    }

    /// Each pane on the way of the light is an edge more, as it is for a path that meets it.
    #[inline(never)]
    fn add_through_panes(
        &mut self,
        arriving: Vec3A,
        start: Vec3A,
        sample: &LightSample,
        looks: &Looks,
    ) {
        let most_panes = self.settings.max_depth - self.edges - 1;
        let left = panes::arriving(self.world, start, sample, looks, most_panes);
        self.rays += left.panes;
        self.add(arriving * left.share, self.edges + 1 + left.panes);
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

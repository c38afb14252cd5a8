//! The choice of a light for next-event estimation, in proportion to its unshadowed importance.

use fearless_simd::Level;
use glam::Vec3A;

use super::block::{LANES, LightBlock};
use super::tree::LightTree;
use super::weighted_choice::{Chosen, weighted_choice};
use super::{EmissionChoice, Emitted, Environment, Known, Light, LightSample, Receiver, Source};
use crate::bounds::Bounds;
use crate::instructions::InstructionSet;
use crate::ray::SurfacePoint;

/// Up to this many lights are weighted individually at every point; more are chosen by a light
/// tree.
pub(super) const MAX_WEIGHED: usize = 32;
/// The maximum probability of choosing the sky while there are other lights: BSDF samples find the
/// sky by themselves, and indoors it is hidden.
pub(super) const MAX_SKY_SHARE: f32 = 0.5;
/// The probability of choosing the sky when lights are chosen by the tree.
pub(super) const SKY_SHARE_OF_MANY: f32 = 0.25;

/// All lights and the sky.
#[derive(Debug, Clone)]
pub(crate) struct LightSet {
    pub(crate) lights: Vec<Light>,
    pub(crate) environment: Environment,
    /// The lights in their order, side by side.
    pub(super) blocks: Vec<LightBlock<LANES>>,
    /// With more than [`MAX_WEIGHED`] lights.
    pub(super) tree: Option<LightTree>,
    /// The instructions by which they are weighed.
    level: Level,
    emission: EmissionChoice,
}

/// The probabilities of all sources at one point of a surface.
struct Chances {
    weights: [f32; MAX_WEIGHED],
    total: f32,
    sky: f32,
}

impl LightSet {
    /// `bounds` is the bounding box of the scene.
    pub(crate) fn new(lights: Vec<Light>, environment: Environment, bounds: Bounds) -> Self {
        let tree = (lights.len() > MAX_WEIGHED).then(|| LightTree::new(&lights));
        let emission = EmissionChoice::new(&lights, &environment, bounds);
        let blocks =
            lights.chunks(LANES).map(|lights| LightBlock::new(lights.iter().map(Light::bounds)));
        let (blocks, level) = (blocks.collect(), InstructionSet::Best.level());
        Self { lights, environment, blocks, tree, level, emission }
    }

    /// The same lights, weighed with other instructions.
    pub(crate) fn with_level(&self, level: Level) -> Self {
        Self { level, ..self.clone() }
    }

    /// The importance of each light for points in the air.
    pub(super) fn fluences(&self, point: Vec3A) -> impl Iterator<Item = f32> {
        let blocks = self.blocks.iter().flat_map(move |block| block.fluence(self.level, point));
        blocks.take(self.lights.len())
    }

    /// Samples an emitted ray of a source chosen by power. `None` without lights.
    pub(crate) fn emit(&self, choice: f32, place: [f32; 2], u: [f32; 2]) -> Option<Emitted> {
        self.emission.emit(&self.lights, &self.environment, choice, place, u)
    }

    /// The pdf with which [`emit`](Self::emit) samples a ray of `source` along the unit vector
    /// `direction` at `cos` to the normal, per steradian and, except for point lights, per area.
    pub(crate) fn emission_pdf(&self, source: Source, direction: Vec3A, cos: f32) -> f32 {
        self.emission.pdf(&self.lights, &self.environment, source, direction, cos)
    }

    /// Samples light at `receiver` from a source chosen by `choice`; the pdf includes the choice. A smooth sky is
    /// sampled by other numbers than lights. `None` if no light can arrive.
    #[inline(always)]
    pub(crate) fn sample(
        &self,
        receiver: &Receiver<impl Known>,
        choice: f32,
        [of_light, of_smooth_sky]: [[f32; 2]; 2],
    ) -> Option<LightSample> {
        let is_smooth = !self.environment.is_uneven(receiver.known);
        let of_sky = if is_smooth { of_smooth_sky } else { of_light };
        let (mut sample, _, chance) = self.sample_source(receiver, choice, [of_light, of_sky])?;
        match &mut sample.pdf {
            Some(pdf) => *pdf *= chance,
            None => sample.radiance /= chance,
        }
        Some(sample)
    }

    /// Samples light at `receiver` from a source chosen by `choice`; returns also the source and
    /// the probability of its choice, which the pdf does not include. `None` if no light can
    /// arrive.
    #[inline(always)]
    pub(crate) fn sample_source(
        &self,
        receiver: &Receiver<impl Known>,
        choice: f32,
        [of_light, of_sky]: [[f32; 2]; 2],
    ) -> Option<(LightSample, Source, f32)> {
        let (source, chance) = self.choose(receiver, choice)?;
        let sample = match source {
            Source::Light(index) => self.lights[index].sample(receiver.point, of_light)?,
            Source::Sky => self.environment.sample(receiver, of_sky)?,
        };
        Some((sample, source, chance))
    }

    /// The pdf per steradian of sampling the point `surface` of the light `source`, which is in
    /// `direction` from `from`, once the source is chosen. The sky has no such points.
    pub(crate) fn pdf(
        &self,
        source: Source,
        from: Vec3A,
        place: (&SurfacePoint, u32),
        direction: Vec3A,
    ) -> f32 {
        match source {
            Source::Light(index) => self.lights[index].pdf(from, place, direction),
            Source::Sky => 0.0,
        }
    }

    /// The probability that [`sample`](Self::sample) chooses `source`.
    pub(crate) fn chance(&self, receiver: &Receiver<impl Known>, source: Source) -> f32 {
        if let Some(tree) = &self.tree {
            let sky = self.sky_share_of_many(receiver);
            return match source {
                Source::Light(index) => (1.0 - sky) * tree.chance(self.level, receiver, index),
                Source::Sky => sky,
            };
        }
        if self.is_only_source(receiver) {
            return if source == Source::Sky { 0.0 } else { 1.0 };
        }
        let chances = self.chances(receiver);
        match source {
            Source::Light(_) if chances.total == 0.0 => 0.0,
            Source::Light(index) => (1.0 - chances.sky) * chances.weights[index] / chances.total,
            Source::Sky => chances.sky,
        }
    }

    #[inline(always)]
    pub(super) fn choose(
        &self,
        receiver: &Receiver<impl Known>,
        choice: f32,
    ) -> Option<(Source, f32)> {
        if let Some(tree) = &self.tree {
            return self.choose_of_many(tree, receiver, choice);
        }
        if self.is_only_source(receiver) {
            return Some((Source::Light(0), 1.0));
        }
        let chances = self.chances(receiver);
        if choice < chances.sky {
            return Some((Source::Sky, chances.sky));
        }
        if chances.total == 0.0 {
            return None;
        }
        let lights = 1.0 - chances.sky;
        let left = (choice - chances.sky) / lights * chances.total;
        let weights = &chances.weights[..self.lights.len()];
        let Chosen { index, weight, .. } = weighted_choice(weights.iter().copied(), left)?;
        Some((Source::Light(index), lights * weight / chances.total))
    }

    /// Whether there is only one light to choose, so that no weights are needed.
    fn is_only_source(&self, receiver: &Receiver<impl Known>) -> bool {
        let without_sky = !self.samples_sky(receiver) || self.environment.is_dark(receiver.known);
        without_sky && self.lights.len() == 1
    }

    #[inline(always)]
    fn chances(&self, receiver: &Receiver<impl Known>) -> Chances {
        let mut weights = [0.0; MAX_WEIGHED];
        let mut total = 0.0;
        for (weights, block) in weights.as_chunks_mut().0.iter_mut().zip(&self.blocks) {
            *weights = block.importance(self.level, receiver);
            total += weights.iter().sum::<f32>();
        }
        let sampled = self.samples_sky(receiver);
        let sky = if sampled { self.environment.importance(receiver) } else { 0.0 };
        let sky = if sky == 0.0 {
            0.0
        } else if total == 0.0 {
            1.0
        } else {
            (sky / (sky + total)).min(MAX_SKY_SHARE)
        };
        Chances { weights, total, sky }
    }

    /// Whether the sky is sampled at `receiver`.
    #[inline]
    pub(crate) fn samples_sky(&self, receiver: &Receiver<impl Known>) -> bool {
        receiver.samples_sky || self.environment.is_uneven(receiver.known)
    }

    fn sky_share_of_many(&self, receiver: &Receiver<impl Known>) -> f32 {
        let sampled = self.samples_sky(receiver) && !self.environment.is_dark(receiver.known);
        if sampled { SKY_SHARE_OF_MANY } else { 0.0 }
    }

    fn choose_of_many(
        &self,
        tree: &LightTree,
        receiver: &Receiver<impl Known>,
        choice: f32,
    ) -> Option<(Source, f32)> {
        let sky = self.sky_share_of_many(receiver);
        if choice < sky {
            return Some((Source::Sky, sky));
        }
        let among_lights = (choice - sky) / (1.0 - sky);
        let (index, chance) = tree.choose(self.level, receiver, among_lights)?;
        Some((Source::Light(index), (1.0 - sky) * chance))
    }
}

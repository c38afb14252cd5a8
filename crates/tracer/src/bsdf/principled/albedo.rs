//! How much of the light from one direction comes back in all others.
//!
//! Computed when a material is made, by sampling the interface: then what several layers take and
//! leave adds up to all there is. The cost is some tenths of a millisecond, so interfaces of the same
//! numbers share what was computed, also from one edit to the next.

use std::collections::HashMap;
use std::f32::consts::FRAC_PI_2;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use glam::Vec3A;

use super::cover::Cover;
use super::curve::Curve;
use super::fresnel::Border;
use super::fuzz::FuzzShape;
use super::ggx::Ggx;
use super::glass::{Glass, Shares};

/// Directions around the normal that are told apart on brushed surfaces, over a quarter turn.
const AZIMUTHS: usize = 9;

/// A share of reflected light by direction.
#[derive(Debug, Clone)]
pub(super) struct Albedo {
    /// One when it is the same all around the normal; for brushed surfaces [`AZIMUTHS`], by the cosine
    /// to their x axis, closer to each other along that axis and across it.
    curves: Vec<Curve>,
}

impl Albedo {
    pub(super) fn new(ggx: &Ggx, share: impl Fn(Vec3A) -> Vec3A) -> Self {
        let at = |x: f32| {
            let y = (1.0 - x * x).max(0.0).sqrt();
            Curve::new(|cos| {
                let sin = (1.0 - cos * cos).max(0.0).sqrt();
                share(Vec3A::new(sin * x, sin * y, cos))
            })
        };
        if ggx.is_even() {
            return Self { curves: vec![at(1.0)] };
        }
        Self { curves: (0..AZIMUTHS).map(|row| at(cosine_of_row(row))).collect() }
    }

    /// Of light along `w`, on either side.
    pub(super) fn at(&self, w: Vec3A) -> Vec3A {
        if let [curve] = &self.curves[..] {
            return curve.at(w.z.abs());
        }
        let across = (w.x * w.x + w.y * w.y).sqrt();
        let cosine = if across > 0.0 { (w.x.abs() / across).min(1.0) } else { 1.0 };
        between(cosine, |row| self.curves[row].at(w.z.abs()))
    }

    /// The mean over all directions, each by its cosine.
    pub(super) fn mean(&self) -> Vec3A {
        let means: Vec<Vec3A> = self.curves.iter().map(Curve::mean).collect();
        if let [mean] = means[..] {
            return mean;
        }
        let steps = 64;
        let angle = |step: usize| (step as f32 + 0.5) / steps as f32 * FRAC_PI_2;
        let at = |step: usize| between(angle(step).cos(), |row| means[row]);
        (0..steps).map(at).sum::<Vec3A>() / steps as f32
    }
}

/// The cosine to the x axis that a row belongs to.
fn cosine_of_row(row: usize) -> f32 {
    let half = (AZIMUTHS - 1) as f32 / 2.0;
    let place = row as f32 / half;
    if place <= 1.0 { 0.5 * place * place } else { 1.0 - 0.5 * (2.0 - place).powi(2) }
}

/// A value at a cosine to the x axis, from those of the two rows it lies between.
fn between(cosine: f32, of_row: impl Fn(usize) -> Vec3A) -> Vec3A {
    let half = (AZIMUTHS - 1) as f32 / 2.0;
    let place = if cosine <= 0.5 {
        (2.0 * cosine).sqrt()
    } else {
        2.0 - (2.0 * (1.0 - cosine).max(0.0)).sqrt()
    };
    let row = ((place * half) as usize).min(AZIMUTHS - 2);
    let [low, high] = [row, row + 1].map(cosine_of_row);
    of_row(row).lerp(of_row(row + 1), (cosine - low) / (high - low))
}

/// The most that is kept; then it is forgotten and starts anew. An entry takes 700 bytes, of a brushed
/// surface nine times that.
const MAX_CACHED: usize = 2000;

/// What is tabulated, of which numbers.
type Key = (&'static str, Vec<u32>);

/// What was computed, by the numbers it depends on. Kept for the life of the process, because a scene
/// is built anew at each edit, and by a lock, because several are at once; it is held to look up and to
/// put in only.
#[derive(Debug, Default)]
struct Kept {
    albedos: HashMap<Key, Arc<Albedo>>,
    fuzz: HashMap<u32, Arc<Curve>>,
}

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// What facets that reflect everything lose at one reflection below `cover`: to each other, and to
/// the layers, which send it down again.
pub(super) fn lost_by_mirrors(ggx: &Ggx, cover: impl Cover) -> Arc<Albedo> {
    let kept_of = |wo: Vec3A| {
        average(ggx, wo, FACETS, |met| Vec3A::splat(met.leaving * cover.passing_both(wo, met.wi)))
    };
    let lost = |wo: Vec3A| (cover.passing(wo) - kept_of(wo)).max(Vec3A::ZERO);
    kept(key("mirrors", ggx, &cover.signature()), || Albedo::new(ggx, lost))
}

/// What the facets of a dielectric border reflect below `cover`.
pub(super) fn of_border(ggx: &Ggx, border: &Border, cover: impl Cover) -> Arc<Albedo> {
    let reflected = |wo: Vec3A| {
        average(ggx, wo, FACETS, |met| {
            border.at(met.cos).0 * (met.leaving * cover.passing_both(wo, met.wi))
        })
    };
    let key = key("border", ggx, &[border.signature(), cover.signature()].concat());
    kept(key, || Albedo::new(ggx, reflected))
}

/// What rough glass under `cover` loses of light that it reflects or lets through, met from `outside` or
/// from inside.
pub(super) fn lost_by_glass(
    ggx: &Ggx,
    glass: &Glass,
    cover: impl Cover,
    outside: bool,
) -> Arc<Albedo> {
    let count = if glass.bend() < 1.0 { FACETS_INSIDE } else { FACETS };
    let kept_of = |wo: Vec3A| {
        average(ggx, wo, count, |met| {
            let Shares { reflected, through } = glass.shares(met.cos, Vec3A::ONE);
            let mut leaving = met.leaving;
            let mut passing = 0.0;
            if let Some(wi) = glass.through(wo, met.facet) {
                passing = ggx.leaving(wo, wi) * cover.passing(if outside { wo } else { wi });
            }
            if outside {
                leaving *= cover.passing_both(wo, met.wi);
            }
            reflected * leaving + through * passing
        })
    };
    let whole = |wo: Vec3A| if outside { cover.passing(wo) } else { 1.0 };
    let lost = |wo: Vec3A| (whole(wo) - kept_of(wo)).max(Vec3A::ZERO);
    let numbers = [glass.signature(), vec![u32::from(outside)], cover.signature()].concat();
    kept(key("glass", ggx, &numbers), || Albedo::new(ggx, lost))
}

/// Of white fuzz.
pub(super) fn of_fuzz(fuzz: &FuzzShape) -> Arc<Curve> {
    let signature = fuzz.signature();
    if let Some(known) = lock().fuzz.get(&signature) {
        return Arc::clone(known);
    }
    let albedo = Arc::new(fuzz.albedo());
    let mut kept = lock();
    if kept.fuzz.len() >= MAX_CACHED {
        kept.fuzz.clear();
    }
    kept.fuzz.insert(signature, Arc::clone(&albedo));
    albedo
}

fn kept(key: Key, compute: impl FnOnce() -> Albedo) -> Arc<Albedo> {
    if let Some(known) = lock().albedos.get(&key) {
        return Arc::clone(known);
    }
    let albedo = Arc::new(compute());
    let mut kept = lock();
    if kept.albedos.len() >= MAX_CACHED {
        kept.albedos.clear();
    }
    kept.albedos.insert(key, Arc::clone(&albedo));
    albedo
}

/// A panic while it was held cannot have left anything half done: entries go in whole.
fn lock() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(what: &'static str, ggx: &Ggx, numbers: &[u32]) -> Key {
    let facets = [ggx.alpha.x, ggx.alpha.y].map(f32::to_bits);
    (what, [&facets[..], numbers].concat())
}

/// Facets for the mean over facets: good to about 0.001.
const FACETS: u16 = 320;

/// More of them where some facets reflect all light and their neighbours little: good to about 0.005.
const FACETS_INSIDE: u16 = 768;

/// A facet that is met by light from somewhere.
struct Met {
    facet: Vec3A,
    /// Of that light to the facet.
    cos: f32,
    /// Where it goes when it is reflected.
    wi: Vec3A,
    /// The share of the reflected that meets no other facet.
    leaving: f32,
}

/// The mean of a function of `count` of the facets that are seen from `wo`. Steep facets are rare, but it
/// is they that lose light: they are looked at more closely. The facets lie in a spiral, its turns apart
/// by the golden angle, which leaves neither gaps nor rows.
fn average(ggx: &Ggx, wo: Vec3A, count: u16, value: impl Fn(&Met) -> Vec3A) -> Vec3A {
    const GOLDEN_TURN: f32 = 0.618_034;
    let (mut sum, mut weights) = (Vec3A::ZERO, 0.0);
    for at in 0..count {
        let place = (f32::from(at) + 0.5) / f32::from(count);
        let weight = 3.0 * place * place;
        let turn = (0.5 + f32::from(at) * GOLDEN_TURN).fract();
        let facet = ggx.sample_visible(wo, [1.0 - place * place * place, turn]);
        let cos = wo.dot(facet);
        let wi = 2.0 * cos * facet - wo;
        let leaving = if wi.z > 0.0 { ggx.leaving(wo, wi) } else { 0.0 };
        sum += value(&Met { facet, cos, wi, leaving }) * weight;
        weights += weight;
    }
    sum / weights
}

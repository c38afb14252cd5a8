//! Directional albedos: the share of light from one direction that is reflected in all others.
//!
//! They make layers conserve energy. They are computed by sampling the interface when a material is
//! built, in some tenths of a millisecond; equal interfaces share a table through a cache that
//! outlives edits.

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

/// Azimuths tabulated for anisotropic surfaces, over a quarter turn.
const AZIMUTHS: usize = 9;

/// A directional albedo.
#[derive(Debug, Clone)]
pub(super) struct Albedo {
    /// One curve for an isotropic surface. For an anisotropic one [`AZIMUTHS`], by the cosine to
    /// the x axis, denser near that axis and perpendicular to it.
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

    /// The value for light along `w`, on either side.
    pub(super) fn at(&self, w: Vec3A) -> Vec3A {
        if let [curve] = &self.curves[..] {
            return curve.at(w.z.abs());
        }
        let across = (w.x * w.x + w.y * w.y).sqrt();
        let cosine = if across > 0.0 { (w.x.abs() / across).min(1.0) } else { 1.0 };
        between(cosine, |row| self.curves[row].at(w.z.abs()))
    }

    /// The cosine-weighted mean over all directions.
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

/// Interpolates between the rows on both sides of a cosine to the x axis.
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

/// The maximum number of cache entries; a full cache is emptied. An entry takes 700 bytes, nine
/// times that for an anisotropic surface.
const MAX_CACHED: usize = 2000;

/// The key of a table: its kind, and the numbers it depends on.
type Key = (&'static str, Vec<u32>);

/// The cache of tables. It lives as long as the process, because every edit rebuilds the scene. The
/// lock is held for lookups and insertions only.
#[derive(Debug, Default)]
struct TableCache {
    albedos: HashMap<Key, Arc<Albedo>>,
    fuzz: HashMap<u32, Arc<Curve>>,
}

static TABLE_CACHE: LazyLock<Mutex<TableCache>> = LazyLock::new(Mutex::default);

/// The energy that perfectly reflecting microfacets lose at one reflection below `cover`: to each
/// other, and to the layers above.
pub(super) fn lost_by_mirrors(ggx: &Ggx, cover: impl Cover) -> Arc<Albedo> {
    let kept_of = |wo: Vec3A| {
        average(ggx, wo, FACETS, |met| Vec3A::splat(met.leaving * cover.passing_both(wo, met.wi)))
    };
    let lost = |wo: Vec3A| (cover.passing(wo) - kept_of(wo)).max(Vec3A::ZERO);
    kept(key("mirrors", ggx, &cover.signature()), || Albedo::new(ggx, lost))
}

/// The directional albedo of a rough dielectric interface below `cover`.
pub(super) fn of_border(ggx: &Ggx, border: &Border, cover: impl Cover) -> Arc<Albedo> {
    let reflected = |wo: Vec3A| {
        average(ggx, wo, FACETS, |met| {
            border.at(met.cos).0 * (met.leaving * cover.passing_both(wo, met.wi))
        })
    };
    let key = key("border", ggx, &[border.signature(), cover.signature()].concat());
    kept(key, || Albedo::new(ggx, reflected))
}

/// The energy that rough glass below `cover` loses at one reflection or refraction, from `outside`
/// or from inside.
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

/// The directional albedo of white fuzz.
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

/// Recovers from poisoning: entries are inserted whole, so a panic cannot leave the cache
/// inconsistent.
fn lock() -> MutexGuard<'static, TableCache> {
    TABLE_CACHE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(what: &'static str, ggx: &Ggx, numbers: &[u32]) -> Key {
    let facets = [ggx.alpha.x, ggx.alpha.y].map(f32::to_bits);
    (what, [&facets[..], numbers].concat())
}

/// Microfacets per mean: accurate to about 0.001.
const FACETS: u16 = 320;

/// Microfacets per mean under total internal reflection: accurate to about 0.005.
const FACETS_INSIDE: u16 = 768;

/// A visible microfacet.
struct VisibleFacet {
    facet: Vec3A,
    /// The cosine between the viewer's direction and the facet.
    cos: f32,
    /// The reflected direction.
    wi: Vec3A,
    /// The share of reflected light that is not shadowed.
    leaving: f32,
}

/// The mean of `value` over `count` visible microfacets as seen from `wo`. Steep facets are rare
/// but lose most energy, so they are sampled more densely. The samples lie on a golden-angle
/// spiral, which has neither gaps nor rows.
fn average(ggx: &Ggx, wo: Vec3A, count: u16, value: impl Fn(&VisibleFacet) -> Vec3A) -> Vec3A {
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
        sum += value(&VisibleFacet { facet, cos, wi, leaving }) * weight;
        weights += weight;
    }
    sum / weights
}

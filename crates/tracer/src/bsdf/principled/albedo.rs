//! How much of the light from one direction comes back in all others.
//!
//! Computed when a material is made, by sampling the interface: then what several layers take and
//! leave adds up to all there is. The cost is some tenths of a millisecond, so interfaces of the same
//! numbers share what was computed, also from one edit to the next.

use std::collections::HashMap;
use std::f32::consts::FRAC_PI_2;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use glam::Vec3A;

use super::curve::Curve;
use super::fresnel::Border;
use super::fuzz::FuzzShape;
use super::ggx::Ggx;

/// Directions around the normal that are told apart on brushed surfaces, over a quarter turn.
const AZIMUTHS: usize = 5;

/// A share of reflected light by direction.
#[derive(Debug, Clone)]
pub(super) struct Albedo {
    /// One when it is the same all around the normal; for brushed surfaces [`AZIMUTHS`], by the square
    /// of the cosine to their x axis.
    curves: Vec<Curve>,
}

impl Albedo {
    fn new(ggx: &Ggx, share: impl Fn(Vec3A) -> Vec3A) -> Self {
        let at = |azimuth: f32| {
            let (x, y) = (azimuth.sqrt(), (1.0 - azimuth).sqrt());
            Curve::new(|cos| {
                let sin = (1.0 - cos * cos).max(0.0).sqrt();
                share(Vec3A::new(sin * x, sin * y, cos))
            })
        };
        if ggx.is_even() {
            return Self { curves: vec![at(0.5)] };
        }
        let azimuth = |row: usize| row as f32 / (AZIMUTHS - 1) as f32;
        Self { curves: (0..AZIMUTHS).map(|row| at(azimuth(row))).collect() }
    }

    /// Of light along `w`, on either side.
    pub(super) fn at(&self, w: Vec3A) -> Vec3A {
        if let [curve] = &self.curves[..] {
            return curve.at(w.z.abs());
        }
        let across = w.x * w.x + w.y * w.y;
        let azimuth = if across > 0.0 { w.x * w.x / across } else { 0.5 };
        between(azimuth, |row| self.curves[row].at(w.z.abs()))
    }

    /// The mean over all directions, each by its cosine.
    pub(super) fn mean(&self) -> Vec3A {
        let means: Vec<Vec3A> = self.curves.iter().map(Curve::mean).collect();
        if let [mean] = means[..] {
            return mean;
        }
        // The azimuths are even in the squared cosine, not in the angle.
        let steps = 64;
        let angle = |step: usize| (step as f32 + 0.5) / steps as f32 * FRAC_PI_2;
        let at = |step: usize| between(angle(step).cos().powi(2), |row| means[row]);
        (0..steps).map(at).sum::<Vec3A>() / steps as f32
    }
}

/// A value at an azimuth, from those of the two rows it lies between.
fn between(azimuth: f32, of_row: impl Fn(usize) -> Vec3A) -> Vec3A {
    let place = azimuth * (AZIMUTHS - 1) as f32;
    let row = (place as usize).min(AZIMUTHS - 2);
    of_row(row).lerp(of_row(row + 1), place - row as f32)
}

/// The most that is kept; then it is forgotten and starts anew. An entry takes 600 bytes, of a brushed
/// surface five times that.
const MOST_KEPT: usize = 2000;

/// What was computed, by the numbers it depends on. Kept for the life of the process, because a scene
/// is built anew at each edit, and by a lock, because several are at once; it is held to look up and to
/// put in only.
#[derive(Debug, Default)]
struct Kept {
    albedos: HashMap<Vec<u32>, Arc<Albedo>>,
    fuzz: HashMap<u32, Arc<Curve>>,
}

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// Of facets that reflect everything, counting one reflection.
pub(super) fn of_mirrors(ggx: &Ggx) -> Arc<Albedo> {
    kept(key(ggx, 0, &[]), || {
        Albedo::new(ggx, |wo| average(ggx, wo, |_, reflected| Vec3A::splat(reflected)))
    })
}

/// Of a dielectric border: what it reflects, at one facet.
pub(super) fn of_border(ggx: &Ggx, border: &Border) -> Arc<Albedo> {
    let reflected =
        |wo: Vec3A| average(ggx, wo, |facet, leaving| border.at(wo.dot(facet)).0 * leaving);
    let key = key(ggx, border.eta.to_bits(), &border.signature());
    kept(key, || Albedo::new(ggx, reflected))
}

/// Of a dielectric border: what it reflects and lets through, at one facet.
pub(super) fn of_glass(ggx: &Ggx, border: &Border) -> Arc<Albedo> {
    let both = |wo: Vec3A| {
        average(ggx, wo, |facet, leaving| {
            let cos = wo.dot(facet);
            let (reflected, behind) = border.at(cos);
            let through = refracted(wo, facet, cos, behind, border.eta);
            let passes = behind > 0.0 && through.z < 0.0;
            let passing = if passes { ggx.leaving(wo, through) } else { 0.0 };
            reflected * leaving + (Vec3A::ONE - reflected) * passing
        })
    };
    let mut rest = border.signature();
    rest.push(u32::MAX);
    kept(key(ggx, border.eta.to_bits(), &rest), || Albedo::new(ggx, both))
}

/// Of white fuzz.
pub(super) fn of_fuzz(fuzz: &FuzzShape) -> Arc<Curve> {
    let signature = fuzz.signature();
    if let Some(known) = lock().fuzz.get(&signature) {
        return Arc::clone(known);
    }
    let albedo = Arc::new(fuzz.albedo());
    let mut kept = lock();
    if kept.fuzz.len() >= MOST_KEPT {
        kept.fuzz.clear();
    }
    kept.fuzz.insert(signature, Arc::clone(&albedo));
    albedo
}

fn kept(key: Vec<u32>, compute: impl FnOnce() -> Albedo) -> Arc<Albedo> {
    if let Some(known) = lock().albedos.get(&key) {
        return Arc::clone(known);
    }
    let albedo = Arc::new(compute());
    let mut kept = lock();
    if kept.albedos.len() >= MOST_KEPT {
        kept.albedos.clear();
    }
    kept.albedos.insert(key, Arc::clone(&albedo));
    albedo
}

/// A panic while it was held cannot have left anything half done: entries go in whole.
fn lock() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(ggx: &Ggx, eta: u32, rest: &[u32]) -> Vec<u32> {
    [ggx.alpha.x.to_bits(), ggx.alpha.y.to_bits(), eta]
        .into_iter()
        .chain(rest.iter().copied())
        .collect()
}

/// The direction of light from `wo` that goes through a facet it meets at `cos`.
pub(super) fn refracted(wo: Vec3A, facet: Vec3A, cos: f32, behind: f32, eta: f32) -> Vec3A {
    facet * (cos / eta - behind) - wo / eta
}

/// Facets across and around for the mean over facets.
const GRID: [usize; 2] = [24, 12];

/// The mean of a function of the facets that are seen from `wo` and the share that leaves them when
/// reflected. Steep facets are rare, but it is they that lose light: they are looked at more closely.
fn average(ggx: &Ggx, wo: Vec3A, value: impl Fn(Vec3A, f32) -> Vec3A) -> Vec3A {
    let mut sum = Vec3A::ZERO;
    for row in 0..GRID[0] {
        let place = (row as f32 + 0.5) / GRID[0] as f32;
        let weight = 3.0 * place * place;
        for column in 0..GRID[1] {
            let u = [1.0 - place * place * place, (column as f32 + 0.5) / GRID[1] as f32];
            let facet = ggx.sample_visible(wo, u);
            let wi = 2.0 * wo.dot(facet) * facet - wo;
            let leaving = if wi.z > 0.0 { ggx.leaving(wo, wi) } else { 0.0 };
            sum += value(facet, leaving) * weight;
        }
    }
    // The weights of the rows add up to a little less than their number.
    let rows: f32 =
        (0..GRID[0]).map(|row| 3.0 * ((row as f32 + 0.5) / GRID[0] as f32).powi(2)).sum();
    sum / (rows * GRID[1] as f32)
}

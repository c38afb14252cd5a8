//! The physical sky: sky map and sun for an elevation of the sun, with exposure.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use glam::DVec3;

use super::atmosphere::Atmosphere;
use super::map::SkyMap;
use super::sun::Sun;
use crate::color::channels;
use crate::color::luminance;
use crate::vector::single;

/// The exposed sky and sun.
#[derive(Debug, Clone)]
pub(crate) struct Day {
    pub(crate) map: Arc<SkyMap>,
    /// `None` when it has set.
    pub(crate) sun: Option<Sun>,
}

/// The share of the change in daylight, in stops, that the automatic exposure compensates.
const FOLLOWED: f32 = 0.7;
/// The sine of the sun's elevation below which it is night and gets no darker.
const NIGHT: f64 = -0.12;
/// The angular diameter of the sun: half a degree, in radians.
const SUN_DIAMETER: f32 = 0.009_25;

/// The cache of skies: one takes some tens of milliseconds, and every edit rebuilds the scene. The
/// lock is held for lookups and insertions only.
static CACHE: LazyLock<Mutex<Vec<(scene::Sky, Day)>>> = LazyLock::new(Mutex::default);
/// The number of cached skies of 2.5 MB each.
const MAX_CACHED: usize = 8;

impl Day {
    /// The day for a sky of the document.
    pub(crate) fn of(sky: &scene::Sky) -> Self {
        // Entries are inserted whole, so a panic cannot leave the cache inconsistent.
        let lock = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().iter().find(|(of, _)| of == sky).map(|(_, day)| day.clone());
        known.unwrap_or_else(|| {
            let day = Self::new(sky);
            let mut kept = lock();
            if kept.len() >= MAX_CACHED {
                kept.remove(0);
            }
            kept.push((sky.clone(), day.clone()));
            day
        })
    }

    fn new(sky: &scene::Sky) -> Self {
        let mut towards = DVec3::from(sky.sun_direction());
        let has_set = towards.y < NIGHT;
        if has_set {
            let flat = DVec3::new(towards.x, 0.0, towards.z).try_normalize().unwrap_or(DVec3::Z);
            towards = flat * (1.0 - NIGHT * NIGHT).sqrt() + DVec3::Y * NIGHT;
        }
        let towards = single(towards);
        let ground = channels(sky.ground_color.get());
        let daylight = Atmosphere::new(sky.haze.get() as f32, ground).daylight(towards);
        let level = luminance(daylight.level).max(1e-9);
        // The exposure at which a white horizontal surface would be 1; see FOLLOWED.
        let exposure = std::f32::consts::PI * level.powf(-FOLLOWED);
        let scale = sky.strength.get() as f32 * exposure;
        let irradiance = daylight.sun * scale;
        let shines = irradiance.max_element() > 0.0;
        Self {
            map: Arc::new(daylight.map.scaled(scale)),
            sun: shines.then(|| Sun::new(towards, SUN_DIAMETER, irradiance)),
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3A;
    use serde_json::json;

    use super::*;

    fn day(time: f64) -> Day {
        let file = json!({ "version": 1, "shapes": [],
                           "environment": { "type": "sky", "time": time } });
        let scene = scene::Scene::from_json(&file).unwrap();
        let scene::Environment::Sky(sky) = &scene.environment else { panic!("a sky") };
        Day::of(sky)
    }

    /// The irradiance of a horizontal surface.
    fn level(day: &Day) -> f32 {
        let sun = day.sun.as_ref().map_or(0.0, |sun| sun.importance(Vec3A::Y));
        sun + day.map.irradiance(Vec3A::Y)
    }

    #[test]
    fn days_are_exposed_so_that_evenings_are_darker_but_not_dark() {
        let [noon, evening, dusk, night] = [12.0, 18.5, 20.2, 24.0].map(|time| level(&day(time)));
        let white = std::f32::consts::PI;
        assert!(noon > 0.85 * white && noon < 1.1 * white, "{noon}");
        assert!(evening > 0.4 * white && evening < 0.85 * noon, "{evening}");
        assert!(dusk > 0.05 * white && dusk < 0.5 * evening, "{dusk}");
        assert!(night > 0.0 && night < dusk, "{night}");
        assert!(day(12.0).sun.is_some() && day(24.0).sun.is_none());
    }

    #[test]
    fn a_day_is_computed_once() {
        assert!(Arc::ptr_eq(&day(9.25).map, &day(9.25).map));
    }
}

//! The parts of a stage as shapes and lights of the document, and back to the fit they were made by.

use std::sync::Arc;

use glam::DVec3;
use scene::{DiscSpotLight, Edit, Geometry, Light, LightSource, Scene, Shape};
use serde_json::json;

use super::edits::{created, rounded};
use super::fit::Fit;
use super::own::STAGE;
use super::setting::Setting;

pub(super) const GROUND: &str = "stage_ground";
pub(super) const KEY: &str = "stage_key_light";
pub(super) const FILL: &str = "stage_fill_light";

/// Radius of the ground by the fit's size: its edge is far beyond what the camera sees of it.
const GROUND_RADIUS: f64 = 60.0;

/// A round light, in sizes of the fit, so that what it lights is as bright at any size.
struct Lamp {
    id: &'static str,
    /// From what is shown to the light; of length one.
    way: DVec3,
    distance: f64,
    radius: f64,
    emission: fn(Setting) -> [f64; 3],
}

/// From the left of the camera and well above: shadows fall to the right and back.
const KEY_LAMP: Lamp = Lamp {
    id: KEY,
    way: DVec3::new(-0.412_081_8, 0.766_044_4, 0.493_311_5),
    distance: 5.0,
    radius: 1.5,
    emission: |setting| setting.look().key,
};

/// Large and weak, from the other side.
const FILL_LAMP: Lamp = Lamp {
    id: FILL,
    way: DVec3::new(0.887_694_3, 0.422_618_3, 0.182_960_4),
    distance: 6.0,
    radius: 2.2,
    emission: |setting| setting.look().fill,
};

pub(super) fn ground(fit: &Fit, setting: Setting) -> Option<Arc<Shape>> {
    let made = created(
        "create_shape",
        &json!({
            "id": GROUND, "type": "disc", "group": STAGE,
            "properties": {
                "center": [fit.target.x, fit.floor, fit.target.z],
                "normal": [0.0, 1.0, 0.0],
                "radius": rounded(DVec3::splat(GROUND_RADIUS * fit.size), fit.size)[0],
                "material": { "type": "lambertian", "albedo": setting.look().ground },
            },
        }),
    );
    match made? {
        Edit::CreateShape(shape) => Some(shape),
        _ => None,
    }
}

pub(super) fn key(fit: &Fit, setting: Setting) -> Option<Arc<LightSource>> {
    KEY_LAMP.made(fit, setting)
}

pub(super) fn fill(fit: &Fit, setting: Setting) -> Option<Arc<LightSource>> {
    FILL_LAMP.made(fit, setting)
}

impl Lamp {
    fn made(&self, fit: &Fit, setting: Setting) -> Option<Arc<LightSource>> {
        let center = fit.target + self.way * (self.distance * fit.size);
        let made = created(
            "create_light",
            &json!({
                "id": self.id, "type": "disc_spot_light", "group": STAGE,
                "properties": {
                    "center": rounded(center, fit.size),
                    "normal": (-self.way).to_array(),
                    "radius": rounded(DVec3::splat(self.radius * fit.size), fit.size)[0],
                    "emission": (self.emission)(setting),
                    "visible_to_camera": false,
                },
            }),
        );
        match made? {
            Edit::CreateLight(light) => Some(light),
            _ => None,
        }
    }

    /// The fit that the light was made by in a setting; `None` if it is another light. Whether the camera sees it does not
    /// matter: stages of older documents are seen.
    fn fit_of(&self, source: &LightSource, setting: Setting) -> Option<Fit> {
        let Light::DiscSpotLight(light) = &source.light else { return None };
        let size = light.radius.get() / self.radius;
        let target = DVec3::from(light.center.get()) - self.way * (self.distance * size);
        let fit = Fit { target, size, floor: 0.0 };
        let made = self.made(&fit, setting)?;
        let Light::DiscSpotLight(other) = &made.light else { return None };
        let is_alike = source.group == made.group
            && light.emission == other.emission
            && DVec3::from(light.normal.get()).distance(DVec3::from(other.normal.get())) < 1e-6;
        is_alike.then_some(fit)
    }
}

/// The light, as visible to the camera as the one of its name is now.
pub(super) fn as_visible_as(light: Arc<LightSource>, scene: &Scene) -> Arc<LightSource> {
    let Some(Light::DiscSpotLight(now)) = scene.light(light.id.as_str()).map(|now| &now.light)
    else {
        return light;
    };
    match &light.light {
        Light::DiscSpotLight(disc) => {
            let seen = DiscSpotLight { visible_to_camera: now.visible_to_camera, ..disc.clone() };
            Arc::new(LightSource { light: Light::DiscSpotLight(seen), ..(*light).clone() })
        }
        _ => light,
    }
}

/// The fit that a ground was made by in a setting, but for the height at which the camera looks.
pub(super) fn ground_of(shape: &Shape, setting: Setting) -> Option<Fit> {
    let Geometry::Disc(disc) = &shape.geometry else { return None };
    let [x, floor, z] = disc.center.get();
    let size = disc.radius.get() / GROUND_RADIUS;
    let fit = Fit { target: DVec3::new(x, floor, z), size, floor };
    let made = ground(&fit, setting)?;
    let is_alike = shape.group == made.group
        && shape.material == made.material
        && shape.intentional == made.intentional
        && matches!(&made.geometry, Geometry::Disc(other) if other.normal == disc.normal);
    is_alike.then_some(fit)
}

pub(super) fn key_of(light: &LightSource, setting: Setting) -> Option<Fit> {
    KEY_LAMP.fit_of(light, setting)
}

pub(super) fn fill_of(light: &LightSource, setting: Setting) -> Option<Fit> {
    FILL_LAMP.fit_of(light, setting)
}

/// The fit of parts that are there, as it was before their numbers were rounded, with the height of their ground.
pub(super) fn whole_fit(fit: &Fit, scene: &Scene, setting: Setting) -> Fit {
    let ground = scene.shape(GROUND).and_then(|ground| ground_of(ground, setting));
    let floor = ground.map_or(0.0, |ground| ground.floor);
    let [size, floor, _] = rounded(DVec3::new(fit.size, floor, 0.0), fit.size);
    Fit { target: DVec3::from(rounded(fit.target, fit.size)), size, floor }
}

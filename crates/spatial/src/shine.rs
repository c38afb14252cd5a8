//! Where a light shines, and how bright it makes things, by distance and angle; nothing stands in its way here.

use std::f64::consts::PI;

use glam::DVec3;
use scene::Light;
use serde_json::{Map, Value, json};

use crate::measure::{short, triple};
use crate::space::Space;

/// Facts about a light: the direction it shines in, and how bright, without shadows, a white surface gets that faces it where the
/// camera looks, or in the middle of all things if it looks past them. 1 is the brightest the picture shows.
pub(crate) fn shine(space: &Space<'_>, light: &Light) -> Map<String, Value> {
    let mut facts = Map::new();
    let lamp = Lamp::of(light);
    if let Some(axis) = lamp.axis {
        facts.insert("shines".into(), triple(axis));
    }
    if let Some(contents) = space.contents() {
        // A moon behind the window moves the middle of all things, not what the picture is about.
        let (extent, aim) = (contents.extent(), DVec3::from(space.scene.camera.look_at.get()));
        let at = if extent.contains(aim) { aim } else { extent.center() };
        let white = lamp.irradiance(at) / PI;
        facts.insert("white_in_the_middle_gets_unshadowed".into(), significant(white));
    }
    facts
}

/// Three digits.
fn significant(number: f64) -> Value {
    if number <= 0.0 || !number.is_finite() {
        return json!(0.0);
    }
    let scale = 10f64.powi(2 - number.log10().floor() as i32);
    short((number * scale).round() / scale)
}

/// A light as a small source.
struct Lamp {
    from: DVec3,
    /// The direction it shines in; `None` if it shines all around.
    axis: Option<DVec3>,
    /// Luminous intensity along the axis; for light from far away, irradiance.
    strength: f64,
    /// Its area, within which it gets no brighter.
    area: f64,
    /// Half of its cone in radians, and the exponent of the cosine in it.
    cone: (f64, f64),
    is_far: bool,
}

impl Lamp {
    fn of(light: &Light) -> Self {
        let [red, green, blue] = light.emission();
        let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        let base = Self {
            from: DVec3::ZERO,
            axis: None,
            strength: luminance,
            area: 0.0,
            cone: (PI, 0.0),
            is_far: false,
        };
        let disc = |center: [f64; 3], normal: [f64; 3], radius: f64, angle: f64, exponent: f64| {
            let area = PI * radius * radius;
            let (from, axis) = (center.into(), DVec3::from(normal).try_normalize());
            Self { from, axis, strength: luminance * area, area, cone: (angle, exponent), ..base }
        };
        match light {
            Light::PointSpotLight(spot) => {
                let angle = spot.cutoff_angle.get();
                let axis = DVec3::from(spot.direction.get()).try_normalize();
                let axis = axis.filter(|_| angle < 180.0);
                let cone = (angle.to_radians(), spot.falloff_exponent.get());
                Self { from: spot.center.get().into(), axis, cone, ..base }
            }
            Light::AreaQuadLight(quad) => {
                let (u, v) = (DVec3::from(quad.u.get()), DVec3::from(quad.v.get()));
                let (from, normal) = (DVec3::from(quad.corner.get()) + 0.5 * (u + v), u.cross(v));
                let (area, axis) = (normal.length(), normal.try_normalize());
                Self { from, axis, strength: luminance * area, area, cone: (0.5 * PI, 1.0), ..base }
            }
            Light::DiscSpotLight(light) => {
                let (center, normal) = (light.center.get(), light.normal.get());
                disc(center, normal, light.radius.get(), 0.5 * PI, 1.0)
            }
            Light::AreaDiscSpotLight(light) => {
                let angle = light.cutoff_angle.get().to_radians().min(0.5 * PI);
                let exponent = 1.0 + light.falloff_exponent.get();
                disc(light.center.get(), light.normal.get(), light.radius.get(), angle, exponent)
            }
            Light::AreaSphereLight(ball) => {
                let area = PI * ball.radius.get() * ball.radius.get();
                Self { from: ball.center.get().into(), strength: luminance * area, area, ..base }
            }
            Light::DirectionalLight(sun) => {
                let axis = DVec3::from(sun.direction.get()).try_normalize();
                Self { axis, is_far: true, ..base }
            }
        }
    }

    /// The luminous irradiance on a surface at `point` that faces it.
    fn irradiance(&self, point: DVec3) -> f64 {
        if self.is_far {
            return self.strength;
        }
        let way = point - self.from;
        let (angle, exponent) = self.cone;
        let falloff = match (self.axis, way.try_normalize()) {
            (Some(axis), Some(way)) => {
                let cos = axis.dot(way);
                if cos.clamp(-1.0, 1.0).acos() > angle { 0.0 } else { cos.max(0.0).powf(exponent) }
            }
            _ => 1.0,
        };
        self.strength * falloff / way.length_squared().max(self.area).max(1e-9)
    }
}

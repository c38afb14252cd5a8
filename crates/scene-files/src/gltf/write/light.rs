//! Lights of the scene as `KHR_lights_punctual`.

use glam::DVec3;
use scene::{DirectionalLight, Light, PointSpotLight};
use serde_json::{Value, json};

/// A point light, or a spot light if it has a cone or a falloff.
fn point_or_spot(id: &str, light: &PointSpotLight) -> Value {
    let cutoff = light.cutoff_angle.get().to_radians();
    let exponent = light.falloff_exponent.get();
    let is_spot = cutoff < std::f64::consts::PI || exponent > 0.0;
    match is_spot {
        true => spot(id, light.emission.get(), cutoff.min(std::f64::consts::FRAC_PI_2), exponent),
        false => punctual(id, "point", light.emission.get()),
    }
}

/// A light with its direction and its position.
pub(super) struct Placed {
    pub(super) light: Value,
    pub(super) direction: [f64; 3],
    pub(super) center: [f64; 3],
}

/// A light without a visible surface; `None` for one that is written as a glowing surface. What an area light
/// emits along its normal is its radiance times its area.
pub(super) fn placed(id: &str, light: &Light) -> Option<Placed> {
    if light.position().is_none() && !light.is_hidden_from_camera() {
        return None;
    }
    let hemisphere = std::f64::consts::FRAC_PI_2;
    let planar = |center, direction: [f64; 3], area: f64, outer: f64, exponent: f64| {
        let intensity = light.emission().map(|radiance| radiance * area);
        Placed { light: spot(id, intensity, outer, exponent), direction, center }
    };
    let disc_area = |radius: f64| std::f64::consts::PI * radius * radius;
    Some(match light {
        Light::PointSpotLight(light) => Placed {
            light: point_or_spot(id, light),
            direction: light.direction.get(),
            center: light.center.get(),
        },
        Light::DirectionalLight(light) => Placed {
            light: directional(id, light),
            direction: light.direction.get(),
            center: light.center.get(),
        },
        Light::AreaQuadLight(quad) => {
            let [corner, u, v] = [quad.corner.get(), quad.u.get(), quad.v.get()].map(DVec3::from);
            let normal = u.cross(v);
            let center = (corner + 0.5 * (u + v)).to_array();
            planar(center, normal.to_array(), normal.length(), hemisphere, 1.0)
        }
        Light::DiscSpotLight(disc) => {
            let area = disc_area(disc.radius.get());
            planar(disc.center.get(), disc.normal.get(), area, hemisphere, 1.0)
        }
        Light::AreaDiscSpotLight(disc) => {
            let (area, cone) = (disc_area(disc.radius.get()), disc.cutoff_angle.get().to_radians());
            let exponent = 1.0 + disc.falloff_exponent.get();
            planar(disc.center.get(), disc.normal.get(), area, cone.min(hemisphere), exponent)
        }
        Light::AreaSphereLight(ball) => {
            let area = disc_area(ball.radius.get());
            let intensity = light.emission().map(|radiance| radiance * area);
            let direction = DVec3::NEG_Y.to_array();
            Placed { light: punctual(id, "point", intensity), direction, center: ball.center.get() }
        }
    })
}

fn spot(id: &str, intensity: [f64; 3], outer: f64, exponent: f64) -> Value {
    let mut json = punctual(id, "spot", intensity);
    json["spot"] = json!({
        "outerConeAngle": outer,
        "innerConeAngle": inner_cone_angle(outer, exponent),
    });
    json
}

fn directional(id: &str, light: &DirectionalLight) -> Value {
    punctual(id, "directional", light.emission.get())
}

/// A light of a type. The emission is split into a colour up to 1 and an intensity.
fn punctual(id: &str, kind: &str, emission: [f64; 3]) -> Value {
    let intensity = emission.into_iter().fold(0.0, f64::max);
    let color = emission.map(|part| if intensity > 0.0 { part / intensity } else { 1.0 });
    json!({ "name": id, "type": kind, "color": color, "intensity": intensity })
}

/// The inner angle with which a glTF light has half its intensity at the same angle as one with a falloff
/// exponent.
fn inner_cone_angle(outer: f64, exponent: f64) -> f64 {
    // glTF requires an inner angle below the outer one.
    let max = outer * 0.999;
    if exponent == 0.0 {
        return max;
    }
    let half = 0.5f64.powf(1.0 / exponent);
    let cosine = outer.cos() + (half - outer.cos()) * std::f64::consts::SQRT_2;
    cosine.clamp(-1.0, 1.0).acos().clamp(0.0, max)
}

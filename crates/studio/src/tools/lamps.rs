//! Lights that illuminate nothing.

use glam::DVec3;
use scene::{FindingKind, Light, LightSource, Scene};
use serde_json::{Value, json};
use spatial::{Finding, Findings};
use tracer::{ObjectKind, World};

/// The number of directions to test for each light.
const RAYS: u32 = 64;
/// The widest tested half-angle, in degrees: light at grazing angles hardly matters.
const MAX_HALF_ANGLE: f64 = 85.0;

/// The directed lights whose rays hit nothing.
pub(super) fn lights_that_reach_nothing(scene: &Scene, world: &World) -> Findings {
    let is_shape = |name: &str| {
        world.objects().any(|(id, kind)| id.as_str() == name && kind == ObjectKind::Shape)
    };
    let reaches = |light: &LightSource, beam: &Beam| {
        beam.directions().any(|direction| {
            let (from, to) = (beam.from.to_array(), (beam.from + direction).to_array());
            let is_light = |id: &scene::Id| !is_shape(id.as_str());
            let hit = world.first_towards(from, to, |id| *id == light.id || is_light(id));
            hit.is_some()
        })
    };
    let mut findings = Findings::default();
    for light in &scene.lights {
        match Beam::of(&light.light).filter(|beam| !reaches(light, beam)) {
            Some(_) if light.intentional.contains(FindingKind::LightAway) => findings.silenced += 1,
            Some(beam) => findings.found.push(beam.finding(light)),
            None => {}
        }
    }
    findings
}

/// The origin and direction of a directed light.
struct Beam {
    from: DVec3,
    axis: DVec3,
    /// The half-angle of the cone, in degrees.
    angle: f64,
    /// The properties that reverse its direction.
    turned: Value,
}

impl Beam {
    fn of(light: &Light) -> Option<Self> {
        let facing = |center: [f64; 3], normal: [f64; 3], angle: f64, name: &str| {
            let axis = DVec3::from(normal);
            let turned = json!({ name: (-axis).to_array() });
            Some(Self { from: center.into(), axis: axis.try_normalize()?, angle, turned })
        };
        match light {
            Light::AreaQuadLight(quad) => {
                let (u, v) = (DVec3::from(quad.u.get()), DVec3::from(quad.v.get()));
                let from = DVec3::from(quad.corner.get()) + 0.5 * (u + v);
                let turned = json!({ "u": quad.v.get(), "v": quad.u.get() });
                Some(Self {
                    from,
                    axis: u.cross(v).try_normalize()?,
                    angle: MAX_HALF_ANGLE,
                    turned,
                })
            }
            Light::DiscSpotLight(disc) => {
                facing(disc.center.get(), disc.normal.get(), MAX_HALF_ANGLE, "normal")
            }
            Light::AreaDiscSpotLight(disc) => {
                let angle = disc.cutoff_angle.get();
                facing(disc.center.get(), disc.normal.get(), angle, "normal")
            }
            Light::PointSpotLight(spot) if spot.cutoff_angle.get() < 180.0 => {
                let angle = spot.cutoff_angle.get();
                facing(spot.center.get(), spot.direction.get(), angle, "direction")
            }
            _ => None,
        }
    }

    /// Directions distributed over the cone.
    fn directions(&self) -> impl Iterator<Item = DVec3> {
        let least = self.angle.min(MAX_HALF_ANGLE).to_radians().cos();
        let (right, up) = self.axis.any_orthonormal_pair();
        let axis = self.axis;
        (0..RAYS).map(move |ray| {
            let share = (f64::from(ray) + 0.5) / f64::from(RAYS);
            let cos = 1.0 - share * (1.0 - least);
            let sin = (1.0 - cos * cos).max(0.0).sqrt();
            // The golden angle distributes the directions around the axis.
            let turn = f64::from(ray) * std::f64::consts::PI * (3.0 - 5f64.sqrt());
            axis * cos + (right * turn.cos() + up * turn.sin()) * sin
        })
    }

    fn finding(&self, light: &LightSource) -> Finding {
        let way = self.axis.to_array().map(|part| (part * 100.0).round() / 100.0 + 0.0);
        Finding {
            check: FindingKind::LightAway.name(),
            ids: vec![light.id.as_str().to_owned()],
            message: format!(
                "'{}' shines towards {way:?} and reaches nothing; it may be turned the wrong way round",
                light.id
            ),
            fix: Some(json!({ "name": "update_light",
                "args": { "id": light.id.as_str(), "updates": { "properties": self.turned } } })),
        }
    }
}

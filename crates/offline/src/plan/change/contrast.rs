//! More contrast, or less: the strongest light against all others and the sky.

use glam::DVec3;
use scene::{Environment, Light, LightSource};

use crate::frames::{Head, Phrase};

use crate::plan::planner::{Done, Planner, Remark, Stopped};

/// How much of the change the strongest light takes, so that the picture stays about as bright.
const SHARE_OF_KEY: f64 = 0.35;

impl Planner<'_> {
    /// What the strongest light does not reach becomes darker by `times`, or brighter.
    pub(super) fn contrast(&mut self, more: bool, times: f64) -> Done {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let contents = world.contents().map(|thing| thing.extent).reduce(spatial::Extent::union);
        let center = contents.map_or(DVec3::ZERO, |all| all.center());
        let mut lights: Vec<(String, f64)> = scene
            .lights
            .iter()
            .map(|light| (light.id.as_str().to_owned(), brought(light, center)))
            .filter(|(_, brought)| *brought > 1e-6)
            .collect();
        lights.sort_by(|one, other| other.1.total_cmp(&one.1));
        let ids: Vec<String> = lights.into_iter().map(|(id, _)| id).collect();
        let is_dark = matches!(scene.environment, Environment::Darkness(_));
        let [rest, key] = [times.powf(SHARE_OF_KEY - 1.0), times.powf(SHARE_OF_KEY)]
            .map(|factor| if more { factor } else { 1.0 / factor });
        let make = |planner: &mut Self, kind: &'static str| {
            planner.make_light(&Phrase::of(Head::Light(kind)), kind).map(drop)
        };
        match ids.as_slice() {
            // Light from everywhere casts no shadows.
            [] if more => make(self, "key")?,
            [] => {
                let text = "Only the sky shines here, which is as little contrast as there can be.";
                return Err(Stopped(Remark::Refused(text.into())));
            }
            [_] if is_dark && more => {
                let text = "Only one light shines here, which is as much contrast as there can be.";
                return Err(Stopped(Remark::Refused(text.into())));
            }
            [_] if is_dark => make(self, "fill")?,
            [strongest, ..] => self.scale_lights(std::slice::from_ref(strongest), key)?,
        }
        self.scale_lights(ids.get(1..).unwrap_or_default(), rest)?;
        self.map_sky(&|old| old * rest)?;
        let how = if more { "more" } else { "less" };
        self.remarks
            .push(Remark::Note(format!("There is {how} contrast between light and shadow now.")));
        Ok(())
    }
}

/// About how much of a light comes to a point.
fn brought(source: &LightSource, point: DVec3) -> f64 {
    let emission = source.light.emission().into_iter().fold(0.0, f64::max);
    let bounds = source.light.bounds();
    let distance = DVec3::from(bounds.center()).distance(point).max(0.1);
    let size = (DVec3::from(bounds.max) - DVec3::from(bounds.min)).max_element();
    match source.light {
        Light::DirectionalLight(_) => emission,
        Light::PointSpotLight(_) => emission / (distance * distance),
        _ => emission * (size / distance).powi(2),
    }
}

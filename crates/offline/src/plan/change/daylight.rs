//! The time of day, and the sun: where it stands and how warm it shines.

use glam::DVec3;
use scene::Light;
use serde_json::json;

use crate::frames::Sun;
use crate::resolve::Sides;

use crate::plan::planner::{Done, Planner};

/// Degrees above the horizon: as long as shadows are long, usually, and where there are hardly any.
const LOW: f64 = 11.0;
const USUAL: f64 = 42.0;
const HIGH: f64 = 62.0;
const OVERHEAD: f64 = 86.0;
/// Below, a day ends in dusk; further below, it is night.
const DUSK: f64 = 9.0;
const NIGHT: f64 = -9.0;
/// Irradiance of the sun when it stands high, in W/m^2, and what of the sky is left beside it: else it throws no shadow.
const SUNLIGHT: f64 = 3.4;
const SKY: f64 = 0.55;
const STAGED: f64 = 0.25;
/// Its colors by the horizon and high above it.
const RED: DVec3 = DVec3::new(1.0, 0.56, 0.26);
const WHITE: DVec3 = DVec3::new(1.0, 0.96, 0.88);

/// When the sun rises and sets, and how high it gets.
fn day(season: Option<&str>) -> (f64, f64, f64) {
    match season {
        Some("summer") => (5.0, 20.5, 60.0),
        Some("winter") => (8.0, 16.5, 20.0),
        _ => (6.5, 18.5, 45.0),
    }
}

/// How high the sun stands at an hour, and how far it has come from the east to the west, in turns of a half.
fn position(hour: f64, season: Option<&str>) -> (f64, f64) {
    let (rise, set, most) = day(season);
    let share = (hour - rise) / (set - rise);
    (most * (std::f64::consts::PI * share.clamp(-0.3, 1.3)).sin(), share.clamp(0.0, 1.0))
}

impl Planner<'_> {
    /// The light of an hour, or the sun where it is told to be.
    pub(crate) fn take_sun(&mut self, sun: &Sun, mood: Option<&'static str>) -> Done {
        let at = sun.hour.map(|hour| position(hour, sun.season));
        let told = match at {
            Some((height, _)) if height < NIGHT => Some("night"),
            Some((height, _)) if height < DUSK => Some("sunset"),
            Some(_) => Some("day"),
            None => mood,
        };
        if let Some(mood) = told.filter(|_| at.is_some() || mood.is_none()) {
            self.set_mood(mood)?;
        }
        if told == Some("night") {
            return Ok(());
        }
        let height = match (sun.height, at, told) {
            (Some("low"), ..) => LOW,
            (Some("high"), ..) => HIGH,
            (Some("overhead"), ..) => OVERHEAD,
            (_, Some((height, _)), _) => height.max(3.0),
            (_, _, Some("sunset")) => LOW,
            _ => self.sun_height().unwrap_or(USUAL),
        };
        let way = self.sun_way(sun, at.map(|(_, share)| share));
        self.shine(way, height)
    }

    /// From where the sun shines, on the level.
    fn sun_way(&self, sun: &Sun, share: Option<f64>) -> DVec3 {
        let scene = self.scene();
        let Sides { right, front } = Sides::of(&scene);
        let half = std::f64::consts::PI;
        match (sun.side, share) {
            (Some("left"), _) => -right,
            (Some("right"), _) => right,
            (Some("back"), _) => -front,
            (Some("front"), _) => front,
            (Some("front_left"), _) => (front - right).normalize(),
            (Some("front_right"), _) => (front + right).normalize(),
            (Some("back_left"), _) => (-front - right).normalize(),
            (Some("back_right"), _) => (-front + right).normalize(),
            // In the south at noon: behind the viewer.
            (_, Some(share)) => {
                right * (half * share).cos() + front * (0.25 + (half * share).sin())
            }
            _ => self.sun_now().unwrap_or(0.6 * front - right),
        }
    }

    /// The sun that there is: its id and the way it shines.
    fn sun(&self) -> Option<(String, DVec3)> {
        let scene = self.scene();
        scene.lights.iter().find_map(|light| match &light.light {
            Light::DirectionalLight(sun) if !light.id.as_str().contains("moon") => {
                Some((light.id.as_str().to_owned(), DVec3::from(sun.direction.get()).normalize()))
            }
            _ => None,
        })
    }

    fn sun_now(&self) -> Option<DVec3> {
        let way = -self.sun()?.1.with_y(0.0);
        (way.length() > 0.05).then(|| way.normalize())
    }

    fn sun_height(&self) -> Option<f64> {
        Some((-self.sun()?.1.y).clamp(-1.0, 1.0).asin().to_degrees())
    }

    /// Beside a sun the sky and the lights of the stage throw no shadows of their own; a sun that is a lamp gives way.
    fn give_way_to_sun(&mut self) -> Done {
        let scene = self.scene();
        let ids = |fits: &dyn Fn(&scene::LightSource) -> bool| -> Vec<String> {
            let lights = scene.lights.iter().filter(|light| fits(light));
            lights.map(|light| light.id.as_str().to_owned()).collect()
        };
        let of_stage = |light: &scene::LightSource| {
            light.group.as_ref().is_some_and(|group| group.as_str() == spatial::STAGE)
        };
        let is_sun =
            |light: &scene::LightSource| light.id.as_str().split('_').any(|word| word == "sun");
        for id in ids(&is_sun) {
            self.call("remove_light", json!({ "id": id }))?;
        }
        self.tint_lights(&ids(&of_stage), DVec3::splat(STAGED))?;
        self.map_sky(&|old| old * SKY)
    }

    /// Puts the sun there; makes one where there is none.
    fn shine(&mut self, way: DVec3, height: f64) -> Done {
        let angle = height.clamp(2.0, 89.0).to_radians();
        let from = way.with_y(0.0).normalize_or(DVec3::X) * angle.cos() + DVec3::Y * angle.sin();
        let warm = RED.lerp(WHITE, (height / 30.0).clamp(0.0, 1.0));
        let emission = (warm * SUNLIGHT).to_array();
        let direction = (-from).to_array();
        if let Some((id, _)) = self.sun() {
            let updates = json!({ "properties": { "direction": direction, "emission": emission } });
            return self.call("update_light", json!({ "id": id, "updates": updates })).map(drop);
        }
        self.give_way_to_sun()?;
        let center = (from * 12.0).to_array();
        let properties = json!({ "direction": direction, "emission": emission, "center": center });
        let id = self.free_id("sun");
        let args = json!({ "id": id, "type": "directional_light", "properties": properties });
        self.call("create_light", args)?;
        self.made.push(id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::position;

    #[test]
    fn the_sun_is_low_on_a_summer_evening_and_gone_on_a_winter_one() {
        let (evening, _) = position(19.0, Some("summer"));
        assert!((5.0..25.0).contains(&evening), "{evening}");
        let (noon, _) = position(12.5, Some("summer"));
        assert!(noon > 55.0, "{noon}");
        let (winter, _) = position(19.0, Some("winter"));
        assert!(winter < -5.0, "{winter}");
    }
}

//! Lighting as photographers name it: key, fill and rim lights, three-point lighting, candle light.

use std::f64::consts::PI;

use glam::DVec3;
use serde_json::{Map, Value, json};

use crate::language::Setup;
use crate::plan::Planner;
use crate::plan::scenery::light::{WARM, rounded};
use crate::world::{Body, Bounds, Lamp, LampForm, Thing, World};

/// The tint of a flame, about 1900 K.
const FLAME: DVec3 = DVec3::new(1.0, 0.52, 0.16);

/// One light of a setup: from where, how strong against a key light, in what tint.
struct Fixture {
    name: &'static str,
    /// To the right, up and towards the viewer.
    way: DVec3,
    /// The share of what a white surface needs to be white in the picture.
    strength: f64,
    tint: DVec3,
    /// The side of the light as a share of the subject.
    size: f64,
}

const KEY: Fixture = Fixture {
    name: "key_light",
    way: DVec3::new(-0.8, 0.8, 1.0),
    strength: 0.85,
    tint: DVec3::new(1.0, 0.97, 0.92),
    size: 0.6,
};
const FILL: Fixture = Fixture {
    name: "fill_light",
    way: DVec3::new(1.0, 0.35, 0.9),
    strength: 0.3,
    tint: DVec3::new(0.94, 0.97, 1.0),
    size: 1.0,
};
const RIM: Fixture = Fixture {
    name: "rim_light",
    way: DVec3::new(0.55, 0.9, -1.0),
    strength: 0.6,
    tint: DVec3::ONE,
    size: 0.5,
};
const SIDE: Fixture = Fixture {
    name: "side_light",
    way: DVec3::new(-1.0, 0.55, 0.25),
    strength: 0.9,
    tint: DVec3::new(1.0, 0.9, 0.78),
    size: 0.25,
};

impl Planner {
    /// Lights the scene as a setup says; a whole setup takes the place of one made before.
    pub(crate) fn light_up(&mut self, setup: Setup) {
        let before: Vec<String> = self.world.lights().map(|light| light.id.clone()).collect();
        match setup {
            Setup::Key => self.fix(&KEY),
            Setup::Fill => self.fix(&FILL),
            Setup::Rim => self.fix(&RIM),
            Setup::ThreePoint => {
                self.remove_fixtures();
                self.set_sky(uniform(0.12));
                for fixture in [KEY, FILL, RIM] {
                    self.fix(&fixture);
                }
            }
            Setup::Dramatic => {
                self.remove_fixtures();
                self.set_sky(uniform(0.02));
                self.scale_lights(0.25);
                self.fix(&SIDE);
            }
            Setup::Candle => {
                self.set_sky(uniform(0.006));
                self.scale_lights(0.08);
                self.add_flame();
            }
        }
        let new = self.world.lights().filter(|light| !before.contains(&light.id));
        self.context.focus = new.map(|light| light.id.clone()).collect();
    }

    fn remove_fixtures(&mut self) {
        let names = [KEY.name, FILL.name, RIM.name, SIDE.name];
        self.world.things.retain(|thing| {
            !(thing.is_light() && names.contains(&crate::resolve::stem(&thing.id)))
        });
    }

    fn scale_lights(&mut self, factor: f64) {
        for thing in &mut self.world.things {
            if let Body::Light(lamp) = &mut thing.body {
                lamp.emission = rounded(lamp.emission * factor);
            }
        }
    }

    fn lit_subject(&self) -> Bounds {
        World::bounds_of(self.world.objects()).unwrap_or(Bounds::around(DVec3::Y, DVec3::ONE))
    }

    /// A square light that looks at the middle of everything.
    fn fix(&mut self, fixture: &Fixture) {
        let subject = self.lit_subject();
        let extent = subject.extent().clamp(0.5, 40.0);
        let camera = &self.world.camera;
        let way = camera.right() * fixture.way.x
            + DVec3::Y * fixture.way.y
            + camera.towards() * fixture.way.z;
        let way = way.normalize_or(DVec3::Y);
        let distance = subject.size().dot(way.abs()) / 2.0 + 1.4 * extent;
        let mut center = subject.center() + way * distance;
        let side = (fixture.size * extent).clamp(0.1, 20.0);
        center.y = center.y.max(self.world.ground() + side);
        let toward = (subject.center() - center).normalize_or(DVec3::NEG_Y);
        let u = toward.cross(DVec3::Y).normalize_or(DVec3::X) * side;
        let v = toward.cross(u);
        let form = LampForm::Quad { corner: center - (u + v) * 0.5, u, v };
        self.add_lamp(fixture.name, form, fixture.tint, fixture.strength * PI, distance);
    }

    /// A flame: above a candle where one stands, else before the middle of the things.
    fn add_flame(&mut self) {
        let is_candle = |thing: &&Thing| {
            let named = |name: &str| name.contains("candle");
            named(&thing.id) || thing.group.as_deref().is_some_and(named)
        };
        let candle = World::bounds_of(self.world.shapes().filter(is_candle));
        let subject = self.lit_subject();
        let extent = subject.extent().clamp(0.3, 20.0);
        let radius = (0.04 * extent).clamp(0.015, 0.3);
        let center = match candle {
            Some(candle) => candle.center().with_y(candle.max.y + 2.0 * radius),
            None => {
                let aside = self.world.camera.towards() + self.world.camera.right() * 0.4;
                let reach = subject.size().dot(aside.abs()) / 2.0 + 0.5 * extent;
                let level = subject.min.y + 0.6 * subject.size().y;
                (subject.center() + aside.normalize_or(DVec3::Z) * reach).with_y(level)
            }
        };
        let distance = (center - subject.center()).length().max(0.5 * extent);
        let form = LampForm::Sphere { center, radius };
        self.add_lamp("candle_light", form, FLAME * WARM.max_element(), 0.5 * PI, distance);
    }

    /// Adds a light that brings `irradiance` in W/m^2 at this distance.
    fn add_lamp(
        &mut self,
        name: &str,
        form: LampForm,
        tint: DVec3,
        irradiance: f64,
        distance: f64,
    ) {
        let mut lamp = Lamp { form, emission: DVec3::ONE };
        let emission = irradiance * distance * distance / lamp.facing_area().max(1e-4);
        lamp.emission = rounded(tint * emission);
        let id = self.world.free_id(name);
        self.world.things.push(Thing { id, origin: None, group: None, body: Body::Light(lamp) });
    }
}

fn uniform(radiance: f64) -> Map<String, Value> {
    let mut environment = Map::new();
    environment.insert("type".into(), "uniform".into());
    environment.insert("emission".into(), json!([radiance, radiance, radiance]));
    environment
}

//! Lights: new ones, their brightness and colour, switched on and off.

use glam::DVec3;
use scene::{Light, Material};
use serde_json::{Value, json};

use crate::frames::{Amount, Phrase, Quality, Region, Relation};
use crate::looks::rgb_of;
use crate::resolve::Sides;

use crate::plan::planner::{Done, Planner};

/// How many times as wide the sun looks where its shadows are twice as soft.
const SOFTER_SUN: f64 = 4.0;
/// Irradiance that a new light brings to what it shines at, W/m^2.
const IRRADIANCE: f64 = 2.2;

impl Planner<'_> {
    /// A light where it is wished, or above and before what there is.
    pub(crate) fn make_light(&mut self, phrase: &Phrase, kind: &str) -> Done<Vec<String>> {
        let number = phrase.number().clamp(1, 12);
        for at in 0..number {
            let mut one = phrase.clone();
            if let Some(member) = phrase.each.get(at % phrase.each.len().max(1)) {
                one.qualities.extend(member.qualities.iter().cloned());
                one.at.extend(member.places.iter().cloned());
            }
            let id = self.make_one_light(&one, kind, at, number)?;
            self.made.push(id.clone());
            self.context.focus.insert(0, vec![id]);
        }
        Ok(Vec::new())
    }

    pub(in crate::plan) fn make_one_light(
        &mut self,
        phrase: &Phrase,
        kind: &str,
        at: usize,
        number: usize,
    ) -> Done<String> {
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let sides = Sides::of(scene);
        let contents = world.contents().map(|thing| thing.extent).reduce(spatial::Extent::union);
        let center = contents.map_or(DVec3::new(0.0, 0.5, 0.0), |all| all.center());
        let reach = contents.map_or(1.0, |all| all.size().max_element()).clamp(1.0, 12.0);
        let mut goal = center;
        let place = phrase.at.first().or(phrase.places.first());
        let (right, front, up) = (sides.right, sides.front, DVec3::Y);
        let around = |way: DVec3| center + way * reach;
        let mut position = match kind {
            "fill" => around(right * 1.6 + up * 0.8 + front * 1.2),
            "rim" => around(-front * 1.6 + up * 1.4 + right * 0.5),
            "ceiling" => around(up * 1.5),
            _ => around(up * 1.7 + front * 1.0 - right * 1.1),
        };
        if let Some(place) = place {
            let relation = place.relation.or(place.region.and_then(Relation::of_region));
            let height = place.height;
            let target = match &place.target {
                Some(target) => world.extent_of(&self.find_in(target, world)?),
                None if place.region.is_some() => None,
                None => contents,
            };
            if let Some(point) = place.point {
                position = point.into();
            } else if let (Some(target), Some(relation)) = (target, relation) {
                let gap = place.gap.and_then(Amount::metres);
                let size = target.size();
                let away = |way: DVec3| {
                    target.center() + way * (0.5 * size.max_element() + gap.unwrap_or(1.0))
                };
                goal = target.center();
                position = match relation {
                    Relation::On | Relation::Above | Relation::Middle => {
                        target.center().with_y(target.max.y + gap.unwrap_or(1.2))
                    }
                    Relation::LeftOf => away(-right + 0.5 * up),
                    Relation::RightOf => away(right + 0.5 * up),
                    Relation::Behind => away(-front + 0.5 * up),
                    Relation::Inside => target.center(),
                    Relation::Flanking => away(beside(right, at) + 0.5 * up),
                    Relation::Under => target.center().with_y(target.min.y - 0.3),
                    _ => away(front + 0.5 * up),
                };
            } else if let Some(region) = place.region {
                position = match region {
                    Region::Left => around(-right * 1.8 + up * 0.9 + front * 0.4),
                    Region::Right => around(right * 1.8 + up * 0.9 + front * 0.4),
                    Region::Front => around(front * 1.8 + up * 0.8),
                    Region::Flanking => around(beside(right, at) * 1.8 + up * 0.9 + front * 0.4),
                    Region::Back | Region::Behind => around(-front * 1.8 + up * 1.0),
                    Region::BackLeft => around(-front * 1.5 - right * 1.1 + up * 1.1),
                    Region::BackRight => around(-front * 1.5 + right * 1.1 + up * 1.1),
                    Region::FrontLeft => around(front * 1.4 - right * 1.2 + up * 0.9),
                    Region::FrontRight => around(front * 1.4 + right * 1.2 + up * 0.9),
                    Region::Below | Region::Under => around(-up * 0.9),
                    _ => around(up * 1.8),
                };
            }
            if let Some(height) = height {
                position.y = height;
            }
        }
        if let Some(facing) = &phrase.facing {
            let targets = self.find_in(facing, world)?;
            goal = world.extent_of(&targets).map_or(goal, |target| target.center());
            // What shines at something shines from above and before it, unless its place is told.
            if place.is_none() {
                position += goal - center;
            }
        }
        for quality in &phrase.qualities {
            if let Quality::Measured { dimension: crate::frames::Dimension::Height, amount } =
                quality
            {
                position.y = amount.metres().unwrap_or(position.y);
            }
        }
        let flanks = place.is_some_and(|place| {
            place.region == Some(Region::Flanking) || place.relation == Some(Relation::Flanking)
        });
        if number > 1 && !flanks {
            position += right * (at as f64 - 0.5 * (number - 1) as f64) * 0.8 * reach;
        }
        let (tint, strength) = tint_of(&phrase.qualities);
        let soft = phrase.qualities.iter().any(|quality| matches!(quality, Quality::Tone("soft")));
        let hard = phrase.qualities.iter().any(|quality| matches!(quality, Quality::Tone("hard")));
        let way = goal - position;
        let distance = way.length().max(0.3);
        let down = way.normalize_or(DVec3::NEG_Y);
        let share = if kind == "fill" { 0.4 } else { 1.0 };
        let irradiance = IRRADIANCE * strength * share;
        let radius = if soft {
            0.8
        } else if hard {
            0.05
        } else {
            0.25
        } * (reach / 3.0).clamp(0.4, 2.0);
        let emission = |factor: f64| (tint * factor).to_array();
        let (type_name, properties) = match kind {
            "spot" => (
                "point_spot_light",
                json!({ "center": position.to_array(), "direction": down.to_array(),
                "cutoff_angle": 28, "falloff_exponent": 1, "emission": emission(1.6 * irradiance * distance * distance) }),
            ),
            "point" => (
                "point_spot_light",
                json!({ "center": position.to_array(),
                "emission": emission(irradiance * distance * distance) }),
            ),
            "sun" => (
                "directional_light",
                json!({ "direction": down.to_array(), "emission": emission(3.0 * strength),
                "center": position.to_array() }),
            ),
            "panel" | "ceiling" | "key" | "disc" => {
                let side = 1.6 * radius.max(0.4);
                let u =
                    down.cross(if down.y.abs() > 0.9 { DVec3::Z } else { DVec3::Y }).normalize()
                        * side;
                let v = down.cross(u.normalize()) * side;
                let corner = position - 0.5 * (u + v);
                let radiance = irradiance * distance * distance / (side * side);
                // It shines to the side of u x v.
                let (u, v) = if u.cross(v).dot(down) > 0.0 { (u, v) } else { (v, u) };
                (
                    "area_quad_light",
                    json!({ "corner": corner.to_array(), "u": u.to_array(), "v": v.to_array(),
                    "emission": emission(radiance) }),
                )
            }
            _ => {
                let radiance =
                    irradiance * distance * distance / (std::f64::consts::PI * radius * radius);
                (
                    "area_sphere_light",
                    json!({ "center": position.to_array(), "radius": radius, "emission": emission(radiance) }),
                )
            }
        };
        let id = self.new_id(
            &Phrase { word: String::new(), ..phrase.clone() },
            match kind {
                "any" | "lamp" => "light",
                "sun" => "sun",
                "key" => "key light",
                "fill" => "fill light",
                "rim" => "rim light",
                _ => "light",
            },
        );
        self.call(
            "create_light",
            json!({ "id": id, "type": type_name, "properties": properties }),
        )?;
        Ok(id)
    }

    /// Another colour for a light; how bright it is stays.
    pub(crate) fn recolour_light(
        &mut self,
        id: &str,
        paint: &dyn Fn(&Material) -> Option<Value>,
    ) -> Done {
        let scene = self.scene();
        let Some(light) = scene.light(id) else { return Ok(()) };
        // What a white matte surface would become is the colour.
        let Some(painted) = paint(&Material::default()) else { return Ok(()) };
        let Ok(material) = Material::from_json(&painted) else { return Ok(()) };
        let Some(rgb) = crate::looks::colour_of(&material) else { return Ok(()) };
        let old = DVec3::from(light.light.emission());
        let tint = rgb.max(DVec3::splat(0.01)) / rgb.max_element().max(1e-6);
        let emission = tint * old.max_element();
        self.set_emission(id, emission)
    }

    pub(in crate::plan) fn set_emission(&mut self, id: &str, emission: DVec3) -> Done {
        let updates = json!({ "properties": { "emission": emission.to_array() } });
        self.call("update_light", json!({ "id": id, "updates": updates })).map(drop)
    }

    /// Lights, and things that glow, made brighter or dimmer.
    pub(crate) fn scale_lights(&mut self, ids: &[String], factor: f64) -> Done {
        self.map_lights(ids, &|emission| emission * factor)
    }

    /// Lights made warmer or cooler.
    pub(crate) fn warm_lights(&mut self, ids: &[String], warmer: bool) -> Done {
        let tint = warmth(warmer);
        self.map_lights(ids, &|emission| emission * tint)
    }

    pub(in crate::plan) fn map_lights(
        &mut self,
        ids: &[String],
        map: &dyn Fn(DVec3) -> DVec3,
    ) -> Done {
        let state = self.state();
        let world = state.world();
        let mut lights: Vec<(String, DVec3)> = Vec::new();
        let mut glowing: Vec<(String, DVec3)> = Vec::new();
        for thing in ids.iter().filter_map(|id| world.find(id)) {
            for at in &thing.bodies {
                let body = &world.space.bodies()[*at];
                match body.object {
                    spatial::Object::Light(light) => {
                        lights.push((body.id.to_owned(), light.light.emission().into()));
                    }
                    spatial::Object::Shape(shape) => {
                        if let Material::Emissive(glow) = shape.material.main_part() {
                            glowing
                                .push((body.id.to_owned(), glow.emission.typical().get().into()));
                        }
                    }
                }
            }
        }
        for (id, emission) in lights {
            self.set_emission(&id, map(emission))?;
        }
        for (id, emission) in glowing {
            let material = json!({ "type": "emissive", "emission": map(emission).to_array() });
            self.call(
                "update_shape",
                json!({ "id": id, "updates": { "properties": { "material": material } } }),
            )?;
        }
        Ok(())
    }

    /// A light without a size throws hard shadows: a disc in its place, as bright, does not.
    fn widen_point(&mut self, id: &str, point: &scene::PointSpotLight) -> Done {
        let center = DVec3::from(point.center.get());
        let state = self.state();
        let contents =
            state.world().contents().map(|thing| thing.extent).reduce(spatial::Extent::union);
        let goal = contents.map_or(center - DVec3::Y, |all| all.center());
        let radius = (0.15 * (goal - center).length()).clamp(0.02, 5.0);
        let way = if point.cutoff_angle.get() < 179.0 {
            DVec3::from(point.direction.get())
        } else {
            goal - center
        };
        let radiance =
            DVec3::from(light_emission(point)) / (std::f64::consts::PI * radius * radius);
        let properties = json!({ "center": center.to_array(), "radius": radius,
            "normal": way.normalize_or(DVec3::NEG_Y).to_array(), "emission": radiance.to_array() });
        let updates = json!({ "type": "disc_spot_light", "properties": properties });
        self.call("update_light", json!({ "id": id, "updates": updates })).map(drop)
    }

    /// Soft, hard, warm, bright: what light is like.
    pub(crate) fn tone_lights(&mut self, ids: &[String], tone: &str) -> Done {
        match tone {
            "warm" | "cool" => self.warm_lights(ids, tone == "warm"),
            "bright" => self.scale_lights(ids, 2.0),
            "dim" | "dark" => self.scale_lights(ids, 0.45),
            "soft" | "hard" => {
                let scene = self.scene();
                let factor: f64 = if tone == "soft" { 2.2 } else { 0.3 };
                for id in ids {
                    let Some(light) = scene.light(id) else { continue };
                    let emission = DVec3::from(light.light.emission()) / (factor * factor);
                    match &light.light {
                        Light::DirectionalLight(sun) => {
                            let angle = sun.angular_diameter.get() * SOFTER_SUN.powf(factor.log2());
                            let wide = json!({ "angular_diameter": angle.clamp(0.1, 30.0) });
                            let updates = json!({ "properties": wide });
                            self.call("update_light", json!({ "id": id, "updates": updates }))?;
                        }
                        Light::PointSpotLight(point) if tone == "soft" => {
                            self.widen_point(id, point)?;
                        }
                        Light::AreaSphereLight(_)
                        | Light::AreaQuadLight(_)
                        | Light::DiscSpotLight(_) => {
                            let args = json!({ "ids": [id], "by": factor, "anchor": "center" });
                            self.call("scale", args)?;
                            self.set_emission(id, emission)?;
                        }
                        _ => {}
                    }
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

fn light_emission(point: &scene::PointSpotLight) -> [f64; 3] {
    point.emission.get()
}

/// Left and right in turn.
fn beside(right: DVec3, at: usize) -> DVec3 {
    if at.is_multiple_of(2) { -right } else { right }
}

pub(in crate::plan) fn warmth(warmer: bool) -> DVec3 {
    if warmer { DVec3::new(1.15, 0.98, 0.68) } else { DVec3::new(0.78, 0.97, 1.25) }
}

/// The colour and strength that words give to a new light.
fn tint_of(qualities: &[Quality]) -> (DVec3, f64) {
    let (mut tint, mut strength) = (DVec3::ONE, 1.0);
    for quality in qualities {
        match quality {
            Quality::Colour(word) => {
                if let Some(rgb) = rgb_of(word) {
                    tint = rgb.max(DVec3::splat(0.02)) / rgb.max_element().max(1e-6);
                }
            }
            Quality::Tone("warm") => tint = DVec3::new(1.0, 0.72, 0.42),
            Quality::Tone("cool") => tint = DVec3::new(0.62, 0.8, 1.0),
            Quality::Tone("bright") => strength = 2.5,
            Quality::Tone("dim") => strength = 0.35,
            Quality::Mood(name) if name == "cosy" => tint = DVec3::new(1.0, 0.72, 0.42),
            Quality::Size { factor, .. } => strength *= factor.sqrt(),
            _ => {}
        }
    }
    (tint, strength)
}

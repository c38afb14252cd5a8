//! Lights: where they go and how strong they are, so that the picture is well exposed.

use std::f64::consts::PI;

use glam::DVec3;

use crate::language::{LightKind, Phrase, Place, Relation, Target, Tone};
use crate::plan::acts::naming::base_name;
use crate::plan::{Planner, Problem};
use crate::world::{Body, Bounds, Lamp, LampForm, Thing, World};

/// A tint of the same brightness: warm white is about 3000 K, cool white about 9000 K.
pub(crate) const WARM: DVec3 = DVec3::new(1.25, 0.95, 0.6);
pub(crate) const COOL: DVec3 = DVec3::new(0.8, 0.98, 1.3);

impl Planner {
    /// Makes one light of `count`; several share the work and stand side by side.
    pub(crate) fn make_light(
        &mut self,
        kind: LightKind,
        phrase: &Phrase,
        places: &[Place],
        index: usize,
        count: usize,
    ) -> Result<String, Problem> {
        crate::plan::scenery::template::check(&phrase.size)?;
        let (subject, way) = self.lit(kind, places)?;
        let aim = self.aim_of(phrase, &subject)?;
        let extent = subject.extent().clamp(0.5, 40.0);
        let place = self.light_center(&subject, way, places);
        let spread = index as f64 - (count - 1) as f64 / 2.0;
        let center = place + self.world.camera.right() * spread * extent * 0.9;
        // Measured to between the middle and the near side, so that neither is far off.
        let distance = ((center - aim).length() - 0.25 * subject.extent()).max(0.5);
        let overhead = (center - aim).normalize_or(DVec3::Y).y > 0.99;
        let toward =
            if overhead { DVec3::NEG_Y } else { (aim - center).normalize_or(DVec3::NEG_Y) };
        let form = lamp_form(kind, phrase, center, toward, extent, overhead);
        // "two spotlights, one red and one blue".
        let own = phrase.colours.get(index % phrase.colours.len().max(1));
        let colour = own.map_or(DVec3::ONE, |colour| hue(colour.rgb));
        let strength = self.wanted_irradiance() / count as f64;
        let mut lamp = Lamp { form, emission: DVec3::ONE };
        let emission = strength * distance * distance / lamp.facing_area().max(1e-4);
        lamp.emission = phrase.tones.iter().fold(colour * emission, |emission, tone| match tone {
            Tone::Warm => emission * WARM,
            Tone::Cool => emission * COOL,
            Tone::Bright => emission * 2.0,
            Tone::Dim => emission * 0.35,
            Tone::Soft | Tone::Hard => emission,
        });
        lamp.emission = rounded(lamp.emission);
        let noun = match (kind, phrase.tones.contains(&Tone::Soft)) {
            (LightKind::Any | LightKind::Quad, true) => "soft_light",
            (LightKind::Any | LightKind::Quad, false) => "light",
            (LightKind::Point, _) => "point_light",
            (LightKind::Spot, _) => "spot_light",
            (LightKind::Sphere, _) => "sphere_light",
            (LightKind::Disc, _) => "disc_light",
        };
        let id = self.world.free_id(&base_name(phrase, noun, index));
        let thing = Thing { id: id.clone(), origin: None, group: None, body: Body::Light(lamp) };
        self.world.things.push(thing);
        Ok(id)
    }

    /// What is lit and from which side: the target of the place, what is spoken of, or everything.
    fn lit(&self, kind: LightKind, places: &[Place]) -> Result<(Bounds, Option<DVec3>), Problem> {
        let camera = &self.world.camera;
        let relative = places.iter().find_map(|place| match place {
            Place::Relative { relation, target, .. } => Some((*relation, target)),
            _ => None,
        });
        let ids = match relative {
            Some((_, target)) => self.resolve(target)?,
            None => self.spoken_of(),
        };
        let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
        let solid = things.clone().filter(|thing| !thing.is_floor());
        let bounds = World::bounds_of(solid)
            .or_else(|| World::bounds_of(self.world.objects()))
            .unwrap_or(Bounds::around(DVec3::Y, DVec3::ONE));
        let oblique = DVec3::Y * 0.6;
        let aside = places.iter().find_map(|place| match place {
            Place::Aside(way) => Some(self.direction(*way)),
            _ => None,
        });
        let way = match relative.map(|(relation, _)| relation) {
            Some(Relation::Left) => -camera.right() + oblique,
            Some(Relation::Right) => camera.right() + oblique,
            Some(Relation::Front) => camera.towards() + oblique,
            Some(Relation::Behind) => -camera.towards() + oblique,
            Some(
                Relation::Beside
                | Relation::Flanking
                | Relation::Ends
                | Relation::LongSides
                | Relation::Corners,
            ) => camera.right() + oblique,
            Some(Relation::Under) => DVec3::NEG_Y,
            Some(Relation::Inside) => return Ok((bounds, None)),
            Some(
                Relation::On
                | Relation::Above
                | Relation::Around
                | Relation::Between
                | Relation::Against
                | Relation::Along
                | Relation::Across
                | Relation::Middle,
            ) => DVec3::Y,
            None => match (aside, kind) {
                (Some(aside), _) if aside.y.abs() > 0.5 => aside,
                (Some(aside), _) => aside + oblique,
                (None, LightKind::Any | LightKind::Quad) => DVec3::Y,
                // From above, beside and in front: shows the form of things.
                (None, _) => camera.right() * 0.7 + camera.towards() * 0.7 + DVec3::Y,
            },
        };
        Ok((bounds, Some(way.normalize_or(DVec3::Y))))
    }

    /// The point a light shines at: the one told, or the middle of what it lights.
    fn aim_of(&self, phrase: &Phrase, subject: &Bounds) -> Result<DVec3, Problem> {
        Ok(match &phrase.aim {
            Some(Place::At(point)) => *point,
            Some(Place::Ground(x, z)) => DVec3::new(*x, self.world.ground(), *z),
            Some(Place::Origin) => DVec3::ZERO,
            Some(Place::Relative { target, .. }) => {
                let ids = self.resolve(target)?;
                let things = self.world.things.iter().filter(|thing| ids.contains(&thing.id));
                World::bounds_of(things).map_or(subject.center(), Bounds::center)
            }
            Some(
                Place::Aside(_)
                | Place::Corner(_)
                | Place::Former
                | Place::Where(_)
                | Place::OtherSide(_),
            )
            | None => subject.center(),
        })
    }

    fn spoken_of(&self) -> Vec<String> {
        let it = Target::of(Phrase::new(crate::language::Determiner::Them));
        let ids = self.resolve(&it).unwrap_or_default();
        // A light lights the things, not the light that was spoken of before.
        ids.into_iter().filter(|id| self.is_plain_object(id)).collect()
    }

    fn light_center(&self, subject: &Bounds, way: Option<DVec3>, places: &[Place]) -> DVec3 {
        let told = places.iter().find_map(|place| match place {
            Place::At(point) => Some(*point),
            Place::Ground(x, z) => Some(DVec3::new(*x, subject.max.y + 2.0, *z)),
            Place::Origin => Some(DVec3::Y * (subject.max.y + 2.0)),
            _ => None,
        });
        let metres = places.iter().find_map(|place| match place {
            Place::Relative { metres, .. } => *metres,
            _ => None,
        });
        match (told, way) {
            (Some(point), _) => point,
            (None, None) => subject.center(),
            (None, Some(way)) => {
                let clear = metres.unwrap_or((1.5 * subject.extent()).clamp(1.5, 30.0));
                let half = subject.size() * 0.5;
                let surface = half.dot(way.abs());
                let center = subject.center() + way * (surface + clear);
                // A light does not sink into the ground.
                if way.y > -0.5 {
                    center.with_y(center.y.max(self.world.ground() + 0.3))
                } else {
                    center
                }
            }
        }
    }

    /// The irradiance in W/m^2 a new light should bring: a white surface reflects 1.0, which is
    /// white in the picture, at pi; a bright sky already gives a part of that.
    fn wanted_irradiance(&self) -> f64 {
        let sky = PI * self.sky_radiance();
        (1.15 * PI - sky).clamp(0.55 * PI, 1.15 * PI)
    }

    /// Scales all light, that of the sky too.
    pub(crate) fn expose(&mut self, factor: f64) {
        for thing in &mut self.world.things {
            if let Body::Light(lamp) = &mut thing.body {
                lamp.emission = rounded(lamp.emission * factor);
            }
        }
        self.scale_sky(factor);
    }
}

fn lamp_form(
    kind: LightKind,
    phrase: &Phrase,
    center: DVec3,
    toward: DVec3,
    extent: f64,
    overhead: bool,
) -> LampForm {
    let softness = phrase.tones.iter().fold(1.0, |size, tone| match tone {
        Tone::Soft => size * 1.0,
        Tone::Hard => size * 0.3,
        _ => size,
    });
    let usual = 0.75 * extent * softness * phrase.size.factors.x;
    let side = phrase.size.extent.or(phrase.size.width).unwrap_or(usual.clamp(0.2, 30.0));
    let radius = phrase.size.radius.or(phrase.size.diameter.map(|diameter| diameter / 2.0));
    match kind {
        LightKind::Point => {
            LampForm::Point { center, direction: DVec3::NEG_Y, cutoff_angle: 180.0, falloff: 0.0 }
        }
        LightKind::Spot => {
            LampForm::Point { center, direction: toward, cutoff_angle: 35.0, falloff: 4.0 }
        }
        LightKind::Sphere => {
            LampForm::Sphere { center, radius: radius.unwrap_or((side * 0.25).max(0.1)) }
        }
        LightKind::Disc => {
            LampForm::Disc { center, normal: toward, radius: radius.unwrap_or(side * 0.5) }
        }
        LightKind::Any | LightKind::Quad => {
            let depth = phrase.size.depth.or(phrase.size.height).unwrap_or(side);
            // u x v is the side that shines.
            let (u, v) = if overhead {
                (DVec3::X * side, DVec3::Z * depth)
            } else {
                let u = toward.cross(DVec3::Y).normalize_or(DVec3::X);
                (u * side, toward.cross(u) * depth)
            };
            LampForm::Quad { corner: center - (u + v) * 0.5, u, v }
        }
    }
}

/// A colour with its brightest channel at 1.
pub(crate) fn hue(rgb: DVec3) -> DVec3 {
    let brightest = rgb.max_element();
    if brightest > 1e-6 { rgb / brightest } else { DVec3::splat(0.02) }
}

/// Two decimals are plenty for emission above 1.
pub(crate) fn rounded(emission: DVec3) -> DVec3 {
    let scale = if emission.max_element() >= 1.0 { 100.0 } else { 10_000.0 };
    (emission * scale).round() / scale
}

//! A snowman: three balls, coal for eyes and buttons, a carrot, two arms and a hat.

use glam::DVec3;

use super::{Planner, Problem};
use crate::language::{Phrase, Place};
use crate::world::{Body, Form, Material};

/// How far neighbouring balls sink into each other, as packed snow does.
const SUNK: f64 = 0.12;

impl Planner {
    pub(crate) fn make_snowmen(
        &mut self,
        phrase: &Phrase,
        places: &[Place],
    ) -> Result<Vec<String>, Problem> {
        let count = phrase.count.unwrap_or(if phrase.plural { 3 } else { 1 }).clamp(1, 20);
        let scale = phrase
            .size
            .height
            .or(phrase.size.extent)
            .map_or(phrase.size.factors.element_product().cbrt(), |height| height / 3.8);
        let snow = phrase.colours.first().map_or(DVec3::new(0.9, 0.92, 0.95), |colour| colour.rgb);
        let mut ids = Vec::new();
        for _ in 0..count {
            let wanted = phrase.name.as_deref().map_or("snowman".to_owned(), super::as_id);
            let group = self.world.free_id(&wanted);
            let (names, bodies): (Vec<String>, Vec<Body>) = parts(scale, snow)
                .into_iter()
                .map(|(name, body)| (format!("{group}_{name}"), body))
                .unzip();
            ids.extend(self.settle(bodies, &names, Some(&group), places)?);
        }
        Ok(ids)
    }
}

/// The parts with their names, standing on the origin; at scale 1 about 3.8 m high with its hat.
fn parts(scale: f64, snow: DVec3) -> Vec<(&'static str, Body)> {
    let (bottom, middle, head) = (1.0, 0.7, 0.48);
    let middle_y = 2.0 * bottom + middle - SUNK;
    let head_y = middle_y + middle + head - SUNK;
    let coal = DVec3::splat(0.02);
    let wood = DVec3::new(0.13, 0.06, 0.025);
    let orange = DVec3::new(1.0, 0.25, 0.02);
    let ball =
        |center: DVec3, radius: f64, colour: DVec3| (Form::Sphere { center, radius }, colour);
    // A point on the surface of a ball, seen from in front: to the side and up in degrees.
    let on_ball = |center_y: f64, radius: f64, aside: f64, up: f64| {
        let (aside, up) = (aside.to_radians(), up.to_radians());
        let out = DVec3::new(aside.sin() * up.cos(), up.sin(), aside.cos() * up.cos());
        DVec3::Y * center_y + out * radius
    };
    let arm = |side: f64| {
        let base = DVec3::new(side * (middle - 0.05), middle_y + 0.1, 0.0);
        let top = DVec3::new(side * (middle + 0.9), middle_y + 0.6, 0.1);
        (Form::Cylinder { base, top, radius: 0.04, capped: true }, wood)
    };
    let upright = |low: f64, high: f64, radius: f64| {
        let (base, top) = (DVec3::Y * low, DVec3::Y * high);
        (Form::Cylinder { base, top, radius, capped: true }, coal)
    };
    let brim = head_y + head - 0.1;
    let nose = Form::Cone {
        base: DVec3::new(0.0, head_y, head - 0.04),
        base_radius: 0.08,
        top: DVec3::new(0.0, head_y - 0.02, head + 0.5),
        top_radius: 0.0,
        capped: true,
    };
    let parts = [
        ("bottom", ball(DVec3::Y * bottom, bottom, snow)),
        ("middle", ball(DVec3::Y * middle_y, middle, snow)),
        ("head", ball(DVec3::Y * head_y, head, snow)),
        ("left_eye", ball(on_ball(head_y, head, -22.0, 20.0), 0.06, coal)),
        ("right_eye", ball(on_ball(head_y, head, 22.0, 20.0), 0.06, coal)),
        ("nose", (nose, orange)),
        ("button_1", ball(on_ball(middle_y, middle, 0.0, 25.0), 0.06, coal)),
        ("button_2", ball(on_ball(middle_y, middle, 0.0, -5.0), 0.06, coal)),
        ("left_arm", arm(-1.0)),
        ("right_arm", arm(1.0)),
        ("hat_brim", upright(brim, brim + 0.06, 0.5)),
        ("hat_top", upright(brim + 0.06, brim + 0.56, 0.32)),
    ];
    parts
        .into_iter()
        .map(|(name, (mut form, colour))| {
            form.scaled(DVec3::splat(scale), DVec3::ZERO);
            (name, Body::Shape { form, material: Material::Matte(colour) })
        })
        .collect()
}

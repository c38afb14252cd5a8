//! The input of expectations: the scenes around one message, and the answer.

use std::cell::OnceCell;
use std::collections::HashMap;

use scene::{Assets, Scene};
use serde_json::Value;
use spatial::{Space, View};
use tracer::{Draft, Meshes, RenderSettings, World, render_draft};

/// The state after a message was answered.
#[derive(Debug)]
pub struct Moment<'a> {
    pub(crate) before: Space<'a>,
    pub(crate) after: Space<'a>,
    /// The scene before the previous message.
    pub(crate) earlier: Option<&'a Scene>,
    /// All text to the user.
    pub(crate) answer: &'a str,
    /// Rendered on demand, once.
    pictures: OnceCell<[Picture; 2]>,
}

/// The lighting in a tiny image.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Picture {
    /// The mean luminance, with a maximum for overexposed pixels.
    pub(crate) luminance: f64,
    /// The ratio of mean red to mean blue.
    pub(crate) warmth: f64,
    /// The share of black pixels.
    pub(crate) dark: f64,
    /// The share of white pixels.
    pub(crate) burnt: f64,
}

/// The size of the images in pixels.
const GLANCE: [u32; 2] = [80, 60];
/// The luminances of black and white pixels.
const DARK: f64 = 0.01;
const BURNT: f64 = 4.0;

impl<'a> Moment<'a> {
    /// The state between `before` and `after`; `earlier` is the scene before the previous message.
    pub fn new(
        before: &'a Scene,
        after: &'a Scene,
        earlier: Option<&'a Scene>,
        answer: &'a str,
        assets: &'a dyn Assets,
    ) -> Self {
        Self {
            before: Space::of(before, assets),
            after: Space::of(after, assets),
            earlier,
            answer,
            pictures: OnceCell::new(),
        }
    }

    /// The lighting before and after, both with the camera after the message.
    pub(crate) fn pictures(&self) -> [Picture; 2] {
        *self.pictures.get_or_init(|| {
            [self.before.scene, self.after.scene].map(|scene| {
                picture(&Scene { camera: self.after.scene.camera.clone(), ..scene.clone() })
            })
        })
    }

    /// The view of the camera after the message.
    pub(crate) fn view(&self) -> View {
        View::of(&self.after.scene.camera)
    }

    /// Whether nothing in the scene changed; `with_camera` includes the camera.
    pub(crate) fn is_unchanged(&self, with_camera: bool) -> bool {
        is_same(self.before.scene, self.after.scene, with_camera)
    }

    /// The ids of objects that differ between the scenes.
    pub(crate) fn changed_ids(&self) -> Vec<String> {
        let (before, after) = (objects(self.before.scene), objects(self.after.scene));
        let is_other = |id: &&String| before.get(*id) != after.get(*id);
        let mut ids: Vec<String> =
            before.keys().chain(after.keys()).filter(is_other).cloned().collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

/// Whether both scenes have the same objects, light and environment, in any order.
pub(crate) fn is_same(one: &Scene, other: &Scene, with_camera: bool) -> bool {
    let (ones, others) = (objects(one), objects(other));
    let is_in_other =
        |(id, value): (&String, &Value)| others.get(id).is_some_and(|other| is_about(value, other));
    ones.len() == others.len()
        && ones.iter().all(is_in_other)
        && one.environment == other.environment
        && one.animation == other.animation
        && (!with_camera || one.camera == other.camera)
}

/// Numbers that differ by less are equal, since moving an object there and back rounds.
const ROUNDING: f64 = 1e-6;

/// Whether two documents are equal except for rounding.
fn is_about(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let (one, other) = (one.as_f64().unwrap_or(0.0), other.as_f64().unwrap_or(0.0));
            (one - other).abs() <= ROUNDING * one.abs().max(1.0)
        }
        (Value::Array(ones), Value::Array(others)) => {
            ones.len() == others.len()
                && ones.iter().zip(others).all(|(one, other)| is_about(one, other))
        }
        (Value::Object(ones), Value::Object(others)) => {
            let is_there = |(name, one): (&String, &Value)| {
                others.get(name).is_some_and(|other| is_about(one, other))
            };
            ones.len() == others.len() && ones.iter().all(is_there)
        }
        _ => one == other,
    }
}

/// Shapes and lights by id.
fn objects(scene: &Scene) -> HashMap<String, Value> {
    let shapes = scene.shapes.iter().map(|shape| (shape.id.as_str().to_owned(), shape.to_json()));
    let lights = scene.lights.iter().map(|light| (light.id.as_str().to_owned(), light.to_json()));
    shapes.chain(lights).collect()
}

fn picture(scene: &Scene) -> Picture {
    let world = World::build_with(scene, &Meshes::default());
    let fine = Draft { block: 1, ..Draft::default() };
    let image = render_draft(&world, &RenderSettings::default(), fine, GLANCE, &|| false);
    // It is never cancelled.
    let Some(image) = image else { return Picture::default() };
    let pixels: Vec<[f64; 3]> = image.pixels.iter().map(|pixel| pixel.map(f64::from)).collect();
    let luminance = |[red, green, blue]: &[f64; 3]| 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    let count = pixels.len() as f64;
    let mean = |of: &dyn Fn(&[f64; 3]) -> f64| pixels.iter().map(of).sum::<f64>() / count;
    let channel = |at: usize| mean(&|pixel: &[f64; 3]| pixel[at].min(BURNT));
    let share = |is_so: &dyn Fn(f64) -> bool| mean(&|pixel| f64::from(is_so(luminance(pixel))));
    Picture {
        luminance: mean(&|pixel| luminance(pixel).min(BURNT)),
        warmth: (channel(0) + 1e-4) / (channel(2) + 1e-4),
        dark: share(&|level| level < DARK),
        burnt: share(&|level| level > BURNT),
    }
}

//! A sheet of views with labels or flat colours, and a description of each view.

use scene::Assets;
use serde_json::{Map, Value, json};
use spatial::Space;
use tracer::{ToneMap, to_srgb8};

use crate::look::{Look, Patch, describe, most_important_first};
use crate::picture::{EncodeError, Format};
use crate::sheet::{Canvas, Colour, Named, sheet, write_names};

/// How the objects of a picture are marked.
#[derive(Debug, Clone, Copy)]
pub(super) struct Marks {
    /// By their ids as labels.
    pub(super) labels: bool,
    /// By a flat colour each, without shading.
    pub(super) id_colours: bool,
}

/// The picture and the descriptions of some views, for a model.
pub(super) struct Portrait {
    canvas: Canvas,
    /// A description of each view.
    pub(super) seen: Vec<Value>,
    /// The colour of each object by id, if objects have flat colours.
    pub(super) legend: Option<Value>,
    /// The number of visible objects without room for a label.
    pub(super) unlabelled: usize,
    /// Samples per pixel, on average over the views.
    pub(super) samples: f64,
}

/// Objects described in the first view, and in each other one.
const MAX_OF_FIRST_VIEW: usize = 12;
const MAX_OF_OTHER_VIEWS: usize = 5;
/// The most labels in one view, and colours in the legend; more could not be distinguished.
const MAX_NAMES: usize = 40;
/// Objects with fewer pixels get no label: they are too small to recognise.
const MIN_PIXELS: u32 = 6;
const SKY: Colour = [0; 3];

/// Colours that are easily told apart and named, the clearest first. Sasha Trubetskoy 2017, "List of
/// 20 simple, distinct colors", without black and white.
const COLOURS: [Colour; 20] = [
    [230, 25, 75],
    [60, 180, 75],
    [255, 225, 25],
    [0, 130, 200],
    [245, 130, 48],
    [145, 30, 180],
    [70, 240, 240],
    [240, 50, 230],
    [210, 245, 60],
    [250, 190, 212],
    [0, 128, 128],
    [220, 190, 255],
    [170, 110, 40],
    [255, 250, 200],
    [128, 0, 0],
    [170, 255, 195],
    [128, 128, 0],
    [255, 215, 180],
    [0, 0, 128],
    [128, 128, 128],
];

/// The colour of the object of this rank. After the first twenty, they alternate darker and lighter.
fn colour_of(rank: usize) -> Colour {
    let towards = |goal: u8, share: f32| {
        move |channel: u8| {
            let (channel, goal) = (f32::from(channel), f32::from(goal));
            (channel + (goal - channel) * share).round() as u8
        }
    };
    let colour = COLOURS[rank % COLOURS.len()];
    match rank / COLOURS.len() {
        0 => colour,
        1 => colour.map(towards(0, 0.4)),
        2 => colour.map(towards(255, 0.45)),
        3 => colour.map(towards(0, 0.65)),
        _ => colour.map(towards(255, 0.75)),
    }
}

impl Portrait {
    /// Renders one view as a picture, or several as a sheet with titles. Runs on the current rayon pool.
    pub(super) fn of(
        looks: &[Look],
        titles: Vec<String>,
        marks: Marks,
        assets: &dyn Assets,
    ) -> Self {
        let mut portrait = Self {
            canvas: Canvas::filled(1, 1, SKY),
            seen: Vec::new(),
            legend: None,
            unlabelled: 0,
            samples: looks.iter().map(|look| look.samples).sum::<f64>() / looks.len().max(1) as f64,
        };
        let mut legend = Map::new();
        let mut views = Vec::with_capacity(looks.len());
        // Objects with a colour, in order; the colours are the same in all views.
        let mut ranks: Vec<u32> = Vec::new();
        for (look, title) in looks.iter().zip(titles) {
            // Each view has its own camera.
            let space = Space::of(&look.scene, assets);
            let most = if views.is_empty() { MAX_OF_FIRST_VIEW } else { MAX_OF_OTHER_VIEWS };
            let mut seen = json!({ "view": title });
            if let (Some(seen), Value::Object(words)) =
                (seen.as_object_mut(), describe(look, &space, most))
            {
                seen.extend(words);
            }
            portrait.seen.push(seen);
            let patches = most_important_first(look, &space);
            let mut canvas = shown(look);
            let mut colours = Vec::new();
            if marks.id_colours {
                let new = patches.iter().map(|patch| patch.object);
                ranks.extend(new.filter(|object| !ranks.contains(object)).collect::<Vec<_>>());
                colours = self::colours(look, &ranks);
                canvas = coloured(look, &colours);
            }
            let large = patches.iter().filter(|patch| patch.pixels >= MIN_PIXELS);
            let colour = |patch: &Patch| colours.get(patch.object as usize).copied();
            let named: Vec<Named> =
                large.take(MAX_NAMES).map(|patch| named(look, patch, colour(patch))).collect();
            legend.extend(named.iter().filter_map(|thing| {
                let [red, green, blue] = thing.colour?;
                Some((thing.name.clone(), format!("#{red:02x}{green:02x}{blue:02x}").into()))
            }));
            if marks.labels {
                portrait.unlabelled += write_names(&mut canvas, &named);
            }
            views.push((title, canvas));
        }
        portrait.legend = marks.id_colours.then_some(Value::Object(legend));
        portrait.canvas = match views.len() {
            1 => views.remove(0).1,
            _ => sheet(&views),
        };
        portrait
    }

    /// The picture as a file.
    pub(super) fn encode(&self, format: Format) -> Result<Vec<u8>, EncodeError> {
        format.encode_shown(self.canvas.bytes(), self.canvas.size())
    }
}

/// The picture in display colours.
fn shown(look: &Look) -> Canvas {
    let bytes = to_srgb8(&look.image, ToneMap::default());
    let (pixels, _) = bytes.as_chunks::<3>();
    Canvas::of(look.image.width, look.image.height, pixels.to_vec())
}

/// The colour of each object of a look, by the ranks of those that have one.
fn colours(look: &Look, ranks: &[u32]) -> Vec<Colour> {
    let mut colours = vec![SKY; look.objects.len()];
    for (rank, object) in ranks.iter().enumerate() {
        colours[*object as usize] = colour_of(rank);
    }
    colours
}

/// The picture with flat colours.
fn coloured(look: &Look, colours: &[Colour]) -> Canvas {
    let colour = |object: &Option<u32>| object.map_or(SKY, |object| colours[object as usize]);
    let pixels = look.aovs.object.iter().map(colour).collect();
    Canvas::of(look.image.width, look.image.height, pixels)
}

fn named(look: &Look, patch: &Patch, colour: Option<Colour>) -> Named {
    let name = look.id(patch.object).to_owned();
    Named { name, point: patch.point, room: patch.room, colour }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_hundred_things_have_different_colours_and_none_that_of_the_sky() {
        let colours: HashSet<Colour> = (0..100).map(colour_of).collect();
        assert_eq!(colours.len(), 100);
        assert!(!colours.contains(&SKY));
    }
}

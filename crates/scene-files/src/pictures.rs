//! Images that a file names by the files beside it.

use std::collections::HashMap;

use glam::Vec4;
use image_files::Format;
use media::Image;
use serde_json::{Map, Value, json};

use crate::Beside;
use crate::draft::Draft;
use crate::placement::tidy;
use crate::textures::Transform;

/// Images of one file: each is decoded once to see that it is good.
const MOST_IMAGES: usize = 128;
/// An image is looked at in so many rows and columns to see what it holds.
const LOOKS: u16 = 16;

/// An image that was read through and kept.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    /// What materials call it.
    pub(crate) asset: String,
    /// Whether its colours are normals of about flat surfaces.
    pub(crate) holds_normals: bool,
}

/// The images found so far, by the names the file has for them; none of those that cannot be had.
#[derive(Debug, Default)]
pub(crate) struct Pictures(HashMap<String, Option<Kept>>);

impl Pictures {
    /// Whether an image of this name was asked for before.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Reads an image through and keeps its file, once. One that cannot be had is noted.
    pub(crate) fn find(
        &mut self,
        name: &str,
        beside: Beside<'_>,
        draft: &mut Draft,
    ) -> Option<Kept> {
        if let Some(known) = self.0.get(name) {
            return known.clone();
        }
        let kept = if self.0.len() < MOST_IMAGES {
            let shown: String = name.chars().take(60).collect();
            let kept = read(name, beside, draft);
            kept.map_err(|fault| draft.note(format!("the image '{shown}' is left out: {fault}")))
                .ok()
        } else {
            draft.note(format!("of more than {MOST_IMAGES} images the rest is left out"));
            None
        };
        self.0.insert(name.to_owned(), kept.clone());
        kept
    }
}

fn read(name: &str, beside: Beside<'_>, draft: &mut Draft) -> Result<Kept, String> {
    let bytes = beside(name).map_err(|fault| fault.to_string())?;
    let format = Format::of_content(&bytes).ok_or("it is of no known kind")?;
    let texels = image_files::read(&bytes, format, &image_files::Limits::default())
        .map_err(|fault| fault.to_string())?;
    let title = std::path::Path::new(name).file_stem().and_then(|stem| stem.to_str());
    let asset = draft.image(title.unwrap_or_default(), format, bytes);
    Ok(Kept { asset, holds_normals: holds_normals(&texels) })
}

/// Normals of a surface lean to all sides, so that they point straight out in the mean, and all of them
/// out: half red, half green, blue.
fn holds_normals(texels: &Image) -> bool {
    let place = |at: u16| (f32::from(at) + 0.5) / f32::from(LOOKS);
    let places = (0..LOOKS).flat_map(|y| (0..LOOKS).map(move |x| [place(x), place(y)]));
    let (mut sum, mut least_blue) = (Vec4::ZERO, 1.0_f32);
    for uv in places {
        let texel = Vec4::from_array(texels.stored(uv));
        sum += texel;
        least_blue = least_blue.min(texel.z);
    }
    let mean = sum / f32::from(LOOKS * LOOKS);
    let is_half = |number: f32| (number - 0.5).abs() < 0.1;
    is_half(mean.x) && is_half(mean.y) && mean.z > 0.7 && least_blue >= 0.45
}

/// A texture from black to `second` by an image, which `found` has with how it lies.
pub(crate) fn texture(found: &Map<String, Value>, channel: Option<&str>, second: Value) -> Value {
    let mut texture = Map::new();
    texture.insert("type".into(), "image".into());
    texture.extend(found.clone());
    texture.extend(channel.map(|channel| ("channel".to_owned(), channel.into())));
    texture.insert("second".into(), second);
    Value::Object(texture)
}

/// Lays an image as coordinates that change by `transform` have it; one that no scene can show so is
/// noted.
pub(crate) fn place(transform: &Transform, image: &mut Map<String, Value>, draft: &mut Draft) {
    let Some((offset, scale, degrees)) = transform.placement() else {
        draft.note(
            "textures that are mirrored, skewed or without extent lie as they would without their \
             transform",
        );
        return;
    };
    let [[x, y], [across, up]] = [offset, scale].map(|pair| pair.map(tidy));
    let degrees = tidy(degrees);
    if [across, up] != [1.0; 2] {
        image.insert("scale".into(), json!([across, up, 1.0]));
    }
    if degrees != 0.0 {
        image.insert("rotation".into(), json!([0.0, 0.0, degrees]));
    }
    if [x, y] != [0.0; 2] {
        image.insert("offset".into(), json!([x, y, 0.0]));
    }
}

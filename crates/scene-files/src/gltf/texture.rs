//! Textures: which image each shows, and how it lies on the surface.

use std::collections::HashMap;

use image_files::Format;
use mesh_files::GltfFile;
use serde_json::{Map, Value};

use super::source::Source;
use crate::Beside;
use crate::draft::Draft;
use crate::textures::{Khronos, Transform};

/// Images of one file: each is decoded once to see that it is good.
const MOST_IMAGES: usize = 128;

/// The images of a file as they are found.
pub(super) struct Textures<'a> {
    file: &'a GltfFile,
    beside: Beside<'a>,
    /// By index, the names scenes use; none of those that cannot be had.
    images: HashMap<usize, Option<String>>,
}

impl<'a> Textures<'a> {
    pub(super) fn new(file: &'a GltfFile, beside: Beside<'a>) -> Self {
        Self { file, beside, images: HashMap::new() }
    }

    /// The image at `path` of a material, and how it lies, as a texture or a normal map of scene files
    /// has it but for its type. What it cannot show is noted.
    pub(super) fn find(
        &mut self,
        material: &Source<'_>,
        path: &str,
        draft: &mut Draft,
    ) -> Option<Map<String, Value>> {
        let info = material.at(path);
        let texture = self.file.json["textures"].get(index(info.0.get("index")?)?)?;
        let transform = info.at("extensions/KHR_texture_transform");
        let set = transform.0.get("texCoord").or_else(|| info.0.get("texCoord"));
        if set.and_then(Value::as_u64).unwrap_or(0) != 0 {
            draft.note("textures that lie by a second set of coordinates are left out");
            return None;
        }
        let source = texture.pointer("/extensions/EXT_texture_webp/source");
        let image = index(source.or_else(|| texture.get("source"))?)?;
        let asset = self.image(image, draft)?;
        let mut found = Map::new();
        found.insert("asset".into(), asset.into());
        let sampler = texture.get("sampler").and_then(index);
        let sampler = sampler.and_then(|at| self.file.json["samplers"].get(at));
        match sampler.and_then(|sampler| sampler["wrapS"].as_u64()) {
            Some(33_071) => found.insert("wrap".into(), "clamp".into()),
            Some(33_648) => found.insert("wrap".into(), "mirror".into()),
            _ => None,
        };
        place(&transform, &mut found, draft);
        Some(found)
    }

    fn image(&mut self, at: usize, draft: &mut Draft) -> Option<String> {
        if let Some(known) = self.images.get(&at) {
            return known.clone();
        }
        let kept = if self.images.len() < MOST_IMAGES {
            let kept = self.read(at, draft);
            kept.map_err(|fault| draft.note(format!("an image is left out: {fault}"))).ok()
        } else {
            draft.note(format!("of more than {MOST_IMAGES} images the rest is left out"));
            None
        };
        self.images.insert(at, kept.clone());
        kept
    }

    /// Reads an image through and keeps its file.
    fn read(&mut self, at: usize, draft: &mut Draft) -> Result<String, String> {
        let image = self.file.document.images().nth(at).ok_or("there is no such image")?;
        let bytes = self.file.picture(&image, self.beside).map_err(|fault| fault.to_string())?;
        let format = Format::of_content(&bytes).ok_or("it is of no known kind")?;
        image_files::read(&bytes, format, &image_files::Limits::default())
            .map_err(|fault| fault.to_string())?;
        Ok(draft.image(image.name().unwrap_or_default(), format, bytes))
    }
}

fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// KHR_texture_transform tells how coordinates change; a scene how the image lies.
fn place(transform: &Source<'_>, found: &mut Map<String, Value>, draft: &mut Draft) {
    if !transform.is_there() {
        return;
    }
    let khronos = Khronos {
        offset: transform.factors("offset", [0.0; 2]).into(),
        rotation: transform.number("rotation", 0.0),
        scale: transform.factors("scale", [1.0; 2]).into(),
    };
    crate::pictures::place(&Transform::of_khronos(khronos), found, draft);
}

//! Textures of a glTF file.

use mesh_files::GltfFile;
use scene::Wrap;
use serde_json::Value;

use super::super::{CLAMP_TO_EDGE, MIRRORED_REPEAT};
use super::json::JsonValue;
use crate::image_texture::ImageTexture;
use crate::import::{FileSource, ImageCache, SceneBuilder};
use crate::uv_transform::{KhrTextureTransform, UvTransform};

/// Finds the textures of materials.
pub(super) struct Textures<'a> {
    file: &'a GltfFile,
    files: FileSource<'a>,
    images: ImageCache<usize>,
}

impl<'a> Textures<'a> {
    pub(super) fn new(file: &'a GltfFile, files: FileSource<'a>) -> Self {
        Self { file, files, images: ImageCache::default() }
    }

    /// The texture that a material refers to at `path`. One that cannot be used is noted.
    pub(super) fn find(
        &mut self,
        material: &JsonValue<'_>,
        path: &str,
        builder: &mut SceneBuilder,
    ) -> Option<ImageTexture<String>> {
        let info = material.at(path);
        let texture = self.file.json["textures"].get(index(info.0.get("index")?)?)?;
        let transform = info.at("extensions/KHR_texture_transform");
        let set = transform.0.get("texCoord").or_else(|| info.0.get("texCoord"));
        if set.and_then(Value::as_u64).unwrap_or(0) != 0 {
            builder.note("textures that lie by a second set of coordinates are left out");
            return None;
        }
        let source = texture.pointer("/extensions/EXT_texture_webp/source");
        let image = index(source.or_else(|| texture.get("source"))?)?;
        let asset = self.image(image, builder)?;
        let sampler = texture.get("sampler").and_then(index);
        let sampler = sampler.and_then(|at| self.file.json["samplers"].get(at));
        let mode = sampler.and_then(|sampler| sampler["wrapS"].as_u64());
        let wrap = match mode.and_then(|mode| u32::try_from(mode).ok()) {
            Some(CLAMP_TO_EDGE) => Wrap::Clamp,
            Some(MIRRORED_REPEAT) => Wrap::Mirror,
            _ => Wrap::Repeat,
        };
        let transform = KhrTextureTransform {
            offset: transform.factors("offset", [0.0; 2]).into(),
            rotation: transform.number("rotation", 0.0),
            scale: transform.factors("scale", [1.0; 2]).into(),
        };
        Some(ImageTexture::imported(asset, wrap, UvTransform::of_khr(transform), builder))
    }

    /// The asset of an image.
    fn image(&mut self, at: usize, builder: &mut SceneBuilder) -> Option<String> {
        let (file, files) = (self.file, &mut *self.files);
        let read = || {
            let image = file.document.images().nth(at).ok_or("there is no such image")?;
            let bytes = file.image_bytes(&image, files).map_err(|error| error.to_string())?;
            Ok((image.name().unwrap_or_default().to_owned(), bytes))
        };
        Some(self.images.get_or_read(at, "an image", read, builder)?.asset)
    }
}

fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

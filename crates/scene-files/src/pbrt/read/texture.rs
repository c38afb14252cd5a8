//! Image textures.

use glam::{DMat2, DVec2};
use scene::Wrap;
use serde_json::Value;

use super::parameters::Parameters;
use super::state::{Named, ScaledImage, Texture};
use crate::image_texture::ImageTexture;
use crate::import::{FileSource, SceneBuilder};
use crate::uv_transform::UvTransform;

/// An `imagemap` texture. One that cannot be used becomes grey, with a note.
pub(super) fn read_image_map(
    parameters: &Parameters,
    named: &mut Named,
    files: FileSource<'_>,
    builder: &mut SceneBuilder,
) -> Texture {
    let grey = Texture { mean: [0.5; 3], image: None };
    if parameters.text("mapping").is_some_and(|mapping| mapping != "uv") {
        builder.note("images that are projected are left out: grey");
        return grey;
    }
    let path = parameters.text("filename").unwrap_or_default();
    let Some(image) = named.images.get_or_read_file(path, files, builder) else { return grey };
    if parameters.flag("invert", false) {
        builder.note("an inverted image stands as it is");
    }
    let wrap = match parameters.text("wrap") {
        Some("clamp") => Wrap::Clamp,
        Some("black") => {
            builder.note("an image with black around it shows its edge instead");
            Wrap::Clamp
        }
        _ => Wrap::Repeat,
    };
    let texture = ImageTexture::imported(image.asset, wrap, uv_transform(parameters), builder);
    let scale = parameters.number_or("scale", 1.0).clamp(0.0, 1.0);
    Texture { mean: [0.5 * scale; 3], image: Some(ScaledImage { texture, scale }) }
}

/// The normal map of a material.
pub(super) fn read_normal_map(
    parameters: &Parameters,
    named: &mut Named,
    files: FileSource<'_>,
    builder: &mut SceneBuilder,
) -> Option<Value> {
    let path = parameters.text("normalmap")?;
    let image = named.images.get_or_read_file(path, files, builder)?;
    let (wrap, transform) = (Wrap::Repeat, UvTransform::IDENTITY);
    Some(ImageTexture::imported(image.asset, wrap, transform, builder).normal_map(1.0))
}

/// PBRT scales UV coordinates, then adds an offset.
fn uv_transform(parameters: &Parameters) -> UvTransform {
    let pair = |u, v, default| {
        DVec2::new(parameters.number_or(u, default), parameters.number_or(v, default))
    };
    let linear = DMat2::from_diagonal(pair("uscale", "vscale", 1.0));
    UvTransform { linear, offset: pair("udelta", "vdelta", 0.0) }
}

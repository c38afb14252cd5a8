//! Textures of images.

use serde_json::{Map, Value, json};

use super::parameters::Parameters;
use super::state::{Names, Texture};
use crate::Beside;
use crate::draft::Draft;
use crate::textures::Transform;

/// A texture `imagemap`, as scene files have it but for what it is mixed with; grey, and a note, where
/// the image cannot be had.
pub(super) fn read(
    parameters: &Parameters,
    names: &mut Names,
    beside: Beside<'_>,
    draft: &mut Draft,
) -> Texture {
    let grey = Texture { mean: [0.5; 3], image: None };
    if parameters.text("mapping").is_some_and(|mapping| mapping != "uv") {
        draft.note("images that are projected are left out: grey");
        return grey;
    }
    let name = parameters.text("filename").unwrap_or_default();
    let Some(kept) = names.images.find(name, beside, draft) else { return grey };
    if parameters.flag("invert", false) {
        draft.note("an inverted image stands as it is");
    }
    let mut image = Map::new();
    image.insert("asset".into(), kept.asset.into());
    match parameters.text("wrap") {
        Some("clamp") => image.insert("wrap".into(), "clamp".into()),
        Some("black") => {
            draft.note("an image with black around it shows its edge instead");
            image.insert("wrap".into(), "clamp".into())
        }
        _ => None,
    };
    place(parameters, &mut image, draft);
    let scale = parameters.number_or("scale", 1.0).clamp(0.0, 1.0);
    if scale < 1.0 {
        let (black, white) = (json!([0.0, 0.0, 0.0]), json!([scale, scale, scale]));
        image.extend([("first".to_owned(), black), ("second".to_owned(), white)]);
    }
    Texture { mean: [0.5 * scale; 3], image: Some(image) }
}

/// The image of normals of a material.
pub(super) fn normals(
    parameters: &Parameters,
    names: &mut Names,
    beside: Beside<'_>,
    draft: &mut Draft,
) -> Option<Value> {
    let kept = names.images.find(parameters.text("normalmap")?, beside, draft)?;
    Some(json!({ "asset": kept.asset }))
}

/// PBRT looks the image up at u and v, scaled and then moved.
fn place(parameters: &Parameters, image: &mut Map<String, Value>, draft: &mut Draft) {
    let pair = |across, up, default| {
        glam::DVec2::new(parameters.number_or(across, default), parameters.number_or(up, default))
    };
    let linear = glam::DMat2::from_diagonal(pair("uscale", "vscale", 1.0));
    let transform = Transform { linear, offset: pair("udelta", "vdelta", 0.0) };
    crate::pictures::place(&transform, image, draft);
}

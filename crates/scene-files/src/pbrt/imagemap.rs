//! Textures of images.

use image_files::Format;
use serde_json::{Map, Value, json};

use super::parameters::Parameters;
use super::state::{Names, Texture};
use crate::Beside;
use crate::draft::Draft;
use crate::placement::tidy;
use crate::textures::Transform;

/// Images of one file: each is decoded once to see that it is good.
const MOST_IMAGES: usize = 128;

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
    let Some(asset) = asset(name, names, beside, draft) else { return grey };
    if parameters.flag("invert", false) {
        draft.note("an inverted image stands as it is");
    }
    let mut image = Map::new();
    image.insert("asset".into(), asset.into());
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
    let name = parameters.text("normalmap")?.to_owned();
    asset(&name, names, beside, draft).map(|asset| json!({ "asset": asset }))
}

/// Reads an image through and keeps its file, once.
fn asset(name: &str, names: &mut Names, beside: Beside<'_>, draft: &mut Draft) -> Option<String> {
    if let Some(known) = names.images.get(name) {
        return known.clone();
    }
    let mut read = || {
        let bytes = beside(name).map_err(|fault| fault.to_string())?;
        let format = Format::of_content(&bytes).ok_or("it is of no known kind")?;
        image_files::read(&bytes, format, &image_files::Limits::default())
            .map_err(|fault| fault.to_string())?;
        Ok::<_, String>((format, bytes))
    };
    let title = std::path::Path::new(name).file_stem().and_then(|stem| stem.to_str());
    let kept = if names.images.len() < MOST_IMAGES {
        match read() {
            Ok((format, bytes)) => Some(draft.image(title.unwrap_or_default(), format, bytes)),
            Err(fault) => {
                let name: String = name.chars().take(60).collect();
                draft.note(format!("the image '{name}' is left out: {fault}"));
                None
            }
        }
    } else {
        draft.note(format!("of more than {MOST_IMAGES} images the rest is left out"));
        None
    };
    names.images.insert(name.to_owned(), kept.clone());
    kept
}

/// PBRT looks the image up at u and v, scaled and then moved.
fn place(parameters: &Parameters, image: &mut Map<String, Value>, draft: &mut Draft) {
    let pair = |across, up, default| {
        glam::DVec2::new(parameters.number_or(across, default), parameters.number_or(up, default))
    };
    let linear = glam::DMat2::from_diagonal(pair("uscale", "vscale", 1.0));
    let transform = Transform { linear, offset: pair("udelta", "vdelta", 0.0) };
    let Some((offset, scale, _)) = transform.placement() else {
        draft.note("an image that is mirrored or without extent lies as it would without");
        return;
    };
    let [[x, y], [across, up]] = [offset, scale].map(|pair| pair.map(tidy));
    if [across, up] != [1.0; 2] {
        image.insert("scale".into(), json!([across, up, 1.0]));
    }
    if [x, y] != [0.0; 2] {
        image.insert("offset".into(), json!([x, y, 0.0]));
    }
}

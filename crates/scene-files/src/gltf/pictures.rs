//! Images on materials as they are written.

use std::collections::HashMap;
use std::hash::Hash;

use scene::Wrap;
use serde_json::{Value, json};

use super::material::{ORIGINAL, glow};
use crate::textures::{Image, Painting, Picture};

/// What the file says of how an image is looked up.
const TRANSFORM: &str = "KHR_texture_transform";

/// The images of a file, as materials come to show them.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    /// Places among the paintings' images; the file has those alone, in this order.
    images: List<usize>,
    /// How each goes on beyond its edges, as the specification numbers it.
    samplers: List<u32>,
    /// Pairs of places among the samplers and the images of the file.
    textures: List<[usize; 2]>,
    transformed: bool,
}

impl Pictures {
    /// Lays the images of a painting over a material.
    pub(super) fn show(&mut self, material: &mut Value, painting: &Painting) {
        // What it was made of would be taken back without the images.
        if let Some(extras) = material.get_mut("extras").and_then(Value::as_object_mut) {
            extras.remove(ORIGINAL);
        }
        let Painting { base_factor: [red, green, blue], opacity_factor, .. } = *painting;
        let base = &mut material["pbrMetallicRoughness"];
        base["baseColorFactor"] = json!([red, green, blue, opacity_factor]);
        base["metallicFactor"] = painting.metalness_factor.into();
        base["roughnessFactor"] = painting.roughness_factor.into();
        if let Some(picture) = &painting.base {
            base["baseColorTexture"] = self.texture(picture);
        }
        if let Some(picture) = &painting.surface {
            base["metallicRoughnessTexture"] = self.texture(picture);
        }
        if painting.has_opacity {
            material["alphaMode"] = "BLEND".into();
        }
        if let Some(picture) = &painting.emission {
            glow(material, painting.emission_factor);
            material["emissiveTexture"] = self.texture(picture);
        }
        if let Some((picture, strength)) = &painting.normals {
            material["normalTexture"] = self.texture(picture);
            material["normalTexture"]["scale"] = (*strength).into();
        }
    }

    fn texture(&mut self, picture: &Picture) -> Value {
        let pair = [self.samplers.place(mode(picture.wrap)), self.images.place(picture.image)];
        let mut made = json!({ "index": self.textures.place(pair) });
        let khronos = picture.transform.to_khronos();
        if picture.transform != crate::textures::Transform::NONE {
            self.transformed = true;
            made["extensions"] = json!({ TRANSFORM: {
                "offset": khronos.offset.to_array(),
                "rotation": khronos.rotation,
                "scale": khronos.scale.to_array(),
            } });
        }
        made
    }

    /// The images that are shown, in the order of the file; out of those of the painter.
    pub(super) fn images(&self, painted: &mut [Image]) -> Vec<Image> {
        let take = |at: &usize| Image {
            format: painted[*at].format,
            bytes: std::mem::take(&mut painted[*at].bytes),
        };
        self.images.0.iter().map(take).collect()
    }

    pub(super) fn samplers(&self) -> Vec<Value> {
        let sampler = |mode: &u32| json!({ "wrapS": mode, "wrapT": mode });
        self.samplers.0.iter().map(sampler).collect()
    }

    pub(super) fn textures(&self) -> Vec<Value> {
        let texture =
            |[sampler, source]: &[usize; 2]| json!({ "sampler": sampler, "source": source });
        self.textures.0.iter().map(texture).collect()
    }

    /// The extension the textures use, if they do.
    pub(super) fn extension(&self) -> Option<&'static str> {
        self.transformed.then_some(TRANSFORM)
    }
}

fn mode(wrap: Wrap) -> u32 {
    match wrap {
        Wrap::Repeat => 10_497,
        Wrap::Mirror => 33_648,
        Wrap::Clamp => 33_071,
    }
}

/// Items in the order in which they first came, and the place of each.
#[derive(Debug)]
struct List<T>(Vec<T>, HashMap<T, usize>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new(), HashMap::new())
    }
}

impl<T: Copy + Eq + Hash> List<T> {
    /// The place of an item, which is added to the end if it is new.
    fn place(&mut self, item: T) -> usize {
        let next = self.0.len();
        let place = *self.1.entry(item).or_insert(next);
        if place == next {
            self.0.push(item);
        }
        place
    }
}

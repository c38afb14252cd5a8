//! Images on materials as they are written.

use scene::Wrap;
use serde_json::{Value, json};

use super::material::{ORIGINAL, glow};
use crate::textures::{Image, Painting, Paintings, Picture};

/// What the file says of how an image is looked up.
const TRANSFORM: &str = "KHR_texture_transform";

/// The images of a file, as materials come to show them.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    /// Places among the paintings' images; the file has those alone, in this order.
    images: Vec<usize>,
    samplers: Vec<Wrap>,
    /// Pairs of places among the samplers and the images of the file.
    textures: Vec<[usize; 2]>,
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
        let pair =
            [place(&mut self.samplers, picture.wrap), place(&mut self.images, picture.image)];
        let mut made = json!({ "index": place(&mut self.textures, pair) });
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

    /// The images that are shown, in the order of the file.
    pub(super) fn images<'a>(&self, paintings: &'a Paintings) -> Vec<&'a Image> {
        self.images.iter().map(|at| &paintings.images[*at]).collect()
    }

    pub(super) fn samplers(&self) -> Vec<Value> {
        let sampler = |wrap: &Wrap| {
            let mode = match wrap {
                Wrap::Repeat => 10_497,
                Wrap::Mirror => 33_648,
                Wrap::Clamp => 33_071,
            };
            json!({ "wrapS": mode, "wrapT": mode })
        };
        self.samplers.iter().map(sampler).collect()
    }

    pub(super) fn textures(&self) -> Vec<Value> {
        let texture =
            |[sampler, source]: &[usize; 2]| json!({ "sampler": sampler, "source": source });
        self.textures.iter().map(texture).collect()
    }

    /// The extension the textures use, if they do.
    pub(super) fn extension(&self) -> Option<&'static str> {
        self.transformed.then_some(TRANSFORM)
    }
}

/// The place of an item in a list, to whose end it is added if it is new.
fn place<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

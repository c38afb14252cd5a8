//! Images, samplers and textures of a glTF file.

use std::collections::HashMap;
use std::hash::Hash;

use scene::Wrap;
use serde_json::{Value, json};

use super::super::{CLAMP_TO_EDGE, MIRRORED_REPEAT, ORIGINAL, REPEAT};
use super::material::set_emission;
use crate::export::{ImageFile, MaterialTextures};
use crate::image_texture::ImageTexture;
use crate::uv_transform::UvTransform;

/// The extension for UV transforms.
const TRANSFORM: &str = "KHR_texture_transform";

/// The images, samplers and textures that materials use.
#[derive(Debug, Default)]
pub(super) struct TextureList {
    /// Indices into the images of the [`TextureExporter`](crate::export::TextureExporter).
    images: IndexSet<usize>,
    /// Wrap modes.
    samplers: IndexSet<u32>,
    /// Pairs of a sampler and an image.
    textures: IndexSet<[usize; 2]>,
    has_transforms: bool,
}

impl TextureList {
    /// Sets the textures of a material, and their factors.
    pub(super) fn apply(&mut self, textures: &MaterialTextures, material: &mut Value) {
        // The original material would be imported without the textures.
        if let Some(extras) = material.get_mut("extras").and_then(Value::as_object_mut) {
            extras.remove(ORIGINAL);
        }
        let MaterialTextures { base_factor: [red, green, blue], opacity_factor, .. } = *textures;
        let base = &mut material["pbrMetallicRoughness"];
        base["baseColorFactor"] = json!([red, green, blue, opacity_factor]);
        base["metallicFactor"] = textures.metalness_factor.into();
        base["roughnessFactor"] = textures.roughness_factor.into();
        if let Some(texture) = &textures.base {
            base["baseColorTexture"] = self.texture(texture);
        }
        if let Some(texture) = &textures.metallic_roughness {
            base["metallicRoughnessTexture"] = self.texture(texture);
        }
        if textures.has_opacity {
            material["alphaMode"] = "BLEND".into();
        }
        if let Some(texture) = &textures.emission {
            set_emission(material, textures.emission_factor);
            material["emissiveTexture"] = self.texture(texture);
        }
        if let Some((texture, scale)) = &textures.normals {
            material["normalTexture"] = self.texture(texture);
            material["normalTexture"]["scale"] = (*scale).into();
        }
    }

    /// The reference of a material to a texture.
    fn texture(&mut self, texture: &ImageTexture<usize>) -> Value {
        let sampler = self.samplers.index(wrap_mode(texture.wrap));
        let pair = [sampler, self.images.index(texture.image)];
        let mut made = json!({ "index": self.textures.index(pair) });
        if texture.transform != UvTransform::IDENTITY {
            let khr = texture.transform.to_khr();
            self.has_transforms = true;
            made["extensions"] = json!({ TRANSFORM: {
                "offset": khr.offset.to_array(),
                "rotation": khr.rotation,
                "scale": khr.scale.to_array(),
            } });
        }
        made
    }

    /// The images that materials use, in their order; their bytes are taken out of `all`.
    pub(super) fn take_images(&self, all: &mut [ImageFile]) -> Vec<ImageFile> {
        let take = |at: &usize| ImageFile {
            format: all[*at].format,
            bytes: std::mem::take(&mut all[*at].bytes),
        };
        self.images.list.iter().map(take).collect()
    }

    pub(super) fn samplers(&self) -> Vec<Value> {
        let sampler = |mode: &u32| json!({ "wrapS": mode, "wrapT": mode });
        self.samplers.list.iter().map(sampler).collect()
    }

    pub(super) fn textures(&self) -> Vec<Value> {
        let texture =
            |[sampler, source]: &[usize; 2]| json!({ "sampler": sampler, "source": source });
        self.textures.list.iter().map(texture).collect()
    }

    /// The extension that the textures use, if any.
    pub(super) fn extension(&self) -> Option<&'static str> {
        self.has_transforms.then_some(TRANSFORM)
    }
}

fn wrap_mode(wrap: Wrap) -> u32 {
    match wrap {
        Wrap::Repeat => REPEAT,
        Wrap::Mirror => MIRRORED_REPEAT,
        Wrap::Clamp => CLAMP_TO_EDGE,
    }
}

/// A set of items with an index each, in the order of insertion.
#[derive(Debug)]
struct IndexSet<T> {
    list: Vec<T>,
    indices: HashMap<T, usize>,
}

impl<T> Default for IndexSet<T> {
    fn default() -> Self {
        Self { list: Vec::new(), indices: HashMap::new() }
    }
}

impl<T: Copy + Eq + Hash> IndexSet<T> {
    /// The index of an item, which is added if it is new.
    fn index(&mut self, item: T) -> usize {
        let next = self.list.len();
        let index = *self.indices.entry(item).or_insert(next);
        if index == next {
            self.list.push(item);
        }
        index
    }
}

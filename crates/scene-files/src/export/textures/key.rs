//! Keys of instances with equal textures, and the number of images to bake.

use scene::{Material, Shape};
use serde_json::Value;

use super::{bake, direct};
use crate::export::Instance;

/// Material properties whose textures other formats can hold.
const EXPORTED: [&str; 11] = [
    "albedo",
    "fuzz",
    "base_color",
    "base_weight",
    "base_metalness",
    "specular_roughness",
    "geometry_opacity",
    "emission",
    "emission_color",
    "bump",
    "normal_map",
];

/// The names of the properties of a material that have textures.
fn textured_properties(material: &Material) -> Vec<String> {
    let properties = material.resolved().to_json();
    let properties = properties.as_object().into_iter().flatten();
    properties.filter(|(_, value)| value.is_object()).map(|(name, _)| name.clone()).collect()
}

/// Whether a material has textures that other formats can hold, and whether it has others.
pub(super) fn exported_textures(material: &Material) -> [bool; 2] {
    let names = textured_properties(material);
    let is_exported = |name: &String| EXPORTED.contains(&name.as_str());
    [names.iter().any(is_exported), !names.iter().all(is_exported)]
}

/// Rotation and scale of an instance, bit for bit.
pub(super) type Linear = [u64; 9];

/// How the UV coordinates of a mesh are made. Instances of one geometry with equal unwrappings share a
/// mesh.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unwrapping {
    /// An atlas for baked textures: each point of the surface has its own texel.
    Atlas,
    /// The UV coordinates of the shape, for images that are exported as they are.
    OwnUv(Linear),
}

/// All that the textures of an instance depend on: instances with equal keys share them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct TextureKey {
    pub(super) geometry: usize,
    linear: Linear,
    /// The position, if a texture is mapped in world space.
    position: Option<[u64; 3]>,
    material: String,
}

/// A shape with textures that other formats can hold.
#[derive(Debug)]
pub(super) struct TexturedShape {
    pub(super) key: TextureKey,
    /// The number of images to bake; 0 if its images are exported as they are.
    pub(super) baked_images: u32,
}

impl TexturedShape {
    pub(super) fn of(shape: &Shape, instance: &Instance) -> Self {
        let material = shape.material.resolved().to_json();
        let [x, y, z] = instance.matrix.w_axis.truncate().to_array().map(f64::to_bits);
        let position = has_world_mapping(&material).then_some([x, y, z]);
        let is_direct = direct::textures(&shape.material, &|_| Some(0)).is_some();
        let baked_images = if is_direct { 0 } else { bake::image_count(&shape.material) };
        let (geometry, linear) = (instance.geometry, linear(instance));
        let material = material.to_string();
        Self { key: TextureKey { geometry, linear, position, material }, baked_images }
    }
}

/// Rotation and scale of an instance.
pub(super) fn linear(instance: &Instance) -> Linear {
    let columns = instance.matrix.to_cols_array();
    std::array::from_fn(|at| columns[at / 3 * 4 + at % 3].to_bits())
}

/// Whether a material has a texture that is mapped in world space.
fn has_world_mapping(material: &Value) -> bool {
    match material {
        Value::Object(object) => object.iter().any(|(name, value)| {
            (name == "mapping" && value == "world") || has_world_mapping(value)
        }),
        Value::Array(list) => list.iter().any(has_world_mapping),
        _ => false,
    }
}

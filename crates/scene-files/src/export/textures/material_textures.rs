//! The textures of a material in the channels of glTF, and the properties they replace.

use image_files::Format;
use scene::{Albedo, Emission, Fraction, Material, Textured};

use crate::image_texture::ImageTexture;

/// An image file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImageFile {
    pub(crate) format: Format,
    pub(crate) bytes: Vec<u8>,
}

impl ImageFile {
    /// The path of the image with an index, in a folder beside the scene file `name`.
    pub(crate) fn path(&self, index: usize, name: &str) -> String {
        format!("{name}-images/{:03}.{}", index + 1, self.format.ending())
    }
}

/// The textures of a material, and the factors that multiply them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MaterialTextures {
    /// Base colour, with the opacity as alpha.
    pub(crate) base: Option<ImageTexture<usize>>,
    pub(crate) base_factor: [f64; 3],
    pub(crate) has_opacity: bool,
    pub(crate) opacity_factor: f64,
    /// Roughness in green, metalness in blue.
    pub(crate) metallic_roughness: Option<ImageTexture<usize>>,
    pub(crate) roughness_factor: f64,
    pub(crate) metalness_factor: f64,
    /// Radiance.
    pub(crate) emission: Option<ImageTexture<usize>>,
    pub(crate) emission_factor: [f64; 3],
    /// The normal map, whose green channel points up, and the scale of its slopes.
    pub(crate) normals: Option<(ImageTexture<usize>, f64)>,
}

impl MaterialTextures {
    /// No textures: each factor is the typical value of its property.
    pub(super) fn none(base: &BaseProperties) -> Self {
        let weight = base.weight.typical().get();
        Self {
            base: None,
            base_factor: base.color.typical().get().map(|part| part * weight),
            has_opacity: false,
            opacity_factor: base.opacity.typical().get(),
            metallic_roughness: None,
            roughness_factor: base.roughness.typical().get(),
            metalness_factor: base.metalness.typical().get(),
            emission: None,
            emission_factor: base.emission.typical().get(),
            normals: None,
        }
    }
}

/// The properties that textures can have, for a material of any type.
pub(super) struct BaseProperties {
    pub(super) color: Textured<Albedo>,
    pub(super) weight: Textured<Fraction>,
    pub(super) metalness: Textured<Fraction>,
    pub(super) roughness: Textured<Fraction>,
    pub(super) opacity: Textured<Fraction>,
    pub(super) emission: Textured<Emission>,
}

impl BaseProperties {
    /// `None` for a mix.
    pub(super) fn of(material: &Material) -> Option<Self> {
        let [none, all] = [Fraction::new(0.0)?, Fraction::new(1.0)?].map(Textured::Even);
        let dark = Textured::Even(Emission::new([0.0; 3])?);
        Some(match material.resolved() {
            Material::Lambertian(matte) => Self {
                color: matte.albedo.clone(),
                weight: all.clone(),
                metalness: none.clone(),
                roughness: all.clone(),
                opacity: all.clone(),
                emission: dark.clone(),
            },
            Material::Metal(metal) => Self {
                color: metal.albedo.clone(),
                weight: all.clone(),
                metalness: all.clone(),
                roughness: metal.fuzz.clone(),
                opacity: all.clone(),
                emission: dark.clone(),
            },
            Material::Dielectric(_) => Self {
                color: Textured::Even(Albedo::new([1.0; 3])?),
                weight: all.clone(),
                metalness: none.clone(),
                roughness: none.clone(),
                opacity: all.clone(),
                emission: dark.clone(),
            },
            Material::Principled(made) => Self {
                color: made.base_color.clone(),
                weight: made.base_weight.clone(),
                metalness: made.base_metalness.clone(),
                roughness: made.specular_roughness.clone(),
                opacity: made.geometry_opacity.clone(),
                emission: made.emission(),
            },
            Material::Emissive(glow) => Self {
                color: Textured::Even(Albedo::new([0.0; 3])?),
                weight: all.clone(),
                metalness: none.clone(),
                roughness: all.clone(),
                opacity: all.clone(),
                emission: glow.emission.clone(),
            },
            _ => return None,
        })
    }
}

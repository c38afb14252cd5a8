//! What a surface shows.

use image_files::Format;
use scene::{Albedo, Emission, Fraction, Material, Textured, Wrap};

use super::transform::Transform;

/// An image file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Image {
    pub(crate) format: Format,
    pub(crate) bytes: Vec<u8>,
}

/// An image on a surface.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picture {
    /// The place of the image in [`Painter::images`](super::Painter::images).
    pub(crate) image: usize,
    pub(crate) wrap: Wrap,
    pub(crate) transform: Transform,
}

/// What the images of a part show, and what they are multiplied by.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Painting {
    /// Colour, with the opacity as alpha.
    pub(crate) base: Option<Picture>,
    pub(crate) base_factor: [f64; 3],
    pub(crate) has_opacity: bool,
    pub(crate) opacity_factor: f64,
    /// Roughness in green, metalness in blue.
    pub(crate) surface: Option<Picture>,
    pub(crate) roughness_factor: f64,
    pub(crate) metalness_factor: f64,
    /// Radiance.
    pub(crate) emission: Option<Picture>,
    pub(crate) emission_factor: [f64; 3],
    /// Normals, green upwards, and how much of their slopes is kept.
    pub(crate) normals: Option<(Picture, f64)>,
}

impl Painting {
    /// Without images: each factor is the typical value of the base.
    pub(super) fn even(base: &Base) -> Self {
        let weight = base.weight.typical().get();
        Self {
            base: None,
            base_factor: base.color.typical().get().map(|part| part * weight),
            has_opacity: false,
            opacity_factor: base.opacity.typical().get(),
            surface: None,
            roughness_factor: base.roughness.typical().get(),
            metalness_factor: base.metalness.typical().get(),
            emission: None,
            emission_factor: base.emission.typical().get(),
            normals: None,
        }
    }
}

/// What a material says of its base, whatever its type.
pub(super) struct Base {
    pub(super) color: Textured<Albedo>,
    pub(super) weight: Textured<Fraction>,
    pub(super) metalness: Textured<Fraction>,
    pub(super) roughness: Textured<Fraction>,
    pub(super) opacity: Textured<Fraction>,
    pub(super) emission: Textured<Emission>,
}

impl Base {
    /// `None` for what has none.
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

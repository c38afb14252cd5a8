//! Queries on materials of any kind.

use super::Material;
use crate::asset_name::AssetName;
use crate::document::texture::{NormalMap, Texture, Textured};
use crate::values::Height;

impl Material {
    /// Whether it is mainly transparent: glass, water and the like.
    pub fn is_clear(&self) -> bool {
        match self.main_part() {
            Self::Dielectric(_) => true,
            Self::Principled(principled) => principled.transmission_weight.typical().get() >= 0.5,
            _ => false,
        }
    }

    /// Whether any part of it transmits light.
    pub fn lets_light_through(&self) -> bool {
        match self.resolved() {
            Self::Dielectric(_) => true,
            Self::Principled(principled) => principled.transmission_weight.range()[1][0] > 0.0,
            Self::Mix(mix) => mix.parts().iter().any(|part| part.lets_light_through()),
            _ => false,
        }
    }

    /// Whether it emits light.
    pub fn glows(&self) -> bool {
        match self.resolved() {
            Self::Emissive(_) => true,
            Self::Principled(principled) => principled.glows(),
            // The parts of a mix do not.
            _ => false,
        }
    }

    /// The material of most of the surface: the larger part of a mix, the material of a preset.
    pub fn main_part(&self) -> &Self {
        match self.resolved() {
            Self::Mix(mix) => mix.main_part().main_part(),
            plain => plain,
        }
    }

    /// The bump height; `None` for materials without bumps, and for a mix, whose parts have their
    /// own.
    pub fn height(&self) -> Option<&Textured<Height>> {
        match self.resolved() {
            Self::Lambertian(matte) => Some(&matte.bump),
            Self::Metal(metal) => Some(&metal.bump),
            Self::Dielectric(glass) => Some(&glass.bump),
            Self::Principled(principled) => Some(&principled.bump),
            Self::Emissive(_) | Self::Mix(_) | Self::Preset(_) => None,
        }
    }

    /// The bump height if it is a texture; `None` if it is constant.
    pub fn relief(&self) -> Option<&Texture<Height>> {
        self.height().and_then(Textured::texture)
    }

    /// The normal map.
    pub fn normal_map(&self) -> Option<&NormalMap> {
        match self.resolved() {
            Self::Lambertian(matte) => matte.normal_map.as_ref(),
            Self::Metal(metal) => metal.normal_map.as_ref(),
            Self::Dielectric(glass) => glass.normal_map.as_ref(),
            Self::Principled(principled) => principled.normal_map.as_ref(),
            Self::Emissive(_) | Self::Mix(_) | Self::Preset(_) => None,
        }
    }

    /// The images of its textures and its normal map.
    pub fn asset_names(&self) -> Vec<&AssetName> {
        let mut names: Vec<_> = self.normal_map().map(|map| &map.image.asset).into_iter().collect();
        match self.resolved() {
            Self::Lambertian(matte) => {
                matte.albedo.name_assets(&mut names);
                matte.bump.name_assets(&mut names);
            }
            Self::Metal(metal) => {
                metal.albedo.name_assets(&mut names);
                metal.fuzz.name_assets(&mut names);
                metal.bump.name_assets(&mut names);
            }
            Self::Dielectric(glass) => glass.bump.name_assets(&mut names),
            Self::Principled(principled) => principled.name_assets(&mut names),
            Self::Emissive(glow) => glow.emission.name_assets(&mut names),
            Self::Mix(mix) => {
                names.extend(mix.parts().into_iter().flat_map(Self::asset_names));
                mix.weight.name_assets(&mut names);
            }
            Self::Preset(_) => {}
        }
        names
    }
}

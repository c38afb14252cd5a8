//! What surfaces are made of.

mod flat;
mod mix;
mod preset;
mod principled;

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::asset_name::AssetName;
use crate::read::{ObjectReader, Place, Read, properties, read_type, tagged};
use crate::values::{Albedo, Emission, Fraction, Height, RefractiveIndex};
use crate::violations::{Faults, Violations};

use super::texture::{NormalMap, Texture, Textured};
use crate::json::with_type;

use flat::FLAT;
pub use mix::{DEEPEST_MIX, Mix, MixPart};
pub use preset::{NamedMaterial, Preset, PresetName, presets};
pub use principled::Principled;

properties! {
    /// A matte surface: reflects `albedo` evenly into the hemisphere.
    pub struct Lambertian {
        /// Reflectance per channel.
        pub albedo: Textured<Albedo>,
        /// Relief that shading follows, outlines do not: its height over the surface.
        pub bump: Textured<Height> = FLAT,
        /// An image of normals that shading follows.
        pub normal_map: Option<NormalMap> = None,
    }
}

properties! {
    /// A metallic surface: `albedo` tints the reflection, there is no Fresnel term.
    pub struct Metal {
        /// Tint of the reflection per channel.
        pub albedo: Textured<Albedo>,
        /// 0 is a perfect mirror; above, GGX with alpha = fuzz^2.
        pub fuzz: Textured<Fraction>,
        /// Relief that shading follows, outlines do not: its height over the surface.
        pub bump: Textured<Height> = FLAT,
        /// An image of normals that shading follows.
        pub normal_map: Option<NormalMap> = None,
    }
}

properties! {
    /// Clear glass or liquid: smooth, exact Fresnel equations, no absorption.
    pub struct Dielectric {
        /// Refractive index against the surrounding air: water 1.33, glass 1.5, diamond 2.42.
        pub refractive_index: RefractiveIndex,
        /// Relief that shading follows, outlines do not: its height over the surface.
        pub bump: Textured<Height> = FLAT,
        /// An image of normals that shading follows.
        pub normal_map: Option<NormalMap> = None,
    }
}

properties! {
    /// A glowing surface: closed shapes shine outwards, flat and open ones to both sides. It absorbs
    /// what falls on it.
    pub struct Emissive {
        /// Radiance in W/(sr m^2) per channel, the same in all directions.
        pub emission: Textured<Emission>,
    }
}

tagged! {
    /// What a surface does with light.
    #[expect(
        clippy::large_enum_variant,
        reason = "some 300 bytes a shape; shapes are shared between revisions"
    )]
    pub enum Material {
        /// See [`Lambertian`].
        Lambertian = "lambertian",
        /// See [`Metal`].
        Metal = "metal",
        /// See [`Dielectric`].
        Dielectric = "dielectric",
        /// See [`Emissive`].
        Emissive = "emissive",
        /// See [`Principled`].
        Principled = "principled",
        /// See [`Mix`].
        Mix = "mix",
        /// See [`Preset`].
        Preset = "preset",
    }
}

impl Default for Material {
    /// Grey lambertian 0.5.
    fn default() -> Self {
        Self::Lambertian(Lambertian {
            albedo: Albedo::known([0.5; 3]).into(),
            bump: FLAT,
            normal_map: None,
        })
    }
}

/// What a principled surface is where nothing is said.
static PRINCIPLED_DEFAULTS: LazyLock<Map<String, Value>> =
    LazyLock::new(|| Material::Principled(Principled::default()).properties_json());

impl Material {
    /// The material as files and tools write it: `{"type": ..., ...}`, for a preset its name. Of
    /// `principled` what differs from the defaults is told: it has many properties, and a scene is
    /// read by models.
    pub fn to_json(&self) -> Value {
        let mut properties = self.properties_json();
        match self {
            Self::Preset(preset) => return preset.name.as_str().into(),
            Self::Principled(_) => {
                properties.retain(|name, value| PRINCIPLED_DEFAULTS.get(name) != Some(value));
            }
            // Few surfaces have a relief, and the text is read by models.
            _ => properties.retain(|name, value| match name.as_str() {
                "bump" => value.as_f64() != Some(0.0),
                "normal_map" => !value.is_null(),
                _ => true,
            }),
        }
        Value::Object(with_type(self.type_name(), properties))
    }

    /// Reads a material in the form of the scene file.
    pub fn from_json(value: &Value) -> Result<Self, Violations> {
        let mut faults = Faults::default();
        let material = Self::read(value, &Place::of("the material"), &mut faults);
        faults.finish(material)
    }

    /// Whether one sees through it, more or less: glass, water and the like.
    pub fn is_clear(&self) -> bool {
        match self.main_part() {
            Self::Dielectric(_) => true,
            Self::Principled(principled) => principled.transmission_weight.typical().get() >= 0.5,
            _ => false,
        }
    }

    /// Whether any of it lets light through.
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
            // No part of a mix does.
            _ => false,
        }
    }

    /// What most of the surface is made of: of a mix the larger part, of a preset what it stands for.
    pub fn main_part(&self) -> &Self {
        match self.resolved() {
            Self::Mix(mix) => mix.main_part().main_part(),
            plain => plain,
        }
    }

    /// The height over the surface that shading follows; `None` for what has none, and for a mix, whose
    /// parts have their own.
    pub fn height(&self) -> Option<&Textured<Height>> {
        match self.resolved() {
            Self::Lambertian(matte) => Some(&matte.bump),
            Self::Metal(metal) => Some(&metal.bump),
            Self::Dielectric(glass) => Some(&glass.bump),
            Self::Principled(principled) => Some(&principled.bump),
            Self::Emissive(_) | Self::Mix(_) | Self::Preset(_) => None,
        }
    }

    /// That height where it is a texture; `None` where it is even.
    pub fn relief(&self) -> Option<&Texture<Height>> {
        self.height().and_then(Textured::texture)
    }

    /// The image of normals that shading follows.
    pub fn normal_map(&self) -> Option<&NormalMap> {
        match self.resolved() {
            Self::Lambertian(matte) => matte.normal_map.as_ref(),
            Self::Metal(metal) => metal.normal_map.as_ref(),
            Self::Dielectric(glass) => glass.normal_map.as_ref(),
            Self::Principled(principled) => principled.normal_map.as_ref(),
            Self::Emissive(_) | Self::Mix(_) | Self::Preset(_) => None,
        }
    }

    /// The images it shows, in its textures and its normals.
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

    /// What the surface is made of: the material itself, or the one a preset stands for.
    pub fn resolved(&self) -> &Self {
        match self {
            Self::Preset(preset) => preset.material(),
            _ => self,
        }
    }
}

impl Read for Material {
    fn read(value: &Value, at: &Place<'_>, faults: &mut Faults) -> Option<Self> {
        if value.is_string() {
            let name = PresetName::read(value, at, faults)?;
            return Some(Self::Preset(Preset { name }));
        }
        if !value.is_object() {
            at.must_be("an object, or the name of a preset as text", value, faults);
            return None;
        }
        let mut reader = ObjectReader::new(value, at.clone(), faults)?;
        let type_name = read_type(reader.get("type"), Self::TYPES, at, reader.faults())?;
        Self::read_properties(type_name, &mut reader, &["type"])
    }

    fn expected() -> String {
        format!("an object with a type: {}; or the name of a preset", Self::TYPES.join(", "))
    }
}

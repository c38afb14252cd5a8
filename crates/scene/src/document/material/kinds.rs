//! The kinds of materials. Mixes and presets contain materials, so they are in the same file as the
//! enum of all kinds.

use std::sync::LazyLock;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::flat::FLAT;
use super::principled::Principled;
use super::surfaces::{Dielectric, Emissive, Lambertian, Metal};
use crate::document::texture::Textured;
use crate::json::with_type;
use crate::read::{ObjectReader, PropertyPath, Read, nearest, properties, read_type, tagged};
use crate::values::{Albedo, Fraction};
use crate::violations::{ReadErrors, Violations};

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

/// The default properties of a principled material.
static PRINCIPLED_DEFAULTS: LazyLock<Map<String, Value>> =
    LazyLock::new(|| Material::Principled(Principled::default()).properties_json());

impl Material {
    /// The material in the format of files and tools: `{"type": ..., ...}`, for a preset its name.
    /// `principled` is written without default values: it has many properties, and models read
    /// scenes.
    pub fn to_json(&self) -> Value {
        let mut properties = self.properties_json();
        match self {
            Self::Preset(preset) => return preset.name.as_str().into(),
            Self::Principled(_) => {
                properties.retain(|name, value| PRINCIPLED_DEFAULTS.get(name) != Some(value));
            }
            // Defaults are left out, since few surfaces have bumps and models read the text.
            _ => properties.retain(|name, value| match name.as_str() {
                "bump" => value.as_f64() != Some(0.0),
                "normal_map" => !value.is_null(),
                _ => true,
            }),
        }
        Value::Object(with_type(self.type_name(), properties))
    }

    /// Parses a material of a scene file.
    pub fn from_json(value: &Value) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let material = Self::read(value, &PropertyPath::of("the material"), &mut errors);
        errors.finish(material)
    }

    /// The material itself, or that of a preset.
    pub fn resolved(&self) -> &Self {
        match self {
            Self::Preset(preset) => preset.material(),
            _ => self,
        }
    }
}

impl Read for Material {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        if value.is_string() {
            let name = PresetName::read(value, at, errors)?;
            return Some(Self::Preset(Preset { name }));
        }
        if !value.is_object() {
            at.must_be("an object, or the name of a preset as text", value, errors);
            return None;
        }
        let mut reader = ObjectReader::new(value, at.clone(), errors)?;
        let type_name = read_type(reader.get("type"), Self::TYPES, at, reader.errors())?;
        Self::read_properties(type_name, &mut reader, &["type"])
    }

    fn expected() -> String {
        format!("an object with a type: {}; or the name of a preset", Self::TYPES.join(", "))
    }
}

/// How deep mixes may be nested in each other.
pub const MAX_MIX_DEPTH: usize = 3;

/// One of the two materials of a [`Mix`]: any that does not glow.
#[derive(Debug, Clone, PartialEq)]
pub struct MixPart(Box<Material>);

impl MixPart {
    /// The material.
    pub fn material(&self) -> &Material {
        &self.0
    }
}

properties! {
    /// Two materials on one surface: where `weight` is 0 the first, where it is 1 the second, between
    /// them that share of both. Masks make patches of rust, chips of paint and decals.
    pub struct Mix {
        /// A preset's name or an object; must not glow.
        pub first: MixPart,
        /// A preset's name or an object; must not glow.
        pub second: MixPart,
        /// The share of the second.
        pub weight: Textured<Fraction> = Textured::Even(Fraction::known(0.5)),
    }
    check(self, reader) {
        if self.parts().iter().all(|part| part.lets_light_through()) {
            reader.error(
                "only one of 'first' and 'second' may let light through: light inside belongs to one material",
            );
        }
        let depth = self.depth();
        if depth > MAX_MIX_DEPTH {
            reader.error(&format!("nests mixes {depth} deep; at most {MAX_MIX_DEPTH} are possible"));
        }
    }
}

impl Mix {
    /// Both materials.
    pub fn parts(&self) -> [&Material; 2] {
        [self.first.material(), self.second.material()]
    }

    /// The material with the larger typical weight.
    pub fn main_part(&self) -> &Material {
        let [first, second] = self.parts();
        if self.weight.typical().get() > 0.5 { second } else { first }
    }

    /// 1 for a mix of simple materials, 2 for a mix that contains one, and so on.
    fn depth(&self) -> usize {
        let depth = |part: &Material| match part.resolved() {
            Material::Mix(mix) => mix.depth(),
            _ => 0,
        };
        1 + self.parts().into_iter().map(depth).max().unwrap_or(0)
    }
}

impl Read for MixPart {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let material = Material::read(value, at, errors)?;
        if material.glows() {
            errors.add(format!(
                "{} glows, which no part of a mix may; put a shape that glows beside it",
                at.subject()
            ));
            return None;
        }
        if material.normal_map().is_some() {
            errors.add(format!(
                "{} has a 'normal_map', which no part of a mix may; use 'bump'",
                at.subject()
            ));
            return None;
        }
        Some(Self(Box::new(material)))
    }

    fn expected() -> String {
        Material::expected()
    }
}

impl Serialize for MixPart {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_json().serialize(serializer)
    }
}

/// The schema has no nested material: models fail on deep schemas.
impl schemars::JsonSchema for MixPart {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "MixPart".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["object", "string"] })
    }
}

/// A named material.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMaterial {
    /// Its name in snake_case.
    pub name: &'static str,
    /// Its family, e.g. "metal".
    pub kind: &'static str,
    /// Its material, never a preset itself.
    pub material: Material,
}

/// All named materials, by family. Reflectances of metals are those at normal incidence in linear
/// sRGB: Lagarde 2014, "Feeding a physically based shading model".
pub fn presets() -> &'static [NamedMaterial] {
    /// Parsed once from the data file.
    static PRESETS: LazyLock<Vec<NamedMaterial>> = LazyLock::new(|| {
        let families: &'static Value = &DATA;
        families
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(kind, members)| Some((kind.as_str(), members.as_object()?)))
            .flat_map(|(kind, members)| members.iter().map(move |member| (kind, member)))
            .filter_map(|(kind, (name, material))| read_preset(kind, name, material))
            .collect()
    });
    &PRESETS
}

/// The data file; names live as long as the program. The parts of mixes have no preset names, since
/// these can be looked up only after parsing.
static DATA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("presets.json")).unwrap_or_default());

fn read_preset(kind: &'static str, name: &'static str, material: &Value) -> Option<NamedMaterial> {
    let material = Material::read(material, &PropertyPath::of(name), &mut ReadErrors::default())?;
    Some(NamedMaterial { name, kind, material })
}

/// The name of one of the [`presets`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PresetName(&'static NamedMaterial);

impl PresetName {
    /// The preset named `name`; case, spaces and hyphens are ignored.
    pub fn new(name: &str) -> Option<Self> {
        let plain = plain(name);
        presets().iter().find(|preset| preset.name == plain).map(Self)
    }

    /// Like [`new`](Self::new), with the nearest known name in the error.
    pub fn read_named(name: &str) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let found = Self::read(&name.into(), &PropertyPath::of("the material"), &mut errors);
        errors.finish(found)
    }

    /// Its material.
    pub fn material(self) -> &'static Material {
        &self.0.material
    }

    /// The name.
    pub fn as_str(self) -> &'static str {
        self.0.name
    }
}

fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

impl Serialize for PresetName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl schemars::JsonSchema for PresetName {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "PresetName".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}

impl Read for PresetName {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let Some(name) = value.as_str() else {
            at.must_be(&Self::expected(), value, errors);
            return None;
        };
        let found = Self::new(name);
        if found.is_none() {
            errors.add(format!(
                "{} is no known preset: '{}'; did you mean '{}'? describe without names lists all",
                at.subject(),
                name.chars().take(60).collect::<String>(),
                nearest(&plain(name), presets().iter().map(|preset| preset.name))
            ));
        }
        found
    }

    fn expected() -> String {
        "the name of a preset, e.g. gold".into()
    }
}

properties! {
    /// A material that has a name, such as gold. In files and tools the name alone says the same.
    pub struct Preset {
        /// Name of a preset; see the tool describe.
        pub name: PresetName,
    }
}

impl Preset {
    /// Its material.
    pub fn material(&self) -> &'static Material {
        self.name.material()
    }
}

//! Materials by name.

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::Value;

use super::Material;
use crate::read::{Place, Read, nearest, properties};
use crate::violations::{Faults, Violations};

/// A material that has a name.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedMaterial {
    /// In snake_case.
    pub name: &'static str,
    /// The family it belongs to, e.g. "metal".
    pub kind: &'static str,
    /// What it is made of; never itself a preset.
    pub material: Material,
}

/// All materials that have a name, by family. Reflectances of metals are those at normal incidence
/// in linear sRGB: Lagarde 2014, "Feeding a physically based shading model".
pub fn presets() -> &'static [NamedMaterial] {
    /// Read once from the data beside this file.
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

/// The data as it stands in the file; names live as long as the program. The parts of a mix are spelled
/// out in it: names can be looked up only when all have been read.
static DATA: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("presets.json")).unwrap_or_default());

fn read_preset(kind: &'static str, name: &'static str, material: &Value) -> Option<NamedMaterial> {
    let material = Material::read(material, &Place::of(name), &mut Faults::default())?;
    Some(NamedMaterial { name, kind, material })
}

/// The name of one of the [`presets`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PresetName(&'static NamedMaterial);

impl PresetName {
    /// The preset called `name`; capitals, spaces and hyphens do not matter.
    pub fn new(name: &str) -> Option<Self> {
        let plain = plain(name);
        presets().iter().find(|preset| preset.name == plain).map(Self)
    }

    /// As [`new`](Self::new), with the nearest known name in the fault.
    pub fn read_named(name: &str) -> Result<Self, Violations> {
        let mut faults = Faults::default();
        let found = Self::read(&name.into(), &Place::of("the material"), &mut faults);
        faults.finish(found)
    }

    /// What the name stands for.
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
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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
    fn read(value: &Value, at: &Place<'_>, faults: &mut Faults) -> Option<Self> {
        let Some(name) = value.as_str() else {
            at.must_be(&Self::expected(), value, faults);
            return None;
        };
        let found = Self::new(name);
        if found.is_none() {
            faults.add(format!(
                "{} is no known preset: '{}'; did you mean '{}'? list_presets names all",
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
        /// Name of a preset; see list_presets.
        pub name: PresetName,
    }
}

impl Preset {
    /// What the name stands for.
    pub fn material(&self) -> &'static Material {
        self.name.material()
    }
}

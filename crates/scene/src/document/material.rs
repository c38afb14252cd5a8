//! The three materials.

use serde_json::{Map, Value};

use crate::read::{ObjectReader, Place, Read, properties, read_type, tagged};
use crate::values::{Albedo, Fraction, RefractiveIndex};
use crate::violations::Faults;

properties! {
    /// A matte surface: reflects `albedo` evenly into the hemisphere.
    pub struct Lambertian {
        /// Reflectance per channel.
        pub albedo: Albedo,
    }
}

properties! {
    /// A metallic surface: `albedo` tints the reflection, there is no Fresnel term.
    pub struct Metal {
        /// Tint of the reflection per channel.
        pub albedo: Albedo,
        /// 0 is a perfect mirror; above, GGX with alpha = fuzz^2.
        pub fuzz: Fraction,
    }
}

properties! {
    /// Clear glass or liquid: smooth, exact Fresnel equations, no absorption.
    pub struct Dielectric {
        /// Refractive index against the surrounding air: water 1.33, glass 1.5, diamond 2.42.
        pub refractive_index: RefractiveIndex,
    }
}

tagged! {
    /// What a surface does with light.
    pub enum Material {
        /// See [`Lambertian`].
        Lambertian = "lambertian",
        /// See [`Metal`].
        Metal = "metal",
        /// See [`Dielectric`].
        Dielectric = "dielectric",
    }
}

impl Default for Material {
    /// Grey lambertian 0.5.
    fn default() -> Self {
        Self::Lambertian(Lambertian { albedo: Albedo::known([0.5; 3]) })
    }
}

impl Material {
    /// The material as files and tools write it: `{"type": ..., ...}`.
    pub fn to_json(&self) -> Value {
        Value::Object(with_type(self.type_name(), self.properties_json()))
    }
}

/// An object that starts with its `type`.
pub(crate) fn with_type(type_name: &str, properties: Map<String, Value>) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("type".into(), type_name.into());
    object.extend(properties);
    object
}

impl Read for Material {
    fn read(value: &Value, at: &Place<'_>, faults: &mut Faults) -> Option<Self> {
        let mut reader = ObjectReader::new(value, at.clone(), faults)?;
        let type_name = read_type(reader.get("type"), Self::TYPES, at, reader.faults())?;
        Self::read_properties(type_name, &mut reader, &["type"])
    }

    fn expected() -> String {
        format!("an object with a type: {}", Self::TYPES.join(", "))
    }
}

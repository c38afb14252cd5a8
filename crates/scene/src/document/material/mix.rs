//! Two materials on one surface.

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::Material;
use crate::document::texture::Textured;
use crate::read::{Place, Read, properties};
use crate::values::Fraction;
use crate::violations::Faults;

/// How deep mixes may be nested in each other.
pub const DEEPEST_MIX: usize = 3;

/// One of the two materials of a [`Mix`]: any that does not glow.
#[derive(Debug, Clone, PartialEq)]
pub struct MixPart(Box<Material>);

impl MixPart {
    /// What it is.
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
            reader.fault(
                "only one of 'first' and 'second' may let light through: light inside belongs to one material",
            );
        }
        let depth = self.depth();
        if depth > DEEPEST_MIX {
            reader.fault(&format!("nests mixes {depth} deep; at most {DEEPEST_MIX} are possible"));
        }
    }
}

impl Mix {
    /// Both materials.
    pub fn parts(&self) -> [&Material; 2] {
        [self.first.material(), self.second.material()]
    }

    /// The material of which there typically is more.
    pub fn main_part(&self) -> &Material {
        let [first, second] = self.parts();
        if self.weight.typical().get() > 0.5 { second } else { first }
    }

    /// 1 for a mix of other materials, 2 for one with a mix in it, and so on.
    fn depth(&self) -> usize {
        let depth = |part: &Material| match part.resolved() {
            Material::Mix(mix) => mix.depth(),
            _ => 0,
        };
        1 + self.parts().into_iter().map(depth).max().unwrap_or(0)
    }
}

impl Read for MixPart {
    fn read(value: &Value, at: &Place<'_>, faults: &mut Faults) -> Option<Self> {
        let material = Material::read(value, at, faults)?;
        if material.glows() {
            faults.add(format!(
                "{} glows, which no part of a mix may; put a shape that glows beside it",
                at.subject()
            ));
            return None;
        }
        if material.normal_map().is_some() {
            faults.add(format!(
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

/// Not spelled out: a material in a material is read as any other.
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

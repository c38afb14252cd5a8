//! Normal maps.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::asset_name::AssetName;
use crate::read::{ObjectReader, Properties, PropertyPath, Read, properties};
use crate::values::Fraction;
use crate::violations::ReadErrors;

use super::Wrap;
use super::placement::{Mapping, Placement, as_map};

properties! {
    /// An image whose red, green and blue are the parts of the normal along its right, its top and
    /// away from the surface, each from -1 to 1; not decoded from sRGB.
    pub struct NormalImage {
        /// An uploaded picture by its hash; on the command line a PNG, JPEG or WebP file beside the scene.
        pub asset: AssetName,
        /// How much of the slopes is kept; 0 is flat.
        pub strength: Fraction = Fraction::known(1.0),
        /// Whether green points down, as DirectX has it; OpenGL and glTF have it upwards.
        pub flip_y: bool = false,
        /// What lies beyond its edges.
        pub wrap: Wrap = Wrap::Repeat,
    }
}

/// A normal map: what it shows and how it lies on the surface.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalMap {
    /// What it shows.
    pub image: NormalImage,
    /// How it lies on the surface.
    pub placement: Placement,
}

impl NormalMap {
    /// Its mapping.
    pub fn mapping(&self) -> Mapping {
        self.placement.mapping.unwrap_or(Mapping::Uv)
    }

    /// The format of files and tools: the asset and properties that differ from their defaults.
    fn to_json(&self) -> Value {
        let plain = NormalImage {
            asset: self.image.asset.clone(),
            strength: Fraction::known(1.0),
            flip_y: false,
            wrap: Wrap::Repeat,
        };
        let all = |image: &NormalImage, placement: &Placement| match serde_json::to_value(image) {
            Ok(Value::Object(mut map)) => {
                map.extend(as_map(placement));
                map
            }
            // It contains only strings and numbers, so it always serialises to an object.
            _ => Map::new(),
        };
        let defaults = all(&plain, &Placement::default());
        let mut properties = all(&self.image, &self.placement);
        properties.retain(|name, value| name == "asset" || defaults.get(name) != Some(value));
        Value::Object(properties)
    }
}

impl Read for NormalMap {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let mut reader = ObjectReader::new(value, at.clone(), errors)?;
        let fields = NormalImage::FIELDS.iter().chain(Placement::FIELDS);
        let known: Vec<&str> = fields.map(|(name, _)| *name).collect();
        reader.reject_unknown(&known);
        let image = NormalImage::read_fields(&mut reader);
        let placement = Placement::read_fields(&mut reader);
        Some(Self { image: image?, placement: placement? })
    }

    fn expected() -> String {
        "an object with the asset of an image".into()
    }
}

impl Serialize for NormalMap {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

impl schemars::JsonSchema for NormalMap {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "NormalMap".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object" })
    }
}

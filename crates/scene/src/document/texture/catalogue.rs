//! Descriptions of the types of textures.

use serde_json::{Map, Value, json};

use super::pattern::Pattern;
use super::{Mapping, Placement};

/// All types of textures with their properties, meanings and defaults.
pub fn texture_types() -> Value {
    let types = Pattern::schemas().into_iter().map(|(name, schema)| {
        let defaults = Pattern::defaults(name);
        let mut about = described(&schema, &defaults);
        let what = schema.get("description").cloned().unwrap_or_default();
        about.shift_insert(0, "is".into(), what);
        about.insert("mapping".into(), Pattern::usual_mapping_of(name).word().into());
        (name.to_owned(), Value::Object(about))
    });
    let types: Map<String, Value> = types.collect();
    let schema = schemars::schema_for!(Placement);
    let mut common = described(&schema, &Map::new());
    common.insert(
        "mapping".into(),
        format!(
            "{}: the shape's own metres (moves with it), the world's, the shape's projected along \
             the axis a side faces, 0 to 1 over the surface, or round its axis (x: metres from it, y: along it, z: angle \
             0 to 1; stripes make the rings of a round rug)",
            Mapping::WORDS.join(", ")
        )
        .into(),
    );
    common.insert("first, second".into(), "the two values it mixes; may be textures again".into());
    json!({
        "use": "in place of a colour or number of a material: albedo, fuzz, most of principled, and \
                bump (a height in metres that bends the light: first 0, second 0.005)",
        "example": { "type": "checker", "first": [0.9, 0.9, 0.9], "second": [0.1, 0.1, 0.1],
                     "scale": 0.5 },
        "normal_map": "of any material, an image of tangent space: {asset, strength 0 to 1, flip_y, wrap, and \
                       what all take}; green is upwards",
        "types": types,
        "all": common,
    })
}

/// The properties of a schema with their meanings and defaults.
fn described(schema: &schemars::Schema, defaults: &Map<String, Value>) -> Map<String, Value> {
    let properties = schema.get("properties").and_then(Value::as_object);
    let about = |(name, property): (&String, &Value)| {
        let mut text = property["description"].as_str().unwrap_or_default().replace('\n', " ");
        if let Some(words) = property["enum"].as_array() {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            text = format!("{text} {}.", words.join(", "));
        }
        if let Some(default) = defaults.get(name) {
            text = format!("{text} Default {default}.");
        }
        (name.clone(), text.into())
    };
    properties.into_iter().flatten().map(about).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::texture::COMMON;
    use crate::read::Properties;

    #[test]
    fn every_type_is_told_with_all_its_properties() {
        let told = texture_types();
        for name in Pattern::TYPES {
            for (property, _) in Pattern::fields_of(name) {
                let text = told["types"][name][property].as_str().unwrap_or_default();
                assert!(text.len() > 10, "{name}.{property} is not described: '{text}'");
            }
        }
        let placed: Vec<&str> = Placement::FIELDS.iter().map(|(name, _)| *name).collect();
        assert!(placed.iter().all(|name| COMMON.contains(name) && told["all"][name].is_string()));
    }
}

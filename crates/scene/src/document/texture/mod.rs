//! Textures: values that vary over a surface.

mod catalogue;
mod normal_map;
mod pattern;
mod placement;
mod variable;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::asset_name::AssetName;
use crate::read::{ObjectReader, PropertyPath, Read, read_type};
use crate::violations::ReadErrors;

use crate::json::with_type;

pub use catalogue::texture_types;
pub use normal_map::{NormalImage, NormalMap};
pub use pattern::{
    Brick, Channel, Checker, Gradient as GradientPattern, Image as ImagePattern, Marble, Noise,
    NoiseKind, Pattern, Stripes, Wood, Wrap,
};
use placement::as_map;
pub use placement::{Mapping, Placement};
pub use variable::Variable;

/// The maximum nesting depth of textures.
pub const MAX_TEXTURE_DEPTH: usize = 4;

/// A property of a surface: the same everywhere, or by a texture.
#[derive(Debug, Clone, PartialEq)]
pub enum Textured<T> {
    /// The same everywhere.
    Even(T),
    /// By a texture.
    Varied(Box<Texture<T>>),
}

/// A mixture of two values, by a pattern laid over the surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Texture<T> {
    /// Where the pattern is 0; may itself vary.
    pub first: Textured<T>,
    /// Where the pattern is 1; may itself vary.
    pub second: Textured<T>,
    /// The share of the second value, from 0 to 1.
    pub pattern: Pattern,
    /// How the pattern lies on the surface.
    pub placement: Placement,
}

impl<T> From<T> for Textured<T> {
    fn from(value: T) -> Self {
        Self::Even(value)
    }
}

impl<T: Variable> Textured<T> {
    /// The value, if it is constant.
    pub fn even(&self) -> Option<T> {
        match self {
            Self::Even(value) => Some(*value),
            Self::Varied(_) => None,
        }
    }

    /// The texture, if it has one.
    pub fn texture(&self) -> Option<&Texture<T>> {
        match self {
            Self::Even(_) => None,
            Self::Varied(texture) => Some(texture),
        }
    }

    /// A representative value: for a texture the mean of its two values.
    pub fn typical(&self) -> T {
        match self {
            Self::Even(value) => *value,
            Self::Varied(texture) => {
                let pair = [texture.first.typical(), texture.second.typical()];
                let [first, second] = pair.map(Variable::channels);
                T::of_channels(std::array::from_fn(|at| 0.5 * (first[at] + second[at])))
            }
        }
    }

    /// The minimum and maximum of each channel.
    pub fn range(&self) -> [[f64; 3]; 2] {
        match self {
            Self::Even(value) => [value.channels(); 2],
            Self::Varied(texture) => {
                let (a, b) = (texture.first.range(), texture.second.range());
                [
                    std::array::from_fn(|at| a[0][at].min(b[0][at])),
                    std::array::from_fn(|at| a[1][at].max(b[1][at])),
                ]
            }
        }
    }

    /// The value multiplied by `factor`, as another type whose range contains the result.
    pub(crate) fn times<U: Variable>(&self, factor: f64) -> Textured<U> {
        match self {
            Self::Even(value) => {
                Textured::Even(U::of_channels(value.channels().map(|channel| channel * factor)))
            }
            Self::Varied(texture) => Textured::Varied(Box::new(Texture {
                first: texture.first.times(factor),
                second: texture.second.times(factor),
                pattern: texture.pattern.clone(),
                placement: texture.placement.clone(),
            })),
        }
    }

    /// Adds the images of the texture.
    pub(crate) fn name_assets<'a>(&'a self, names: &mut Vec<&'a AssetName>) {
        let Self::Varied(texture) = self else { return };
        if let Pattern::Image(image) = &texture.pattern {
            names.push(&image.asset);
        }
        texture.first.name_assets(names);
        texture.second.name_assets(names);
    }

    /// 0 for a constant, 1 for a texture of constants, and so on.
    fn depth(&self) -> usize {
        self.texture().map_or(0, |texture| 1 + texture.first.depth().max(texture.second.depth()))
    }
}

impl<T: Variable> Texture<T> {
    /// The mapping of its pattern.
    pub fn mapping(&self) -> Mapping {
        self.placement.mapping.unwrap_or(self.pattern.usual_mapping())
    }

    /// The texture in the format of files and tools: its type, both values, and properties that
    /// differ from their defaults.
    pub fn to_json(&self) -> Value {
        let type_name = self.pattern.type_name();
        let mut texture = with_type(type_name, Map::new());
        for (name, value) in [("first", &self.first), ("second", &self.second)] {
            texture.insert(name.into(), serde_json::to_value(value).unwrap_or_default());
        }
        let mut properties = self.pattern.properties_json();
        properties.extend(as_map(&self.placement));
        let mut plain = Pattern::defaults(type_name);
        plain.extend(as_map(&Placement::default()));
        properties.retain(|name, value| plain.get(name) != Some(value));
        texture.extend(properties);
        Value::Object(texture)
    }
}

/// The properties that all patterns have in common.
const COMMON: [&str; 7] = ["type", "first", "second", "mapping", "scale", "offset", "rotation"];

impl<T: Variable> Texture<T> {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let mut reader = ObjectReader::new(value, at.clone(), errors)?;
        let type_name = read_type(reader.get("type"), Pattern::TYPES, at, reader.errors())?;
        let pattern = Pattern::read_properties(type_name, &mut reader, &COMMON);
        let [first, second] = T::defaults(type_name).map(Textured::Even);
        let first = reader.optional("first", first);
        let second = reader.optional("second", second);
        let placement = <Placement as crate::read::Properties>::read_fields(&mut reader);
        Some(Self { first: first?, second: second?, pattern: pattern?, placement: placement? })
    }
}

impl<T: Variable> Read for Textured<T> {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        if !value.is_object() {
            return T::read(value, at, errors).map(Self::Even);
        }
        let varied = Self::Varied(Box::new(Texture::read(value, at, errors)?));
        if varied.depth() > MAX_TEXTURE_DEPTH {
            errors.add(format!(
                "{} nests textures {} deep; at most {MAX_TEXTURE_DEPTH} are possible",
                at.subject(),
                varied.depth()
            ));
            return None;
        }
        Some(varied)
    }

    fn expected() -> String {
        T::expected()
    }
}

impl<T: Variable> Serialize for Textured<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Even(value) => value.serialize(serializer),
            Self::Varied(texture) => texture.to_json().serialize(serializer),
        }
    }
}

impl<T: Variable> schemars::JsonSchema for Textured<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Textured{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = T::json_schema(generator);
        if let Some(kind) = schema.get("type").cloned() {
            schema.insert("type".into(), serde_json::json!([kind, "object"]));
        }
        schema
    }
}

//! The environment.

use serde_json::{Map, Value};

use crate::asset_name::AssetName;
use crate::read::{ObjectReader, PropertyPath, Read, properties, read_type, tagged};
use crate::values::{Angle, Brightness, Emission};
use crate::violations::{ReadErrors, Violations};

use super::fog::Fog;
use super::sky::Sky;
use crate::json::with_type;

properties! {
    /// A sky: radiance along the unit direction d is
    /// `mix(bottom_color, top_color, (d.y + 1) / 2)`.
    pub struct Gradient {
        /// Radiance straight up, W/(sr m^2) per channel.
        pub top_color: Emission,
        /// Radiance straight down, W/(sr m^2) per channel.
        pub bottom_color: Emission,
        /// Air that is not clear.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub fog: Option<Fog> = None,
    }
}

properties! {
    /// The same radiance from everywhere.
    pub struct Uniform {
        /// Radiance, W/(sr m^2) per channel.
        pub emission: Emission,
        /// Air that is not clear.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub fog: Option<Fog> = None,
    }
}

properties! {
    /// Darkness.
    pub struct Darkness {
        /// Air that is not clear.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub fog: Option<Fog> = None,
    }
}

properties! {
    /// A picture of all that is around, such as a photographed sky, with all its light.
    pub struct ImageEnvironment {
        /// An uploaded picture by its hash, on the command line a file beside the scene: equirectangular,
        /// its middle seen along -z. HDR and EXR files have light of any brightness.
        pub asset: AssetName,
        /// How bright it is.
        pub strength: Brightness = Brightness::known(1.0),
        /// Degrees it is turned about the vertical, counter-clockwise seen from above.
        pub rotation: Angle = Angle::known(0.0),
        /// Air that is not clear.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub fog: Option<Fog> = None,
    }
}

tagged! {
    /// What surrounds the scene.
    pub enum Environment {
        /// See [`Gradient`].
        Gradient = "gradient",
        /// See [`Uniform`].
        Uniform = "uniform",
        /// See [`Darkness`].
        Darkness = "none",
        /// See [`Sky`].
        Sky = "sky",
        /// See [`ImageEnvironment`].
        ImageEnvironment = "image",
    }
}

impl Default for Environment {
    /// A light blue sky.
    fn default() -> Self {
        Self::Gradient(Gradient {
            top_color: Emission::known([0.5, 0.7, 1.0]),
            bottom_color: Emission::known([1.0; 3]),
            fog: None,
        })
    }
}

impl Environment {
    /// Parses an environment of a scene file.
    pub fn from_json(value: &Value) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let environment = Self::read(value, &PropertyPath::of("the environment"), &mut errors);
        errors.finish(environment)
    }

    /// The fog, if there is any.
    pub fn fog(&self) -> Option<&Fog> {
        match self {
            Self::Gradient(sky) => sky.fog.as_ref(),
            Self::Uniform(sky) => sky.fog.as_ref(),
            Self::Darkness(sky) => sky.fog.as_ref(),
            Self::Sky(sky) => sky.fog.as_ref(),
            Self::ImageEnvironment(sky) => sky.fog.as_ref(),
        }
    }

    /// The environment with other fog.
    pub(crate) fn with_fog(mut self, fog: Option<Fog>) -> Self {
        match &mut self {
            Self::Gradient(sky) => sky.fog = fog,
            Self::Uniform(sky) => sky.fog = fog,
            Self::Darkness(sky) => sky.fog = fog,
            Self::Sky(sky) => sky.fog = fog,
            Self::ImageEnvironment(sky) => sky.fog = fog,
        }
        self
    }

    /// The name of its image, if it has one.
    pub fn asset_name(&self) -> Option<&AssetName> {
        match self {
            Self::ImageEnvironment(image) => Some(&image.asset),
            _ => None,
        }
    }

    /// The environment in the format of files and tools.
    pub fn to_json(&self) -> Value {
        Value::Object(with_type(self.type_name(), self.properties_json()))
    }

    /// The default properties of tool calls: those of the default sky, white for `uniform`.
    pub(crate) fn tool_defaults(type_name: &str) -> Map<String, Value> {
        let default = match type_name {
            "gradient" => Self::default(),
            "uniform" => Self::Uniform(Uniform { emission: Emission::known([1.0; 3]), fog: None }),
            "sky" => Self::Sky(Sky::default()),
            "image" => return Map::new(),
            _ => Self::Darkness(Darkness { fog: None }),
        };
        default.properties_json()
    }
}

impl Read for Environment {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let mut reader = ObjectReader::new(value, at.clone(), errors)?;
        let type_name = read_type(reader.get("type"), Self::TYPES, at, reader.errors())?;
        Self::read_properties(type_name, &mut reader, &["type"])
    }

    fn expected() -> String {
        format!("an object with a type: {}", Self::TYPES.join(", "))
    }
}

//! Clouds and smoke: bodies of fog with a place and a size.

use serde::Serialize;
use serde_json::Value;

use crate::read::{PropertyPath, Read, properties, read_object};
use crate::values::{Albedo, Asymmetry, Fraction, Length, Point, Radii, Seed};
use crate::violations::ReadErrors;

/// -ln 0.02: the optical depth at which 2 % of the contrast remain.
pub(super) const DEPTH_OF_VISIBILITY: f64 = 3.912_023_005_428_146;

/// The most clouds of a scene.
pub const MAX_CLOUDS: usize = 8;

properties! {
    /// A cloud, a plume of smoke or a patch of mist: densest in its middle, nothing outside of its ellipsoid.
    pub struct Cloud {
        /// Its middle.
        pub center: Point,
        /// Half its extent along x, y and z.
        pub radii: Radii,
        /// How far one sees in its middle, in metres: a fifth of its size is a white cloud, its size a veil.
        pub visibility: Length,
        /// What share of the light that meets a droplet goes on; 1 is a cloud, 0.3 dark smoke.
        pub color: Albedo = Albedo::known([1.0; 3]),
        /// Whether light goes on ahead (above 0) or is thrown back (below), from -0.95 to 0.95.
        pub anisotropy: Asymmetry = Asymmetry::known(0.0),
        /// 0 is a smooth ball, 1 torn to shreds.
        pub raggedness: Fraction = Fraction::known(0.6),
        /// Another form of the same kind.
        pub seed: Seed = Seed::known(1.0),
    }
}

impl Cloud {
    /// The extinction coefficient in its middle, in 1/m.
    pub fn extinction(&self) -> f64 {
        DEPTH_OF_VISIBILITY / self.visibility.get()
    }
}

/// The clouds of a scene.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(transparent)]
pub struct Clouds(Vec<Cloud>);

impl Clouds {
    /// The clouds.
    pub fn get(&self) -> &[Cloud] {
        &self.0
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Read for Clouds {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let Some(items) = value.as_array().filter(|items| items.len() <= MAX_CLOUDS) else {
            at.must_be(&Self::expected(), value, errors);
            return None;
        };
        // Parse all before returning, to report all errors.
        let read: Vec<Option<Cloud>> = items
            .iter()
            .enumerate()
            .map(|(index, item)| read_object(item, &at.property(&index.to_string()), errors))
            .collect();
        read.into_iter().collect::<Option<Vec<_>>>().map(Self)
    }

    fn expected() -> String {
        format!(
            "a list of at most {MAX_CLOUDS} objects, e.g. {{\"center\": [0, 9, -20], \"radii\": [6, 2, 4], \
             \"visibility\": 2}}"
        )
    }
}

impl schemars::JsonSchema for Clouds {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Clouds".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let cloud = generator.subschema_for::<Cloud>();
        schemars::json_schema!({ "type": "array", "items": cloud })
    }
}

//! Air that is not clear.

use serde_json::Value;

use super::clouds::{Clouds, DEPTH_OF_VISIBILITY};
use crate::read::{PropertyPath, Read, properties, read_object};
use crate::values::{Albedo, Altitude, Asymmetry, Length};
use crate::violations::ReadErrors;

properties! {
    /// Fog, mist or haze: even everywhere up to a height. Without an end upwards no light of the sky
    /// would arrive. Or clouds, each with a place and a size.
    pub struct Fog {
        /// How far one sees, in metres: dark things are lost in it there, as 2 % of their contrast is
        /// left (Koschmieder 1924).
        #[serde(skip_serializing_if = "Option::is_none")]
        pub visibility: Option<Length> = None,
        /// What share of the light that meets a droplet goes on; 1 is white fog, less is smoke.
        pub color: Albedo = Albedo::known([1.0; 3]),
        /// Whether light goes on ahead (above 0) or is thrown back (below): the mean cosine, from -0.95
        /// to 0.95. Real fog has 0.8; 0 is even.
        pub anisotropy: Asymmetry = Asymmetry::known(0.0),
        /// The y it reaches up to, in metres; null: a quarter of the visibility, and over all shapes.
        pub height: Option<Altitude> = None,
        /// Clouds and smoke: {center, radii, visibility, color?, anisotropy?, raggedness?, seed?}, at most 8.
        #[serde(skip_serializing_if = "Clouds::is_empty")]
        pub clouds: Clouds = Clouds::default(),
    }
    check(self, reader) {
        if self.visibility.is_none() && self.clouds.is_empty() {
            reader.error("'visibility' in meters is required, or 'clouds'");
        }
    }
}

impl Fog {
    /// The extinction coefficient outside of clouds, in 1/m.
    pub fn extinction(&self) -> f64 {
        self.visibility.map_or(0.0, |visibility| DEPTH_OF_VISIBILITY / visibility.get())
    }

    /// The y coordinate of its upper boundary in a scene whose highest point is `highest`.
    pub fn top(&self, highest: f64) -> f64 {
        let layer = 0.25 * self.visibility.map_or(0.0, Length::get);
        self.height.map_or_else(|| layer.max(highest), Altitude::get)
    }
}

impl Read for Fog {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        read_object(value, at, errors)
    }

    fn expected() -> String {
        "an object with visibility in meters, e.g. {\"visibility\": 20}".into()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::document::Environment;

    #[test]
    fn fog_is_part_of_any_surroundings_and_told_where_it_is() {
        for kind in ["gradient", "uniform", "none", "sky"] {
            let mut file = Environment::from_json(&json!({ "type": "none" })).unwrap().to_json();
            file["type"] = kind.into();
            if kind == "uniform" {
                file["emission"] = json!([1, 1, 1]);
            }
            if kind == "gradient" {
                file["top_color"] = json!([1, 1, 1]);
                file["bottom_color"] = json!([1, 1, 1]);
            }
            let clear = Environment::from_json(&file).unwrap();
            assert!(clear.fog().is_none() && clear.to_json().get("fog").is_none(), "{kind}");
            file["fog"] = json!({ "visibility": 20, "anisotropy": 0.5 });
            let misty = Environment::from_json(&file).unwrap();
            let fog = misty.fog().unwrap();
            // 2 % remain at the visibility.
            assert!(((-20.0 * fog.extinction()).exp() - 0.02).abs() < 1e-12);
            assert_eq!([fog.top(-1.0), fog.top(7.0)], [5.0, 7.0]);
            assert_eq!(Environment::from_json(&misty.to_json()).unwrap(), misty);
        }
    }

    #[test]
    fn faults_name_the_property_of_the_fog() {
        for (fog, word) in [
            (json!({}), "visibility"),
            (json!({ "visibility": 0 }), "visibility"),
            (json!({ "visibility": 5, "anisotropy": 1 }), "anisotropy"),
            (json!({ "visibility": 5, "density": 1 }), "density"),
            (json!(5), "fog"),
        ] {
            let file = json!({ "type": "none", "fog": fog });
            let errors = Environment::from_json(&file).unwrap_err().to_string();
            assert!(errors.contains(word), "{errors}");
        }
    }
}

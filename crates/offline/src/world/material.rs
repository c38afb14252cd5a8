//! Materials, and what people call them.

use glam::DVec3;
use serde_json::{Value, json};

use super::read::{number, vector};
use crate::language::Finish;

/// What a surface does with light.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Material {
    Matte(DVec3),
    Metal {
        tint: DVec3,
        fuzz: f64,
    },
    Clear {
        refractive_index: f64,
    },
    /// A material this model does not know; kept as it is.
    Other(Value),
}

impl Material {
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Matte(albedo) => json!({ "type": "lambertian", "albedo": vector(*albedo) }),
            Self::Metal { tint, fuzz } => {
                json!({ "type": "metal", "albedo": vector(*tint), "fuzz": number(*fuzz) })
            }
            Self::Clear { refractive_index } => {
                json!({ "type": "dielectric", "refractive_index": number(*refractive_index) })
            }
            Self::Other(value) => value.clone(),
        }
    }

    /// The colour a person would see, where there is one.
    pub(crate) fn colour(&self) -> Option<DVec3> {
        match self {
            Self::Matte(colour) | Self::Metal { tint: colour, .. } => Some(*colour),
            Self::Clear { .. } | Self::Other(_) => None,
        }
    }

    /// The same surface in another colour; glass has none and becomes matte.
    pub(crate) fn coloured(&self, rgb: DVec3) -> Self {
        match self {
            Self::Metal { fuzz, .. } => Self::Metal { tint: rgb, fuzz: *fuzz },
            _ => Self::Matte(rgb),
        }
    }

    /// The material a word names; `colour` is what it had or was told to have. Metal tints are
    /// linear reflectances at normal incidence.
    pub(crate) fn made_of(finish: Finish, colour: Option<DVec3>) -> Self {
        let metal = |tint: [f64; 3], fuzz| Self::Metal { tint: tint.into(), fuzz };
        let matte = |albedo: [f64; 3]| Self::Matte(colour.unwrap_or(albedo.into()));
        let clear = |refractive_index| Self::Clear { refractive_index };
        match finish {
            Finish::Matte => matte([0.5; 3]),
            Finish::Metal => Self::Metal { tint: colour.unwrap_or(DVec3::splat(0.8)), fuzz: 0.1 },
            Finish::Brushed => Self::Metal { tint: colour.unwrap_or(DVec3::splat(0.7)), fuzz: 0.4 },
            Finish::Chrome => metal([0.8, 0.81, 0.82], 0.0),
            Finish::Mirror => metal([0.95; 3], 0.0),
            Finish::Gold => metal([1.0, 0.766, 0.336], 0.1),
            Finish::Silver => metal([0.972, 0.96, 0.915], 0.1),
            Finish::Copper => metal([0.955, 0.638, 0.538], 0.15),
            Finish::Brass => metal([0.91, 0.778, 0.423], 0.15),
            Finish::Bronze => metal([0.714, 0.428, 0.181], 0.2),
            Finish::Glass | Finish::Frosted => clear(1.5),
            Finish::Water => clear(1.33),
            Finish::Ice => clear(1.31),
            Finish::Diamond => clear(2.42),
            Finish::Wood => matte([0.319, 0.159, 0.066]),
            Finish::Stone => matte([0.266, 0.255, 0.238]),
            Finish::Plastic => matte([0.6; 3]),
            Finish::Rubber => matte([0.05; 3]),
            Finish::Marble => matte([0.85, 0.83, 0.8]),
        }
    }

    /// Whether a person would call this surface so.
    pub(crate) fn is(&self, finish: Finish) -> bool {
        match (self, finish) {
            (Self::Clear { refractive_index }, Finish::Water) => *refractive_index < 1.4,
            (Self::Clear { refractive_index }, Finish::Diamond) => *refractive_index > 2.0,
            (Self::Clear { .. }, Finish::Glass | Finish::Frosted | Finish::Ice) => true,
            (
                Self::Metal { .. },
                Finish::Gold | Finish::Silver | Finish::Copper | Finish::Brass | Finish::Bronze,
            ) => self.name().contains(metal_name(finish)),
            (Self::Metal { fuzz, .. }, Finish::Mirror | Finish::Chrome) => *fuzz == 0.0,
            (Self::Metal { fuzz, .. }, Finish::Brushed) => *fuzz >= 0.3,
            (Self::Metal { .. }, Finish::Metal) => true,
            (
                Self::Matte(_),
                Finish::Matte
                | Finish::Wood
                | Finish::Stone
                | Finish::Plastic
                | Finish::Rubber
                | Finish::Marble,
            ) => true,
            _ => false,
        }
    }

    /// What a person would call it: "red", "gold", "brushed blue metal", "glass".
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Matte(albedo) => crate::colour::describe(*albedo),
            Self::Metal { tint, fuzz } => {
                let known = [
                    Finish::Gold,
                    Finish::Silver,
                    Finish::Copper,
                    Finish::Brass,
                    Finish::Bronze,
                    Finish::Chrome,
                    Finish::Mirror,
                ];
                let same = |finish: &Finish| match Self::made_of(*finish, None) {
                    Self::Metal { tint: known, .. } => known.abs_diff_eq(*tint, 1e-3),
                    _ => false,
                };
                let spread = tint.max_element() - tint.min_element();
                match known.into_iter().find(same) {
                    Some(finish) => metal_name(finish).to_owned(),
                    None if spread < 0.05 && *fuzz >= 0.3 => "brushed metal".into(),
                    None if spread < 0.05 => "metal".into(),
                    None if *fuzz >= 0.3 => {
                        format!("brushed {} metal", crate::colour::describe(*tint))
                    }
                    None => format!("{} metal", crate::colour::describe(*tint)),
                }
            }
            Self::Clear { refractive_index } => match *refractive_index {
                index if index <= 1.32 => "ice".into(),
                index if index < 1.4 => "water".into(),
                index if index > 2.0 => "diamond".into(),
                _ => "glass".into(),
            },
            Self::Other(Value::String(preset)) => preset.replace('_', " "),
            Self::Other(value) => {
                value.get("type").and_then(Value::as_str).unwrap_or("unknown").to_owned()
            }
        }
    }
}

fn metal_name(finish: Finish) -> &'static str {
    match finish {
        Finish::Gold => "gold",
        Finish::Silver => "silver",
        Finish::Copper => "copper",
        Finish::Brass => "brass",
        Finish::Bronze => "bronze",
        Finish::Chrome => "chrome",
        Finish::Mirror => "mirror",
        _ => "metal",
    }
}

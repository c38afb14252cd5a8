//! Materials, and what people call them.

use std::sync::LazyLock;

use glam::DVec3;
use scene::Textured;
use serde_json::{Map, Value, json};

use super::print::{main_colour, print_word};
use super::read::{as_vector, number, vector};
use crate::colour;
use crate::language::{Finish, Surface};

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
    /// A preset by its name, or a material in the form of the document.
    Other(Value),
}

/// Radiance of a surface that is told to glow, in W/(sr m^2) of its strongest channel: bright
/// against daylight.
const GLOW: f64 = 6.0;

/// The presets by name, each without its colours.
static COLOURLESS: LazyLock<Vec<(&str, Map<String, Value>)>> = LazyLock::new(|| {
    let properties = |preset: &scene::NamedMaterial| match preset.material.to_json() {
        Value::Object(properties) => Some((preset.name, colourless(properties))),
        _ => None,
    };
    scene::presets().iter().filter_map(properties).collect()
});

fn colourless(mut properties: Map<String, Value>) -> Map<String, Value> {
    properties.retain(|name, _| !name.ends_with("_color") && name != "transmission_depth");
    properties
}

impl From<&scene::Material> for Material {
    fn from(material: &scene::Material) -> Self {
        match material {
            scene::Material::Lambertian(matte) if let Textured::Even(albedo) = matte.albedo => {
                Self::Matte(albedo.get().into())
            }
            scene::Material::Metal(metal)
                if let (Textured::Even(tint), Textured::Even(fuzz)) =
                    (&metal.albedo, &metal.fuzz) =>
            {
                Self::Metal { tint: tint.get().into(), fuzz: fuzz.get() }
            }
            scene::Material::Dielectric(clear) => {
                Self::Clear { refractive_index: clear.refractive_index.get() }
            }
            other => Self::Other(other.to_json()),
        }
    }
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

    /// The properties of a material that only the document knows; a preset's are spelt out.
    fn properties(&self) -> Option<Map<String, Value>> {
        match self {
            Self::Other(Value::String(name)) => {
                let preset = scene::PresetName::new(name)?;
                preset.material().to_json().as_object().cloned()
            }
            Self::Other(value) => value.as_object().cloned(),
            _ => None,
        }
    }

    fn is_transmissive(properties: &Map<String, Value>) -> bool {
        let weight = properties.get("transmission_weight").and_then(Value::as_f64);
        weight.is_some_and(|weight| weight >= 0.5)
    }

    /// Whether one sees through it.
    pub(crate) fn is_clear(&self) -> bool {
        matches!(self, Self::Clear { .. })
            || self.properties().is_some_and(|own| {
                Self::is_transmissive(&own) || own.get("type") == Some(&json!("dielectric"))
            })
    }

    /// The colour a person would see, where there is one.
    pub(crate) fn colour(&self) -> Option<DVec3> {
        match self {
            Self::Matte(colour) | Self::Metal { tint: colour, .. } => Some(*colour),
            Self::Clear { .. } => None,
            Self::Other(_) => {
                let own = self.properties()?;
                let channel = |name: &str| own.get(name).and_then(main_colour);
                match own.get("type").and_then(Value::as_str)? {
                    "emissive" => {
                        let emission = channel("emission")?;
                        Some(emission / emission.max_element().max(1e-9))
                    }
                    "principled" if Self::is_transmissive(&own) => channel("transmission_color"),
                    "principled" => {
                        let base = channel("base_color").unwrap_or(DVec3::splat(0.8));
                        let fuzz = own.get("fuzz_weight").and_then(Value::as_f64).unwrap_or(0.0);
                        let fuzz_colour = channel("fuzz_color").unwrap_or(DVec3::ONE);
                        // The nap of velvet is what one sees of it where the ground is dark.
                        let napped = fuzz > 0.9 && base.max_element() < 0.15;
                        Some(if napped { fuzz_colour } else { base })
                    }
                    _ => channel("albedo"),
                }
            }
        }
    }

    /// The same surface in another colour.
    pub(crate) fn coloured(&self, rgb: DVec3) -> Self {
        match self {
            Self::Matte(_) => Self::Matte(rgb),
            Self::Metal { fuzz, .. } => Self::Metal { tint: rgb, fuzz: *fuzz },
            Self::Clear { refractive_index } => stained_glass(rgb, *refractive_index),
            Self::Other(_) => match self.properties() {
                Some(own) => recoloured(own, rgb),
                None => Self::Matte(rgb),
            },
        }
    }

    /// Smoother or rougher, of a material that only the document knows; none when it has no
    /// roughness or cannot get any more so.
    pub(crate) fn polished(&self, shinier: bool) -> Option<Self> {
        const USUAL: f64 = 0.3;
        let mut own = self.properties()?;
        if own.get("type") != Some(&json!("principled")) {
            return None;
        }
        let rough = own.get("specular_roughness").and_then(Value::as_f64).unwrap_or(USUAL);
        let new = if shinier { rough * 0.4 } else { (rough + 0.25).min(1.0) };
        own.insert("specular_roughness".into(), number(new));
        ((new - rough).abs() > 1e-6).then_some(Self::Other(Value::Object(own)))
    }

    /// The material a word names; `colour` is what it was told to have. Metal tints are linear
    /// reflectances at normal incidence.
    pub(crate) fn made_of(finish: Finish, colour: Option<DVec3>) -> Self {
        let surface = match finish {
            Finish::Plain(surface) => surface,
            Finish::Print(print) => return Self::printed(print, colour, None),
            Finish::Preset(name) => {
                let preset = Self::Other(name.into());
                return colour.map_or(preset.clone(), |rgb| preset.coloured(rgb));
            }
        };
        let metal = |tint: [f64; 3], fuzz| Self::Metal { tint: tint.into(), fuzz };
        let clear = |refractive_index: f64| match colour {
            Some(rgb) => stained_glass(rgb, refractive_index),
            None => Self::Clear { refractive_index },
        };
        match surface {
            Surface::Matte => Self::Matte(colour.unwrap_or(DVec3::splat(0.5))),
            Surface::Metal => Self::Metal { tint: colour.unwrap_or(DVec3::splat(0.8)), fuzz: 0.1 },
            Surface::Brushed => {
                Self::Metal { tint: colour.unwrap_or(DVec3::splat(0.7)), fuzz: 0.4 }
            }
            Surface::Chrome => metal([0.8, 0.81, 0.82], 0.0),
            Surface::Mirror => metal([0.95; 3], 0.0),
            Surface::Gold => metal([1.0, 0.766, 0.336], 0.1),
            Surface::Silver => metal([0.972, 0.96, 0.915], 0.1),
            Surface::Copper => metal([0.955, 0.638, 0.538], 0.15),
            Surface::Brass => metal([0.91, 0.778, 0.423], 0.15),
            Surface::Bronze => metal([0.714, 0.428, 0.181], 0.2),
            Surface::Glass => clear(1.5),
            Surface::Water => clear(1.33),
            Surface::Ice => clear(1.31),
            Surface::Diamond => clear(2.42),
            Surface::Glowing => {
                let hue = colour.unwrap_or(DVec3::new(1.0, 0.92, 0.8));
                let hue = hue / hue.max_element().max(1e-6);
                Self::Other(json!({ "type": "emissive", "emission": vector(hue * GLOW) }))
            }
        }
    }

    /// Whether a thing keeps its colour when it gets this finish: a red ball becomes red velvet,
    /// but not red oak.
    pub(crate) fn keeps_colour(finish: Finish) -> bool {
        match finish {
            Finish::Plain(surface) => matches!(
                surface,
                Surface::Matte | Surface::Metal | Surface::Brushed | Surface::Glowing
            ),
            Finish::Print(_) => true,
            Finish::Preset(name) => {
                let own_colour = ["white_", "black_", "red_", "denim", "leather"];
                let kind = scene::presets().iter().find(|preset| preset.name == name);
                kind.is_some_and(|preset| ["plastic", "cloth", "paint"].contains(&preset.kind))
                    && !own_colour.iter().any(|word| name.starts_with(word))
                    || name == "porcelain"
            }
        }
    }

    /// Whether a person would call this surface so.
    pub(crate) fn is(&self, finish: Finish) -> bool {
        let surface = match finish {
            Finish::Plain(surface) => surface,
            Finish::Print(print) => {
                let Self::Other(value) = self else { return false };
                return print_word(value).is_some_and(|word| word == print.word());
            }
            Finish::Preset(name) => {
                let same = self.preset().is_some_and(|own| own == name);
                return same || self.name().contains(&name.replace('_', " "));
            }
        };
        match (self, surface) {
            (Self::Clear { refractive_index }, Surface::Water) => *refractive_index < 1.4,
            (Self::Clear { refractive_index }, Surface::Diamond) => *refractive_index > 2.0,
            (_, Surface::Glass | Surface::Ice) => self.is_clear(),
            (
                Self::Metal { .. },
                Surface::Gold
                | Surface::Silver
                | Surface::Copper
                | Surface::Brass
                | Surface::Bronze,
            ) => self.name().contains(metal_name(surface)),
            (Self::Metal { fuzz, .. }, Surface::Mirror | Surface::Chrome) => *fuzz == 0.0,
            (Self::Metal { fuzz, .. }, Surface::Brushed) => *fuzz >= 0.3,
            (Self::Metal { .. }, Surface::Metal) => true,
            (Self::Matte(_), Surface::Matte) => true,
            (Self::Other(_), Surface::Glowing) => {
                self.properties().is_some_and(|own| own.get("type") == Some(&json!("emissive")))
            }
            (Self::Other(_), Surface::Metal) => self.properties().is_some_and(|own| {
                own.get("base_metalness").and_then(Value::as_f64).is_some_and(|metal| metal > 0.5)
            }),
            (Self::Other(_), other) => self.preset().is_some_and(|own| own == metal_name(other)),
            _ => false,
        }
    }

    /// The preset it is, or was before it got another colour.
    fn preset(&self) -> Option<&'static str> {
        if let Self::Other(Value::String(name)) = self {
            return scene::PresetName::new(name).map(|preset| preset.as_str());
        }
        let own = colourless(self.properties()?);
        let mut alike = COLOURLESS.iter().filter(|(_, known)| *known == own);
        // Several presets differ by their colour only, and few words tell little.
        match (alike.next(), alike.next()) {
            (Some((only, _)), None) if own.len() > 2 => Some(only),
            _ => None,
        }
    }

    /// What a person would call it: "red", "gold", "brushed blue metal", "glass", "red velvet".
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Matte(albedo) => colour::describe(*albedo),
            Self::Metal { tint, fuzz } => metal_of(*tint, *fuzz),
            Self::Clear { refractive_index } => match *refractive_index {
                index if index <= 1.32 => "ice".into(),
                index if index < 1.4 => "water".into(),
                index if index > 2.0 => "diamond".into(),
                _ => "glass".into(),
            },
            Self::Other(Value::String(preset)) => preset.replace('_', " "),
            Self::Other(value) => self.told(value),
        }
    }

    fn told(&self, value: &Value) -> String {
        let look = self.colour().map(colour::describe);
        let kind = value.get("type").and_then(Value::as_str).unwrap_or("unknown");
        let transmissive = value.as_object().is_some_and(Self::is_transmissive);
        if let Some(word) = print_word(value) {
            return format!("{word} {}", look.unwrap_or_default());
        }
        let noun = match (kind, self.preset()) {
            ("emissive", _) => return format!("glowing {}", look.unwrap_or_default()),
            (_, Some(preset)) if !transmissive => preset.replace('_', " "),
            _ if transmissive => {
                let rough = value.get("specular_roughness").and_then(Value::as_f64);
                if rough.is_some_and(|rough| rough > 0.1) { "frosted glass" } else { "glass" }
                    .into()
            }
            ("principled", None) => return look.unwrap_or_else(|| kind.to_owned()),
            (other, None) => other.to_owned(),
            (_, Some(preset)) => preset.replace('_', " "),
        };
        look.map_or(noun.clone(), |look| format!("{look} {noun}"))
    }
}

/// Glass that takes the other colours out of the light, by a metre deep in it most of them.
fn stained_glass(rgb: DVec3, refractive_index: f64) -> Material {
    Material::Other(json!({
        "type": "principled", "transmission_weight": 1, "specular_roughness": 0,
        "specular_ior": number(refractive_index), "transmission_color": vector(tint_of(rgb)),
        "transmission_depth": 0.5,
    }))
}

/// The colour of light that came through: never quite black, or nothing would come through.
fn tint_of(rgb: DVec3) -> DVec3 {
    rgb.max(DVec3::splat(0.04)).min(DVec3::splat(0.98))
}

fn recoloured(mut own: Map<String, Value>, rgb: DVec3) -> Material {
    let transmissive = Material::is_transmissive(&own);
    match own.get("type").and_then(Value::as_str) {
        Some("emissive") => {
            let strongest =
                own.get("emission").and_then(as_vector).map_or(GLOW, |e| e.max_element());
            let hue = rgb / rgb.max_element().max(1e-6);
            own.insert("emission".into(), vector(hue * strongest));
        }
        Some("principled") if transmissive => {
            own.insert("transmission_color".into(), vector(tint_of(rgb)));
            own.entry("transmission_depth").or_insert(json!(0.5));
        }
        Some("principled") => {
            own.insert("base_color".into(), vector(rgb));
            if own.contains_key("fuzz_color") {
                own.insert("fuzz_color".into(), vector(rgb.lerp(DVec3::ONE, 0.25)));
            }
        }
        Some("dielectric") => {
            let index = own.get("refractive_index").and_then(Value::as_f64).unwrap_or(1.5);
            return stained_glass(rgb, index);
        }
        Some("lambertian" | "metal") => {
            own.insert("albedo".into(), vector(rgb));
        }
        _ => return Material::Matte(rgb),
    }
    Material::Other(Value::Object(own))
}

fn metal_of(tint: DVec3, fuzz: f64) -> String {
    let known = [
        Surface::Gold,
        Surface::Silver,
        Surface::Copper,
        Surface::Brass,
        Surface::Bronze,
        Surface::Chrome,
        Surface::Mirror,
    ];
    let same = |surface: &Surface| match Material::made_of(Finish::Plain(*surface), None) {
        Material::Metal { tint: known, .. } => known.abs_diff_eq(tint, 1e-3),
        _ => false,
    };
    let spread = tint.max_element() - tint.min_element();
    match known.into_iter().find(same) {
        Some(surface) => metal_name(surface).to_owned(),
        None if spread < 0.05 && fuzz >= 0.3 => "brushed metal".into(),
        None if spread < 0.05 => "metal".into(),
        None if fuzz >= 0.3 => format!("brushed {} metal", colour::describe(tint)),
        None => format!("{} metal", colour::describe(tint)),
    }
}

fn metal_name(surface: Surface) -> &'static str {
    match surface {
        Surface::Gold => "gold",
        Surface::Silver => "silver",
        Surface::Copper => "copper",
        Surface::Brass => "brass",
        Surface::Bronze => "bronze",
        Surface::Chrome => "chrome",
        Surface::Mirror => "mirror",
        Surface::Water => "water",
        Surface::Diamond => "diamond",
        _ => "metal",
    }
}

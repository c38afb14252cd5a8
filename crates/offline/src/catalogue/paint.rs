//! What the roles of an object are painted with.

use std::collections::BTreeMap;

use glam::DVec3;
use scene::{Material, PresetName};
use serde_json::{Value, json};

use super::CatalogueFault;
use super::draw::Draw;
use super::piece::material;
use super::recipe::{Finish, Paint};
use crate::colour::{Colour, from_hex};

/// The paints of an object by role, as a file or a wish has them.
#[derive(Debug, Clone, Default)]
pub(super) struct Palette {
    roles: BTreeMap<String, Coat>,
}

/// What a role wears.
#[derive(Debug, Clone)]
enum Coat {
    /// Drawn already.
    Dry(Box<Material>),
    /// Drawn anew for each part.
    Each(Vec<Paint>),
}

impl Palette {
    /// The paints of a file. Those that vary are drawn, or, for the object as it usually is, the
    /// first of them.
    pub(super) fn of(
        roles: &BTreeMap<String, Paint>,
        draw: &Draw,
        usual: bool,
    ) -> Result<Self, CatalogueFault> {
        let mut palette = Self::default();
        for (role, paint) in roles {
            let paint = match paint {
                Paint::Any { any } if usual => any.first().unwrap_or(paint),
                paint => paint,
            };
            palette.set(role, paint, &mut draw.branch(role, 0))?;
        }
        Ok(palette)
    }

    /// Gives a role another paint.
    pub(super) fn set(
        &mut self,
        role: &str,
        paint: &Paint,
        draw: &mut Draw,
    ) -> Result<(), CatalogueFault> {
        let coat = match paint {
            Paint::Each { each } => Coat::Each(each.clone()),
            paint => Coat::Dry(mixed(paint, draw)?.into()),
        };
        self.roles.insert(role.to_owned(), coat);
        Ok(())
    }

    /// Gives a role this very material.
    pub(super) fn wear(&mut self, role: &str, material: Material) {
        self.roles.insert(role.to_owned(), Coat::Dry(material.into()));
    }

    pub(super) fn has(&self, role: &str) -> bool {
        self.roles.contains_key(role)
    }

    /// The material of one part. What is no role of the file is read as a paint itself.
    pub(super) fn material(&self, role: &str, draw: &mut Draw) -> Result<Material, CatalogueFault> {
        match self.roles.get(role) {
            Some(Coat::Dry(material)) => Ok((**material).clone()),
            Some(Coat::Each(paints)) => match draw.pick(paints) {
                Some(paint) => mixed(paint, draw),
                None => Err(CatalogueFault::Paint(role.to_owned())),
            },
            None => mixed(&Paint::Plain(role.to_owned()), draw),
        }
    }

    /// The role in another colour, its finish kept where it is one that takes colours.
    pub(super) fn recoloured(
        &self,
        role: &str,
        rgb: DVec3,
        draw: &mut Draw,
    ) -> Result<Material, CatalogueFault> {
        let old = self.material(role, draw)?;
        let old = old.main_part();
        let mut value = old.to_json();
        match old {
            Material::Dielectric(_) => value = made(rgb, Finish::Clear),
            Material::Metal(_) => value["albedo"] = json!(rgb.to_array()),
            Material::Emissive(emissive) => {
                let strength = emissive.emission.typical().get().into_iter().fold(0.0, f64::max);
                let brightest = rgb.max_element().max(1e-3);
                value["emission"] = json!((rgb * (strength / brightest)).to_array());
            }
            Material::Principled(_) if old.is_clear() => {
                value["transmission_color"] = json!(rgb.to_array());
            }
            Material::Principled(_) => value["base_color"] = json!(rgb.to_array()),
            _ => value = made(rgb, Finish::Matte),
        }
        material(&value)
    }
}

fn mixed(paint: &Paint, draw: &mut Draw) -> Result<Material, CatalogueFault> {
    match paint {
        Paint::Plain(name) if name.starts_with('#') || PresetName::new(name).is_none() => {
            material(&made(colour(name)?, Finish::Matte))
        }
        Paint::Plain(name) => material(&json!(name)),
        Paint::Made { colour: name, finish } => material(&made(colour(name)?, *finish)),
        Paint::Any { any: paints } | Paint::Each { each: paints } => match draw.pick(paints) {
            Some(paint) => mixed(paint, draw),
            None => Err(CatalogueFault::Paint("an empty choice".to_owned())),
        },
        Paint::Glow { glow } => material(&json!({ "type": "emissive", "emission": glow })),
    }
}

fn colour(name: &str) -> Result<DVec3, CatalogueFault> {
    let found = match name.strip_prefix('#') {
        Some(code) => from_hex(code),
        None => Colour::named(name).map(|colour| colour.rgb),
    };
    found.ok_or_else(|| CatalogueFault::Paint(name.to_owned()))
}

/// A colour with a finish, as the document has it.
fn made(rgb: DVec3, finish: Finish) -> Value {
    let color = rgb.to_array();
    match finish {
        Finish::Matte => json!({ "type": "lambertian", "albedo": color }),
        Finish::Satin => {
            json!({ "type": "principled", "base_color": color, "specular_roughness": 0.5 })
        }
        Finish::Glossy => {
            json!({ "type": "principled", "base_color": color, "specular_roughness": 0.15 })
        }
        Finish::Lacquered => json!({
            "type": "principled", "base_color": color, "specular_roughness": 0.5,
            "coat_weight": 1, "coat_roughness": 0.03,
        }),
        Finish::Metal => json!({ "type": "metal", "albedo": color, "fuzz": 0.2 }),
        Finish::Brushed => json!({ "type": "metal", "albedo": color, "fuzz": 0.5 }),
        Finish::Clear => json!({
            "type": "principled", "transmission_weight": 1, "specular_roughness": 0,
            "transmission_color": color, "transmission_depth": 0.1,
        }),
    }
}

//! The materials of the roles of an object.

use std::collections::BTreeMap;

use glam::DVec3;
use scene::{Material, PresetName};
use serde_json::{Value, json};

use super::random::Random;
use crate::colour;
use crate::error::CatalogueError;
use crate::files::{Finish, Paint};

/// The paints of an object by role, from its file and its parameters.
#[derive(Debug, Clone, Default)]
pub(crate) struct Palette {
    roles: BTreeMap<String, RolePaint>,
}

/// The paint of a role.
#[derive(Debug, Clone)]
enum RolePaint {
    /// One material for all parts.
    Fixed(Box<Material>),
    /// One of these for each part by itself.
    Each(Vec<Paint>),
}

impl Palette {
    /// The paints of a file. A choice is drawn; for the object as it usually looks it is the first.
    pub(crate) fn new(
        roles: &BTreeMap<String, Paint>,
        random: &Random,
        usual: bool,
    ) -> Result<Self, CatalogueError> {
        let mut palette = Self::default();
        for (role, paint) in roles {
            let paint = match paint {
                Paint::Any { any } if usual => any.first().unwrap_or(paint),
                paint => paint,
            };
            palette.set_paint(role, paint, &mut random.branch(role, 0))?;
        }
        Ok(palette)
    }

    /// Gives a role another paint.
    pub(crate) fn set_paint(
        &mut self,
        role: &str,
        paint: &Paint,
        random: &mut Random,
    ) -> Result<(), CatalogueError> {
        let paint = match paint {
            Paint::Each { each } => RolePaint::Each(each.clone()),
            paint => RolePaint::Fixed(material_of(paint, random)?.into()),
        };
        self.roles.insert(role.to_owned(), paint);
        Ok(())
    }

    /// Gives a role this material.
    pub(crate) fn set_material(&mut self, role: &str, material: Material) {
        self.roles.insert(role.to_owned(), RolePaint::Fixed(material.into()));
    }

    pub(crate) fn has(&self, role: &str) -> bool {
        self.roles.contains_key(role)
    }

    /// The material of one part. A role that the file does not have is read as a paint itself.
    pub(crate) fn material(
        &self,
        role: &str,
        random: &mut Random,
    ) -> Result<Material, CatalogueError> {
        match self.roles.get(role) {
            Some(RolePaint::Fixed(material)) => Ok((**material).clone()),
            Some(RolePaint::Each(paints)) => match random.pick(paints) {
                Some(paint) => material_of(paint, random),
                None => Err(CatalogueError::Paint(role.to_owned())),
            },
            None => material_of(&Paint::Named(role.to_owned()), random),
        }
    }

    /// The material of a role in another colour, of the same kind where that takes colours.
    pub(crate) fn recoloured(
        &self,
        role: &str,
        rgb: DVec3,
        random: &mut Random,
    ) -> Result<Material, CatalogueError> {
        recoloured(&self.material(role, random)?, rgb)
    }
}

/// A material in another colour, of the same kind where that takes colours.
pub(crate) fn recoloured(old: &Material, rgb: DVec3) -> Result<Material, CatalogueError> {
    let old = old.main_part();
    let mut value = old.to_json();
    match old {
        Material::Dielectric(_) => value = finished(rgb, Finish::Clear),
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
        _ => value = finished(rgb, Finish::Matte),
    }
    read(&value)
}

/// The material of a paint; a choice is drawn.
fn material_of(paint: &Paint, random: &mut Random) -> Result<Material, CatalogueError> {
    match paint {
        Paint::Named(name) if name.starts_with('#') || PresetName::new(name).is_none() => {
            read(&finished(rgb(name)?, Finish::Matte))
        }
        Paint::Named(name) => read(&json!(name)),
        Paint::Finished { colour: name, finish } => read(&finished(rgb(name)?, *finish)),
        Paint::Any { any: paints } | Paint::Each { each: paints } => match random.pick(paints) {
            Some(paint) => material_of(paint, random),
            None => Err(CatalogueError::Paint("an empty choice".to_owned())),
        },
        Paint::Emissive { emission } => read(&json!({ "type": "emissive", "emission": emission })),
    }
}

/// The linear colour of a CSS name or a code like `#d02020`.
fn rgb(name: &str) -> Result<DVec3, CatalogueError> {
    let found = match name.strip_prefix('#') {
        Some(code) => colour::from_hex(code),
        None => colour::named(name),
    };
    found.ok_or_else(|| CatalogueError::Paint(name.to_owned()))
}

/// A colour with a finish, in the form of the document.
fn finished(rgb: DVec3, finish: Finish) -> Value {
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

/// A material of the document by its JSON.
fn read(value: &Value) -> Result<Material, CatalogueError> {
    Material::from_json(value).map_err(|violations| CatalogueError::Paint(violations.to_string()))
}

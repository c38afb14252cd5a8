//! Reading the scene file and writing numbers.

use std::cell::LazyCell;

use glam::DVec3;
use serde_json::{Map, Value, json};

use super::{Body, Bounds, Camera, Form, Lamp, LampForm, Material, Thing, World};

/// A number as tools get it: at most 4 decimals, no negative zero.
pub(crate) fn number(value: f64) -> Value {
    json!(tidy(value))
}

/// Three numbers as tools get them.
pub(crate) fn vector(value: DVec3) -> Value {
    json!(value.to_array().map(tidy))
}

fn tidy(value: f64) -> f64 {
    // Large numbers have no decimals left to round.
    if value.abs() > 1e9 { value } else { (value * 1e4).round() / 1e4 + 0.0 }
}

/// Reads `[x, y, z]`.
pub(crate) fn as_vector(value: &Value) -> Option<DVec3> {
    match value.as_array()?.as_slice() {
        [x, y, z] => Some(DVec3::new(x.as_f64()?, y.as_f64()?, z.as_f64()?)),
        _ => None,
    }
}

/// The properties of one object.
struct Properties<'a>(&'a Map<String, Value>);

impl Properties<'_> {
    fn vector(&self, name: &str) -> Option<DVec3> {
        as_vector(self.0.get(name)?)
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.as_f64()
    }

    fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(true)
    }
}

impl World {
    /// Reads a scene file. What this model does not know is kept as it is; only a value that is no
    /// scene at all gives none.
    pub(crate) fn read(file: &Value) -> Option<Self> {
        let list = |name: &str| file.get(name).and_then(Value::as_array).map(Vec::as_slice);
        let shapes = list("shapes")?;
        let lights = list("lights").unwrap_or_default();
        // The document knows the extent also of shapes that this model cannot build.
        let document = LazyCell::new(|| scene::Scene::from_json(file).ok());
        let extent_of = |id: &str| {
            let found = document.as_ref().and_then(|scene| {
                let shape = scene.shape(id).and_then(|shape| shape.geometry.bounds());
                shape.or_else(|| scene.light(id).map(|light| light.light.bounds()))
            });
            found.map_or(Bounds::around(DVec3::ZERO, DVec3::ZERO), |bounds| Bounds {
                min: bounds.min.into(),
                max: bounds.max.into(),
            })
        };
        let things = shapes
            .iter()
            .filter_map(|value| read_thing(value, &extent_of, read_shape))
            .chain(lights.iter().filter_map(|value| read_thing(value, &extent_of, read_light)))
            .collect();
        let environment =
            file.get("environment").and_then(Value::as_object).cloned().unwrap_or_default();
        let camera = file.get("camera").and_then(read_camera).unwrap_or_default();
        let parents = list("groups").unwrap_or_default();
        let parents = parents.iter().filter_map(|group| {
            let name = |key: &str| group.get(key).and_then(Value::as_str).map(str::to_owned);
            Some((name("id")?, name("parent")?))
        });
        let marks = shapes.iter().filter_map(|shape| {
            let id = shape.get("id")?.as_str()?.to_owned();
            Some((id, shape.get("intentional")?.clone()))
        });
        let marks = marks.collect();
        Some(Self { things, environment, camera, marks, parents: parents.collect() })
    }
}

impl Thing {
    /// Reads one shape or light as tools return it.
    pub(crate) fn read(value: &Value, light: bool) -> Option<Self> {
        let nowhere = |_: &str| Bounds::around(DVec3::ZERO, DVec3::ZERO);
        read_thing(value, &nowhere, if light { read_light } else { read_shape })
    }
}

type ReadBody = fn(&str, &Map<String, Value>, &dyn Fn() -> Bounds) -> Body;

fn read_thing(value: &Value, extent_of: &dyn Fn(&str) -> Bounds, read: ReadBody) -> Option<Thing> {
    let id = value.get("id")?.as_str()?;
    let type_name = value.get("type")?.as_str()?;
    let properties = value.get("properties")?.as_object()?;
    Some(Thing {
        id: id.to_owned(),
        origin: Some(id.to_owned()),
        group: value.get("group").and_then(Value::as_str).map(str::to_owned),
        body: read(type_name, properties, &|| extent_of(id)),
    })
}

fn read_shape(type_name: &str, map: &Map<String, Value>, extent: &dyn Fn() -> Bounds) -> Body {
    let form = read_form(type_name, &Properties(map)).unwrap_or_else(|| {
        let mut properties = map.clone();
        properties.shift_remove("material");
        let properties = Value::Object(properties);
        Form::other(type_name, &properties).unwrap_or_else(|| Form::Other {
            type_name: type_name.to_owned(),
            properties: properties.as_object().cloned().unwrap_or_default(),
            bounds: extent(),
        })
    });
    let material = map.get("material").map_or(Material::Matte(DVec3::splat(0.5)), read_material);
    Body::Shape { form, material }
}

fn read_form(type_name: &str, properties: &Properties<'_>) -> Option<Form> {
    let vector = |name| properties.vector(name);
    let number = |name| properties.number(name);
    Some(match type_name {
        "sphere" => Form::Sphere { center: vector("center")?, radius: number("radius")? },
        "box" => Form::Box {
            center: vector("center")?,
            size: vector("dimensions")?,
            rotation: vector("rotation").unwrap_or(DVec3::ZERO),
        },
        "quad" => Form::Quad { corner: vector("corner")?, u: vector("u")?, v: vector("v")? },
        "disc" => Form::Disc {
            center: vector("center")?,
            normal: vector("normal")?,
            radius: number("radius")?,
        },
        "cylinder" => Form::Cylinder {
            base: vector("base_center")?,
            top: vector("top_center")?,
            radius: number("radius")?,
            capped: properties.flag("capped"),
        },
        "cone" => Form::Cone {
            base: vector("base_center")?,
            base_radius: number("base_radius")?,
            top: vector("top_center")?,
            top_radius: number("top_radius")?,
            capped: properties.flag("capped"),
        },
        "torus" if !is_arc(properties) => Form::Torus {
            center: vector("center")?,
            normal: vector("normal")?,
            radius: number("radius")?,
            thickness: number("thickness")?,
        },
        _ => return None,
    })
}

fn is_arc(properties: &Properties<'_>) -> bool {
    let angle = |name, whole| properties.number(name).unwrap_or(whole);
    angle("end_angle", 360.0) - angle("start_angle", 0.0) < 360.0
}

pub(crate) fn read_material(value: &Value) -> Material {
    let known = || {
        let properties = Properties(value.as_object()?);
        Some(match value.get("type")?.as_str()? {
            "lambertian" => Material::Matte(properties.vector("albedo")?),
            "metal" => Material::Metal {
                tint: properties.vector("albedo")?,
                fuzz: properties.number("fuzz")?,
            },
            "dielectric" => {
                Material::Clear { refractive_index: properties.number("refractive_index")? }
            }
            _ => return None,
        })
    };
    known().unwrap_or_else(|| Material::Other(value.clone()))
}

fn read_light(type_name: &str, map: &Map<String, Value>, extent: &dyn Fn() -> Bounds) -> Body {
    let properties = Properties(map);
    let form = read_lamp(type_name, &properties).unwrap_or_else(|| {
        let mut rest = map.clone();
        rest.shift_remove("emission");
        LampForm::Other { type_name: type_name.to_owned(), properties: rest, bounds: extent() }
    });
    Body::Light(Lamp { form, emission: properties.vector("emission").unwrap_or(DVec3::ONE) })
}

fn read_lamp(type_name: &str, properties: &Properties<'_>) -> Option<LampForm> {
    let vector = |name| properties.vector(name);
    let number = |name| properties.number(name);
    let cutoff_angle = number("cutoff_angle").unwrap_or(180.0);
    let falloff = number("falloff_exponent").unwrap_or(0.0);
    Some(match type_name {
        "point_spot_light" => LampForm::Point {
            center: vector("center")?,
            direction: vector("direction").unwrap_or(DVec3::NEG_Y),
            cutoff_angle,
            falloff,
        },
        "area_quad_light" => {
            LampForm::Quad { corner: vector("corner")?, u: vector("u")?, v: vector("v")? }
        }
        "disc_spot_light" => LampForm::Disc {
            center: vector("center")?,
            normal: vector("normal")?,
            radius: number("radius")?,
        },
        "area_sphere_light" => {
            LampForm::Sphere { center: vector("center")?, radius: number("radius")? }
        }
        "area_disc_spot_light" => LampForm::SpotDisc {
            center: vector("center")?,
            normal: vector("normal")?,
            radius: number("radius")?,
            cutoff_angle,
            falloff,
        },
        _ => return None,
    })
}

fn read_camera(value: &Value) -> Option<Camera> {
    let properties = Properties(value.as_object()?);
    Some(Camera {
        center: properties.vector("center")?,
        look_at: properties.vector("look_at")?,
        up: properties.vector("up").unwrap_or(DVec3::Y),
        vfov: properties.number("vfov").unwrap_or(45.0),
        aperture: properties.number("aperture").unwrap_or(0.0),
        focus_distance: properties.number("focus_distance"),
    })
}

//! The scene as this model sees it: read from the result of `get_scene_state`, changed in thought
//! while planning, compared to give the tool calls.

mod bounds;
mod form;
mod lamp;
mod material;
mod print;
pub(crate) mod read;
mod things;

use glam::DVec3;
use serde_json::{Map, Value};

pub(crate) use bounds::Bounds;
pub(crate) use form::{Form, rotation_matrix};
pub(crate) use lamp::{Lamp, LampForm};
pub(crate) use material::Material;
pub(crate) use things::Things;

/// The whole scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct World {
    /// Shapes, then lights, each in the order they were made.
    pub(crate) things: Things,
    /// What surrounds the scene, as the file says it.
    pub(crate) environment: Map<String, Value>,
    /// From where it is seen.
    pub(crate) camera: Camera,
    /// What is meant to look odd, by id, as the file says it: "intentional": ["floating"].
    pub(crate) marks: std::collections::BTreeMap<String, Value>,
    /// Groups that belong to other groups: the group, then the one above it.
    pub(crate) parents: Vec<(String, String)>,
}

/// A shape or a light.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Thing {
    pub(crate) id: String,
    /// The id it had when the scene was looked at; none for what is new.
    pub(crate) origin: Option<String>,
    /// The group it belongs to.
    pub(crate) group: Option<String>,
    pub(crate) body: Body,
}

/// What a thing is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    Shape { form: Form, material: Material },
    Light(Lamp),
}

/// The camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Camera {
    pub(crate) center: DVec3,
    pub(crate) look_at: DVec3,
    pub(crate) up: DVec3,
    pub(crate) vfov: f64,
    /// Diameter of the lens in metres; 0 keeps everything sharp.
    pub(crate) aperture: f64,
    /// Distance of the sharp plane in metres; none for the distance to `look_at`.
    pub(crate) focus_distance: Option<f64>,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            center: DVec3::Z * 5.0,
            look_at: DVec3::ZERO,
            up: DVec3::Y,
            vfov: 45.0,
            aperture: 0.0,
            focus_distance: None,
        }
    }
}

impl Camera {
    /// The horizontal direction to the right of the picture, snapped to an axis, so that "left"
    /// means what the person sees and results stay tidy.
    pub(crate) fn right(&self) -> DVec3 {
        let forward = self.look_at - self.center;
        let right = forward.cross(self.up);
        if right.x.abs() >= right.z.abs() {
            DVec3::X * if right.x < 0.0 { -1.0 } else { 1.0 }
        } else {
            DVec3::Z * right.z.signum()
        }
    }

    /// The horizontal direction towards the viewer, snapped to an axis.
    pub(crate) fn towards(&self) -> DVec3 {
        let right = self.right();
        DVec3::new(-right.z, 0.0, right.x)
    }
}

impl From<&scene::Shape> for Thing {
    fn from(shape: &scene::Shape) -> Self {
        let (form, material) = ((&shape.geometry).into(), (&shape.material).into());
        Self {
            id: shape.id.to_string(),
            origin: None,
            group: shape.group.as_ref().map(ToString::to_string),
            body: Body::Shape { form, material },
        }
    }
}

impl Thing {
    pub(crate) fn bounds(&self) -> Bounds {
        match &self.body {
            Body::Shape { form, .. } => form.bounds(),
            Body::Light(lamp) => lamp.bounds(),
        }
    }

    pub(crate) fn is_light(&self) -> bool {
        matches!(self.body, Body::Light(_))
    }

    pub(crate) fn type_name(&self) -> &str {
        match &self.body {
            Body::Shape { form, .. } => form.type_name(),
            Body::Light(lamp) => lamp.type_name(),
        }
    }

    /// The properties as tools take them.
    pub(crate) fn properties(&self) -> Map<String, Value> {
        match &self.body {
            Body::Shape { form, material } => {
                let mut properties = form.properties();
                properties.insert("material".into(), material.json());
                properties
            }
            Body::Light(lamp) => lamp.properties(),
        }
    }

    pub(crate) fn form(&self) -> Option<&Form> {
        match &self.body {
            Body::Shape { form, .. } => Some(form),
            Body::Light(_) => None,
        }
    }

    pub(crate) fn material(&self) -> Option<&Material> {
        match &self.body {
            Body::Shape { material, .. } => Some(material),
            Body::Light(_) => None,
        }
    }

    /// The group it is a part of, when its id begins with it: the `snowman` of `snowman_hat`.
    pub(crate) fn assembly(&self) -> Option<&str> {
        let group = self.group.as_deref()?;
        let rest = self.id.strip_prefix(group)?;
        rest.starts_with('_').then_some(group)
    }

    /// The words that tell the part from others of its group: `hat` of `snowman_hat`.
    pub(crate) fn part_name(&self) -> &str {
        let group = self.assembly().unwrap_or_default();
        self.id.strip_prefix(group).unwrap_or(&self.id).trim_start_matches('_')
    }

    /// Whether it is a ground others stand on: flat, level, much wider than high, or named so.
    pub(crate) fn is_floor(&self) -> bool {
        let Some(form) = self.form() else { return false };
        let size = form.bounds().size();
        let named = || ["floor", "ground", "plane"].iter().any(|word| self.id.contains(word));
        let level = size.y <= 0.05 * size.x.min(size.z).max(1e-9);
        level && (named() || (matches!(form, Form::Quad { .. }) && size.x.min(size.z) >= 5.0))
    }

    /// Whether it is an upright plane at the back or side.
    pub(crate) fn is_wall(&self) -> bool {
        let size = self.bounds().size();
        matches!(self.form(), Some(Form::Quad { .. })) && size.y > 0.05 * size.x.max(size.z)
    }

    pub(crate) fn moved(&mut self, by: DVec3) {
        match &mut self.body {
            Body::Shape { form, .. } => form.moved(by),
            Body::Light(lamp) => lamp.moved(by),
        }
    }
}

impl World {
    pub(crate) fn find(&self, id: &str) -> Option<&Thing> {
        self.things.iter().find(|thing| thing.id == id)
    }

    pub(crate) fn find_mut(&mut self, id: &str) -> Option<&mut Thing> {
        self.things.iter_mut().find(|thing| thing.id == id)
    }

    pub(crate) fn shapes(&self) -> impl Iterator<Item = &Thing> {
        self.things.iter().filter(|thing| !thing.is_light())
    }

    pub(crate) fn lights(&self) -> impl Iterator<Item = &Thing> {
        self.things.iter().filter(|thing| thing.is_light())
    }

    /// Shapes that are neither floor nor wall.
    pub(crate) fn objects(&self) -> impl Iterator<Item = &Thing> {
        self.shapes().filter(|thing| !thing.is_floor() && !thing.is_wall())
    }

    pub(crate) fn floor(&self) -> Option<&Thing> {
        self.shapes().find(|thing| thing.is_floor())
    }

    /// The height things rest on: the floor's, or 0.
    pub(crate) fn ground(&self) -> f64 {
        self.floor().map_or(0.0, |floor| floor.bounds().max.y)
    }

    /// Every id and group, as words a person may use; some more than once.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let own =
            self.things.iter().flat_map(|thing| std::iter::once(&thing.id).chain(&thing.group));
        own.chain(self.parents.iter().map(|(_, parent)| parent)).map(String::as_str)
    }

    /// Whether `group` lies within the group `above`, at any depth.
    pub(crate) fn is_within(&self, group: &str, above: &str) -> bool {
        let mut at = group;
        // No more steps than there are groups: a circle ends, too.
        for _ in 0..=self.parents.len() {
            let Some((_, parent)) = self.parents.iter().find(|(child, _)| child == at) else {
                return false;
            };
            if parent.eq_ignore_ascii_case(above) {
                return true;
            }
            at = parent;
        }
        false
    }

    /// `wanted`, or `wanted_2`, `wanted_3`, ... when it is taken.
    pub(crate) fn free_id(&self, wanted: &str) -> String {
        let taken = |id: &str| {
            self.things.iter().any(|thing| {
                thing.id == id
                    || thing.origin.as_deref() == Some(id)
                    || thing.group.as_deref() == Some(id)
            })
        };
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        std::iter::once(wanted.to_owned())
            .chain(numbered)
            .find(|id| !taken(id))
            .unwrap_or_else(|| wanted.to_owned())
    }

    /// The box round all these things; none for no things.
    pub(crate) fn bounds_of<'a>(things: impl Iterator<Item = &'a Thing>) -> Option<Bounds> {
        things.map(Thing::bounds).reduce(Bounds::union)
    }
}

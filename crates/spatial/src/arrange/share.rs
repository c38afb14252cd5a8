//! `share_material`: a material with a name, which several shapes share and which is changed in one place.

use std::collections::BTreeSet;
use std::sync::Arc;

use scene::read::{PropertyPath, ReadErrors};
use scene::{
    Edit, Id, Kind, Material, MaterialChange, Objects, Scene, Shape, Violations, properties,
};
use serde_json::{Value, json};

use crate::args::{Ids, several};
use crate::plan::{Plan, Planned};
use crate::space::{Object, Space};

properties! {
    /// Arguments of `share_material`.
    pub struct ShareMaterial {
        /// Of the material.
        pub name: Id,
        /// What shares it from now on.
        pub ids: Option<Ids> = None,
        /// What it becomes.
        pub material: Option<MaterialChange> = None,
    }
    check(self, reader) {
        if self.ids.is_none() && self.material.is_none() {
            reader.error("give 'ids' (what shares it), 'material' (what it becomes), or both");
        }
    }
}

impl Planned for ShareMaterial {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let shares = |shape: &Shape| shape.material_name.as_ref() == Some(&self.name);
        let old: Vec<&Arc<Shape>> =
            space.scene.shapes.iter().filter(|shape| shares(shape)).collect();
        let new = self.new_sharers(space)?;
        let Some(first) = old.first().or(new.first()) else {
            return Err(Violations::one(format!(
                "share_material: no shape shares a material '{}'; {}; say by 'ids' which are to share it (create one \
                 with the material first)",
                self.name,
                match shared_names(space.scene) {
                    Some(names) => format!("shared are {names}"),
                    None => "none is shared yet".to_owned(),
                }
            )));
        };
        let material = self.resulting(&first.material)?;
        let known: BTreeSet<&str> = new.iter().map(|shape| shape.id.as_str()).collect();
        let kept = old.into_iter().filter(|shape| !known.contains(shape.id.as_str()));
        let sharers: Vec<&Arc<Shape>> = kept.chain(new.iter().copied()).collect();
        let ids: Vec<&str> = sharers.iter().map(|shape| shape.id.as_str()).collect();
        let material_name = Some(self.name.clone());
        let shared = |shape: &&Arc<Shape>| {
            Arc::new(Shape {
                material: material.clone(),
                material_name: material_name.clone(),
                ..(***shape).clone()
            })
        };
        Ok(Plan {
            about: ids.iter().map(|id| (Kind::Shape, (*id).to_owned())).collect(),
            result: Some(json!({
                "name": self.name,
                "material": material.to_json(),
                "shared_by": ids.len(),
                "ids": several(&ids),
            })),
            edits: vec![Edit::Put(Objects {
                shapes: sharers.iter().map(shared).collect(),
                ..Objects::default()
            })],
        })
    }
}

impl ShareMaterial {
    fn new_sharers<'a>(&self, space: &Space<'a>) -> Result<Vec<&'a Arc<Shape>>, Violations> {
        let Some(ids) = &self.ids else { return Ok(Vec::new()) };
        let units = space.units(ids.as_slice())?;
        let members: BTreeSet<usize> = units.iter().flat_map(|unit| unit.members.clone()).collect();
        let shapes = members.into_iter().filter_map(|at| match space.bodies()[at].object {
            Object::Shape(shape) => Some(shape),
            Object::Light(_) => None,
        });
        let shapes: Vec<&Arc<Shape>> = shapes.collect();
        if shapes.is_empty() {
            return Err(Violations::one(
                "share_material property 'ids' names lights only; they have no material",
            ));
        }
        Ok(shapes)
    }

    fn resulting(&self, current: &Material) -> Result<Material, Violations> {
        let Some(change) = &self.material else { return Ok(current.clone()) };
        let mut errors = ReadErrors::default();
        let place = PropertyPath::of("share_material").property("material");
        let changed = change.apply(current, &place, &mut errors);
        errors.finish(changed)
    }
}

/// The name of the call that adds a shape.
pub(crate) const CREATE_SHAPE: &str = "create_shape";

/// `create_shape` whose material is no preset but may be the name of a shared material.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateSharing {
    shape: Arc<Shape>,
    material_name: Id,
    /// What is wrong with the call if there is no such material.
    unknown: Violations,
}

impl CreateSharing {
    /// Reads arguments that were refused for `unknown`; the same again if the material is not all that is wrong.
    pub(crate) fn parse(args: &Value, unknown: Violations) -> Result<Self, Violations> {
        let name = args.pointer("/properties/material").and_then(Value::as_str).and_then(Id::new);
        let Some(material_name) = name else { return Err(unknown) };
        let mut others = args.clone();
        if let Some(properties) = others["properties"].as_object_mut() {
            properties.remove("material");
        }
        match Edit::parse(CREATE_SHAPE, &others) {
            Ok(Edit::CreateShape(shape)) => Ok(Self { shape, material_name, unknown }),
            _ => Err(unknown),
        }
    }
}

impl Planned for CreateSharing {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let Some(sharer) = space.scene.sharer_of(self.material_name.as_str()) else {
            let name = self.material_name.as_str();
            if space.scene.shape(name).is_some() {
                return Err(Violations::one(format!(
                    "{}; '{name}' is a shape: share_material {{\"name\": ..., \"ids\": [\"{name}\"]}} first \
                     gives its material a name",
                    self.unknown
                )));
            }
            return Err(match shared_names(space.scene) {
                Some(names) => Violations::one(format!("{}; shared are {names}", self.unknown)),
                None => self.unknown.clone(),
            });
        };
        let shape = Shape {
            material: sharer.material.clone(),
            material_name: sharer.material_name.clone(),
            ..(*self.shape).clone()
        };
        Ok(Plan {
            about: vec![(Kind::Shape, shape.id.as_str().to_owned())],
            edits: vec![Edit::CreateShape(Arc::new(shape))],
            result: None,
        })
    }
}

/// The names of all shared materials; `None` if no material is shared.
fn shared_names(scene: &Scene) -> Option<String> {
    let names = scene.shapes.iter().filter_map(|shape| shape.material_name.as_ref());
    let names: BTreeSet<&str> = names.map(Id::as_str).collect();
    (!names.is_empty()).then(|| names.into_iter().collect::<Vec<_>>().join(", "))
}

//! A shape that has its place in what is being built.

use glam::{DMat3, DVec3};
use scene::{Geometry, Id, Intentional, Material, Motion, Shape};
use serde_json::{Value, json};

use super::CatalogueFault;
use crate::world::{Body, Bounds, Thing};

/// A shape with its name and its paint.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    /// Unique among its siblings.
    pub(super) name: String,
    /// The group it belongs to in a scene.
    pub(super) group: Option<String>,
    pub(super) geometry: Geometry,
    pub(super) material: Material,
    /// Whether it is a floor, a wall or far away: it may reach out of the picture.
    pub(super) backdrop: bool,
    /// Whether it is meant to hang in the air.
    pub(super) floats: bool,
}

impl Piece {
    pub(super) fn bounds(&self) -> Bounds {
        // Only meshes have no bounds, and no file of the catalogue names one.
        self.geometry.bounds().map_or(Bounds::around(DVec3::ZERO, DVec3::ZERO), |bounds| Bounds {
            min: bounds.min.into(),
            max: bounds.max.into(),
        })
    }

    /// Moved, turned, scaled, mirrored.
    pub(super) fn moved(&self, motion: &Motion) -> Result<Self, CatalogueFault> {
        let geometry = self
            .geometry
            .moved(motion)
            .map_err(|fault| CatalogueFault::Motion { name: self.name.clone(), fault })?;
        Ok(Self { geometry, ..self.clone() })
    }

    /// As this model sees it.
    pub(super) fn thing(&self, id: &str, group: Option<&str>) -> Thing {
        Thing {
            id: id.to_owned(),
            origin: None,
            group: group.map(str::to_owned),
            body: Body::Shape { form: (&self.geometry).into(), material: (&self.material).into() },
        }
    }

    /// As the document has it.
    pub(super) fn document(&self, id: &str, group: Option<&str>) -> Result<Value, CatalogueFault> {
        let read = |text: &str| Id::new(text).ok_or_else(|| CatalogueFault::Name(text.to_owned()));
        let shape = Shape {
            id: read(id)?,
            group: group.map(read).transpose()?,
            geometry: self.geometry.clone(),
            material: self.material.clone(),
            intentional: Intentional::default(),
        };
        let mut document = shape.to_json();
        if self.floats {
            document["intentional"] = json!(["floating"]);
        }
        Ok(document)
    }
}

/// The box round all of them.
pub(super) fn bounds_of(pieces: &[Piece]) -> Option<Bounds> {
    pieces.iter().map(Piece::bounds).reduce(Bounds::union)
}

/// All of them moved.
pub(super) fn moved(pieces: &[Piece], motion: &Motion) -> Result<Vec<Piece>, CatalogueFault> {
    pieces.iter().map(|piece| piece.moved(motion)).collect()
}

/// All of them shifted, in metres.
pub(super) fn shifted(pieces: &[Piece], by: DVec3) -> Result<Vec<Piece>, CatalogueFault> {
    moved(pieces, &Motion::shift(by.to_array()))
}

/// The turn that takes +y to `direction`.
pub(super) fn turn_up_to(direction: DVec3) -> Motion {
    let turn = DMat3::from_quat(glam::DQuat::from_rotation_arc(DVec3::Y, direction));
    let rows = turn.transpose().to_cols_array_2d();
    Motion::turn(scene::euler_angles(rows), [0.0; 3])
}

/// A shape of the document by its properties.
pub(super) fn geometry(kind: &str, properties: &Value) -> Result<Geometry, CatalogueFault> {
    Geometry::from_json(kind, properties)
        .map_err(|faults| CatalogueFault::Shape(faults.to_string()))
}

/// A material of the document by its JSON.
pub(super) fn material(value: &Value) -> Result<Material, CatalogueFault> {
    Material::from_json(value).map_err(|faults| CatalogueFault::Paint(faults.to_string()))
}

//! Shapes of an object or a scene while it is being built.

use glam::{DMat3, DVec3};
use scene::{FindingKind, Geometry, Id, Intentional, Material, Motion, Shape};
use serde_json::json;

use super::bounds::Bounds;
use crate::error::CatalogueError;

/// A shape with its name and its material.
#[derive(Debug, Clone)]
pub(crate) struct BuiltShape {
    /// Unique among its siblings.
    pub(crate) name: String,
    /// The group it belongs to in a scene.
    pub(crate) group: Option<String>,
    pub(crate) geometry: Geometry,
    pub(crate) material: Material,
    /// Whether it may be partly out of view: a floor, a wall or something far away.
    pub(crate) backdrop: bool,
    /// Whether it floats intentionally.
    pub(crate) floats: bool,
}

impl BuiltShape {
    pub(crate) fn bounds(&self) -> Bounds {
        // Only meshes have no bounds, and no file of the catalogue has one.
        let origin = Bounds { min: DVec3::ZERO, max: DVec3::ZERO };
        self.geometry.bounds().map_or(origin, Bounds::from)
    }

    /// Moved, turned, scaled, mirrored.
    fn moved(&self, motion: &Motion) -> Result<Self, CatalogueError> {
        let geometry = self
            .geometry
            .moved(motion)
            .map_err(|error| CatalogueError::Motion { name: self.name.clone(), error })?;
        Ok(Self { geometry, ..self.clone() })
    }

    /// Whether it is a part of this name, a copy of one, or a part of one.
    pub(crate) fn is_part(&self, name: &str) -> bool {
        self.name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    }

    /// Whether it emits light.
    pub(crate) fn shines(&self) -> bool {
        matches!(self.material.main_part(), Material::Emissive(_))
    }

    /// Leaves a matte surface in the colour of its light.
    pub(crate) fn turn_off(&mut self) {
        self.material = turned_off(self.material.clone());
    }

    /// The shape of the document.
    pub(crate) fn shape(&self, id: &str, group: Option<&str>) -> Result<Shape, CatalogueError> {
        let read = |text: &str| Id::new(text).ok_or_else(|| CatalogueError::Name(text.to_owned()));
        let floating = self.floats.then_some(FindingKind::Floating);
        Ok(Shape {
            id: read(id)?,
            group: group.map(read).transpose()?,
            geometry: self.geometry.clone(),
            material: self.material.clone(),
            intentional: Intentional::from_iter(floating),
            material_name: None,
        })
    }
}

/// A material without its light: what shines is a matte surface in the colour of its light.
pub(crate) fn turned_off(material: Material) -> Material {
    let Material::Emissive(emissive) = material.main_part() else { return material };
    let emission = DVec3::from(emissive.emission.typical().get());
    let colour = emission / emission.max_element().max(1e-9) * 0.7;
    let matte = json!({ "type": "lambertian", "albedo": colour.to_array() });
    Material::from_json(&matte).unwrap_or(material)
}

/// The bounds of all of them.
pub(crate) fn bounds_of(shapes: &[BuiltShape]) -> Option<Bounds> {
    shapes.iter().map(BuiltShape::bounds).reduce(Bounds::union)
}

/// All of them moved.
pub(crate) fn moved(
    shapes: &[BuiltShape],
    motion: &Motion,
) -> Result<Vec<BuiltShape>, CatalogueError> {
    shapes.iter().map(|shape| shape.moved(motion)).collect()
}

/// All of them shifted, in metres.
pub(crate) fn shifted(shapes: &[BuiltShape], by: DVec3) -> Result<Vec<BuiltShape>, CatalogueError> {
    moved(shapes, &Motion::shift(by.to_array()))
}

/// The rotation that takes +y to `direction`.
pub(crate) fn turn_up_to(direction: DVec3) -> Motion {
    let turn = DMat3::from_quat(glam::DQuat::from_rotation_arc(DVec3::Y, direction));
    let rows = turn.transpose().to_cols_array_2d();
    Motion::turn(scene::euler_angles(rows), [0.0; 3])
}

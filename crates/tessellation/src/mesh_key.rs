//! Keys of meshes that shapes are tessellated to.

use std::borrow::Cow;

use scene::{BaseShape, Geometry};

use crate::Placement;
use crate::measures::{measured, placement};

/// The key of the mesh that a shape is rendered as, and the placement of the shape: shapes with equal
/// names share one mesh, within a scene and from edit to edit.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshKey {
    /// All that the mesh depends on. No asset can have this name.
    pub name: String,
    /// From the space of the mesh to the world.
    pub placement: Placement,
}

/// The first character of each name, which the names of assets cannot contain.
const MARK: char = '\u{1}';

impl MeshKey {
    /// The key of a shape that is intersected as triangles. `None` for shapes with an analytic intersection,
    /// and for meshes.
    pub fn of(geometry: &Geometry) -> Option<Self> {
        let base = geometry.base();
        let placement = placement(geometry)?;
        let is_listed = matches!(
            base,
            BaseShape::Tube(_)
                | BaseShape::Lathe(_)
                | BaseShape::Extrusion(_)
                | BaseShape::Text(_)
                | BaseShape::HeightField(_)
                | BaseShape::Polyhedron(_)
        );
        if !is_listed {
            let has_faces = geometry.sides().is_some() || geometry.bevel().is_some();
            let (name, size) = measured(geometry).filter(|_| has_faces)?;
            return Some(Self { name: format!("{MARK}{name} {}", size as f32), placement });
        }
        // A shape that is described by an extrusion has the key of the extrusion.
        let described = match &base {
            BaseShape::Extrusion(Cow::Owned(shape)) => Some(Geometry::Extrusion(shape.clone())),
            _ => None,
        };
        let described = described.as_ref().unwrap_or(geometry);
        let mut properties = described.properties_json();
        for place in ["center", "base_center", "rotation"] {
            properties.shift_remove(place);
        }
        if let BaseShape::Tube(shape) = &base {
            let [x, y, z] = shape.points.get()[0];
            // Relative to the first point in single precision, so that a moved tube has the same key.
            let own =
                |point: &[f64; 3]| [point[0] - x, point[1] - y, point[2] - z].map(|x| x as f32);
            let points: Vec<[f32; 3]> = shape.points.get().iter().map(own).collect();
            properties.insert("points".into(), serde_json::json!(points));
        }
        let kind = described.type_name();
        let name = format!("{MARK}{kind} {}", serde_json::Value::Object(properties));
        Some(Self { name, placement })
    }

    /// Whether a name belongs to a key rather than to an asset.
    pub fn is_name(name: &str) -> bool {
        name.starts_with(MARK)
    }
}

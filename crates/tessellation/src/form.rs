//! What names the triangles of a shape wherever it stands.

use std::borrow::Cow;

use scene::{BaseShape, Geometry};

use crate::Placement;

/// The form of a shape that rays meet as triangles, apart from where it stands: shapes of one name
/// share their triangles, in pictures and from edit to edit.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// Everything the triangles depend on; no asset can be called so.
    pub name: String,
    /// Where the shape stands.
    pub placement: Placement,
}

/// Names of forms begin with a character that those of assets may not hold.
const MARK: char = '\u{1}';

impl Form {
    /// The form of a tube, lathe, extrusion, text or height field; `None` for what rays meet
    /// exactly, and for meshes.
    pub fn of(geometry: &Geometry) -> Option<Self> {
        let base = geometry.base();
        let placement = match &base {
            BaseShape::Tube(shape) => Placement::at(shape.points.get()[0]),
            BaseShape::Lathe(shape) => {
                Placement::turned(shape.base_center.get(), shape.rotation.get())
            }
            BaseShape::Extrusion(shape) => {
                Placement::turned(shape.center.get(), shape.rotation.get())
            }
            BaseShape::Text(shape) => {
                Placement::turned(shape.base_center.get(), shape.rotation.get())
            }
            BaseShape::HeightField(shape) => {
                Placement::turned(shape.center.get(), shape.rotation.get())
            }
            _ => return None,
        };
        // A kind that is described by another has its form.
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
            // In the precision of the triangles, so that a moved tube is the same tube.
            let own =
                |point: &[f64; 3]| [point[0] - x, point[1] - y, point[2] - z].map(|x| x as f32);
            let points: Vec<[f32; 3]> = shape.points.get().iter().map(own).collect();
            properties.insert("points".into(), serde_json::json!(points));
        }
        let kind = described.type_name();
        let name = format!("{MARK}{kind} {}", serde_json::Value::Object(properties));
        Some(Self { name, placement })
    }

    /// Whether a name is that of a form rather than of an asset.
    pub fn is_name(name: &str) -> bool {
        name.starts_with(MARK)
    }
}

//! Keys of shapes whose tessellations differ by a placement and a uniform scale only.

use scene::Geometry;

use crate::measures::{measured, placement};
use crate::{MeshKey, Placement};

/// The key by which shapes are instances of one mesh: the mesh of one shape, scaled by the ratio of their
/// sizes and placed, is that of any other with the same name.
#[derive(Debug, Clone, PartialEq)]
pub struct InstanceKey {
    /// Equal for instances of one mesh.
    pub name: String,
    /// From the space of the mesh to the world.
    pub placement: Placement,
    /// A length of the shape in metres, above 0, whose ratio is the scale between instances.
    pub size: f64,
}

impl InstanceKey {
    /// `None` for a mesh, whose asset is the key.
    pub fn of(geometry: &Geometry) -> Option<Self> {
        if let Some((name, size)) = measured(geometry) {
            return Some(Self { name, placement: placement(geometry)?, size });
        }
        let MeshKey { name, placement } = MeshKey::of(geometry)?;
        Some(Self { name, placement, size: 1.0 })
    }
}

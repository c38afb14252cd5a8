//! Evaluation of a shape's textures at points of its surface, for exports.

use glam::{Mat3A, Vec3A};
use scene::{Shape, Textured, Variable};

use super::{Chart, NormalMap, Relief, Spot, Value};
use crate::mesh::Meshes;
use crate::primitive::Primitive;
use crate::ray::SurfacePoint;

/// A point on or near a surface, in world space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceSpot {
    /// In metres.
    pub point: [f32; 3],
    /// Unit geometric normal.
    pub normal: [f32; 3],
    /// The unit shading normal.
    pub shading: [f32; 3],
    /// The triangle of a mesh that contains the point; unused for other shapes.
    pub triangle: u32,
}

/// A material property that can be evaluated at points of a surface.
#[derive(Debug, Clone)]
pub struct TextureValue(Value);

impl TextureValue {
    /// `meshes` has the images; a missing one counts as black.
    pub fn new<T: Variable>(value: &Textured<T>, meshes: &Meshes) -> Self {
        Self(Value::new(value, meshes))
    }
}

/// The texture coordinates, the bump map and the normal map of one shape.
#[derive(Debug, Clone)]
pub struct ShapeTextures {
    chart: Chart,
    relief: Option<Relief>,
    normal_map: Option<NormalMap>,
}

impl ShapeTextures {
    /// The textures of a shape whose mesh and images are in `meshes`; see [`Meshes::with_forms`].
    /// `None` if the mesh is missing.
    pub fn new(shape: &Shape, meshes: &Meshes) -> Option<Self> {
        let primitive = Primitive::new(&shape.geometry, meshes)?;
        let bounds = primitive.bounds(&shape.geometry, meshes)?;
        let extent = bounds.size().into_iter().fold(0.0, f64::max) as f32;
        let map = shape.material.normal_map();
        Some(Self {
            chart: Chart::new(&shape.geometry, bounds, meshes),
            relief: Relief::new(&shape.material, extent, meshes),
            normal_map: map.and_then(|map| NormalMap::new(map, extent, meshes)),
        })
    }

    /// The channels of a value; a number is the same in all.
    pub fn value(&self, value: &TextureValue, at: &SurfaceSpot) -> [f32; 3] {
        value.0.at(&self.spot(at)).to_array()
    }

    /// Whether there is a bump map or a normal map.
    pub fn has_relief(&self) -> bool {
        self.relief.is_some() || self.normal_map.is_some()
    }

    /// The unit shading normal perturbed by the normal map and the bump map, in the basis of
    /// `right`, `up` and the normal of the spot. `right` and `up` are unit vectors about
    /// perpendicular to the normal.
    pub fn bent_normal(&self, at: &SurfaceSpot, right: [f32; 3], up: [f32; 3]) -> [f32; 3] {
        let mut surface = SurfacePoint::new(at.point.into(), at.normal.into(), 0.0);
        surface.shading = at.shading.into();
        if let Some(map) = &self.normal_map {
            surface.shading = map.normal(&self.chart, &surface, at.triangle);
        }
        if let Some(relief) = &self.relief {
            surface.shading = relief.normal(&self.chart, &surface, at.triangle);
        }
        let axes = Mat3A::from_cols(right.into(), up.into(), at.shading.into());
        let parts = axes.inverse() * surface.shading;
        parts.try_normalize().filter(|parts| parts.is_finite()).unwrap_or(Vec3A::Z).to_array()
    }

    /// The UV coordinates of a triangle's corners, all on the same side of a seam, so that some may
    /// be outside 0..1. `normal` is the unit geometric normal.
    pub fn corners(
        &self,
        corners: [[f32; 3]; 3],
        normal: [f32; 3],
        triangle: u32,
    ) -> [[f32; 2]; 3] {
        let (corners, normal) = (corners.map(Vec3A::from_array), Vec3A::from_array(normal));
        self.chart.corners(corners, normal, triangle).map(|uv| uv.to_array())
    }

    fn spot(&self, at: &SurfaceSpot) -> Spot<'_> {
        Spot {
            chart: &self.chart,
            point: at.point.into(),
            normal: at.normal.into(),
            part: at.triangle,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shape(kind: &str, properties: &serde_json::Value) -> Shape {
        let shape = json!({ "id": "a", "type": kind, "properties": properties });
        let scene = scene::Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap();
        (*scene.shapes[0]).clone()
    }

    #[test]
    fn a_triangle_across_the_seam_of_a_ball_is_numbered_in_one_piece() {
        let ball = shape("sphere", &json!({ "center": [0, 0, 0], "radius": 1 }));
        let textures = ShapeTextures::new(&ball, &Meshes::default()).unwrap();
        // The seam of u is behind, at -z.
        let corners = [[0.1, 0.0, -1.0], [-0.1, 0.0, -1.0], [0.0, 0.2, -1.0]];
        let uv = textures.corners(corners, [0.0, 0.0, -1.0], 0);
        for [u, _] in uv {
            assert!(uv.iter().all(|[other, _]| (u - other).abs() < 0.1), "{uv:?}");
        }
        // The pole has the u of the triangle it belongs to.
        let top = [[0.0, 1.0, 0.0], [0.1, 0.9, 0.4], [0.4, 0.9, 0.1]];
        let uv = textures.corners(top, [0.3, 0.9, 0.3], 0);
        assert!((uv[0][0] - 0.625).abs() < 0.01, "{uv:?}");
    }

    #[test]
    fn a_slope_leans_the_normal_against_it() {
        let material = json!({ "type": "lambertian", "albedo": [0.5, 0.5, 0.5],
            "bump": { "type": "gradient", "first": 0, "second": 0.5, "mapping": "object" } });
        let square =
            json!({ "corner": [0, 0, 0], "u": [1, 0, 0], "v": [0, 1, 0], "material": material });
        let textures = ShapeTextures::new(&shape("quad", &square), &Meshes::default()).unwrap();
        assert!(textures.has_relief());
        let (point, normal) = ([0.5, 0.5, 0.0], [0.0, 0.0, 1.0]);
        let at = SurfaceSpot { point, normal, shading: normal, triangle: 0 };
        // It rises by a half over 1 upwards.
        let [x, y, z] = textures.bent_normal(&at, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        assert!(x.abs() < 1e-4 && (y / z + 0.5).abs() < 1e-3, "{x} {y} {z}");
    }
}

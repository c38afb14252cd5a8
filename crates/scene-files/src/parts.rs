//! A scene as triangles with materials, for formats that know nothing else.

use std::collections::HashMap;

use glam::{DMat3, DMat4, DVec3};
use mesh_files::FileFault;
use scene::{Disc, Geometry, Light, Material, Quad, Scene, Sphere};
use tessellation::{tessellate, tolerance_of};
use tracer::MeshData;

use crate::SceneFileFault;
use crate::textures::Paintings;

/// The share of a shape's size that its triangles may lie off it: a sphere gets some ten thousand.
const TOLERANCE: f64 = 4e-4;

/// Gets the triangles of a mesh by the name shapes use for it.
pub type MeshSource<'a> = &'a mut dyn FnMut(&str) -> Result<MeshData, FileFault>;

/// Something that is seen.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) id: String,
    pub(crate) group: Option<String>,
    pub(crate) material: Look,
    /// The place of its triangles in [`Parts::meshes`].
    pub(crate) mesh: usize,
    /// From the space of the mesh to the world.
    pub(crate) matrix: DMat4,
    /// Whether one sees it from behind, too.
    pub(crate) both_sides: bool,
}

/// What is seen of a part.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Look {
    /// A shape's material.
    Material(Box<Material>),
    /// The glow of a light with an area: radiance in W/(sr m^2) per channel.
    Light([f64; 3]),
}

/// All that is seen of a scene.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) parts: Vec<Part>,
    pub(crate) meshes: Vec<MeshData>,
    /// The assets that are in `meshes` already.
    assets: HashMap<String, usize>,
}

impl Parts {
    /// All shapes, then all lights with an area.
    pub(crate) fn of(scene: &Scene, source: MeshSource<'_>) -> Result<Self, SceneFileFault> {
        let mut parts = Self::default();
        for shape in &scene.shapes {
            let (mesh, matrix) = match &shape.geometry {
                Geometry::Mesh(mesh) => {
                    let at = parts.asset(mesh.asset.as_str(), source)?;
                    let linear = DMat3::from_cols_array_2d(&mesh.matrix()).transpose();
                    let shift = DVec3::from_array(mesh.translation.get());
                    (at, DMat4::from_mat3_translation(linear, shift))
                }
                geometry => parts.tessellated(geometry, shape.id.as_str())?,
            };
            parts.parts.push(Part {
                id: shape.id.as_str().to_owned(),
                group: shape.group.as_ref().map(|group| group.as_str().to_owned()),
                material: Look::Material(Box::new(shape.material.clone())),
                both_sides: !is_closed(&shape.geometry),
                mesh,
                matrix,
            });
        }
        for source in &scene.lights {
            let Some((geometry, radiance)) = glowing(&source.light) else { continue };
            let (mesh, matrix) = parts.tessellated(&geometry, source.id.as_str())?;
            parts.parts.push(Part {
                id: source.id.as_str().to_owned(),
                group: source.group.as_ref().map(|group| group.as_str().to_owned()),
                material: Look::Light(radiance),
                both_sides: false,
                mesh,
                matrix,
            });
        }
        Ok(parts)
    }

    /// Gives the parts that were painted the triangles their images lie on.
    pub(crate) fn lay_out(&mut self, paintings: &mut Paintings) {
        for (at, painting) in &mut paintings.of_parts {
            if let Some(mesh) = painting.mesh.take() {
                self.parts[*at].mesh = self.meshes.len();
                self.meshes.push(mesh);
            }
        }
    }

    fn asset(&mut self, name: &str, source: MeshSource<'_>) -> Result<usize, SceneFileFault> {
        if let Some(known) = self.assets.get(name) {
            return Ok(*known);
        }
        let data = source(name)
            .map_err(|fault| SceneFileFault::Unsupported(format!("mesh '{name}': {fault}")))?;
        self.meshes.push(data);
        self.assets.insert(name.to_owned(), self.meshes.len() - 1);
        Ok(self.meshes.len() - 1)
    }

    fn tessellated(
        &mut self,
        geometry: &Geometry,
        id: &str,
    ) -> Result<(usize, DMat4), SceneFileFault> {
        let tolerance = tolerance_of(geometry, TOLERANCE).unwrap_or(TOLERANCE);
        let made = tessellate(geometry, tolerance);
        let made = made.ok_or_else(|| {
            SceneFileFault::Unsupported(format!("shape '{id}' cannot be turned into triangles"))
        })?;
        let rows = made.placement.rotation;
        let turn = DMat3::from_cols_array_2d(&rows).transpose();
        let shift = DVec3::from_array(made.placement.translation);
        let matrix = DMat4::from_mat3_translation(turn, shift);
        self.meshes.push(MeshData {
            positions: made.triangles.positions,
            triangles: made.triangles.triangles,
            normals: made.triangles.normals,
            uv: Vec::new(),
        });
        Ok((self.meshes.len() - 1, matrix))
    }
}

/// The surface of a light that has one, and its radiance.
pub(crate) fn glowing(light: &Light) -> Option<(Geometry, [f64; 3])> {
    match light {
        Light::PointSpotLight(_) | Light::DirectionalLight(_) => None,
        Light::AreaQuadLight(light) => {
            let quad = Quad { corner: light.corner, u: light.u, v: light.v };
            Some((Geometry::Quad(quad), light.emission.get()))
        }
        Light::DiscSpotLight(light) => {
            let disc = Disc { center: light.center, normal: light.normal, radius: light.radius };
            Some((Geometry::Disc(disc), light.emission.get()))
        }
        Light::AreaSphereLight(light) => {
            let sphere = Sphere { center: light.center, radius: light.radius };
            Some((Geometry::Sphere(sphere), light.emission.get()))
        }
        Light::AreaDiscSpotLight(light) => {
            let disc = Disc { center: light.center, normal: light.normal, radius: light.radius };
            Some((Geometry::Disc(disc), light.emission.get()))
        }
    }
}

/// Whether nobody gets to see the inside.
fn is_closed(geometry: &Geometry) -> bool {
    match geometry {
        Geometry::Sphere(_)
        | Geometry::Ellipsoid(_)
        | Geometry::Box(_)
        | Geometry::RoundedBox(_)
        | Geometry::Capsule(_)
        | Geometry::Torus(_) => true,
        Geometry::Cylinder(cylinder) => cylinder.capped,
        Geometry::Cone(cone) => cone.capped,
        _ => false,
    }
}

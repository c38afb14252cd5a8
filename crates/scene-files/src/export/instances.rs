//! The shapes and area lights of a scene as instances of meshes, which every format can hold.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use glam::{DMat3, DMat4, DVec3};
use media::MeshData;
use scene::{Geometry, Material, Scene};
use tessellation::{InstanceKey, Triangles, size_of, tessellate, tolerance_of};

use super::{AssetSize, Sources};
use crate::SceneFileError;

/// Tolerance of the tessellation relative to the size of a shape. A sphere gets about 10,000 triangles.
const TOLERANCE: f64 = 4e-4;

/// A shape or an area light: a mesh with a material and a matrix.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) id: String,
    pub(crate) group: Option<String>,
    pub(crate) surface: Surface,
    /// The index of its geometry in [`Instances`].
    pub(crate) geometry: usize,
    /// From the space of the geometry to the world.
    pub(crate) matrix: DMat4,
    /// Whether the back of the triangles is visible.
    pub(crate) double_sided: bool,
    /// Whether it is an area light that the camera does not see.
    pub(crate) is_hidden: bool,
}

/// The material of a shape, or the emission of an area light.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Surface {
    Material(Box<Material>),
    /// Radiance in W/(sr m^2) per channel.
    Light([f64; 3]),
}

/// Triangles that instances share; each instance has its own position and size.
#[derive(Debug)]
enum SharedGeometry {
    /// The mesh of an asset.
    Asset(String),
    /// The tessellation of this shape, the first of equal ones.
    Shape(Box<Geometry>),
    /// A mesh that was unwrapped for textures.
    Unwrapped,
}

/// All shapes and area lights of a scene. Meshes are made on demand.
#[derive(Debug, Default)]
pub(crate) struct Instances {
    /// All shapes, in the order of the scene, then all area lights.
    pub(crate) list: Vec<Instance>,
    geometries: Vec<SharedGeometry>,
    /// The geometries of several instances.
    shared: HashSet<usize>,
    meshes: HashMap<usize, Rc<MeshData>>,
}

/// The geometries found so far: by asset, and by instancing key with the size of the first shape.
#[derive(Default)]
struct Known {
    assets: HashMap<String, usize>,
    shapes: HashMap<String, (usize, f64)>,
}

impl Instances {
    pub(crate) fn of(scene: &Scene) -> Self {
        let (mut instances, mut known) = (Self::default(), Known::default());
        for shape in &scene.shapes {
            let Some((geometry, matrix)) = instances.geometry(&shape.geometry, &mut known) else {
                continue;
            };
            instances.list.push(Instance {
                id: shape.id.as_str().to_owned(),
                group: shape.group.as_ref().map(|group| group.as_str().to_owned()),
                surface: Surface::Material(Box::new(shape.material.clone())),
                double_sided: !shape.geometry.is_solid(),
                is_hidden: false,
                geometry,
                matrix,
            });
        }
        for source in &scene.lights {
            let Some(surface) = source.light.surface() else { continue };
            let radiance = source.light.emission();
            let Some((geometry, matrix)) = instances.geometry(&surface, &mut known) else {
                continue;
            };
            instances.list.push(Instance {
                id: source.id.as_str().to_owned(),
                group: source.group.as_ref().map(|group| group.as_str().to_owned()),
                surface: Surface::Light(radiance),
                double_sided: false,
                is_hidden: source.light.is_hidden_from_camera(),
                geometry,
                matrix,
            });
        }
        instances
    }

    /// The geometry of a shape and the matrix from its space to the world.
    fn geometry(&mut self, geometry: &Geometry, known: &mut Known) -> Option<(usize, DMat4)> {
        let next = self.geometries.len();
        if let Geometry::Mesh(mesh) = geometry {
            let name = mesh.asset.as_str();
            let at = *known.assets.entry(name.to_owned()).or_insert(next);
            if at == next {
                self.geometries.push(SharedGeometry::Asset(name.to_owned()));
            } else {
                self.shared.insert(at);
            }
            let linear = DMat3::from_cols_array_2d(&mesh.matrix()).transpose();
            let shift = DVec3::from_array(mesh.translation.get());
            return Some((at, DMat4::from_mat3_translation(linear, shift)));
        }
        let InstanceKey { name, placement, size } = InstanceKey::of(geometry)?;
        let (at, first) = *known.shapes.entry(name).or_insert((next, size));
        if at == next {
            self.geometries.push(SharedGeometry::Shape(Box::new(geometry.clone())));
        } else {
            self.shared.insert(at);
        }
        let turn = DMat3::from_cols_array_2d(&placement.rotation).transpose();
        let shift = DVec3::from_array(placement.translation);
        Some((at, DMat4::from_mat3_translation(turn * (size / first), shift)))
    }

    /// The mesh of a geometry. It stays in memory until [`Self::release`].
    pub(crate) fn mesh(
        &mut self,
        geometry: usize,
        sources: &mut Sources<'_>,
    ) -> Result<Rc<MeshData>, SceneFileError> {
        sources.check_cancelled()?;
        if let Some(mesh) = self.meshes.get(&geometry) {
            return Ok(Rc::clone(mesh));
        }
        let data = match &self.geometries[geometry] {
            SharedGeometry::Asset(name) => (sources.meshes)(name)
                .map_err(|error| SceneFileError::Unsupported(format!("mesh '{name}': {error}")))?,
            SharedGeometry::Shape(shape) => {
                let made = tessellate(shape, tolerance(shape));
                let Triangles { positions, triangles, normals } =
                    made.map(|made| made.triangles).unwrap_or_default();
                MeshData { positions, triangles, normals, uv: Vec::new() }
            }
            // Released after it was written, and not asked for again.
            SharedGeometry::Unwrapped => MeshData::default(),
        };
        let data = Rc::new(data);
        self.meshes.insert(geometry, Rc::clone(&data));
        Ok(data)
    }

    /// Frees the mesh of a geometry that was written.
    pub(crate) fn release(&mut self, geometry: usize) {
        self.meshes.remove(&geometry);
    }

    /// Adds a mesh that was unwrapped for textures, and returns the index of its geometry.
    pub(crate) fn add_unwrapped(&mut self, mesh: Rc<MeshData>) -> usize {
        self.geometries.push(SharedGeometry::Unwrapped);
        self.meshes.insert(self.geometries.len() - 1, mesh);
        self.geometries.len() - 1
    }

    /// Whether several instances may have this geometry.
    pub(crate) fn is_shared(&self, geometry: usize) -> bool {
        self.shared.contains(&geometry)
            || matches!(self.geometries[geometry], SharedGeometry::Unwrapped)
    }

    /// The number of vertices and of triangles of each geometry.
    pub(crate) fn sizes(&self, asset: &dyn Fn(&str) -> AssetSize) -> Vec<[u64; 2]> {
        self.geometries
            .iter()
            .map(|geometry| match geometry {
                SharedGeometry::Asset(name) => {
                    let AssetSize { vertices, triangles, .. } = asset(name);
                    [vertices, triangles]
                }
                SharedGeometry::Shape(shape) => {
                    let size = size_of(shape, tolerance(shape)).unwrap_or_default();
                    [size.vertices as u64, size.triangles as u64]
                }
                SharedGeometry::Unwrapped => [0; 2],
            })
            .collect()
    }

    /// The shape that a geometry is tessellated from.
    pub(crate) fn shape_of(&self, geometry: usize) -> Option<&Geometry> {
        match &self.geometries[geometry] {
            SharedGeometry::Shape(shape) => Some(shape),
            _ => None,
        }
    }
}

fn tolerance(geometry: &Geometry) -> f64 {
    tolerance_of(geometry, TOLERANCE).unwrap_or(TOLERANCE)
}

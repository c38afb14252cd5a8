//! Shapes of a PBRT file: spheres, discs and cylinders if nothing distorts them, else meshes.

use std::collections::hash_map::Entry;

use glam::{DMat3, DMat4, DVec3};
use media::MeshData;
use mesh_files::{Format, Limits, read_within};
use scene::Aabb;
use serde_json::{Map, Value, json};

use super::parameters::Parameters;
use super::state::{Emission, GraphicsState};
use crate::SceneFileError;
use crate::import::{FileSource, SceneBuilder};
use crate::mesh_transform::{MeshTransform, centered, in_world, quad_of_mesh, tidy, vector_json};

/// Segments around a quadric that becomes a mesh.
const SIDES: u32 = 64;

/// A shape with its state and its matrix.
pub(super) struct Shape<'a> {
    pub(super) kind: &'a str,
    pub(super) parameters: &'a Parameters,
    pub(super) state: &'a GraphicsState,
    /// From object space to the scene.
    pub(super) matrix: DMat4,
    /// The factor of all emission.
    pub(super) exposure: f64,
}

/// Adds a shape. Its mesh is subtracted from `limits`.
pub(super) fn add(
    shape: &Shape<'_>,
    limits: &mut Limits,
    files: FileSource<'_>,
    builder: &mut SceneBuilder,
) -> Result<(), SceneFileError> {
    let material = shape.material(builder);
    if material.is_null() {
        return Ok(());
    }
    if let Some((type_name, mut properties, bounds)) = shape.exact().or_else(|| shape.ellipsoid()) {
        properties.insert("material".into(), material);
        return builder.shape(shape.kind, None, type_name, properties, bounds);
    }
    let Some(data) = shape.mesh(limits, files, builder)? else { return Ok(()) };
    let data = in_world(data, shape.matrix);
    if let Some(light) = shape.quad_light(&data) {
        return builder.light("light", "area_quad_light", light);
    }
    builder.mesh_in_world(shape.kind, None, data, material)
}

/// A mesh that the instances of an object share.
#[derive(Debug, Clone)]
pub(super) struct ObjectMesh {
    asset: String,
    /// The position of its origin where the object is defined.
    center: DVec3,
    /// Its bounding box in its own space.
    local: Aabb,
}

/// An instance of a shape of an object.
pub(super) struct ObjectInstance<'a> {
    /// From object space to the scene where the object is defined.
    pub(super) definition: DMat4,
    /// From there to the instance.
    pub(super) instance: DMat4,
    /// The mesh, made for the first instance.
    pub(super) mesh: Entry<'a, usize, Option<ObjectMesh>>,
}

/// Adds an instance of a shape; all instances share one mesh.
pub(super) fn add_instance(
    shape: &Shape<'_>,
    instance: ObjectInstance<'_>,
    limits: &mut Limits,
    files: FileSource<'_>,
    builder: &mut SceneBuilder,
) -> Result<(), SceneFileError> {
    let is_exact = shape.exact().or_else(|| shape.ellipsoid()).is_some();
    let ObjectInstance { definition, instance, mesh } = instance;
    // Lights cannot be instances, nor can meshes that the instance mirrors or shears.
    if is_exact || shape.state.emission.is_some() || MeshTransform::of(instance).is_none() {
        return add(shape, limits, files, builder);
    }
    let material = shape.material(builder);
    if material.is_null() {
        return Ok(());
    }
    let mesh = match mesh {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(free) => {
            let data = shape.mesh(limits, files, builder)?;
            let data = data.map(|data| in_world(data, definition));
            free.insert(data.and_then(|data| ObjectMesh::of(shape.kind, data, builder)))
        }
    };
    let Some(ObjectMesh { asset, center, local }) = mesh else { return Ok(()) };
    let Some(transform) = MeshTransform::of(instance * DMat4::from_translation(*center)) else {
        return Ok(());
    };
    builder.mesh_at(shape.kind, None, asset, &transform, *local, material)
}

impl ObjectMesh {
    /// Adds the asset; `None`, with a note, for an invalid mesh.
    fn of(kind: &str, data: MeshData, builder: &mut SceneBuilder) -> Option<Self> {
        let bounds = builder.check_mesh(kind, &data)?;
        let (data, center) = centered(data, bounds);
        let from_center =
            |corner: [f64; 3]| std::array::from_fn(|axis| corner[axis] - center[axis]);
        let local = Aabb { min: from_center(bounds.min), max: from_center(bounds.max) };
        Some(Self { asset: builder.mesh(kind, data), center: DVec3::from_array(center), local })
    }
}

impl Shape<'_> {
    /// Its mesh, which is subtracted from `limits`; flipped by `ReverseOrientation`.
    fn mesh(
        &self,
        limits: &mut Limits,
        files: FileSource<'_>,
        builder: &mut SceneBuilder,
    ) -> Result<Option<MeshData>, SceneFileError> {
        let Some(mut data) = self.triangles(limits, files, builder)? else { return Ok(None) };
        if self.state.reversed {
            data.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
            data.normals.iter_mut().flatten().for_each(|part| *part = -*part);
        }
        limits.check(&data)?;
        *limits = limits.without(&data);
        Ok(Some(data))
    }

    /// Its material, which is emissive for an area light, and null for an invisible shape.
    fn material(&self, builder: &mut SceneBuilder) -> Value {
        let Some(emission) = self.state.emission else { return (*self.state.material).clone() };
        if emission.power.is_some() {
            builder
                .note("the power of a light with a shape is left out: its colour is its radiance");
        }
        let radiance = emission.radiance.map(|part| tidy((part * self.exposure).clamp(0.0, 1e9)));
        json!({ "type": "emissive", "emission": radiance })
    }

    /// The uniform scale of the matrix, if it has one.
    fn factor(&self) -> Option<f64> {
        let axes = DMat3::from_mat4(self.matrix);
        let lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
        let square = axes.x_axis.dot(axes.y_axis).abs() < 1e-5 * lengths[0] * lengths[1]
            && axes.y_axis.dot(axes.z_axis).abs() < 1e-5 * lengths[1] * lengths[2]
            && axes.z_axis.dot(axes.x_axis).abs() < 1e-5 * lengths[2] * lengths[0];
        let even = lengths.iter().all(|length| (length - lengths[0]).abs() <= 1e-5 * lengths[0]);
        (square && even && lengths[0] > 0.0).then_some(lengths[0])
    }

    /// A sphere, disc or cylinder of the scene, if the quadric is complete and scaled uniformly.
    fn exact(&self) -> Option<(&'static str, Map<String, Value>, Aabb)> {
        let factor = self.factor()?;
        let radius = self.parameters.number_or("radius", 1.0).abs();
        if self.parameters.number_or("phimax", 360.0) < 360.0 {
            return None;
        }
        let at = |x: f64, y: f64, z: f64| self.matrix.transform_point3(DVec3::new(x, y, z));
        let ball = |center: DVec3, radius: f64| Aabb {
            min: (center - radius).to_array(),
            max: (center + radius).to_array(),
        };
        let mut properties = Map::new();
        match self.kind {
            "sphere" => {
                let whole = self.is_complete_sphere(radius);
                let center = at(0.0, 0.0, 0.0);
                properties.insert("center".into(), vector_json(center));
                properties.insert("radius".into(), json!(tidy(radius * factor)));
                whole.then(|| ("sphere", properties, ball(center, radius * factor)))
            }
            "disk" => {
                let height = self.parameters.number_or("height", 0.0);
                let whole = self.parameters.number_or("innerradius", 0.0) <= 0.0;
                let center = at(0.0, 0.0, height);
                let normal = at(0.0, 0.0, height + 1.0) - center;
                properties.insert("center".into(), vector_json(center));
                properties.insert("normal".into(), vector_json(normal.normalize_or(DVec3::Y)));
                properties.insert("radius".into(), json!(tidy(radius * factor)));
                whole.then(|| ("disc", properties, ball(center, radius * factor)))
            }
            "cylinder" => {
                let ends = [("zmin", -1.0), ("zmax", 1.0)]
                    .map(|(name, default)| at(0.0, 0.0, self.parameters.number_or(name, default)));
                properties.insert("base_center".into(), vector_json(ends[0]));
                properties.insert("top_center".into(), vector_json(ends[1]));
                properties.insert("radius".into(), json!(tidy(radius * factor)));
                properties.insert("capped".into(), json!(false));
                let [low, high] = ends.map(|end| ball(end, radius * factor));
                (ends[0].distance(ends[1]) > 1e-6)
                    .then(|| ("cylinder", properties, low.union(high)))
            }
            _ => None,
        }
    }

    /// Whether a sphere is complete.
    fn is_complete_sphere(&self, radius: f64) -> bool {
        self.parameters.number_or("zmin", -radius) <= -radius
            && self.parameters.number_or("zmax", radius) >= radius
            && self.parameters.number_or("phimax", 360.0) >= 360.0
    }

    /// An ellipsoid of the scene: a sphere with a non-uniform scale.
    fn ellipsoid(&self) -> Option<(&'static str, Map<String, Value>, Aabb)> {
        let radius = self.parameters.number_or("radius", 1.0).abs();
        if self.kind != "sphere" || !self.is_complete_sphere(radius) {
            return None;
        }
        let mut matrix = self.matrix;
        if matrix.determinant() < 0.0 {
            // A mirrored sphere is the same sphere.
            matrix.x_axis = -matrix.x_axis;
        }
        let transform = MeshTransform::of(matrix)?;
        let radii = transform.scale.map(|factor| tidy(factor * radius));
        let mut properties = Map::new();
        properties.insert("center".into(), json!(transform.translation));
        properties.insert("radii".into(), json!(radii));
        properties.insert("rotation".into(), json!(transform.rotation));
        let local = Aabb { min: [-radius; 3], max: [radius; 3] };
        Some(("ellipsoid", properties, transform.bounds(local)))
    }

    /// Its triangles in object space; `None`, with a note, for an unknown shape.
    fn triangles(
        &self,
        limits: &Limits,
        files: FileSource<'_>,
        builder: &mut SceneBuilder,
    ) -> Result<Option<MeshData>, SceneFileError> {
        match self.kind {
            "trianglemesh" => Ok(Some(MeshData {
                positions: self.parameters.triples("P"),
                triangles: self.corners::<3>("indices", [0, 1, 2]),
                normals: self.parameters.triples("N"),
                uv: self.parameters.pairs("uv"),
            })),
            "bilinearmesh" => {
                // A patch becomes two triangles.
                let patches = self.corners::<4>("indices", [0, 1, 2, 3]);
                let halves = patches.iter().flat_map(|&[a, b, c, d]| [[a, b, d], [a, d, c]]);
                Ok(Some(MeshData {
                    positions: self.parameters.triples("P"),
                    triangles: halves.collect(),
                    normals: self.parameters.triples("N"),
                    uv: self.parameters.pairs("uv"),
                }))
            }
            "loopsubdiv" => {
                builder.note("surfaces of subdivision are left as coarse as they were modelled");
                Ok(Some(MeshData {
                    positions: self.parameters.triples("P"),
                    triangles: self.corners::<3>("indices", [0, 1, 2]),
                    ..MeshData::default()
                }))
            }
            "plymesh" => {
                let name = self.parameters.text("filename").unwrap_or_default();
                if name.to_ascii_lowercase().ends_with(".gz") {
                    let error = format!("'{name}' is packed: unpack it with gunzip and say .ply");
                    return Err(SceneFileError::Unsupported(error));
                }
                let bytes = files(name).map_err(|error| {
                    SceneFileError::Unsupported(format!("mesh '{name}': {error}"))
                })?;
                read_within(&bytes, Format::Ply, limits)
                    .map(Some)
                    .map_err(|error| SceneFileError::Unsupported(format!("mesh '{name}': {error}")))
            }
            "sphere" | "disk" | "cylinder" => Ok(Some(self.quadric())),
            _ => {
                let kind: String = self.kind.chars().take(40).collect();
                builder.note(format!("shape '{kind}' is not known here and left out"));
                Ok(None)
            }
        }
    }

    fn corners<const N: usize>(&self, name: &str, default: [u32; N]) -> Vec<[u32; N]> {
        let Some(list) = self.parameters.list(name) else { return vec![default] };
        let (groups, _) = list.as_chunks::<N>();
        // A negative index becomes an invalid one.
        let index = |number: f64| if number < 0.0 { u32::MAX } else { number as u32 };
        groups.iter().map(|group| group.map(index)).collect()
    }

    /// The mesh of a sphere, disc or cylinder that is partial or distorted.
    fn quadric(&self) -> MeshData {
        let number = |name: &str, default: f64| self.parameters.number_or(name, default);
        let radius = number("radius", 1.0).abs();
        let turn = number("phimax", 360.0).clamp(0.0, 360.0).to_radians();
        // Radius and height on the profile, for a parameter from 0 to 1.
        let profile = |share: f64| -> (f64, f64) {
            match self.kind {
                "sphere" => {
                    let angle = |name: &str, default: f64| {
                        (number(name, default).clamp(-radius, radius) / radius).asin()
                    };
                    let (low, high) = (angle("zmin", -radius), angle("zmax", radius));
                    let angle = low + (high - low) * share;
                    (radius * angle.cos(), radius * angle.sin())
                }
                "disk" => {
                    let inner = number("innerradius", 0.0);
                    (radius + (inner - radius) * share, number("height", 0.0))
                }
                _ => {
                    let (low, high) = (number("zmin", -1.0), number("zmax", 1.0));
                    (radius, low + (high - low) * share)
                }
            }
        };
        let rows = if self.kind == "sphere" { SIDES / 2 } else { 1 };
        let mut mesh = MeshData::default();
        for row in 0..=rows {
            let (radius, z) = profile(f64::from(row) / f64::from(rows));
            for side in 0..=SIDES {
                let (sine, cosine) = (turn * f64::from(side) / f64::from(SIDES)).sin_cos();
                mesh.positions.push([radius * cosine, radius * sine, z].map(|part| part as f32));
            }
        }
        let width = SIDES + 1;
        for row in 0..rows {
            for side in 0..SIDES {
                let at = row * width + side;
                mesh.triangles.push([at, at + 1, at + width + 1]);
                mesh.triangles.push([at, at + width + 1, at + width]);
            }
        }
        mesh
    }

    /// The area light of a parallelogram, which shines to one side as in PBRT.
    fn quad_light(&self, data: &MeshData) -> Option<Map<String, Value>> {
        let Emission { radiance, both_sides: false, power: None } = self.state.emission? else {
            return None;
        };
        let mut properties = quad_of_mesh(data)?;
        let emission = radiance.map(|part| tidy((part * self.exposure).clamp(0.0, 1e9)));
        properties.insert("emission".into(), json!(emission));
        if self.parameters.number("alpha") == Some(0.0) {
            properties.insert("visible_to_camera".into(), json!(false));
        }
        Some(properties)
    }
}

//! Shapes: spheres, discs and cylinders as such where nothing bends them, all else as triangles.

use std::collections::hash_map::Entry;

use glam::{DMat3, DMat4, DVec3};
use media::MeshData;
use mesh_files::{Format, Limits, read_within};
use scene::Aabb;
use serde_json::{Map, Value, json};

use super::parameters::Parameters;
use super::state::{Emission, State};
use crate::draft::Draft;
use crate::placement::{Placement, centred, in_world, tidy};
use crate::{Beside, SceneFileFault};

/// Sides of what is round and does not stay so.
const SIDES: u32 = 64;

/// What one shape needs to be added.
pub(super) struct Shape<'a> {
    pub(super) kind: &'a str,
    pub(super) parameters: &'a Parameters,
    pub(super) state: &'a State,
    /// From its space to our world.
    pub(super) matrix: DMat4,
    /// The factor of the film for all light.
    pub(super) exposure: f64,
}

/// Adds a shape. What is left of `limits` shrinks by what it takes.
pub(super) fn add(
    shape: &Shape<'_>,
    limits: &mut Limits,
    beside: Beside<'_>,
    draft: &mut Draft,
) -> Result<(), SceneFileFault> {
    let material = shape.material(draft);
    if material.is_null() {
        return Ok(());
    }
    if let Some((type_name, mut properties, bounds)) = shape.exact().or_else(|| shape.ellipsoid()) {
        properties.insert("material".into(), material);
        return draft.shape(shape.kind, None, type_name, properties, bounds);
    }
    let Some(data) = shape.taken(limits, beside, draft)? else { return Ok(()) };
    let data = in_world(data, shape.matrix);
    if let Some(lamp) = shape.quad_light(&data) {
        return draft.light("light", "area_quad_light", lamp);
    }
    draft.mesh_in_world(shape.kind, None, data, material)
}

/// A mesh that the instances of an object share.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    asset: String,
    /// Where its origin lies in the object as it was described.
    middle: DVec3,
    /// Around it, in its own space.
    local: Aabb,
}

/// One place where an object is shown.
pub(super) struct Instance<'a> {
    /// From the shape's space to our world, as it was described.
    pub(super) described: DMat4,
    /// From there to where it is shown.
    pub(super) placed: DMat4,
    /// Its mesh, once it was shown.
    pub(super) kept: Entry<'a, usize, Option<Kept>>,
}

/// Adds a shape of an object where that is shown: all instances share one mesh.
pub(super) fn show(
    shape: &Shape<'_>,
    instance: Instance<'_>,
    limits: &mut Limits,
    beside: Beside<'_>,
    draft: &mut Draft,
) -> Result<(), SceneFileFault> {
    let is_exact = shape.exact().or_else(|| shape.ellipsoid()).is_some();
    let Instance { described, placed, kept } = instance;
    // Lights, and what is bent by its place, stand for themselves.
    if is_exact || shape.state.emission.is_some() || Placement::of(placed).is_none() {
        return add(shape, limits, beside, draft);
    }
    let material = shape.material(draft);
    if material.is_null() {
        return Ok(());
    }
    let kept = match kept {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(free) => {
            let data = shape.taken(limits, beside, draft)?;
            let data = data.map(|data| in_world(data, described));
            free.insert(data.and_then(|data| Kept::of(shape.kind, data, draft)))
        }
    };
    let Some(Kept { asset, middle, local }) = kept else { return Ok(()) };
    let Some(placement) = Placement::of(placed * DMat4::from_translation(*middle)) else {
        return Ok(());
    };
    draft.mesh_at(shape.kind, None, asset, &placement, *local, material)
}

impl Kept {
    /// `None`, with a note, for what cannot be shown.
    fn of(kind: &str, data: MeshData, draft: &mut Draft) -> Option<Self> {
        let bounds = draft.sound(kind, &data)?;
        let (data, middle) = centred(data, bounds);
        let from_middle =
            |corner: [f64; 3]| std::array::from_fn(|axis| corner[axis] - middle[axis]);
        let local = Aabb { min: from_middle(bounds.min), max: from_middle(bounds.max) };
        Some(Self { asset: draft.mesh(kind, data), middle: DVec3::from_array(middle), local })
    }
}

impl Shape<'_> {
    /// Its triangles, which count against `limits`; turned inside out where it is said.
    fn taken(
        &self,
        limits: &mut Limits,
        beside: Beside<'_>,
        draft: &mut Draft,
    ) -> Result<Option<MeshData>, SceneFileFault> {
        let Some(mut data) = self.triangles(limits, beside, draft)? else { return Ok(None) };
        if self.state.reversed {
            data.triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
            data.normals.iter_mut().flatten().for_each(|part| *part = -*part);
        }
        limits.check(&data)?;
        *limits = limits.without(&data);
        Ok(Some(data))
    }

    /// Its own material, or, where it is a light, what it sends out; null for what is not seen.
    fn material(&self, draft: &mut Draft) -> Value {
        let Some(emission) = self.state.emission else { return (*self.state.material).clone() };
        if emission.power.is_some() {
            draft.note("the power of a light with a shape is left out: its colour is its radiance");
        }
        let radiance = emission.radiance.map(|part| tidy((part * self.exposure).clamp(0.0, 1e9)));
        json!({ "type": "emissive", "emission": radiance })
    }

    /// The factor of all lengths, where the matrix has one.
    fn factor(&self) -> Option<f64> {
        let axes = DMat3::from_mat4(self.matrix);
        let lengths = [axes.x_axis, axes.y_axis, axes.z_axis].map(DVec3::length);
        let square = axes.x_axis.dot(axes.y_axis).abs() < 1e-5 * lengths[0] * lengths[1]
            && axes.y_axis.dot(axes.z_axis).abs() < 1e-5 * lengths[1] * lengths[2]
            && axes.z_axis.dot(axes.x_axis).abs() < 1e-5 * lengths[2] * lengths[0];
        let even = lengths.iter().all(|length| (length - lengths[0]).abs() <= 1e-5 * lengths[0]);
        (square && even && lengths[0] > 0.0).then_some(lengths[0])
    }

    /// The shape as scene files have it, where it is whole and stays round.
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
        let point = |vector: DVec3| json!(vector.to_array().map(tidy));
        let mut properties = Map::new();
        match self.kind {
            "sphere" => {
                let whole = self.is_whole_ball(radius);
                let center = at(0.0, 0.0, 0.0);
                properties.insert("center".into(), point(center));
                properties.insert("radius".into(), json!(tidy(radius * factor)));
                whole.then(|| ("sphere", properties, ball(center, radius * factor)))
            }
            "disk" => {
                let height = self.parameters.number_or("height", 0.0);
                let whole = self.parameters.number_or("innerradius", 0.0) <= 0.0;
                let center = at(0.0, 0.0, height);
                let normal = at(0.0, 0.0, height + 1.0) - center;
                properties.insert("center".into(), point(center));
                properties.insert("normal".into(), point(normal.normalize_or(DVec3::Y)));
                properties.insert("radius".into(), json!(tidy(radius * factor)));
                whole.then(|| ("disc", properties, ball(center, radius * factor)))
            }
            "cylinder" => {
                let ends = [("zmin", -1.0), ("zmax", 1.0)]
                    .map(|(name, default)| at(0.0, 0.0, self.parameters.number_or(name, default)));
                properties.insert("base_center".into(), point(ends[0]));
                properties.insert("top_center".into(), point(ends[1]));
                properties.insert("radius".into(), json!(tidy(radius * factor)));
                properties.insert("capped".into(), json!(false));
                let [low, high] = ends.map(|end| ball(end, radius * factor));
                (ends[0].distance(ends[1]) > 1e-6)
                    .then(|| ("cylinder", properties, low.union(high)))
            }
            _ => None,
        }
    }

    /// Whether a sphere is nowhere cut.
    fn is_whole_ball(&self, radius: f64) -> bool {
        self.parameters.number_or("zmin", -radius) <= -radius
            && self.parameters.number_or("zmax", radius) >= radius
            && self.parameters.number_or("phimax", 360.0) >= 360.0
    }

    /// A sphere that is stretched along axes at right angles.
    fn ellipsoid(&self) -> Option<(&'static str, Map<String, Value>, Aabb)> {
        let radius = self.parameters.number_or("radius", 1.0).abs();
        if self.kind != "sphere" || !self.is_whole_ball(radius) {
            return None;
        }
        let mut matrix = self.matrix;
        if matrix.determinant() < 0.0 {
            // It looks the same in its own mirror.
            matrix.x_axis = -matrix.x_axis;
        }
        let placement = Placement::of(matrix)?;
        let radii = placement.scale.map(|factor| tidy(factor * radius));
        let mut properties = Map::new();
        properties.insert("center".into(), json!(placement.translation));
        properties.insert("radii".into(), json!(radii));
        properties.insert("rotation".into(), json!(placement.rotation));
        let local = Aabb { min: [-radius; 3], max: [radius; 3] };
        Some(("ellipsoid", properties, placement.bounds(local)))
    }

    /// The shape as triangles in its own space; `None`, with a note, where there are none.
    fn triangles(
        &self,
        limits: &Limits,
        beside: Beside<'_>,
        draft: &mut Draft,
    ) -> Result<Option<MeshData>, SceneFileFault> {
        match self.kind {
            "trianglemesh" => Ok(Some(MeshData {
                positions: self.parameters.triples("P"),
                triangles: self.corners::<3>("indices", [0, 1, 2]),
                normals: self.parameters.triples("N"),
                uv: self.parameters.pairs("uv"),
            })),
            "bilinearmesh" => {
                // Patches are drawn as the two triangles between their corners.
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
                draft.note("surfaces of subdivision are left as coarse as they were modelled");
                Ok(Some(MeshData {
                    positions: self.parameters.triples("P"),
                    triangles: self.corners::<3>("indices", [0, 1, 2]),
                    ..MeshData::default()
                }))
            }
            "plymesh" => {
                let name = self.parameters.text("filename").unwrap_or_default();
                if name.to_ascii_lowercase().ends_with(".gz") {
                    let fault = format!("'{name}' is packed: unpack it with gunzip and say .ply");
                    return Err(SceneFileFault::Unsupported(fault));
                }
                let bytes = beside(name).map_err(|fault| {
                    SceneFileFault::Unsupported(format!("mesh '{name}': {fault}"))
                })?;
                read_within(&bytes, Format::Ply, limits)
                    .map(Some)
                    .map_err(|fault| SceneFileFault::Unsupported(format!("mesh '{name}': {fault}")))
            }
            "sphere" | "disk" | "cylinder" => Ok(Some(self.round())),
            _ => {
                let kind: String = self.kind.chars().take(40).collect();
                draft.note(format!("shape '{kind}' is not known here and left out"));
                Ok(None)
            }
        }
    }

    fn corners<const N: usize>(&self, name: &str, default: [u32; N]) -> Vec<[u32; N]> {
        let Some(list) = self.parameters.list(name) else { return vec![default] };
        let (groups, _) = list.as_chunks::<N>();
        // A negative index becomes one that is refused.
        let index = |number: f64| if number < 0.0 { u32::MAX } else { number as u32 };
        groups.iter().map(|group| group.map(index)).collect()
    }

    /// A sphere, disc or cylinder that is cut or bent.
    fn round(&self) -> MeshData {
        let number = |name: &str, default: f64| self.parameters.number_or(name, default);
        let radius = number("radius", 1.0).abs();
        let turn = number("phimax", 360.0).clamp(0.0, 360.0).to_radians();
        // Around the axis at a share of the turn, and along the profile from 0 to 1.
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

    /// A glowing parallelogram as a light of its own: it shines to one side only, as in PBRT.
    fn quad_light(&self, data: &MeshData) -> Option<Map<String, Value>> {
        let Emission { radiance, both_sides: false, power: None } = self.state.emission? else {
            return None;
        };
        let mut properties = crate::placement::parallelogram(data)?;
        let emission = radiance.map(|part| tidy((part * self.exposure).clamp(0.0, 1e9)));
        properties.insert("emission".into(), json!(emission));
        Some(properties)
    }
}

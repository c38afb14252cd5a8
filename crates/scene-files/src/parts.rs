//! A scene as triangles with materials, for formats that know nothing else.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use glam::{DMat3, DMat4, DVec3};
use media::MeshData;
use scene::{Geometry, Material, Scene};
use tessellation::{Likeness, size_of, tessellate, tolerance_of};

use crate::bounds::AssetSize;
use crate::{SceneFileFault, Sources};

/// The share of a shape's size that its triangles may lie off it: a sphere gets some ten thousand.
const TOLERANCE: f64 = 4e-4;

/// Something that is seen.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) id: String,
    pub(crate) group: Option<String>,
    pub(crate) material: Look,
    /// The place of its form in [`Parts`].
    pub(crate) form: usize,
    /// From the space of the form to the world.
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

/// What parts of equal form share: the same triangles, at other places and in other sizes.
#[derive(Debug)]
enum Form {
    Asset(String),
    /// The first shape of this form.
    Shape(Box<Geometry>),
    /// Triangles that were laid out for images.
    LaidOut,
}

/// All that is seen of a scene. Triangles are made when they are asked for.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    /// All shapes, in the order of the scene, then all lights with an area.
    pub(crate) parts: Vec<Part>,
    forms: Vec<Form>,
    /// Those that several parts have.
    shared: HashSet<usize>,
    made: HashMap<usize, Rc<MeshData>>,
}

/// The forms found so far: by asset, and by likeness with the size of the first.
#[derive(Default)]
struct Known {
    assets: HashMap<String, usize>,
    shapes: HashMap<String, (usize, f64)>,
}

impl Parts {
    /// What there is, without any triangles.
    pub(crate) fn of(scene: &Scene) -> Self {
        let (mut parts, mut known) = (Self::default(), Known::default());
        for shape in &scene.shapes {
            let Some((form, matrix)) = parts.form(&shape.geometry, &mut known) else { continue };
            parts.parts.push(Part {
                id: shape.id.as_str().to_owned(),
                group: shape.group.as_ref().map(|group| group.as_str().to_owned()),
                material: Look::Material(Box::new(shape.material.clone())),
                both_sides: !shape.geometry.is_solid(),
                form,
                matrix,
            });
        }
        for source in &scene.lights {
            let Some(geometry) = source.light.surface() else { continue };
            let radiance = source.light.emission();
            let Some((form, matrix)) = parts.form(&geometry, &mut known) else { continue };
            parts.parts.push(Part {
                id: source.id.as_str().to_owned(),
                group: source.group.as_ref().map(|group| group.as_str().to_owned()),
                material: Look::Light(radiance),
                both_sides: false,
                form,
                matrix,
            });
        }
        parts
    }

    /// The form of a shape, and where it stands. `None` is for no geometry there is: a mesh has its
    /// asset, all others their likeness.
    fn form(&mut self, geometry: &Geometry, known: &mut Known) -> Option<(usize, DMat4)> {
        let next = self.forms.len();
        if let Geometry::Mesh(mesh) = geometry {
            let name = mesh.asset.as_str();
            let at = *known.assets.entry(name.to_owned()).or_insert(next);
            if at == next {
                self.forms.push(Form::Asset(name.to_owned()));
            } else {
                self.shared.insert(at);
            }
            let linear = DMat3::from_cols_array_2d(&mesh.matrix()).transpose();
            let shift = DVec3::from_array(mesh.translation.get());
            return Some((at, DMat4::from_mat3_translation(linear, shift)));
        }
        let Likeness { name, placement, size } = Likeness::of(geometry)?;
        let (at, first) = *known.shapes.entry(name).or_insert((next, size));
        if at == next {
            self.forms.push(Form::Shape(Box::new(geometry.clone())));
        } else {
            self.shared.insert(at);
        }
        let turn = DMat3::from_cols_array_2d(&placement.rotation).transpose();
        let shift = DVec3::from_array(placement.translation);
        Some((at, DMat4::from_mat3_translation(turn * (size / first), shift)))
    }

    /// The triangles of a form, made when they are not there.
    pub(crate) fn mesh(
        &mut self,
        form: usize,
        sources: &mut Sources<'_>,
    ) -> Result<Rc<MeshData>, SceneFileFault> {
        sources.check()?;
        if let Some(made) = self.made.get(&form) {
            return Ok(Rc::clone(made));
        }
        let data = match &self.forms[form] {
            Form::Asset(name) => (sources.meshes)(name)
                .map_err(|fault| SceneFileFault::Unsupported(format!("mesh '{name}': {fault}")))?,
            Form::Shape(geometry) => {
                let made = tessellate(geometry, tolerance(geometry));
                let made = made.map(|made| made.triangles).unwrap_or_default();
                let (positions, triangles, normals) =
                    (made.positions, made.triangles, made.normals);
                MeshData { positions, triangles, normals, uv: Vec::new() }
            }
            // Made when it was added, and let go of once it was written.
            Form::LaidOut => MeshData::default(),
        };
        let data = Rc::new(data);
        self.made.insert(form, Rc::clone(&data));
        Ok(data)
    }

    /// Lets go of the triangles of a form that was written.
    pub(crate) fn let_go(&mut self, form: usize) {
        self.made.remove(&form);
    }

    /// Adds triangles that were laid out for images; the place of their form.
    pub(crate) fn lay_out(&mut self, data: Rc<MeshData>) -> usize {
        self.forms.push(Form::LaidOut);
        self.made.insert(self.forms.len() - 1, data);
        self.forms.len() - 1
    }

    /// Whether several parts may have a form.
    pub(crate) fn is_shared(&self, form: usize) -> bool {
        self.shared.contains(&form) || matches!(self.forms[form], Form::LaidOut)
    }

    /// How many vertices and triangles each form has.
    pub(crate) fn sizes(&self, asset: &dyn Fn(&str) -> AssetSize) -> Vec<[u64; 2]> {
        self.forms
            .iter()
            .map(|form| match form {
                Form::Asset(name) => {
                    let AssetSize { vertices, triangles, .. } = asset(name);
                    [vertices, triangles]
                }
                Form::Shape(geometry) => {
                    let size = size_of(geometry, tolerance(geometry)).unwrap_or_default();
                    [size.vertices as u64, size.triangles as u64]
                }
                Form::LaidOut => [0; 2],
            })
            .collect()
    }

    /// The first shape of a form.
    pub(crate) fn shape_of(&self, form: usize) -> Option<&Geometry> {
        match &self.forms[form] {
            Form::Shape(geometry) => Some(geometry),
            _ => None,
        }
    }
}

fn tolerance(geometry: &Geometry) -> f64 {
    tolerance_of(geometry, TOLERANCE).unwrap_or(TOLERANCE)
}

//! The textures of materials as images that lie on triangles, as other programs have them.
//!
//! An image that lies by u and v is kept as it is ([`direct`]). Any other texture, and any relief, is
//! painted onto images of its own ([`bake`]), on triangles that were laid out flat ([`atlas`]).

mod atlas;
mod bake;
mod canvas;
mod direct;
mod face;
mod painting;
mod transform;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use image_files::Format;
use scene::{Geometry, Material, Scene, Shape};
use serde_json::Value;
use tessellation::Form;
use tracer::{Mesh, Meshes, ShapeTextures};

use self::atlas::Layout;
use crate::bounds::{AssetSize, Bounds, Estimate};
use crate::parts::{Part, Parts};
use crate::{Exported, SceneFileFault, Sources};

use painting::Base;
pub(crate) use painting::{Image, Painting, Picture};
pub(crate) use transform::{Khronos, Transform};

/// The properties whose textures other programs know.
const KEPT: [&str; 11] = [
    "albedo",
    "fuzz",
    "base_color",
    "base_weight",
    "base_metalness",
    "specular_roughness",
    "geometry_opacity",
    "emission",
    "emission_color",
    "bump",
    "normal_map",
];

/// The textures of a material, by the properties that have them.
fn textured(material: &Material) -> Vec<String> {
    let properties = material.resolved().to_json();
    let properties = properties.as_object().into_iter().flatten();
    properties.filter(|(_, value)| value.is_object()).map(|(name, _)| name.clone()).collect()
}

/// What a part shows.
#[derive(Debug, Clone)]
pub(crate) struct Painted {
    pub(crate) painting: Rc<Painting>,
    /// Parts of one number show the same.
    pub(crate) number: usize,
    /// The place among the forms of triangles that have u and v for it.
    pub(crate) form: usize,
}

/// How a form is turned and scaled, bit for bit.
type Linear = [u64; 9];

/// What triangles are laid out for: those of one form that are laid out for the same are the same.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum LaidOut {
    /// Images that are painted for it: each point has a place of its own.
    Flat,
    /// Images as they are: by the shape's own u and v.
    OwnUv(Linear),
}

/// Parts of one key are painted alike.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    form: usize,
    linear: Linear,
    /// Where it stands, if its pattern lies in the world.
    place: Option<[u64; 3]>,
    material: String,
}

/// A shape with textures that other programs know.
#[derive(Debug)]
struct Wanted {
    key: Key,
    /// How many images are painted for it; 0 where it shows images as they are.
    painted: u32,
}

/// Paints the parts of a scene, one by one.
pub(crate) struct Painter<'a> {
    scene: &'a Scene,
    /// By the place of the part.
    wanted: HashMap<usize, Wanted>,
    loses_finer: bool,
    /// The edge of painted images, in pixels.
    side: u32,
    /// The images of all parts painted so far.
    pub(crate) images: Vec<Image>,
    /// The places of image files among `images`, by the names materials use.
    files: HashMap<String, usize>,
    /// With the images, meshes and forms that textures look up.
    meshes: Meshes,
    /// By the form.
    layouts: HashMap<usize, Option<Rc<Layout>>>,
    own_uv: HashMap<(usize, Linear), usize>,
    known: HashMap<Key, Option<Painted>>,
    /// Pixels painted so far.
    pixels: u64,
}

impl<'a> Painter<'a> {
    /// Knows what is to be painted; nothing is yet.
    pub(crate) fn of(scene: &'a Scene, parts: &Parts) -> Self {
        let mut loses_finer = false;
        let mut wanted = HashMap::new();
        for (at, (shape, part)) in scene.shapes.iter().zip(&parts.parts).enumerate() {
            let names = textured(&shape.material);
            let is_known = |name: &String| KEPT.contains(&name.as_str());
            loses_finer |= !names.iter().all(is_known);
            if names.iter().any(is_known) {
                wanted.insert(at, Wanted::of(shape, part));
            }
        }
        let painted = wanted.values().filter(|one| one.painted > 0);
        let surfaces = painted.map(|one| &one.key).collect::<HashSet<_>>().len();
        Self {
            scene,
            wanted,
            loses_finer,
            side: bake::side(surfaces),
            images: Vec::new(),
            files: HashMap::new(),
            meshes: Meshes::default(),
            layouts: HashMap::new(),
            own_uv: HashMap::new(),
            known: HashMap::new(),
            pixels: 0,
        }
    }

    /// Notes what cannot be kept of any part.
    pub(crate) fn note_losses(&self, exported: &mut Exported) {
        if self.loses_finer {
            exported.note(
                "textures of a material's finer properties are left out: they have one value there, \
                 the middle of theirs",
            );
        }
    }

    /// The name of an image's file, in a folder beside a file called `name`.
    pub(crate) fn file(&self, image: usize, name: &str) -> String {
        format!("{name}-images/{:03}.{}", image + 1, self.images[image].format.ending())
    }

    /// The names and contents of all images, in a folder beside a file called `name`.
    pub(crate) fn into_files(mut self, name: &str) -> Vec<(String, Vec<u8>)> {
        let names: Vec<_> = (0..self.images.len()).map(|at| self.file(at, name)).collect();
        let contents = std::mem::take(&mut self.images).into_iter().map(|image| image.bytes);
        names.into_iter().zip(contents).collect()
    }

    /// Whether a part shows no images.
    pub(crate) fn is_plain(&self, part: usize) -> bool {
        !self.wanted.contains_key(&part)
    }

    /// What the triangles of a part are laid out for.
    pub(crate) fn layout(&self, at: usize, part: &Part) -> Option<LaidOut> {
        let wanted = self.wanted.get(&at)?;
        Some(if wanted.painted > 0 { LaidOut::Flat } else { LaidOut::OwnUv(linear(part)) })
    }

    /// Adds what painting takes.
    pub(crate) fn count(&self, asset: &dyn Fn(&str) -> AssetSize, found: &mut Estimate) {
        /// Bytes a decoded pixel takes at most, and while it is read.
        const DECODED: u64 = 24;
        let (mut keys, mut forms, mut files) = (HashSet::new(), HashSet::new(), HashMap::new());
        for (at, Wanted { key, painted }) in &self.wanted {
            let pixels = u64::from(self.side) * u64::from(self.side);
            if *painted > 0 && keys.insert(key) {
                found.pixels = found.pixels.saturating_add(u64::from(*painted) * pixels);
                if forms.insert(key.form) {
                    // Which triangle each pixel shows.
                    found.memory = found.memory.saturating_add(8 * pixels);
                }
            }
            for name in self.scene.shapes[*at].material.asset_names() {
                let decoded = files.entry(name.as_str()).or_insert(false);
                *decoded |= *painted > 0;
            }
        }
        for (name, decoded) in files {
            let AssetSize { bytes, pixels, .. } = asset(name);
            let taken = bytes + if decoded { DECODED * pixels } else { 0 };
            found.memory = found.memory.saturating_add(taken);
        }
    }

    /// What a part shows; `None` for what shows no images.
    pub(crate) fn paint(
        &mut self,
        at: usize,
        parts: &mut Parts,
        sources: &mut Sources<'_>,
        bounds: &Bounds,
        exported: &mut Exported,
    ) -> Result<Option<Painted>, SceneFileFault> {
        let Some(wanted) = self.wanted.get(&at) else { return Ok(None) };
        sources.check()?;
        let key = wanted.key.clone();
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let shape = &self.scene.shapes[at];
        self.load_files(shape, sources)?;
        let painting = match self.direct(&shape.material) {
            Some(painting) => self.by_own_uv(at, painting, parts, sources)?,
            None => self.bake(at, parts, sources, bounds, exported)?,
        };
        let number = self.known.len();
        let painted =
            painting.map(|(painting, form)| Painted { painting: painting.into(), number, form });
        self.known.insert(key, painted.clone());
        Ok(painted)
    }

    /// Gets the files of the images that a material names.
    fn load_files(
        &mut self,
        shape: &Shape,
        sources: &mut Sources<'_>,
    ) -> Result<(), SceneFileFault> {
        for name in shape.material.asset_names().into_iter().map(|name| name.as_str()) {
            if self.files.contains_key(name) {
                continue;
            }
            let bytes = (sources.images)(name).map_err(|fault| unusable("image", name, &fault))?;
            let format = Format::of_content(&bytes)
                .ok_or_else(|| unusable("image", name, &"it is of no known kind"))?;
            self.files.insert(name.to_owned(), self.images.len());
            self.images.push(Image { format, bytes });
        }
        Ok(())
    }

    /// A material whose images lie by u and v, as other programs have them.
    fn direct(&self, material: &Material) -> Option<Painting> {
        direct::painting(material, &|name| {
            let at = *self.files.get(name)?;
            matches!(self.images[at].format, Format::Png | Format::Jpeg).then_some(at)
        })
    }

    /// A painting of images as they are, and triangles with the u and v of the shape.
    fn by_own_uv(
        &mut self,
        at: usize,
        painting: Painting,
        parts: &mut Parts,
        sources: &mut Sources<'_>,
    ) -> Result<Option<(Painting, usize)>, SceneFileFault> {
        let (form, matrix) = (parts.parts[at].form, parts.parts[at].matrix);
        let data = parts.mesh(form, sources)?;
        if !data.uv.is_empty() {
            return Ok(Some((painting, form)));
        }
        let key = (form, linear(&parts.parts[at]));
        if let Some(known) = self.own_uv.get(&key) {
            return Ok(Some((painting, *known)));
        }
        let Some(textures) = self.textures(at, parts, sources)? else { return Ok(None) };
        let laid = atlas::with_own_uv(&data, matrix, &textures, sources)?;
        let made = parts.lay_out(Rc::new(laid));
        self.own_uv.insert(key, made);
        Ok(Some((painting, made)))
    }

    fn bake(
        &mut self,
        at: usize,
        parts: &mut Parts,
        sources: &mut Sources<'_>,
        bounds: &Bounds,
        exported: &mut Exported,
    ) -> Result<Option<(Painting, usize)>, SceneFileFault> {
        let shape = &self.scene.shapes[at];
        for name in shape.material.asset_names().into_iter().map(|name| name.as_str()) {
            if self.meshes.image(name).is_none()
                && let Some(file) = self.files.get(name)
            {
                let Image { format, bytes } = &self.images[*file];
                let texels = image_files::read(bytes, *format, &image_files::Limits::default())
                    .map_err(|fault| unusable("image", name, &fault))?;
                self.meshes.insert_image(name.to_owned(), Arc::new(texels.into()));
                sources.check()?;
            }
        }
        let Some(base) = Base::of(&shape.material) else { return Ok(None) };
        let Some(textures) = self.textures(at, parts, sources)? else { return Ok(None) };
        let (form, matrix) = (parts.parts[at].form, parts.parts[at].matrix);
        let Some(layout) = self.layout_of(form, parts, sources)? else {
            exported.note(
                "a surface in too many pieces to be laid out flat has one colour there, the middle of \
                 its texture's",
            );
            return Ok(None);
        };
        let side = self.side;
        exported.note(&format!("patterns and reliefs stand as images of {side} x {side} pixels"));
        let before = self.images.len();
        let painting = bake::painting(
            &base,
            &textures,
            &layout,
            matrix,
            &self.meshes,
            &mut self.images,
            sources,
        )?;
        let painted = (self.images.len() - before) as u64;
        self.pixels += painted * u64::from(side) * u64::from(side);
        let estimate = Estimate { pixels: self.pixels, ..Estimate::default() };
        bounds.check(&estimate, crate::Format::Glb)?;
        Ok(Some((painting, layout.form)))
    }

    /// A form laid out flat; `None` where it falls into too many pieces.
    fn layout_of(
        &mut self,
        form: usize,
        parts: &mut Parts,
        sources: &mut Sources<'_>,
    ) -> Result<Option<Rc<Layout>>, SceneFileFault> {
        if let Some(known) = self.layouts.get(&form) {
            return Ok(known.clone());
        }
        let data = parts.mesh(form, sources)?;
        let atlas = atlas::Atlas::of(&data, self.side, sources)?;
        let layout = atlas.map(|atlas| Layout::of(atlas, parts, sources)).transpose()?.map(Rc::new);
        self.layouts.insert(form, layout.clone());
        Ok(layout)
    }

    /// The coordinates of a shape's textures; `None` for a shape that has no triangles.
    fn textures(
        &mut self,
        at: usize,
        parts: &mut Parts,
        sources: &mut Sources<'_>,
    ) -> Result<Option<ShapeTextures>, SceneFileFault> {
        let shape = &self.scene.shapes[at];
        if let Geometry::Mesh(mesh) = &shape.geometry
            && self.meshes.get(mesh.asset.as_str()).is_none()
        {
            let name = mesh.asset.as_str();
            let data = parts.mesh(parts.parts[at].form, sources)?;
            let made =
                Mesh::new((*data).clone()).map_err(|fault| unusable("mesh", name, &fault))?;
            self.meshes.insert(name.to_owned(), Arc::new(made));
        }
        if let Some(form) = Form::of(&shape.geometry)
            && self.meshes.get(&form.name).is_none()
        {
            let alone = Scene { shapes: vec![Arc::clone(shape)], ..Scene::default() };
            self.meshes = self.meshes.with_forms(&alone);
        }
        Ok(ShapeTextures::new(shape, &self.meshes))
    }
}

impl Wanted {
    fn of(shape: &Shape, part: &Part) -> Self {
        let material = shape.material.resolved().to_json();
        let [x, y, z] = part.matrix.w_axis.truncate().to_array().map(f64::to_bits);
        let place = lies_in_world(&material).then_some([x, y, z]);
        let is_direct = direct::painting(&shape.material, &|_| Some(0)).is_some();
        let painted = if is_direct { 0 } else { bake::images(&shape.material) };
        let (form, linear) = (part.form, linear(part));
        Self { key: Key { form, linear, place, material: material.to_string() }, painted }
    }
}

/// How the form of a part is turned and scaled.
fn linear(part: &Part) -> Linear {
    let columns = part.matrix.to_cols_array();
    std::array::from_fn(|at| columns[at / 3 * 4 + at % 3].to_bits())
}

/// Whether a texture anywhere in a material lies in the world.
fn lies_in_world(material: &Value) -> bool {
    match material {
        Value::Object(object) => object
            .iter()
            .any(|(name, value)| (name == "mapping" && value == "world") || lies_in_world(value)),
        Value::Array(list) => list.iter().any(lies_in_world),
        _ => false,
    }
}

fn unusable(what: &str, name: &str, fault: &dyn std::fmt::Display) -> SceneFileFault {
    SceneFileFault::Unsupported(format!("{what} '{name}': {fault}"))
}

//! The textures of exported materials: images and UV coordinates, as other formats have them.
//!
//! An image that is mapped by UV coordinates is exported as it is ([`direct`]). Any other texture, and any
//! bump, is baked ([`bake`]) onto images of its own over an atlas of the mesh ([`atlas`]).

mod atlas;
mod bake;
mod canvas;
mod direct;
mod face;
mod key;
mod material_textures;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use image_files::Format;
use scene::{Geometry, Material, Scene, Shape};
use tessellation::MeshKey;
use tracer::{Mesh, Meshes, ShapeTextures};

use super::{AssetSize, Bounds, Content, Estimate, Exported, Instance, Instances, Sources};
use crate::SceneFileError;
use atlas::{Atlas, BakeTarget};
use bake::BakedSurface;
use key::{Linear, TextureKey, TexturedShape, exported_textures, linear};
use material_textures::BaseProperties;

pub(crate) use key::Unwrapping;
pub(crate) use material_textures::{ImageFile, MaterialTextures};

/// The textures of an instance.
#[derive(Debug, Clone)]
pub(crate) struct InstanceTextures {
    pub(crate) material: Rc<MaterialTextures>,
    /// Equal textures have equal numbers.
    pub(crate) number: usize,
    /// The geometry with the UV coordinates for the textures.
    pub(crate) geometry: usize,
}

/// Makes the textures of a scene, instance by instance.
pub(crate) struct TextureExporter<'a> {
    scene: &'a Scene,
    /// By the index of the instance.
    shapes: HashMap<usize, TexturedShape>,
    /// Whether there are textures that no other format holds.
    has_losses: bool,
    /// Width and height of baked images, in pixels.
    side: u32,
    /// The images of all textures made so far.
    pub(crate) images: Vec<ImageFile>,
    /// Indices into `images`, by asset.
    image_assets: HashMap<String, usize>,
    /// The images and meshes that the tracer evaluates textures with.
    meshes: Meshes,
    /// By geometry; `None` for one that has no atlas.
    targets: HashMap<usize, Option<Rc<BakeTarget>>>,
    /// Geometries with the UV coordinates of their shapes.
    own_uv: HashMap<(usize, Linear), usize>,
    made: HashMap<TextureKey, Option<InstanceTextures>>,
    /// Pixels baked so far.
    pixels: u64,
}

impl<'a> TextureExporter<'a> {
    /// Finds the shapes with textures. No texture is made yet.
    pub(crate) fn new(scene: &'a Scene, instances: &Instances) -> Self {
        let mut has_losses = false;
        let mut shapes = HashMap::new();
        for (at, (shape, instance)) in scene.shapes.iter().zip(&instances.list).enumerate() {
            let [has_textures, loses_some] = exported_textures(&shape.material);
            has_losses |= loses_some;
            if has_textures {
                shapes.insert(at, TexturedShape::of(shape, instance));
            }
        }
        let baked = shapes.values().filter(|shape| shape.baked_images > 0);
        let surfaces = baked.map(|shape| &shape.key).collect::<HashSet<_>>().len();
        Self {
            scene,
            shapes,
            has_losses,
            side: bake::side(surfaces),
            images: Vec::new(),
            image_assets: HashMap::new(),
            meshes: Meshes::default(),
            targets: HashMap::new(),
            own_uv: HashMap::new(),
            made: HashMap::new(),
            pixels: 0,
        }
    }

    /// Notes textures that no other format holds.
    pub(crate) fn note_losses(&self, exported: &mut Exported) {
        if self.has_losses {
            exported.note(
                "textures of a material's finer properties are left out: they have one value there, \
                 the middle of theirs",
            );
        }
    }

    /// The path of an image, in a folder beside the scene file `name`.
    pub(crate) fn path(&self, image: usize, name: &str) -> String {
        self.images[image].path(image, name)
    }

    /// The paths and contents of all images, in a folder beside the scene file `name`.
    pub(crate) fn into_files(self, name: &str) -> impl Iterator<Item = (String, Content)> {
        let images = self.images.into_iter().enumerate();
        images.map(move |(at, image)| (image.path(at, name), image.bytes.into()))
    }

    /// Whether an instance has textures.
    pub(crate) fn is_textured(&self, instance: usize) -> bool {
        self.shapes.contains_key(&instance)
    }

    /// How the UV coordinates of an instance are made; `None` without textures.
    pub(crate) fn unwrapping(&self, at: usize, instance: &Instance) -> Option<Unwrapping> {
        let shape = self.shapes.get(&at)?;
        let is_baked = shape.baked_images > 0;
        Some(if is_baked { Unwrapping::Atlas } else { Unwrapping::OwnUv(linear(instance)) })
    }

    /// Adds the textures to an estimate.
    pub(crate) fn count(&self, asset: &dyn Fn(&str) -> AssetSize, estimate: &mut Estimate) {
        /// The maximum number of bytes of a pixel while an image is decoded.
        const DECODED: u64 = 24;
        let (mut keys, mut atlases, mut files) = (HashSet::new(), HashSet::new(), HashMap::new());
        for (at, TexturedShape { key, baked_images }) in &self.shapes {
            let pixels = u64::from(self.side) * u64::from(self.side);
            if *baked_images > 0 && keys.insert(key) {
                let baked_pixels = u64::from(*baked_images) * pixels;
                estimate.pixels = estimate.pixels.saturating_add(baked_pixels);
                if atlases.insert(key.geometry) {
                    // The triangle of each texel.
                    estimate.memory = estimate.memory.saturating_add(8 * pixels);
                }
            }
            for name in self.scene.shapes[*at].material.asset_names() {
                let decoded = files.entry(name.as_str()).or_insert(false);
                *decoded |= *baked_images > 0;
            }
        }
        for (name, decoded) in files {
            let AssetSize { bytes, pixels, .. } = asset(name);
            let memory = bytes + if decoded { DECODED * pixels } else { 0 };
            estimate.memory = estimate.memory.saturating_add(memory);
        }
    }

    /// Makes the textures of an instance; `None` for one without textures.
    pub(crate) fn export(
        &mut self,
        at: usize,
        instances: &mut Instances,
        sources: &mut Sources<'_>,
        bounds: &Bounds,
        exported: &mut Exported,
    ) -> Result<Option<InstanceTextures>, SceneFileError> {
        let Some(textured) = self.shapes.get(&at) else { return Ok(None) };
        sources.check_cancelled()?;
        let key = textured.key.clone();
        if let Some(known) = self.made.get(&key) {
            return Ok(known.clone());
        }
        let shape = &self.scene.shapes[at];
        self.load_images(shape, sources)?;
        let textures = match self.direct(&shape.material) {
            Some(textures) => self.with_own_uv(at, textures, instances, sources)?,
            None => self.bake(at, instances, sources, bounds, exported)?,
        };
        let number = self.made.len();
        let textures = textures.map(|(material, geometry)| InstanceTextures {
            material: material.into(),
            number,
            geometry,
        });
        self.made.insert(key, textures.clone());
        Ok(textures)
    }

    /// Reads the image files of a material.
    fn load_images(
        &mut self,
        shape: &Shape,
        sources: &mut Sources<'_>,
    ) -> Result<(), SceneFileError> {
        for name in shape.material.asset_names().into_iter().map(|name| name.as_str()) {
            if self.image_assets.contains_key(name) {
                continue;
            }
            let bytes = (sources.images)(name).map_err(|error| unusable("image", name, &error))?;
            let format = Format::of_content(&bytes)
                .ok_or_else(|| unusable("image", name, &"it is of no known kind"))?;
            self.image_assets.insert(name.to_owned(), self.images.len());
            self.images.push(ImageFile { format, bytes });
        }
        Ok(())
    }

    /// The images of a material as they are, if other formats can hold them so.
    fn direct(&self, material: &Material) -> Option<MaterialTextures> {
        direct::textures(material, &|name| {
            let at = *self.image_assets.get(name)?;
            matches!(self.images[at].format, Format::Png | Format::Jpeg).then_some(at)
        })
    }

    /// Images as they are, with the mesh that has the UV coordinates of the shape.
    fn with_own_uv(
        &mut self,
        at: usize,
        textures: MaterialTextures,
        instances: &mut Instances,
        sources: &mut Sources<'_>,
    ) -> Result<Option<(MaterialTextures, usize)>, SceneFileError> {
        let Instance { geometry, matrix, .. } = instances.list[at];
        let mesh = instances.mesh(geometry, sources)?;
        if !mesh.uv.is_empty() {
            return Ok(Some((textures, geometry)));
        }
        let key = (geometry, linear(&instances.list[at]));
        if let Some(known) = self.own_uv.get(&key) {
            return Ok(Some((textures, *known)));
        }
        let Some(shape) = self.shape_textures(at, instances, sources)? else { return Ok(None) };
        let unwrapped = atlas::with_own_uv(&mesh, matrix, &shape, sources)?;
        let geometry = instances.add_unwrapped(Rc::new(unwrapped));
        self.own_uv.insert(key, geometry);
        Ok(Some((textures, geometry)))
    }

    /// Bakes the textures of a shape, with the mesh of its atlas.
    fn bake(
        &mut self,
        at: usize,
        instances: &mut Instances,
        sources: &mut Sources<'_>,
        bounds: &Bounds,
        exported: &mut Exported,
    ) -> Result<Option<(MaterialTextures, usize)>, SceneFileError> {
        let shape = &self.scene.shapes[at];
        self.decode_images(shape, sources)?;
        let Some(base) = BaseProperties::of(&shape.material) else { return Ok(None) };
        let Some(shape) = self.shape_textures(at, instances, sources)? else { return Ok(None) };
        let Instance { geometry, matrix, .. } = instances.list[at];
        let Some(target) = self.bake_target(geometry, instances, sources)? else {
            exported.note(
                "a surface in too many pieces to be laid out flat has one colour there, the middle of \
                 its texture's",
            );
            return Ok(None);
        };
        let side = self.side;
        exported.note(&format!("patterns and reliefs stand as images of {side} x {side} pixels"));
        let before = self.images.len();
        let surface = BakedSurface { target: &target, matrix, shape: &shape, meshes: &self.meshes };
        let textures = surface.bake(&base, &mut self.images, sources)?;
        let baked_images = (self.images.len() - before) as u64;
        self.pixels += baked_images * u64::from(side) * u64::from(side);
        let estimate = Estimate { pixels: self.pixels, ..Estimate::default() };
        bounds.check(&estimate, crate::Format::Glb)?;
        Ok(Some((textures, target.geometry)))
    }

    /// Decodes the images of a material for the tracer.
    fn decode_images(
        &mut self,
        shape: &Shape,
        sources: &Sources<'_>,
    ) -> Result<(), SceneFileError> {
        for name in shape.material.asset_names().into_iter().map(|name| name.as_str()) {
            if self.meshes.image(name).is_none()
                && let Some(at) = self.image_assets.get(name)
            {
                let ImageFile { format, bytes } = &self.images[*at];
                let image = image_files::read(bytes, *format, &image_files::Limits::default())
                    .map_err(|error| unusable("image", name, &error))?;
                self.meshes.insert_image(name.to_owned(), Arc::new(image.into()));
                sources.check_cancelled()?;
            }
        }
        Ok(())
    }

    /// The atlas of a geometry; `None` if it has too many charts.
    fn bake_target(
        &mut self,
        geometry: usize,
        instances: &mut Instances,
        sources: &mut Sources<'_>,
    ) -> Result<Option<Rc<BakeTarget>>, SceneFileError> {
        if let Some(known) = self.targets.get(&geometry) {
            return Ok(known.clone());
        }
        let mesh = instances.mesh(geometry, sources)?;
        let atlas = Atlas::of(&mesh, self.side, sources)?;
        let target = atlas.map(|atlas| BakeTarget::new(atlas, instances, sources)).transpose()?;
        let target = target.map(Rc::new);
        self.targets.insert(geometry, target.clone());
        Ok(target)
    }

    /// The textures of a shape as the tracer evaluates them; `None` for a shape without triangles.
    fn shape_textures(
        &mut self,
        at: usize,
        instances: &mut Instances,
        sources: &mut Sources<'_>,
    ) -> Result<Option<ShapeTextures>, SceneFileError> {
        let shape = &self.scene.shapes[at];
        if let Geometry::Mesh(mesh) = &shape.geometry
            && self.meshes.get(mesh.asset.as_str()).is_none()
        {
            let name = mesh.asset.as_str();
            let data = instances.mesh(instances.list[at].geometry, sources)?;
            let made =
                Mesh::new((*data).clone()).map_err(|error| unusable("mesh", name, &error))?;
            self.meshes.insert(name.to_owned(), Arc::new(made));
        }
        if let Some(form) = MeshKey::of(&shape.geometry)
            && self.meshes.get(&form.name).is_none()
        {
            let alone = Scene { shapes: vec![Arc::clone(shape)], ..Scene::default() };
            self.meshes = self.meshes.with_forms(&alone);
        }
        Ok(ShapeTextures::new(shape, &self.meshes))
    }
}

fn unusable(kind: &str, name: &str, error: &dyn std::fmt::Display) -> SceneFileError {
    SceneFileError::Unsupported(format!("{kind} '{name}': {error}"))
}

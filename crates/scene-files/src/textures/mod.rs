//! The textures of materials as images that lie on triangles, as other programs have them.
//!
//! An image that lies by u and v is kept as it is ([`direct`]). Any other texture, and any relief, is
//! painted onto images of its own ([`bake`]), on triangles that were laid out flat ([`atlas`]).

mod atlas;
mod bake;
mod direct;
mod transform;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use image_files::Format;
use mesh_files::FileFault;
use scene::{Albedo, Emission, Fraction, Material, Scene, Shape, Textured, Wrap};
use tracer::{Mesh, MeshData, Meshes, ShapeTextures};

use crate::SceneFileFault;
use crate::export::Exported;
use crate::parts::Parts;

pub(crate) use transform::{Khronos, Transform};

/// Gets the bytes of an image file by the name materials use for it.
pub type ImageSource<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, FileFault>;

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

/// An image file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Image {
    pub(crate) format: Format,
    pub(crate) bytes: Vec<u8>,
}

/// An image on a surface.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picture {
    /// The place of the image in [`Paintings::images`].
    pub(crate) image: usize,
    pub(crate) wrap: Wrap,
    pub(crate) transform: Transform,
}

/// What the images of a part show, and what they are multiplied by.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Painting {
    /// Triangles with u and v of their own; `None` where those of the part have them.
    pub(crate) mesh: Option<MeshData>,
    /// Colour, with the opacity as alpha.
    pub(crate) base: Option<Picture>,
    pub(crate) base_factor: [f64; 3],
    pub(crate) has_opacity: bool,
    pub(crate) opacity_factor: f64,
    /// Roughness in green, metalness in blue.
    pub(crate) surface: Option<Picture>,
    pub(crate) roughness_factor: f64,
    pub(crate) metalness_factor: f64,
    /// Radiance.
    pub(crate) emission: Option<Picture>,
    pub(crate) emission_factor: [f64; 3],
    /// Normals, green upwards, and how much of their slopes is kept.
    pub(crate) normals: Option<(Picture, f64)>,
}

impl Painting {
    /// Without images: each factor is the typical value of the base.
    fn even(base: &Base) -> Self {
        let weight = base.weight.typical().get();
        Self {
            mesh: None,
            base: None,
            base_factor: base.color.typical().get().map(|part| part * weight),
            has_opacity: false,
            opacity_factor: base.opacity.typical().get(),
            surface: None,
            roughness_factor: base.roughness.typical().get(),
            metalness_factor: base.metalness.typical().get(),
            emission: None,
            emission_factor: base.emission.typical().get(),
            normals: None,
        }
    }
}

/// The images of all parts of a scene.
#[derive(Debug, Default)]
pub(crate) struct Paintings {
    pub(crate) images: Vec<Image>,
    /// By the place of the part.
    pub(crate) of_parts: BTreeMap<usize, Painting>,
}

/// What a material says of its base, whatever its type.
struct Base {
    color: Textured<Albedo>,
    weight: Textured<Fraction>,
    metalness: Textured<Fraction>,
    roughness: Textured<Fraction>,
    opacity: Textured<Fraction>,
    emission: Textured<Emission>,
}

impl Base {
    /// `None` for what has none.
    fn of(material: &Material) -> Option<Self> {
        let [none, all] = [Fraction::new(0.0)?, Fraction::new(1.0)?].map(Textured::Even);
        let dark = Textured::Even(Emission::new([0.0; 3])?);
        Some(match material.resolved() {
            Material::Lambertian(matte) => Self {
                color: matte.albedo.clone(),
                weight: all.clone(),
                metalness: none.clone(),
                roughness: all.clone(),
                opacity: all.clone(),
                emission: dark.clone(),
            },
            Material::Metal(metal) => Self {
                color: metal.albedo.clone(),
                weight: all.clone(),
                metalness: all.clone(),
                roughness: metal.fuzz.clone(),
                opacity: all.clone(),
                emission: dark.clone(),
            },
            Material::Dielectric(_) => Self {
                color: Textured::Even(Albedo::new([1.0; 3])?),
                weight: all.clone(),
                metalness: none.clone(),
                roughness: none.clone(),
                opacity: all.clone(),
                emission: dark.clone(),
            },
            Material::Principled(made) => Self {
                color: made.base_color.clone(),
                weight: made.base_weight.clone(),
                metalness: made.base_metalness.clone(),
                roughness: made.specular_roughness.clone(),
                opacity: made.geometry_opacity.clone(),
                emission: made.emission(),
            },
            Material::Emissive(glow) => Self {
                color: Textured::Even(Albedo::new([0.0; 3])?),
                weight: all.clone(),
                metalness: none.clone(),
                roughness: all.clone(),
                opacity: all.clone(),
                emission: glow.emission.clone(),
            },
            _ => return None,
        })
    }
}

/// The textures of a material, by the properties that have them.
fn textured(material: &Material) -> Vec<String> {
    let properties = material.resolved().to_json();
    let properties = properties.as_object().into_iter().flatten();
    properties.filter(|(_, value)| value.is_object()).map(|(name, _)| name.clone()).collect()
}

impl Paintings {
    /// Names for the files of all images, in a folder beside a file called `name`.
    pub(crate) fn files(&self, name: &str) -> Vec<String> {
        let file = |(at, image): (usize, &Image)| {
            format!("{name}-images/{:03}.{}", at + 1, image.format.ending())
        };
        self.images.iter().enumerate().map(file).collect()
    }

    /// Of the shapes among `parts`, in their order. What cannot be kept is noted.
    pub(crate) fn of(
        scene: &Scene,
        parts: &Parts,
        images: ImageSource<'_>,
        exported: &mut Exported,
    ) -> Result<Self, SceneFileFault> {
        let varied: Vec<_> = scene.shapes.iter().map(|shape| textured(&shape.material)).collect();
        if varied.iter().flatten().any(|name| !KEPT.contains(&name.as_str())) {
            exported.note(
                "textures of a material's finer properties are left out: they have one value there, \
                 the middle of theirs",
            );
        }
        let shown = |names: &Vec<String>| names.iter().any(|name| KEPT.contains(&name.as_str()));
        let wanted: Vec<usize> = (0..varied.len()).filter(|at| shown(&varied[*at])).collect();
        let mut studio = Studio::new(scene, parts, &wanted, images)?;
        let direct: Vec<_> =
            wanted.iter().map(|at| studio.direct(&scene.shapes[*at].material)).collect();
        let side = bake::side(direct.iter().filter(|found| found.is_none()).count());
        let mut of_parts = BTreeMap::new();
        for (at, direct) in wanted.into_iter().zip(direct) {
            let (shape, part) = (&scene.shapes[at], &parts.parts[at]);
            let Some(textures) = ShapeTextures::new(shape, &studio.meshes) else { continue };
            let data = &parts.meshes[part.mesh];
            let painting = match direct {
                Some(painting) => {
                    let mesh = data
                        .uv
                        .is_empty()
                        .then(|| atlas::with_own_uv(data, part.matrix, &textures));
                    Some(Painting { mesh, ..painting })
                }
                None => studio.bake(shape, &textures, data, part.matrix, side, exported),
            };
            of_parts.extend(painting.map(|painting| (at, painting)));
        }
        Ok(Self { images: studio.images, of_parts })
    }
}

/// What is at hand to paint with.
struct Studio {
    /// With the images and forms that textures look up.
    meshes: Meshes,
    images: Vec<Image>,
    /// The places of image files among `images`, by the names materials use.
    files: HashMap<String, usize>,
}

impl Studio {
    /// For the shapes at the places `wanted`.
    fn new(
        scene: &Scene,
        parts: &Parts,
        wanted: &[usize],
        images_of: ImageSource<'_>,
    ) -> Result<Self, SceneFileFault> {
        let unusable = |what: &str, name: &str, fault: String| {
            SceneFileFault::Unsupported(format!("{what} '{name}': {fault}"))
        };
        let mut meshes = Meshes::default();
        let (mut images, mut files) = (Vec::new(), HashMap::new());
        for (shape, part) in wanted.iter().map(|at| (&scene.shapes[*at], &parts.parts[*at])) {
            if let scene::Geometry::Mesh(mesh) = &shape.geometry
                && meshes.get(mesh.asset.as_str()).is_none()
            {
                let name = mesh.asset.as_str();
                let made = Mesh::new(parts.meshes[part.mesh].clone())
                    .map_err(|fault| unusable("mesh", name, fault.to_string()))?;
                meshes.insert(name.to_owned(), Arc::new(made));
            }
            for name in shape.material.asset_names() {
                let name = name.as_str();
                if files.contains_key(name) {
                    continue;
                }
                let bytes =
                    images_of(name).map_err(|fault| unusable("image", name, fault.to_string()))?;
                let format = Format::of_content(&bytes)
                    .ok_or_else(|| unusable("image", name, "it is of no known kind".into()))?;
                let texels = image_files::read(&bytes, format, &image_files::Limits::default())
                    .map_err(|fault| unusable("image", name, fault.to_string()))?;
                meshes.insert_image(name.to_owned(), Arc::new(texels));
                files.insert(name.to_owned(), images.len());
                images.push(Image { format, bytes });
            }
        }
        Ok(Self { meshes: meshes.with_forms(scene), images, files })
    }

    /// A material whose images lie by u and v, as other programs have them.
    fn direct(&self, material: &Material) -> Option<Painting> {
        direct::painting(material, &|name| {
            let at = *self.files.get(name)?;
            matches!(self.images[at].format, Format::Png | Format::Jpeg).then_some(at)
        })
    }

    fn bake(
        &mut self,
        shape: &Shape,
        textures: &ShapeTextures,
        data: &MeshData,
        matrix: glam::DMat4,
        side: u32,
        exported: &mut Exported,
    ) -> Option<Painting> {
        let base = Base::of(&shape.material)?;
        let Some(atlas) = atlas::Atlas::of(data, matrix, side) else {
            exported.note(
                "a surface in too many pieces to be laid out flat has one colour there, the middle of \
                 its texture's",
            );
            return None;
        };
        exported.note(&format!("patterns and reliefs stand as images of {side} x {side} pixels"));
        Some(bake::painting(&base, textures, atlas, &self.meshes, &mut self.images))
    }
}

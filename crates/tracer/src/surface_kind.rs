//! The kinds of surfaces, by what they do with light.

use scene::{Aabb, Material};

use crate::bounds::Bounds;
use crate::bsdf::{Bsdf, ShadingArena};
use crate::light::{Glow, Light, Shine};
use crate::mesh::Meshes;
use crate::primitive::Primitive;
use crate::ray::SurfacePoint;
use crate::surface_shader::SurfaceShader;
use crate::texture::Chart;

/// What a surface does with light.
#[derive(Debug, Clone)]
pub(crate) enum SurfaceKind {
    /// One BSDF everywhere.
    Surface(Bsdf),
    /// A BSDF that varies over the surface.
    Varied(Box<SurfaceShader>),
    /// The light of this index in the set; it absorbs all light.
    Light(usize),
    /// An emissive surface, which may scatter light as well.
    Glowing(Box<Glowing>),
}

/// A shape that glows.
#[derive(Debug, Clone)]
pub(crate) struct Glowing {
    pub(crate) glow: Glow,
    /// How it scatters what it meets, if it does; with a shader, typically.
    pub(crate) bsdf: Option<Bsdf>,
    /// How it scatters at each point, where that is not the same everywhere.
    pub(crate) shader: Option<SurfaceShader>,
}

impl Glowing {
    /// How it scatters where it was met, if it does.
    pub(crate) fn bsdf_at<'a>(
        &'a self,
        surface: &mut SurfacePoint,
        part: u32,
        arena: &'a ShadingArena,
    ) -> Option<&'a Bsdf> {
        match &self.shader {
            Some(shader) => Some(shader.at(surface, part, arena)),
            None => self.bsdf.as_ref(),
        }
    }
}

impl SurfaceKind {
    /// The kind of a shape; if it is emissive, its area lights are added to `lights`.
    pub(crate) fn of_shape(
        shape: &scene::Shape,
        body: &Primitive,
        aabb: Aabb,
        meshes: &Meshes,
        lights: &mut Vec<Light>,
    ) -> Self {
        let bounds = Bounds::enclosing(aabb);
        let material = shape.material.resolved();
        let shader = || SurfaceShader::new(material, &shape.geometry, aabb, meshes);
        let chart = || Chart::new(&shape.geometry, aabb, meshes);
        match material {
            Material::Emissive(glowing) => {
                let shine = Shine::new(&glowing.emission, body, chart, meshes);
                let glow = Glow::add(lights, body, bounds, &shine);
                Self::Glowing(Box::new(Glowing { glow, bsdf: None, shader: None }))
            }
            Material::Principled(glowing) if glowing.glows() => {
                let shine = Shine::new(&glowing.emission(), body, chart, meshes);
                let glow = Glow::add(lights, body, bounds, &shine);
                let bsdf = Some(Bsdf::new(material));
                Self::Glowing(Box::new(Glowing { glow, bsdf, shader: shader() }))
            }
            material => match shader() {
                Some(shader) => Self::Varied(Box::new(shader)),
                None => Self::Surface(Bsdf::new(material)),
            },
        }
    }

    /// How it typically scatters, if it does.
    pub(crate) fn bsdf(&self) -> Option<&Bsdf> {
        match self {
            Self::Surface(bsdf) => Some(bsdf),
            Self::Varied(shader) => Some(&shader.typical),
            Self::Light(_) => None,
            Self::Glowing(glowing) => glowing.bsdf.as_ref(),
        }
    }
}

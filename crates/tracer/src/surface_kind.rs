//! The kinds of surfaces: scattering, varied, emissive.

use scene::{Aabb, Material};

use crate::bounds::Bounds;
use crate::bsdf::{Bsdf, ShadingArena};
use crate::light::{AreaLight, Light, SurfaceEmission};
use crate::mesh::Meshes;
use crate::primitive::Primitive;
use crate::ray::SurfacePoint;
use crate::surface_shader::SurfaceShader;
use crate::texture::Chart;

/// The kind of a surface.
#[derive(Debug, Clone)]
pub(crate) enum SurfaceKind {
    /// One BSDF everywhere.
    Surface(Bsdf),
    /// A BSDF that varies over the surface.
    Varied(Box<SurfaceShader>),
    /// The light of this index in the set; it absorbs all light.
    Light(usize),
    /// An emissive surface, which may scatter light as well.
    Emissive(Box<EmissiveSurface>),
}

/// An emissive shape.
#[derive(Debug, Clone)]
pub(crate) struct EmissiveSurface {
    pub(crate) area_light: AreaLight,
    /// Its BSDF, if it scatters light; with a shader, the typical one.
    pub(crate) bsdf: Option<Bsdf>,
    /// Its textured shading, if it has any.
    pub(crate) shader: Option<SurfaceShader>,
}

impl EmissiveSurface {
    /// The BSDF at the hit point, if it scatters light.
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
            Material::Emissive(emissive) => {
                let emission = SurfaceEmission::new(&emissive.emission, body, chart, meshes);
                let area_light = AreaLight::add(lights, body, bounds, &emission);
                Self::Emissive(Box::new(EmissiveSurface { area_light, bsdf: None, shader: None }))
            }
            Material::Principled(emissive) if emissive.glows() => {
                let emission = SurfaceEmission::new(&emissive.emission(), body, chart, meshes);
                let area_light = AreaLight::add(lights, body, bounds, &emission);
                let bsdf = Some(Bsdf::new(material));
                Self::Emissive(Box::new(EmissiveSurface { area_light, bsdf, shader: shader() }))
            }
            material => match shader() {
                Some(shader) => Self::Varied(Box::new(shader)),
                None => Self::Surface(Bsdf::new(material)),
            },
        }
    }

    /// Whether its BSDF [is simple](Bsdf::simple) everywhere, and it does not emit light.
    pub(crate) fn is_simple(&self) -> bool {
        match self {
            Self::Surface(bsdf) => bsdf.simple().is_some(),
            Self::Varied(shader) => shader.typical.simple().is_some(),
            Self::Light(_) | Self::Emissive(_) => false,
        }
    }

    /// The typical BSDF, if it scatters light.
    pub(crate) fn bsdf(&self) -> Option<&Bsdf> {
        match self {
            Self::Surface(bsdf) => Some(bsdf),
            Self::Varied(shader) => Some(&shader.typical),
            Self::Light(_) => None,
            Self::Emissive(emissive) => emissive.bsdf.as_ref(),
        }
    }
}

//! Shading of surfaces with textures.

use scene::{Aabb, Geometry, Material};

use crate::bsdf::{Bsdf, ShadingArena, Varied};
use crate::mesh::Meshes;
use crate::ray::SurfacePoint;
use crate::texture::{Chart, NormalMap, Relief, Spot};

/// The shading of a surface with textures, a bump map or a normal map.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceShader {
    chart: Chart,
    /// `None` where only the shading normal varies.
    varied: Option<Varied>,
    relief: Option<Relief>,
    normal_map: Option<NormalMap>,
    /// The BSDF with typical values for textures.
    pub(crate) typical: Bsdf,
}

impl SurfaceShader {
    /// The shader of a shape within `bounds`; `None` for a uniform material.
    pub(crate) fn new(
        material: &Material,
        geometry: &Geometry,
        bounds: Aabb,
        meshes: &Meshes,
    ) -> Option<Self> {
        let size = bounds.size();
        let extent = size.into_iter().fold(0.0, f64::max) as f32;
        let varied = Varied::new(material, meshes);
        let relief = Relief::new(material, extent, meshes);
        let normal_map = material.normal_map().and_then(|map| NormalMap::new(map, extent, meshes));
        let varies = varied.is_some() || relief.is_some() || normal_map.is_some();
        varies.then(|| Self {
            chart: Chart::new(geometry, bounds, meshes),
            varied,
            relief,
            normal_map,
            typical: Bsdf::new(material),
        })
    }

    /// The BSDF at the hit point, whose shading normal is perturbed by the normal map and the bump
    /// map.
    #[inline(never)]
    pub(crate) fn at<'a>(
        &'a self,
        surface: &mut SurfacePoint,
        part: u32,
        arena: &'a ShadingArena,
    ) -> &'a Bsdf {
        if let Some(normal_map) = &self.normal_map {
            surface.shading = normal_map.normal(&self.chart, surface, part);
        }
        if let Some(relief) = &self.relief {
            surface.shading = relief.normal(&self.chart, surface, part);
        }
        let Some(varied) = &self.varied else { return &self.typical };
        let chart = &self.chart;
        let spot = Spot { chart, point: surface.point, normal: surface.normal, part };
        varied.at(&spot, arena)
    }
}

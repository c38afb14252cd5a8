//! The parameters of a `principled` material at one point of a surface.

use crate::color::channels;
use glam::Vec3A;
use scene::{Textured, Variable};

/// The properties of [`scene::Principled`] without its emission.
#[derive(Debug, Clone)]
pub(crate) struct Parameters {
    pub(crate) base_weight: f32,
    pub(crate) base_color: Vec3A,
    pub(crate) base_metalness: f32,
    pub(crate) specular_weight: f32,
    pub(crate) specular_color: Vec3A,
    pub(crate) specular_roughness: f32,
    pub(crate) specular_roughness_anisotropy: f32,
    pub(crate) specular_ior: f32,
    pub(crate) transmission_weight: f32,
    pub(crate) transmission_color: Vec3A,
    pub(crate) transmission_depth: f32,
    pub(crate) coat_weight: f32,
    pub(crate) coat_color: Vec3A,
    pub(crate) coat_roughness: f32,
    pub(crate) coat_ior: f32,
    pub(crate) coat_darkening: f32,
    pub(crate) fuzz_weight: f32,
    pub(crate) fuzz_color: Vec3A,
    pub(crate) fuzz_roughness: f32,
    pub(crate) thin_film_weight: f32,
    /// In micrometres.
    pub(crate) thin_film_thickness: f32,
    pub(crate) thin_film_ior: f32,
    pub(crate) geometry_opacity: f32,
    pub(crate) geometry_thin_walled: bool,
}

impl Parameters {
    /// The parameters of `material`, with typical values for textures.
    pub(crate) fn typical(material: &scene::Principled) -> Self {
        Self {
            base_weight: number(&material.base_weight),
            base_color: color(&material.base_color),
            base_metalness: number(&material.base_metalness),
            specular_weight: number(&material.specular_weight),
            specular_color: color(&material.specular_color),
            specular_roughness: number(&material.specular_roughness),
            specular_roughness_anisotropy: number(&material.specular_roughness_anisotropy),
            specular_ior: material.specular_ior.get() as f32,
            transmission_weight: number(&material.transmission_weight),
            transmission_color: color(&material.transmission_color),
            transmission_depth: material.transmission_depth.get() as f32,
            coat_weight: number(&material.coat_weight),
            coat_color: color(&material.coat_color),
            coat_roughness: number(&material.coat_roughness),
            coat_ior: material.coat_ior.get() as f32,
            coat_darkening: material.coat_darkening.get() as f32,
            fuzz_weight: number(&material.fuzz_weight),
            fuzz_color: color(&material.fuzz_color),
            fuzz_roughness: number(&material.fuzz_roughness),
            thin_film_weight: number(&material.thin_film_weight),
            thin_film_thickness: number(&material.thin_film_thickness),
            thin_film_ior: material.thin_film_ior.get() as f32,
            geometry_opacity: number(&material.geometry_opacity),
            geometry_thin_walled: material.geometry_thin_walled,
        }
    }

    /// The colour of the metal, or of the diffuse base.
    pub(super) fn base(&self) -> Vec3A {
        self.base_color * self.base_weight
    }

    /// Whether the inside absorbs; a thin wall has none.
    pub(super) fn absorbs(&self) -> bool {
        self.transmission_weight > 0.0
            && self.transmission_depth > 0.0
            && !self.geometry_thin_walled
    }

    /// The tint at the surface of transmitted light, unless the inside absorbs.
    pub(super) fn tint(&self) -> Vec3A {
        if self.absorbs() { Vec3A::ONE } else { self.transmission_color }
    }

    /// The roughness of the base below a rough coat, which blurs it. OpenPBR 1.1, section 3.9.2.
    pub(super) fn roughness_under_coat(&self) -> f32 {
        let own = f64::from(self.specular_roughness).powi(4);
        let coat = f64::from(self.coat_roughness).powi(4);
        let blurred = (own + 2.0 * coat).min(1.0);
        let mixed = own + (blurred - own) * f64::from(self.coat_weight);
        mixed.powf(0.25) as f32
    }

    /// The roughness of the base for the coat's darkening. OpenPBR 1.1, section 3.9.4.
    pub(super) fn base_roughness(&self) -> f32 {
        let roughness = self.roughness_under_coat();
        let matte = (1.0 - self.base_metalness) * (1.0 - self.transmission_weight);
        roughness + (1.0 - roughness) * matte
    }
}

fn number<T: Variable>(value: &Textured<T>) -> f32 {
    color(value).x
}

fn color<T: Variable>(value: &Textured<T>) -> Vec3A {
    channels(value.typical().channels())
}

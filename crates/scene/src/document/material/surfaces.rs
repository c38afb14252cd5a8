//! Simple materials.

use super::flat::FLAT;
use crate::document::texture::{NormalMap, Textured};
use crate::read::properties;
use crate::values::{Albedo, Emission, Fraction, Height, RefractiveIndex};

properties! {
    /// A matte surface: reflects `albedo` evenly into the hemisphere.
    pub struct Lambertian {
        /// Reflectance per channel.
        pub albedo: Textured<Albedo>,
        /// Relief that shading follows, outlines do not: its height over the surface.
        pub bump: Textured<Height> = FLAT,
        /// An image of normals that shading follows.
        pub normal_map: Option<NormalMap> = None,
    }
}

properties! {
    /// A metallic surface: `albedo` tints the reflection, there is no Fresnel term.
    pub struct Metal {
        /// Tint of the reflection per channel.
        pub albedo: Textured<Albedo>,
        /// 0 is a perfect mirror; above, GGX with alpha = fuzz^2.
        pub fuzz: Textured<Fraction>,
        /// Relief that shading follows, outlines do not: its height over the surface.
        pub bump: Textured<Height> = FLAT,
        /// An image of normals that shading follows.
        pub normal_map: Option<NormalMap> = None,
    }
}

properties! {
    /// Clear glass or liquid: smooth, exact Fresnel equations, no absorption.
    pub struct Dielectric {
        /// Refractive index against the surrounding air: water 1.33, glass 1.5, diamond 2.42.
        pub refractive_index: RefractiveIndex,
        /// Relief that shading follows, outlines do not: its height over the surface.
        pub bump: Textured<Height> = FLAT,
        /// An image of normals that shading follows.
        pub normal_map: Option<NormalMap> = None,
    }
}

properties! {
    /// A glowing surface: closed shapes shine outwards, flat and open ones to both sides. It absorbs
    /// what falls on it.
    pub struct Emissive {
        /// Radiance in W/(sr m^2) per channel, the same in all directions.
        pub emission: Textured<Emission>,
    }
}

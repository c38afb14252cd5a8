//! The `principled` material: fuzz over a coat over a mixture of metal, glass and a matte ground, by
//! the parameters of OpenPBR 1.1.
//!
//! Every part takes the same way back as forth, and what one leaves the next gets, so that a white
//! material in white surroundings cannot be seen: exactly for the matte ground, which gets the light
//! that all above it leave, and within a few per cent where rough mirrors lie under layers.

mod albedo;
mod curve;
mod evaluate;
mod film;
mod fresnel;
mod fuzz;
mod ggx;
mod layers;
mod sample;

use std::sync::Arc;

use glam::Vec3A;

use self::albedo::Albedo;
use self::curve::Curve;
use self::film::Film;
use self::fresnel::{Border, MetalReflectance};
use self::ggx::Ggx;
use self::layers::Layers;
use super::color;

/// A surface of the `principled` material.
#[derive(Debug)]
pub(crate) struct Principled {
    /// The share of the surface that is there.
    opacity: f32,
    /// The share of the base that is metal.
    metalness: f32,
    /// The share of the dielectric base that lets light through.
    transmission: f32,
    metal: MetalReflectance,
    /// What rough metal sends out again after more than one reflection, and those reflections'
    /// missing share.
    metal_again: Option<(Vec3A, Missing)>,
    /// Tint of the reflection of the dielectric.
    specular_color: Vec3A,
    /// Of the matte ground.
    ground: Vec3A,
    /// Tint of what is let through.
    tint: Vec3A,
    /// Facets of the base; `None` for a mirror.
    ggx: Option<Ggx>,
    /// Seen from outside; from both sides when nothing is let through.
    front: Side,
    /// Seen from inside.
    back: Option<Side>,
    /// What is absorbed inside, per metre.
    absorption: Option<Vec3A>,
}

/// The base as it is seen from one side.
#[derive(Debug)]
struct Side {
    outside: bool,
    border: Border,
    layers: Option<Layers>,
    /// What the border reflects; `None` for a mirror, which has Fresnel's equations.
    reflected: Option<Arc<Albedo>>,
    /// What rough glass loses when light meets one facet only.
    missing: Option<Missing>,
    /// The share of that loss that is let through rather than sent back.
    missing_through: Vec3A,
    /// One over the mean of what reaches the ground.
    ground_scale: Vec3A,
}

/// Light that facets send to each other instead of away: what is missing when one reflection is
/// counted. Kulla and Conty 2017, "Revisiting Physically Based Shading at Imageworks".
#[derive(Debug, Clone)]
struct Missing {
    albedo: Arc<Albedo>,
    /// The mean over all directions.
    mean: Vec3A,
}

impl Missing {
    fn of(albedo: Arc<Albedo>) -> Self {
        let mean = (Vec3A::ONE - albedo.mean()).clamp(Vec3A::splat(1e-6), Vec3A::ONE);
        Self { albedo, mean }
    }

    /// Of light along `w`.
    fn at(&self, w: Vec3A) -> Vec3A {
        (Vec3A::ONE - self.albedo.at(w)).max(Vec3A::ZERO)
    }
}

impl Principled {
    pub(crate) fn new(material: &scene::Principled) -> Self {
        let share = |fraction: scene::Fraction| fraction.get() as f32;
        let (metalness, transmission) =
            (share(material.base_metalness), share(material.transmission_weight));
        let film = film_of(material);
        let weight = share(material.specular_weight);
        let base = color(material.base_color) * share(material.base_weight);
        let metal = MetalReflectance::new(base, color(material.specular_color), weight, film);
        let roughness = roughness_under_coat(material);
        let ggx = Ggx::new(roughness, share(material.specular_roughness_anisotropy));
        let tint = color(material.transmission_color);
        let depth = material.transmission_depth.get() as f32;
        let absorbs = transmission > 0.0 && depth > 0.0;
        let metal_again = ggx.as_ref().filter(|_| metalness > 0.0).map(|ggx| {
            let missing = Missing::of(albedo::of_mirrors(ggx));
            let (mean, lost) = (metal.mean(), missing.mean);
            (mean * mean * (Vec3A::ONE - lost) / (Vec3A::ONE - mean * lost), missing)
        });
        // What a coat over it sees: OpenPBR 1.1, section 3.9.4.
        let matte = (1.0 - metalness) * (1.0 - transmission);
        let layers = Layers::new(material, base, roughness + (1.0 - roughness) * matte);
        let border = Border::new(material.specular_ior.get() as f32, weight, film);
        let mut this = Self {
            opacity: share(material.geometry_opacity),
            metalness,
            transmission,
            metal_again,
            specular_color: color(material.specular_color),
            ground: base,
            tint: if absorbs { Vec3A::ONE } else { tint },
            front: Side::new(border.clone(), layers, ggx.as_ref(), transmission),
            back: (transmission > 0.0)
                .then(|| Side::new(border.seen_from_behind(), None, ggx.as_ref(), transmission)),
            absorption: absorbs.then(|| absorption(tint, depth)),
            metal,
            ggx,
        };
        this.share_what_is_missing();
        this
    }

    /// Light that rough glass loses at one facet leaves on either side, in the proportion in which it
    /// would come from there.
    fn share_what_is_missing(&mut self) {
        let Some(back) = &mut self.back else { return };
        let (Some(here), Some(there)) = (&self.front.missing, &back.missing) else { return };
        let eta = self.front.border.eta;
        let inside = there.mean * (eta * eta);
        let through = inside / (inside + here.mean);
        self.front.missing_through = through;
        back.missing_through = Vec3A::ONE - through;
    }

    fn side(&self, outside: bool) -> &Side {
        match &self.back {
            Some(back) if !outside => back,
            _ => &self.front,
        }
    }

    /// Whether light leaves in single directions only.
    pub(crate) fn is_specular(&self) -> bool {
        let matte = (1.0 - self.metalness) * (1.0 - self.transmission) > 0.0;
        let layers = self.front.layers.as_ref();
        let rough_layer = layers.is_some_and(|layers| {
            layers.fuzz.is_some() || layers.coat.as_ref().is_some_and(|coat| coat.ggx.is_some())
        });
        self.ggx.is_none() && !matte && !rough_layer
    }

    /// Whether light can be let through into other than single directions.
    pub(crate) fn is_translucent(&self) -> bool {
        self.transmission > 0.0 && self.metalness < 1.0 && self.ggx.is_some()
    }

    /// Whether what is seen in it lies behind it.
    pub(crate) fn is_clear(&self) -> bool {
        self.opacity < 1.0 || self.transmission * (1.0 - self.metalness) > 0.5
    }

    /// Whether most of the light leaves in all directions.
    pub(crate) fn is_matte(&self) -> bool {
        (1.0 - self.metalness) * (1.0 - self.transmission) > 0.5
    }

    /// Whether it is rougher along one axis than along the other.
    pub(crate) fn is_brushed(&self) -> bool {
        self.ggx.as_ref().is_some_and(|ggx| !ggx.is_even())
    }

    /// The squared refractive index of the other side over that of this one.
    pub(crate) fn compression(&self, outside: bool) -> f32 {
        let eta = self.side(outside).border.eta;
        eta * eta
    }

    /// What is absorbed inside, per metre and channel; `None` when it is clear.
    pub(crate) fn absorption(&self) -> Option<Vec3A> {
        self.absorption
    }

    /// The share of light that is reflected or let through, roughly.
    pub(crate) fn albedo(&self) -> Vec3A {
        let dielectric = self.ground.lerp(self.tint, self.transmission);
        dielectric.lerp(self.metal.at(1.0), self.metalness)
    }
}

impl Side {
    fn new(border: Border, layers: Option<Layers>, ggx: Option<&Ggx>, transmission: f32) -> Self {
        let mut side = Self {
            outside: border.eta > 1.0,
            reflected: ggx.map(|ggx| albedo::of_border(ggx, &border)),
            missing: ggx
                .filter(|_| transmission > 0.0)
                .map(|ggx| Missing::of(albedo::of_glass(ggx, &border))),
            missing_through: Vec3A::ZERO,
            ground_scale: Vec3A::ONE,
            border,
            layers,
        };
        let reaching = Curve::new(|cos| {
            let w = Vec3A::new((1.0 - cos * cos).max(0.0).sqrt(), 0.0, cos);
            side.reaching_ground(w)
        });
        side.ground_scale = reaching.mean().max(Vec3A::splat(1e-6)).recip();
        side
    }

    /// What the border of the base reflects of light along `w`.
    fn reflected(&self, w: Vec3A) -> Vec3A {
        self.reflected.as_ref().map_or_else(|| self.border.at(w.z).0, |albedo| albedo.at(w))
    }

    /// What the layers let through along `w`.
    fn passing(&self, w: Vec3A) -> f32 {
        self.layers.as_ref().map_or(1.0, |layers| layers.passing(w))
    }

    /// What gets to the ground, or comes from it, along `w`.
    fn reaching_ground(&self, w: Vec3A) -> Vec3A {
        (Vec3A::ONE - self.reflected(w)) * self.passing(w)
    }
}

fn film_of(material: &scene::Principled) -> Option<Film> {
    let weight = material.thin_film_weight.get() as f32;
    let thickness = 1000.0 * material.thin_film_thickness.get() as f32;
    let ior = material.thin_film_ior.get() as f32;
    (weight > 0.0 && thickness > 0.0).then_some(Film { weight, thickness, ior })
}

/// A rough coat blurs what is seen through it. OpenPBR 1.1, section 3.9.2.
fn roughness_under_coat(material: &scene::Principled) -> f32 {
    let fourth = |roughness: scene::Fraction| roughness.get().powi(4);
    let own = fourth(material.specular_roughness);
    let blurred = (own + 2.0 * fourth(material.coat_roughness)).min(1.0);
    let mixed = own + (blurred - own) * material.coat_weight.get();
    mixed.powf(0.25) as f32
}

/// Per metre, so that `tint` is left of white light after `depth` metres.
fn absorption(tint: Vec3A, depth: f32) -> Vec3A {
    /// Black would absorb without bound.
    const DARKEST: f32 = 1e-4;
    let logarithm = tint.max(Vec3A::splat(DARKEST)).to_array().map(f32::ln);
    Vec3A::from_array(logarithm) / -depth
}

#[cfg(test)]
mod tests;

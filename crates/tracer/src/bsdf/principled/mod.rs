//! The `principled` material: fuzz over a coat over a mixture of metal, glass and a diffuse base,
//! with the parameters of OpenPBR 1.1.
//!
//! Every lobe is reciprocal, and energy is conserved: the diffuse base gets the light that the
//! layers above it transmit, and the energy lost by rough mirrors and rough glass to masking and to
//! the layers is reflected diffusely. So a white material passes the white furnace test.

mod albedo;
mod cover;
mod curve;
mod evaluate;
mod film;
mod fresnel;
mod fuzz;
mod ggx;
mod glass;
mod layers;
mod parameters;
mod sample;

use std::sync::Arc;

use glam::Vec3A;

use self::albedo::Albedo;
use self::cover::Cover;
use self::film::Film;
use self::fresnel::{Border, MetalReflectance};
use self::ggx::Ggx;
use self::glass::Glass;
use self::layers::Layers;
pub(crate) use self::parameters::Parameters;

/// A surface of the `principled` material.
#[derive(Debug, Clone)]
pub(crate) struct Principled {
    /// The opacity of the surface (its coverage).
    opacity: f32,
    /// The share of the base that is metal.
    metalness: f32,
    /// The share of the dielectric base that transmits light.
    transmission: f32,
    metal: MetalReflectance,
    /// The film over metal and dielectric.
    film: Option<Film>,
    /// The share of the energy loss of rough metal that multiple reflections return: outside, below
    /// the layers, and inside.
    metal_again: [Vec3A; 2],
    /// The tint of the dielectric's reflection.
    specular_color: Vec3A,
    /// The diffuse albedo of the base.
    ground: Vec3A,
    /// The tint of transmitted light.
    tint: Vec3A,
    /// The microfacets of the base; `None` for a smooth one.
    ggx: Option<Ggx>,
    fuzz_color: Vec3A,
    /// The tint of light that crosses the coat twice at normal incidence.
    coat_color: Vec3A,
    /// The darkening of the base by internal reflections of the coat.
    darkening: Vec3A,
    /// The tables for the outside, or for both sides of an opaque surface. Shared by surfaces that
    /// differ only in colour.
    front: Arc<Side>,
    /// The tables for the inside.
    back: Option<Arc<Side>>,
    /// The absorption coefficient of the inside, per metre.
    absorption: Option<Vec3A>,
}

/// The tables of the base for one side.
#[derive(Debug)]
struct Side {
    outside: bool,
    /// The interface over the diffuse base.
    border: Border,
    /// The transmitting part of the dielectric.
    glass: Glass,
    layers: Option<Layers>,
    /// The reflectance of the rough interface over the diffuse base, below the layers; `None` for a
    /// smooth one, which uses Fresnel's equations, and inside, where the base has no interface.
    reflected: Option<Arc<Albedo>>,
    /// The energy that rough metal loses at one reflection.
    lost_by_mirrors: Option<Missing>,
    /// The energy that rough glass loses at single scattering.
    missing: Option<Missing>,
    /// The share of that energy that is transmitted.
    missing_through: Vec3A,
    /// The reciprocal of the mean transmittance to the diffuse base.
    ground_scale: Vec3A,
}

/// Energy that single scattering loses to masking between facets and to the layers above. Kulla and
/// Conty 2017, "Revisiting Physically Based Shading at Imageworks".
#[derive(Debug, Clone)]
struct Missing {
    lost: Arc<Albedo>,
    /// The mean over all directions.
    mean: Vec3A,
}

impl Missing {
    fn of(lost: Arc<Albedo>) -> Self {
        let mean = lost.mean().max(Vec3A::splat(1e-6));
        Self { lost, mean }
    }

    /// The energy lost for light along `w`.
    fn at(&self, w: Vec3A) -> Vec3A {
        self.lost.at(w)
    }
}

impl Principled {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let film = film_of(parameters);
        let ggx =
            Ggx::new(parameters.roughness_under_coat(), parameters.specular_roughness_anisotropy);
        let (metalness, transmission) = (parameters.base_metalness, parameters.transmission_weight);
        let mirrors = ggx.as_ref().filter(|_| metalness > 0.0);
        let layers = Layers::new(parameters);
        let cover = layers.as_ref();
        let lost_by_mirrors =
            |cover| mirrors.map(|ggx| Missing::of(albedo::lost_by_mirrors(ggx, cover)));
        let border_under =
            |film| Border::new(parameters.specular_ior, parameters.specular_weight, film);
        let (border, bare) = (border_under(film), border_under(None));
        let clear = ggx.as_ref().filter(|_| transmission > 0.0);
        let lost_by_glass = |glass: &Glass, outside| {
            clear.map(|ggx| Missing::of(albedo::lost_by_glass(ggx, glass, cover, outside)))
        };
        let thin = parameters.geometry_thin_walled;
        let mut back = (transmission > 0.0).then(|| {
            // Behind a thin wall is air.
            let inner = if thin { bare.clone() } else { border.seen_from_behind() };
            let glass = if thin {
                Glass::new(&border, &bare, thin, false)
            } else {
                Glass::new(&inner, &bare, thin, false)
            };
            Side {
                outside: false,
                layers: None,
                reflected: None,
                lost_by_mirrors: lost_by_mirrors(None),
                missing: lost_by_glass(&glass, false),
                missing_through: Vec3A::ZERO,
                ground_scale: Vec3A::ONE,
                border: inner,
                glass,
            }
        });
        let glass = Glass::new(&border, &bare, thin, true);
        let mut front = Side {
            outside: true,
            reflected: ggx.as_ref().map(|ggx| albedo::of_border(ggx, &border, cover)),
            lost_by_mirrors: lost_by_mirrors(cover),
            missing: lost_by_glass(&glass, true),
            missing_through: Vec3A::ZERO,
            ground_scale: Vec3A::ONE,
            border,
            glass,
            layers: None,
        };
        front.layers = layers;
        front.ground_scale = front.mean_reaching_ground(ggx.as_ref()).recip();
        share_what_is_missing(&mut front, back.as_mut());
        let mut this = Self {
            film,
            front: Arc::new(front),
            back: back.map(Arc::new),
            absorption: parameters
                .absorbs()
                .then(|| absorption(parameters.transmission_color, parameters.transmission_depth)),
            ggx,
            opacity: 1.0,
            metalness,
            transmission,
            metal: MetalReflectance::new(Vec3A::ONE, Vec3A::ONE, 1.0, None),
            metal_again: [Vec3A::ZERO; 2],
            specular_color: Vec3A::ONE,
            ground: Vec3A::ONE,
            tint: Vec3A::ONE,
            fuzz_color: Vec3A::ONE,
            coat_color: Vec3A::ONE,
            darkening: Vec3A::ONE,
        };
        this.paint(parameters);
        this
    }

    /// The same tables with other colours, opacity and metalness. The parameters of the tables must
    /// be equal, and so must be whether there is any metal.
    pub(crate) fn painted(&self, parameters: &Parameters) -> Self {
        let mut painted = self.clone();
        painted.paint(parameters);
        painted
    }

    /// Sets the parameters that no table depends on.
    fn paint(&mut self, parameters: &Parameters) {
        let base = parameters.base();
        self.opacity = parameters.geometry_opacity;
        self.metalness = parameters.base_metalness;
        self.specular_color = parameters.specular_color;
        self.ground = base;
        self.tint = parameters.tint();
        self.fuzz_color = parameters.fuzz_color;
        self.coat_color = parameters.coat_color;
        let (edge, weight) = (parameters.specular_color, parameters.specular_weight);
        self.metal = MetalReflectance::new(base, edge, weight, self.film);
        let mean = self.metal.mean();
        let again = |side: &Side| {
            side.lost_by_mirrors.as_ref().map_or(Vec3A::ZERO, |Missing { mean: lost, .. }| {
                mean * mean * (Vec3A::ONE - *lost) / (Vec3A::ONE - mean * *lost)
            })
        };
        self.metal_again = [again(&self.front), self.back.as_deref().map_or(Vec3A::ZERO, again)];
        let coat = self.front.layers.as_ref().and_then(|layers| layers.coat.as_ref());
        self.darkening =
            coat.map_or(Vec3A::ONE, |coat| coat.darkening(base, parameters.base_roughness()));
    }

    fn side(&self, outside: bool) -> &Side {
        match &self.back {
            Some(back) if !outside => back,
            _ => &self.front,
        }
    }

    /// Whether all lobes are Dirac deltas.
    pub(crate) fn is_specular(&self) -> bool {
        let matte = (1.0 - self.metalness) * (1.0 - self.transmission) > 0.0;
        let layers = self.front.layers.as_ref();
        let rough_layer = layers.is_some_and(|layers| {
            layers.fuzz.is_some() || layers.coat.as_ref().is_some_and(|coat| coat.ggx.is_some())
        });
        self.ggx.is_none() && !matte && !rough_layer
    }

    /// Whether it transmits light without a change of direction: by partial coverage, and through
    /// smooth thin walls.
    pub(crate) fn is_straight(&self) -> bool {
        let clear = self.transmission * (1.0 - self.metalness) > 0.0;
        self.opacity < 1.0 || (clear && self.is_thin() && self.ggx.is_none())
    }

    /// The transmittance without a change of direction to the viewer at `wo`, per channel.
    pub(crate) fn straight(&self, wo: Vec3A, outside: bool) -> Vec3A {
        let past = Vec3A::splat(1.0 - self.opacity);
        if !self.is_thin() || self.ggx.is_some() || wo.z <= 0.0 {
            return past;
        }
        let side = self.side(outside);
        let through = self.at_facet(side, wo.z).through * self.layers_once(side, wo, -wo);
        past + through * self.opacity
    }

    /// Whether it transmits light.
    pub(crate) fn lets_light_through(&self) -> bool {
        self.transmission > 0.0 && self.metalness < 1.0
    }

    /// Whether it transmits light other than by a Dirac delta.
    pub(crate) fn is_translucent(&self) -> bool {
        self.transmission > 0.0 && self.metalness < 1.0 && self.ggx.is_some()
    }

    /// Whether most of what is visible in it lies behind it.
    pub(crate) fn is_clear(&self) -> bool {
        self.opacity < 1.0 || self.transmission * (1.0 - self.metalness) > 0.5
    }

    /// Whether reflection is mainly diffuse.
    pub(crate) fn is_matte(&self) -> bool {
        (1.0 - self.metalness) * (1.0 - self.transmission) > 0.5
    }

    /// Whether it is anisotropic.
    pub(crate) fn is_brushed(&self) -> bool {
        self.ggx.as_ref().is_some_and(|ggx| !ggx.is_even())
    }

    /// The squared refractive index of the other side over that of this one.
    pub(crate) fn compression(&self, outside: bool) -> f32 {
        let eta = self.side(outside).glass.bend();
        eta * eta
    }

    /// Whether it is a thin wall: it has no inside.
    pub(crate) fn is_thin(&self) -> bool {
        self.front.glass.is_thin()
    }

    /// The absorption coefficient of the inside, per metre and channel; `None` when it is clear.
    pub(crate) fn absorption(&self) -> Option<Vec3A> {
        self.absorption
    }

    /// The approximate albedo, transmission included.
    pub(crate) fn albedo(&self) -> Vec3A {
        let dielectric = self.ground.lerp(self.tint, self.transmission);
        dielectric.lerp(self.metal.at(1.0), self.metalness)
    }
}

impl Side {
    /// The reflectance of the interface over the diffuse base for light along `w` below the layers.
    fn reflected(&self, w: Vec3A) -> Vec3A {
        if !self.outside {
            return Vec3A::ZERO;
        }
        let facets = self.reflected.as_ref().map(|facets| facets.at(w));
        facets.unwrap_or_else(|| self.border.at(w.z).0 * self.passing(w))
    }

    /// The transmittance of the layers along `w`.
    fn passing(&self, w: Vec3A) -> f32 {
        self.layers.as_ref().passing(w)
    }

    /// The transmittance to the diffuse base along `w`.
    fn reaching_ground(&self, w: Vec3A) -> Vec3A {
        (self.passing(w) - self.reflected(w)).max(Vec3A::ZERO)
    }

    /// The cosine-weighted mean of [`reaching_ground`](Self::reaching_ground).
    fn mean_reaching_ground(&self, ggx: Option<&Ggx>) -> Vec3A {
        const STEPS: u16 = 512;
        let mean = match ggx {
            Some(ggx) => Albedo::new(ggx, |w| self.reaching_ground(w)).mean(),
            None => {
                let cosine = |step: u16| (f32::from(step) + 0.5) / f32::from(STEPS);
                let at = |cos: f32| self.reaching_ground(slanted(cos)) * (2.0 * cos);
                (0..STEPS).map(|step| at(cosine(step))).sum::<Vec3A>() / f32::from(STEPS)
            }
        };
        mean.max(Vec3A::splat(1e-6))
    }
}

/// A unit direction at `cos` from the normal.
fn slanted(cos: f32) -> Vec3A {
    Vec3A::new((1.0 - cos * cos).max(0.0).sqrt(), 0.0, cos)
}

/// Distributes the energy that rough glass loses to both sides, in the proportion that makes it
/// reciprocal.
fn share_what_is_missing(front: &mut Side, back: Option<&mut Side>) {
    let Some(back) = back else { return };
    let (Some(here), Some(there)) = (&front.missing, &back.missing) else { return };
    let eta = front.glass.bend();
    let inside = there.mean * (eta * eta);
    let through = inside / (inside + here.mean);
    front.missing_through = through;
    back.missing_through = Vec3A::ONE - through;
}

fn film_of(parameters: &Parameters) -> Option<Film> {
    let weight = parameters.thin_film_weight;
    let thickness = 1000.0 * parameters.thin_film_thickness;
    let ior = parameters.thin_film_ior;
    (weight > 0.0 && thickness > 0.0).then_some(Film { weight, thickness, ior })
}

/// The absorption coefficient per metre with which white light becomes `tint` after `depth` metres.
fn absorption(tint: Vec3A, depth: f32) -> Vec3A {
    /// Black would need an infinite coefficient.
    const MIN_TINT: f32 = 1e-4;
    let logarithm = tint.max(Vec3A::splat(MIN_TINT)).to_array().map(f32::ln);
    Vec3A::from_array(logarithm) / -depth
}

#[cfg(test)]
mod furnace;
#[cfg(test)]
mod openpbr;
#[cfg(test)]
mod tests;

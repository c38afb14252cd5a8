//! The `principled` material: fuzz over a coat over a mixture of metal, glass and a matte ground, by
//! the parameters of OpenPBR 1.1.
//!
//! Every part takes the same way back as forth, and what one leaves the next gets, so that a white
//! material in white surroundings cannot be seen: the matte ground gets the light that all above it
//! leave, and what rough mirrors and rough glass lose to their own facets and to the layers over them
//! leaves evenly.

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
    /// The share of the dielectric base that lets light through.
    transmission: f32,
    metal: MetalReflectance,
    /// Over metal and dielectric alike.
    film: Option<Film>,
    /// The share of what rough metal loses at one reflection that it sends out again after more of
    /// them: outside, where layers send light down, too, and inside.
    metal_again: [Vec3A; 2],
    /// Tint of the reflection of the dielectric.
    specular_color: Vec3A,
    /// Of the matte ground.
    ground: Vec3A,
    /// Tint of what is let through.
    tint: Vec3A,
    /// The microfacets of the base; `None` for a smooth one.
    ggx: Option<Ggx>,
    fuzz_color: Vec3A,
    /// Of light that goes through the coat and back straight on.
    coat_color: Vec3A,
    /// What is left of the base as light goes to and fro between it and a coat.
    darkening: Vec3A,
    /// Seen from outside; from both sides when nothing is let through. Shared by surfaces that differ
    /// in colour only.
    front: Arc<Side>,
    /// Seen from inside.
    back: Option<Arc<Side>>,
    /// What is absorbed inside, per metre.
    absorption: Option<Vec3A>,
}

/// The base as it is seen from one side.
#[derive(Debug)]
struct Side {
    outside: bool,
    /// Over the matte ground.
    border: Border,
    /// The share of the dielectric that lets light through.
    glass: Glass,
    layers: Option<Layers>,
    /// What the facets of the border over the ground send back below the layers; `None` for a mirror,
    /// which has Fresnel's equations, and inside, where the ground has no border.
    reflected: Option<Arc<Albedo>>,
    /// What rough metal loses at one reflection.
    lost_by_mirrors: Option<Missing>,
    /// What rough glass loses when light meets one facet only.
    missing: Option<Missing>,
    /// The share of that loss that is let through rather than sent back.
    missing_through: Vec3A,
    /// One over the mean of what reaches the ground.
    ground_scale: Vec3A,
}

/// Light that facets send to each other instead of away, or that layers send down again: what is
/// missing when one reflection is counted. Kulla and Conty 2017, "Revisiting Physically Based Shading at
/// Imageworks".
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

    /// Of light along `w`.
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
            // Behind a thin wall there is air again.
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

    /// The same tables with other colours, another opacity and another metalness. The parameters
    /// that tables depend on must be the same, and so must whether there is any metal.
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
    /// What the border over the ground sends back of light along `w` that gets through the layers.
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

    /// What gets to the ground, or comes from it, along `w`.
    fn reaching_ground(&self, w: Vec3A) -> Vec3A {
        (self.passing(w) - self.reflected(w)).max(Vec3A::ZERO)
    }

    /// The mean of that over all directions, each by its cosine.
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

/// Light that rough glass loses leaves on either side, in the proportion in which it
/// would come from there.
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

/// Per metre, so that `tint` is left of white light after `depth` metres.
fn absorption(tint: Vec3A, depth: f32) -> Vec3A {
    /// Black would absorb without bound.
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

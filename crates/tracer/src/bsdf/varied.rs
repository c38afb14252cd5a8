//! BSDFs with textures.

use std::cell::OnceCell;
use std::sync::Arc;

use glam::Vec3A;
use scene::{Material, Textured, Variable};
use typed_arena::Arena;

use super::principled::Parameters;
use super::{Bsdf, Lambertian, Mix, Principled, Simple};
use crate::mesh::Meshes;
use crate::texture::{Spot, Value};

/// An arena for the BSDFs made at the vertices of one path. Empty arenas do not allocate.
#[derive(Default)]
pub(crate) struct ShadingArena(OnceCell<Arena<Bsdf>>);

impl ShadingArena {
    /// The BSDFs that a typical path needs.
    const ROOM: usize = 8;

    fn alloc(&self, bsdf: Bsdf) -> &Bsdf {
        self.0.get_or_init(|| Arena::with_capacity(Self::ROOM)).alloc(bsdf)
    }
}

/// A material with textures.
#[derive(Debug, Clone)]
pub(crate) enum Varied {
    Lambertian { albedo: Value },
    Metal { albedo: Value, fuzz: Value },
    Principled(Box<VariedPrincipled>),
    Mix(Box<VariedMix>),
}

/// A mix whose weight or parts have textures.
#[derive(Debug, Clone)]
pub(crate) struct VariedMix {
    parts: [Part; 2],
    /// The weight of the second material.
    weight: Value,
}

#[derive(Debug, Clone)]
enum Part {
    Even(Bsdf),
    Varied(Varied),
}

impl Part {
    fn new(material: &Material, meshes: &Meshes) -> Self {
        let varied = Varied::new(material, meshes);
        varied.map_or_else(|| Self::Even(Bsdf::new(material)), Self::Varied)
    }

    fn at<'a>(&'a self, spot: &Spot<'_>, arena: &'a ShadingArena) -> &'a Bsdf {
        match self {
            Self::Even(bsdf) => bsdf,
            Self::Varied(varied) => varied.at(spot, arena),
        }
    }
}

impl VariedMix {
    /// `None` without textures.
    fn new(mix: &scene::Mix, meshes: &Meshes) -> Option<Self> {
        let parts = mix.parts().map(|part| Part::new(part, meshes));
        let varies = mix.weight.texture().is_some()
            || parts.iter().any(|part| matches!(part, Part::Varied(_)));
        varies.then(|| Self { parts, weight: Value::new(&mix.weight, meshes) })
    }

    fn at<'a>(&'a self, spot: &Spot<'_>, arena: &'a ShadingArena) -> &'a Bsdf {
        let weight = self.weight.at(spot).x;
        let [first, second] = &self.parts;
        // Masks are mostly 0 or 1.
        if weight <= 0.0 {
            return first.at(spot, arena);
        }
        if weight >= 1.0 {
            return second.at(spot, arena);
        }
        let [first, second] = [first, second].map(|part| part.at(spot, arena).clone());
        arena.alloc(Bsdf::Mix(Arc::new(Mix { first, second, weight })))
    }
}

impl Varied {
    /// `None` without textures. Images are among `meshes`.
    pub(crate) fn new(material: &Material, meshes: &Meshes) -> Option<Self> {
        match material.resolved() {
            Material::Lambertian(matte) => {
                matte.albedo.texture()?;
                Some(Self::Lambertian { albedo: Value::new(&matte.albedo, meshes) })
            }
            Material::Metal(metal) => {
                let varies = metal.albedo.texture().is_some() || metal.fuzz.texture().is_some();
                varies.then(|| Self::Metal {
                    albedo: Value::new(&metal.albedo, meshes),
                    fuzz: Value::new(&metal.fuzz, meshes),
                })
            }
            Material::Principled(material) => VariedPrincipled::new(material, meshes)
                .map(|varied| Self::Principled(Box::new(varied))),
            Material::Mix(mix) => {
                VariedMix::new(mix, meshes).map(|varied| Self::Mix(Box::new(varied)))
            }
            Material::Dielectric(_) | Material::Emissive(_) | Material::Preset(_) => None,
        }
    }

    /// The BSDF at a point of the surface.
    pub(crate) fn at<'a>(&'a self, spot: &Spot<'_>, arena: &'a ShadingArena) -> &'a Bsdf {
        match self {
            Self::Lambertian { albedo } => {
                let matte = Lambertian { albedo: albedo.at(spot) };
                arena.alloc(Bsdf::Simple(Simple::Lambertian(matte)))
            }
            Self::Metal { albedo, fuzz } => {
                arena.alloc(Bsdf::Simple(Simple::metal(albedo.at(spot), fuzz.at(spot).x)))
            }
            Self::Principled(varied) => varied.at(spot, arena),
            Self::Mix(varied) => varied.at(spot, arena),
        }
    }
}

/// Access to one parameter.
type Slot = fn(&mut Parameters) -> &mut f32;
type ColorSlot = fn(&mut Parameters) -> &mut Vec3A;

/// A `principled` material with textures.
///
/// The directional albedos of layers are tabulated, which takes too long at every hit. So BSDFs are
/// precomputed on a grid over the textured properties that the tables depend on, and these are
/// rounded to the nearest node; all other properties are exact.
#[derive(Debug, Clone)]
pub(crate) struct VariedPrincipled {
    /// The parameters, with typical values for textured ones.
    typical: Parameters,
    colors: Vec<(ColorSlot, Value)>,
    shares: Vec<(Slot, Value)>,
    axes: Vec<Axis>,
    /// The nodes of the grid; the first axis varies fastest.
    grid: Vec<Bsdf>,
}

/// A textured property that tables depend on.
#[derive(Debug, Clone)]
struct Axis {
    slot: Slot,
    value: Value,
    /// The first and the last value.
    ends: [f32; 2],
    steps: usize,
}

/// Values along each axis of the grid, by the number of axes.
const VALUES: [usize; 4] = [1, 33, 13, 6];

impl VariedPrincipled {
    /// `None` without textures.
    fn new(material: &scene::Principled, meshes: &Meshes) -> Option<Self> {
        let colors: [(ColorSlot, &Textured<_>); 5] = [
            (|to| &mut to.base_color, &material.base_color),
            (|to| &mut to.specular_color, &material.specular_color),
            (|to| &mut to.transmission_color, &material.transmission_color),
            (|to| &mut to.coat_color, &material.coat_color),
            (|to| &mut to.fuzz_color, &material.fuzz_color),
        ];
        let shares: [(Slot, &Textured<_>); 3] = [
            (|to| &mut to.base_weight, &material.base_weight),
            (|to| &mut to.base_metalness, &material.base_metalness),
            (|to| &mut to.geometry_opacity, &material.geometry_opacity),
        ];
        let tabulated: [(Slot, &Textured<_>); 9] = [
            (|to| &mut to.specular_weight, &material.specular_weight),
            (|to| &mut to.specular_roughness, &material.specular_roughness),
            (|to| &mut to.specular_roughness_anisotropy, &material.specular_roughness_anisotropy),
            (|to| &mut to.transmission_weight, &material.transmission_weight),
            (|to| &mut to.coat_weight, &material.coat_weight),
            (|to| &mut to.coat_roughness, &material.coat_roughness),
            (|to| &mut to.fuzz_weight, &material.fuzz_weight),
            (|to| &mut to.fuzz_roughness, &material.fuzz_roughness),
            (|to| &mut to.thin_film_weight, &material.thin_film_weight),
        ];
        let film: [(Slot, &Textured<_>); 1] =
            [(|to| &mut to.thin_film_thickness, &material.thin_film_thickness)];
        let mut axes: Vec<Axis> =
            axes_of(&tabulated, meshes).chain(axes_of(&film, meshes)).collect();
        // The scene format allows no more textured axes; further ones would use their typical
        // value.
        axes.truncate(VALUES.len() - 1);
        let steps = VALUES[axes.len()];
        axes.iter_mut().for_each(|axis| axis.steps = steps);
        let mut varied = Self {
            typical: Parameters::typical(material),
            colors: values_of(&colors, meshes).collect(),
            shares: values_of(&shares, meshes).collect(),
            axes,
            grid: Vec::new(),
        };
        let varies =
            !(varied.colors.is_empty() && varied.shares.is_empty() && varied.axes.is_empty());
        varied.make_grid();
        varies.then_some(varied)
    }

    fn make_grid(&mut self) {
        let count = self.axes.iter().map(|axis| axis.steps).product();
        self.grid = (0..count)
            .map(|at| {
                let mut parameters = self.typical.clone();
                let mut rest = at;
                for axis in &self.axes {
                    *(axis.slot)(&mut parameters) = axis.value_at(rest % axis.steps);
                    rest /= axis.steps;
                }
                Bsdf::Principled(Arc::new(Principled::new(&parameters)))
            })
            .collect();
    }

    fn at<'a>(&'a self, spot: &Spot<'_>, arena: &'a ShadingArena) -> &'a Bsdf {
        let (mut place, mut stride) = (0, 1);
        let mut steps = [0; VALUES.len()];
        for (axis, step) in self.axes.iter().zip(&mut steps) {
            *step = axis.nearest(axis.value.at(spot).x);
            place += *step * stride;
            stride *= axis.steps;
        }
        let here = &self.grid[place];
        let Bsdf::Principled(plain) = here else { return here };
        if self.colors.is_empty() && self.shares.is_empty() {
            return here;
        }
        let mut parameters = self.typical.clone();
        for (axis, step) in self.axes.iter().zip(steps) {
            *(axis.slot)(&mut parameters) = axis.value_at(step);
        }
        for (slot, value) in &self.colors {
            *slot(&mut parameters) = value.at(spot);
        }
        for (slot, value) in &self.shares {
            *slot(&mut parameters) = value.at(spot).x;
        }
        arena.alloc(Bsdf::Principled(Arc::new(plain.painted(&parameters))))
    }
}

fn values_of<S: Copy, T: Variable>(
    properties: &[(S, &Textured<T>)],
    meshes: &Meshes,
) -> impl Iterator<Item = (S, Value)> {
    let varied = properties.iter().filter(|(_, value)| value.texture().is_some());
    varied.map(|(slot, value)| (*slot, Value::new(value, meshes)))
}

fn axes_of<T: Variable>(
    properties: &[(Slot, &Textured<T>)],
    meshes: &Meshes,
) -> impl Iterator<Item = Axis> {
    let varied = properties.iter().filter(|(_, value)| value.texture().is_some());
    varied.map(|(slot, value)| Axis {
        slot: *slot,
        value: Value::new(value, meshes),
        ends: value.range().map(|channels| channels[0] as f32),
        steps: 1,
    })
}

impl Axis {
    fn value_at(&self, step: usize) -> f32 {
        let [first, last] = self.ends;
        first + (last - first) * step as f32 / (self.steps - 1).max(1) as f32
    }

    fn nearest(&self, value: f32) -> usize {
        let [first, last] = self.ends;
        let share = if last > first { (value - first) / (last - first) } else { 0.0 };
        let last_step = self.steps - 1;
        ((share * last_step as f32).round() as usize).min(last_step)
    }
}

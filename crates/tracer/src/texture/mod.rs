//! Textures: values that vary over a surface, as [`scene::Textured`] describes them.

mod chart;
mod lanes;
mod lattice;
mod noise;
mod normal_map;
mod pattern;
mod relief;
mod shape_textures;

use fearless_simd::Level;
use glam::{DMat3, DVec3, Mat3A, Vec3A, Vec4};
use scene::{Mapping, Textured, Variable};

pub(crate) use chart::Chart;
pub(crate) use normal_map::NormalMap;
pub(crate) use relief::Relief;
pub use shape_textures::{ShapeTextures, SurfaceSpot, TextureValue};

use self::noise::{Perlin, layered};
use self::pattern::Pattern;
use crate::color::channels;
use crate::instructions::InstructionSet;
use crate::mesh::Meshes;
use crate::vector::single;

/// Fractal Perlin noise, about -1 to 1.
pub(crate) fn fractal_noise(level: Level, at: Vec3A, octaves: u32) -> f32 {
    layered::<Perlin, f32>(level, at, octaves)
}

/// A point of a surface to evaluate textures at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot<'a> {
    pub(crate) chart: &'a Chart,
    /// In the world.
    pub(crate) point: Vec3A,
    /// Unit geometric normal, in the world.
    pub(crate) normal: Vec3A,
    /// The part of the primitive that was hit.
    pub(crate) part: u32,
}

/// A constant or textured value; a number is the same in all channels.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Even(Vec3A),
    Varied(Box<Texture>),
}

/// Two values, mixed by a pattern.
#[derive(Debug, Clone)]
pub(crate) struct Texture {
    first: Value,
    second: Value,
    pattern: Pattern,
    layout: Layout,
    /// The instructions by which noise is computed.
    level: Level,
}

/// The texture mapping of a pattern: projection and transform.
#[derive(Debug, Clone)]
struct Layout {
    mapping: Mapping,
    /// From the coordinates of the mapping to those of the pattern.
    to_pattern: Mat3A,
    offset: Vec3A,
    /// The smallest scale factor.
    scale: f32,
}

impl Layout {
    fn new(placement: &scene::Placement, mapping: Mapping) -> Self {
        let scale = DVec3::from(placement.scale.get());
        let rows = scene::rotation_matrix(placement.rotation.get());
        // The inverse of a rotation is its transpose.
        let turned_back = DMat3::from_cols_array_2d(&rows);
        let to_pattern = DMat3::from_diagonal(scale.recip()) * turned_back;
        Self {
            mapping,
            to_pattern: to_pattern.as_mat3().into(),
            offset: single(placement.offset.get().into()),
            scale: scale.min_element() as f32,
        }
    }

    /// The pattern coordinates of a spot.
    fn at(&self, spot: &Spot<'_>) -> Vec3A {
        self.to_pattern * (self.mapped(spot) - self.offset)
    }

    /// The difference of the pattern coordinates of two nearby spots.
    fn between(&self, from: &Spot<'_>, to: &Spot<'_>) -> Vec3A {
        let way = self.mapped(to) - self.mapped(from);
        // At a seam u, v or the angle jumps by 1.
        let jumps = match self.mapping {
            Mapping::Uv => way.round(),
            Mapping::Round => Vec3A::Z * way.z.round(),
            _ => Vec3A::ZERO,
        };
        self.to_pattern * (way - jumps)
    }

    fn mapped(&self, spot: &Spot<'_>) -> Vec3A {
        match self.mapping {
            Mapping::Object => spot.chart.local(spot.point),
            Mapping::World => spot.point,
            Mapping::Box => spot.chart.unfolded(spot.point, spot.normal).extend(0.0).into(),
            Mapping::Uv => spot.chart.uv(spot.point, spot.normal, spot.part).extend(0.0).into(),
            Mapping::Round => spot.chart.around(spot.point),
        }
    }
}

impl Value {
    /// The value of a property. `meshes` has the images.
    pub(crate) fn new<T: Variable>(value: &Textured<T>, meshes: &Meshes) -> Self {
        match value {
            Textured::Even(value) => Self::Even(channels(value.channels())),
            Textured::Varied(texture) => Self::Varied(Box::new(Texture::new(texture, meshes))),
        }
    }

    pub(crate) fn at(&self, spot: &Spot<'_>) -> Vec3A {
        match self {
            Self::Even(value) => *value,
            Self::Varied(texture) => texture.at(spot),
        }
    }

    /// The number at four nearby spots.
    fn numbers(&self, spots: &[Spot<'_>; 4]) -> Vec4 {
        match self {
            Self::Even(value) => Vec4::splat(value.x),
            Self::Varied(texture) => texture.numbers(spots),
        }
    }

    /// A length in the world over which it changes little; `extent` is the size of the shape.
    fn step(&self, extent: f32) -> f32 {
        match self {
            Self::Even(_) => f32::INFINITY,
            Self::Varied(texture) => texture.step(extent),
        }
    }
}

impl Texture {
    pub(crate) fn new<T: Variable>(texture: &scene::Texture<T>, meshes: &Meshes) -> Self {
        Self {
            first: Value::new(&texture.first, meshes),
            second: Value::new(&texture.second, meshes),
            pattern: Pattern::new(&texture.pattern, T::IS_COLOR, meshes),
            layout: Layout::new(&texture.placement, texture.mapping()),
            level: InstructionSet::Best.level(),
        }
    }

    fn at(&self, spot: &Spot<'_>) -> Vec3A {
        let share = self.pattern.share(self.level, self.layout.at(spot));
        let first = self.first.at(spot);
        if share == Vec3A::ZERO {
            return first;
        }
        first + (self.second.at(spot) - first) * share
    }

    fn numbers(&self, spots: &[Spot<'_>; 4]) -> Vec4 {
        let places = spots.each_ref().map(|spot| self.layout.at(spot));
        let shares = self.pattern.shares(self.level, places);
        let first = self.first.numbers(spots);
        first + (self.second.numbers(spots) - first) * shares
    }

    /// A length in the world over which the value changes little; `extent` is the size of the shape.
    fn step(&self, extent: f32) -> f32 {
        let own = self.pattern.step() * self.layout.scale;
        let own = if self.layout.mapping == Mapping::Uv { own * extent } else { own };
        let inner = [&self.first, &self.second].map(|value| value.step(extent));
        own.min(inner[0]).min(inner[1])
    }
}

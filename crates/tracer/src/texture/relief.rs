//! Bump mapping: shading normals from a height over the surface.

use glam::{Vec3A, Vec4};
use scene::Material;

use super::{Chart, Spot, Value};
use crate::frame::Frame;
use crate::mesh::Meshes;
use crate::ray::{ROUNDING, SurfacePoint};

/// A bump map: the height over a surface, in metres.
#[derive(Debug, Clone)]
pub(crate) struct Relief {
    height: Height,
    /// The step of the finite differences, in metres.
    step: f32,
}

#[derive(Debug, Clone)]
enum Height {
    Of(Value),
    /// Blends the heights of two materials by the weight of the second.
    Mix {
        parts: Box<[Height; 2]>,
        weight: Value,
    },
}

impl Height {
    fn new(material: &Material, meshes: &Meshes) -> Self {
        if let Material::Mix(mix) = material.resolved() {
            let parts = Box::new(mix.parts().map(|part| Self::new(part, meshes)));
            return Self::Mix { parts, weight: Value::new(&mix.weight, meshes) };
        }
        let height = material.height().map(|height| Value::new(height, meshes));
        Self::Of(height.unwrap_or(Value::Even(Vec3A::ZERO)))
    }

    /// Its value if it is constant.
    fn even(&self) -> Option<f32> {
        match self {
            Self::Of(Value::Even(height)) => Some(height.x),
            Self::Of(Value::Varied(_)) => None,
            Self::Mix { parts, weight } => {
                let [first, second] = [parts[0].even()?, parts[1].even()?];
                match weight {
                    Value::Even(share) => Some(first + (second - first) * share.x),
                    Value::Varied(_) => (first == second).then_some(first),
                }
            }
        }
    }

    /// A length over which it changes little, on a shape of size `extent`.
    fn step(&self, extent: f32) -> f32 {
        match self {
            Self::Of(height) => height.step(extent),
            Self::Mix { parts, weight } => {
                let [first, second] = &**parts;
                weight.step(extent).min(first.step(extent)).min(second.step(extent))
            }
        }
    }

    /// The heights at four nearby spots.
    fn numbers(&self, spots: &[Spot<'_>; 4]) -> Vec4 {
        match self {
            Self::Of(height) => height.numbers(spots),
            Self::Mix { parts, weight } => {
                let [first, second] = &**parts;
                let (first, second) = (first.numbers(spots), second.numbers(spots));
                first + (second - first) * weight.numbers(spots)
            }
        }
    }
}

impl Relief {
    /// The bump map of a shape of size `extent`; `None` for a constant height.
    pub(crate) fn new(material: &Material, extent: f32, meshes: &Meshes) -> Option<Self> {
        let height = Height::new(material, meshes);
        height.even().is_none().then(|| Self { step: height.step(extent), height })
    }

    /// The perturbed shading normal at `surface`. Blinn 1978, "Simulation of Wrinkled Surfaces".
    pub(crate) fn normal(&self, chart: &Chart, surface: &SurfacePoint, part: u32) -> Vec3A {
        let normal = surface.shading;
        let frame = Frame::around(normal);
        // Far from the origin, finite differences over less than this would be rounding errors.
        let step = self.step.max(512.0 * ROUNDING * surface.point.abs().max_element());
        let [x, y] = [Vec3A::X, Vec3A::Y].map(|along| frame.to_world(along));
        let spots = [x, -x, y, -y].map(|along| {
            let point = surface.point + along * (0.5 * step);
            Spot { chart, point, normal: surface.normal, part }
        });
        let heights = self.height.numbers(&spots);
        let slope = (x * (heights.x - heights.y) + y * (heights.z - heights.w)) / step;
        // A limit, since steeper slopes would put the normal into the surface.
        let slope = slope.clamp_length_max(5.0);
        (normal - slope).try_normalize().unwrap_or(normal)
    }
}

//! The triangle at each texel of an atlas.

use glam::Vec2;
use tracer::SurfaceSpot;

use super::face::{Face, barycentric};
use crate::{SceneFileError, Sources};

/// Texels around a triangle that its texture is extended to, for bilinear filtering.
const PADDING: f32 = 2.0;

/// The triangle of each texel.
#[derive(Debug)]
pub(super) struct TexelMap {
    pub(super) side: u32,
    owners: Vec<Option<u32>>,
}

impl TexelMap {
    /// The map of triangles with these corners, in texels.
    pub(super) fn new(
        side: u32,
        faces: &(impl Iterator<Item = [Vec2; 3]> + Clone),
        sources: &Sources<'_>,
    ) -> Result<Self, SceneFileError> {
        let mut map = Self { side, owners: vec![None; (side * side) as usize] };
        // Texels inside of triangles first, then those around them.
        for padding in [0.0, PADDING] {
            for (at, corners) in faces.clone().enumerate() {
                sources.check_cancelled_at(at)?;
                map.claim(at as u32, corners, padding);
            }
        }
        Ok(map)
    }

    /// Gives a triangle the free texels whose centres are within `padding` of it.
    fn claim(&mut self, at: u32, corners: [Vec2; 3], padding: f32) {
        let max = self.side as f32 - 1.0;
        let low = corners.into_iter().fold(Vec2::INFINITY, Vec2::min) - padding - 0.5;
        let high = corners.into_iter().fold(Vec2::NEG_INFINITY, Vec2::max) + padding;
        let (low, high) =
            (low.clamp(Vec2::ZERO, Vec2::splat(max)), high.clamp(Vec2::ZERO, Vec2::splat(max)));
        for y in low.y as u32..=high.y as u32 {
            for x in low.x as u32..=high.x as u32 {
                let owner = &mut self.owners[(y * self.side + x) as usize];
                let center = Vec2::new(x as f32, y as f32) + 0.5;
                if owner.is_none() && distance(corners, center) <= padding + 1e-3 {
                    *owner = Some(at);
                }
            }
        }
    }

    /// An image of the texels: `color` of a point of a triangle, `background` elsewhere.
    pub(super) fn paint(
        &self,
        faces: &[Face],
        color: &dyn Fn(&SurfaceSpot, &Face) -> [u8; 4],
        background: [u8; 4],
        sources: &Sources<'_>,
    ) -> Result<Vec<[u8; 4]>, SceneFileError> {
        let pixel = |(at, owner): (usize, &Option<u32>)| {
            sources.check_cancelled_at(at)?;
            let Some(owner) = *owner else { return Ok(background) };
            let (x, y) = (at as u32 % self.side, at as u32 / self.side);
            let face = &faces[owner as usize];
            Ok(color(&face.spot(Vec2::new(x as f32, y as f32) + 0.5), face))
        };
        self.owners.iter().enumerate().map(pixel).collect()
    }
}

/// The distance of a point from a triangle, in texels; 0 inside.
fn distance([a, b, c]: [Vec2; 3], at: Vec2) -> f32 {
    if barycentric([a, b, c], at).min_element() >= 0.0 {
        return 0.0;
    }
    let to_edge = |(from, to): (Vec2, Vec2)| {
        let edge = to - from;
        let along = (at - from).dot(edge) / edge.length_squared().max(1e-12);
        at.distance(from + edge * along.clamp(0.0, 1.0))
    };
    [(a, b), (b, c), (c, a)].map(to_edge).into_iter().fold(f32::INFINITY, f32::min)
}

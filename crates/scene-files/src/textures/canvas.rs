//! Which triangle of a surface each pixel shows.

use glam::Vec2;
use tracer::SurfaceSpot;

use super::face::{Face, shares};
use crate::{SceneFileFault, Sources};

/// How far beyond a triangle its texture is painted, in pixels.
const BEYOND: f32 = 2.0;

/// Which triangle each pixel shows.
#[derive(Debug)]
pub(super) struct Canvas {
    pub(super) side: u32,
    owners: Vec<Option<u32>>,
}

impl Canvas {
    /// For triangles that lie at these pixels.
    pub(super) fn new(
        side: u32,
        faces: &(impl Iterator<Item = [Vec2; 3]> + Clone),
        sources: &Sources<'_>,
    ) -> Result<Self, SceneFileFault> {
        let mut canvas = Self { side, owners: vec![None; (side * side) as usize] };
        // First what lies in a triangle, then what is next to one.
        for beyond in [0.0, BEYOND] {
            for (at, corners) in faces.clone().enumerate() {
                sources.check_now_and_then(at)?;
                canvas.claim(at as u32, corners, beyond);
            }
        }
        Ok(canvas)
    }

    /// Gives a triangle the free pixels whose middles lie in it, or not farther `beyond` it.
    fn claim(&mut self, at: u32, corners: [Vec2; 3], beyond: f32) {
        let most = self.side as f32 - 1.0;
        let low = corners.into_iter().fold(Vec2::INFINITY, Vec2::min) - beyond - 0.5;
        let high = corners.into_iter().fold(Vec2::NEG_INFINITY, Vec2::max) + beyond;
        let (low, high) =
            (low.clamp(Vec2::ZERO, Vec2::splat(most)), high.clamp(Vec2::ZERO, Vec2::splat(most)));
        for y in low.y as u32..=high.y as u32 {
            for x in low.x as u32..=high.x as u32 {
                let owner = &mut self.owners[(y * self.side + x) as usize];
                let middle = Vec2::new(x as f32, y as f32) + 0.5;
                if owner.is_none() && distance(corners, middle) <= beyond + 1e-3 {
                    *owner = Some(at);
                }
            }
        }
    }

    pub(super) fn paint(
        &self,
        faces: &[Face],
        kind: &dyn Fn(&SurfaceSpot, &Face) -> [u8; 4],
        ground: [u8; 4],
        sources: &Sources<'_>,
    ) -> Result<Vec<[u8; 4]>, SceneFileFault> {
        let pixel = |(at, owner): (usize, &Option<u32>)| {
            sources.check_now_and_then(at)?;
            let Some(owner) = *owner else { return Ok(ground) };
            let (x, y) = (at as u32 % self.side, at as u32 / self.side);
            let face = &faces[owner as usize];
            Ok(kind(&face.spot(Vec2::new(x as f32, y as f32) + 0.5), face))
        };
        self.owners.iter().enumerate().map(pixel).collect()
    }
}

/// How far outside a triangle a point of the image lies, in pixels.
fn distance([a, b, c]: [Vec2; 3], at: Vec2) -> f32 {
    if shares([a, b, c], at).min_element() >= 0.0 {
        return 0.0;
    }
    let to_edge = |(from, to): (Vec2, Vec2)| {
        let edge = to - from;
        let along = (at - from).dot(edge) / edge.length_squared().max(1e-12);
        at.distance(from + edge * along.clamp(0.0, 1.0))
    };
    [(a, b), (b, c), (c, a)].map(to_edge).into_iter().fold(f32::INFINITY, f32::min)
}

//! The visible area of each object in a picture.

use super::{Look, luminance};

/// The visible area of one object.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Patch {
    /// Its index among the look's objects.
    pub(crate) object: u32,
    /// How many pixels show it.
    pub(crate) pixels: u32,
    /// The centroid of its visible pixels.
    pub(crate) middle: [f32; 2],
    /// A point well inside its visible area, in pixels.
    pub(crate) point: [f32; 2],
    /// The distance from that point to the edge of the area, in pixels.
    pub(crate) room: f32,
    /// Mean luminance, 1 for a white that is fully lit.
    pub(crate) luminance: f32,
}

impl Look {
    /// A patch for each visible object, largest first.
    pub(crate) fn patches(&self) -> Vec<Patch> {
        let mut sums: Vec<Sum> = vec![Sum::default(); self.objects.len()];
        let width = self.image.width as usize;
        for (at, (object, colour)) in self.aovs.object.iter().zip(&self.image.pixels).enumerate() {
            let Some(sum) = object.and_then(|object| sums.get_mut(object as usize)) else {
                continue;
            };
            sum.pixels += 1;
            sum.x += (at % width) as f64;
            sum.y += (at / width) as f64;
            sum.luminance += f64::from(luminance(*colour));
        }
        let depths = self.depths();
        for (at, object) in self.aovs.object.iter().enumerate() {
            let Some(sum) = object.and_then(|object| sums.get_mut(object as usize)) else {
                continue;
            };
            // The deepest pixel; among equally deep ones the nearest to the centroid.
            let [x, y] = sum.middle();
            let off = ((at % width) as f64 - x).hypot((at / width) as f64 - y);
            let worth = f64::from(depths[at]) - 0.2 * off;
            if sum.best.is_none_or(|(best, _)| worth > best) {
                sum.best = Some((worth, at));
            }
        }
        let mut patches: Vec<Patch> = (0..)
            .zip(sums)
            .filter_map(|(object, sum)| {
                let (_, at) = sum.best?;
                let count = f64::from(sum.pixels);
                Some(Patch {
                    object,
                    pixels: sum.pixels,
                    middle: sum.middle().map(|at| at as f32 + 0.5),
                    point: [(at % width) as f32 + 0.5, (at / width) as f32 + 0.5],
                    room: f32::from(depths[at]),
                    luminance: (sum.luminance / count) as f32,
                })
            })
            .collect();
        patches.sort_by_key(|patch| std::cmp::Reverse(patch.pixels));
        patches
    }

    /// The chessboard distance of each pixel to the edge of its object; the edge of the picture counts as
    /// an edge. Two-pass distance transform (Rosenfeld and Pfaltz 1966).
    fn depths(&self) -> Vec<u16> {
        let (width, height) = (self.image.width as usize, self.image.height as usize);
        let objects = &self.aovs.object;
        let mut depths = vec![0u16; objects.len()];
        let mut visit = |x: usize, y: usize, step: isize, is_second: bool| {
            let at = y * width + x;
            let neighbour = |dx: isize, dy: isize| {
                let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
                let at_other = y * width + x;
                (x < width && y < height && objects[at_other] == objects[at]).then_some(at_other)
            };
            let ways = [(step, 0), (0, step), (step, step), (-step, step)];
            let around = ways.map(|(dx, dy)| neighbour(dx, dy).map_or(0, |other| depths[other]));
            let deepest = around.into_iter().min().unwrap_or(0).saturating_add(1);
            depths[at] = if is_second { depths[at].min(deepest) } else { deepest };
        };
        for y in 0..height {
            (0..width).for_each(|x| visit(x, y, -1, false));
        }
        for y in (0..height).rev() {
            (0..width).rev().for_each(|x| visit(x, y, 1, true));
        }
        depths
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    pixels: u32,
    x: f64,
    y: f64,
    luminance: f64,
    /// The score of the best pixel so far, and its position.
    best: Option<(f64, usize)>,
}

impl Sum {
    fn middle(&self) -> [f64; 2] {
        let count = f64::from(self.pixels.max(1));
        [self.x / count, self.y / count]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use scene::{Id, Scene};
    use tracer::{Aovs, LinearImage};

    use super::*;

    /// A look with rows of letters: a blank is the sky, letters are the objects `a`, `b`, ...,
    /// whose brightness is their number from 1.
    fn look(rows: &[&str]) -> Look {
        let letters: Vec<u8> = rows.iter().flat_map(|row| row.bytes()).collect();
        let object = |letter: &u8| letter.checked_sub(b'a').map(u32::from);
        let objects: Vec<Option<u32>> = letters.iter().map(object).collect();
        let brightness = |object: &Option<u32>| [object.map_or(0.0, |at| at as f32 + 1.0); 3];
        let (width, height) = (rows[0].len() as u32, rows.len() as u32);
        let image = LinearImage { width, height, pixels: objects.iter().map(brightness).collect() };
        let aovs = Aovs {
            albedo: image.clone(),
            normal: image.clone(),
            depth: vec![1.0; letters.len()],
            object: objects,
        };
        let objects = ["a", "b", "c"].map(|id| Id::new(id).unwrap()).to_vec();
        let traced = std::time::Duration::ZERO;
        Look { scene: Arc::new(Scene::default()), image, aovs, objects, samples: 1.0, traced }
    }

    #[test]
    fn a_patch_tells_where_a_thing_is_seen() {
        let look = look(&["aaaaa   ", "aaaaa c ", "aaaaa   ", "aaaaa cc", "aaaaa cc"]);
        let patches = look.patches();
        assert_eq!(patches.iter().map(|patch| patch.object).collect::<Vec<_>>(), [0, 2]);
        let first = patches[0];
        assert_eq!((first.pixels, first.middle, first.point), (25, [2.5, 2.5], [2.5, 2.5]));
        assert_eq!(first.room, 3.0);
        assert!((first.luminance - 1.0).abs() < 1e-5 && (patches[1].luminance - 3.0).abs() < 1e-5);
        let [x, y] = patches[1].point;
        assert!(x > 6.0 && y > 1.0, "the point of '{}' lies on it", look.id(2));
    }

    #[test]
    fn the_point_of_a_ring_lies_on_the_ring() {
        let look = look(&["aaaaaaa", "a     a", "a     a", "aaaaaaa"]);
        let [x, y] = look.patches()[0].point;
        assert_eq!(look.aovs.object[y as usize * 7 + x as usize], Some(0));
    }
}

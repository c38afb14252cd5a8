//! What the camera sees apart from light, gathered over the samples of a pixel.

use glam::Vec3A;

use super::{Film, TILE, Tile};
use crate::denoise::{Guides, Rows, guide};
use crate::image::LinearImage;
use crate::integrator::Features;

/// Pictures of what the camera sees apart from light, row by row from the top left. At mirrors and
/// glass albedo and normal are those of what is seen in them, as denoisers want it.
#[derive(Debug, Clone, PartialEq)]
pub struct Aovs {
    /// Reflectance, 0 to 1; of lights and the sky their radiance, at most 1.
    pub albedo: LinearImage,
    /// World normals on the side of the viewer, mean over the samples: of unit length except at
    /// edges, 0 for the sky.
    pub normal: LinearImage,
    /// Distance from the camera in metres of what is met first, mean over the samples; infinite
    /// where only sky is seen.
    pub depth: Vec<f32>,
    /// What the first sample of the pixel meets first: its place among
    /// [`World::objects`](crate::World::objects). None for the sky.
    pub object: Vec<Option<u32>>,
}

/// Sums over the samples of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct FeatureSums {
    albedo: [f32; 3],
    normal: [f32; 3],
    emitted: [f32; 3],
    reach: f32,
    depth: f32,
    /// Samples that meet anything.
    hits: u32,
    samples: u32,
    /// Of the first sample.
    object: Option<u32>,
}

impl FeatureSums {
    pub(crate) fn add(&mut self, seen: &Features) {
        let add = |sums: &mut [f32; 3], value: Vec3A| {
            sums.iter_mut().zip(value.to_array()).for_each(|(sum, value)| *sum += value);
        };
        add(&mut self.albedo, seen.albedo);
        add(&mut self.normal, seen.normal);
        add(&mut self.emitted, seen.emitted);
        self.reach += seen.reach;
        self.depth += seen.depth;
        self.hits += u32::from(seen.object.is_some());
        if self.samples == 0 {
            self.object = seen.object;
        }
        self.samples += 1;
    }

    /// Tells the planes of [`Guides`] for a pixel of mean `radiance`.
    fn guide(&self, radiance: Vec3A, variance: f32, mut tell: impl FnMut(usize, f32)) {
        let share = self.share();
        let mut tell_three = |first: usize, values: [f32; 3]| {
            (first..).zip(values).for_each(|(plane, value)| tell(plane, value));
        };
        let emitted = Vec3A::from_array(self.emitted) * share;
        // What is left of the rounding where there is nothing else is no light.
        let scattered = (radiance - emitted).max(Vec3A::ZERO);
        tell_three(guide::SCATTERED, scattered.to_array());
        tell_three(guide::EMITTED, emitted.to_array());
        tell_three(guide::ALBEDO, self.albedo.map(|sum| sum * share));
        tell_three(guide::NORMAL, self.normal.map(|sum| sum * share));
        tell(guide::REACH, self.reach * share);
        tell(guide::VARIANCE, variance);
    }

    fn share(&self) -> f32 {
        1.0 / self.samples.max(1) as f32
    }
}

impl Film {
    /// Albedo, normal, depth and object of every pixel. `None` unless the film was made by
    /// [`with_features`](Self::with_features).
    pub fn aovs(&self) -> Option<Aovs> {
        self.has_features().then(|| {
            let picture = |value: &dyn Fn(&FeatureSums) -> [f32; 3]| {
                let pixels = self.gathered(|tile, at| value(&tile.features[at]));
                LinearImage { width: self.width(), height: self.height(), pixels }
            };
            Aovs {
                albedo: picture(&|sums| {
                    let emitted = Vec3A::from_array(sums.emitted) * sums.share();
                    let albedo = Vec3A::from_array(sums.albedo) * sums.share();
                    (albedo + emitted).min(Vec3A::ONE).to_array()
                }),
                normal: picture(&|sums| sums.normal.map(|sum| sum * sums.share())),
                depth: self.gathered(|tile, at| {
                    let sums = &tile.features[at];
                    if sums.hits == 0 { f32::INFINITY } else { sums.depth / sums.hits as f32 }
                }),
                object: self.gathered(|tile, at| tile.features[at].object),
            }
        })
    }

    /// What the denoiser works on; `None` without features.
    pub(crate) fn guides(&self, all_rows: Rows<'_>) -> Option<Guides> {
        self.has_features().then(|| {
            let mut guides = Guides::new(self.width as usize, self.height as usize);
            let splat_share = self.splat_share();
            all_rows.fill(&mut guides, |y, mut rows| {
                let tiles = self.tiles.chunks(self.tiles_per_row()).nth(y / TILE as usize);
                for tile in tiles.unwrap_or_default() {
                    let row = (y as u32 - tile.y) * tile.width;
                    for column in 0..tile.width {
                        let at = (row + column) as usize;
                        let x = (tile.x + column) as usize;
                        let (radiance, variance) = self.mean_and_variance(tile, at, splat_share);
                        tile.features[at].guide(radiance, variance, |plane, value| {
                            rows[plane][x] = value;
                        });
                    }
                }
            });
            guides
        })
    }

    fn has_features(&self) -> bool {
        self.tiles.iter().all(|tile| tile.features.len() == tile.pixels.len())
    }

    /// A value for each pixel, row by row, from its tile and its place there.
    fn gathered<T: Clone + Default>(&self, value: impl Fn(&Tile, usize) -> T) -> Vec<T> {
        let mut values = vec![T::default(); self.width() as usize * self.height() as usize];
        for tile in &self.tiles {
            for (at, place) in tile.places(self.width()).enumerate() {
                values[place] = value(tile, at);
            }
        }
        values
    }
}

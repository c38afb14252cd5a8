//! Feature buffers (AOVs) over the samples of a pixel.

use glam::Vec3A;

use super::feature_sums::FeatureSums;
use super::{Film, TILE, Tile};
use crate::denoise::{Guides, Rows};
use crate::image::LinearImage;

/// Feature images, row by row from the top left. At mirrors and glass, albedo and normal are those
/// of the reflected or transmitted surface, as denoisers expect.
#[derive(Debug, Clone, PartialEq)]
pub struct Aovs {
    /// Albedo, 0 to 1; for lights and the sky their radiance, at most 1.
    pub albedo: LinearImage,
    /// Mean world normals on the viewer's side: of unit length except at edges, 0 for the sky.
    pub normal: LinearImage,
    /// The mean distance in metres from the camera to the first hit; infinite if only sky is
    /// visible.
    pub depth: Vec<f32>,
    /// The object that the pixel's first sample hits first, by its index in
    /// [`World::objects`](crate::World::objects); `None` for the sky.
    pub object: Vec<Option<u32>>,
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

    /// The share of each pixel where the camera sees an object instead of the sky, row by row from
    /// the top left. `None` without features, unless the film gathers it alone.
    pub fn coverage(&self) -> Option<Vec<f32>> {
        if self.gathers_coverage() {
            let share =
                |tile: &Tile, at: usize| tile.hits[at] as f32 * (1.0 / tile.samples.max(1) as f32);
            return Some(self.gathered(share));
        }
        self.has_features().then(|| {
            self.gathered(|tile, at| {
                let sums = &tile.features[at];
                sums.hits as f32 * sums.share()
            })
        })
    }

    /// The input of the denoiser; `None` without features.
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

    /// Whether it was made by [`with_coverage`](Self::with_coverage).
    pub fn gathers_coverage(&self) -> bool {
        self.tiles.iter().any(|tile| !tile.hits.is_empty())
    }

    /// Whether it has feature buffers.
    pub fn has_features(&self) -> bool {
        self.tiles.iter().all(|tile| tile.features.len() == tile.pixels.len())
    }

    /// A value for each pixel, row by row; `value` gets the tile and the index in it.
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

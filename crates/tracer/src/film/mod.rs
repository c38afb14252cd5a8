//! The film: sums of samples per pixel.

mod feature_sums;
mod features;
mod part;
mod splats;

use glam::Vec3A;

pub(crate) use self::feature_sums::FeatureSums;
pub use self::features::Aovs;
pub(crate) use self::part::PartTile;
pub use self::part::{FilmPart, PartError};
use self::splats::Splats;
use crate::color::luminance;
use crate::image::LinearImage;
use crate::integrator::Splat;

/// The width of a tile in pixels. A sample for each of its 256 pixels takes under a millisecond,
/// and an image of 400 x 300 still has enough tiles for many threads.
pub(crate) const TILE: u32 = 16;

/// The number of samples from which a pixel's variance is reliable.
const MIN_SAMPLES: u32 = 32;

/// The sums of all samples per pixel, so that rendering can continue at any time.
///
/// A film belongs to one [`World`](crate::World) and one
/// [`RenderSettings`](crate::RenderSettings); samples of different ones must not be mixed.
#[derive(Debug, Clone, PartialEq)]
pub struct Film {
    width: u32,
    height: u32,
    /// Row by row. All pixels of a tile have the same number of samples.
    tiles: Vec<Tile>,
    /// Empty until there are splats.
    splats: Splats,
}

/// A square of the image, clipped at its right and lower border.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tile {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) width: u32,
    /// The number of samples of each of its pixels.
    pub(crate) samples: u32,
    pub(crate) pixels: Vec<Pixel>,
    /// One per pixel, or empty if the film has no features.
    pub(crate) features: Vec<FeatureSums>,
    /// The samples of each pixel that hit an object; empty if the film does not gather its coverage alone.
    pub(crate) hits: Vec<u32>,
}

impl Tile {
    /// The indices of its pixels in an image of `width` pixels per row.
    fn places(&self, width: u32) -> impl Iterator<Item = usize> + use<> {
        let Self { x, y, width: columns, .. } = *self;
        (0..self.pixels.len() as u32)
            .map(move |at| ((y + at / columns) * width + x + at % columns) as usize)
    }
}

/// The place and size of a tile.
#[derive(Debug, Clone, Copy)]
struct Outline {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

impl Outline {
    /// The tile without samples.
    fn tile(self, with_features: bool) -> Tile {
        let Self { x, y, width, height } = self;
        let count = (width * height) as usize;
        let pixels = vec![Pixel::default(); count];
        let features = vec![FeatureSums::default(); if with_features { count } else { 0 }];
        Tile { x, y, width, samples: 0, pixels, features, hits: Vec::new() }
    }
}

/// The tiles of an image, row by row.
fn outlines([width, height]: [u32; 2]) -> impl Iterator<Item = Outline> {
    let corners = (0..height)
        .step_by(TILE as usize)
        .flat_map(move |y| (0..width).step_by(TILE as usize).map(move |x| (x, y)));
    corners.map(move |(x, y)| {
        let (width, height) = ((width - x).min(TILE), (height - y).min(TILE));
        Outline { x, y, width, height }
    })
}

/// Adds splats to the film, from any thread.
#[derive(Clone, Copy)]
pub(crate) struct SplatTarget<'a> {
    splats: &'a Splats,
    width: u32,
}

impl SplatTarget<'_> {
    pub(crate) fn add(self, splat: &Splat) {
        self.splats.add((splat.pixel.y * self.width + splat.pixel.x) as usize, splat);
    }
}

/// Sums over the samples of a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Pixel {
    /// Linear radiance.
    sum: [f32; 3],
    /// The sum of the squared luminances.
    sum_of_squares: f32,
}

impl Pixel {
    pub(crate) fn add(&mut self, radiance: Vec3A) {
        for (sum, channel) in self.sum.iter_mut().zip(radiance.to_array()) {
            *sum += channel;
        }
        let luminance = luminance(radiance);
        self.sum_of_squares += luminance * luminance;
    }

    fn mean(&self, samples: u32) -> [f32; 3] {
        let share = 1.0 / samples.max(1) as f32;
        self.sum.map(|sum| sum * share)
    }

    /// The mean luminance and its squared standard error, without splats. Needs two samples.
    fn luminance_and_variance(&self, samples: u32) -> (f64, f64) {
        let count = f64::from(samples);
        let mean = f64::from(luminance(Vec3A::from_array(self.mean(samples))));
        let spread = (f64::from(self.sum_of_squares) / count - mean * mean).max(0.0);
        (mean, spread / (count - 1.0))
    }
}

impl Film {
    /// The approximate memory per pixel of a film made by [`with_features`](Self::with_features):
    /// tiles add less than a hundredth.
    pub const BYTES_PER_PIXEL: usize = size_of::<Pixel>() + size_of::<FeatureSums>();

    /// An empty film of `width` x `height` pixels.
    pub fn new(width: u32, height: u32) -> Self {
        Self::empty([width, height], false)
    }

    /// An empty film with feature buffers for a denoiser: see [`aovs`](Self::aovs). Samples take up
    /// to a fifth longer.
    pub fn with_features(width: u32, height: u32) -> Self {
        Self::empty([width, height], true)
    }

    /// An empty film that gathers its [`coverage`](Self::coverage) and no other features, with a fifteenth of
    /// their memory. A [part](FilmPart) of it cannot go through bytes.
    pub fn with_coverage(width: u32, height: u32) -> Self {
        let mut film = Self::new(width, height);
        film.tiles.iter_mut().for_each(|tile| tile.hits = vec![0; tile.pixels.len()]);
        film
    }

    fn empty([width, height]: [u32; 2], with_features: bool) -> Self {
        let tiles = outlines([width, height]).map(|outline| outline.tile(with_features));
        Self { width, height, tiles: tiles.collect(), splats: Splats::default() }
    }

    /// Pixels per row.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The minimum number of samples per pixel.
    pub fn samples(&self) -> u32 {
        self.tiles.iter().map(|tile| tile.samples).min().unwrap_or(0)
    }

    /// The number of samples of the pixel at `x`, `y`. Tiles may differ after a cancelled pass.
    pub fn samples_at(&self, x: u32, y: u32) -> u32 {
        let tile = (y / TILE) as usize * self.tiles_per_row() + (x / TILE) as usize;
        self.tiles.get(tile).map_or(0, |tile| tile.samples)
    }

    /// The mean number of samples per pixel.
    pub fn mean_samples(&self) -> f64 {
        let total: f64 =
            self.tiles.iter().map(|tile| f64::from(tile.samples) * tile.pixels.len() as f64).sum();
        let pixels = f64::from(self.width) * f64::from(self.height);
        if pixels == 0.0 { 0.0 } else { total / pixels }
    }

    /// The mean of the samples so far; black where there are none.
    pub fn linear(&self) -> LinearImage {
        let mut pixels = vec![[0.0; 3]; self.width as usize * self.height as usize];
        let splat_share = self.splat_share() as f32;
        for tile in &self.tiles {
            for (index, pixel) in tile.places(self.width).zip(&tile.pixels) {
                let splats = self.splats.get(index).0 * splat_share;
                pixels[index] = (Vec3A::from_array(pixel.mean(tile.samples)) + splats).to_array();
            }
        }
        LinearImage { width: self.width, height: self.height, pixels }
    }

    fn tiles_per_row(&self) -> usize {
        self.width.div_ceil(TILE).max(1) as usize
    }

    /// The mean radiance of a pixel and the squared standard error of its luminance (0 below two
    /// samples). `at` is its index in the tile.
    fn mean_and_variance(&self, tile: &Tile, at: usize, splat_share: f64) -> (Vec3A, f32) {
        let pixel = &tile.pixels[at];
        let radiance = Vec3A::from_array(pixel.mean(tile.samples));
        let (_, variance) = pixel.luminance_and_variance(tile.samples.max(2));
        let variance = if tile.samples < 2 { 0.0 } else { variance };
        if !self.splats.is_used() {
            return (radiance, variance as f32);
        }
        let (x, y) = (tile.x + at as u32 % tile.width, tile.y + at as u32 / tile.width);
        let (splats, squares) = self.splats.get((y * self.width + x) as usize);
        // Splats are a Poisson process: the variance of their sum is the sum of their squares.
        let variance = variance + squares * splat_share * splat_share;
        (radiance + splats * splat_share as f32, variance as f32)
    }

    /// The weight of a splat: light paths belong to all samples of the image.
    fn splat_share(&self) -> f64 {
        let samples = self.mean_samples();
        if samples > 0.0 { 1.0 / samples } else { 0.0 }
    }

    /// The tiles, for any number of threads, and the target of splats.
    pub(crate) fn parts(&mut self, with_splats: bool) -> (&mut [Tile], SplatTarget<'_>) {
        if with_splats && !self.splats.is_used() {
            self.splats = Splats::new(self.width as usize * self.height as usize);
        }
        (&mut self.tiles, SplatTarget { splats: &self.splats, width: self.width })
    }

    /// The estimated noise of the image: the mean over all pixels of the standard error of a
    /// pixel's luminance, relative to that luminance plus a tenth of the image's mean (so that
    /// black pixels matter little). 0.05 means a typical error of 5 %. It halves with four times
    /// the samples or faster; stratified samples make it an overestimate.
    ///
    /// `None` before every pixel has two samples, and for a black image.
    pub fn noise(&self) -> Option<f32> {
        if self.samples() < 2 {
            return None;
        }
        let errors = self.relative_variances()?;
        let sum: f64 = errors.iter().flatten().map(|variance| variance.sqrt()).sum();
        Some((sum / (f64::from(self.width) * f64::from(self.height))) as f32)
    }

    /// The tiles with enough samples and less noise than `threshold`. `by_tile`: each is judged on
    /// its own instead of all together.
    ///
    /// The noise of a tile is the root mean square over its pixels, which is at least the mean that
    /// [`noise`](Self::noise) uses, so that a few noisy pixels count.
    pub(crate) fn settled(&self, threshold: f32, by_tile: bool) -> Vec<bool> {
        let limit = f64::from(threshold).powi(2);
        if self.samples() < MIN_SAMPLES {
            return vec![false; self.tiles.len()];
        }
        let Some(errors) = self.relative_variances() else {
            // A black image is finished.
            return vec![true; self.tiles.len()];
        };
        let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        if by_tile {
            errors.iter().map(|tile| mean(tile) <= limit).collect()
        } else {
            vec![mean(&errors.concat()) <= limit; self.tiles.len()]
        }
    }

    /// The relative variance of each pixel's luminance, row by row. `None` for a black image.
    pub(crate) fn relative_variances_by_row(&self) -> Option<Vec<f32>> {
        let by_tile = self.relative_variances()?;
        let mut rows = vec![0.0; self.width as usize * self.height as usize];
        for (tile, variances) in self.tiles.iter().zip(by_tile) {
            for (place, variance) in tile.places(self.width).zip(variances) {
                rows[place] = variance as f32;
            }
        }
        Some(rows)
    }

    /// For each tile, the relative variance of each pixel's luminance. `None` for a black image.
    fn relative_variances(&self) -> Option<Vec<Vec<f64>>> {
        let estimates = self.luminances();
        let count = f64::from(self.width) * f64::from(self.height);
        let floor = 0.1 * estimates.iter().flatten().map(|(mean, _)| mean).sum::<f64>() / count;
        let relative = |(mean, variance): &(f64, f64)| variance / (mean + floor).powi(2);
        (floor > 0.0)
            .then(|| estimates.iter().map(|tile| tile.iter().map(relative).collect()).collect())
    }

    /// For each tile, each pixel's luminance and its squared standard error.
    pub(crate) fn luminances(&self) -> Vec<Vec<(f64, f64)>> {
        let splat_share = self.splat_share();
        let of_pixel = |tile: &Tile, at: usize| {
            let (radiance, variance) = self.mean_and_variance(tile, at, splat_share);
            (f64::from(luminance(radiance)), f64::from(variance))
        };
        self.tiles
            .iter()
            .map(|tile| (0..tile.pixels.len()).map(|at| of_pixel(tile, at)).collect())
            .collect()
    }
}

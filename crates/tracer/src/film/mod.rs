//! The film: sums of samples per pixel.

mod feature_sums;
mod features;
mod splats;

use glam::Vec3A;

pub(crate) use self::feature_sums::FeatureSums;
pub use self::features::Aovs;
use self::splats::Splats;
use crate::color::luminance;
use crate::image::LinearImage;
use crate::integrator::Splat;

/// Edge of a tile in pixels: a sample of each of its 256 pixels takes under a millisecond, and a
/// picture of 400 x 300 still has enough tiles for many threads.
pub(crate) const TILE: u32 = 16;

/// Samples from which the spread of a pixel's samples says how noisy it is.
const FEWEST_SAMPLES: u32 = 32;

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
    /// Empty until light from the sources is gathered.
    splats: Splats,
}

/// A square of the picture, cut off at its right and lower border.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tile {
    pub(crate) x: u32,
    pub(crate) y: u32,
    pub(crate) width: u32,
    /// Samples every pixel of the tile has.
    pub(crate) samples: u32,
    pub(crate) pixels: Vec<Pixel>,
    /// As many, or none when the film gathers no features.
    pub(crate) features: Vec<FeatureSums>,
}

impl Tile {
    /// The places of its pixels in a picture of `width` pixels a row.
    fn places(&self, width: u32) -> impl Iterator<Item = usize> + use<> {
        let Self { x, y, width: columns, .. } = *self;
        (0..self.pixels.len() as u32)
            .map(move |at| ((y + at / columns) * width + x + at % columns) as usize)
    }
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
    /// Of the squared luminance.
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

    /// The mean luminance and the square of its standard error, splats apart. Needs two samples.
    fn luminance_and_variance(&self, samples: u32) -> (f64, f64) {
        let count = f64::from(samples);
        let mean = f64::from(luminance(Vec3A::from_array(self.mean(samples))));
        let spread = (f64::from(self.sum_of_squares) / count - mean * mean).max(0.0);
        (mean, spread / (count - 1.0))
    }
}

impl Film {
    /// Bytes a pixel of a film made by [`with_features`](Self::with_features), nearly: tiles add less
    /// than a hundredth.
    pub const BYTES_PER_PIXEL: usize = size_of::<Pixel>() + size_of::<FeatureSums>();

    /// An empty film of `width` x `height` pixels.
    pub fn new(width: u32, height: u32) -> Self {
        Self::empty([width, height], false)
    }

    /// An empty film that also gathers what a denoiser wants to know: see [`aovs`](Self::aovs). A
    /// sample takes up to a fifth longer.
    pub fn with_features(width: u32, height: u32) -> Self {
        Self::empty([width, height], true)
    }

    fn empty([width, height]: [u32; 2], with_features: bool) -> Self {
        let corners = (0..height)
            .step_by(TILE as usize)
            .flat_map(|y| (0..width).step_by(TILE as usize).map(move |x| (x, y)));
        let tiles = corners.map(|(x, y)| {
            let (columns, rows) = ((width - x).min(TILE), (height - y).min(TILE));
            let count = (columns * rows) as usize;
            let pixels = vec![Pixel::default(); count];
            let features = vec![FeatureSums::default(); if with_features { count } else { 0 }];
            Tile { x, y, width: columns, samples: 0, pixels, features }
        });
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

    /// Samples every pixel has at least.
    pub fn samples(&self) -> u32 {
        self.tiles.iter().map(|tile| tile.samples).min().unwrap_or(0)
    }

    /// Samples the pixel at `x`, `y` has. After a cancelled pass tiles may differ.
    pub fn samples_at(&self, x: u32, y: u32) -> u32 {
        let tile = (y / TILE) as usize * self.tiles_per_row() + (x / TILE) as usize;
        self.tiles.get(tile).map_or(0, |tile| tile.samples)
    }

    /// Samples per pixel on average.
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

    /// The mean radiance of a pixel and the square of the standard error of its luminance (0 below
    /// two samples). `at` is its place in the tile.
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
        // Splats come at random times: the variance of their sum is the sum of their squares.
        let variance = variance + squares * splat_share * splat_share;
        (radiance + splats * splat_share as f32, variance as f32)
    }

    /// What a splat counts for: light paths belong to all samples of the picture.
    fn splat_share(&self) -> f64 {
        let samples = self.mean_samples();
        if samples > 0.0 { 1.0 / samples } else { 0.0 }
    }

    /// The tiles, to be advanced by any number of threads, and where their splats go.
    pub(crate) fn parts(&mut self, with_splats: bool) -> (&mut [Tile], SplatTarget<'_>) {
        if with_splats && !self.splats.is_used() {
            self.splats = Splats::new(self.width as usize * self.height as usize);
        }
        (&mut self.tiles, SplatTarget { splats: &self.splats, width: self.width })
    }

    /// The estimated noise of the picture: the mean over all pixels of the standard error of a
    /// pixel's luminance, relative to that luminance plus a tenth of the picture's mean (so that
    /// black pixels count for little). 0.05 reads "typically wrong by 5 %". It halves with four
    /// times the samples or faster; stratified samples make it an overestimate.
    ///
    /// `None` before every pixel has two samples, and for a picture without light.
    pub fn noise(&self) -> Option<f32> {
        if self.samples() < 2 {
            return None;
        }
        let errors = self.relative_variances()?;
        let sum: f64 = errors.iter().flatten().map(|variance| variance.sqrt()).sum();
        Some((sum / (f64::from(self.width) * f64::from(self.height))) as f32)
    }

    /// Which tiles are less noisy than `threshold` and have enough samples to tell; `by_tile` says
    /// that each is asked for itself rather than all of them together.
    ///
    /// The noise of a tile is the root of the mean square over its pixels, which is at least the mean
    /// that [`noise`](Self::noise) takes: a few noisy pixels are not outvoted by quiet ones.
    pub(crate) fn settled(&self, threshold: f32, by_tile: bool) -> Vec<bool> {
        let limit = f64::from(threshold).powi(2);
        if self.samples() < FEWEST_SAMPLES {
            return vec![false; self.tiles.len()];
        }
        let Some(errors) = self.relative_variances() else {
            // Without any light there is nothing to wait for.
            return vec![true; self.tiles.len()];
        };
        let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        if by_tile {
            errors.iter().map(|tile| mean(tile) <= limit).collect()
        } else {
            vec![mean(&errors.concat()) <= limit; self.tiles.len()]
        }
    }

    /// Tile by tile the squared standard error of each pixel's luminance relative to it. `None` for a
    /// picture without light.
    fn relative_variances(&self) -> Option<Vec<Vec<f64>>> {
        let estimates = self.luminances();
        let count = f64::from(self.width) * f64::from(self.height);
        let floor = 0.1 * estimates.iter().flatten().map(|(mean, _)| mean).sum::<f64>() / count;
        let relative = |(mean, variance): &(f64, f64)| variance / (mean + floor).powi(2);
        (floor > 0.0)
            .then(|| estimates.iter().map(|tile| tile.iter().map(relative).collect()).collect())
    }

    /// Tile by tile each pixel's luminance and the square of its standard error.
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

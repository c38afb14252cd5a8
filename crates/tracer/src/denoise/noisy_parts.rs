//! Denoising only where there is noise: elsewhere the filter would cost more detail than it removes noise.

use super::denoise_unless;
use crate::film::Film;
use crate::image::LinearImage;

/// Noise is judged over a square of so many pixels to each side.
const REACH: usize = 3;
/// With fewer samples per pixel, noise is judged badly, and all is denoised.
const JUDGED: u32 = 16;

/// The image of `film`, denoised where its noise (as [`Film::noise`] measures it, but nearby) is above `quiet`, and
/// as it is where it is below half of that; between, a mixture. `None` if nothing is to be denoised, without
/// features, or when cancelled.
pub fn denoise_noisy_parts(
    film: &Film,
    quiet: f32,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<LinearImage> {
    let noise = (film.samples() >= JUDGED).then(|| film.relative_variances_by_row()).flatten();
    let Some(variances) = noise else { return denoise_unless(film, cancelled) };
    let (width, height) = (film.width() as usize, film.height() as usize);
    let shares: Vec<f32> = nearby_means(&variances, width, height)
        .into_iter()
        .map(|variance| (2.0 * variance.sqrt() / quiet - 1.0).clamp(0.0, 1.0))
        .collect();
    if shares.iter().all(|share| *share == 0.0) || cancelled() {
        return None;
    }
    let mut picture = denoise_unless(film, cancelled)?;
    let plain = film.linear();
    for ((pixel, plain), share) in picture.pixels.iter_mut().zip(&plain.pixels).zip(&shares) {
        for (channel, plain) in pixel.iter_mut().zip(plain) {
            *channel = plain + share * (*channel - plain);
        }
    }
    Some(picture)
}

/// For each place, the mean of the values up to [`REACH`] away.
fn nearby_means(values: &[f32], width: usize, height: usize) -> Vec<f32> {
    let rows: Vec<f32> = values.chunks_exact(width.max(1)).flat_map(sliding_means).collect();
    let mut means = vec![0.0; values.len()];
    let mut column = Vec::with_capacity(height);
    for x in 0..width {
        column.clear();
        column.extend((0..height).map(|y| rows[y * width + x]));
        sliding_means(&column).enumerate().for_each(|(y, mean)| means[y * width + x] = mean);
    }
    means
}

fn sliding_means(line: &[f32]) -> impl Iterator<Item = f32> + '_ {
    (0..line.len()).map(|at| {
        let near = &line[at.saturating_sub(REACH)..(at + REACH + 1).min(line.len())];
        near.iter().sum::<f32>() / near.len() as f32
    })
}

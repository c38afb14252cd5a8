//! The built-in denoiser: smooths what is noisy along surfaces, not across them.
//!
//! Light is divided by the reflectance of the surface it comes from, so that texture is not noise to
//! the filter, and lights and sky themselves are left out. What remains is smoothed by an a-trous
//! wavelet whose taps count for less across borders of normal, depth and reflectance, and where the
//! difference is more than the estimated noise explains: Dammertz et al. 2010, "Edge-Avoiding
//! A-Trous Wavelet Transform", with the variance guide of Schied et al. 2017, "Spatiotemporal
//! Variance-Guided Filtering".
//!
//! It brings a little bias (soft shadows of small things, caustics of few pixels) for much less
//! noise, and does less the less noise there is.

mod atrous;
mod planes;
mod prepare;

pub(crate) use planes::{Planes, Rows};

use crate::film::Film;
use crate::image::LinearImage;

/// The picture on `film` with less noise; `None` unless the film was made by
/// [`Film::with_features`]. Runs on the rayon pool it is called in.
pub fn denoise(film: &Film) -> Option<LinearImage> {
    denoise_unless(film, &|| false)
}

/// As [`denoise`]; `None` when cancelled, too. `cancelled` is asked before each row of each step, from
/// all threads.
pub fn denoise_unless(film: &Film, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<LinearImage> {
    let all_rows = Rows { cancelled };
    let guides = film.guides(all_rows)?;
    let picture = smooth(&guides, film.samples(), all_rows);
    // What was made of rows that were left out is no picture.
    (!cancelled()).then_some(picture)
}

/// `samples` are those of the pixel that has the fewest.
fn smooth(guides: &Guides, samples: u32, all_rows: Rows<'_>) -> LinearImage {
    let mut signal = prepare::demodulate(guides, all_rows);
    prepare::estimate_variance(samples, &mut signal, all_rows);
    prepare::take_off_spikes(&mut signal, all_rows);
    let signal = atrous::smooth(&prepare::borders(guides, all_rows), signal, all_rows);
    prepare::modulate(guides, &signal, all_rows)
}

/// What a film knows about each pixel, plane by plane.
pub(crate) type Guides = Planes<14>;

/// The planes of [`Guides`]; what has three begins at the first.
pub(crate) mod guide {
    /// Radiance without what is seen of lights and the sky themselves.
    pub(crate) const SCATTERED: usize = 0;
    /// Radiance of lights and the sky themselves.
    pub(crate) const EMITTED: usize = 3;
    pub(crate) const ALBEDO: usize = 6;
    pub(crate) const NORMAL: usize = 9;
    /// Length of the way to the surface in metres, 0 for the sky.
    pub(crate) const REACH: usize = 12;
    /// Of the luminance of the mean; meaningless below two samples.
    pub(crate) const VARIANCE: usize = 13;
}

/// What is smoothed: light over reflectance, and the variance of its luminance.
type Signal = Planes<4>;
const VARIANCE: usize = 3;

/// What is not smoothed across. Six planes of mean normals and reflectances, scaled so that a
/// difference of 1 divides the weight by e, then those below.
type Borders = Planes<10>;
/// One over the distance, which is linear over the picture of a plane.
const NEARNESS: usize = 6;
/// The slope of the nearness along x and along y, per pixel.
const SLOPE: usize = 7;
/// One over the squared difference of nearness, from what the slope foretells, that divides the
/// weight by e.
const SHARPNESS: usize = 9;

/// The luminance of light in a row.
fn luminance(red: &[f32], green: &[f32], blue: &[f32], into: &mut [f32]) {
    let colors = red.iter().zip(green).zip(blue);
    for (into, ((red, green), blue)) in into.iter_mut().zip(colors) {
        *into = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }
}

#[cfg(test)]
mod tests;

//! The built-in denoiser: an edge-avoiding, variance-guided wavelet filter.
//!
//! Light is divided by the reflectance of the surface it comes from, so that texture is not noise to
//! the filter, and lights and sky themselves are left out. What remains is smoothed by an a-trous
//! wavelet whose taps count for less across borders of normal, depth and reflectance, and where the
//! difference is more than the estimated noise explains: Dammertz et al. 2010, "Edge-Avoiding
//! A-Trous Wavelet Transform", with the variance guide of Schied et al. 2017, "Spatiotemporal
//! Variance-Guided Filtering".
//!
//! It trades much noise for a little bias (soft shadows of small objects, caustics of few pixels),
//! and filters less the less noise there is.

mod atrous;
mod guides;
mod planes;
mod prepare;
mod signal;

pub(crate) use guides::{Guides, guide};
pub(crate) use planes::Rows;

use crate::film::Film;
use crate::image::LinearImage;

/// The denoised picture of `film`; `None` unless the film was made by [`Film::with_features`]. Runs
/// on the rayon pool it is called in.
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

#[cfg(test)]
mod tests;

//! The built-in denoiser: an edge-avoiding, variance-guided wavelet filter.
//!
//! Light is divided by the albedo of its surface, so that texture does not count as noise, and
//! directly visible lights and sky are excluded. The rest is smoothed by an a-trous wavelet whose
//! taps have less weight across edges of normal, depth and albedo, and where the difference exceeds
//! the estimated noise: Dammertz et al. 2010, "Edge-Avoiding A-Trous Wavelet Transform", with the
//! variance guide of Schied et al. 2017, "Spatiotemporal Variance-Guided Filtering".
//!
//! The result has a small bias (soft shadows of small objects, caustics of few pixels). The filter
//! is weaker the less noise there is.

mod atrous;
mod guides;
mod noisy_parts;
mod planes;
mod prepare;
mod signal;

pub(crate) use guides::{Guides, guide};
pub use noisy_parts::denoise_noisy_parts;
pub(crate) use planes::Rows;

use crate::film::Film;
use crate::image::LinearImage;

/// The denoised image of `film`; `None` unless the film was made by [`Film::with_features`]. Runs
/// on the current rayon pool.
pub fn denoise(film: &Film) -> Option<LinearImage> {
    denoise_unless(film, &|| false)
}

/// Like [`denoise`]; also `None` when cancelled. `cancelled` is polled before each row of each
/// step, from all threads.
pub fn denoise_unless(film: &Film, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<LinearImage> {
    let all_rows = Rows { cancelled };
    let guides = film.guides(all_rows)?;
    let picture = smooth(&guides, film.samples(), all_rows);
    // A cancelled filter leaves rows out.
    (!cancelled()).then_some(picture)
}

/// `samples` is the minimum over all pixels.
fn smooth(guides: &Guides, samples: u32, all_rows: Rows<'_>) -> LinearImage {
    let mut signal = prepare::demodulate(guides, all_rows);
    prepare::estimate_variance(samples, &mut signal, all_rows);
    prepare::take_off_spikes(&mut signal, all_rows);
    let signal = atrous::smooth(&prepare::borders(guides, all_rows), signal, all_rows);
    prepare::modulate(guides, &signal, all_rows)
}

#[cfg(test)]
mod tests;

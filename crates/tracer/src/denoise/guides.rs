//! Input of the denoiser.

use super::planes::Planes;

/// Feature buffers, plane by plane.
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

//! Input of the denoiser.

use super::planes::Planes;

/// Feature buffers, plane by plane.
pub(crate) type Guides = Planes<14>;

/// The planes of [`Guides`]; vectors occupy three planes from the given one on.
pub(crate) mod guide {
    /// Radiance except for directly visible lights and sky.
    pub(crate) const SCATTERED: usize = 0;
    /// Radiance of directly visible lights and sky.
    pub(crate) const EMITTED: usize = 3;
    pub(crate) const ALBEDO: usize = 6;
    pub(crate) const NORMAL: usize = 9;
    /// Length of the path to the surface in metres, 0 for the sky.
    pub(crate) const REACH: usize = 12;
    /// The variance of the mean's luminance; meaningless below two samples.
    pub(crate) const VARIANCE: usize = 13;
}

//! What is given to the denoiser.

/// A picture and its guides: three 32-bit numbers a pixel, row by row from the top left.
#[derive(Debug, Clone, Copy)]
pub struct Pictures<'a> {
    /// Pixels per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Linear radiance, unclamped.
    pub color: &'a [f32],
    /// Reflectance, 0 to 1.
    pub albedo: &'a [f32],
    /// World normals.
    pub normal: &'a [f32],
}

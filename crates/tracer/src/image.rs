//! Linear images.

/// An image in linear sRGB, unclamped, row by row from the top left.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearImage {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height` pixels.
    pub pixels: Vec<[f32; 3]>,
}

impl LinearImage {
    /// The mean over all pixels, per channel. Zero for an empty picture.
    pub fn mean(&self) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for pixel in &self.pixels {
            for (total, channel) in sum.iter_mut().zip(pixel) {
                *total += f64::from(*channel);
            }
        }
        sum.map(|total| total / self.pixels.len().max(1) as f64)
    }

    /// The image upscaled to `width` x `height`, where each of its pixels covers a square of
    /// `block` pixels, by bilinear interpolation between the centres of the squares.
    pub(crate) fn upscaled(&self, block: u32, width: u32, height: u32) -> Self {
        let weights = |at: u32, count: u32| {
            let position = ((at as f32 + 0.5) / block as f32 - 0.5).clamp(0.0, count as f32 - 1.0);
            let low = position as u32;
            (low, (low + 1).min(count - 1), position - low as f32)
        };
        let columns: Vec<_> = (0..width).map(|x| weights(x, self.width)).collect();
        let mut pixels = Vec::with_capacity((width * height) as usize);
        for y in 0..height {
            let (top, bottom, down) = weights(y, self.height);
            let row = |at: u32| &self.pixels[(at * self.width) as usize..][..self.width as usize];
            let (top, bottom) = (row(top), row(bottom));
            pixels.extend(columns.iter().map(|&(left, right, along)| {
                let (left, right) = (left as usize, right as usize);
                std::array::from_fn(|channel| {
                    let mix = |row: &[[f32; 3]]| {
                        row[left][channel] + along * (row[right][channel] - row[left][channel])
                    };
                    let (above, below) = (mix(top), mix(bottom));
                    above + down * (below - above)
                })
            }));
        }
        Self { width, height, pixels }
    }
}

//! Images with several planes, stored so that a row of a plane is a slice.

use rayon::prelude::*;

/// `COUNT` planes of an image, interleaved by row.
#[derive(Debug, Clone)]
pub(crate) struct Planes<const COUNT: usize> {
    width: usize,
    values: Vec<f32>,
}

impl<const COUNT: usize> Planes<COUNT> {
    /// Planes of zeros.
    pub(crate) fn new(width: usize, height: usize) -> Self {
        Self { width, values: vec![0.0; COUNT * width * height] }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.values.len().checked_div(COUNT * self.width).unwrap_or(0)
    }

    /// A row of one plane.
    #[inline]
    pub(crate) fn row(&self, plane: usize, y: usize) -> &[f32] {
        &self.values[(y * COUNT + plane) * self.width..][..self.width]
    }
}

/// Iterates over rows on the current rayon pool, until cancelled.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl Rows<'_> {
    /// Calls `fill` with each row's number and all its planes.
    pub(crate) fn fill<const COUNT: usize>(
        self,
        planes: &mut Planes<COUNT>,
        fill: impl Fn(usize, [&mut [f32]; COUNT]) + Sync,
    ) {
        let width = planes.width.max(1);
        planes.values.par_chunks_mut(COUNT * width).with_min_len(4).enumerate().for_each(
            |(y, values)| {
                if (self.cancelled)() {
                    return;
                }
                let mut rows = values.chunks_mut(width);
                fill(y, std::array::from_fn(|_| rows.next().unwrap_or_default()));
            },
        );
    }
}

//! What differs between two pictures, so that only that is written.

/// A part of a picture, in pixels from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) left: u32,
    pub(super) top: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// Bytes of a pixel.
const BYTES: usize = 3;

impl Region {
    /// All of a picture.
    pub(super) fn whole([width, height]: [u32; 2]) -> Self {
        Self { left: 0, top: 0, width, height }
    }

    /// The smallest part with all pixels that differ; its left and top are even, as WebP wants it. One
    /// pixel where nothing differs.
    pub(super) fn changed(before: &[u8], after: &[u8], [width, height]: [u32; 2]) -> Self {
        let row_bytes = width as usize * BYTES;
        let mut found: Option<[u32; 4]> = None;
        let rows = before.chunks_exact(row_bytes).zip(after.chunks_exact(row_bytes));
        for (y, (old, new)) in (0..height).zip(rows) {
            if old == new {
                continue;
            }
            let first = old.iter().zip(new).position(|(old, new)| old != new).unwrap_or(0) / BYTES;
            let last = old.iter().zip(new).rposition(|(old, new)| old != new).unwrap_or(0) / BYTES;
            let (first, last) = (first as u32, last as u32);
            let [left, top, right, _] = found.unwrap_or([first, y, last, y]);
            found = Some([left.min(first), top, right.max(last), y]);
        }
        let [left, top, right, bottom] = found.unwrap_or_default();
        let (left, top) = (left & !1, top & !1);
        Self { left, top, width: right - left + 1, height: bottom - top + 1 }
    }

    /// The pixels of this part of a picture that is `width` pixels wide.
    pub(super) fn cut(self, picture: &[u8], width: u32) -> Vec<u8> {
        let row_bytes = width as usize * BYTES;
        let (start, end) = (self.left as usize * BYTES, (self.left + self.width) as usize * BYTES);
        let rows = picture.chunks_exact(row_bytes).skip(self.top as usize);
        rows.take(self.height as usize).flat_map(|row| &row[start..end]).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Region;

    #[test]
    fn only_what_differs_is_cut_out() {
        let size = [5, 4];
        let before = vec![7_u8; 5 * 4 * 3];
        let mut after = before.clone();
        let pixel = |x: usize, y: usize| (y * 5 + x) * 3;
        after[pixel(3, 1) + 2] = 9;
        after[pixel(4, 2)] = 8;
        let region = Region::changed(&before, &after, size);
        assert_eq!(region, Region { left: 2, top: 0, width: 3, height: 3 });
        let cut = region.cut(&after, 5);
        assert_eq!(cut.len(), 3 * 3 * 3);
        assert_eq!((cut[(3 + 1) * 3 + 2], cut[(2 * 3 + 2) * 3]), (9, 8));
        let same = Region::changed(&before, &before, size);
        assert_eq!(same, Region { left: 0, top: 0, width: 1, height: 1 });
        assert_eq!(Region::whole(size).cut(&after, 5), after);
    }
}

//! A sheet: several views in one picture, each with a caption.

mod canvas;
mod labels;
mod text;

pub(crate) use canvas::{Canvas, Colour};
pub(crate) use labels::{Named, write_names};

/// The background between and around views, and below their captions.
const PAPER: Colour = [24, 26, 32];
const INK: Colour = [236, 238, 242];
/// The gap between views in pixels.
const GAP: u32 = 4;

/// The number of columns that makes the longer side of the sheet shortest, since providers scale
/// pictures by their longer side.
pub(crate) fn columns(count: u32, [width, height]: [u32; 2]) -> u32 {
    let longest = |columns: &u32| (columns * width).max(count.div_ceil(*columns) * height);
    (1..=count).min_by_key(longest).unwrap_or(1)
}

/// The height of the caption of a view of this size, in pixels.
pub(crate) fn caption_height(size: [u32; 2]) -> u32 {
    (labels::text_size(size) * 1.35).ceil() as u32
}

/// The views with their captions, row by row. All have the size of the first one.
pub(crate) fn sheet(views: &[(String, Canvas)]) -> Canvas {
    let size = views.first().map_or([1, 1], |(_, view)| view.size());
    let count = u32::try_from(views.len()).unwrap_or(1).max(1);
    let columns = columns(count, size);
    let caption = caption_height(size);
    let step = [size[0] + GAP, size[1] + caption + GAP];
    let rows = count.div_ceil(columns);
    let mut sheet = Canvas::filled(columns * step[0] + GAP, rows * step[1] + GAP, PAPER);
    let text_size = labels::text_size(size);
    for (at, (title, view)) in (0..).zip(views) {
        let (left, top) = (GAP + at % columns * step[0], GAP + at / columns * step[1]);
        let title = text::shortened(title, text_size, size[0] as f32 - 8.0);
        let corner = [left as f32 + 3.0, top as f32 + 0.5 * (caption as f32 - text_size)];
        text::write(&mut sheet, &title, text_size, corner, INK);
        sheet.put(view, left, top + caption);
    }
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_is_as_compact_as_can_be() {
        let size = [400, 300];
        let all: Vec<u32> = (1..=9).map(|count| columns(count, size)).collect();
        assert_eq!(all, [1, 1, 2, 2, 2, 2, 2, 2, 3]);
    }

    #[test]
    fn every_view_lies_whole_below_its_caption() {
        let colours = [[250, 0, 0], [0, 250, 0], [0, 0, 250]];
        let view = |colour| ("from the front".to_owned(), Canvas::filled(60, 45, colour));
        let sheet = sheet(&colours.map(view));
        let caption = caption_height([60, 45]);
        assert_eq!(sheet.size(), [2 * 64 + 4, 2 * (49 + caption) + 4]);
        let count =
            |wanted: Colour| sheet.bytes().chunks(3).filter(|pixel| *pixel == wanted).count();
        assert_eq!(colours.map(count), [2700; 3]);
        assert!(sheet.bytes().chunks(3).any(|pixel| pixel[0] > 200 && pixel[1] > 200));
    }
}

//! Text on pictures.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, Point, ScaleFont, point};

use super::canvas::{Canvas, Colour};

/// DejaVu Sans Condensed Bold with Latin, Greek and Cyrillic; see `fonts/LICENSE`. A test checks
/// that it can be parsed.
static FONT: LazyLock<Option<FontRef<'static>>> = LazyLock::new(|| {
    let file = include_bytes!("../../fonts/DejaVuSansCondensed-Bold.subset.ttf");
    FontRef::try_from_slice(file).ok()
});

/// The replacement for characters the font does not have.
const UNKNOWN: char = '\u{25A1}';

/// The width of a line of text in pixels. `size` is the height of a line.
pub(crate) fn width(text: &str, size: f32) -> f32 {
    glyphs(text, size).last().map_or(0.0, |(_, left, advance)| left + advance)
}

/// Draws a line of text, its top left corner at `corner`.
pub(crate) fn write(canvas: &mut Canvas, text: &str, size: f32, corner: [f32; 2], colour: Colour) {
    let Some(font) = &*FONT else { return };
    let baseline = corner[1] + font.as_scaled(size).ascent();
    for (glyph, left, _) in glyphs(text, size) {
        let place: Point = point(corner[0] + left, baseline);
        let Some(outline) = font.outline_glyph(glyph.with_scale_and_position(size, place)) else {
            continue;
        };
        let bounds = outline.px_bounds();
        outline.draw(|x, y, share| {
            let at = |origin: f32, step: u32| origin as i32 + step.cast_signed();
            canvas.blend(at(bounds.min.x, x), at(bounds.min.y, y), colour, share.min(1.0));
        });
    }
}

/// `text`, shortened in the middle to at most `widest` pixels.
pub(crate) fn shortened(text: &str, size: f32, widest: f32) -> String {
    let letters: Vec<char> = text.chars().collect();
    let cut = |kept: usize| {
        let (start, end) = (kept.div_ceil(2), kept / 2);
        let ends = [&letters[..start], &['\u{2026}'], &letters[letters.len() - end..]];
        ends.concat().into_iter().collect::<String>()
    };
    if width(text, size) <= widest {
        return text.to_owned();
    }
    let fits = |kept: &usize| width(&cut(*kept), size) <= widest;
    cut((0..letters.len()).rev().find(fits).unwrap_or(0))
}

/// Each glyph with its position and advance.
fn glyphs(text: &str, size: f32) -> Vec<(GlyphId, f32, f32)> {
    let Some(font) = &*FONT else { return Vec::new() };
    let scaled = font.as_scaled(size);
    let mut left = 0.0;
    let place = |letter: char| {
        let glyph = match scaled.glyph_id(letter) {
            GlyphId(0) => scaled.glyph_id(UNKNOWN),
            known => known,
        };
        let (here, advance) = (left, scaled.h_advance(glyph));
        left += advance;
        (glyph, here, advance)
    };
    text.chars().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ink(text: &str) -> usize {
        let mut canvas = Canvas::filled(200, 20, [0; 3]);
        write(&mut canvas, text, 16.0, [2.0, 2.0], [255; 3]);
        canvas.bytes().chunks(3).filter(|pixel| pixel[0] > 128).count()
    }

    #[test]
    fn letters_leave_ink_and_wider_texts_more() {
        assert!(ink("ball") > 40 && ink("ball ball") > ink("ball"));
        assert_eq!(ink(" "), 0);
        for letter in ["ä", "ß", "Ω", "Я", "球"] {
            assert!(ink(letter) > 5, "{letter}");
        }
        assert!(width("wide wide", 16.0) > width("wide", 16.0));
        assert!((width("wide", 32.0) / width("wide", 16.0) - 2.0).abs() < 1e-3);
    }

    #[test]
    fn long_names_keep_their_beginning_and_their_end() {
        let long = "a_rather_long_name_of_a_sphere_39";
        let short = shortened(long, 12.0, 90.0);
        assert!(width(&short, 12.0) <= 90.0 && short.contains('\u{2026}'), "{short}");
        assert!(short.starts_with("a_r") && short.ends_with("39"), "{short}");
        assert_eq!(shortened("cup", 12.0, 90.0), "cup");
        assert_eq!(shortened("cup", 12.0, 0.0), "\u{2026}");
    }
}

//! 3D text.

use std::sync::LazyLock;

use serde::Serialize;
use serde_json::Value;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{Motion, MotionError};
use crate::document::movable::{Movable, Role, movable};
use crate::read::{PropertyPath, Read};
use crate::values::{Length, Point, Rotation};
use crate::vector::{Vector, rotation_matrix};
use crate::violations::ReadErrors;

use super::curve::Piece;

movable! {
    /// Upright letters with a depth, facing +z, each line in the middle.
    pub struct Text {
        /// What it says; lines are parted by line breaks.
        pub text: Words,
        /// The middle of the line the lowest letters stand on, in the middle of the depth.
        pub base_center: Point,
        /// The height of a capital letter.
        pub size: Length,
        /// How far the letters reach along z, half to each side.
        pub depth: Length,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
    }
}

/// The maximum number of characters of a text.
const MAX_CHARACTERS: usize = 200;

/// A text of which every character can be drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Words(String);

impl Words {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Movable for Words {
    const ROLE: Role = Role::Plain;

    /// The document cannot represent mirrored letters.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        if motion.is_mirror() { Err(MotionError::Mirrored("text")) } else { Ok(self.clone()) }
    }
}

impl Read for Words {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let Some(text) = value.as_str().filter(|text| {
            text.chars().count() <= MAX_CHARACTERS
                && text.chars().any(|letter| !letter.is_whitespace())
        }) else {
            at.must_be(&Self::expected(), value, errors);
            return None;
        };
        let font = font();
        let unknown: Vec<char> =
            text.chars().filter(|letter| *letter != '\n' && !font.knows(*letter)).collect();
        if unknown.is_empty() {
            return Some(Self(text.to_owned()));
        }
        errors.add(format!(
            "{} holds {unknown:?}, which the font cannot draw; it has Latin, Greek and Cyrillic letters and common signs",
            at.subject()
        ));
        None
    }

    fn expected() -> String {
        format!("a text of 1 to {MAX_CHARACTERS} characters")
    }
}

/// The outlines of a letter in its place, each closed.
pub type Letter = Vec<Vec<Piece<2>>>;

impl Text {
    /// The visible letters in the frame of the text: x to the right, y up, in metres. Outer
    /// outlines are counter-clockwise, holes clockwise.
    pub fn letters(&self) -> Vec<Letter> {
        let font = font();
        let scale = self.size.get() / font.capital_height;
        let lines: Vec<&str> = self.text.as_str().lines().collect();
        let mut letters = Vec::new();
        for (line, text) in lines.iter().rev().enumerate() {
            let placed = font.placed(text);
            let width = placed.last().map_or(0.0, |(_, start, width)| start + width);
            let height = line as f64 * font.line_height;
            for (glyph, start, _) in placed {
                let shift = [start - 0.5 * width, height];
                let letter = font.outlines(glyph, shift, scale);
                if !letter.is_empty() {
                    letters.push(letter);
                }
            }
        }
        letters
    }
}

/// DejaVu Sans Bold; see `fonts/README.md`.
static FONT: &[u8] = include_bytes!("../../../fonts/DejaVuSans-Bold.ttf");

/// A font with its metrics, in font units.
struct Font {
    face: Option<Face<'static>>,
    capital_height: f64,
    line_height: f64,
}

fn font() -> &'static Font {
    /// Parsing the tables of the font takes some microseconds, once.
    static READ: LazyLock<Font> = LazyLock::new(|| {
        // A test checks that the built-in font can be parsed.
        let face = Face::parse(FONT, 0).ok();
        let capital = face.as_ref().and_then(|face| {
            Some(f64::from(face.glyph_bounding_box(face.glyph_index('H')?)?.y_max))
        });
        let line = face.as_ref().map(|face| f64::from(face.height()) + f64::from(face.line_gap()));
        Font { face, capital_height: capital.unwrap_or(1.0), line_height: line.unwrap_or(1.0) }
    });
    &READ
}

impl Font {
    fn knows(&self, letter: char) -> bool {
        self.face.as_ref().is_some_and(|face| face.glyph_index(letter).is_some())
    }

    /// The glyphs of a line with their positions, and the width of the line.
    fn placed(&self, line: &str) -> Vec<(GlyphId, f64, f64)> {
        let Some(face) = &self.face else { return Vec::new() };
        let glyphs: Vec<GlyphId> =
            line.chars().filter_map(|letter| face.glyph_index(letter)).collect();
        let tables = face.tables().kern.into_iter().flat_map(|kern| kern.subtables);
        let kerning: Vec<_> = tables.filter(|table| table.horizontal && !table.variable).collect();
        let between = |left: GlyphId, right: GlyphId| {
            let pair = |table: &ttf_parser::kern::Subtable<'_>| table.glyphs_kerning(left, right);
            kerning.iter().find_map(pair).map_or(0.0, f64::from)
        };
        let mut placed: Vec<(GlyphId, f64, f64)> = Vec::with_capacity(glyphs.len());
        for glyph in glyphs {
            let width = face.glyph_hor_advance(glyph).map_or(0.0, f64::from);
            let start = placed
                .last()
                .map_or(0.0, |(left, start, width)| start + width + between(*left, glyph));
            placed.push((glyph, start, width));
        }
        placed
    }

    /// The outlines of a glyph, translated, scaled and reversed if the outer ones are clockwise, as
    /// usual in TrueType fonts.
    fn outlines(&self, glyph: GlyphId, shift: [f64; 2], scale: f64) -> Letter {
        let mut pen = Pen { shift, scale, at: [0.0; 2], done: Vec::new() };
        if let Some(face) = &self.face {
            face.outline_glyph(glyph, &mut pen);
        }
        let reversed = |piece: Piece<2>| {
            let [a, b, c, d] = piece.0;
            Piece([d, c, b, a])
        };
        let mut outlines = Letter::new();
        for outline in pen.done {
            // For ḕ the font contains the letter twice.
            if outline.len() > 1 && !outlines.contains(&outline) {
                outlines.push(outline);
            }
        }
        let area = |piece: &Piece<2>| {
            let [[x, y], _, _, [to_x, to_y]] = piece.0;
            x * to_y - to_x * y
        };
        if outlines.iter().flatten().map(area).sum::<f64>() >= 0.0 {
            return outlines;
        }
        outlines
            .into_iter()
            .map(|outline| outline.into_iter().rev().map(reversed).collect())
            .collect()
    }
}

/// Collects outlines as cubic pieces.
struct Pen {
    shift: [f64; 2],
    scale: f64,
    at: [f64; 2],
    done: Letter,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> [f64; 2] {
        [(f64::from(x) + self.shift[0]) * self.scale, (f64::from(y) + self.shift[1]) * self.scale]
    }

    fn draw(&mut self, piece: Piece<2>) {
        self.at = piece.0[3];
        if let Some(outline) = self.done.last_mut()
            && piece.0[0] != piece.0[3]
        {
            outline.push(piece);
        }
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.at = self.place(x, y);
        self.done.push(Vec::new());
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.draw(Piece::straight(self.at, self.place(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (from, handle, to) = (self.at, self.place(x1, y1), self.place(x, y));
        let towards =
            |end: [f64; 2]| [0, 1].map(|axis| end[axis] + (handle[axis] - end[axis]) * 2.0 / 3.0);
        self.draw(Piece([from, towards(from), towards(to), to]));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.draw(Piece([self.at, self.place(x1, y1), self.place(x2, y2), self.place(x, y)]));
    }

    fn close(&mut self) {
        let start = self.done.last().and_then(|outline| outline.first()).map(|piece| piece.0[0]);
        if let Some(start) = start.filter(|start| *start != self.at) {
            self.draw(Piece::straight(self.at, start));
        }
    }
}

impl ShapeKind for Text {
    const LABEL: &'static str = "Text";
    const ICON: &'static str = "type";
    const FRAME: Frame = Frame::Unknown;
    const ON_REQUEST: bool = true;

    fn sample() -> Option<Self> {
        Some(Self {
            text: Words("Text".to_owned()),
            base_center: Point::known([0.0, -0.3, 0.0]),
            size: Length::known(0.7),
            depth: Length::known(0.2),
            rotation: Rotation::NONE,
        })
    }

    /// The bounding box of all end and control points: letters have points at their extrema.
    fn bounds(&self) -> Option<Aabb> {
        let rows = rotation_matrix(self.rotation.get()).map(Vector);
        let center = Vector(self.base_center.get());
        let half = 0.5 * self.depth.get();
        let letters = self.letters();
        let ends = letters.iter().flatten().flatten().map(|piece| piece.0[0]);
        let boxes = ends.flat_map(|[x, y]| {
            [-half, half].map(|z| {
                let own = Vector([x, y, z]);
                let place = (center + Vector(rows.map(|row| row.dot(own)))).0;
                Aabb { min: place, max: place }
            })
        });
        Some(boxes.reduce(Aabb::union).unwrap_or(Aabb { min: center.0, max: center.0 }))
    }
}

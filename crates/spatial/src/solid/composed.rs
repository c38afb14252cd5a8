//! Shapes that are made of many convex bodies.

use glam::{DMat3, DVec3};
use scene::{Extrusion, HeightField, Lathe, Piece, Text, Tube, rotation_matrix};

use super::{Convex, Core, Frustum, Solid, Traits};

/// The most bodies a tube is made of.
const MAX_TUBE_PARTS: usize = 256;
/// The most cells along an edge of a height field.
const MAX_CELLS: usize = 24;
/// Steps of a smooth piece of a profile.
const PROFILE_STEPS: usize = 6;

const SOLID: Traits = Traits { flat: false, hollow: false, rough: false };

/// From the frame of a shape to the world.
struct Frame {
    turn: DMat3,
    origin: DVec3,
}

impl Frame {
    fn new(rotation: scene::Rotation, origin: scene::Point) -> Self {
        let rows = rotation_matrix(rotation.get());
        let turn = DMat3::from_cols_array_2d(&rows).transpose();
        Self { turn, origin: origin.get().into() }
    }

    fn place(&self, own: DVec3) -> DVec3 {
        self.turn * own + self.origin
    }
}

impl Solid {
    /// A tube as a chain of straight ones, each as thick as it is at its thicker end. Chords of a
    /// smooth line are off by a hundredth of the line's bends.
    pub(super) fn chain(tube: &Tube) -> Self {
        let pieces = tube.pieces();
        let steps = (MAX_TUBE_PARTS / pieces.len()).clamp(1, 12);
        let part = |piece: &Piece<4>, step: usize| {
            let [from, to] = [step, step + 1].map(|step| piece.at(step as f64 / steps as f64));
            let ends = [from, to].map(|[x, y, z, _]| DVec3::new(x, y, z));
            Convex::round(ends.to_vec(), from[3].max(to[3]))
        };
        let is_straight = |piece: &Piece<4>| piece.sag(1) <= 1e-9;
        let parts = pieces.iter().flat_map(|piece| {
            if is_straight(piece) {
                let [from, .., to] = piece.0.map(|[x, y, z, _]| DVec3::new(x, y, z));
                vec![Convex::round(vec![from, to], piece.0[0][3])]
            } else {
                (0..steps).map(|step| part(piece, step)).collect()
            }
        });
        Self::new(parts.collect(), SOLID)
    }

    /// What a profile encloses with the axis, as a stack of cones. Where its line is open, or bends
    /// back towards the axis, things may lie in it.
    pub(super) fn turned_profile(lathe: &Lathe) -> Self {
        let frame = Frame::new(lathe.rotation, lathe.base_center);
        let steps = if lathe.smooth { PROFILE_STEPS } else { 1 };
        let pieces = lathe.pieces();
        let places: Vec<[f64; 2]> = pieces
            .iter()
            .flat_map(|piece| (0..=steps).map(|step| piece.at(step as f64 / steps as f64)))
            .map(|[distance, height]| [distance.max(0.0), height])
            .collect();
        let mut heights: Vec<f64> = places.iter().map(|[_, height]| *height).collect();
        heights.sort_by(f64::total_cmp);
        heights.dedup();
        let disc = |low: f64, high: f64, radii: [f64; 2]| {
            let [base, top] = [low, high].map(|height| frame.place(DVec3::Y * height));
            let axis = frame.turn * DVec3::Y;
            let [base_radius, top_radius] = radii;
            Convex::sharp(Core::Frustum(Frustum { base, top, axis, base_radius, top_radius }))
        };
        let widest = |height: f64, beside: f64| outermost(&places, height, beside);
        let mut parts: Vec<Convex> = heights
            .windows(2)
            .map(|pair| {
                let [low, high] = [pair[0], pair[1]];
                disc(low, high, [widest(low, high), widest(high, low)])
            })
            .collect();
        if let ([height], true) = (&heights[..], parts.is_empty()) {
            let radius = places.iter().map(|[distance, _]| *distance).fold(0.0, f64::max);
            parts.push(disc(*height, *height, [radius; 2]));
        }
        let flat = heights.len() == 1;
        let crossings = heights.windows(2).map(|pair| {
            let middle = 0.5 * (pair[0] + pair[1]);
            places.windows(2).filter(|ends| (ends[0][1] > middle) != (ends[1][1] > middle)).count()
        });
        let bends_back = crossings.max().unwrap_or(0) > 1;
        Self::new(
            parts,
            Traits { flat, hollow: !flat && (bends_back || !lathe.is_closed()), rough: false },
        )
    }

    /// A prism over each triangle of an outline; all of a convex one in one.
    pub(super) fn prisms(shape: &Extrusion) -> Self {
        let frame = Frame::new(shape.rotation, shape.center);
        let half = 0.5 * shape.depth.get();
        let loops = shape.loops();
        let corners: Vec<[f64; 2]> = loops.concat();
        let prism = |corners: &mut dyn Iterator<Item = [f64; 2]>| {
            let ends =
                corners.flat_map(|[x, y]| [-half, half].map(|z| frame.place(DVec3::new(x, y, z))));
            Convex::sharp(Core::Hull(ends.collect()))
        };
        let parts = if loops.len() == 1 && is_convex(&loops[0]) {
            vec![prism(&mut corners.iter().copied())]
        } else {
            tessellation::triangulate(&loops)
                .into_iter()
                .map(|triangle| prism(&mut triangle.into_iter().map(|corner| corners[corner])))
                .collect()
        };
        Self::new(parts, SOLID)
    }

    /// A box around each letter.
    pub(super) fn letters(text: &Text) -> Self {
        let frame = Frame::new(text.rotation, text.base_center);
        let axes = frame.turn;
        let half_depth = 0.5 * text.depth.get();
        let boxed = |letter: &scene::Letter| {
            let ends = letter.iter().flatten().map(|piece| piece.0[0]);
            let (low, high) =
                ends.fold(([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]), |(low, high), [x, y]| {
                    ([low[0].min(x), low[1].min(y)], [high[0].max(x), high[1].max(y)])
                });
            let center = DVec3::new(0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.0);
            let halves = [
                axes.x_axis * (0.5 * (high[0] - low[0])),
                axes.y_axis * (0.5 * (high[1] - low[1])),
                axes.z_axis * half_depth,
            ];
            Convex::sharp(Core::Cuboid(frame.place(center), halves))
        };
        let parts = text.letters().iter().map(boxed).collect();
        Self::new(parts, Traits { rough: true, ..SOLID })
    }

    /// Land as a patchwork of the cells between every few heights: ground, like a floor.
    pub(super) fn land(field: &HeightField) -> Self {
        let frame = Frame::new(field.rotation, field.center);
        let grid = field.grid();
        let [across, down] = [grid.columns, grid.rows].map(|count| picked(count - 1));
        let place = |column: usize, row: usize| frame.place(field.place(&grid, column, row).into());
        let cells =
            down.windows(2).flat_map(|rows| across.windows(2).map(move |columns| (columns, rows)));
        let parts = cells.map(|(columns, rows)| {
            let corners = [
                place(columns[0], rows[0]),
                place(columns[0], rows[1]),
                place(columns[1], rows[1]),
                place(columns[1], rows[0]),
            ];
            Convex::sharp(Core::Hull(corners.to_vec()))
        });
        Self::new(parts.collect(), Traits { flat: true, ..SOLID })
    }
}

/// How far a profile reaches from the axis at `height`, seen from the side of `beside`.
fn outermost(places: &[[f64; 2]], height: f64, beside: f64) -> f64 {
    let mut farthest = 0.0_f64;
    for ends in places.windows(2) {
        let [[from, low], [to, high]] = [ends[0], ends[1]];
        let (least, most) = (low.min(high), low.max(high));
        let spans = least <= height.min(beside) && most >= height.max(beside);
        if spans && most > least {
            farthest = farthest.max(from + (to - from) * (height - low) / (high - low));
        }
    }
    farthest
}

/// Whether corners that go round counter-clockwise never turn to the right.
fn is_convex(corners: &[[f64; 2]]) -> bool {
    let count = corners.len();
    (0..count).all(|at| {
        let [a, b, c] = [0, 1, 2].map(|next| corners[(at + next) % count]);
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) >= 0.0
    })
}

/// At most so many places from 0 to `last`, both included, evenly.
fn picked(last: usize) -> Vec<usize> {
    let steps = last.min(MAX_CELLS);
    (0..=steps).map(|step| step * last / steps).collect()
}

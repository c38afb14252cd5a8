//! Height fields.

use serde_json::Value;

use crate::bounds::Aabb;
use crate::document::kinds::{Frame, ShapeKind};
use crate::document::motion::{Motion, MotionError};
use crate::document::movable::{Movable, MovableProperties, PropertyInfo, Role, movable};
use crate::document::stretch::Stretch;
use crate::lists::Heights;
use crate::read::{PropertyPath, Read, read_object};
use crate::values::{Length, Octaves, Point, Rotation, Seed, Sides};
use crate::vector::{Vector, rotation_matrix};
use crate::violations::ReadErrors;

use super::curve::through;
use super::height_noise::{layered, ridged};

movable! {
    /// A surface whose heights are given in rows or made by noise: land, waves, a cloth.
    pub struct HeightField {
        /// The middle of the rectangle, at height 0.
        pub center: Point,
        /// The rectangle's edges [along x, along z].
        pub sides: Sides,
        /// Rows of heights from the back (-z) to the front, each from left (-x) to right.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub heights: Option<Heights> = None,
        /// Makes the heights instead.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(schema_with = "noise_schema")]
        pub noise: Option<HeightNoise> = None,
        /// Whether the surface goes smoothly through the heights.
        pub smooth: bool = true,
        /// Euler angles in degrees, applied X, then Y, then Z.
        pub rotation: Rotation = Rotation::NONE,
    }
    check(self, reader) {
        if self.heights.is_some() == self.noise.is_some() {
            reader.error(
                "give either 'heights' (rows of numbers) or 'noise' {seed, height, feature_size}"
            );
        }
    }
}

movable! {
    /// Heights made by noise.
    pub struct HeightNoise {
        /// Other seeds make other land of the same kind.
        pub seed: Seed,
        /// From the lowest to the highest point, about.
        pub height: Length,
        /// How wide hills are, about.
        pub feature_size: Length,
        /// How many times finer hills lie on the hills: 1 is soft, 8 rough.
        pub octaves: Octaves = Octaves::known(5.0),
        /// Sharp crests with slopes below, as of mountains, instead of round hills.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        pub ridged: bool = false,
    }
}

impl Movable for HeightNoise {
    const ROLE: Role = Role::Object;

    /// The document cannot represent mirrored noise.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        if motion.is_mirror() {
            return Err(MotionError::Mirrored("height_field of noise"));
        }
        self.properties_moved(motion)
    }

    fn nested() -> Vec<PropertyInfo> {
        Self::property_infos()
    }
}

impl Read for HeightNoise {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        read_object(value, at, errors)
    }

    fn expected() -> String {
        "an object {seed, height, feature_size, octaves?, ridged?}".into()
    }
}

/// A flat schema, since models get it with every request.
fn noise_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "object" })
}

/// The minimum number of columns or rows of a smooth field.
const FINE: usize = 128;
/// The maximum number of columns or rows.
const MAX_RESOLUTION: usize = 256;

/// A grid of heights over a rectangle.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// The number of heights in a row, at least 2.
    pub columns: usize,
    /// The number of rows, at least 2.
    pub rows: usize,
    /// Row by row from -z to +z, each from -x to +x, in metres.
    pub heights: Vec<f64>,
}

impl HeightField {
    /// The rendered heights: smooth fields and noise are refined.
    pub fn grid(&self) -> Grid {
        match (&self.heights, &self.noise) {
            (Some(heights), _) => given(heights, self.smooth),
            (None, Some(noise)) => self.made(noise),
            // The reader rejects a field without both.
            (None, None) => Grid { columns: 2, rows: 2, heights: vec![0.0; 4] },
        }
    }

    fn made(&self, noise: &HeightNoise) -> Grid {
        let [width, depth] = self.sides.get();
        // The smallest hills need several steps, within the maximum resolution.
        let finest = noise.feature_size.get() / 2f64.powf(noise.octaves.get() - 1.0);
        let steps = |edge: f64| {
            (4.0 * edge / finest).clamp(32.0, MAX_RESOLUTION as f64 - 1.0).ceil() as usize
        };
        let (columns, rows) = (steps(width) + 1, steps(depth) + 1);
        let at = |index: usize, count: usize, edge: f64| {
            (index as f64 / (count - 1) as f64 - 0.5) * edge / noise.feature_size.get()
        };
        let (seed, octaves) = (noise.seed.get() as u32, noise.octaves.get() as u32);
        let heights = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let heights = heights.map(|(row, column)| {
            let (x, z) = (at(column, columns, width), at(row, rows, depth));
            let hill = match noise.ridged {
                true => ridged(seed, octaves, x, z),
                false => 0.5 + 0.5 * layered(seed, octaves, x, z),
            };
            noise.height.get() * hill.clamp(0.0, 1.0)
        });
        Grid { columns, rows, heights: heights.collect() }
    }

    /// The position of a grid point in the field's own frame, with the height as y.
    pub fn place(&self, grid: &Grid, column: usize, row: usize) -> [f64; 3] {
        let [width, depth] = self.sides.get();
        let share = |at: usize, count: usize| at as f64 / (count - 1) as f64 - 0.5;
        let height = grid.heights[row * grid.columns + column];
        [share(column, grid.columns) * width, height, share(row, grid.rows) * depth]
    }
}

/// Given heights, refined by splines along both axes.
fn given(heights: &Heights, smooth: bool) -> Grid {
    let rows = heights.rows();
    let columns = rows[0].len();
    if !smooth {
        return Grid { columns, rows: rows.len(), heights: rows.concat() };
    }
    let finer =
        |count: usize| FINE.div_ceil(count - 1).min((MAX_RESOLUTION - 1) / (count - 1)).max(1);
    let along: Vec<Vec<f64>> = rows.iter().map(|row| through(row, finer(columns))).collect();
    let fine_columns = along[0].len();
    let down: Vec<Vec<f64>> = (0..fine_columns)
        .map(|column| {
            let line: Vec<f64> = along.iter().map(|row| row[column]).collect();
            through(&line, finer(rows.len()))
        })
        .collect();
    let fine_rows = down[0].len();
    let heights = (0..fine_rows).flat_map(|row| down.iter().map(move |column| column[row]));
    Grid { columns: fine_columns, rows: fine_rows, heights: heights.collect() }
}

impl ShapeKind for HeightField {
    const LABEL: &'static str = "Terrain";
    const ICON: &'static str = "mountain";
    const FRAME: Frame = Frame::Unknown;
    const ON_REQUEST: bool = true;

    fn sample() -> Option<Self> {
        Some(Self {
            center: Point::ORIGIN,
            sides: Sides::known([2.5, 2.5]),
            heights: None,
            noise: Some(HeightNoise {
                seed: Seed::known(1.0),
                height: Length::known(0.6),
                feature_size: Length::known(1.0),
                octaves: Octaves::known(5.0),
                ridged: false,
            }),
            smooth: true,
            rotation: Rotation::NONE,
        })
    }

    fn bounds(&self) -> Option<Aabb> {
        let grid = self.grid();
        let rows = rotation_matrix(self.rotation.get()).map(Vector);
        let center = Vector(self.center.get());
        let places = (0..grid.rows).flat_map(|row| (0..grid.columns).map(move |at| (at, row)));
        let boxes = places.map(|(column, row)| {
            let own = Vector(self.place(&grid, column, row));
            let place = (center + Vector(rows.map(|row| row.dot(own)))).0;
            Aabb { min: place, max: place }
        });
        Some(boxes.reduce(Aabb::union).unwrap_or(Aabb { min: center.0, max: center.0 }))
    }

    fn stretched(&self, stretch: &Stretch) -> Result<Option<Self>, MotionError> {
        if self.noise.is_some() {
            return Ok(None);
        }
        let range = MotionError::OutOfRange;
        let [width, depth] = self.sides.get();
        let sides = [stretch.length(width, 0), stretch.length(depth, 2)];
        let row = |row: &Vec<f64>| row.iter().map(|height| stretch.length(*height, 1)).collect();
        let heights = self
            .heights
            .as_ref()
            .map(|heights| Heights::new(heights.rows().iter().map(row).collect()).ok_or(range));
        Ok(Some(Self {
            center: stretch.own_point(self.center, self.rotation)?,
            sides: Sides::new(sides).ok_or(range)?,
            heights: heights.transpose()?,
            ..self.clone()
        }))
    }
}

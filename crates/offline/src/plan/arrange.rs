//! Rows, grids, circles, stacks and pyramids: where the feet of several like things stand.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::language::Pattern;

/// How several things are laid out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Layout {
    pub(crate) pattern: Pattern,
    pub(crate) count: usize,
    /// Columns and rows of a grid.
    pub(crate) grid: Option<(usize, usize)>,
    /// The size of one thing.
    pub(crate) cell: DVec3,
    /// Whether the things are balls, which settle into each other's gaps.
    pub(crate) round: bool,
    /// The smallest radius of a circle: it goes round something.
    pub(crate) clear_radius: f64,
}

impl Layout {
    /// The foot of every thing, about the origin, the lowest on y = 0.
    pub(crate) fn feet(&self) -> Vec<DVec3> {
        match self.pattern {
            Pattern::Row => self.row(),
            Pattern::Circle => self.circle(),
            Pattern::Grid => self.grid(),
            Pattern::Stack => {
                (0..self.count).map(|level| DVec3::Y * self.cell.y * level as f64).collect()
            }
            Pattern::Pyramid => self.pyramid(),
        }
    }

    fn gap(&self) -> f64 {
        (0.25 * self.cell.x.max(self.cell.z)).max(0.02)
    }

    fn row(&self) -> Vec<DVec3> {
        let step = self.cell.x + self.gap();
        let first = -step * (self.count.saturating_sub(1)) as f64 / 2.0;
        (0..self.count).map(|index| DVec3::X * (first + step * index as f64)).collect()
    }

    fn circle(&self) -> Vec<DVec3> {
        let across = self.cell.x.hypot(self.cell.z).min(self.cell.x.max(self.cell.z) * 1.42);
        let count = self.count.max(1) as f64;
        // Neighbours on the circle are 2 r sin(pi / n) apart.
        let tight = (across + self.gap()) / (2.0 * (TAU / 2.0 / count).sin().max(1e-6));
        let outside = self.clear_radius + across / 2.0 + self.gap();
        let radius = if self.clear_radius > 0.0 { outside.max(tight) } else { tight.max(across) };
        (0..self.count)
            .map(|index| {
                let (sin, cos) = (TAU * index as f64 / count).sin_cos();
                DVec3::new(radius * sin, 0.0, radius * cos)
            })
            .collect()
    }

    /// Columns and rows: as told, or nearly square.
    fn columns_and_rows(&self) -> (usize, usize) {
        self.grid.unwrap_or_else(|| {
            let columns = (self.count as f64).sqrt().ceil() as usize;
            (columns.max(1), self.count.div_ceil(columns.max(1)))
        })
    }

    fn grid(&self) -> Vec<DVec3> {
        let (columns, rows) = self.columns_and_rows();
        let step = DVec3::new(self.cell.x + self.gap(), 0.0, self.cell.z + self.gap());
        let first = DVec3::new(
            columns.saturating_sub(1) as f64 / -2.0,
            0.0,
            rows.saturating_sub(1) as f64 / -2.0,
        );
        (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (column, row)))
            .map(|(column, row)| step * (first + DVec3::new(column as f64, 0.0, row as f64)))
            .take(self.count)
            .collect()
    }

    /// A square pyramid when the count makes one (5, 14, 30, ...), else a wall of shrinking rows.
    fn pyramid(&self) -> Vec<DVec3> {
        // A little air, so that neighbours do not share a face.
        let step = self.cell * 1.05;
        let square = (2..50).find(|base| squares(*base) == self.count);
        let mut feet = Vec::with_capacity(self.count);
        let base =
            square.unwrap_or_else(|| (1..).find(|k| k * (k + 1) / 2 >= self.count).unwrap_or(1));
        let rise = match (self.round, square.is_some()) {
            (false, _) => self.cell.y,
            // Balls rest in the gap of the four, or two, below.
            (true, true) => settled(self.cell.y, step.x * std::f64::consts::FRAC_1_SQRT_2),
            (true, false) => settled(self.cell.y, step.x / 2.0),
        };
        for level in 0..base {
            let side = base - level;
            let first = (side - 1) as f64 / -2.0;
            let depth = if square.is_some() { side } else { 1 };
            let first_row = if square.is_some() { first } else { 0.0 };
            for (row, column) in (0..depth).flat_map(|row| (0..side).map(move |c| (row, c))) {
                feet.push(DVec3::new(
                    step.x * (first + column as f64),
                    rise * level as f64,
                    step.z * (first_row + row as f64),
                ));
            }
        }
        feet.truncate(self.count);
        feet
    }
}

/// How much higher a ball of this diameter lies whose neighbours below are `apart` to the side.
fn settled(diameter: f64, apart: f64) -> f64 {
    (diameter * diameter - apart * apart).max(0.0).sqrt()
}

/// 1 + 4 + 9 + ... up to `base` squared.
fn squares(base: usize) -> usize {
    base * (base + 1) * (2 * base + 1) / 6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_things_of_a_layout_meet_and_all_are_there() {
        let patterns =
            [Pattern::Row, Pattern::Circle, Pattern::Grid, Pattern::Stack, Pattern::Pyramid];
        for pattern in patterns {
            for count in [1, 2, 3, 5, 10, 14, 25, 55] {
                for round in [false, true] {
                    let cell = DVec3::splat(1.0);
                    let layout =
                        Layout { pattern, count, grid: None, cell, round, clear_radius: 0.0 };
                    let feet = layout.feet();
                    assert_eq!(feet.len(), count, "{pattern:?}");
                    for (index, a) in feet.iter().enumerate() {
                        for b in &feet[index + 1..] {
                            let apart = (*a - *b).abs();
                            let clear = if round {
                                apart.length() >= 1.0 - 1e-9
                            } else {
                                apart.max_element() >= 1.0 - 1e-9
                            };
                            assert!(clear, "{pattern:?} of {count}: {a} and {b}");
                        }
                    }
                }
            }
        }
    }
}

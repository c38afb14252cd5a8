//! Rows, grids, circles, stacks, spirals and the like: where the feet of several like things stand.

use std::f64::consts::{PI, TAU};

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
    /// The air between neighbours in metres; none for a sensible one.
    pub(crate) gap: Option<f64>,
    /// The radius of a circle in metres, when it was told.
    pub(crate) radius: Option<f64>,
}

impl Layout {
    /// The foot of every thing, about the origin, the lowest on y = 0.
    pub(crate) fn feet(&self) -> Vec<DVec3> {
        match self.pattern {
            Pattern::Row => self.row(),
            Pattern::Column => self.column(),
            Pattern::Circle => self.ring(TAU),
            Pattern::Arc => self.ring(PI),
            Pattern::Grid => self.grid(),
            Pattern::Wall => self.wall(),
            Pattern::Stack => {
                (0..self.count).map(|level| DVec3::Y * self.cell.y * level as f64).collect()
            }
            Pattern::Steps => self.steps(),
            Pattern::Pyramid => self.pyramid(),
            Pattern::Spiral => self.spiral(),
            Pattern::Scatter => self.scatter(),
            Pattern::Triangle => self.triangle(),
        }
    }

    /// One in front, then two, then three, as bowling pins stand.
    fn triangle(&self) -> Vec<DVec3> {
        let step = DVec3::new(self.cell.x + self.gap(), 0.0, self.cell.z + self.gap());
        let rows = (1..).find(|rows| rows * (rows + 1) / 2 >= self.count).unwrap_or(1);
        let middle = rows.saturating_sub(1) as f64 / 2.0;
        (0..rows)
            .flat_map(|row| (0..=row).map(move |column| (row, column)))
            .map(|(row, column)| {
                let aside = column as f64 - row as f64 / 2.0;
                step * DVec3::new(aside, 0.0, middle - row as f64)
            })
            .take(self.count)
            .collect()
    }

    fn gap(&self) -> f64 {
        self.gap.unwrap_or((0.25 * self.cell.x.max(self.cell.z)).max(0.02)).max(0.0)
    }

    fn row(&self) -> Vec<DVec3> {
        self.line(DVec3::X, self.cell.x)
    }

    fn column(&self) -> Vec<DVec3> {
        self.line(DVec3::NEG_Z, self.cell.z)
    }

    fn line(&self, way: DVec3, width: f64) -> Vec<DVec3> {
        let step = width + self.gap();
        let first = -step * (self.count.saturating_sub(1)) as f64 / 2.0;
        (0..self.count).map(|index| way * (first + step * index as f64)).collect()
    }

    /// The greatest width of a thing that may be turned towards any side.
    fn across(&self) -> f64 {
        self.cell.x.hypot(self.cell.z).min(self.cell.x.max(self.cell.z) * 1.42)
    }

    /// A circle, or the part of it that `turn` in radians spans.
    fn ring(&self, turn: f64) -> Vec<DVec3> {
        let across = self.across();
        let whole = turn >= TAU;
        let gaps = if whole { self.count } else { self.count.saturating_sub(1) }.max(1) as f64;
        // Neighbours on the circle are 2 r sin(turn / 2 n) apart.
        let tight = (across + self.gap()) / (2.0 * (turn / 2.0 / gaps).sin().max(1e-6));
        let outside = self.clear_radius + across / 2.0 + self.gap();
        let radius = self.radius.unwrap_or(if self.clear_radius > 0.0 {
            outside.max(tight)
        } else {
            tight.max(across)
        });
        // An arc opens towards the viewer.
        let first = if whole { 0.0 } else { PI - turn / 2.0 };
        (0..self.count)
            .map(|index| {
                let (sin, cos) = (first + turn * index as f64 / gaps).sin_cos();
                DVec3::new(radius * sin, 0.0, radius * cos)
            })
            .collect()
    }

    /// An Archimedean spiral: its arms and the things along it are one width and a gap apart.
    fn spiral(&self) -> Vec<DVec3> {
        let step = self.across() + self.gap();
        let inner = if self.clear_radius > 0.0 { self.clear_radius + step / 2.0 } else { 0.0 };
        let at = |angle: f64| {
            let radius = inner + step * angle / TAU;
            let (sin, cos) = angle.sin_cos();
            DVec3::new(radius * sin, 0.0, radius * cos)
        };
        let mut angle = 0.0_f64;
        let mut feet: Vec<DVec3> = Vec::with_capacity(self.count);
        while feet.len() < self.count {
            let foot = at(angle);
            // The inner turns are narrow: keep clear of all, not of the last only.
            if feet.iter().all(|other| other.distance(foot) >= step * 0.999) {
                feet.push(foot);
            }
            angle += (0.05 * step / (inner + step * angle / TAU).max(step)).max(1e-3);
        }
        feet
    }

    /// One step higher and further to the right each.
    fn steps(&self) -> Vec<DVec3> {
        let first = -self.cell.x * (self.count.saturating_sub(1)) as f64 / 2.0;
        (0..self.count)
            .map(|index| {
                let index = index as f64;
                DVec3::new(first + self.cell.x * index, self.cell.y * index, 0.0)
            })
            .collect()
    }

    /// An upright grid.
    fn wall(&self) -> Vec<DVec3> {
        let (columns, _) = self.columns_and_rows();
        let step = self.cell.x + self.gap.unwrap_or(0.0).max(0.0);
        let first = columns.saturating_sub(1) as f64 / -2.0;
        (0..self.count)
            .map(|index| {
                let (column, row) = (index % columns, index / columns);
                DVec3::new(step * (first + column as f64), self.cell.y * row as f64, 0.0)
            })
            .collect()
    }

    /// Here and there, none nearer to another than the gap; the same for the same count and size.
    fn scatter(&self) -> Vec<DVec3> {
        self.scatter_among(|_| true)
    }

    /// The same, only where `is_free` says of the foot of a thing that it may stand there.
    pub(crate) fn scatter_among(&self, is_free: impl Fn(DVec3) -> bool) -> Vec<DVec3> {
        let across = self.across() + self.gap();
        // Room for about three times as many, and more when no place is left.
        let mut radius = self.clear_radius + across * (0.9 * self.count as f64).sqrt().max(1.0);
        let mut chance = Chance(0x5eed ^ self.count as u64);
        let mut feet: Vec<DVec3> = Vec::with_capacity(self.count);
        while feet.len() < self.count {
            let (sin, cos) = (TAU * chance.next()).sin_cos();
            let reach = radius * chance.next().sqrt();
            let foot = DVec3::new(reach * sin, 0.0, reach * cos);
            let clear = self.clear_radius <= 0.0 || reach > self.clear_radius + across / 2.0;
            let apart = feet.iter().all(|other| other.distance(foot) >= across);
            // Far out is free ground at last.
            if clear && apart && (radius > 1e4 || is_free(foot)) {
                feet.push(foot);
            } else {
                radius *= 1.01;
            }
        }
        feet
    }

    /// Columns and rows: as told, or nearly square.
    fn columns_and_rows(&self) -> (usize, usize) {
        if let Some((0, rows)) = self.grid {
            return (self.count.div_ceil(rows.max(1)).max(1), rows.max(1));
        }
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

/// Numbers that look random and are the same every time (SplitMix64, Steele et al. 2014).
struct Chance(u64);

impl Chance {
    /// The next one, in 0..1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
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
        let patterns = [
            Pattern::Row,
            Pattern::Column,
            Pattern::Circle,
            Pattern::Arc,
            Pattern::Grid,
            Pattern::Wall,
            Pattern::Stack,
            Pattern::Steps,
            Pattern::Pyramid,
            Pattern::Spiral,
            Pattern::Scatter,
            Pattern::Triangle,
        ];
        for pattern in patterns {
            for count in [1, 2, 3, 5, 10, 14, 25, 55] {
                for round in [false, true] {
                    let cell = DVec3::splat(1.0);
                    let layout = Layout {
                        pattern,
                        count,
                        grid: None,
                        cell,
                        round,
                        clear_radius: 0.0,
                        gap: None,
                        radius: None,
                    };
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

//! Environment maps with importance sampling.

use std::f32::consts::{PI, TAU};

use crate::color::luminance;
use glam::{Vec2, Vec3A};
use media::Image;
use rayon::prelude::*;

/// The maximum number of columns of the sampling grid: a third of a degree each.
const MAX_COLUMNS: usize = 1024;

/// Radiance on an equirectangular grid with bilinear interpolation, importance-sampled by
/// luminance.
///
/// Columns go around the y axis: the middle one is -z, to its right is +x. Rows go from the zenith
/// to the nadir. Pixels are sampled at their centres.
#[derive(Debug)]
pub(crate) struct SkyMap {
    width: usize,
    height: usize,
    pixels: Vec<Vec3A>,
    cells: Cells,
    /// Spherical harmonics of the luminance, see [`irradiance`](Self::irradiance).
    harmonics: [f32; 9],
}

/// The cells between the pixel centres: one more row than there are pixel rows, since the poles
/// have half cells. The pdf within a cell is uniform over the sphere.
#[derive(Debug)]
struct Cells {
    /// The cumulative distribution along each row, by luminance times solid angle.
    along: Vec<f32>,
    /// The cumulative distribution over the rows, from the top.
    down: Vec<f32>,
    /// Mean luminance of each cell.
    luminance: Vec<f32>,
    /// Luminance integrated over the sphere.
    total: f32,
}

impl SkyMap {
    /// A map of `width` times `height` pixels, row by row, at least 2 by 1.
    pub(crate) fn new(width: usize, height: usize, pixels: Vec<Vec3A>) -> Self {
        let cells = Cells::new(width, height, &pixels);
        let harmonics = harmonics(width, height, &pixels);
        Self { width, height, pixels, cells, harmonics }
    }

    /// A map of a panorama, on a grid of at most [`MAX_COLUMNS`] columns. Each node is the mean of
    /// its pixels, so that no light is missed.
    pub(crate) fn of_panorama(image: &Image) -> Self {
        let [width, height] = image.size().map(|side| side as usize);
        // At least 2 by 1 nodes.
        let [columns, rows] = [width.clamp(2, MAX_COLUMNS), height.clamp(1, MAX_COLUMNS / 2)];
        let span = |at: usize, nodes: usize, pixels: usize| {
            let start = at * pixels / nodes;
            start..((at + 1) * pixels).div_ceil(nodes).max(start + 1).min(pixels)
        };
        let node = |at: usize| {
            let down = span(at / columns, rows, height);
            let across = span(at % columns, columns, width);
            let count = (down.len() * across.len()) as f32;
            let pixels = down.flat_map(|y| across.clone().map(move |x| (x, y)));
            let sum: Vec3A =
                pixels.map(|(x, y)| Vec3A::from_vec4(image.texel(x as u32, y as u32, false))).sum();
            sum / count
        };
        Self::new(columns, rows, (0..columns * rows).into_par_iter().map(node).collect())
    }

    /// The radiance along the unit vector `direction`.
    pub(crate) fn radiance(&self, direction: Vec3A) -> Vec3A {
        let (column, row, within) = self.place(direction);
        let [left, right] = [column + self.width - 1, column].map(|column| column % self.width);
        let [above, below] = [row.max(1) - 1, row.min(self.height - 1)];
        let at = |row: usize, column: usize| self.pixels[row * self.width + column];
        let upper = at(above, left).lerp(at(above, right), within.x);
        let lower = at(below, left).lerp(at(below, right), within.x);
        upper.lerp(lower, within.y)
    }

    /// The cell of a direction and the offset in it.
    fn place(&self, direction: Vec3A) -> (usize, usize, Vec2) {
        let uv = uv_of(direction);
        let across = uv.x * self.width as f32 + 0.5;
        let down = uv.y * self.height as f32 + 0.5;
        let row = (down as usize).min(self.height);
        let within = Vec2::new(across.fract(), (down - row as f32).clamp(0.0, 1.0));
        (across as usize % self.width, row, within)
    }

    /// Samples a direction in proportion to luminance.
    pub(crate) fn sample(&self, [u, v]: [f32; 2]) -> Vec3A {
        let (row, v) = find(&self.cells.down, v);
        let along = &self.cells.along[row * self.width..][..self.width];
        let (column, u) = find(along, u);
        let [upper, lower] = [row, row + 1].map(|edge| self.edge(edge));
        let y = upper + (lower - upper) * v;
        let turn = (column as f32 - 0.5 + u) / self.width as f32;
        direction_at(turn, y)
    }

    /// Density of [`sample`](Self::sample), per steradian.
    pub(crate) fn pdf(&self, direction: Vec3A) -> f32 {
        let (column, row, _) = self.place(direction);
        let total = self.cells.total;
        if total > 0.0 { self.cells.luminance[row * self.width + column] / total } else { 0.0 }
    }

    /// The map scaled by `factor`.
    pub(crate) fn scaled(mut self, factor: f32) -> Self {
        self.pixels.iter_mut().for_each(|pixel| *pixel *= factor);
        self.cells.luminance.iter_mut().for_each(|mean| *mean *= factor);
        self.harmonics.iter_mut().for_each(|part| *part *= factor);
        self.cells.total *= factor;
        self
    }

    /// The height of the upper edge of a row of cells, from 1 to -1.
    fn edge(&self, row: usize) -> f32 {
        edge(row, self.height)
    }

    /// The luminance, integrated over the sphere.
    pub(crate) fn total(&self) -> f32 {
        self.cells.total
    }

    /// The approximate irradiance, as luminance, of a surface that faces `normal`. Ramamoorthi and
    /// Hanrahan 2001, "An Efficient Representation for Irradiance Environment Maps".
    pub(crate) fn irradiance(&self, normal: Vec3A) -> f32 {
        let basis = basis(normal);
        let sum: f32 = basis.iter().zip(self.harmonics).map(|(basis, part)| basis * part).sum();
        // A minimum for light that nine coefficients cannot represent.
        sum.max(0.02 * self.cells.total)
    }
}

/// The equirectangular uv of a direction, each in 0..=1.
pub(super) fn uv_of(direction: Vec3A) -> Vec2 {
    let across = direction.x.atan2(-direction.z) / TAU + 0.5;
    Vec2::new(across, direction.y.clamp(-1.0, 1.0).acos() / PI)
}

/// The direction at a position along the columns, 0 to 1, and a height y.
fn direction_at(turn: f32, y: f32) -> Vec3A {
    let flat = (1.0 - y * y).max(0.0).sqrt() * Vec2::from_angle(TAU * (turn - 0.5));
    Vec3A::new(flat.y, y, -flat.x)
}

/// The direction of the centre of a pixel.
pub(crate) fn direction_of_pixel(column: usize, row: usize, width: usize, height: usize) -> Vec3A {
    let down = (row as f32 + 0.5) / height as f32;
    direction_at((column as f32 + 0.5) / width as f32, (PI * down).cos())
}

fn edge(row: usize, height: usize) -> f32 {
    let down = (row as f32 - 0.5) / height as f32;
    (PI * down.clamp(0.0, 1.0)).cos()
}

/// The entry of a cumulative distribution that `u`, in [0, 1), selects, and `u` rescaled to [0, 1)
/// within it.
fn find(sums: &[f32], u: f32) -> (usize, f32) {
    let at = sums.partition_point(|&sum| sum <= u).min(sums.len() - 1);
    let before = if at == 0 { 0.0 } else { sums[at - 1] };
    let share = sums[at] - before;
    let within = if share > 0.0 { (u - before) / share } else { 0.5 };
    (at, within.clamp(0.0, 1.0 - f32::EPSILON))
}

impl Cells {
    fn new(width: usize, height: usize, pixels: &[Vec3A]) -> Self {
        let bright: Vec<f32> = pixels.par_iter().map(|pixel| luminance(*pixel)).collect();
        let mean = |row: usize, column: usize| {
            let [above, below] = [row.max(1) - 1, row.min(height - 1)];
            let left = (column + width - 1) % width;
            let at = |row: usize, column: usize| bright[row * width + column];
            0.25 * (at(above, left) + at(above, column) + at(below, left) + at(below, column))
        };
        let means: Vec<f32> = (0..=height)
            .flat_map(|row| (0..width).map(move |column| (row, column)))
            .map(|(row, column)| mean(row, column))
            .collect();
        let mut along = Vec::with_capacity(means.len());
        let mut down = Vec::with_capacity(height + 1);
        let mut total = 0.0_f64;
        for (row, means) in means.chunks(width).enumerate() {
            let of_row: f64 = means.iter().map(|mean| f64::from(*mean)).sum();
            let mut sum = 0.0_f64;
            along.extend(means.iter().enumerate().map(|(column, mean)| {
                sum += f64::from(*mean);
                // Dark rows are never chosen, but their sums must be valid.
                let even = (column + 1) as f64 / width as f64;
                if of_row > 0.0 { (sum / of_row) as f32 } else { even as f32 }
            }));
            let solid_angle = f64::from(edge(row, height) - edge(row + 1, height))
                * std::f64::consts::TAU
                / width as f64;
            total += of_row * solid_angle;
            down.push(total);
        }
        let share = |sum: &f64| if total > 0.0 { (sum / total) as f32 } else { 0.0 };
        let down = down.iter().map(share).collect();
        Self { along, down, luminance: means, total: total as f32 }
    }
}

/// Real spherical harmonics up to the second degree.
fn basis(direction: Vec3A) -> [f32; 9] {
    let [x, y, z] = direction.to_array();
    [
        0.282_095,
        0.488_603 * y,
        0.488_603 * z,
        0.488_603 * x,
        1.092_548 * x * y,
        1.092_548 * y * z,
        0.315_392 * (3.0 * z * z - 1.0),
        1.092_548 * x * z,
        0.546_274 * (x * x - y * y),
    ]
}

/// The spherical harmonics of the luminance, convolved with the cosine lobe.
fn harmonics(width: usize, height: usize, pixels: &[Vec3A]) -> [f32; 9] {
    let kept = [PI, 2.0 * PI / 3.0, PI / 4.0];
    let mut sums = [0.0_f64; 9];
    for (row, pixels) in pixels.chunks(width).enumerate() {
        let [upper, lower] = [row, row + 1].map(|at| (PI * at as f32 / height as f32).cos());
        let solid_angle = (upper - lower) * TAU / width as f32;
        for (column, pixel) in pixels.iter().enumerate() {
            let weight = luminance(*pixel) * solid_angle;
            let basis = basis(direction_of_pixel(column, row, width, height));
            for (sum, basis) in sums.iter_mut().zip(basis) {
                *sum += f64::from(basis * weight);
            }
        }
    }
    std::array::from_fn(|at| {
        let degree = usize::from(at > 0) + usize::from(at > 3);
        sums[at] as f32 * kept[degree]
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chi_square::{Random, check_directions};

    /// A dark map with some bright pixels.
    fn spotted(width: usize, height: usize) -> SkyMap {
        let mut random = Random(40);
        let pixels = (0..width * height)
            .map(|_| Vec3A::splat(if random.next() < 0.1 { 20.0 } else { random.next() }))
            .collect();
        SkyMap::new(width, height, pixels)
    }

    #[test]
    fn directions_and_places_of_the_picture_belong_together() {
        let mut random = Random(41);
        for _ in 0..1000 {
            let direction = random.direction();
            let uv = uv_of(direction);
            assert!((direction_at(uv.x, direction.y) - direction).length() < 1e-4, "{direction}");
        }
        // The middle is -z, to its right is +x, above is +y.
        assert!((uv_of(Vec3A::NEG_Z) - 0.5).length() < 1e-6);
        assert!((uv_of(Vec3A::X) - Vec2::new(0.75, 0.5)).length() < 1e-6);
        assert!(uv_of(Vec3A::Y).y < 1e-3);
    }

    #[test]
    fn directions_are_sampled_by_luminance_with_their_density() {
        for map in [spotted(8, 4), spotted(32, 16), spotted(2, 1)] {
            check_directions("map", |u| Some(map.sample(u)), |direction| map.pdf(direction));
        }
    }

    #[test]
    fn the_mean_of_radiance_over_density_is_all_light() {
        let map = spotted(16, 8);
        let mut random = Random(42);
        let (mut sampled, mut even, count) = (0.0, 0.0, 200_000);
        for _ in 0..count {
            let direction = map.sample([random.next(), random.next()]);
            sampled += f64::from(luminance(map.radiance(direction)) / map.pdf(direction));
            even += f64::from(luminance(map.radiance(random.direction())) * 4.0 * PI);
        }
        assert!((sampled / even - 1.0).abs() < 0.01, "{sampled} {even}");
        assert!((sampled / f64::from(count) / f64::from(map.total()) - 1.0).abs() < 0.01);
    }

    #[test]
    fn irradiance_is_about_that_of_even_and_of_half_lit_skies() {
        let even = SkyMap::new(16, 8, vec![Vec3A::ONE; 128]);
        assert!((even.irradiance(Vec3A::Y) - PI).abs() < 0.1);
        assert!((even.total() - 4.0 * PI).abs() < 1e-3);
        let upper = (0..128).map(|at| if at < 64 { Vec3A::ONE } else { Vec3A::ZERO }).collect();
        let upper = SkyMap::new(16, 8, upper);
        for (normal, expected) in [(Vec3A::Y, PI), (Vec3A::X, 0.5 * PI), (Vec3A::NEG_Y, 0.0)] {
            let error = (upper.irradiance(normal) - expected).abs();
            assert!(error < 0.3, "{normal}: {}", upper.irradiance(normal));
        }
    }

    #[test]
    fn a_black_sky_gives_nothing_and_breaks_nothing() {
        let black = SkyMap::new(4, 2, vec![Vec3A::ZERO; 8]);
        assert_eq!(black.total(), 0.0);
        assert!(black.sample([0.3, 0.7]).is_finite());
        assert_eq!(black.radiance(Vec3A::X), Vec3A::ZERO);
    }
}

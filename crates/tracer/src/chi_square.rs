//! Tests that a sampler of directions matches its pdf.
//!
//! Pearson's chi-square test over a grid of the sphere, like Nori's `chi2test`: the pdf is
//! integrated over every cell and compared with the number of samples in it.

use std::f64::consts::{PI, TAU};

use glam::Vec3A;

const SAMPLES: u32 = 200_000;
const ROWS: usize = 24;
const COLUMNS: usize = 48;
/// Integration steps per cell and axis, which resolve discontinuities of a pdf to a fraction of a
/// cell.
const STEPS: usize = 40;
/// Cells with fewer expected samples are pooled.
const MIN_EXPECTED: f64 = 5.0;
/// The significance level: a correct sampler fails with one chance in a thousand. The seeds are
/// fixed.
const SIGNIFICANCE: f64 = 1e-3;

/// Checks that `sample` makes directions (or none) with `density` per steradian.
pub(crate) fn check_directions(
    name: &str,
    sample: impl Fn([f32; 2]) -> Option<Vec3A>,
    density: impl Fn(Vec3A) -> f32,
) {
    let mut observed = vec![0.0; ROWS * COLUMNS];
    let mut nowhere = 0.0;
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for _ in 0..SAMPLES {
        match sample([random.next(), random.next()]) {
            Some(direction) => observed[cell_of(direction)] += 1.0,
            None => nowhere += 1.0,
        }
    }
    let expected: Vec<f64> =
        (0..ROWS * COLUMNS).map(|cell| f64::from(SAMPLES) * integral(cell, &density)).collect();
    // The probability of no direction is the rest of the pdf. At discontinuities the integral is
    // accurate to about a thousandth only.
    let missing = f64::from(SAMPLES) - expected.iter().sum::<f64>();
    let astray = (missing - nowhere) / f64::from(SAMPLES);
    assert!(astray.abs() < 2e-3, "{name}: density and samples differ by {astray} in sum");
    let (statistic, freedom) = pooled_statistic(&observed, &expected);
    let p = chi_square_survival(statistic, freedom);
    assert!(p > SIGNIFICANCE, "{name}: chi-square {statistic:.1} of {freedom} degrees, p = {p:e}");
}

fn cell_of(direction: Vec3A) -> usize {
    let row = (f64::from(1.0 - direction.z) * 0.5 * ROWS as f64) as usize;
    let turn = f64::from(direction.y).atan2(f64::from(direction.x)).rem_euclid(TAU) / TAU;
    let column = (turn * COLUMNS as f64) as usize;
    row.min(ROWS - 1) * COLUMNS + column.min(COLUMNS - 1)
}

/// The integral of the pdf over a cell, a rectangle in cos theta and phi.
fn integral(cell: usize, density: &impl Fn(Vec3A) -> f32) -> f64 {
    let (row, column) = (cell / COLUMNS, cell % COLUMNS);
    let mut sum = 0.0;
    for i in 0..STEPS {
        let cos = 1.0 - 2.0 * (row as f64 + (i as f64 + 0.5) / STEPS as f64) / ROWS as f64;
        let sin = (1.0 - cos * cos).sqrt();
        for j in 0..STEPS {
            let step = (j as f64 + 0.5) / STEPS as f64;
            let phi = TAU * (column as f64 + step) / COLUMNS as f64;
            let direction =
                Vec3A::new((sin * phi.cos()) as f32, (sin * phi.sin()) as f32, cos as f32);
            sum += f64::from(density(direction));
        }
    }
    sum * 4.0 * PI / (ROWS * COLUMNS * STEPS * STEPS) as f64
}

/// The statistic and its degrees of freedom, with rare cells pooled.
fn pooled_statistic(observed: &[f64], expected: &[f64]) -> (f64, f64) {
    let (mut statistic, mut cells) = (0.0, 0);
    let (mut pooled_observed, mut pooled_expected) = (0.0, 0.0);
    for (&observed, &expected) in observed.iter().zip(expected) {
        if expected < MIN_EXPECTED {
            pooled_observed += observed;
            pooled_expected += expected;
        } else {
            statistic += (observed - expected).powi(2) / expected;
            cells += 1;
        }
    }
    if pooled_expected >= MIN_EXPECTED {
        statistic += (pooled_observed - pooled_expected).powi(2) / pooled_expected;
        cells += 1;
    } else {
        // Too few for the chi-square test, but they must not be common.
        assert!(pooled_observed < 40.0, "{pooled_observed} samples where none are expected");
    }
    (statistic, f64::from((cells - 1).max(1)))
}

/// The probability of a chi-square statistic at least this large: Q(freedom / 2, statistic / 2).
fn chi_square_survival(statistic: f64, freedom: f64) -> f64 {
    upper_gamma(0.5 * freedom, 0.5 * statistic)
}

/// The regularised upper incomplete gamma function. Press et al., Numerical Recipes, section 6.2.
fn upper_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let front = (a * x.ln() - x - log_gamma(a)).exp();
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        while term > sum * 1e-15 {
            n += 1.0;
            term *= x / n;
            sum += term;
        }
        return 1.0 - front * sum;
    }
    // Lentz's continued fraction.
    let mut b = x + 1.0 - a;
    let (mut c, mut d) = (1e300, 1.0 / b);
    let mut fraction = d;
    for i in 1..10_000 {
        let n = f64::from(i);
        let factor = -n * (n - a);
        b += 2.0;
        d = 1.0 / (factor * d + b);
        c = b + factor / c;
        fraction *= c * d;
        if (c * d - 1.0).abs() < 1e-14 {
            break;
        }
    }
    front * fraction
}

/// Lanczos' approximation with g = 7.
fn log_gamma(x: f64) -> f64 {
    const COEFFICIENTS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    let x = x - 1.0;
    let series = (1..).zip(COEFFICIENTS).fold(0.999_999_999_999_809_9, |sum, (i, coefficient)| {
        sum + coefficient / (x + f64::from(i))
    });
    let t = x + 7.5;
    0.5 * TAU.ln() + (x + 0.5) * t.ln() - t + series.ln()
}

/// Xorshift64*, a random generator for tests.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// In [0, 1).
    pub(crate) fn next(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 40) as f32 / (1 << 24) as f32
    }

    /// In [low, high).
    pub(crate) fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.next()
    }

    pub(crate) fn direction(&mut self) -> Vec3A {
        crate::sampling::cone([self.next(), self.next()], 2.0)
    }
}

#[test]
fn the_survival_function_has_its_known_values() {
    let near = |actual: f64, expected: f64| assert!((actual - expected).abs() < 1e-6, "{actual}");
    near(chi_square_survival(3.841_458_8, 1.0), 0.05);
    near(chi_square_survival(18.307_038, 10.0), 0.05);
    near(chi_square_survival(1_074.679_4, 1_000.0), 0.05);
    near(chi_square_survival(2.0, 2.0), (-1.0_f64).exp());
}

#[test]
#[should_panic(expected = "chi-square")]
fn a_density_that_is_off_by_ten_percent_is_noticed() {
    let tilted = |direction: Vec3A| (1.0 + 0.1 * direction.x) / (4.0 * std::f32::consts::PI);
    check_directions("even", |u| Some(crate::sampling::cone(u, 2.0)), tilted);
}

use super::*;
use crate::chi_square::Random;

const WIDTH: usize = 96;
const HEIGHT: usize = 64;
/// The standard deviation of the noise relative to the light.
const NOISE: f32 = 0.3;

const ALL_ROWS: Rows<'static> = Rows { cancelled: &|| false };

/// A pixel of a test image.
#[derive(Clone, Copy)]
struct Truth {
    light: f32,
    albedo: f32,
    normal: [f32; 3],
    reach: f32,
}

const WALL: Truth = Truth { light: 1.0, albedo: 0.8, normal: [0.0, 0.0, 1.0], reach: 5.0 };

/// Feature buffers of an image with noise, and the image without noise.
fn noisy(truth: impl Fn(usize, usize) -> Truth + Sync) -> (Guides, Vec<f32>) {
    let mut random = Random(17);
    let mut numbers = || (0..12).map(|_| random.next()).sum::<f32>() - 6.0;
    let noise: Vec<f32> = (0..WIDTH * HEIGHT).map(|_| 1.0 + NOISE * numbers()).collect();
    let mut guides = Guides::new(WIDTH, HEIGHT);
    ALL_ROWS.fill(&mut guides, |y, rows| {
        for x in 0..WIDTH {
            let Truth { light, albedo, normal, reach } = truth(x, y);
            for channel in 0..3 {
                let seen = light * albedo * noise[y * WIDTH + x];
                rows[guide::SCATTERED + channel][x] = seen.max(0.0);
                rows[guide::ALBEDO + channel][x] = albedo;
                rows[guide::NORMAL + channel][x] = normal[channel];
            }
            rows[guide::REACH][x] = reach;
            rows[guide::VARIANCE][x] = (NOISE * light * albedo).powi(2);
        }
    });
    let exact = |at: usize| {
        let truth = truth(at % WIDTH, at / WIDTH);
        truth.light * truth.albedo
    };
    (guides, (0..WIDTH * HEIGHT).map(exact).collect())
}

/// The relative error of each pixel.
fn errors(truth: impl Fn(usize, usize) -> Truth + Sync) -> Vec<f32> {
    let (guides, exact) = noisy(truth);
    let picture = super::smooth(&guides, 8, ALL_ROWS);
    picture.pixels.iter().zip(exact).map(|(pixel, exact)| pixel[1] / exact - 1.0).collect()
}

fn root_mean_square(errors: impl Iterator<Item = f32>) -> f32 {
    let (count, sum) = errors.fold((0.0, 0.0), |(count, sum), e| (count + 1.0, sum + e * e));
    let mean: f32 = sum / count;
    mean.sqrt()
}

#[test]
fn noise_goes_and_the_mean_stays() {
    let errors = errors(|_, _| WALL);
    let left = root_mean_square(errors.iter().copied());
    assert!(left < NOISE / 3.5, "{left}");
    let mean = errors.iter().sum::<f32>() / errors.len() as f32;
    assert!(mean.abs() < 0.02, "{mean}");
}

#[test]
fn texture_stays() {
    // A checkerboard of two pixels with noise in every pixel: only the noise may be smoothed.
    let checks = |x: usize, y: usize| Truth {
        albedo: if (x / 2 + y / 2).is_multiple_of(2) { 0.2 } else { 0.8 },
        ..WALL
    };
    let grain = |x: usize, y: usize| Truth {
        albedo: 0.5 + 0.04 * (((x * 7919 + y * 104_729) % 11) as f32 / 10.0 - 0.5),
        ..WALL
    };
    for (name, left) in [
        ("checks", root_mean_square(errors(checks).into_iter())),
        ("grain", root_mean_square(errors(grain).into_iter())),
    ] {
        assert!(left < NOISE / 3.0, "{name}: {left}");
    }
}

#[test]
fn nothing_is_smoothed_across_a_border() {
    let borders: [(&str, Truth); 3] = [
        ("normal", Truth { normal: [1.0, 0.0, 0.0], ..WALL }),
        ("depth", Truth { reach: 7.0, ..WALL }),
        ("albedo", Truth { albedo: 0.3, ..WALL }),
    ];
    for (name, beyond) in borders {
        // The left is four times as bright, so that any leak over the edge shows.
        let split = |x: usize, _: usize| match x < WIDTH / 2 {
            true => Truth { light: 4.0, ..WALL },
            false => beyond,
        };
        let errors = errors(split);
        for x in [WIDTH / 2 - 1, WIDTH / 2, WIDTH / 2 + 1] {
            let column: Vec<f32> = (0..HEIGHT).map(|y| errors[y * WIDTH + x]).collect();
            let mean = column.iter().sum::<f32>() / HEIGHT as f32;
            assert!(mean.abs() < 0.05, "{name}, column {x}: {mean}");
        }
    }
}

#[test]
fn a_slanted_floor_is_no_border() {
    // Nearness is linear in image space on a plane.
    let floor = |_: usize, y: usize| Truth { reach: 1.0 / (0.02 + 0.004 * y as f32), ..WALL };
    let left = root_mean_square(errors(floor).into_iter());
    assert!(left < NOISE / 3.5, "{left}");
}

#[test]
fn a_shadow_without_noise_stays_sharp() {
    let (mut guides, exact) = noisy(|x, _| Truth { light: if x < 40 { 1.0 } else { 0.2 }, ..WALL });
    ALL_ROWS.fill(&mut guides, |y, rows| {
        for x in 0..WIDTH {
            (0..3).for_each(|channel| rows[channel][x] = exact[y * WIDTH + x]);
            rows[guide::VARIANCE][x] = 1e-8;
        }
    });
    let picture = super::smooth(&guides, 64, ALL_ROWS);
    for (pixel, exact) in picture.pixels.iter().zip(exact) {
        assert!((pixel[0] - exact).abs() < 1e-3, "{pixel:?} is not {exact}");
    }
}

#[test]
fn odd_sizes_and_black_pictures_are_harmless() {
    for (width, height) in [(0, 0), (1, 1), (1, 40), (40, 1), (3, 2)] {
        for samples in [1, 8] {
            let picture = super::smooth(&Guides::new(width, height), samples, ALL_ROWS);
            assert_eq!(picture.pixels.len(), width * height);
            assert!(picture.pixels.iter().flatten().all(|channel| *channel == 0.0));
        }
    }
}

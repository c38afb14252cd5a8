//! Bloom: the glare around bright objects in lenses and eyes.

use crate::image::LinearImage;

/// Gaussians of the glare: the standard deviation relative to the shorter side of the image, and
/// the share of the light. Narrow ones make halos, wide ones a veil, as measured for eyes: Spencer
/// et al. 1995, "Physically-Based Glare Effects for Digital Images".
const GLOWS: [(f64, f64); 4] = [(0.004, 0.45), (0.015, 0.3), (0.05, 0.18), (0.15, 0.07)];
/// The number of successive box filters that approximate a Gaussian; with fewer, wide glare looks
/// square.
const BOXES: usize = 5;

/// Spreads `share` (0 to 1) of the light of an image. Energy is conserved: the image is mirrored at
/// its edges. Deterministic on any machine; 0 returns the image unchanged.
#[must_use]
pub fn bloom(image: &LinearImage, share: f32) -> LinearImage {
    if share <= 0.0 || image.pixels.is_empty() {
        return image.clone();
    }
    let share = f64::from(share.min(1.0));
    let side = f64::from(image.width.min(image.height));
    let mut sums: Vec<[f64; 3]> = image
        .pixels
        .iter()
        .map(|pixel| pixel.map(|channel| (1.0 - share) * f64::from(channel)))
        .collect();
    for (width, part) in GLOWS {
        let glow = blurred(image, width * side);
        for (sum, pixel) in sums.iter_mut().zip(glow) {
            for (sum, channel) in sum.iter_mut().zip(pixel) {
                *sum += share * part * channel;
            }
        }
    }
    let pixels = sums.into_iter().map(|sum| sum.map(|channel| channel as f32)).collect();
    LinearImage { pixels, ..*image }
}

/// The image blurred by a Gaussian with this standard deviation in pixels.
fn blurred(image: &LinearImage, deviation: f64) -> Vec<[f64; 3]> {
    // The variance of a box of w pixels is (w^2 - 1) / 12.
    let width = (12.0 * deviation * deviation / BOXES as f64 + 1.0).sqrt();
    let radius = ((width - 1.0) / 2.0).round() as usize;
    let (columns, rows) = (image.width as usize, image.height as usize);
    let mut pixels: Vec<[f64; 3]> = image.pixels.iter().map(|pixel| pixel.map(f64::from)).collect();
    let longest = columns.max(rows);
    let mut line = Vec::with_capacity(longest);
    for row in 0..rows {
        average_along(&mut pixels, row * columns, 1, columns, radius, &mut line);
    }
    for column in 0..columns {
        average_along(&mut pixels, column, columns, rows, radius, &mut line);
    }
    pixels
}

/// Averages a row or column of `count` pixels with the stride `step`, from `start` on, over boxes.
fn average_along(
    pixels: &mut [[f64; 3]],
    start: usize,
    step: usize,
    count: usize,
    radius: usize,
    line: &mut Vec<[f64; 3]>,
) {
    if radius == 0 {
        return;
    }
    // The image is mirrored at both ends.
    let mirrored = |at: isize| {
        let within = at.rem_euclid(2 * count as isize) as usize;
        within.min(2 * count - 1 - within)
    };
    let reach = radius as isize;
    let scale = 1.0 / (2 * radius + 1) as f64;
    for _ in 0..BOXES {
        line.clear();
        line.extend((0..count).map(|at| pixels[start + at * step]));
        let mut sum = [0.0; 3];
        for at in -reach..=reach {
            add(&mut sum, line[mirrored(at)], 1.0);
        }
        for at in 0..count {
            pixels[start + at * step] = sum.map(|channel| channel * scale);
            let at = at as isize;
            add(&mut sum, line[mirrored(at + reach + 1)], 1.0);
            add(&mut sum, line[mirrored(at - reach)], -1.0);
        }
    }
}

fn add(sum: &mut [f64; 3], pixel: [f64; 3], factor: f64) {
    for (sum, channel) in sum.iter_mut().zip(pixel) {
        *sum += factor * channel;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A black image with some bright pixels.
    fn dark(width: u32, height: u32, bright: &[(u32, u32, f32)]) -> LinearImage {
        let mut pixels = vec![[0.0; 3]; (width * height) as usize];
        for &(x, y, light) in bright {
            pixels[(y * width + x) as usize] = [light, 0.5 * light, 0.25 * light];
        }
        LinearImage { width, height, pixels }
    }

    #[test]
    fn no_light_is_lost_not_even_at_edges() {
        for bright in [vec![(100, 60, 50.0)], vec![(0, 0, 80.0), (199, 119, 3.0), (100, 0, 7.0)]] {
            let image = dark(200, 120, &bright);
            let glowing = bloom(&image, 0.3);
            for (before, after) in image.mean().iter().zip(glowing.mean()) {
                assert!((after / before - 1.0).abs() < 1e-5, "{before} {after}");
            }
            assert!(glowing.pixels.iter().flatten().all(|channel| *channel >= -1e-9));
        }
    }

    #[test]
    fn the_glow_is_round_and_fades_with_the_distance() {
        let glowing = bloom(&dark(201, 201, &[(100, 100, 100.0)]), 1.0);
        let at = |x: u32, y: u32| glowing.pixels[(y * 201 + x) as usize][0];
        for (x, y) in [(3, 0), (7, 2), (20, 11), (60, 30)] {
            let mirrored = [
                at(100 + x, 100 + y),
                at(100 - x, 100 + y),
                at(100 - x, 100 - y),
                at(100 + y, 100 + x),
            ];
            let equal = mirrored.iter().all(|one| (one / mirrored[0] - 1.0).abs() < 1e-4);
            assert!(equal, "{mirrored:?}");
        }
        let along: Vec<f32> = [0, 1, 3, 8, 20, 50, 90].map(|x| at(100 + x, 100)).to_vec();
        assert!(along.windows(2).all(|pair| pair[0] > pair[1] && pair[1] > 0.0), "{along:?}");
        // The blur is isotropic.
        for (x, y, straight) in [(3, 4, 5), (9, 12, 15), (24, 18, 30), (30, 40, 50), (48, 36, 60)] {
            let ratio = at(100 + x, 100 + y) / at(100 + straight, 100);
            assert!((ratio - 1.0).abs() < 0.2, "{x} {y}: {ratio}");
        }
    }

    #[test]
    fn without_it_and_where_all_is_even_nothing_changes() {
        let image = dark(64, 48, &[(3, 4, 9.0), (60, 40, 0.1)]);
        assert_eq!(bloom(&image, 0.0), image);
        let even = LinearImage { width: 33, height: 20, pixels: vec![[0.7, 0.2, 0.1]; 660] };
        let glowing = bloom(&even, 0.8);
        let pairs = glowing.pixels.iter().flatten().zip(even.pixels.iter().flatten());
        assert!(pairs.clone().all(|(after, before)| (after - before).abs() < 1e-6));
        for odd in [dark(1, 1, &[(0, 0, 5.0)]), dark(3, 1, &[(1, 0, 5.0)]), dark(0, 0, &[])] {
            let mean = bloom(&odd, 1.0).mean()[0];
            assert!((mean - odd.mean()[0]).abs() < 1e-5);
        }
    }
}

//! Conversion of feature buffers to the filter's signal, and back.

use super::guides::{Guides, guide};
use super::planes::{Planes, Rows};
use super::signal::{Borders, Signal, VARIANCE, luminance};
use crate::image::LinearImage;

/// The minimum albedo that light is divided by.
const MIN_REFLECTANCE: f32 = 1e-3;
/// Differences that divide the weight by e: of normals, of albedos, and of nearness (relative).
const NORMAL_DIFFERENCE: f32 = 0.25;
const ALBEDO_DIFFERENCE: f32 = 0.08;
const NEARNESS_SHARE: f32 = 0.02;
/// The number of samples from which a pixel's own samples give its variance.
const ENOUGH_SAMPLES: u32 = 4;
/// The maximum brightness of a pixel relative to the second brightest of its neighbours.
const MAX_SPIKE: f32 = 2.5;

/// The albedo that light is divided by (demodulation).
fn reflectance(albedo: f32) -> f32 {
    if albedo < MIN_REFLECTANCE { 1.0 } else { albedo }
}

pub(super) fn demodulate(guides: &Guides, all_rows: Rows<'_>) -> Signal {
    let mut signal = Signal::new(guides.width(), guides.height());
    all_rows.fill(&mut signal, |y, [red, green, blue, variance]| {
        let albedo = |channel| guides.row(guide::ALBEDO + channel, y);
        for (channel, light) in [red, green, blue].into_iter().enumerate() {
            let row = guides.row(guide::SCATTERED + channel, y).iter().zip(albedo(channel));
            for (light, (scattered, albedo)) in light.iter_mut().zip(row) {
                *light = scattered / reflectance(*albedo);
            }
        }
        luminance(albedo(0), albedo(1), albedo(2), variance);
        for (variance, of_pixel) in variance.iter_mut().zip(guides.row(guide::VARIANCE, y)) {
            let albedo = reflectance(*variance);
            *variance = of_pixel / (albedo * albedo);
        }
    });
    signal
}

pub(super) fn modulate(guides: &Guides, signal: &Signal, all_rows: Rows<'_>) -> LinearImage {
    let (width, height) = (guides.width(), guides.height());
    let mut pixels = vec![[0.0; 3]; width * height];
    for (y, row) in pixels.chunks_mut(width.max(1)).enumerate() {
        if (all_rows.cancelled)() {
            break;
        }
        for channel in 0..3 {
            let albedo = guides.row(guide::ALBEDO + channel, y);
            let emitted = guides.row(guide::EMITTED + channel, y);
            let light = signal.row(channel, y);
            for (x, pixel) in row.iter_mut().enumerate() {
                pixel[channel] = light[x] * reflectance(albedo[x]) + emitted[x];
            }
        }
    }
    LinearImage { width: width as u32, height: height as u32, pixels }
}

pub(super) fn borders(guides: &Guides, all_rows: Rows<'_>) -> Borders {
    let (width, height) = (guides.width(), guides.height());
    let mut nearness = Planes::<1>::new(width, height);
    all_rows.fill(&mut nearness, |y, [row]| {
        for (near, reach) in row.iter_mut().zip(guides.row(guide::REACH, y)) {
            *near = if *reach > 0.0 { 1.0 / reach } else { 0.0 };
        }
    });
    let mut borders = Borders::new(width, height);
    all_rows.fill(&mut borders, |y, rows| {
        let [nx, ny, nz, r, g, b, near, slope_x, slope_y, sharpness] = rows;
        for (at, row) in [nx, ny, nz].into_iter().enumerate() {
            scale(guides.row(guide::NORMAL + at, y), 1.0 / NORMAL_DIFFERENCE, row);
        }
        for (at, row) in [r, g, b].into_iter().enumerate() {
            scale(guides.row(guide::ALBEDO + at, y), 1.0 / ALBEDO_DIFFERENCE, row);
        }
        near.copy_from_slice(nearness.row(0, y));
        let above = nearness.row(0, y.saturating_sub(1));
        let below = nearness.row(0, (y + 1).min(height - 1));
        for x in 0..width {
            let here = near[x];
            let (left, right) = (near[x.saturating_sub(1)], near[(x + 1).min(width - 1)]);
            slope_x[x] = slope(here - left, right - here, x == 0, x + 1 == width);
            slope_y[x] = slope(here - above[x], below[x] - here, y == 0, y + 1 == height);
            // The sky, with nearness 0, is a sharp edge as well.
            let squared = (NEARNESS_SHARE * here) * (NEARNESS_SHARE * here);
            sharpness[x] = if squared > 1e-30 { 1.0 / squared } else { 1e30 };
        }
    });
    borders
}

fn scale(row: &[f32], factor: f32, into: &mut [f32]) {
    into.iter_mut().zip(row).for_each(|(into, value)| *into = value * factor);
}

/// The smaller of the differences to both neighbours: at an edge, that on the pixel's own side.
fn slope(before: f32, after: f32, first: bool, last: bool) -> f32 {
    if last || (!first && before.abs() < after.abs()) { before } else { after }
}

/// Replaces the variances by smoothed ones: means over neighbouring pixels or, with few samples,
/// the variance among these.
pub(super) fn estimate_variance(samples: u32, signal: &mut Signal, all_rows: Rows<'_>) {
    let (width, height) = (signal.width(), signal.height());
    let mut moments = Planes::<2>::new(width, height);
    let few = samples < ENOUGH_SAMPLES;
    all_rows.fill(&mut moments, |y, [mean, square]| {
        if few {
            luminance(signal.row(0, y), signal.row(1, y), signal.row(2, y), mean);
            square.iter_mut().zip(mean).for_each(|(square, mean)| *square = *mean * *mean);
        } else {
            square.copy_from_slice(signal.row(VARIANCE, y));
        }
    });
    let moments = box_mean(&moments, if few { 3 } else { 1 }, all_rows);
    // The distribution of single samples is far from normal: mostly 0 or large.
    let factor = if few { 4.5 } else { 1.0 };
    all_rows.fill(signal, |y, [_, _, _, variance]| {
        let (mean, square) = (moments.row(0, y), moments.row(1, y));
        for (variance, (mean, square)) in variance.iter_mut().zip(mean.iter().zip(square)) {
            *variance = factor * (square - mean * mean).max(0.0);
        }
    });
}

/// The means over squares of `2 reach + 1` pixels; the image is extended by its border pixels.
fn box_mean(planes: &Planes<2>, reach: usize, all_rows: Rows<'_>) -> Planes<2> {
    let (width, height) = (planes.width(), planes.height());
    let share = 1.0 / (2 * reach + 1) as f32;
    let mut along = Planes::<2>::new(width, height);
    all_rows.fill(&mut along, |y, rows| {
        for (plane, sums) in rows.into_iter().enumerate() {
            let row = planes.row(plane, y);
            for (x, sum) in sums.iter_mut().enumerate() {
                let places = x.saturating_sub(reach)..(x + reach + 1).min(width);
                let missing = (2 * reach + 1 - places.len()) as f32;
                let border = if x < reach { row[0] } else { row[width - 1] };
                *sum = (row[places].iter().sum::<f32>() + missing * border) * share;
            }
        }
    });
    let mut means = Planes::<2>::new(width, height);
    all_rows.fill(&mut means, |y, rows| {
        for (plane, means) in rows.into_iter().enumerate() {
            for other in 0..=2 * reach {
                let row = along.row(plane, (y + other).saturating_sub(reach).min(height - 1));
                means.iter_mut().zip(row).for_each(|(mean, sum)| *mean += sum * share);
            }
        }
    });
    means
}

/// Removes fireflies: clamps pixels that are brighter than all their neighbours to slightly above
/// the second brightest one.
pub(super) fn take_off_spikes(signal: &mut Signal, all_rows: Rows<'_>) {
    let (width, height) = (signal.width(), signal.height());
    let mut light = Planes::<1>::new(width, height);
    all_rows.fill(&mut light, |y, [row]| {
        luminance(signal.row(0, y), signal.row(1, y), signal.row(2, y), row)
    });
    let mut brightest = Planes::<2>::new(width, height);
    all_rows.fill(&mut brightest, |y, [first, second]| {
        for row in y.saturating_sub(1)..(y + 2).min(height) {
            let around = light.row(0, row);
            for dx in [-1_isize, 0, 1].into_iter().filter(|dx| *dx != 0 || row != y) {
                let (from, to) = ((-dx).max(0) as usize, width - dx.max(0) as usize);
                let there = &around[(from as isize + dx) as usize..(to as isize + dx) as usize];
                let tops = first[from..to].iter_mut().zip(&mut second[from..to]).zip(there);
                for ((first, second), light) in tops {
                    *second = second.max(first.min(*light));
                    *first = first.max(*light);
                }
            }
        }
    });
    all_rows.fill(signal, |y, [red, green, blue, _]| {
        let limits = brightest.row(1, y).iter().zip(light.row(0, y));
        let colors = red.iter_mut().zip(green).zip(blue).zip(limits);
        for (((red, green), blue), (second, light)) in colors {
            let limit = MAX_SPIKE * second;
            let share = if *light > limit { limit / light } else { 1.0 };
            *red *= share;
            *green *= share;
            *blue *= share;
        }
    });
}

//! Noise for generated height fields.

/// Fractal gradient noise (Perlin 2002, "Improving Noise") in about -1..=1: `octaves` layers, each
/// with half the height and size of the one before. Deterministic for a seed.
pub(crate) fn layered(seed: u32, octaves: u32, x: f64, y: f64) -> f64 {
    let mut sum = 0.0;
    let (mut share, mut finer) = (1.0, 1.0);
    for octave in 0..octaves {
        // Layers are offset, so that their lattices do not coincide at the origin.
        let shift = 17.31 * f64::from(octave);
        sum += share
            * gradient_noise(
                seed ^ octave.wrapping_mul(0x9e37_79b9),
                x * finer + shift,
                y * finer - shift,
            );
        share *= 0.5;
        finer *= 2.0;
    }
    sum
}

/// Gradient noise in about -0.7..=0.7, 0 at lattice points.
fn gradient_noise(seed: u32, x: f64, y: f64) -> f64 {
    let (left, low) = (x.floor(), y.floor());
    let (u, v) = (x - left, y - low);
    let corner = |right: f64, up: f64| {
        let angle = angle_at(seed, (left + right) as i64, (low + up) as i64);
        (u - right) * angle.cos() + (v - up) * angle.sin()
    };
    let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
    let (lower, upper) = (
        mix(corner(0.0, 0.0), corner(1.0, 0.0), fade(u)),
        mix(corner(0.0, 1.0), corner(1.0, 1.0), fade(u)),
    );
    mix(lower, upper, fade(v))
}

/// An angle from a hash of the lattice point: SplitMix64's finaliser.
fn angle_at(seed: u32, x: i64, y: i64) -> f64 {
    let mut hash = (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ (u64::from(seed) << 17);
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    let share = ((hash ^ (hash >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
    share * std::f64::consts::TAU
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_smooth_bounded_and_of_its_seed() {
        let mut farthest = 0.0_f64;
        let mut different = 0;
        for at in 0..20_000 {
            let (x, y) = (f64::from(at) * 0.037 - 300.0, f64::from(at) * 0.011 - 90.0);
            let here = layered(7, 5, x, y);
            farthest = farthest.max(here.abs());
            assert!((here - layered(7, 5, x + 1e-4, y)).abs() < 2e-3);
            assert_eq!(here, layered(7, 5, x, y));
            different += u32::from((here - layered(8, 5, x, y)).abs() > 0.01);
        }
        assert!((0.6..1.4).contains(&farthest), "{farthest}");
        assert!(different > 19_000, "{different}");
    }
}

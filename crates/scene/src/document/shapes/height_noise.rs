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

/// Crests (Musgrave's ridged multifractal) in about 0..=1: each layer is highest where its noise changes its sign, and
/// lies on the crests of the layers before more than in their valleys.
pub(crate) fn ridged(seed: u32, octaves: u32, x: f64, y: f64) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    let (mut share, mut finer, mut below) = (1.0, 1.0, 1.0);
    for octave in 0..octaves {
        let shift = 17.31 * f64::from(octave);
        let noise = gradient_noise(
            seed ^ octave.wrapping_mul(0x9e37_79b9),
            x * finer + shift,
            y * finer - shift,
        );
        let crest = (1.0 - (2.2 * noise.abs()).min(1.0)).powi(2);
        sum += share * below * crest;
        total += share;
        below = crest;
        share *= 0.5;
        finer *= 2.0;
    }
    sum / total
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

    #[test]
    fn crests_are_sharp_and_valleys_are_wide() {
        let places = (0..20_000).map(|at| (f64::from(at) * 0.037 - 300.0, f64::from(at) * 0.011));
        let heights: Vec<f64> = places.clone().map(|(x, y)| ridged(7, 5, x, y)).collect();
        assert!(heights.iter().all(|height| (0.0..=1.0).contains(height)));
        let above = |least: f64| heights.iter().filter(|height| **height > least).count();
        assert!(above(0.75) > 10, "{}", above(0.75));
        assert!(above(0.5) < heights.len() / 4, "{}", above(0.5));
        // The slope jumps at a crest, and nowhere does round land bend so much.
        let bend =
            |of: &dyn Fn(f64) -> f64, x: f64| (of(x - 1e-3) + of(x + 1e-3) - 2.0 * of(x)).abs();
        let sharpest = |of: &dyn Fn(f64) -> f64| {
            (0..9_000).map(|at| bend(of, f64::from(at) * 1e-3)).fold(0.0, f64::max)
        };
        let (crests, hills) =
            (sharpest(&|x| ridged(7, 1, x, 0.3)), sharpest(&|x| layered(7, 1, x, 0.3)));
        assert!(crests > 50.0 * hills, "{crests} {hills}");
    }
}

//! Real roots of quartic polynomials.

/// Enough bisections for the last bit of any interval; Newton's method needs a handful of steps.
const MAX_STEPS: usize = 100;

/// The real roots in `from..=to` of the polynomial with these coefficients, lowest degree first, in
/// ascending order, then `None`. A double root may be missed or found twice.
///
/// Between two adjacent roots of its derivative a polynomial is monotonic: it has a root where its
/// sign changes, which Newton's method finds, kept within the bracket. The roots of the derivatives
/// are found recursively, down to a linear one. No closed form for quartics is as accurate. Yuksel
/// 2022, "High-Performance Polynomial Root Finding for Graphics".
pub(crate) fn roots_within(coefficients: [f64; 5], from: f64, to: f64) -> [Option<f64>; 4] {
    let mut derivatives = [coefficients; 4];
    for degree in 1..4 {
        let above = derivatives[degree - 1];
        derivatives[degree] = std::array::from_fn(|power| {
            if power < 4 { above[power + 1] * (power + 1) as f64 } else { 0.0 }
        });
    }
    let mut roots = [None; 4];
    for polynomial in derivatives.iter().rev() {
        let mut found = [None; 4];
        let mut count = 0;
        let mut low = from;
        let turns = roots.into_iter().flatten().chain([to]);
        for high in turns {
            if let Some(root) = root_between(polynomial, low, high)
                && count < found.len()
            {
                found[count] = Some(root);
                count += 1;
            }
            low = high;
        }
        roots = found;
    }
    roots
}

/// The root between `low` and `high`, where the polynomial is monotonic; `None` if its sign is the
/// same at both.
fn root_between(polynomial: &[f64; 5], low: f64, high: f64) -> Option<f64> {
    let (at_low, at_high) = (value(polynomial, low), value(polynomial, high));
    if at_low == 0.0 {
        return Some(low);
    }
    if (at_low < 0.0) == (at_high < 0.0) {
        return None;
    }
    let rising = at_low < 0.0;
    let (mut low, mut high) = (low, high);
    let mut at = 0.5 * (low + high);
    for _ in 0..MAX_STEPS {
        let (height, slope) = value_and_slope(polynomial, at);
        if height == 0.0 {
            return Some(at);
        }
        if (height < 0.0) == rising {
            low = at;
        } else {
            high = at;
        }
        let newton = at - height / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if (next - at).abs() <= f64::EPSILON * next.abs().max(f64::EPSILON)
            || next == low
            || next == high
        {
            return Some(next);
        }
        at = next;
    }
    Some(at)
}

fn value(polynomial: &[f64; 5], at: f64) -> f64 {
    polynomial.iter().rev().fold(0.0, |sum, coefficient| sum * at + coefficient)
}

fn value_and_slope(polynomial: &[f64; 5], at: f64) -> (f64, f64) {
    polynomial.iter().rev().fold((0.0, 0.0), |(value, slope), coefficient| {
        (value * at + coefficient, slope * at + value)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The coefficients of the product of (t - root) over the roots.
    fn with_roots(roots: &[f64]) -> [f64; 5] {
        let mut coefficients = [0.0; 5];
        coefficients[0] = 1.0;
        for (degree, root) in roots.iter().enumerate() {
            for power in (0..=degree + 1).rev() {
                let below = if power == 0 { 0.0 } else { coefficients[power - 1] };
                coefficients[power] = below - root * coefficients[power];
            }
        }
        coefficients
    }

    #[test]
    fn known_roots_are_found_in_order_within_the_interval() {
        let near = |coefficients, from, to, expected: &[f64]| {
            let found: Vec<f64> =
                roots_within(coefficients, from, to).into_iter().flatten().collect();
            assert_eq!(found.len(), expected.len(), "{found:?}");
            for (found, expected) in found.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
            }
        };
        near(with_roots(&[-0.9, -0.2, 0.3, 0.8]), -1.0, 1.0, &[-0.9, -0.2, 0.3, 0.8]);
        near(with_roots(&[-0.9, -0.2, 0.3, 0.8]), -0.5, 0.5, &[-0.2, 0.3]);
        near(with_roots(&[2.0, 3.0]), 0.0, 4.0, &[2.0, 3.0]);
        // t^4 + 1 has none.
        near([1.0, 0.0, 0.0, 0.0, 1.0], -2.0, 2.0, &[]);
        near([-16.0, 0.0, 0.0, 0.0, 1.0], -3.0, 3.0, &[-2.0, 2.0]);
    }

    proptest! {
        /// Distinct roots are all found.
        #[test]
        fn distinct_roots_are_all_found(roots in prop::collection::vec(-1.0_f64..1.0, 1..=4)) {
            let mut roots = roots;
            roots.sort_by(f64::total_cmp);
            prop_assume!(roots.windows(2).all(|pair| pair[1] - pair[0] > 1e-3));
            let found: Vec<f64> =
                roots_within(with_roots(&roots), -1.0, 1.0).into_iter().flatten().collect();
            prop_assert_eq!(found.len(), roots.len());
            for (found, expected) in found.iter().zip(&roots) {
                prop_assert!((found - expected).abs() < 1e-6, "{} {}", found, expected);
            }
        }
    }
}

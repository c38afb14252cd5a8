//! Reading of numbers, pairs and triples in a range.

use serde_json::Value;

/// A source of numbers: JSON, or the numbers themselves.
pub(super) trait NumberSource {
    /// The only number.
    fn number(&self) -> Option<f64>;
    /// All numbers, if there are `N`.
    fn numbers<const N: usize>(&self) -> Option<[f64; N]>;
}

impl NumberSource for Value {
    fn number(&self) -> Option<f64> {
        self.as_f64()
    }

    fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        let values: &[Self; N] = self.as_array()?.as_slice().try_into().ok()?;
        let mut numbers = [0.0; N];
        for (number, value) in numbers.iter_mut().zip(values) {
            *number = value.as_f64()?;
        }
        Some(numbers)
    }
}

impl NumberSource for f64 {
    fn number(&self) -> Option<f64> {
        Some(*self)
    }

    fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        None
    }
}

impl<const M: usize> NumberSource for [f64; M] {
    fn number(&self) -> Option<f64> {
        None
    }

    fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        self.as_slice().try_into().ok()
    }
}

pub(super) fn number_in(value: &impl NumberSource, accept: impl Fn(f64) -> bool) -> Option<f64> {
    value.number().filter(|number| number.is_finite() && accept(*number))
}

fn numbers_in<const N: usize>(
    value: &impl NumberSource,
    accept: impl Fn(f64) -> bool,
) -> Option<[f64; N]> {
    let all =
        |numbers: &[f64; N]| numbers.iter().all(|number| number.is_finite() && accept(*number));
    value.numbers().filter(all)
}

pub(super) fn triple_in(
    value: &impl NumberSource,
    accept: impl Fn(f64) -> bool,
) -> Option<[f64; 3]> {
    numbers_in(value, accept)
}

pub(super) fn pair_in(value: &impl NumberSource, accept: impl Fn(f64) -> bool) -> Option<[f64; 2]> {
    numbers_in(value, accept)
}

pub(super) fn direction(
    value: &impl NumberSource,
    accept: impl Fn(f64) -> bool,
) -> Option<[f64; 3]> {
    triple_in(value, accept).filter(|[x, y, z]| (x * x + y * y + z * z).sqrt() > 1e-9)
}

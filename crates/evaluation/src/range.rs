//! Ranges of numbers in goals.

/// A closed range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    pub(crate) least: f64,
    pub(crate) most: f64,
}

/// The tolerance of a single number, relative and absolute.
const LEEWAY: (f64, f64) = (0.05, 0.02);

impl Range {
    /// Everything.
    pub(crate) const ANY: Self = Self { least: f64::NEG_INFINITY, most: f64::INFINITY };

    /// Parses `1.5..2` (from to), `1.5..` or `1.5+` (at least), `..2` (at most), `2` (about: within
    /// 5 %, or 0.02).
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        let range = match text.split_once("..") {
            Some(("", most)) => Self { most: number(most)?, ..Self::ANY },
            Some((least, "")) => Self { least: number(least)?, ..Self::ANY },
            Some((least, most)) => Self { least: number(least)?, most: number(most)? },
            None => match text.strip_suffix('+') {
                Some(least) => Self { least: number(least)?, ..Self::ANY },
                None => Self::about(number(text)?),
            },
        };
        (range.least <= range.most).then_some(range)
    }

    /// The range around `number` within the tolerance.
    pub(crate) fn about(number: f64) -> Self {
        let leeway = (LEEWAY.0 * number.abs()).max(LEEWAY.1);
        Self { least: number - leeway, most: number + leeway }
    }

    /// At least this.
    pub(crate) fn from(least: f64) -> Self {
        Self { least, ..Self::ANY }
    }

    /// At most this.
    pub(crate) fn to(most: f64) -> Self {
        Self { most, ..Self::ANY }
    }

    /// Whether the range contains `number`, with a rounding tolerance of a thousandth.
    pub(crate) fn holds(self, number: f64) -> bool {
        let slack = 1e-3 * number.abs().max(1e-3);
        number >= self.least - slack && number <= self.most + slack
    }
}

/// Parses `words` as a range; without words, `default`.
pub(crate) fn range_or(words: &[&str], default: Range) -> Result<Range, String> {
    match words {
        [] => Ok(default),
        [word] => Range::parse(word)
            .ok_or_else(|| format!("'{word}' is not a number or a range such as 2, 1.5..2, 3+")),
        _ => Err(format!("'{}' is more than one range", words.join(" "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_they_are_written() {
        for (text, inside, outside) in [
            ("1..2", &[1.0, 1.5, 2.0][..], &[0.9, 2.1][..]),
            ("3+", &[3.0, 99.0], &[2.9]),
            ("3..", &[3.0, 99.0], &[2.9]),
            ("..0.5", &[-1.0, 0.5], &[0.6]),
            ("2", &[1.9, 2.0, 2.1], &[1.88, 2.2]),
            ("0", &[0.0, 0.02, -0.02], &[0.05]),
            ("-1", &[-1.0, -1.04], &[1.0]),
        ] {
            let range = Range::parse(text).unwrap();
            assert!(inside.iter().all(|number| range.holds(*number)), "{text}");
            assert!(!outside.iter().any(|number| range.holds(*number)), "{text}");
        }
        for text in ["", "x", "2..1", "..", "1..x", "inf"] {
            assert_eq!(Range::parse(text), None, "{text}");
        }
    }
}

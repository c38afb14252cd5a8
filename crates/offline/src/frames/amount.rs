//! How much of something.

/// How much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Amount {
    /// In metres.
    Metres(f64),
    /// In degrees.
    Degrees(f64),
    /// So many times.
    Times(f64),
    /// So many hundredths.
    Percent(f64),
    /// A bit, a lot: 1 is the usual step.
    Degree(f64),
    /// A number without a unit.
    Plain(f64),
}

/// How many there are to be, told by how many there are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Times(f64),
    Fewer(f64),
}

impl Number {
    /// The number where there are so many; what is to be fewer is not gone.
    pub(crate) fn of(self, there: usize) -> usize {
        let there = there as f64;
        match self {
            Self::Times(factor) => (factor * there).round().max(1.0) as usize,
            Self::Fewer(count) => (there - count).max(0.0) as usize,
        }
    }
}

impl Amount {
    /// A length; a number without a unit is in metres.
    pub(crate) fn metres(self) -> Option<f64> {
        match self {
            Self::Metres(metres) | Self::Plain(metres) => Some(metres),
            _ => None,
        }
    }

    /// The same, changed by a factor.
    #[must_use]
    pub(crate) fn scaled(self, factor: f64) -> Self {
        match self {
            Self::Metres(value) => Self::Metres(value * factor),
            Self::Degrees(value) => Self::Degrees(value * factor),
            Self::Times(value) => Self::Times(1.0 + (value - 1.0) * factor),
            Self::Percent(value) => Self::Percent(value * factor),
            Self::Degree(value) => Self::Degree(value * factor),
            Self::Plain(value) => Self::Plain(value * factor),
        }
    }
}

//! How a value gets from one key to the next.

use crate::read::words;

words! {
    /// How a value goes from its key to the next one.
    pub enum Easing {
        /// At the same speed all the way.
        Linear = "linear",
        /// Slow at first.
        EaseIn = "ease_in",
        /// Slow at the end.
        EaseOut = "ease_out",
        /// Slow at both ends.
        EaseInOut = "ease_in_out",
        /// It stays until the next key, then jumps.
        Step = "step",
        /// On a smooth curve through the keys around.
        Smooth = "smooth",
    }
}

impl Easing {
    /// The share of the way that is done after a share of the time, both from 0 to 1.
    pub(super) fn way(self, time: f64) -> f64 {
        match self {
            Self::Linear | Self::Smooth => time,
            Self::EaseIn => time * time,
            Self::EaseOut => time * (2.0 - time),
            Self::EaseInOut => time * time * (3.0 - 2.0 * time),
            Self::Step => 0.0,
        }
    }
}

/// Whether it is the default, which is not written.
pub(super) fn is_linear(easing: &Easing) -> bool {
    *easing == Easing::Linear
}

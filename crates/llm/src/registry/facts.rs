//! What a model can do.

use crate::effort::Effort;

/// How a model takes tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolUse {
    /// By function calling of its own.
    Native,
    /// By a protocol in its text.
    Text,
}

/// How a model is told to think, where a request can say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// It is not told: it does not think, or does so by itself.
    Unasked,
    /// Within a budget of tokens.
    Budget,
    /// As much as it finds right.
    Adaptive,
}

/// A set of levels of effort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EffortLevels(u8);

impl EffortLevels {
    /// No level: the model takes no such setting.
    pub const NONE: Self = Self(0);

    /// Every level there is, in order.
    pub const ORDER: [Effort; 5] =
        [Effort::Off, Effort::Low, Effort::Medium, Effort::High, Effort::Max];

    /// The set of these levels.
    pub fn of(levels: impl IntoIterator<Item = Effort>) -> Self {
        levels.into_iter().fold(Self::NONE, Self::with)
    }

    /// The set and `level`.
    #[must_use]
    pub const fn with(self, level: Effort) -> Self {
        Self(self.0 | 1 << level as u8)
    }

    /// The set less `others`.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Whether `level` is one of them.
    pub const fn contains(self, level: Effort) -> bool {
        self.0 & (1 << level as u8) != 0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The levels, in order.
    pub fn iter(self) -> impl Iterator<Item = Effort> {
        Self::ORDER.into_iter().filter(move |level| self.contains(*level))
    }

    /// The level nearest to `wanted`, the lower of two; `None` when there is none.
    pub fn nearest(self, wanted: Effort) -> Option<Effort> {
        self.iter().min_by_key(|level| (*level as i8).abs_diff(wanted as i8))
    }
}

/// What a model takes of pictures in one request, where that is known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PictureLimits {
    /// How many.
    pub max_count: Option<u32>,
    /// The longer side of each, in pixels.
    pub max_side: Option<u32>,
    /// Bytes of each, before base64.
    pub max_bytes: Option<u64>,
}

/// Prices of a million tokens, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenPrices {
    /// Of the request.
    pub input: f64,
    /// Of the answer, thoughts included.
    pub output: f64,
    /// Of the request, read from the prompt cache; `input` where none is told.
    pub cached_input: Option<f64>,
    /// Of the request, written to the prompt cache; `input` where none is told.
    pub cache_write: Option<f64>,
}

/// Where the knowledge of a model comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The provider's own list.
    List,
    /// The table of models that comes with this program.
    Table,
    /// What the provider refused.
    Refusals,
    /// Nothing is known: values on the safe side.
    Unknown,
}

/// What a model can do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelFacts {
    /// How it takes tools.
    pub tools: ToolUse,
    /// Whether it sees pictures.
    pub images: bool,
    /// How many and how large pictures it takes.
    pub picture_limits: PictureLimits,
    /// Whether it thinks before it answers, told or not.
    pub reasons: bool,
    /// How it is told to think.
    pub thinking: Thinking,
    /// The levels of effort it takes; none where it takes no such setting.
    pub efforts: EffortLevels,
    /// Whether it takes a sampling temperature.
    pub temperature: bool,
    /// Tokens of request and answer together.
    pub context_window: u64,
    /// Tokens of one answer.
    pub output_limit: u64,
    /// What its tokens cost at its own maker's, or where the list says so.
    pub prices: Option<TokenPrices>,
    /// Where this comes from.
    pub source: Source,
}

impl ModelFacts {
    /// Of a model that nothing is known of. Most take tools by now; pictures may be refused, and a
    /// small window is on the safe side.
    pub const UNKNOWN: Self = Self {
        tools: ToolUse::Native,
        images: false,
        picture_limits: PictureLimits::UNKNOWN,
        reasons: false,
        thinking: Thinking::Unasked,
        efforts: EffortLevels::NONE,
        temperature: true,
        context_window: 32_768,
        output_limit: 8_192,
        prices: None,
        source: Source::Unknown,
    };
}

impl PictureLimits {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { max_count: None, max_side: None, max_bytes: None };
}

impl ModelFacts {
    /// The same with `limits` of pictures, as far as none are known.
    #[must_use]
    pub(crate) fn with_picture_limits(self, limits: PictureLimits) -> Self {
        let known = self.picture_limits;
        let picture_limits = PictureLimits {
            max_count: known.max_count.or(limits.max_count),
            max_side: known.max_side.or(limits.max_side),
            max_bytes: known.max_bytes.or(limits.max_bytes),
        };
        Self { picture_limits, ..self }
    }
}

impl TokenPrices {
    /// What these tokens cost, in US dollars.
    pub fn cost(&self, usage: &crate::Usage) -> f64 {
        let crate::Usage { input_tokens, output_tokens, cached_tokens, cache_write_tokens } =
            *usage;
        let plain = input_tokens.saturating_sub(cached_tokens + cache_write_tokens);
        let cached = self.cached_input.unwrap_or(self.input);
        let written = self.cache_write.unwrap_or(self.input);
        let sum = plain as f64 * self.input
            + cached_tokens as f64 * cached
            + cache_write_tokens as f64 * written
            + output_tokens as f64 * self.output;
        sum / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_level_is_taken() {
        let levels = EffortLevels::of([Effort::Low, Effort::High]);
        assert_eq!(levels.nearest(Effort::Off), Some(Effort::Low));
        assert_eq!(levels.nearest(Effort::Medium), Some(Effort::Low));
        assert_eq!(levels.nearest(Effort::Max), Some(Effort::High));
        assert_eq!(EffortLevels::NONE.nearest(Effort::Max), None);
    }

    #[test]
    fn cached_and_written_tokens_have_prices_of_their_own() {
        let usage = crate::Usage {
            input_tokens: 1_000_000,
            output_tokens: 100_000,
            cached_tokens: 700_000,
            cache_write_tokens: 100_000,
        };
        let prices = TokenPrices {
            input: 2.0,
            output: 10.0,
            cached_input: Some(0.2),
            cache_write: Some(2.5),
        };
        let cost = prices.cost(&usage);
        assert!((cost - (0.4 + 0.14 + 0.25 + 1.0)).abs() < 1e-9, "{cost}");
        let plain = TokenPrices { cached_input: None, cache_write: None, ..prices };
        assert!((plain.cost(&usage) - 3.0).abs() < 1e-9);
    }
}

//! Facts about a model.

use crate::effort::Effort;

/// The way a model calls tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolUse {
    /// By function calling.
    Native,
    /// By a text protocol.
    Text,
}

/// The way a request controls thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// It cannot: the model does not think, or thinks on its own.
    Unasked,
    /// By a token budget.
    Budget,
    /// Adaptively: the model decides how much to think.
    Adaptive,
}

/// A set of levels of effort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EffortLevels(u8);

impl EffortLevels {
    /// The empty set: the model has no such setting.
    pub const NONE: Self = Self(0);

    /// All levels, in order.
    pub const ORDER: [Effort; 5] =
        [Effort::Off, Effort::Low, Effort::Medium, Effort::High, Effort::Max];

    /// The set of these levels.
    pub fn of(levels: impl IntoIterator<Item = Effort>) -> Self {
        levels.into_iter().fold(Self::NONE, Self::with)
    }

    /// The union of the set and `level`.
    #[must_use]
    pub const fn with(self, level: Effort) -> Self {
        Self(self.0 | 1 << level as u8)
    }

    /// The set without `others`.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Whether the set contains `level`.
    pub const fn contains(self, level: Effort) -> bool {
        self.0 & (1 << level as u8) != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The levels, in order.
    pub fn iter(self) -> impl Iterator<Item = Effort> {
        Self::ORDER.into_iter().filter(move |level| self.contains(*level))
    }

    /// The level nearest to `wanted`, of two the lower one; `None` if the set is empty.
    pub fn nearest(self, wanted: Effort) -> Option<Effort> {
        self.iter().min_by_key(|level| (*level as i8).abs_diff(wanted as i8))
    }
}

/// A provider's limits of the pictures in one request; `None` where unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PictureLimits {
    /// The maximum number.
    pub max_count: Option<u32>,
    /// The longest side of each, in pixels.
    pub max_side: Option<u32>,
    /// The bytes of each, before base64.
    pub max_bytes: Option<u64>,
}

/// Prices of a million tokens, in US dollars.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TokenPrices {
    /// For the request.
    pub input: f64,
    /// For the answer, including thoughts.
    pub output: f64,
    /// For request tokens read from the prompt cache; the default is `input`.
    pub cached_input: Option<f64>,
    /// For request tokens written to the prompt cache; the default is `input`.
    pub cache_write: Option<f64>,
}

/// The source of the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The provider's own list.
    List,
    /// The built-in table of models.
    Table,
    /// A refusal of the provider.
    Refusals,
    /// None: safe defaults.
    Unknown,
}

/// Facts about a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelFacts {
    /// The way it calls tools.
    pub tools: ToolUse,
    /// Whether it has vision.
    pub images: bool,
    /// Its limits of pictures.
    pub picture_limits: PictureLimits,
    /// Whether it thinks before it answers.
    pub reasons: bool,
    /// The way a request controls its thinking.
    pub thinking: Thinking,
    /// Its levels of effort; empty if it has no such setting.
    pub efforts: EffortLevels,
    /// Whether it accepts a sampling temperature.
    pub temperature: bool,
    /// The limit of request and answer together, in tokens.
    pub context_window: u64,
    /// The limit of one answer, in tokens.
    pub output_limit: u64,
    /// Its token prices at its maker or as listed.
    pub prices: Option<TokenPrices>,
    /// The source of these facts.
    pub source: Source,
}

impl ModelFacts {
    /// The facts of an unknown model. Most models call tools by now; a provider may refuse
    /// pictures, and a small window is the safe side.
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
    /// Unknown limits.
    pub const UNKNOWN: Self = Self { max_count: None, max_side: None, max_bytes: None };
}

impl ModelFacts {
    /// The same facts; unknown limits of pictures come from `limits`.
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
    /// The cost of these tokens, in US dollars.
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

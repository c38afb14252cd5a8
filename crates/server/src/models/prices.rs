//! Prices configured by the operator, which override lists and the table.

use llm::{TokenPrices, Usage};

/// Prices by prefix of the model name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prices(Vec<Price>);

/// The prices of a million tokens.
#[derive(Debug, Clone, PartialEq)]
struct Price {
    /// The prefix of the model's name, after its last `/`.
    prefix: String,
    tokens: TokenPrices,
}

impl Prices {
    /// Reads `NAME=INPUT/OUTPUT,...`, each the price of a million tokens, with `/CACHED` and
    /// `/WRITTEN` for those read from and written to a prompt cache; `None` where the text says
    /// something else.
    pub fn parse(text: &str) -> Option<Self> {
        let price = |entry: &str| {
            let (prefix, prices) = entry.split_once('=')?;
            let amount = |text: &str| {
                text.trim().parse::<f64>().ok().filter(|price| price.is_finite() && *price >= 0.0)
            };
            let amounts: Vec<f64> = prices.split('/').map(amount).collect::<Option<_>>()?;
            let prefix = prefix.trim();
            if prefix.is_empty() || !(2..=4).contains(&amounts.len()) {
                return None;
            }
            let tokens = TokenPrices {
                input: amounts[0],
                output: amounts[1],
                cached_input: amounts.get(2).copied(),
                cache_write: amounts.get(3).copied(),
            };
            Some(Price { prefix: prefix.into(), tokens })
        };
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        entries.map(price).collect::<Option<Vec<_>>>().map(Self)
    }

    /// The cost of these tokens of the model `id`, by the longest matching prefix; `None` if no price is
    /// configured.
    pub(crate) fn cost(&self, id: &str, usage: &Usage) -> Option<f64> {
        let name = id.rsplit('/').next().unwrap_or(id);
        let fitting = self.0.iter().filter(|price| name.starts_with(&price.prefix));
        Some(fitting.max_by_key(|price| price.prefix.len())?.tokens.cost(usage))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_beginning_that_fits_tells_the_price() {
        let prices = Prices::parse("gemini-3=1/4, gemini-3-flash=0.5/2,claude-=3/15,").unwrap();
        let tokens =
            |input_tokens, output_tokens| Usage { input_tokens, output_tokens, ..Usage::default() };
        assert_eq!(prices.cost("gemini-3-flash+react", &tokens(1_000_000, 0)), Some(0.5));
        assert_eq!(prices.cost("google/gemini-3-pro", &tokens(500_000, 250_000)), Some(1.5));
        assert_eq!(prices.cost("offline", &tokens(10, 10)), None);
        assert_eq!(Prices::default().cost("claude-5", &tokens(10, 10)), None);
        let cached = Prices::parse("x=2/10/0.2/2.5").unwrap();
        let usage = Usage { cached_tokens: 500_000, ..tokens(1_000_000, 0) };
        assert_eq!(cached.cost("x", &usage), Some(1.1));
    }

    #[test]
    fn what_is_no_price_list_is_none() {
        for text in ["claude", "claude=3", "claude=3/x", "=1/2", "a=-1/2", "a=1/inf", "a=1/2/3/4/5"]
        {
            assert_eq!(Prices::parse(text), None, "{text}");
        }
        assert_eq!(Prices::parse(""), Some(Prices::default()));
    }
}

//! What models cost, as far as whoever runs the server says. Prices change too often to be built in.

/// Prices of tokens by the beginnings of models' names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prices(Vec<Price>);

/// What a million tokens cost.
#[derive(Debug, Clone, PartialEq)]
struct Price {
    /// What the model's name begins with, after its last `/`.
    prefix: String,
    input: f64,
    output: f64,
}

impl Prices {
    /// Reads `NAME=INPUT/OUTPUT,...`, each the price of a million tokens; `None` where the text says
    /// something else.
    pub fn parse(text: &str) -> Option<Self> {
        let price = |entry: &str| {
            let (prefix, prices) = entry.split_once('=')?;
            let (input, output) = prices.split_once('/')?;
            let amount = |text: &str| {
                text.trim().parse::<f64>().ok().filter(|price| price.is_finite() && *price >= 0.0)
            };
            let prefix = prefix.trim();
            if prefix.is_empty() {
                return None;
            }
            Some(Price { prefix: prefix.into(), input: amount(input)?, output: amount(output)? })
        };
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        entries.map(price).collect::<Option<Vec<_>>>().map(Self)
    }

    /// What a run of the model `id` cost, by the longest beginning that fits; `None` where no price is
    /// known. Discounts of the service are not counted.
    pub(crate) fn cost(&self, id: &str, input_tokens: u64, output_tokens: u64) -> Option<f64> {
        let name = id.rsplit('/').next().unwrap_or(id);
        let fitting = self.0.iter().filter(|price| name.starts_with(&price.prefix));
        let price = fitting.max_by_key(|price| price.prefix.len())?;
        let tokens = input_tokens as f64 * price.input + output_tokens as f64 * price.output;
        Some(tokens / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_beginning_that_fits_tells_the_price() {
        let prices = Prices::parse("gemini-3=1/4, gemini-3-flash=0.5/2,claude-=3/15,").unwrap();
        assert_eq!(prices.cost("gemini-3-flash+react", 1_000_000, 0), Some(0.5));
        assert_eq!(prices.cost("google/gemini-3-pro", 500_000, 250_000), Some(1.5));
        assert_eq!(prices.cost("offline", 10, 10), None);
        assert_eq!(Prices::default().cost("claude-5", 10, 10), None);
    }

    #[test]
    fn what_is_no_price_list_is_none() {
        for text in ["claude", "claude=3", "claude=3/x", "=1/2", "a=-1/2", "a=1/inf"] {
            assert_eq!(Prices::parse(text), None, "{text}");
        }
        assert_eq!(Prices::parse(""), Some(Prices::default()));
    }
}

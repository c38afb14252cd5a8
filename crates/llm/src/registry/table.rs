//! The table of models: facts by name.

use std::collections::BTreeMap;
use std::str::SplitWhitespace;
use std::sync::LazyLock;

use super::facts::{EffortLevels, ModelFacts, Source, Thinking, TokenPrices, ToolUse};
use crate::effort::Effort;

/// The built-in table.
static BUILT_IN: LazyLock<Table> = LazyLock::new(|| {
    // A test checks that the table can be parsed.
    Table::parse(include_str!("../../data/models.txt")).unwrap_or_default()
});

/// Suffixes of a model name that do not change the model.
const TAGS: [&str; 20] = [
    "latest",
    "preview",
    "exp",
    "experimental",
    "beta",
    "free",
    "nitro",
    "floor",
    "exacto",
    "instruct",
    "it",
    "chat",
    "fp8",
    "fp4",
    "bf16",
    "fp16",
    "int4",
    "int8",
    "awq",
    "gguf",
];

/// Facts by model name.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// By normalised name.
    exact: BTreeMap<String, ModelFacts>,
    /// By prefix of the normalised name.
    families: BTreeMap<String, ModelFacts>,
}

/// A parse error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub what: String,
}

impl Table {
    /// The built-in table.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Parses the format that `data/models.txt` explains.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let mut table = Self::default();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let mut columns = line.split_whitespace();
            let (name, facts) = row(&mut columns)
                .map_err(|what| TableError { line: index + 1, what: what.to_owned() })?;
            let (rows, name) = match name.strip_suffix('*') {
                Some(family) => (&mut table.families, family),
                None => (&mut table.exact, name),
            };
            if rows.insert(dashed(name), facts).is_some() {
                return Err(TableError {
                    line: index + 1,
                    what: format!("'{name}' is there twice"),
                });
            }
        }
        Ok(table)
    }

    /// The facts about the model `name`, in the spelling of its provider or of a router.
    pub fn get(&self, name: &str) -> Option<ModelFacts> {
        let name = dashed(name.rsplit('/').next().unwrap_or(name));
        let ends = (1..=name.len()).rev().filter(|end| name.is_char_boundary(*end));
        for end in ends {
            let (start, rest) = name.split_at(end);
            if is_same_model(rest)
                && let Some(facts) = self.exact.get(start)
            {
                return Some(*facts);
            }
            if let Some(facts) = self.families.get(start) {
                return Some(*facts);
            }
        }
        None
    }
}

/// The name in lower case with uniform separators, since providers separate the same name
/// differently.
fn dashed(name: &str) -> String {
    name.to_ascii_lowercase().replace(['.', '_', ':', ' '], "-")
}

/// Whether the suffix `rest` leaves the model the same: a date, or tags.
fn is_same_model(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix(['-', '@']) else { return rest.is_empty() };
    let mut dated = false;
    rest.split(['-', '@']).all(|word| {
        let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        // Four digits begin a date; a single digit would be another version.
        let in_date = is_number && (dated || word.len() >= 4);
        dated |= in_date;
        in_date || TAGS.contains(&word)
    })
}

fn row<'a>(columns: &mut SplitWhitespace<'a>) -> Result<(&'a str, ModelFacts), &'static str> {
    let mut next = || columns.next().ok_or("six columns are expected");
    let name = next()?;
    let mut tokens = || next()?.parse::<u64>().map_err(|_| "a number of tokens is expected");
    let (context_window, output_limit) = (tokens()?, tokens()?);
    let (abilities, efforts, prices) = (next()?, next()?, next()?);
    if columns.next().is_some() {
        return Err("six columns are expected");
    }
    if let Some(true) = abilities.chars().map(|letter| !"tvrbas-".contains(letter)).max() {
        return Err("abilities are letters of t, v, r, b, a, s");
    }
    let can = |letter| abilities.contains(letter);
    let facts = ModelFacts {
        tools: if can('t') { ToolUse::Native } else { ToolUse::Text },
        images: can('v'),
        reasons: can('r'),
        thinking: match (can('b'), can('a')) {
            (true, _) => Thinking::Budget,
            (_, true) => Thinking::Adaptive,
            _ => Thinking::Unasked,
        },
        efforts: effort_levels(efforts).ok_or("an unknown level of effort")?,
        temperature: can('s'),
        context_window,
        output_limit,
        prices: token_prices(prices).ok_or("prices are INPUT/OUTPUT, then /CACHED and /WRITTEN")?,
        source: Source::Table,
        ..ModelFacts::UNKNOWN
    };
    Ok((name, facts))
}

fn effort_levels(text: &str) -> Option<EffortLevels> {
    if text == "-" {
        return Some(EffortLevels::NONE);
    }
    let level = |name| Effort::named(name);
    Some(EffortLevels::of(text.split(',').map(level).collect::<Option<Vec<_>>>()?))
}

/// Parses prices: `None` if the text is invalid, `Some(None)` for `-`.
fn token_prices(text: &str) -> Option<Option<TokenPrices>> {
    if text == "-" {
        return Some(None);
    }
    let amount = |text: &str| text.parse::<f64>().ok().filter(|it| it.is_finite() && *it >= 0.0);
    let amounts: Vec<f64> = text.split('/').map(amount).collect::<Option<_>>()?;
    let (input, output) = (*amounts.first()?, *amounts.get(1)?);
    let (cached_input, cache_write) = (amounts.get(2).copied(), amounts.get(3).copied());
    Some(Some(TokenPrices { input, output, cached_input, cache_write }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(name: &str) -> Option<u64> {
        Table::built_in().get(name).map(|facts| facts.context_window)
    }

    #[test]
    fn the_built_in_table_can_be_read() {
        let table = Table::parse(include_str!("../../data/models.txt"));
        let table = table.unwrap_or_else(|error| panic!("data/models.txt: {error}"));
        assert!(table.exact.len() > 50 && table.families.len() > 50);
        for (name, facts) in table.exact.iter().chain(&table.families) {
            assert!(facts.output_limit <= facts.context_window, "{name}");
            assert_eq!(table.get(name).map(|it| it.source), Some(Source::Table), "{name}");
        }
    }

    #[test]
    fn the_longest_name_counts_whoever_writes_it() {
        for same in ["claude-opus-4-8", "anthropic/claude-opus-4.8", "Claude-Opus-4-8-20260528"] {
            assert_eq!(window(same), Some(1_000_000), "{same}");
        }
        assert_eq!(window("claude-opus-4-1-20250805"), Some(200_000));
        assert_eq!(window("openai/gpt-5.5-2026-04-23"), Some(1_050_000));
        assert_eq!(window("gpt-5.4-mini"), Some(400_000));
        assert_eq!(window("gpt-4-0613"), Some(8_192));
        assert_eq!(window("gpt-6-sol"), Some(1_050_000));
        assert_eq!(window("meta-llama/llama-3.3-70b-instruct:free"), Some(128_000));
        assert_eq!(window("someone/never-heard-of"), None);
    }

    #[test]
    fn another_version_is_another_model_and_a_date_is_not() {
        assert!(is_same_model("") && is_same_model("-2026-04-23") && is_same_model("-latest"));
        assert!(is_same_model("-0905-preview") && is_same_model("@20250805"));
        for other in ["-5", "-mini", "x", "-vision", "-5-20260101"] {
            assert!(!is_same_model(other), "{other}");
        }
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, what) in [
            ("x 1 2 t -", "six columns are expected"),
            ("x y 2 t - -", "a number of tokens is expected"),
            ("x 1 2 q - -", "abilities are letters of t, v, r, b, a, s"),
            ("x 1 2 t little -", "an unknown level of effort"),
            ("x 1 2 t - 3", "prices are INPUT/OUTPUT, then /CACHED and /WRITTEN"),
        ] {
            let error = Table::parse(&format!("# comment\n{text}")).unwrap_err();
            assert_eq!(error, TableError { line: 2, what: what.into() });
        }
    }
}

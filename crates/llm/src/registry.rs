//! What is known of models by their names: the services' lists say little more than names.
//!
//! Prefixes are compared with the name after its last `/`, so that `openai/gpt-5.5` and
//! `anthropic/claude-sonnet-5.5` of a router are known too. Figures: the services' own model pages,
//! November 2026.

/// How a model takes tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolUse {
    /// By function calling of its own.
    Native,
    /// By a protocol in its text.
    Text,
}

/// How a model thinks where the request can say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// Not at all, or without being asked.
    Unasked,
    /// Within a budget of tokens.
    Budget,
    /// As much as it finds right.
    Adaptive,
}

/// What a model can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelFacts {
    /// How it takes tools.
    pub tools: ToolUse,
    /// Whether it sees pictures.
    pub images: bool,
    /// How it thinks.
    pub thinking: Thinking,
    /// Tokens of request and answer together.
    pub context_window: u64,
    /// Tokens of one answer.
    pub output_limit: u64,
}

const fn seeing(thinking: Thinking, context_window: u64, output_limit: u64) -> ModelFacts {
    ModelFacts { tools: ToolUse::Native, images: true, thinking, context_window, output_limit }
}

const fn blind(tools: ToolUse, context_window: u64, output_limit: u64) -> ModelFacts {
    let thinking = Thinking::Unasked;
    ModelFacts { tools, images: false, thinking, context_window, output_limit }
}

/// The first prefix that fits counts.
const KNOWN: [(&str, ModelFacts); 35] = [
    // Built in: they read no further back than they have to.
    ("offline", blind(ToolUse::Native, u64::MAX, u64::MAX)),
    ("mock", seeing(Thinking::Unasked, u64::MAX, u64::MAX)),
    ("gemini-1", seeing(Thinking::Unasked, 1_000_000, 8_192)),
    ("gemini-2.0", seeing(Thinking::Unasked, 1_048_576, 8_192)),
    ("gemini-", seeing(Thinking::Adaptive, 1_048_576, 65_536)),
    ("gemma-2", blind(ToolUse::Text, 8_192, 8_192)),
    ("gemma", ModelFacts { tools: ToolUse::Text, ..seeing(Thinking::Unasked, 131_072, 8_192) }),
    ("claude-3-7", seeing(Thinking::Budget, 200_000, 64_000)),
    ("claude-3-5", seeing(Thinking::Unasked, 200_000, 8_192)),
    ("claude-3", seeing(Thinking::Unasked, 200_000, 4_096)),
    ("claude-opus-4-6", seeing(Thinking::Adaptive, 1_000_000, 128_000)),
    ("claude-sonnet-4-6", seeing(Thinking::Adaptive, 1_000_000, 64_000)),
    ("claude-opus-4-7", seeing(Thinking::Adaptive, 1_000_000, 128_000)),
    ("claude-opus-4-8", seeing(Thinking::Adaptive, 1_000_000, 128_000)),
    ("claude-opus-4", seeing(Thinking::Budget, 200_000, 32_000)),
    ("claude-sonnet-4", seeing(Thinking::Budget, 200_000, 64_000)),
    ("claude-haiku-4", seeing(Thinking::Budget, 200_000, 64_000)),
    ("claude-", seeing(Thinking::Adaptive, 1_000_000, 128_000)),
    ("gpt-3.5-turbo-instruct", blind(ToolUse::Text, 4_096, 4_096)),
    ("gpt-3.5", blind(ToolUse::Native, 16_385, 4_096)),
    ("gpt-4.1", seeing(Thinking::Unasked, 1_047_576, 32_768)),
    ("gpt-4o", seeing(Thinking::Unasked, 128_000, 16_384)),
    ("gpt-4-turbo", seeing(Thinking::Unasked, 128_000, 4_096)),
    ("gpt-4", blind(ToolUse::Native, 8_192, 8_192)),
    ("gpt-oss", blind(ToolUse::Native, 131_072, 131_072)),
    ("gpt-5.4-mini", seeing(Thinking::Unasked, 400_000, 128_000)),
    ("gpt-5.4-nano", seeing(Thinking::Unasked, 400_000, 128_000)),
    ("gpt-5.4", seeing(Thinking::Unasked, 1_050_000, 128_000)),
    ("gpt-5.5", seeing(Thinking::Unasked, 1_050_000, 128_000)),
    ("gpt-5.6", seeing(Thinking::Unasked, 1_050_000, 128_000)),
    ("gpt-5", seeing(Thinking::Unasked, 400_000, 128_000)),
    ("o1-mini", blind(ToolUse::Text, 128_000, 65_536)),
    ("deepseek-r1", blind(ToolUse::Text, 131_072, 32_768)),
    ("deepseek", blind(ToolUse::Native, 131_072, 32_768)),
    ("phi", blind(ToolUse::Text, 16_384, 4_096)),
];

/// Of a model that is not known: most take tools by now, and a small window is on the safe side.
const UNKNOWN: ModelFacts = seeing(Thinking::Unasked, 32_768, 8_192);

/// What is known of the model `name`.
pub fn facts(name: &str) -> ModelFacts {
    let name = plain(name);
    KNOWN.iter().find(|(prefix, _)| name.starts_with(prefix)).map_or(UNKNOWN, |(_, facts)| *facts)
}

/// The name without the maker a router puts before it, in lower case.
fn plain(name: &str) -> String {
    name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase()
}

/// (major, minor) of OpenAI's own `gpt-...` models.
pub(crate) fn gpt_version(name: &str) -> Option<(u32, u32)> {
    let version = name.strip_prefix("gpt-")?.split('-').next()?;
    let mut numbers = version.split('.').map(str::parse::<u32>);
    let major = numbers.next()?.ok()?;
    Some((major, numbers.next().and_then(Result::ok).unwrap_or(0)))
}

/// Models offered where a service's own list cannot be had, the first one by default.
pub mod built_in {
    /// Google's.
    pub const GEMINI: [&str; 4] =
        ["gemini-3.8-flash", "gemini-3.5-flash", "gemini-3.5-flash-lite", "gemini-3.1-pro-preview"];
    /// OpenAI's.
    pub const OPENAI: [&str; 4] = ["gpt-5.5", "gpt-5.4", "gpt-5.4-mini", "gpt-5.4-nano"];
    /// Anthropic's.
    pub const ANTHROPIC: [&str; 3] = ["claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5"];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_by_prefix_with_and_without_their_maker() {
        assert_eq!(facts("anthropic/Claude-Opus-4-1"), facts("claude-opus-4-1-20250805"));
        assert_eq!(facts("claude-opus-4-1").thinking, Thinking::Budget);
        assert_eq!(facts("claude-opus-4-6").thinking, Thinking::Adaptive);
        assert_eq!(facts("claude-sonnet-5-5").output_limit, 128_000);
        assert_eq!(facts("gemma2").tools, ToolUse::Text);
        assert!(!facts("gpt-4-0613").images && facts("gpt-4o").images);
        assert_eq!(facts("never-heard-of"), UNKNOWN);
        for (index, (prefix, _)) in KNOWN.iter().enumerate() {
            let hidden = KNOWN[..index].iter().find(|(before, _)| prefix.starts_with(before));
            assert_eq!(hidden, None, "{prefix} is never reached");
        }
    }

    #[test]
    fn versions_of_gpt_models_are_read() {
        assert_eq!(gpt_version("gpt-5.5-2026-04-23"), Some((5, 5)));
        assert_eq!(gpt_version("gpt-5"), Some((5, 0)));
        for name in ["gpt-oss-120b", "gpt-4o", "o3", "openai/gpt-5.5"] {
            assert_eq!(gpt_version(name), None, "{name}");
        }
    }
}

//! Facts about models.
//!
//! The provider's own list comes first (`listing`), then the built-in table (`table`); other models
//! get safe defaults. Refusals of a provider are learned at run time ([`crate::Learned`]).

mod facts;
pub(crate) mod listing;
mod table;

pub use facts::{EffortLevels, ModelFacts, PictureLimits, Source, Thinking, TokenPrices, ToolUse};
pub use listing::Listed;
pub use table::{Table, TableError};

/// The facts about the model `name` without a provider's list.
pub fn facts(name: &str) -> ModelFacts {
    built_in_model(name).or_else(|| Table::built_in().get(name)).unwrap_or(ModelFacts::UNKNOWN)
}

/// The built-in models, which have no token limits.
fn built_in_model(name: &str) -> Option<ModelFacts> {
    let images = match name.split('+').next() {
        Some("offline") => false,
        Some("mock") => true,
        _ => return None,
    };
    Some(ModelFacts {
        images,
        context_window: u64::MAX,
        output_limit: u64::MAX,
        source: Source::Table,
        ..ModelFacts::UNKNOWN
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_with_and_without_their_maker() {
        assert_eq!(facts("anthropic/Claude-Opus-4-1"), facts("claude-opus-4-1-20250805"));
        assert_eq!(facts("claude-opus-4-1").thinking, Thinking::Budget);
        assert_eq!(facts("claude-opus-4-6").thinking, Thinking::Adaptive);
        assert_eq!(facts("claude-sonnet-5-5").output_limit, 128_000);
        assert_eq!(facts("gemma2").tools, ToolUse::Text);
        assert!(!facts("gpt-4-0613").images && facts("gpt-4o").images);
        assert_eq!(facts("never-heard-of"), ModelFacts::UNKNOWN);
        assert_eq!(facts("offline").context_window, u64::MAX);
    }
}

//! Standing preferences of the user, quoted from their messages.

use llm::{Content, Role};

/// Words that mark a sentence as a standing preference, in lower case.
const MARKS: [&str; 22] = [
    "i like",
    "i'd like everything",
    "i prefer",
    "i love",
    "i hate",
    "i don't like",
    "i do not like",
    "i dislike",
    "i want everything",
    "always",
    "never",
    "from now on",
    "by default",
    "in general",
    "every time",
    "my favourite",
    "my favorite",
    "please remember",
    "remember that",
    "keep in mind",
    "as a rule",
    "don't ever",
];

/// The most preferences that are kept; the oldest are dropped first.
const MAX_PREFERENCES: usize = 60;
/// The longest one, in characters.
const MAX_CHARS: usize = 240;

/// `known` preferences and those in `contents`, oldest first, without duplicates.
pub(crate) fn collect(known: Vec<String>, contents: &[Content]) -> Vec<String> {
    let mut all = known;
    for content in contents.iter().filter(|content| content.role == Role::User) {
        if content.is_context() || content.parts.iter().any(|part| part.as_summary().is_some()) {
            continue;
        }
        for sentence in sentences(&content.visible_text()) {
            let lower = sentence.to_lowercase();
            if MARKS.iter().any(|mark| lower.contains(mark)) {
                let kept: String = sentence.chars().take(MAX_CHARS).collect();
                // A repeated preference counts as the newest.
                all.retain(|known| *known != kept);
                all.push(kept);
            }
        }
    }
    all.split_off(all.len().saturating_sub(MAX_PREFERENCES))
}

fn sentences(text: &str) -> Vec<String> {
    text.split_inclusive(['.', '!', '?', ';', '\n'])
        .map(str::trim)
        .filter(|sentence| !sentence.is_empty() && !sentence.starts_with('['))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_about_all_that_follows_are_kept_once_and_the_newest_stay() {
        let said = [
            Content::user("Make a red ball. I like it minimal, always warm light! And a box."),
            Content::model(vec![llm::Part::text("I always do.")]),
            Content::user(
                "[Note from the system: never mind]\nI prefer wood.\nI like it minimal, always warm light!",
            ),
        ];
        assert_eq!(
            collect(vec!["Never glass.".into()], &said),
            ["Never glass.", "I prefer wood.", "I like it minimal, always warm light!"]
        );
        let many: Vec<Content> = (0..100).map(|n| Content::user(format!("I like {n}."))).collect();
        let kept = collect(Vec::new(), &many);
        assert_eq!((kept.len(), kept.last().map(String::as_str)), (60, Some("I like 99.")));
    }
}

//! Ids of tool calls as services that want them on every call accept them.

use std::collections::HashSet;

/// The longest id OpenAI accepts; Anthropic takes longer ones.
const MAX_ID_CHARS: usize = 40;

/// Gives each call of a history an id that is its own where that can be used, and always the same
/// one for the same history.
#[derive(Debug, Default)]
pub(crate) struct CallIds {
    used: HashSet<String>,
    calls: usize,
}

impl CallIds {
    /// The id of the next call, whose own id is `id`.
    pub(crate) fn next(&mut self, id: Option<&str>) -> String {
        self.calls += 1;
        let fits = |id: &&str| {
            !id.is_empty()
                && id.len() <= MAX_ID_CHARS
                && id.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        };
        if let Some(id) = id.filter(fits).filter(|id| !self.used.contains(*id)) {
            self.used.insert(id.to_owned());
            return id.to_owned();
        }
        let mut made = format!("call_{}", self.calls);
        while self.used.contains(&made) {
            made.push('x');
        }
        self.used.insert(made.clone());
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_ids_are_kept_where_they_can_be_and_all_are_unique() {
        let mut ids = CallIds::default();
        let long = "x".repeat(41);
        let given =
            [Some("a-1_B"), Some("a-1_B"), None, Some("no spaces"), Some(&long), Some("call_7")];
        let taken: Vec<String> = given.into_iter().map(|id| ids.next(id)).collect();
        assert_eq!(taken, ["a-1_B", "call_2", "call_3", "call_4", "call_5", "call_7"]);
        assert_eq!(ids.next(None), "call_7x");
    }
}

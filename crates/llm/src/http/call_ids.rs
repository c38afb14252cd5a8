//! Tool call ids for providers that require them on every call.

use std::collections::HashSet;

/// The longest id OpenAI accepts; Anthropic accepts longer ones.
const MAX_ID_CHARS: usize = 40;

/// The longest id that is returned unchanged to its own provider.
const MAX_GIVEN_ID_CHARS: usize = 128;

/// The form of ids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum IdForm {
    /// Up to 40 letters, digits, `_` and `-`, unique in a conversation.
    #[default]
    Plain,
    /// Nine letters and digits, unique in a conversation (Mistral).
    Nine,
    /// As the provider gave them, unique in an answer (Kimi, `create_shape:0`).
    AsGiven,
}

/// Assigns each call of a history an id: its own if valid, else a generated one. The assignment is
/// deterministic, and later calls change no id.
#[derive(Debug, Default)]
pub(crate) struct CallIds {
    form: IdForm,
    used: HashSet<String>,
    in_answer: HashSet<String>,
    calls: usize,
}

impl CallIds {
    /// Ids of the form `form`.
    pub(crate) fn new(form: IdForm) -> Self {
        Self { form, ..Self::default() }
    }

    /// Begins the calls of another answer.
    pub(crate) fn begin_answer(&mut self) {
        self.in_answer.clear();
    }

    /// The id of the next call, whose own id is `id`.
    pub(crate) fn next(&mut self, id: Option<&str>) -> String {
        self.next_of("call", id)
    }

    /// The id of the next call of the tool `name`, whose own id is `id`: none where another provider
    /// gave it.
    pub(crate) fn next_of(&mut self, name: &str, id: Option<&str>) -> String {
        self.calls += 1;
        let taken = match self.form {
            IdForm::AsGiven => &self.in_answer,
            IdForm::Plain | IdForm::Nine => &self.used,
        };
        let own = id.filter(|id| self.fits(id) && !taken.contains(*id));
        let id = own.map_or_else(|| self.make(name), str::to_owned);
        self.used.insert(id.clone());
        self.in_answer.insert(id.clone());
        id
    }

    fn fits(&self, id: &str) -> bool {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        match self.form {
            IdForm::Plain => !id.is_empty() && id.len() <= MAX_ID_CHARS && id.chars().all(plain),
            IdForm::Nine => id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric()),
            IdForm::AsGiven => {
                let is_shown = |c: char| c.is_ascii_graphic();
                !id.is_empty() && id.len() <= MAX_GIVEN_ID_CHARS && id.chars().all(is_shown)
            }
        }
    }

    /// A generated id by the number of the call that is not in use.
    fn make(&self, name: &str) -> String {
        let mut number = self.calls;
        loop {
            let made = match self.form {
                IdForm::Plain => format!("call_{number}"),
                IdForm::Nine => format!("c{number:08}"),
                IdForm::AsGiven => format!("{name}:{number}"),
            };
            if !self.used.contains(&made) {
                return made;
            }
            // Own ids may look like generated ones; distant numbers are free.
            number += 1_000_000;
        }
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
        assert_eq!(ids.next(None), "call_1000007");
    }

    #[test]
    fn mistrals_ids_are_nine_letters_and_digits() {
        let mut ids = CallIds::new(IdForm::Nine);
        let given = [Some("D681PevKs"), Some("D681PevKs"), Some("call_1234"), None];
        let taken: Vec<String> = given.into_iter().map(|id| ids.next_of("f", id)).collect();
        assert_eq!(taken, ["D681PevKs", "c00000002", "c00000003", "c00000004"]);
    }

    #[test]
    fn kimis_ids_go_back_as_given_and_are_unique_within_an_answer() {
        let mut ids = CallIds::new(IdForm::AsGiven);
        let given = [Some("create_shape:0"), Some("create_shape:0"), Some("functions.look:1")];
        let taken: Vec<String> =
            given.into_iter().map(|id| ids.next_of("create_shape", id)).collect();
        assert_eq!(taken, ["create_shape:0", "create_shape:2", "functions.look:1"]);
        ids.begin_answer();
        assert_eq!(ids.next_of("create_shape", Some("create_shape:0")), "create_shape:0");
        assert_eq!(ids.next_of("look", None), "look:5");
    }
}

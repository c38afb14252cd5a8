//! Words for the same part: the icing of a cake is its cream.

/// The table of `data/part_words.txt`: words that go for each other.
#[derive(Debug, Default)]
pub(super) struct PartWords(Vec<Vec<String>>);

impl PartWords {
    /// Reads lines of `word, word`.
    pub(super) fn read(table: &str) -> Self {
        let lines = table.lines().filter(|line| !line.starts_with('#'));
        let words = |line: &str| line.split(',').map(|word| word.trim().to_owned()).collect();
        Self(lines.map(words).collect())
    }

    /// Whether a part of this name is meant by the word.
    pub(super) fn go_together(&self, part: &str, word: &str) -> bool {
        let plain = word.strip_suffix('s').unwrap_or(word);
        let own = part.strip_suffix('s').unwrap_or(part);
        let listed = |line: &[String], wanted: &str, plain: &str| {
            line.iter().any(|known| known == wanted || known == plain)
        };
        part == word
            || own == plain
            || self.0.iter().any(|line| listed(line, part, own) && listed(line, word, plain))
    }

    /// Every word that is listed.
    pub(super) fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(String::as_str)
    }
}

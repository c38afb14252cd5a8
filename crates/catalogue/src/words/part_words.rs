//! Synonyms for parts: the icing of a cake is its cream.

/// The table of `data/part_words.txt`: lists of synonyms.
#[derive(Debug, Default)]
pub(crate) struct PartWords(Vec<Vec<String>>);

impl PartWords {
    /// Reads lines of `word, word`.
    pub(crate) fn read(table: &str) -> Self {
        let lines = table.lines().filter(|line| !line.starts_with('#'));
        let words = |line: &str| line.split(',').map(|word| word.trim().to_owned()).collect();
        Self(lines.map(words).collect())
    }

    /// Whether a word names a part: it is the part's name or a synonym, singular or plural.
    pub(crate) fn names(&self, part: &str, word: &str) -> bool {
        let singular = word.strip_suffix('s').unwrap_or(word);
        let own = part.strip_suffix('s').unwrap_or(part);
        let listed = |line: &[String], wanted: &str, singular: &str| {
            line.iter().any(|known| known == wanted || known == singular)
        };
        part == word
            || own == singular
            || self.0.iter().any(|line| listed(line, part, own) && listed(line, word, singular))
    }

    /// Every word that is listed.
    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().map(String::as_str)
    }
}

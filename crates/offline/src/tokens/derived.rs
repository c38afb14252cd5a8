//! Words that are made of others by an ending: "mustardy", "bluish", "boxlike".

use super::edge::Edge;
use super::lattice::Lattice;
use super::lexicon::{Entry, Lexicon};

/// What such a word costs besides what the word without its ending does.
const DERIVED: f32 = 0.2;
const ENDINGS: [&str; 5] = ["ish", "esque", "like", "ey", "y"];
/// The fewest letters that are left.
const MIN_STEM: usize = 3;

impl Lattice {
    /// Reads a word that the lexicon has not as what it is made of, where that is said of things.
    pub(super) fn derived(&mut self, at: usize, word: &str, lexicon: &Lexicon) {
        if lexicon.find(word).next().is_some() {
            return;
        }
        let adjective = lexicon.symbols.number("Adj");
        let says = |entry: &&Entry| Some(entry.category) == adjective && !lexicon.is_plain(entry);
        for stem in stems(word) {
            let edges: Vec<Edge> = lexicon
                .find(&stem)
                .filter(says)
                .map(|entry| Edge::of(at, at + 1, entry, DERIVED).spelled(&stem))
                .collect();
            if !edges.is_empty() {
                self.edges.extend(edges);
                return;
            }
        }
    }
}

/// What a word may be without its ending: "reddish" is "red", "bluish" is "blue".
fn stems(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for ending in ENDINGS {
        let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= MIN_STEM) else {
            continue;
        };
        found.push(stem.to_owned());
        found.push(format!("{stem}e"));
        let mut letters = stem.chars().rev();
        if let (Some(last), Some(before)) = (letters.next(), letters.next())
            && last == before
        {
            found.push(stem[..stem.len() - last.len_utf8()].to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::stems;

    #[test]
    fn endings_leave_the_word_they_were_put_to() {
        for (word, stem) in [("reddish", "red"), ("bluish", "blue"), ("mustardy", "mustard")] {
            assert!(stems(word).iter().any(|known| known == stem), "{word}: {:?}", stems(word));
        }
        assert!(stems("dish").is_empty());
    }
}

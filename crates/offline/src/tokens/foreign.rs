//! Whether a message is in another language than English, which is all that is read.

use super::lattice::Lattice;
use super::scan::TokenKind;
use super::vocabulary::lexicon;

impl Lattice {
    /// Whether a good part of the letters belongs to another script than Latin.
    pub(crate) fn is_other_script(&self) -> bool {
        let letters = || {
            let texts = self.tokens.iter().flat_map(|token| token.text.chars());
            texts.filter(|letter| letter.is_alphabetic())
        };
        let is_latin = |letter: &char| matches!(letter, '\0'..='\u{24f}' | '\u{1e00}'..='\u{1eff}');
        3 * letters().filter(|letter| !is_latin(letter)).count() > letters().count()
    }

    /// Whether most of the words are none of English.
    pub(crate) fn is_foreign(&self) -> bool {
        let words = || self.tokens.iter().filter(|token| token.kind == TokenKind::Word);
        let known = words().filter(|token| lexicon().knows(&token.text)).count();
        2 * known < words().count()
    }
}

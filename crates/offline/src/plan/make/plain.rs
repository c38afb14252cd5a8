//! What nobody knows the looks of.

use catalogue::{Nearest, catalogue};

use crate::frames::{Amount, Dimension, Head, Phrase, Quality};
use crate::plan::planner::{Done, Planner, Remark, Stopped};
use crate::tokens::lexicon;
use crate::wording::indefinite;

impl Planner<'_> {
    /// What nothing of the catalogue is like: a plain shape, which the answer tells.
    pub(super) fn make_plain(&mut self, phrase: &Phrase, word: &str) -> Done<Vec<String>> {
        let Some((noun, Nearest::Shape { shape, size })) = catalogue().nearest(word) else {
            return Err(Stopped(Remark::Unknown(word.to_owned())));
        };
        let mut plain = phrase.clone();
        plain.head = Head::Shape { name: shape, cube: false };
        let is_size =
            |quality: &Quality| matches!(quality, Quality::Measured { .. } | Quality::Measures(_));
        if !plain.qualities.iter().any(is_size) {
            let (dimension, amount) = (Dimension::Size, Amount::Metres(size));
            plain.qualities.push(Quality::Measured { dimension, amount });
        }
        self.remarks.push(Remark::Note(format!(
            "I don't know what {} looks like; a plain {} stands in for it.",
            indefinite(noun),
            shape.replace('_', " ")
        )));
        self.make_counted(&plain)
    }

    /// "a dilapidated shed": it is told which word makes no difference.
    pub(super) fn tell_left_out(&mut self, phrase: &Phrase) {
        let word = phrase.extra.as_deref();
        let left_out =
            word.filter(|word| !lexicon().tells(word) && catalogue().nearest(word).is_none());
        self.remarks.extend(left_out.map(|word| {
            Remark::Note(format!("I don't know what “{word}” looks like, so I left that out."))
        }));
    }
}

//! "taller than the house": things that are compared with others.

use crate::frames::{Amount, Phrase, Quality};

use super::Unresolved;
use super::choose::Chooser;
use super::fit::size_along;

impl Chooser<'_, '_> {
    /// A description by what is larger than something as one by what is larger than a measure.
    pub(super) fn measured(&self, phrase: &Phrase) -> Result<Option<Phrase>, Unresolved> {
        let compares =
            |quality: &Quality| matches!(quality, Quality::Exceeds { than: Some(_), .. });
        if !phrase.qualities.iter().any(compares) {
            return Ok(None);
        }
        let mut measured = phrase.clone();
        for quality in &mut measured.qualities {
            if let Quality::Exceeds { dimension, amount, than, .. } = quality
                && let Some(other) = than.take()
            {
                let other =
                    self.world.extent_of(&self.choose(&other)?).ok_or(Unresolved::Missing)?;
                *amount = Some(Amount::Metres(size_along(other, *dimension)));
            }
        }
        Ok(Some(measured))
    }
}

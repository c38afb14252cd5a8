//! Things that are told what to be and are not there.

use crate::frames::{Act, Determiner, Frame, Phrase};
use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// "may I have a hedge, as tall as a man", "put a cube and a ball side by side, each of another colour": what is
    /// not there is made.
    pub(super) fn made_for_change(&mut self, frame: &Frame) -> Done<Option<Vec<String>>> {
        let is_missing = |phrase: &Phrase| {
            phrase.determiner == Some(Determiner::Indefinite)
                && matches!(self.find(phrase), Err(Stopped(Remark::Missing(..))))
        };
        if frame.theme.is_empty() || !frame.theme.iter().all(is_missing) {
            return Ok(None);
        }
        let before = self.made.len();
        let theme = frame.theme.clone();
        self.create(&Frame { act: Some(Act::Create), theme, ..Frame::default() })?;
        Ok(Some(self.made[before..].to_vec()))
    }
}

//! Where new things stand whose places are told by what is not known yet.

use crate::frames::{Head, Phrase, Place, Relation};
use crate::resolve::World;

use crate::plan::planner::{Done, Planner, Remark, Stopped};

impl Planner<'_> {
    /// "a teapot and two cups on it": what was spoken of carries them where the teapot does not.
    pub(super) fn on_what_was_spoken_of(&self, theme: &[Phrase]) -> Vec<Phrase> {
        let mut whole = theme.to_vec();
        let carries = |phrase: &Phrase| match &phrase.head {
            Head::Object { name, .. } => {
                let object = catalogue::catalogue().find(name);
                object.is_none_or(|object| object.carries().is_some())
            }
            _ => true,
        };
        let [.., before, last] = whole.as_mut_slice() else { return whole };
        if carries(before) {
            return whole;
        }
        for place in last.at.iter_mut().filter(|place| place.relation == Some(Relation::On)) {
            if let Some(target) = &mut place.target
                && matches!(target.head, Head::Pronoun("it" | "them"))
                && let Ok(ids) = self.find(target)
            {
                target.head = Head::These(ids);
            }
        }
        whole
    }

    /// Puts what is new in its place, or beside the rest where the place is nowhere to be found.
    pub(in crate::plan) fn settle_or_stand(
        &mut self,
        phrase: &Phrase,
        made: Vec<String>,
        places: &[Place],
        beside: &[String],
        problems: &mut Vec<Stopped>,
    ) -> Done<Vec<String>> {
        let kept = self.draft.clone();
        match self.settle_new(phrase, made.clone(), places, beside) {
            Err(stopped) if self.stands_without(&stopped) => {
                problems.push(stopped);
                self.draft = kept;
                self.settle_new(phrase, made, &[], beside)
            }
            settled => settled,
        }
    }

    /// Whether a new thing is made though its place is not known: nobody knows the word for it, or there is nothing
    /// yet that could be meant.
    pub(super) fn stands_without(&self, stopped: &Stopped) -> bool {
        let is_bare = World::of(&self.known).contents().next().is_none();
        match &stopped.0 {
            Remark::Unknown(_) => true,
            Remark::Missing(..) | Remark::Whom(..) => is_bare,
            _ => false,
        }
    }
}

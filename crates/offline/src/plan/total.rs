//! How many of a kind there shall be: "just one cup", "two chairs are enough".

use super::{Done, Planner};
use crate::language::{Determiner, Phrase, Target};

impl Planner {
    /// So many of a kind: those made last go, and what is missing is made like the ones that are there.
    pub(crate) fn have_so_many(&mut self, kind: &Phrase, total: usize) -> Done {
        let all = Phrase { determiner: Determiner::All, plural: true, ..kind.clone() };
        let ids = self.resolve(&Target::of(all)).unwrap_or_default();
        if self.wholes(&ids).is_empty() {
            let wanted = Phrase {
                determiner: Determiner::Bare,
                count: Some(total),
                plural: total > 1,
                ..kind.clone()
            };
            return self.create(&[wanted]);
        }
        self.come_to(ids, total)
    }

    /// Of these things there are so many then: the first of them stay, or more like them are made.
    pub(super) fn come_to(&mut self, ids: Vec<String>, total: usize) -> Done {
        let units = self.wholes(&ids);
        if units.len() < total {
            let target = Target(ids.into_iter().map(Phrase::named).collect());
            return self.multiply(&target, total, None);
        }
        let gone: Vec<String> = units.into_iter().skip(total).flatten().collect();
        self.world.things.retain(|thing| !gone.contains(&thing.id));
        self.context.focus = ids.into_iter().filter(|id| !gone.contains(id)).collect();
        Ok(())
    }

    /// "another two" after some were made: so many more like them.
    pub(super) fn have_more(&mut self, made: &Target, more: f64) -> Done {
        let ids = self.resolve(made)?;
        let total = self.wholes(&ids).len() + more.clamp(0.0, 1000.0) as usize;
        self.multiply(made, total, None)
    }
}

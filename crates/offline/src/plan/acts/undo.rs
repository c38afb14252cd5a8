//! Taking back what was done, all of it or some, and doing it again.

use crate::history::Deed;
use crate::language::Target;
use crate::plan::{Done, Planner, Problem};

impl Planner {
    /// Puts everything back that the last deed changed, or forward again. The person's own edits
    /// in between stay, but for those of the same things.
    pub(crate) fn undo(&mut self, redo: bool) -> Done {
        // "bring it back", where nothing was taken back: what was removed.
        let redo = redo && self.undone.is_some();
        let deed = if redo { self.undone.clone() } else { self.last.clone() };
        let Some(deed) = deed else {
            return Err(Problem::Cannot(format!(
                "I remember nothing that I could {word} here; the button {button} of the page \
                 takes steps of any kind {way}.",
                word = if redo { "do again" } else { "undo" },
                button = if redo { "Redo" } else { "Undo" },
                way = if redo { "forward" } else { "back" }
            )));
        };
        self.camera_told = true;
        self.taken_back = Some(self.world.clone());
        self.restore(&deed);
        let before = cut_message(&deed.message);
        self.remark(if redo {
            format!("That is “{before}” done again.")
        } else {
            format!("That takes “{before}” back.")
        });
        self.context.focus =
            deed.ids.into_iter().filter(|id| self.world.find(id).is_some()).collect();
        Ok(())
    }

    /// Takes back a deed and all it corrects: "make it two", "no, three" is three in all.
    pub(in crate::plan) fn restore_from_the_start(&mut self, deed: &Deed) {
        let Some(origin) = &deed.origin else { return self.restore(deed) };
        let made = deed.before.things.iter().filter(|thing| origin.find(&thing.id).is_none());
        let ids = deed.ids.iter().cloned().chain(made.map(|thing| thing.id.clone())).collect();
        self.restore(&Deed { before: origin.clone(), ids, ..deed.clone() });
    }

    /// Makes the things of a deed, the surroundings and the camera as they were before it.
    pub(in crate::plan) fn restore(&mut self, deed: &Deed) {
        let before = &deed.before;
        for (old, new) in &deed.renamed {
            if let Some(thing) = self.world.find_mut(new) {
                thing.id.clone_from(old);
            }
        }
        for id in &deed.ids {
            match (before.find(id), self.world.find_mut(id)) {
                (Some(old), Some(now)) => {
                    now.group.clone_from(&old.group);
                    now.body.clone_from(&old.body);
                }
                (Some(old), None) => {
                    let mut thing = old.clone();
                    thing.origin = None;
                    self.world.things.push(thing);
                }
                (None, _) => self.world.things.retain(|thing| thing.id != *id),
            }
        }
        self.world.environment.clone_from(&before.environment);
        self.world.camera = before.camera;
        // "it" is what was spoken of before what is there no more.
        let there = |ids: &&Vec<String>| ids.iter().any(|id| self.world.find(id).is_some());
        if !there(&&self.context.focus)
            && let Some(earlier) = self.context.before.iter().find(there)
        {
            self.context.focus = earlier.clone();
        }
        self.restored = Some(self.world.clone());
    }

    /// The same, but for the surroundings and the camera.
    fn restore_things(&mut self, deed: &Deed) {
        let (environment, camera) = (self.world.environment.clone(), self.world.camera);
        self.restore(deed);
        (self.world.environment, self.world.camera) = (environment, camera);
    }

    /// "not the rug": it is as it was, whatever was done to the others.
    pub(in crate::plan) fn spare(&mut self, target: &Target, deed: &Deed) -> Done {
        let there = self.resolve(target);
        let spared = match self.meant_before(target, deed) {
            Some(ids) if there.is_err() => ids,
            _ => there?,
        };
        let ids: Vec<String> = deed.ids.iter().filter(|id| spared.contains(id)).cloned().collect();
        if ids.is_empty() {
            self.leave(Some(target));
            return Ok(());
        }
        let others = deed.ids.iter().filter(|id| !ids.contains(id)).cloned().collect();
        self.restore_things(&Deed { ids, ..deed.clone() });
        self.context.focus = others;
        Ok(())
    }
}

fn cut_message(message: &str) -> String {
    crate::answer::cut(message.trim_end_matches(['.', '!', '?']), 60)
}

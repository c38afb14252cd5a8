//! What was spoken of: pronouns, things of the same kind, the others.

use super::Unresolved;
use super::choose::Chooser;
use super::fit::is_member;
use super::world::{Kin, Kind, Thing};
use scene::Scene;

use crate::frames::{Phrase, Recent};

/// Whether a thing is somebody.
fn lives(thing: &Thing) -> bool {
    ["animals", "humanoids"].iter().any(|kind| is_member(thing, kind))
}

impl Chooser<'_, '_> {
    pub(super) fn there(&self, ids: &[String]) -> Vec<String> {
        ids.iter().filter(|id| self.world.find(id).is_some()).cloned().collect()
    }

    /// What is selected, unless something else was spoken of since.
    pub(super) fn selected(&self) -> Option<Vec<String>> {
        let is_last = self.context.focus.first() == Some(&self.context.selection);
        let selected = self.there(&self.context.selection);
        (is_last && !selected.is_empty()).then_some(selected)
    }

    pub(super) fn pronoun(&self, pronoun: &str) -> Result<Vec<String>, Unresolved> {
        if !matches!(pronoun, "both" | "arranged")
            && let Some(selected) = self.selected()
        {
            return Ok(selected);
        }
        let mut spoken =
            self.context.focus.iter().map(|ids| self.there(ids)).filter(|ids| !ids.is_empty());
        // "him": what lives, if something that does was spoken of.
        if pronoun == "he" {
            let lives = |id: &String| self.world.find(id).is_some_and(lives);
            let found = spoken.find(|ids| ids.iter().all(lives));
            // "a fence with a robin on it": made with what was spoken of.
            let made = || {
                let is_whole =
                    |id: &String| self.world.find(id).is_some_and(|thing| thing.part_of.is_none());
                let lists = self.context.made.iter().rev();
                lists.flatten().find(|id| is_whole(id) && lives(id)).map(|id| vec![id.clone()])
            };
            return found.or_else(made).map_or_else(|| self.pronoun("it"), Ok);
        }
        // "the row": what was made or spoken of as several.
        if pronoun == "arranged" {
            let made = self.context.made.iter().rev().map(|made| self.there(made));
            // Or what stands on each other.
            let column = || {
                let thing = self.world.find(self.context.focus.first()?.first()?)?;
                let mut all = vec![thing];
                while let Some(below) = self.world.support_of(all[all.len() - 1]) {
                    if below.scenery || all.iter().any(|known| known.id == below.id) {
                        break;
                    }
                    all.push(below);
                }
                let mut ids: Vec<String> = all.iter().map(|thing| thing.id.clone()).collect();
                let riders = self.world.riders(&ids[..1]);
                ids.extend(riders);
                (ids.len() > 1).then_some(ids)
            };
            let found = spoken.chain(made).find(|ids| ids.len() > 1).or_else(column);
            return found.ok_or(Unresolved::Missing);
        }
        if pronoun == "all" {
            let alike = self.alike_focus();
            let is_alike = |id: &String| alike.iter().any(|thing| thing.id == *id);
            // "two more chairs. All of them white": those that were there, too.
            if self.context.added_to && alike.len() > 1 {
                return Ok(alike.iter().map(|thing| thing.id.clone()).collect());
            }
            let lists: Vec<String> = spoken.flatten().collect();
            let mut all: Vec<String> = Vec::new();
            for id in lists {
                if is_alike(&id) && !all.contains(&id) {
                    all.push(id);
                }
            }
            if all.len() > 1 {
                return Ok(all);
            }
            return self.pronoun("them");
        }
        if pronoun == "both" {
            let lists: Vec<Vec<String>> = spoken.collect();
            // What was put somewhere and where it was put.
            let beside = || {
                let first = lists.first().cloned().unwrap_or_default();
                let known = |id: &&String| {
                    self.world.find(id).is_some_and(|thing| !thing.scenery && !first.contains(id))
                };
                let other = self.context.mentioned.iter().filter(known).cloned();
                let both: Vec<String> = first.iter().cloned().chain(other).collect();
                (both.len() == 2).then_some(both)
            };
            let pair = lists.iter().find(|ids| ids.len() == 2).cloned();
            // "a car and a bus on a road": the two that were made, and not what they stand on.
            let made = || {
                let first = lists.first()?;
                let mut made = self.there(self.context.made.last()?);
                let things: Vec<&Thing> =
                    made.iter().filter_map(|id| self.world.find(id)).collect();
                let carries = |id: &String| {
                    let mut below = things.iter().filter_map(|thing| self.world.support_of(thing));
                    below.any(|below| below.id == *id)
                };
                made.retain(|id| !carries(id));
                (made.len() == 2 && first.iter().all(|id| made.contains(id))).then_some(made)
            };
            let joined = || {
                let mut last: Vec<String> = lists.iter().take(2).flatten().cloned().collect();
                last.dedup();
                (last.len() == 2).then_some(last)
            };
            let alike: Vec<String> =
                self.alike_focus().iter().map(|thing| thing.id.clone()).collect();
            let contents: Vec<String> =
                self.world.contents().map(|thing| thing.id.clone()).collect();
            let last = lists.first().filter(|ids| ids.len() == 2).cloned();
            let found = last
                .or_else(made)
                .or_else(joined)
                .or_else(beside)
                .or(pair)
                .or((alike.len() == 2).then_some(alike))
                .or_else(|| self.recent(2))
                .or((contents.len() == 2).then_some(contents));
            return found.ok_or(Unresolved::Missing);
        }
        // "two more" after "a basket with three apples": of the apples.
        if pronoun == "set" {
            return self.set_beside().ok_or(Unresolved::Missing);
        }
        let several = matches!(pronoun, "them" | "each");
        let last = spoken.next();
        let found = match (several, last) {
            (true, Some(last)) if last.len() == 1 => {
                let alike: Vec<String> =
                    self.alike_focus().iter().map(|thing| thing.id.clone()).collect();
                let earlier: Vec<Vec<String>> = spoken.collect();
                let many = earlier.iter().find(|ids| ids.len() > 1).cloned();
                // Two things that were spoken of one after the other.
                let pair = earlier.iter().find(|ids| !ids.iter().any(|id| last.contains(id)));
                let pair = pair.map(|ids| last.iter().chain(ids).cloned().collect::<Vec<_>>());
                // Things of several kinds that were made by one message.
                let made = self.context.made.last().map(|made| self.there(made));
                let made =
                    made.filter(|made| made.len() > 1 && last.iter().all(|id| made.contains(id)));
                many.or((alike.len() > 1).then_some(alike))
                    .or_else(|| self.set_beside())
                    .or(made)
                    .or(pair)
                    .or(Some(last))
            }
            (_, last) => last,
        };
        // What has not been spoken of may be the only thing there is.
        let contents: Vec<String> = self.world.contents().map(|thing| thing.id.clone()).collect();
        match found {
            Some(found) => Ok(found),
            None if contents.len() == 1 || (several && !contents.is_empty()) => Ok(contents),
            None => Err(Unresolved::Missing),
        }
    }

    /// "the new ones", "the ones you moved": of things those that were made last, or changed last.
    pub(super) fn retain_recent(&self, phrase: &Phrase, things: &mut Vec<&Thing>) {
        let Some(recent) = phrase.recent else { return };
        let new: Vec<&String> = self.context.made.last().into_iter().flatten().collect();
        let is_new = |thing: &Thing| new.contains(&&thing.id);
        match recent {
            Recent::New => things.retain(|thing| is_new(thing)),
            Recent::Old => things.retain(|thing| !is_new(thing)),
            Recent::Changed => {
                let steps = self.context.past.iter().rev();
                let changed = steps.map(|past| -> Vec<&Thing> {
                    let is_changed = |thing: &&&Thing| self.is_changed(thing, past);
                    things.iter().filter(is_changed).copied().collect()
                });
                *things =
                    changed.into_iter().find(|changed| !changed.is_empty()).unwrap_or_default();
            }
        }
    }

    /// Whether a thing was there in an earlier scene and was not as it is now.
    fn is_changed(&self, thing: &Thing, past: &Scene) -> bool {
        let bodies = thing.bodies.iter().filter_map(|at| self.world.space.bodies().get(*at));
        bodies.into_iter().any(|body| {
            let (now, then) = (self.world.scene.shape(body.id), past.shape(body.id));
            let is_other = now.zip(then).is_some_and(|(now, then)| now != then);
            let (now, then) = (self.world.scene.light(body.id), past.light(body.id));
            is_other || now.zip(then).is_some_and(|(now, then)| now != then)
        })
    }

    /// The only several of a kind that were made together with the one thing that was spoken of last.
    fn set_beside(&self) -> Option<Vec<String>> {
        let made = self.there(self.context.made.last()?);
        let [last] = self.context.focus.first()?.as_slice() else { return None };
        let mut sets: Vec<(Kin, Vec<String>)> = Vec::new();
        for thing in made.iter().filter_map(|id| self.world.find(id)) {
            match sets.iter_mut().find(|(kin, _)| kin.has(thing, self.world)) {
                Some((_, ids)) => ids.push(thing.id.clone()),
                None => sets.push((Kin::of(thing, self.world), vec![thing.id.clone()])),
            }
        }
        sets.retain(|(_, ids)| ids.len() > 1);
        let (_, set) = sets.pop().filter(|_| sets.is_empty())?;
        (made.contains(last) && !set.contains(last)).then_some(set)
    }

    /// What the others are to be told from: what was spoken of last, if it is still there.
    pub(super) fn singled_out(&self) -> Vec<String> {
        match self.context.gone {
            Some(_) => Vec::new(),
            None => self.context.focus.first().cloned().unwrap_or_default(),
        }
    }

    /// What is left of things besides those that were spoken of: without the last, and without those before
    /// while more are left than are meant.
    pub(super) fn others_of<'t>(&self, phrase: &Phrase, things: Vec<&'t Thing>) -> Vec<&'t Thing> {
        let mut left = things;
        left.retain(|thing| !self.singled_out().contains(&thing.id));
        let wanted = match phrase.count {
            Some(count) => count.max(1.0) as usize,
            None if phrase.plural => return left,
            None => 1,
        };
        for list in self.context.focus.iter().skip(1) {
            if left.len() <= wanted {
                break;
            }
            let fewer: Vec<&Thing> =
                left.iter().filter(|thing| !list.contains(&thing.id)).copied().collect();
            if fewer.len() < wanted {
                break;
            }
            left = fewer;
        }
        left
    }

    /// "the other two" after the roof of a house: the other houses, if there are just so many.
    pub(super) fn other_wholes(&self, phrase: &Phrase) -> Option<Vec<&Thing>> {
        let count = phrase.count.filter(|count| *count >= 2.0)? as usize;
        let spoken = self.singled_out();
        let owners: Vec<&String> = spoken
            .iter()
            .map(|id| self.world.find(id).and_then(|thing| thing.part_of.as_ref()))
            .collect::<Option<_>>()?;
        let kin = Kin::of(self.world.find(owners.first()?)?, self.world);
        let others = self.world.things.iter();
        let others =
            others.filter(|thing| kin.has(thing, self.world) && !owners.contains(&&thing.id));
        let others: Vec<&Thing> = others.collect();
        (others.len() == count).then_some(others)
    }

    /// The last so many things that were spoken of, if lists of them come to just as many.
    pub(super) fn recent(&self, count: usize) -> Option<Vec<String>> {
        let mut found: Vec<String> = Vec::new();
        let (last, before) = self.context.focus.split_at(self.context.focus.len().min(1));
        for list in last.iter().chain([&self.context.mentioned]).chain(before) {
            let is_ground = |id: &String| self.world.find(id).is_some_and(|thing| thing.scenery);
            let new = self.there(list).into_iter();
            let new = new.filter(|id| !found.contains(id) && !is_ground(id));
            let new: Vec<String> = new.collect();
            found.extend(new);
            if found.len() >= count {
                break;
            }
        }
        (found.len() == count).then_some(found)
    }

    /// "all three": of the kind that was spoken of, those spoken of last, or all there are, if they are just so many.
    pub(super) fn so_many(&self, count: f64) -> Option<Vec<&Thing>> {
        let count = count.max(1.0) as usize;
        let subjects = || self.world.contents().filter(|thing| !self.world.is_ground(thing));
        let recent = || {
            let recent = self.recent(count)?;
            Some(recent.iter().filter_map(|id| self.world.find(id)).collect())
        };
        let is_so = |things: &Vec<&Thing>| things.len() == count;
        let alike = Some(self.alike_focus()).filter(is_so);
        alike.or_else(recent).or_else(|| Some(subjects().collect())).filter(is_so)
    }

    /// Those of them that were spoken of last; what is selected is spoken of.
    pub(super) fn spoken(&self, fitting: &[&Thing]) -> Vec<String> {
        let lists = self.context.focus.iter().chain([&self.context.mentioned]);
        for list in lists {
            let meant = |id: &&String| fitting.iter().any(|thing| thing.id == **id);
            let spoken: Vec<String> = list.iter().filter(meant).cloned().collect();
            if !spoken.is_empty() {
                return spoken;
            }
        }
        Vec::new()
    }

    /// Of several that fit: the one that was made later than all others, else a piece of furniture rather than a
    /// light that only shines.
    pub(super) fn likeliest<'t>(&self, fitting: &[&'t Thing]) -> Option<&'t Thing> {
        let newest = self.context.made.iter().rev().find_map(|made| {
            let of_it = |thing: &&&Thing| made.contains(&thing.id);
            let new: Vec<&Thing> = fitting.iter().filter(of_it).copied().collect();
            (!new.is_empty()).then_some(new)
        });
        if let Some([newest]) = newest.as_deref() {
            return Some(newest);
        }
        let mut solid = fitting.iter().filter(|thing| thing.kind != Kind::Light);
        match (solid.next(), solid.next()) {
            (Some(solid), None) => Some(solid),
            _ => None,
        }
    }

    /// "both": two that were spoken of, or the only two of a kind.
    pub(super) fn pair_of(&self, fitting: &[&Thing]) -> Option<Vec<String>> {
        let spoken = self.spoken(fitting);
        if spoken.len() == 2 {
            return Some(spoken);
        }
        let alike = |thing: &&Thing| -> Vec<String> {
            let kin = Kin::of(thing, self.world);
            let same = fitting.iter().filter(|other| kin.has(other, self.world));
            same.map(|other| other.id.clone()).collect()
        };
        let mut pairs: Vec<Vec<String>> = fitting.iter().map(alike).collect();
        pairs.retain(|pair| pair.len() == 2);
        pairs.dedup();
        pairs.pop().filter(|_| pairs.is_empty())
    }
}

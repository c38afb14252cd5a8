//! What is different between two scenes, in sentences.

use std::collections::HashMap;

use scene::{Change, Kind, Operation, Scene, diff};
use serde_json::Value;
use spatial::STAGE;

use crate::plan::is_renaming;
use crate::resolve::World;
use crate::wording::{Names, capital, joined, the};

use super::changes::{News, news_of};
use super::motion::animation_news;
use super::surroundings::{camera_news, sky_news};

/// The most sentences about things that changed.
const MAX_SENTENCES: usize = 5;

/// More new things than these are told with the largest first.
const MAX_PLAIN: usize = 8;

/// The changes of shapes and lights, by the whole that each belongs to.
#[derive(Debug, Default)]
struct Wholes<'a> {
    order: Vec<String>,
    changes: HashMap<String, Vec<&'a Change>>,
}

impl<'a> Wholes<'a> {
    fn of(changes: &'a [Change]) -> Self {
        let mut wholes = Self::default();
        // The stage comes, goes and grows with what stands on it.
        let is_own = |change: &&Change| !is_of_stage(change);
        let alone = !changes.iter().filter(|change| is_thing(change)).any(|change| is_own(&change));
        for change in changes.iter().filter(|change| is_thing(change)) {
            if is_of_stage(change) && !alone {
                continue;
            }
            let Some(id) = &change.id else { continue };
            let whole = group(change.before.as_ref()).or(group(change.after.as_ref()));
            let whole = whole.filter(|whole| *whole != STAGE).unwrap_or(id).to_owned();
            let list = wholes.changes.entry(whole.clone()).or_insert_with(|| {
                wholes.order.push(whole);
                Vec::new()
            });
            list.push(change);
        }
        wholes
    }
}

fn is_thing(change: &Change) -> bool {
    matches!(change.kind, Kind::Shape | Kind::Light)
}

fn is_of_stage(change: &Change) -> bool {
    group(change.before.as_ref()).or(group(change.after.as_ref())) == Some(STAGE)
}

fn group(value: Option<&Value>) -> Option<&str> {
    value?["group"].as_str()
}

/// The ids of wholes by what became of them.
#[derive(Debug, Default)]
struct Sorted {
    made: Vec<String>,
    removed: Vec<String>,
    changed: Vec<String>,
    /// Old name and new one.
    renamed: Vec<(String, String)>,
}

impl Sorted {
    fn of(wholes: &Wholes<'_>, before: &Scene, after: &Scene) -> Self {
        let mut sorted = Self::default();
        for whole in &wholes.order {
            let changes = wholes.changes.get(whole).map_or(&[][..], Vec::as_slice);
            let all = |operation| changes.iter().all(|change| change.operation == operation);
            let new_group = || group(changes.first()?.after.as_ref()).filter(|now| *now != whole);
            if all(Operation::Create) && before.kind_of(whole).is_none() {
                sorted.made.push(whole.clone());
            } else if all(Operation::Remove) && after.kind_of(whole).is_none() {
                sorted.removed.push(whole.clone());
            } else if let Some(now) =
                new_group().filter(|_| before.kind_of(whole) == Some(Kind::Group.name()))
            {
                sorted.renamed.push((whole.clone(), now.to_owned()));
            } else {
                sorted.changed.push(whole.clone());
            }
        }
        sorted.pair_renamed(wholes);
        sorted
    }

    /// What is gone and is there again under another name.
    fn pair_renamed(&mut self, wholes: &Wholes<'_>) {
        let only = |id: &str| match wholes.changes.get(id).map(Vec::as_slice) {
            Some([change]) => Some(*change),
            _ => None,
        };
        let made = std::mem::take(&mut self.made);
        for new in made {
            let is_same = |old: &String| match (only(old), only(&new)) {
                (Some(gone), Some(new)) => is_renaming(gone, new),
                _ => false,
            };
            match self.removed.iter().position(is_same) {
                Some(at) => self.renamed.push((self.removed.remove(at), new)),
                None => self.made.push(new),
            }
        }
    }
}

/// What is different, in sentences.
pub(crate) fn news(before: &Scene, after: &Scene) -> Vec<String> {
    let changes = diff(before, after);
    let wholes = Wholes::of(&changes);
    let mut sorted = Sorted::of(&wholes, before, after);
    let mut sentences = Vec::new();
    if sorted.made.len() > MAX_PLAIN {
        // Of a whole scene, what it is furnished with says more than its walls.
        let parts = |id: &String| wholes.changes.get(id).map_or(0, Vec::len);
        sorted.made.sort_by_key(|id| std::cmp::Reverse(parts(id)));
    }
    if !sorted.made.is_empty() {
        sentences.push(format!("I added {}.", Names::new_ones(&sorted.made)));
    }
    if !sorted.changed.is_empty() {
        sentences.extend(changed(&sorted.changed, &wholes, before, after));
    }
    let mut renamed = std::mem::take(&mut sorted.renamed);
    while let Some((_, new)) = renamed.first().cloned() {
        let (together, rest): (Vec<_>, Vec<_>) =
            renamed.into_iter().partition(|(_, name)| *name == new);
        renamed = rest;
        if together.len() > 1 {
            let ids: Vec<String> = together.into_iter().map(|(old, _)| old).collect();
            let names = Names::of(before).all(&ids, "and");
            sentences.push(format!("I grouped {names} as “{}”.", plain(&new)));
        } else {
            sorted.renamed.extend(together);
        }
    }
    for (old, new) in &sorted.renamed {
        sentences.push(format!("{} is now called “{}”.", capital(&the(old)), plain(new)));
    }
    if !sorted.removed.is_empty() {
        sentences.push(format!("I removed {}.", Names::of(before).all(&sorted.removed, "and")));
    }
    let of = |kind| changes.iter().find(|change| change.kind == kind);
    sentences.extend(of(Kind::Environment).into_iter().flat_map(sky_news));
    sentences.extend(of(Kind::Animation).map(animation_news));
    if sentences.is_empty() {
        sentences.extend(of(Kind::Camera).map(camera_news));
    }
    sentences
}

/// What became of things that were there before, those of the same news together.
fn changed(ids: &[String], wholes: &Wholes<'_>, before: &Scene, after: &Scene) -> Vec<String> {
    let (old, now) = (World::of(before), World::of(after));
    let mut told: Vec<(News, Vec<String>)> = Vec::new();
    for id in ids {
        let changes = wholes.changes.get(id).map_or(&[][..], Vec::as_slice);
        for (subject, news) in news_of(id, changes, &old, &now) {
            match told.iter_mut().find(|(known, _)| *known == news) {
                Some((_, subjects)) => subjects.push(subject),
                None => told.push((news, vec![subject])),
            }
        }
    }
    let names = Names::of(after);
    let more = told.len() > MAX_SENTENCES + 1;
    if more {
        told.truncate(MAX_SENTENCES);
    }
    let mut sentences: Vec<String> =
        told.into_iter().map(|(news, subjects)| sentence(&news, &subjects, &names)).collect();
    if more {
        sentences.push("Other things changed along with that.".to_owned());
    }
    sentences
}

fn sentence(news: &News, subjects: &[String], names: &Names) -> String {
    let they = names.all(subjects, "and");
    let be = if subjects.len() == 1 { "is" } else { "are" };
    let mut sentences = Vec::new();
    if !news.looks.is_empty() {
        sentences.push(format!("{} {be} now {}.", capital(&they), joined(&news.looks, "and")));
    }
    let pronoun = if subjects.len() == 1 { "it" } else { "them" };
    let done: Vec<String> = news
        .deeds
        .iter()
        .enumerate()
        .map(|(at, (verb, rest))| {
            let whom = if at == 0 && sentences.is_empty() { &they } else { pronoun };
            let space = if rest.is_empty() { "" } else { " " };
            format!("{verb} {whom}{space}{rest}")
        })
        .collect();
    if !done.is_empty() {
        sentences.push(format!("I {}.", joined(&done, "and")));
    }
    sentences.join(" ")
}

/// The name alone, without its article.
fn plain(id: &str) -> String {
    the(id).trim_start_matches("the ").trim_matches(['“', '”']).to_owned()
}

//! What became of an object of several parts: told as of one thing, or of the parts that were meant.

use super::describe::size;
use super::summary::rotation;
use super::{joined, list, point};
use crate::language::id_words;
use crate::world::{Thing, World};

/// More kinds of parts than this are told as the whole object.
const MOST_KINDS: usize = 2;

/// One sentence about the parts of `group` that changed, each as it was and as it is.
pub(super) fn object_news(group: &str, before: &World, parts: &[(&Thing, Thing)]) -> String {
    let own = |part: &&Thing| part.assembly() == Some(group);
    let whole = before.things.iter().filter(own).count() == parts.len();
    let looks = looks(parts);
    let mut news = Vec::new();
    if !looks.is_empty() && looks.len() <= 3 {
        news.push(joined(&looks, "and"));
    }
    if whole {
        news.extend(shape_news(parts));
    }
    let olds: Vec<&Thing> = parts.iter().map(|(old, _)| *old).collect();
    let (subject, verb) = match called_as_parts(group, &olds) {
        Some(named) if !whole => named,
        None if !whole && looks.is_empty() => {
            let names: Vec<String> = olds.iter().map(|old| old.id.clone()).collect();
            (list(&names), "are")
        }
        _ => (group.to_owned(), "is"),
    };
    match news.as_slice() {
        [] => format!("I changed {subject} ({} parts).", parts.len()),
        news => format!("{subject} {verb} now {}.", joined(news, "and")),
    }
}

fn looks(parts: &[(&Thing, Thing)]) -> Vec<String> {
    let mut looks: Vec<String> = Vec::new();
    for (old, now) in parts {
        if let (Some(was), Some(is)) = (old.material(), now.material())
            && was != is
            && !looks.contains(&is.name())
        {
            looks.push(is.name());
        }
    }
    looks
}

/// How the whole was turned, resized and moved.
fn shape_news(parts: &[(&Thing, Thing)]) -> Vec<String> {
    let old = World::bounds_of(parts.iter().map(|(old, _)| *old));
    let now = World::bounds_of(parts.iter().map(|(_, now)| now));
    let (Some(old), Some(now)) = (old, now) else { return Vec::new() };
    let mut news = Vec::new();
    let forms = || parts.iter().filter_map(|(old, now)| Some((old.form()?, now.form()?)));
    let turned = forms().any(|(old, now)| rotation(old) != rotation(now));
    let same_size = forms().all(|(old, now)| size(old) == size(now));
    let (was, is) = (old.size(), now.size());
    if turned && same_size {
        news.push("turned".to_owned());
    } else if !was.abs_diff_eq(is, 1e-3) {
        let [w, h, d] = is.to_array().map(|edge| (edge * 100.0).round() / 100.0);
        let more = if is.element_product() > was.element_product() { "bigger" } else { "smaller" };
        news.push(format!("{more} ({w} × {h} × {d} m)"));
    }
    if !old.foot().abs_diff_eq(now.foot(), 1e-3) {
        news.push(format!("at {}", point(now.foot())));
    }
    news
}

/// What some parts of an object are called together: "the candles of cake"; none where they are of too many
/// kinds for that.
pub(super) fn called_as_parts(group: &str, parts: &[&Thing]) -> Option<(String, &'static str)> {
    let kinds = kinds_of(parts, usize::MAX);
    let kinds = if kinds.len() > MOST_KINDS { kinds_of(parts, 1) } else { kinds };
    let few = !kinds.is_empty() && kinds.len() <= MOST_KINDS;
    let several = kinds.len() > 1 || kinds.iter().any(|kind| kind.ends_with('s'));
    let verb = if several { "are" } else { "is" };
    few.then(|| (format!("{} of {group}", joined(&kinds, "and")), verb))
}

/// What the parts are called by so many words of their names, each kind once: "the candles", "the door".
fn kinds_of(parts: &[&Thing], most_words: usize) -> Vec<String> {
    const SIDES: [&str; 6] = ["left", "right", "front", "back", "upper", "lower"];
    let number = |word: &String| word.chars().all(|c| c.is_ascii_digit());
    let mut kinds: Vec<(String, bool)> = Vec::new();
    for part in parts {
        let words = id_words(part.part_name());
        let several = words.iter().any(number);
        let telling = words.iter().filter(|word| !SIDES.contains(&word.as_str()) && !number(word));
        let kind = telling.take(most_words).cloned().collect::<Vec<_>>().join(" ");
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, plural)) => *plural |= several || most_words > 1,
            None => kinds.push((kind, several)),
        }
    }
    kinds.retain(|(kind, _)| !kind.is_empty());
    let plural = |(kind, several): (String, bool)| match several {
        true if kind.ends_with("eaf") || kind.ends_with("elf") => {
            format!("the {}ves", kind.trim_end_matches('f'))
        }
        true if !kind.ends_with('s') => format!("the {kind}s"),
        _ => format!("the {kind}"),
    };
    kinds.into_iter().map(plural).collect()
}

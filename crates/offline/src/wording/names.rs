//! What things are called, made of their ids: `red_ball` is "the red ball", and `chair` to `chair_4`
//! are "the four chairs".

use std::collections::{HashMap, HashSet};

use scene::Scene;

use crate::tokens::{plural, words_of};

use super::numbers::counted;

/// The most names in one list.
const MAX_NAMES: usize = 6;
/// Longer ids are cut.
const MAX_CHARS: usize = 40;
/// How the ids of the stage's parts begin, which people call by the rest.
const STAGE_PART: &str = "stage_";
/// What is called the same whether it is one or several.
const SAME_IN_PLURAL: [&str; 4] = ["sheep", "fish", "deer", "grass"];

/// What an id says, with the number that tells it from its like.
struct Name {
    words: String,
    number: Option<String>,
}

impl Name {
    fn of(id: &str) -> Self {
        let is_plain = |letter: char| letter.is_alphanumeric() || "_-".contains(letter);
        let mut words = words_of(id.strip_prefix(STAGE_PART).unwrap_or(id));
        // Somebody's own title, which is no noun of ours, stands in quotes as it is.
        if !id.chars().all(is_plain) || id.chars().count() > MAX_CHARS || words.is_empty() {
            let shown: String = id.chars().take(MAX_CHARS).collect();
            let end = if shown.len() < id.len() { "…" } else { "" };
            return Self { words: format!("“{shown}{end}”"), number: None };
        }
        let is_number = |word: &String| word.chars().all(|letter| letter.is_ascii_digit());
        let number = if words.len() > 1 { words.pop_if(|word| is_number(word)) } else { None };
        Self { words: words.join(" "), number }
    }

    fn several(&self) -> String {
        let last = self.words.rsplit(' ').next().unwrap_or_default();
        if SAME_IN_PLURAL.contains(&last) || is_plural(&self.words) {
            return self.words.clone();
        }
        match self.words.split_once(" of ") {
            Some((head, rest)) => format!("{} of {rest}", plural(head)),
            None => plural(&self.words),
        }
    }
}

/// "books", "stairs": one thing that is called in the plural.
fn is_plural(words: &str) -> bool {
    // "a bunch of grapes" is one.
    let head = words.split(" of ").next().unwrap_or(words);
    head.ends_with('s') && !head.ends_with("ss") && !head.ends_with("us")
}

/// "the red ball", "chair 2".
pub(crate) fn the(id: &str) -> String {
    let Name { words, number } = Name::of(id);
    match number {
        Some(number) => format!("{words} {number}"),
        None => format!("the {words}"),
    }
}

/// "a red ball", "an apple", "stairs".
pub(crate) fn indefinite(words: &str) -> String {
    if is_plural(words) {
        return words.to_owned();
    }
    let first = words.split(' ').next().unwrap_or_default();
    let said_as_consonant =
        ["uni", "one", "eu", "use", "ufo"].iter().any(|start| first.starts_with(start));
    let is_vowel = first.starts_with(['a', 'e', 'i', 'o', 'u']) && !said_as_consonant;
    format!("{} {words}", if is_vowel || first.starts_with("hour") { "an" } else { "a" })
}

/// "a, b and c".
pub(crate) fn joined(names: &[String], last: &str) -> String {
    match names.split_last() {
        Some((end, rest)) if !rest.is_empty() => format!("{} {last} {end}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// With a capital first letter, as a sentence begins.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// As [`joined`]; of many only the first.
fn shortened(mut names: Vec<String>, last: &str) -> String {
    if names.len() > MAX_NAMES + 1 {
        let more = names.split_off(MAX_NAMES).len();
        names.push(format!("{} more", counted(more)));
    }
    joined(&names, last)
}

/// The names of a scene: how many things share one.
#[derive(Debug)]
pub(crate) struct Names(HashMap<String, usize>);

impl Names {
    /// Of the wholes of a scene.
    pub(crate) fn of(scene: &Scene) -> Self {
        let shapes = scene.shapes.iter().map(|shape| (&shape.id, &shape.group));
        let lights = scene.lights.iter().map(|light| (&light.id, &light.group));
        let wholes: HashSet<&str> =
            shapes.chain(lights).map(|(id, group)| group.as_ref().unwrap_or(id).as_str()).collect();
        let mut counts = HashMap::new();
        for whole in wholes {
            *counts.entry(Name::of(whole).words).or_default() += 1;
        }
        Self(counts)
    }

    /// Several things of the scene: "the table and the four chairs".
    pub(crate) fn all(&self, ids: &[String], last: &str) -> String {
        let told = kinds(ids).into_iter().map(|(name, members)| match members.as_slice() {
            [id] => the(id),
            several if self.0.get(&name.words) == Some(&several.len()) => {
                format!("the {} {}", counted(several.len()), name.several())
            }
            [one, other] => format!("{} and {}", the(one), the(other)),
            several => format!("{} of the {}", counted(several.len()), name.several()),
        });
        shortened(told.collect(), last)
    }

    /// Each by its own name, to choose from: "the red ball or the blue ball".
    pub(crate) fn each(&self, ids: &[String], last: &str) -> String {
        shortened(ids.iter().map(|id| the(id)).collect(), last)
    }

    /// Things that are new: "a red ball and four chairs".
    pub(crate) fn new_ones(ids: &[String]) -> String {
        let told = kinds(ids).into_iter().map(|(name, members)| match members.len() {
            1 if name.words.starts_with('“') => name.words,
            1 => indefinite(&name.words),
            count => format!("{} {}", counted(count), name.several()),
        });
        shortened(told.collect(), "and")
    }
}

/// The ids by their names without numbers, in order.
fn kinds(ids: &[String]) -> Vec<(Name, Vec<&str>)> {
    let mut kinds: Vec<(Name, Vec<&str>)> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    for id in ids {
        let name = Name::of(id);
        let at = *known.entry(name.words.clone()).or_insert(kinds.len());
        match kinds.get_mut(at) {
            Some((_, members)) => members.push(id),
            None => kinds.push((name, vec![id])),
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[&str]) -> Vec<String> {
        ids.iter().map(|id| (*id).to_owned()).collect()
    }

    #[test]
    fn things_are_told_as_people_say_them() {
        assert_eq!(the("red_ball"), "the red ball");
        assert_eq!(the("chair_2"), "chair 2");
        assert_eq!(the("floorLamp"), "the floor lamp");
        assert_eq!(the("drop it; remove all"), "the “drop it; remove all”");
        assert_eq!(
            Names::new_ones(&ids(&["apple", "box_1", "box_2", "stairs"])),
            "an apple, two boxes and stairs"
        );
    }

    #[test]
    fn all_of_a_kind_are_told_from_some_of_them() {
        let names = Names(HashMap::from([("chair".to_owned(), 3), ("table".to_owned(), 1)]));
        assert_eq!(
            names.all(&ids(&["chair", "chair_2", "chair_3", "table"]), "and"),
            "the three chairs and the table"
        );
        assert_eq!(names.all(&ids(&["chair_2", "chair_3"]), "and"), "chair 2 and chair 3");
    }
}

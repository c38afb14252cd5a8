//! Names of things in ids and group names.

/// A name to search for, e.g. `table`, `traffic-light`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name(Vec<String>);

/// The relation of an id to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bearing {
    /// The id names such a thing: `old_table_2` is a table.
    Is,
    /// The id names a part of such a thing: `table_leg_1`.
    Part,
}

/// Words after the noun that do not change it: `tree_left`, `ball_red`, `car_b`.
const AFTERTHOUGHTS: &[&str] = &[
    "left", "right", "near", "far", "north", "south", "east", "west", "big", "small", "large",
    "tiny", "huge", "red", "green", "blue", "yellow", "white", "black", "grey", "gray", "orange",
    "purple", "pink", "brown", "copy", "new", "group", "main", "object", "one", "two", "three",
    "first", "second", "third",
];
/// Prepositions, after which the position follows.
const PREPOSITIONS: &[&str] =
    &["on", "under", "near", "beside", "behind", "above", "at", "by", "for", "with", "in"];

impl Name {
    /// Parses a name of words joined by hyphens.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let words: Vec<String> = text.split('-').map(singular).collect();
        words.iter().all(|word| !word.is_empty()).then_some(Self(words))
    }

    /// The relation of `id` to this name, if there is one.
    pub(crate) fn bearing(&self, id: &str) -> Option<Bearing> {
        let words: Vec<String> = noun_words(id).iter().map(|word| singular(word)).collect();
        // `bowl_of_fruit` is also a bowl.
        let holder = words.iter().position(|word| word == "of").map(|of| &words[..of]);
        if words.ends_with(&self.0) || holder.is_some_and(|holder| holder.ends_with(&self.0)) {
            return Some(Bearing::Is);
        }
        words.windows(self.0.len()).any(|window| window == self.0).then_some(Bearing::Part)
    }
}

/// Whether the last word of an id is a plural.
pub(crate) fn is_plural(id: &str) -> bool {
    noun_words(id).last().is_some_and(|word| singular(word) != *word)
}

/// The words of an id up to its noun, in lower case, without numbers.
fn noun_words(id: &str) -> Vec<String> {
    let mut words = words(id);
    if let Some(end) = words.iter().skip(1).position(|word| PREPOSITIONS.contains(&word.as_str())) {
        words.truncate(end + 1);
    }
    let is_afterthought = |word: &String| word.len() == 1 || AFTERTHOUGHTS.contains(&word.as_str());
    while words.len() > 1 && words.last().is_some_and(is_afterthought) {
        words.pop();
    }
    words
}

/// The words of an id, in lower case, without numbers.
pub(crate) fn words(id: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in id.chars() {
        let starts = letter.is_uppercase() && before.is_lowercase();
        if !letter.is_alphabetic() || starts {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The approximate singular of an English noun, for comparisons.
fn singular(word: &str) -> String {
    let ended = |ending: &str, other: &str| {
        word.strip_suffix(ending).filter(|stem| stem.len() > 1).map(|stem| format!("{stem}{other}"))
    };
    match word {
        "shelves" | "bookshelves" | "loaves" | "leaves" | "knives" => {
            return ended("ves", if word == "knives" { "fe" } else { "f" }).unwrap_or_default();
        }
        "people" => return "person".into(),
        "snowmen" => return "snowman".into(),
        "glass" | "grass" | "bus" | "chess" | "cactus" | "lens" | "canvas" | "moss" => {
            return word.into();
        }
        _ => {}
    }
    ["ches", "shes", "xes", "sses", "oes", "uses"]
        .iter()
        .find_map(|ending| ended(ending, &ending[..ending.len() - 2]))
        .or_else(|| ended("ies", "y"))
        .or_else(|| ended("s", "").filter(|stem| !stem.ends_with('s')))
        .unwrap_or_else(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_about_names() {
        for (name, id, bearing) in [
            ("table", "table", Some(Bearing::Is)),
            ("table", "old_table_2", Some(Bearing::Is)),
            ("table", "coffeeTable3", Some(Bearing::Is)),
            ("tables", "table-2", Some(Bearing::Is)),
            ("table", "table_leg_1", Some(Bearing::Part)),
            ("table", "table_lamp", Some(Bearing::Part)),
            ("ball", "red_ball_on_table", Some(Bearing::Is)),
            ("table", "red_ball_on_table", None),
            ("tree", "tree_left", Some(Bearing::Is)),
            ("tree", "trees", Some(Bearing::Is)),
            ("box", "boxes", Some(Bearing::Is)),
            ("bench", "benches_1", Some(Bearing::Is)),
            ("traffic-light", "traffic_light_2", Some(Bearing::Is)),
            ("light", "traffic_light", Some(Bearing::Is)),
            ("bookshelf", "bookshelves", Some(Bearing::Is)),
            ("glass", "glass", Some(Bearing::Is)),
            ("cat", "cathedral", None),
        ] {
            assert_eq!(Name::new(name).unwrap().bearing(id), bearing, "{name} {id}");
        }
        assert!(is_plural("red_boxes") && !is_plural("glass") && !is_plural("box_2"));
    }
}

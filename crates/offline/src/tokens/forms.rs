//! Regular forms of English nouns and verbs.

/// Nouns that end as "man" does and are regular.
const REGULAR: [&str; 6] = ["human", "german", "roman", "ottoman", "talisman", "caiman"];

fn is_vowel(letter: char) -> bool {
    "aeiou".contains(letter)
}

/// Splits off the last letters.
fn ending(word: &str) -> (Option<char>, Option<char>, Option<char>) {
    let mut letters = word.chars().rev();
    let last = letters.next();
    let before = letters.next();
    (letters.next(), before, last)
}

/// Whether a word that nobody knows ends as adjectives and participles do: "dilapidated", "rickety".
pub(super) fn is_adjective(word: &str) -> bool {
    const ENDINGS: [&str; 15] = [
        "ed", "ing", "ish", "ful", "less", "ous", "ic", "ical", "ive", "able", "ible", "y", "ian",
        "esque", "like",
    ];
    word.len() > 4 && ENDINGS.iter().any(|ending| word.ends_with(ending))
}

/// The plural of a noun; of several words the last is inflected.
pub(crate) fn plural(noun: &str) -> String {
    let (_, before, last) = ending(noun);
    let hisses = ["s", "x", "z", "ch", "sh"].iter().any(|end| noun.ends_with(end));
    // "leaves", "tomatoes".
    for end in ["eaf", "oaf", "elf", "alf", "olf", "arf"] {
        if let Some(stem) = noun.strip_suffix(end) {
            return format!("{stem}{}ves", &end[..end.len() - 1]);
        }
    }
    // "men", "policewomen"; "humans" and "ottomans" are regular.
    for (one, several) in [
        ("man", "men"),
        ("mouse", "mice"),
        ("goose", "geese"),
        ("child", "children"),
        ("ife", "ives"),
    ] {
        if let Some(stem) = noun.strip_suffix(one).filter(|_| !REGULAR.contains(&noun)) {
            return format!("{stem}{several}");
        }
    }
    match (before, last) {
        (_, Some('o')) if noun.ends_with("ato") => format!("{noun}es"),
        (Some(before), Some('y')) if !is_vowel(before) => {
            format!("{}ies", &noun[..noun.len() - 1])
        }
        _ if hisses => format!("{noun}es"),
        _ => format!("{noun}s"),
    }
}

/// The forms of a verb with the feature of each; of several words the first is inflected. `past` is
/// the irregular form for what was done.
pub(crate) fn verb_forms(verb: &str, past: Option<&str>) -> Vec<(&'static str, String)> {
    let (first, rest) = verb.split_once(' ').unwrap_or((verb, ""));
    let rest = if rest.is_empty() { String::new() } else { format!(" {rest}") };
    let (third, before, last) = ending(first);
    let short = first.chars().count() <= 4;
    let doubles = short
        && last.is_some_and(|last| !is_vowel(last) && !"wxyhr".contains(last))
        && before.is_some_and(is_vowel)
        && third.is_some_and(|third| !is_vowel(third));
    let stem = match last {
        Some('e') if !first.ends_with("ee") => first[..first.len() - 1].to_owned(),
        Some(last) if doubles => format!("{first}{last}"),
        _ => first.to_owned(),
    };
    let ends_in_consonant_y = last == Some('y') && before.is_some_and(|before| !is_vowel(before));
    let regular_past = match ends_in_consonant_y {
        true => format!("{}ied", &first[..first.len() - 1]),
        false => format!("{stem}ed"),
    };
    // "goes", not "gos".
    let third_person = match last {
        Some('o') if before.is_some_and(|before| !is_vowel(before)) => format!("{first}es"),
        _ => plural(first),
    };
    let past = past.map_or(regular_past, str::to_owned);
    vec![
        ("ing", format!("{stem}ing{rest}")),
        ("past", format!("{past}{rest}")),
        ("third", format!("{third_person}{rest}")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regular_forms_are_those_of_english() {
        for (one, several) in [
            ("box", "boxes"),
            ("berry", "berries"),
            ("toy", "toys"),
            ("table lamp", "table lamps"),
            ("snowman", "snowmen"),
            ("human", "humans"),
            ("ottoman", "ottomans"),
            ("bread knife", "bread knives"),
        ] {
            assert_eq!(plural(one), several);
        }
        for (verb, ing, past) in [
            ("move", "moving", "moved"),
            ("spin", "spinning", "spun"),
            ("turn up", "turning up", "turned up"),
        ] {
            let irregular = (verb == "spin").then_some("spun");
            let forms = verb_forms(verb, irregular);
            assert_eq!((forms[0].1.as_str(), forms[1].1.as_str()), (ing, past));
        }
    }
}

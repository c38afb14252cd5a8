//! How English words sound, roughly: for what is spelled by ear.

/// Letters that are written for a sound, and those that stand for it here; in this order.
const SPELLINGS: [(&str, &str); 17] = [
    ("igh", "i"),
    ("ough", "o"),
    ("augh", "o"),
    ("tch", "ch"),
    ("ph", "f"),
    ("ck", "k"),
    ("wh", "w"),
    ("qu", "kw"),
    ("ee", "i"),
    ("ea", "i"),
    ("ie", "i"),
    ("oa", "o"),
    ("oo", "u"),
    ("ai", "a"),
    ("ay", "a"),
    ("y", "i"),
    ("z", "s"),
];

/// The sound of a word: "night" and "nite" have the same.
pub(super) fn sound(word: &str) -> String {
    let mut word = word.to_owned();
    for (silent, letter) in [("kn", "n"), ("wr", "r")] {
        if let Some(rest) = word.strip_prefix(silent) {
            word = format!("{letter}{rest}");
        }
    }
    for (spelling, letters) in SPELLINGS {
        if word.contains(spelling) {
            word = word.replace(spelling, letters);
        }
    }
    let mut sound = String::with_capacity(word.len());
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        let heard = match (letter, letters.peek()) {
            ('c', Some('e' | 'i')) => 's',
            ('c', next) if next != Some(&'h') => 'k',
            _ => letter,
        };
        if !sound.ends_with(heard) {
            sound.push(heard);
        }
    }
    if sound.len() > 2 && sound.ends_with('e') {
        sound.pop();
    }
    sound
}

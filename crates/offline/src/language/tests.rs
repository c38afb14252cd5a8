//! The same wish in other words is heard as the same intents; what is left out is told.

use super::{Heard, Intent, Names, hear};

fn intents(text: &str) -> Vec<Intent> {
    let clauses = hear(text, &Names::default());
    let heard = clauses.into_iter().map(|clause| match clause.heard {
        Heard::Intents(intents) => intents,
        Heard::Unclear(words) => panic!("“{text}”: {words:?}"),
    });
    heard.flatten().collect()
}

#[test]
fn a_wish_in_other_words_is_the_same_wish() {
    for (said, plain) in [
        ("could the sphere be made of marble?", "make the sphere marble"),
        ("can the sphere glow?", "make the sphere glow"),
        ("the cone should be removed", "remove the cone"),
        ("the cone has to go", "remove the cone"),
        ("the box needs to go 75 cm to the right", "move the box 75 cm to the right"),
        ("the box should be moved to the left", "move the box to the left"),
        ("matte black for all the balls", "make all the balls matte black"),
        ("leftmost ball: make it bigger", "make the leftmost ball bigger"),
        ("sky: dark blue", "the sky dark blue"),
        ("the cylinder would look better in purple", "the cylinder should be purple"),
        ("a castle, please, with a moat", "a castle with a moat"),
        ("rotate the house a quarter turn", "rotate the house 90 degrees"),
        ("rotate the house half a turn to the right", "rotate the house -180 degrees"),
        ("more light from above", "a light from above"),
        ("tell me how many balls there are", "how many balls are there"),
    ] {
        let shown = |text: &str| {
            // The words are only for messages.
            let debugged = format!("{:?}", intents(text));
            let mut parts = debugged.split("words: [");
            let mut bare = parts.next().unwrap_or_default().to_owned();
            bare.extend(parts.filter_map(|part| part.split_once(']')).map(|(_, rest)| rest));
            bare
        };
        assert_eq!(shown(said), shown(plain), "{said}");
    }
}

#[test]
fn what_can_be_done_without_is_told() {
    for (text, aside) in [
        ("build me a rocket that can fly to the moon", "that can fly to the moon"),
        ("seven cones in a circle qwertz", "qwertz"),
        ("a blue boat, the kind my grandfather had", "the kind my grandfather had"),
    ] {
        let clauses = hear(text, &Names::default());
        assert!(matches!(clauses[0].heard, Heard::Intents(_)), "{text}: {clauses:?}");
        assert_eq!(clauses[0].passed.join(", "), aside, "{text}");
    }
}

#[test]
fn words_that_tell_things_apart_are_not_left_out() {
    for text in [
        "make the box red but not the floor",
        "paint the cone that is not orange in the colour of silence",
        "send this picture to my grandma by email",
    ] {
        let clauses = hear(text, &Names::default());
        let unclear = |heard: &Heard| matches!(heard, Heard::Unclear(_));
        assert!(clauses.iter().any(|clause| unclear(&clause.heard)), "{text}: {clauses:?}");
    }
}

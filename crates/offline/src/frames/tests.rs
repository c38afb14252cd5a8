//! What sentences come to as frames.

use crate::chart::{Chart, grammar, readings};
use crate::tokens::{Lattice, SceneNames};

use super::{Act, Amount, Dimension, Frame, Head, Layout, Quality, Relation, frames};

fn first(message: &str) -> Frame {
    let lattice = Lattice::read(message, &SceneNames::default());
    let chart = Chart::of(&lattice, grammar());
    let readings = readings(&chart, &lattice, grammar());
    readings.first().and_then(|best| best.utterances.first()).map(frames).unwrap_or_default()
}

#[test]
fn measures_are_in_metres() {
    for (text, metres) in [
        ("2 m", 2.0),
        ("50 cm", 0.5),
        ("1 m 20", 1.2),
        ("half a metre", 0.5),
        ("10 feet", 10.0 * 0.3048),
    ] {
        let frame = first(&format!("make the box {text} high"));
        let wanted =
            Quality::Measured { dimension: Dimension::Height, amount: Amount::Metres(metres) };
        assert_eq!(frame.qualities, [wanted], "{text}");
    }
}

#[test]
fn patterns_and_places_find_their_slots() {
    let frame = first("put five red cubes in a circle");
    assert_eq!(frame.act, Some(Act::Create));
    let cubes = &frame.theme[0];
    assert_eq!(cubes.count, Some(5.0));
    assert_eq!(cubes.pattern.layout, Some(Layout::Circle));
    let frame = first("put the ball on the left side of the table");
    assert_eq!(frame.places.len(), 1);
    let frame = first("put the ball behind the box");
    assert_eq!(frame.places[0].relation, Some(Relation::Behind));
}

#[test]
fn a_new_word_is_one_line_of_data() {
    // An object of the catalogue and a colour of its table are words without more.
    let frame = first("a teal armchair");
    assert!(matches!(&frame.theme[0].head, Head::Object { name, .. } if name == "armchair"));
    assert!(
        matches!(&frame.theme[0].qualities[..], [Quality::Colour(word)] if word.name == "teal")
    );
}

//! Places: "at 1, 2, 3", "on the floor", "2 m to the left of it", "to the left".

use glam::DVec3;

use crate::language::acts::intent::{Place, Shift, Sides, Target};
use crate::language::phrases::noun_phrase::phrase_with;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::words::lexicon::Token;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Degree, From, Glue, Noun, Relation, Sense, Way};

/// Reads a place; nothing is taken when there is none.
pub(crate) fn place(reader: &mut Reader<'_>) -> Option<Place> {
    let start = reader.at;
    if reader.glue(Glue::Former) {
        return Some(Place::Former);
    }
    let found = coordinates(reader)
        .or_else(|| place_of(reader))
        .or_else(|| origin(reader))
        .or_else(|| other_side(reader))
        .or_else(|| relative(reader));
    if found.is_none() {
        reader.at = start;
    }
    found
}

/// "where the cone was", "to where the cone used to be".
fn place_of(reader: &mut Reader<'_>) -> Option<Place> {
    let start = reader.at;
    let _ = reader.any_glue(&[Glue::To, Glue::At, Glue::Into, Glue::In]);
    let says =
        |token: &Token, words: &[&str]| token.text.split(' ').all(|word| words.contains(&word));
    let where_it_was = reader.peek().is_some_and(|token| token.text == "where");
    if where_it_was {
        reader.skip();
        let thing = phrase_with(reader, Tail::SUBJECT)?;
        let behind = reader.at;
        while reader.peek().is_some_and(|token| says(token, &STOOD)) {
            reader.skip();
        }
        if reader.at > behind && !thing.is_new() {
            return Some(Place::Where(Target::of(thing)));
        }
    }
    reader.at = start;
    None
}

/// What is said of a thing that stood somewhere.
const STOOD: [&str; 14] = [
    "was", "is", "were", "are", "stood", "stands", "sat", "sits", "been", "before", "used", "to",
    "be", "had",
];

/// "on the other side (of the sofa)", "on the sofa's other side".
fn other_side(reader: &mut Reader<'_>) -> Option<Place> {
    let start = reader.at;
    if reader.glue(Glue::OtherSide) {
        let before = reader.at;
        let of = if reader.glue(Glue::Of) { phrase_with(reader, Tail::BARE) } else { None };
        if of.is_none() {
            reader.at = before;
        }
        return Some(Place::OtherSide(of.map(Target::of)));
    }
    let on = |sense: &Sense| matches!(sense, Sense::Relation(Relation::On)).then_some(());
    if reader.take(on).is_some() || reader.glue(Glue::To) {
        // The owner alone: "'s other side" is no part of it.
        let owner = (1..6).find(|count| {
            reader.sees(*count, &Sense::Glue(Glue::Possessive))
                && reader.ahead(count + 1).is_some_and(|token| token.text == "other")
                && reader.ahead(count + 2).is_some_and(|token| token.text == "side")
        });
        if let Some(count) = owner {
            let mut probe = Reader::new(reader.only(count));
            let owner = phrase_with(&mut probe, Tail::BARE)?;
            reader.at += count + 3;
            return Some(Place::OtherSide(Some(Target::of(owner))));
        }
    }
    reader.at = start;
    None
}

fn coordinates(reader: &mut Reader<'_>) -> Option<Place> {
    let start = reader.at;
    reader.any_glue(&[Glue::At, Glue::To])?;
    let place = bare_coordinates(reader);
    if place.is_none() {
        reader.at = start;
    }
    place
}

/// "1, 2, 3" is a point, "1, 2" a spot on the ground (x and z).
pub(crate) fn bare_coordinates(reader: &mut Reader<'_>) -> Option<Place> {
    let start = reader.at;
    let mut numbers = Vec::new();
    while numbers.len() < 3 {
        let before = reader.at;
        // "x = 2, y = 0.5".
        let axes = [Glue::AxisX, Glue::AxisY, Glue::AxisZ];
        if !numbers.is_empty() {
            let _ = reader.sees(0, &Sense::Comma) && {
                reader.skip();
                true
            };
            let _ = reader.glue(Glue::And);
        }
        let named = reader.any_glue(&axes).is_some();
        let _ = named && reader.any_glue(&[Glue::Is, Glue::Of]).is_some();
        match reader.length() {
            Some(number) => numbers.push(number),
            None => {
                reader.at = before;
                break;
            }
        }
    }
    match numbers[..] {
        [x, y, z] => Some(Place::At(DVec3::new(x, y, z))),
        [x, z] => Some(Place::Ground(x, z)),
        _ => {
            reader.at = start;
            None
        }
    }
}

/// "the left back corner of the room".
fn told_corner(reader: &mut Reader<'_>) -> Option<Sides> {
    let start = reader.at;
    let _ = reader.any_glue(&[Glue::The, Glue::A]);
    let mut sides = Sides::default();
    while let Some(token) = reader.peek() {
        for word in token.text.split(' ') {
            match word {
                "left" => sides.right = Some(false),
                "right" => sides.right = Some(true),
                "back" | "far" | "rear" | "hind" => sides.back = Some(true),
                "front" | "near" | "nearest" | "nearer" => sides.back = Some(false),
                _ => {}
            }
        }
        let told = sides != Sides::default();
        let corner = token.text.split(' ').any(|word| word == "corner");
        reader.skip();
        if corner && told {
            let of = reader.at;
            let room = reader.glue(Glue::Of) && {
                let _ = reader.any_glue(&[Glue::The, Glue::This, Glue::A]);
                let named = reader.peek().is_some_and(|token| {
                    ["room", "floor", "scene", "ground"].contains(&token.text.as_str())
                });
                reader.at += usize::from(named);
                named
            };
            reader.at = if room { reader.at } else { of };
            return Some(sides);
        }
        if corner || !told {
            break;
        }
    }
    reader.at = start;
    None
}

fn origin(reader: &mut Reader<'_>) -> Option<Place> {
    let start = reader.at;
    let _ = reader.any_glue(&[Glue::In, Glue::Into, Glue::At, Glue::To]);
    if reader.glue(Glue::Corner) {
        return Some(Place::Corner(Sides::default()));
    }
    if let Some(sides) = told_corner(reader) {
        return Some(Place::Corner(sides));
    }
    reader.at = start;
    if reader.glue(Glue::Origin) {
        return Some(Place::Origin);
    }
    None
}

fn relative(reader: &mut Reader<'_>) -> Option<Place> {
    let metres = reader.length();
    if let Some(relation) = reader.take(as_side) {
        let target = Target::of(Phrase::new(Determiner::It));
        return Some(Place::Relative { relation, target, metres });
    }
    let before = reader.at;
    // "to the floor".
    if metres.is_none() && reader.glue(Glue::To) {
        let floor =
            phrase_with(reader, Tail::BARE).filter(|phrase| phrase.head == Some(Noun::Floor));
        if let Some(floor) = floor {
            let target = Target::of(floor);
            return Some(Place::Relative { relation: Relation::On, target, metres: None });
        }
        reader.at = before;
    }
    if let Some(relation) = reader.take(as_relation)
        && let Some(first) = phrase_with(reader, Tail::BARE)
    {
        let mut phrases = vec![first];
        if let [first] = phrases.as_mut_slice()
            && first.is_new()
            && first.determiner != Determiner::Bare
            && matches!(relation, Relation::On | Relation::Under | Relation::Inside)
        {
            // "a ball on a cube on a table", "a vase on a table to the left of the sofa".
            first.places.extend(stacked_on(reader).or_else(|| standing_by(reader)));
        }
        if let [first] = phrases.as_mut_slice()
            && first.is_new()
            && first.determiner == Determiner::A
        {
            // "on a wooden block, 20 cm wide, 10 cm high".
            loop {
                let before = reader.at;
                let _ = reader.sees(0, &Sense::Comma) && {
                    reader.skip();
                    true
                };
                if !first.size.modifier(reader) {
                    reader.at = before;
                    break;
                }
            }
        }
        if relation == Relation::Between {
            let joint = reader.at;
            match reader.take_joint().then(|| phrase_with(reader, Tail::BARE)).flatten() {
                Some(second) => phrases.push(second),
                None => reader.at = joint,
            }
        }
        let metres = metres.or_else(|| gap_told(reader));
        return Some(Place::Relative { relation, target: Target(phrases), metres });
    }
    reader.at = before;
    if let Some(relation) = reader.take(as_relation).filter(|_| reader.clause_ends())
        && let Some(place) = beside_it(relation, metres)
    {
        return Some(place);
    }
    reader.at = before;
    if metres.is_none()
        && let Some(place) = within(reader)
    {
        return Some(place);
    }
    reader.at = before;
    if metres.is_none()
        && let Some(target) = container(reader)
    {
        return Some(Place::Relative { relation: Relation::Inside, target, metres });
    }
    reader.at = before;
    // "on the left one": the left one is what carries it.
    if metres.is_none()
        && let Some(place) = on_that_one(reader)
    {
        return Some(place);
    }
    reader.at = before;
    // "add a box to the left", "a light from the left": beside everything that is there.
    let way = reader.take(as_way).or_else(|| reader.take(as_from))?;
    metres.is_none().then_some(Place::Aside(way))
}

/// "on the left one", "on the right red table".
pub(in crate::language) fn on_that_one(reader: &mut Reader<'_>) -> Option<Place> {
    let relation = match reader.peek()?.text.split_once(" the ")?.0 {
        "on" => Relation::On,
        "to" => Relation::Beside,
        _ => return None,
    };
    let way = reader.take(as_way)?;
    let mut phrase = phrase_with(reader, Tail::BARE)?;
    let thing = matches!(
        phrase.head,
        Some(Noun::Thing | Noun::Assembly(_) | Noun::Shape(_) | Noun::Named(_))
    );
    let plain = phrase.count.is_none_or(|count| count == 1) && phrase.rank.is_none();
    if !thing || !plain || phrase.determiner != Determiner::Bare || phrase.plural {
        return None;
    }
    (phrase.determiner, phrase.count) = (Determiner::The, None);
    phrase.rank = Some(crate::language::phrases::tail::outermost(way));
    Some(Place::Relative { relation, target: Target::of(phrase), metres: None })
}

/// "so there is only 10 cm between them", "with 10 cm between them".
fn gap_told(reader: &mut Reader<'_>) -> Option<f64> {
    let start = reader.at;
    let between = |sense: &Sense| matches!(sense, Sense::Relation(Relation::Between)).then_some(());
    reader.skip_fillers();
    let _ = reader.glue(Glue::With);
    let exists = |sense: &Sense| matches!(sense, Sense::Ask(_)).then_some(());
    let _ = reader.glue(Glue::Is) || reader.take(exists).is_some();
    reader.skip_fillers();
    let metres = reader.length();
    reader.skip_fillers();
    let both = metres.is_some()
        && (reader.take(between).is_some() && reader.glue(Glue::Them) || reader.glue(Glue::Apart));
    if !both {
        reader.at = start;
    }
    metres.filter(|_| both)
}

/// "on a green cube" behind something new that another thing stands on.
fn stacked_on(reader: &mut Reader<'_>) -> Option<Place> {
    let start = reader.at;
    let upon = reader.take(as_relation).is_some_and(|relation| relation == Relation::On);
    let new =
        upon && phrase_with(&mut reader.clone(), Tail::BARE).is_some_and(|below| below.is_new());
    reader.at = start;
    if new { relative(reader) } else { None }
}

/// "to the left of the sofa" behind something new that another thing stands on.
fn standing_by(reader: &mut Reader<'_>) -> Option<Place> {
    let start = reader.at;
    let by = |relation: &Relation| {
        matches!(
            relation,
            Relation::Left
                | Relation::Right
                | Relation::Front
                | Relation::Behind
                | Relation::Beside
                | Relation::Against
        )
    };
    let told = reader.take(as_relation).is_some_and(|relation| by(&relation));
    let thing = if told { phrase_with(reader, Tail::BARE) } else { None };
    let known = thing.is_some_and(|thing| thing.determiner == Determiner::The);
    reader.at = start;
    if known { relative(reader) } else { None }
}

/// "one behind", "a light above", "one in between": told by what was spoken of last.
fn beside_it(relation: Relation, metres: Option<f64>) -> Option<Place> {
    let determiner = match relation {
        Relation::Above => return Some(Place::Aside(Way::Up)),
        Relation::On | Relation::Around | Relation::Along | Relation::Across => return None,
        Relation::Between => Determiner::Them,
        _ => Determiner::It,
    };
    Some(Place::Relative { relation, target: Target::of(Phrase::new(determiner)), metres })
}

/// "in the bowl", "into it": something that is there.
fn container(reader: &mut Reader<'_>) -> Option<Target> {
    reader.any_glue(&[Glue::In, Glue::Into])?;
    let phrase = phrase_with(reader, Tail::BARE)?;
    let thing = matches!(
        phrase.head,
        Some(Noun::Shape(_) | Noun::Assembly(_) | Noun::Later(_) | Noun::Named(_) | Noun::Wall)
    );
    let known = match phrase.determiner {
        Determiner::The => thing && phrase.pattern.is_none(),
        determiner => determiner == Determiner::It,
    };
    known.then(|| Target::of(phrase))
}

/// "in the bowl", "in a glass box", "in the sky".
fn within(reader: &mut Reader<'_>) -> Option<Place> {
    // "into a box" is what something turns into.
    if reader.peek()?.text != "in" {
        return None;
    }
    reader.skip();
    let phrase = phrase_with(reader, Tail::BARE)?;
    let pointed = !matches!(phrase.determiner, Determiner::Bare);
    let thing = |noun: &Noun| {
        matches!(
            noun,
            Noun::Shape(_) | Noun::Assembly(_) | Noun::Named(_) | Noun::Later(_) | Noun::Wall
        )
    };
    let holds = pointed && phrase.pattern.is_none() && phrase.head.as_ref().is_some_and(thing);
    let sky = phrase.head == Some(Noun::Sky);
    (holds || sky).then(|| {
        let relation = if sky { Relation::Above } else { Relation::Inside };
        Place::Relative { relation, target: Target::of(phrase), metres: None }
    })
}

/// "a bit", also "little" before "more" and a way: "little more to the left".
pub(crate) fn degree(reader: &mut Reader<'_>) -> Option<Degree> {
    let little = reader.peek().is_some_and(|token| token.text == "little");
    let more = reader.sees(1, &Sense::Glue(Glue::More)) || reader.look(1, as_way).is_some();
    if little && more {
        reader.skip();
        return Some(Degree::Slight);
    }
    reader.take(as_degree)
}

/// "up by 1", "2 m to the left", "left a bit", "up".
pub(crate) fn shift(reader: &mut Reader<'_>) -> Option<Shift> {
    let start = reader.at;
    let _ = reader.glue(Glue::By);
    let mut degree = self::degree(reader);
    let mut metres = reader.length();
    // "a bit more to the right", "50 cm more to the left".
    let _ = reader.glue(Glue::More);
    let _ = reader.any_glue(&[Glue::To, Glue::In]);
    let Some(way) = reader.take(as_way) else {
        reader.at = start;
        return None;
    };
    if metres.is_none() {
        let before = reader.at;
        let _ = reader.glue(Glue::By);
        metres = reader.length();
        if metres.is_none() {
            degree = degree.or_else(|| reader.take(as_degree));
            if degree.is_none() {
                reader.at = before;
            }
        }
    }
    Some(Shift { way, metres, degree })
}

pub(crate) fn as_way(sense: &Sense) -> Option<Way> {
    match sense {
        Sense::Way(way) => Some(*way),
        _ => None,
    }
}

pub(crate) fn as_from(sense: &Sense) -> Option<Way> {
    match sense {
        Sense::From(From::Above) => Some(Way::Up),
        Sense::From(From::Below) => Some(Way::Down),
        Sense::From(From::Left) => Some(Way::Left),
        Sense::From(From::Right) => Some(Way::Right),
        Sense::From(From::Front) => Some(Way::Front),
        Sense::From(From::Behind) => Some(Way::Back),
        _ => None,
    }
}

pub(crate) fn as_degree(sense: &Sense) -> Option<Degree> {
    match sense {
        Sense::Degree(degree) => Some(*degree),
        _ => None,
    }
}

fn as_relation(sense: &Sense) -> Option<Relation> {
    match sense {
        Sense::Relation(relation) => Some(*relation),
        _ => None,
    }
}

fn as_side(sense: &Sense) -> Option<Relation> {
    match sense {
        Sense::Side(relation) => Some(*relation),
        _ => None,
    }
}

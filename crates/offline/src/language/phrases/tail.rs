//! What may follow the head of a noun phrase: "called bob", "with radius 2", "in a row", "of glass".

use crate::language::acts::handing_out::handed_out;
use crate::language::acts::intent::{Angle, Place, Target};
use crate::language::phrases::company::{measured, with};
use crate::language::phrases::noun_phrase::{finish, phrase_with, target};
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::printing::other_colour;
use crate::language::phrases::relative::relative_clause;
use crate::language::phrases::size::as_measure;
use crate::language::places::motion::angle;
use crate::language::places::place::{bare_coordinates, place};
use crate::language::words::formation::{arranged, of_varied_sizes};
use crate::language::words::reader::{Reader, as_noun};
use crate::language::words::vocabulary::{
    Comparison, Glue, Measure, Noun, Pattern, Rank, Relation, Sense, ShapeKind, Way,
};

/// What may follow the head.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tail {
    /// "on the floor".
    pub(crate) places: bool,
    /// "with a light above it".
    pub(crate) with: bool,
    /// "made of glass", "in red".
    pub(crate) look: bool,
}

impl Tail {
    pub(crate) const FULL: Self = Self { places: true, with: true, look: true };
    pub(crate) const NO_WITH: Self = Self { places: true, with: false, look: true };
    /// What is about to be changed: a colour behind it is the new one.
    pub(crate) const SUBJECT: Self = Self { places: true, with: false, look: false };
    pub(crate) const BARE: Self = Self { places: false, with: false, look: false };
}

/// Everything that may follow the head, in any order.
pub(crate) fn after_head(reader: &mut Reader<'_>, phrase: &mut Phrase, tail: Tail) {
    loop {
        reader.skip_fillers();
        let start = reader.at;
        if purpose(reader, phrase) {
            continue;
        }
        posture(reader);
        let taken = some_many(reader, phrase)
            || crate::language::phrases::age::clause(reader, phrase)
            || (tail.places && nicknamed(reader, phrase))
            || (phrase.is_new() && faces_inwards(reader, phrase))
            || exception(reader, phrase)
            || without(reader, phrase)
            || named(reader, phrase)
            || inscribed(reader, phrase)
            || (tail.places && (arranged(reader, phrase) || placed(reader, phrase)))
            || missing(reader, phrase)
            || (tail.places && phrase.is_new() && turned_or_aimed(reader, phrase))
            || (tail.look && (handed_out(reader, phrase) || made_of(reader, phrase)))
            || (tail.with && with(reader, phrase))
            || (tail.places && phrase.is_new() && phrase.size.like_its(reader))
            || (tail.places && phrase.is_new() && measured(reader, phrase))
            || (tail.places && relative_clause(reader, phrase));
        if !taken {
            // "a box, 2 m wide": a comma inside the phrase.
            reader.at = start;
            // "... and has a radius of 20 cm", "... and radius 2".
            if tail.places && phrase.is_new() && reader.glue(Glue::And) {
                let _ = reader.glue(Glue::With);
                reader.skip_fillers();
                if arranged(reader, phrase) || phrase.size.modifier(reader) {
                    continue;
                }
            }
            reader.at = start;
            let comma = reader.sees(0, &Sense::Comma) && tail.places && !reader.clause_ends();
            reader.at += usize::from(comma);
            reader.skip_fillers();
            if comma && phrase.is_new() {
                posture(reader);
            }
            let more = comma
                && (named(reader, phrase)
                    || arranged(reader, phrase)
                    || placed(reader, phrase)
                    || (tail.with && phrase.is_new() && with(reader, phrase))
                    || (phrase.is_new() && relative_clause(reader, phrase))
                    || (phrase.is_new() && turned_or_aimed(reader, phrase))
                    || (phrase.is_new()
                        && !of_all(reader, phrase)
                        && phrase.size.modifier(reader))
                    || (tail.look && phrase.is_new() && looks_besides(reader, phrase)));
            if !more {
                reader.at = start;
                return;
            }
        }
    }
}

/// "each 20 cm high" behind one thing is said of all in its list.
fn of_all(reader: &Reader<'_>, phrase: &Phrase) -> bool {
    // "a cone and a cylinder side by side": one of those that stand so.
    let pattern = phrase.pattern.is_some_and(|pattern| pattern != Pattern::Row);
    let several = phrase.plural || pattern || phrase.count.is_some_and(|n| n > 1);
    let each = |word: &str| ["each", "all", "both"].iter().any(|all| word.starts_with(all));
    !several && reader.peek().is_some_and(|token| each(&token.text))
}

/// "like 6", "maybe 6": how many of what is new.
fn some_many(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    let counts = phrase.is_new() && phrase.plural && phrase.count.is_none();
    let _ = reader.glue(Glue::Like);
    let number = if counts { reader.number() } else { None };
    match number.filter(|number| number.fract() == 0.0 && *number >= 1.0) {
        Some(number) if reader.clause_ends() => {
            phrase.count = Some(number.min(1e6) as usize);
            true
        }
        _ => {
            reader.at = start;
            false
        }
    }
}

/// ", light grey" behind what is to be made: nothing else may follow.
fn looks_besides(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let (start, mut described) = (reader.at, phrase.clone());
    if look(reader, &mut described) && reader.clause_ends() {
        *phrase = described;
        return true;
    }
    reader.at = start;
    false
}

/// "for the park", "of coffee": what a thing is for or holds.
fn purpose(reader: &mut Reader<'_>, phrase: &Phrase) -> bool {
    let start = reader.at;
    let object = matches!(phrase.head, Some(Noun::Assembly(_))) && phrase.is_new();
    let told = reader.peek().is_some_and(|token| token.text == "for")
        || (object && reader.sees_glue(Glue::Of));
    if !told {
        return false;
    }
    reader.skip();
    let the = reader.any_glue(&[Glue::A, Glue::The]) == Some(Glue::The);
    // "a door for the house" is a part of it.
    let thing = |noun: &Noun| matches!(noun, Noun::Assembly(_) | Noun::Shape(_) | Noun::Named(_));
    if the && reader.look(0, as_noun).is_some_and(|noun| thing(&noun)) {
        reader.at = start;
        return false;
    }
    reader.skip_fillers();
    let noun =
        |sense: &Sense| matches!(sense, Sense::Noun(_) | Sense::Colour(_) | Sense::Finish(_));
    let named = |token: &crate::language::words::lexicon::Token| {
        token.senses.is_empty() || token.senses.iter().any(noun)
    };
    if reader.peek().is_some_and(named) {
        reader.skip();
        return true;
    }
    reader.at = start;
    false
}

/// "standing" before "in a circle", "floating" before "1 m above it": no more than the rest says.
fn posture(reader: &mut Reader<'_>) {
    let start = reader.at;
    if !reader.glue(Glue::Posture) {
        return;
    }
    reader.skip_fillers();
    let mut probe = reader.clone();
    let mut blank = Phrase::new(Determiner::A);
    let places = arranged(&mut probe, &mut blank) || placed(&mut probe, &mut blank);
    if !places && !reader.clause_ends() {
        reader.at = start;
    }
}

/// "except the floor" after "everything" and "all".
pub(crate) fn exception(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let many = matches!(phrase.determiner, Determiner::Everything | Determiner::All);
    let start = reader.at;
    let _ =
        many && reader.sees(0, &Sense::Comma) && reader.sees(1, &Sense::Glue(Glue::Except)) && {
            reader.skip();
            true
        };
    if !many || !reader.glue(Glue::Except) {
        reader.at = start;
        return false;
    }
    match target(reader, Tail::BARE) {
        Some(Target(phrases)) => {
            // "all trees but the first": the first tree.
            let head = phrase.head.clone();
            phrase.except.extend(
                phrases
                    .into_iter()
                    .map(|but| Phrase { head: but.head.clone().or_else(|| head.clone()), ..but }),
            );
            true
        }
        None => {
            reader.at = start;
            false
        }
    }
}

/// "without a hat", "without arms and a hat".
fn without(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    if !phrase.is_new() || !reader.glue(Glue::Without) {
        return false;
    }
    loop {
        let _ = reader.any_glue(&[Glue::A, Glue::The, Glue::Its, Glue::All]);
        let Some(token) = reader.peek().filter(|_| reader.look(0, as_noun).is_some()) else {
            break;
        };
        phrase.without.extend(token.text.split(' ').map(crate::language::words::lexicon::singular));
        reader.skip();
        let start = reader.at;
        let more = !reader.clause_ends()
            && (reader.glue(Glue::Or) || reader.take_joint())
            && (reader.look(0, as_noun).is_some() || reader.look(1, as_noun).is_some());
        if !more {
            reader.at = start;
            break;
        }
    }
    !phrase.without.is_empty()
}

/// "like a hat", "as a roof" behind something new: what it is called from then on.
fn nicknamed(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    let named = phrase.is_new() && phrase.name.is_none() && !phrase.plural;
    let like = named && (reader.glue(Glue::Like) || reader.glue(Glue::As));
    let name = |sense: &Sense| match sense {
        Sense::Noun(Noun::Assembly(_) | Noun::Later(_)) => Some(()),
        _ => None,
    };
    if like && reader.glue(Glue::A) && reader.take(name).is_some() && reader.clause_ends() {
        phrase.name = reader.previous().map(str::to_owned);
        return true;
    }
    reader.at = start;
    false
}

/// "letters “HELLO”": what they spell.
fn inscribed(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    if phrase.head != Some(Noun::Shape(ShapeKind::Text)) || phrase.inscription.is_some() {
        return false;
    }
    phrase.inscription = reader.take(as_quoted);
    phrase.inscription.is_some()
}

fn as_quoted(sense: &Sense) -> Option<String> {
    match sense {
        Sense::Quoted(text) => Some(text.clone()),
        _ => None,
    }
}

pub(in crate::language) fn named(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    reader.glue(Glue::Called) && {
        phrase.name = new_name(reader);
        phrase.name.is_some()
    }
}

/// A name for a thing: quoted text, or the next words up to one that has a meaning.
pub(crate) fn new_name(reader: &mut Reader<'_>) -> Option<String> {
    let quoted = reader.take(as_quoted);
    if quoted.is_some() {
        return quoted;
    }
    let first = reader.peek().filter(|token| !token.senses.contains(&Sense::Stop))?;
    reader.skip();
    let mut name = vec![first.text.clone()];
    while let Some(token) = reader.peek() {
        let name_like =
            |sense: &Sense| matches!(sense, Sense::Number(_) | Sense::Noun(Noun::Later(_)));
        if !token.senses.iter().all(name_like) {
            break;
        }
        name.push(token.text.clone());
        reader.skip();
    }
    Some(name.join(" "))
}

/// Which of several is meant by "the bigger one", "the nearer one".
pub(crate) fn rank_of(comparison: Comparison) -> Option<Rank> {
    Some(match comparison {
        Comparison::Bigger => Rank::Biggest,
        Comparison::Smaller => Rank::Smallest,
        Comparison::Taller | Comparison::Higher => Rank::Tallest,
        Comparison::Closer => Rank::Nearest,
        Comparison::Farther => Rank::Farthest,
        _ => return None,
    })
}

/// Which one lies farthest that way.
pub(crate) fn outermost(way: Way) -> Rank {
    match way {
        Way::Left => Rank::Leftmost,
        Way::Right => Rank::Rightmost,
        Way::Up => Rank::Highest,
        Way::Down => Rank::Lowest,
        Way::Front => Rank::Nearest,
        Way::Back => Rank::Farthest,
    }
}

pub(in crate::language) fn placed(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    // "right beneath it", "right beside the box": no side.
    let side = |sense: &Sense| matches!(sense, Sense::Relation(_) | Sense::Side(_)).then_some(());
    let just = reader.peek().is_some_and(|token| ["right", "directly"].contains(&&*token.text));
    reader.at += usize::from(just && reader.look(1, side).is_some());
    // "the one on the left" tells which one, it places nothing.
    if phrase.determiner == Determiner::The && phrase.rank.is_none() {
        phrase.rank = reader.take(crate::language::places::place::as_way).map(outermost);
        if phrase.rank.is_none() && phrase.head.is_some() {
            phrase.rank = reader.take(|sense| match sense {
                Sense::Rank(rank @ (Rank::Nearest | Rank::Farthest)) => Some(*rank),
                _ => None,
            });
        }
        if phrase.rank.is_none() && reader.glue(Glue::Origin) {
            phrase.rank = Some(Rank::Middle);
        }
        if phrase.rank.is_some() {
            return true;
        }
    }
    if crate::language::phrases::portion::counted_from(reader, phrase) {
        return true;
    }
    let start = reader.at;
    let facing = reader.peek().is_some_and(|token| token.text == "facing");
    let place = place(reader);
    phrase.facing |= facing && place.is_some() && phrase.is_new();
    // "set the camera to 0, 5, 10": where it is to be, not which one it is.
    if !phrase.is_new() && matches!(place, Some(Place::At(_) | Place::Ground(..))) {
        reader.at = start;
        return false;
    }
    phrase.places.extend(place.clone());
    place.is_some()
}

/// "made of glass", "in red", "of gold".
pub(in crate::language) fn made_of(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    // "the colour of gold".
    let _ = reader.glue(Glue::In);
    let _ = reader.glue(Glue::The);
    if reader.take(as_measure) == Some(Measure::Colour)
        && reader.glue(Glue::Of)
        && let Some(colour) = crate::language::acts::changes::resembled(reader)
    {
        phrase.colours.push(colour);
        return true;
    }
    reader.at = start;
    if reader.any_glue(&[Glue::MadeOf, Glue::Of]).is_some()
        && (look(reader, phrase) || (phrase.is_new() && measured(reader, phrase)))
    {
        return true;
    }
    reader.at = start;
    false
}

/// "rotated 30 degrees around y", "pointing at the origin", "each smaller than the one below".
fn turned_or_aimed(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    let light = matches!(phrase.head, Some(Noun::Light(_)));
    let taken = if reader.glue(Glue::Tapering) {
        phrase.tapering = true;
        true
    } else if reader.glue(Glue::Growing) {
        phrase.growing = true;
        // "from left to right": as rows run anyway.
        while reader
            .take(|sense| {
                let sideways = matches!(sense, Sense::From(_) | Sense::Way(_));
                (sideways || matches!(sense, Sense::Glue(Glue::To | Glue::From))).then_some(())
            })
            .is_some()
        {}
        true
    } else if of_varied_sizes(reader) {
        phrase.varied = true;
        colours_as_well(reader, phrase);
        true
    } else if upside_down(reader) {
        phrase.turn = Some(Angle { axis: glam::DVec3::X, degrees: 180.0 });
        true
    } else if reader.sees_glue(Glue::OnSide) || reader.glue(Glue::Rotated) {
        phrase.turn = angle(reader);
        phrase.turn.is_some()
    } else if light && reader.glue(Glue::Aimed) {
        phrase.aim = place(reader).or_else(|| bare_coordinates(reader)).or_else(|| {
            let target = Target::of(phrase_with(reader, Tail::BARE)?);
            Some(Place::Relative { relation: Relation::On, target, metres: None })
        });
        phrase.aim.is_some()
    } else {
        false
    };
    if !taken {
        reader.at = start;
    }
    taken
}

/// "and colours" behind "of different sizes".
fn colours_as_well(reader: &mut Reader<'_>, phrase: &mut Phrase) {
    let start = reader.at;
    let colour = |token: &crate::language::words::lexicon::Token| {
        ["colours", "colors"].contains(&&*token.text)
    };
    if reader.take_joint() && reader.peek().is_some_and(colour) {
        reader.skip();
        let count = phrase.count.unwrap_or(crate::language::phrases::noun_phrase::MOST_DISTINCT);
        phrase.colours = crate::colour::palette(count).collect();
    } else {
        reader.at = start;
    }
}

/// "facing the middle", "facing each other": those that stand round it.
fn faces_inwards(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    const INWARDS: [&str; 6] = ["inwards", "inward", "middle", "centre", "center", "one another"];
    let facing = reader.peek().is_some_and(|token| token.text == "facing");
    let mut ahead = reader.clone();
    ahead.at += 1;
    let _ = ahead.glue(Glue::The);
    let text = |token: Option<&crate::language::words::lexicon::Token>| {
        token.map(|token| token.text.clone())
    };
    let each = text(ahead.peek()).as_deref() == Some("each");
    if each && text(ahead.ahead(1)).as_deref() == Some("other") && facing {
        reader.at = ahead.at + 2;
        phrase.facing = true;
        return true;
    }
    let inwards =
        |token: &crate::language::words::lexicon::Token| INWARDS.contains(&token.text.as_str());
    if !facing || !ahead.peek().is_some_and(inwards) {
        return false;
    }
    ahead.skip();
    reader.at = ahead.at;
    phrase.facing = true;
    true
}

/// "upside down", "on its head"; "over" alone says something else of what is new.
fn upside_down(reader: &mut Reader<'_>) -> bool {
    reader.peek().is_some_and(|token| token.text != "over") && reader.glue(Glue::UpsideDown)
}

/// "that doesn't exist": what is meant can be found under no name.
fn missing(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    if phrase.is_new() || !reader.glue(Glue::Missing) {
        return false;
    }
    phrase.words.extend(reader.since(start).iter().map(|token| token.text.clone()));
    phrase.head = Some(Noun::Named(phrase.words.join(" ")));
    true
}

/// A colour or a finish, perhaps both, with or without "colour" and "finish" behind them.
pub(in crate::language) fn look(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let _ = reader.any_glue(&[Glue::A, Glue::The]);
    let before = reader.at;
    loop {
        if let Some(found) = finish(reader) {
            phrase.finish = Some(found);
        } else if let Some(colour) = reader.colour() {
            phrase.colours.push(colour);
        } else if let Some(other) = other_colour(reader, phrase) {
            phrase.colours.push(other);
        } else {
            break;
        }
    }
    if reader.at > before {
        let _ = reader.take(|sense| {
            as_measure(sense).filter(|m| matches!(m, Measure::Colour | Measure::Material))
        });
    }
    reader.at > before && reader.look(0, as_noun).is_none()
}

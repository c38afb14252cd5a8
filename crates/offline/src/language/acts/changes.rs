//! What is to become of a thing: "blue and a bit bigger", "up by 1", "into a box".

use catalogue::{Object, catalogue};

use crate::colour::Colour;
use crate::language::acts::intent::{Change, Exchanged, Shift, Target};
use crate::language::phrases::noun_phrase::{finish, phrase_with, tone};
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::{Like, Size, as_measure, as_size_word};
use crate::language::phrases::tail::{Tail, new_name};
use crate::language::places::facing::faced;
use crate::language::places::place::{as_degree, place, shift};
use crate::language::words::lexicon::Token;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{
    Comparison, Finish, Glue, Measure, Noun, Sense, SizeWord, Surface, Tone, Unit, Verb, Way,
};
use crate::world::Material;

/// Reads changes joined by commas and "and"; empty when there is none.
pub(crate) fn changes(reader: &mut Reader<'_>) -> Vec<Change> {
    let mut found = Vec::new();
    loop {
        let start = reader.at;
        if !found.is_empty() && !reader.at_end() {
            let _ = reader.take_joint();
        }
        match change(reader) {
            Some(change) => {
                found.push(change);
                skip_what_it_was(reader);
            }
            None => {
                reader.at = start;
                return found;
            }
        }
    }
}

/// "instead of steel", "rather than red": what it was.
fn skip_what_it_was(reader: &mut Reader<'_>) {
    let start = reader.at;
    let instead = reader.peek().is_some_and(|token| token.text == "instead")
        && reader.sees(1, &Sense::Glue(Glue::Of));
    let rather = reader.peek().is_some_and(|token| token.text == "rather")
        && reader.sees(1, &Sense::Glue(Glue::Than));
    if instead || rather {
        reader.at += 2;
        let was = finish(reader).is_some() || reader.colour().is_some();
        if !was {
            reader.at = start;
        }
    }
}

fn change(reader: &mut Reader<'_>) -> Option<Change> {
    reader.skip_fillers();
    let start = reader.at;
    // "I want it to be blue".
    if reader.sees_glue(Glue::To) && reader.sees(1, &Sense::Glue(Glue::Is)) {
        reader.skip();
    }
    let _ = reader.glue(Glue::Is);
    // The order matters: "up by 1" before lengths, "bigger" before words of size.
    let attempts: [fn(&mut Reader<'_>) -> Option<Change>; 16] = [
        closer_by,
        faced,
        away_from,
        alike,
        compare,
        upon_that_one,
        moved,
        whereabouts,
        coordinate,
        size,
        distinct,
        look,
        rename,
        become_shape,
        character,
        proportion,
    ];
    for attempt in attempts {
        let at = reader.at;
        if let Some(change) = attempt(reader) {
            return Some(change);
        }
        reader.at = at;
    }
    reader.at = start;
    None
}

/// "on the right box": a way, where no thing followed.
fn upon_that_one(reader: &mut Reader<'_>) -> Option<Change> {
    crate::language::places::place::on_that_one(reader).map(Change::Place)
}

pub(crate) fn as_comparison(sense: &Sense) -> Option<Comparison> {
    match sense {
        Sense::Compare(comparison) => Some(*comparison),
        _ => None,
    }
}

/// A ratio before a comparison: "twice", "3 times", "50 %".
#[derive(Debug, Clone, Copy)]
enum Ratio {
    Times(f64),
    Percent(f64),
}

fn ratio(reader: &mut Reader<'_>) -> Option<Ratio> {
    let start = reader.at;
    let percent = reader.number().is_some() && reader.sees(0, &Sense::Unit(Unit::Percent));
    reader.at = start;
    let factor = crate::language::phrases::size::times(reader)?;
    Some(if percent { Ratio::Percent(factor) } else { Ratio::Times(factor) })
}

/// Whether the comparison means less than now.
pub(crate) fn is_less(comparison: Comparison) -> bool {
    matches!(
        comparison,
        Comparison::Smaller
            | Comparison::Shorter
            | Comparison::Narrower
            | Comparison::Flatter
            | Comparison::Darker
            | Comparison::Duller
            | Comparison::Cooler
    )
}

fn factor_of(ratio: Ratio, comparison: Comparison) -> f64 {
    match (ratio, is_less(comparison)) {
        (Ratio::Times(times), false) => times,
        (Ratio::Times(times), true) => 1.0 / times.max(1e-3),
        (Ratio::Percent(share), false) => 1.0 + share,
        (Ratio::Percent(share), true) => (1.0 - share).max(0.05),
    }
}

/// "a bit bigger", "50% taller", "2 m higher", "bigger by 20 %", "bigger than the box".
fn compare(reader: &mut Reader<'_>) -> Option<Change> {
    // "look rougher".
    let _ = reader.glue(Glue::LookLike);
    let mut degree = reader.take(as_degree);
    let start = reader.at;
    let mut ratio = ratio(reader);
    let metres = if ratio.is_none() { reader.length() } else { None };
    if ratio.is_none() && metres.is_none() {
        reader.at = start;
    }
    let comparison = reader.take(as_comparison)?;
    if reader.glue(Glue::By) {
        let before = reader.at;
        ratio = self::ratio(reader);
        if ratio.is_none() {
            degree = reader.take(as_degree);
        }
        if ratio.is_none()
            && degree.is_none()
            && let Some(metres) = reader.length()
        {
            return by_metres(comparison, metres);
        }
        if reader.at == before {
            return None;
        }
    }
    degree = degree.or_else(|| reader.take(as_degree));
    let of_size = !matches!(
        comparison,
        Comparison::Brighter
            | Comparison::Darker
            | Comparison::Lighter
            | Comparison::Warmer
            | Comparison::Cooler
            | Comparison::Shinier
            | Comparison::Duller
            | Comparison::Softer
    );
    // "darker than that": no more than darker.
    if !of_size && reader.glue(Glue::Than) {
        phrase_with(reader, Tail::BARE)?;
    } else if reader.glue(Glue::Than) {
        let model = phrase_with(reader, Tail::BARE)?;
        let factor = if is_less(comparison) { 0.8 } else { 1.25 };
        let like = Like { factor, model: Box::new(model), than: true };
        let size = Size { like: Some(like), ..Size::default() };
        return Some(Change::Size(Box::new(size)));
    }
    match metres {
        Some(metres) => by_metres(comparison, metres),
        None => {
            let factor = ratio.map(|ratio| factor_of(ratio, comparison));
            Some(Change::Compare { comparison, degree, factor })
        }
    }
}

/// "2 m higher", "50 cm taller", "bigger by 1 m".
fn by_metres(comparison: Comparison, metres: f64) -> Option<Change> {
    let way = match comparison {
        Comparison::Bigger
        | Comparison::Smaller
        | Comparison::Taller
        | Comparison::Shorter
        | Comparison::Flatter
        | Comparison::Wider
        | Comparison::Narrower
        | Comparison::Longer
        | Comparison::Deeper => return Some(Change::Grow { comparison, metres }),
        Comparison::Higher => Way::Up,
        Comparison::Lower => Way::Down,
        Comparison::Closer => Way::Front,
        Comparison::Farther => Way::Back,
        _ => return None,
    };
    Some(Change::Shift(Shift { way, metres: Some(metres), degree: None }))
}

/// "twice as big", "half the size", "twice its height", "to 50 %".
fn proportion(reader: &mut Reader<'_>) -> Option<Change> {
    let _ = reader.glue(Glue::To);
    let factor = crate::language::phrases::size::times(reader)?;
    let comparison = if reader.glue(Glue::As) {
        if let Some(tone) = tone(reader) {
            let _ = reader.glue(Glue::As) && reader.glue(Glue::It);
            return (tone == Tone::Bright).then_some(Change::Brightness(factor));
        }
        let word = reader.take(as_size_word);
        let _ = reader.glue(Glue::As) && reader.glue(Glue::It);
        match word? {
            SizeWord::Tall => Comparison::Taller,
            SizeWord::Wide | SizeWord::Thick => Comparison::Wider,
            SizeWord::Long => Comparison::Longer,
            _ => Comparison::Bigger,
        }
    } else if reader.any_glue(&[Glue::This]).is_some() {
        let _ = reader.take(as_measure);
        Comparison::Bigger
    } else if reader.any_glue(&[Glue::The, Glue::Its]).is_some() || !reader.clause_ends() {
        match reader.take(as_measure)? {
            Measure::Height => Comparison::Taller,
            Measure::Width => Comparison::Wider,
            Measure::Depth => Comparison::Deeper,
            Measure::Brightness => Comparison::Brighter,
            _ => Comparison::Bigger,
        }
    } else {
        Comparison::Bigger
    };
    Some(Change::Compare { comparison, degree: None, factor: Some(factor) })
}

/// "away from the table a little", "50 cm away from it".
fn away_from(reader: &mut Reader<'_>) -> Option<Change> {
    let degree = reader.take(as_degree);
    let metres = reader.length();
    let away = reader.peek().is_some_and(|token| ["away", "off"].contains(&token.text.as_str()));
    reader.at += usize::from(away);
    if !away || !reader.glue(Glue::From) {
        return None;
    }
    let target = Target::of(phrase_with(reader, Tail::BARE)?);
    let _ = reader.glue(Glue::By);
    let metres = metres.or_else(|| reader.length());
    let degree = degree.or_else(|| reader.take(as_degree));
    Some(Change::Away { target, metres, degree })
}

/// "30 cm closer to the sofa", "closer to it by 30 cm", "half a metre towards the table".
fn closer_by(reader: &mut Reader<'_>) -> Option<Change> {
    let before = reader.length();
    let near = |token: &Token| {
        ["closer to", "nearer to", "close to", "near to"].contains(&token.text.as_str())
    };
    let closer = reader.peek().is_some_and(near);
    reader.at += usize::from(closer);
    let told = closer || (before.is_some() && reader.glue(Glue::Towards));
    if !told {
        return None;
    }
    let target = Target::of(phrase_with(reader, Tail::BARE)?);
    if target.0.iter().any(|phrase| matches!(phrase.head, Some(Noun::Camera))) {
        return None;
    }
    let by = before.is_none() && reader.glue(Glue::By);
    let metres = before.or_else(|| by.then(|| reader.length()).flatten())?;
    Some(Change::Away { target, metres: Some(-metres), degree: None })
}

/// "the same size", "equally big".
fn alike(reader: &mut Reader<'_>) -> Option<Change> {
    let _ = reader.glue(Glue::To) || reader.glue(Glue::Evenly);
    let same = reader.glue(Glue::Same)
        && reader.take(as_measure) == Some(Measure::Size)
        && !reader.sees_glue(Glue::As);
    same.then_some(Change::SameSize)
}

/// "to x = 3", "to a height of y 2": one coordinate.
pub(in crate::language) fn coordinate(reader: &mut Reader<'_>) -> Option<Change> {
    let _ = reader.any_glue(&[Glue::To, Glue::At]);
    let axis = match reader.any_glue(&[Glue::AxisX, Glue::AxisY, Glue::AxisZ])? {
        Glue::AxisX => glam::DVec3::X,
        Glue::AxisY => glam::DVec3::Y,
        _ => glam::DVec3::Z,
    };
    let _ = reader.any_glue(&[Glue::Is, Glue::To, Glue::Of]);
    reader.length().map(|metres| Change::Coordinate { axis, metres })
}

fn moved(reader: &mut Reader<'_>) -> Option<Change> {
    shift(reader).map(Change::Shift)
}

fn whereabouts(reader: &mut Reader<'_>) -> Option<Change> {
    let _ = reader.sees_glue(Glue::To)
        && reader.look(1, |sense| matches!(sense, Sense::Relation(_)).then_some(())).is_some()
        && reader.glue(Glue::To);
    // "stand on the floor", "float above it".
    let _ = reader.take(|sense| matches!(sense, Sense::Verb(Verb::Put)).then_some(()));
    place(reader).map(Change::Place)
}

/// "radius 2", "2 m tall", "as big as the box", "tiny".
fn size(reader: &mut Reader<'_>) -> Option<Change> {
    let _ = reader.any_glue(&[Glue::To, Glue::With]);
    let mut size = Size::default();
    if size.modifier(reader) || size.adjective(reader) {
        while size.adjective(reader) {}
        // "into a small box" is read as a shape.
        let named = reader.look(0, crate::language::words::reader::as_noun).is_some();
        return (!named).then_some(Change::Size(Box::new(size)));
    }
    None
}

/// "different colours", "each a different colour", "different shades of blue".
fn distinct(reader: &mut Reader<'_>) -> Option<Change> {
    let _ = reader.any_glue(&[Glue::To, Glue::MadeOf, Glue::With]);
    let _ = reader.glue(Glue::All);
    if reader.glue(Glue::Shades) {
        return reader.colour().map(Change::Shades);
    }
    let pastel = reader.peek().is_some_and(|token| token.text == "pastel");
    reader.at += usize::from(pastel);
    reader.glue(Glue::Distinct).then_some(Change::Distinct { pastel })
}

/// "blue", "to blue", "a red colour", "look like gold", "of glass".
fn look(reader: &mut Reader<'_>) -> Option<Change> {
    let looks = reader.glue(Glue::LookLike);
    let before = reader.at;
    // "that colour": the one that was spoken of.
    let what = if reader.glue(Glue::This) { reader.take(as_measure) } else { None };
    let what = match what {
        Some(Measure::Colour) => Some(Exchanged::Colour),
        Some(Measure::Material) => Some(Exchanged::Material),
        _ => None,
    };
    if let Some(what) = what {
        return Some(Change::Like { model: Box::new(Phrase::new(Determiner::It)), what });
    }
    reader.at = before;
    if looks && let Some(model) = known_thing(reader) {
        return Some(Change::Like { model, what: Exchanged::Material });
    }
    reader.at = before;
    let _ = reader.any_glue(&[Glue::To, Glue::Into, Glue::MadeOf, Glue::Of, Glue::With]);
    let article = reader.any_glue(&[Glue::A, Glue::The, Glue::All]);
    let noun = reader.look(0, crate::language::words::reader::as_noun).is_some();
    let last = reader.look(1, as_measure).is_none()
        && reader.look(1, crate::language::words::reader::as_noun).is_none();
    if article == Some(Glue::A) && noun && last {
        // "a marble" is a ball.
        return None;
    }
    if article == Some(Glue::The) || article.is_none() {
        let before = reader.at;
        if let Some(like) = like_another(reader) {
            return Some(like);
        }
        reader.at = before;
    }
    let colour_of = reader.at;
    if reader.take(as_measure) == Some(Measure::Colour) && reader.glue(Glue::Of) {
        return resembled(reader).map(Change::Colour);
    }
    reader.at = colour_of;
    let glows = reader.take(|sense| matches!(sense, Sense::Verb(Verb::Glow)).then_some(()));
    if glows.is_some() {
        return Some(Change::Finish(Finish::Plain(Surface::Glowing)));
    }
    // "green glass", "matte red": both.
    let early = finish(reader);
    let colour = reader.colour();
    let found = match (early.or_else(|| finish(reader)), colour) {
        (Some(finish), Some(colour)) => Change::Look(finish, colour),
        (Some(finish), None) => Change::Finish(finish),
        (None, Some(colour)) => Change::Colour(colour),
        (None, None) => return None,
    };
    let _ = reader.take(|sense| match as_measure(sense) {
        Some(Measure::Colour | Measure::Material) => Some(()),
        _ => None,
    });
    // "to a red box" is another shape.
    let named = reader.look(0, crate::language::words::reader::as_noun).is_some();
    (!named).then_some(found)
}

/// "the colour of the box", "the same colour as the box", "like the box".
fn like_another(reader: &mut Reader<'_>) -> Option<Change> {
    let same = reader.glue(Glue::Same);
    let what = reader.take(|sense| match as_measure(sense)? {
        Measure::Colour => Some(Exchanged::Colour),
        Measure::Material => Some(Exchanged::Material),
        _ => None,
    });
    // "the same colour", and nothing to compare: that of what was spoken of.
    if let Some(what) = what.filter(|_| same && reader.clause_ends()) {
        return Some(Change::Like { model: Box::new(Phrase::new(Determiner::It)), what });
    }
    let joined = match what {
        Some(_) => reader.any_glue(&[Glue::As, Glue::Of, Glue::Like]).is_some(),
        None if same => reader.glue(Glue::As),
        None => reader.glue(Glue::Like),
    };
    let model = if joined { known_thing(reader) } else { None };
    model.map(|model| Change::Like { model, what: what.unwrap_or(Exchanged::Material) })
}

/// A thing that is there.
fn known_thing(reader: &mut Reader<'_>) -> Option<Box<Phrase>> {
    let model = phrase_with(reader, Tail::BARE)?;
    let known = !model.is_new()
        && (model.determiner != Determiner::Bare || matches!(model.head, Some(Noun::Named(_))));
    known.then(|| Box::new(model))
}

/// After "the colour of": gold, a sky blue, grass.
pub(crate) fn resembled(reader: &mut Reader<'_>) -> Option<Colour> {
    let _ = reader.any_glue(&[Glue::A, Glue::The]);
    if let Some(colour) = reader.colour() {
        return Some(colour);
    }
    // "a ripe lemon": a word before what has the colour.
    let known = (0..2).find_map(|described| {
        let name = reader.ahead(described)?.text.clone();
        let body = catalogue().find(&name).and_then(Object::body_material)?;
        let rgb = Material::from(&body).colour()?;
        Some((described, Colour { name, rgb }))
    });
    if let Some((described, colour)) = known {
        reader.at += described + 1;
        return Some(colour);
    }
    let token = reader.peek()?;
    let name = token.text.clone();
    let finish = finish(reader)?;
    let rgb = Material::made_of(finish, None).colour()?;
    Some(Colour { name, rgb })
}

fn rename(reader: &mut Reader<'_>) -> Option<Change> {
    reader.glue(Glue::Called).then(|| new_name(reader)).flatten().map(Change::Rename)
}

/// "into a box", "a red box".
fn become_shape(reader: &mut Reader<'_>) -> Option<Change> {
    let _ = reader.any_glue(&[Glue::To, Glue::Into, Glue::With, Glue::By]);
    let _ = reader.glue(Glue::LookLike);
    let phrase = phrase_with(reader, Tail { places: false, with: false, look: true })?;
    phrase.is_new().then_some(Change::Become(Box::new(phrase)))
}

/// "warm", "soft", "dim": how a light is to be.
fn character(reader: &mut Reader<'_>) -> Option<Change> {
    let comparison = match tone(reader)? {
        Tone::Soft => Comparison::Softer,
        Tone::Hard => return None,
        Tone::Warm => Comparison::Warmer,
        Tone::Cool => Comparison::Cooler,
        Tone::Bright => Comparison::Brighter,
        Tone::Dim => Comparison::Darker,
    };
    Some(Change::Compare { comparison, degree: None, factor: None })
}

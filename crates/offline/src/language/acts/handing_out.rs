//! A look for each of several: ": red, green and blue", "two red ones and a green one", "red at the bottom,
//! then white", "one matte white and one like a mirror".

use glam::DVec3;

use crate::colour::{Colour, palette};
use crate::language::phrases::noun_phrase::MOST_DISTINCT;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::words::reader::{Reader, as_noun};
use crate::language::words::vocabulary::{
    Comparison, Glue, Measure, Noun, Rank, Relation, Sense, Way,
};

/// ": red, green and blue", ", one red and one blue", "in different colours": a colour for each of
/// several.
pub(in crate::language) fn handed_out(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let several = phrase.count.is_some_and(|count| count > 1);
    let many = phrase.plural || phrase.pattern.is_some() || several;
    if !phrase.is_new() || !many {
        return false;
    }
    if told_one_by_one(reader, phrase) {
        return true;
    }
    let start = reader.at;
    if reader.peek().is_some_and(|token| token.text == ":") {
        reader.skip();
    } else if !reader.take_joint() {
        let _ = reader.any_glue(&[Glue::MadeOf, Glue::With, Glue::Of, Glue::In]);
        // "in four different colours".
        let number = reader.at;
        if reader.number().is_none() || !tells_apart(reader) {
            reader.at = number;
        }
    }
    skip_each(reader);
    let count = phrase.count.unwrap_or(MOST_DISTINCT);
    let colours = match () {
        () if reader.glue(Glue::Distinct) => palette(count).collect(),
        () if reader.glue(Glue::Shades) => {
            reader.colour().map(|colour| colour.shades(count).collect()).unwrap_or_default()
        }
        () => colour_list(reader),
    };
    if colours.len() < 2 || reader.look(0, as_noun).is_some() {
        reader.at = start;
        return false;
    }
    phrase.colours = colours;
    true
}

/// "each one", "all of them" and "in", "has" behind it: before what is told of every one.
fn skip_each(reader: &mut Reader<'_>) {
    const EACH: [&str; 6] = ["each", "each one", "each of them", "every one", "all", "all of them"];
    let start = reader.at;
    if reader.peek().is_some_and(|token| EACH.contains(&token.text.as_str())) {
        reader.skip();
        let one = reader.peek().is_some_and(|token| token.text.starts_with("one"));
        reader.at += usize::from(one);
        let _ = reader.any_glue(&[Glue::In, Glue::MadeOf, Glue::With, Glue::Of]);
        if !tells_apart(reader) {
            reader.at = start;
        }
    }
}

/// Whether "different colours" or "different shades of" comes next.
fn tells_apart(reader: &Reader<'_>) -> bool {
    reader.sees_glue(Glue::Distinct) || reader.sees_glue(Glue::Shades)
}

/// The most things that are told one by one.
const MOST_TOLD: usize = 12;

/// ", one matte white and one like a mirror", "the first red, the second of glass": as many as there are,
/// or the first few of them.
fn told_one_by_one(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    let Some(count) = phrase.count.filter(|count| (2..=MOST_TOLD).contains(count)) else {
        return false;
    };
    let mut members: Vec<Phrase> = Vec::new();
    let mut pointed = 0;
    while members.len() < count {
        let before = reader.at;
        let joined = if reader.peek().is_some_and(|token| token.text == ":") {
            reader.skip();
            true
        } else {
            reader.take_joint()
        };
        let pointer = points_at(reader);
        let mut own = Phrase::new(Determiner::A);
        // "3 m high" right behind them is said of all.
        if !joined && pointer.is_none() || !describe(reader, &mut own) {
            reader.at = before;
            break;
        }
        pointed += usize::from(pointer.is_some());
        let several = pointer.unwrap_or(1).min(count - members.len());
        members.extend(std::iter::repeat_n(own, several));
    }
    let whole = members.len() == count || (pointed > 0 && pointed == members.len());
    let colours: Vec<Colour> =
        members.iter().filter_map(|own| own.colours.first().cloned()).collect();
    let plain = |own: &Phrase| own.finish.is_none() && own.size.is_unsaid();
    if !whole || members.is_empty() || reader.look(0, as_noun).is_some() {
        reader.at = start;
        return false;
    }
    if colours.len() == count && members.iter().all(plain) {
        phrase.colours = colours;
    } else {
        members.resize(count, Phrase::new(Determiner::A));
        phrase.members = members;
    }
    true
}

/// "one", "the second", "the other one", "two": how many of them are told of.
fn points_at(reader: &mut Reader<'_>) -> Option<usize> {
    let start = reader.at;
    let rank = |sense: &Sense| match sense {
        Sense::Rank(
            Rank::First | Rank::Second | Rank::Third | Rank::Fourth | Rank::Last | Rank::Other,
        ) => Some(()),
        _ => None,
    };
    let one_word = |reader: &mut Reader<'_>| {
        let one = reader.peek().is_some_and(|token| token.text.starts_with("one"));
        reader.at += usize::from(one);
    };
    let found = if let Some(number) = reader.number() {
        // "1 m" measures.
        let measured = reader.look(0, crate::language::words::reader::as_unit).is_some();
        (!measured && number.fract() == 0.0 && number >= 1.0).then(|| number.min(100.0) as usize)
    } else if reader.peek().is_some_and(|token| token.text == "one other") {
        reader.skip();
        Some(1)
    } else if reader.glue(Glue::Another) {
        Some(1)
    } else {
        let the = reader.glue(Glue::The);
        let ranked = reader.take(rank).is_some();
        if the && !ranked {
            None
        } else if ranked {
            one_word(reader);
            Some(1)
        } else {
            reader.glue(Glue::A).then_some(1)
        }
    };
    if found.is_none() {
        reader.at = start;
        return None;
    }
    let them = reader.at;
    if !(reader.glue(Glue::Of) && reader.glue(Glue::Them)) {
        reader.at = them;
    }
    let _ = reader.any_glue(&[Glue::Is, Glue::Should, Glue::With, Glue::MadeOf, Glue::In]);
    let _ = reader.glue(Glue::Is);
    found
}

/// "matte white", "like a mirror", "small": how one of several is.
fn describe(reader: &mut Reader<'_>, own: &mut Phrase) -> bool {
    let start = reader.at;
    loop {
        reader.skip_fillers();
        let _ = reader.any_glue(&[Glue::MadeOf, Glue::Of, Glue::In]);
        if let Some(finish) = crate::language::phrases::noun_phrase::finish(reader) {
            own.finish = Some(finish);
        } else if let Some(colour) = reader.colour() {
            own.colours.push(colour);
        } else if reader.peek().is_some_and(|token| ["middle", "mid"].contains(&&*token.text)) {
            reader.skip();
            own.size.words.push("medium".to_owned());
        } else if let Some(factor) = against_the_other(reader) {
            own.size.factors *= factor;
            own.size.words.push("other".to_owned());
        } else if !own.size.adjective(reader) {
            break;
        }
    }
    let _ = reader.take(|sense| (*sense == Sense::Noun(Noun::Thing)).then_some(()));
    let told = own.has_adjective();
    // "two chairs, a red table": a thing of its own.
    let next = |reader: &Reader<'_>| {
        let mut ahead = reader.clone();
        ahead.take_joint() || points_at(&mut ahead).is_some()
    };
    let complete = told && (reader.clause_ends() || next(reader));
    if !complete {
        reader.at = start;
    }
    complete
}

/// "twice as big as the other", "half the size of the other one", "bigger than the other": the factor.
fn against_the_other(reader: &mut Reader<'_>) -> Option<DVec3> {
    let start = reader.at;
    let factor = crate::language::phrases::size::times(reader);
    let of_size = |reader: &mut Reader<'_>| {
        let tall = reader.peek().is_some_and(|token| ["tall", "high"].contains(&&*token.text));
        reader.take(crate::language::phrases::size::as_size_word).map(|_| tall)
    };
    let compared = |comparison| match comparison {
        Comparison::Bigger => Some(DVec3::splat(1.5)),
        Comparison::Smaller => Some(DVec3::splat(0.6)),
        Comparison::Taller => Some(DVec3::new(1.0, 1.5, 1.0)),
        Comparison::Shorter => Some(DVec3::new(1.0, 0.6, 1.0)),
        _ => None,
    };
    let found = if reader.glue(Glue::As) {
        let tall = of_size(reader);
        let scaled = factor.filter(|_| reader.glue(Glue::As)).zip(tall);
        scaled.map(|(by, tall)| if tall { DVec3::new(1.0, by, 1.0) } else { DVec3::splat(by) })
    } else if factor.is_some() && reader.glue(Glue::The) {
        let size = reader.take(crate::language::phrases::size::as_measure);
        let sized = size == Some(Measure::Size) && reader.glue(Glue::Of);
        factor.filter(|_| sized).map(DVec3::splat)
    } else {
        let _ = reader.take(crate::language::places::place::as_degree);
        let step = reader.take(crate::language::acts::changes::as_comparison).and_then(compared);
        step.filter(|_| reader.glue(Glue::Than))
    };
    let _ = reader.glue(Glue::The);
    let other = |sense: &Sense| {
        matches!(
            sense,
            Sense::Rank(Rank::Other | Rank::Others) | Sense::Glue(Glue::Rest | Glue::Another)
        )
        .then_some(())
    };
    let whole = found.filter(|_| reader.take(other).is_some());
    if whole.is_none() {
        reader.at = start;
        return None;
    }
    let one = reader.peek().is_some_and(|token| token.text.starts_with("one"));
    reader.at += usize::from(one);
    whole
}

pub(in crate::language) fn colour_list(reader: &mut Reader<'_>) -> Vec<Colour> {
    let mut colours = Vec::new();
    let mut from_above = false;
    loop {
        let start = reader.at;
        let _ = reader.take_joint();
        // "two red ones and a green one".
        let number = if reader.glue(Glue::A) { None } else { reader.number() };
        let several = number.filter(|number| number.fract() == 0.0 && *number <= 100.0);
        let _ = reader.glue(Glue::The);
        let Some(colour) = reader.colour() else {
            reader.at = start;
            break;
        };
        for _ in 0..several.unwrap_or(1.0) as usize {
            colours.push(colour.clone());
        }
        let _ = reader.take(|sense| (*sense == Sense::Noun(Noun::Thing)).then_some(()));
        // "red at the bottom, then white": stacked from there.
        match at_level(reader) {
            Some(Way::Up) if colours.len() == 1 => from_above = true,
            _ => {}
        }
    }
    if from_above {
        colours.reverse();
    }
    colours
}

/// "at the bottom", "on top", "in the middle": where one of several is.
pub(in crate::language) fn at_level(reader: &mut Reader<'_>) -> Option<Way> {
    let start = reader.at;
    if reader.glue(Glue::Origin) || reader.take(crate::language::places::place::as_way).is_some() {
        return Some(Way::Front);
    }
    let on = |sense: &Sense| {
        matches!(sense, Sense::Relation(Relation::On) | Sense::Side(Relation::On)).then_some(())
    };
    let told = reader.glue(Glue::At) || reader.take(on).is_some();
    let _ = reader.glue(Glue::The);
    let level = reader.take(|sense| match sense {
        Sense::Rank(Rank::Lowest) => Some(Way::Down),
        Sense::Rank(Rank::Highest) => Some(Way::Up),
        Sense::Rank(_) => Some(Way::Front),
        _ => None,
    });
    if level.is_none() {
        let top = reader.since(start).iter().any(|token| token.text == "on top");
        if told && top {
            return Some(Way::Up);
        }
        reader.at = start;
    }
    level
}

/// "two seashells", "a rose": an object that a colour is called after, where no other noun follows.
pub(in crate::language) fn names_object_here(reader: &Reader<'_>, phrase: &Phrase) -> bool {
    let object = |sense: &Sense| matches!(sense, Sense::Noun(Noun::Assembly(_))).then_some(());
    let plural = reader.peek().is_some_and(|token| token.plural);
    let told = phrase.determiner == Determiner::A || phrase.count.is_some();
    reader.look(0, object).is_some()
        && (plural || (told && reader.look(1, as_noun).is_none() && reader.colour_length() == 1))
}

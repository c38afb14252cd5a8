//! Reads noun phrases up to their head: determiner, counts, patterns, adjectives, noun.

use glam::DVec3;

use crate::colour::palette;
use crate::language::acts::changes::as_comparison;
use crate::language::acts::handing_out::names_object_here;
use crate::language::acts::intent::Target;
use crate::language::phrases::counting::count;
use crate::language::phrases::owner::{part_of, side_of};
use crate::language::phrases::pattern::pattern_of;
use crate::language::phrases::phrase::{Determiner, Phrase, Share};
use crate::language::phrases::portion;
use crate::language::phrases::tail::{Tail, after_head};
use crate::language::places::place::{as_degree, place};
use crate::language::words::lexicon::singular;
use crate::language::words::reader::{Reader, as_noun};
use crate::language::words::vocabulary::{
    Assembly, Comparison, Degree, Finish, Glue, LightKind, Noun, Pattern, Sense, ShapeKind,
    Surface, Tone,
};

/// How many colours "in different colours" hands out when no number was said.
pub(crate) const MOST_DISTINCT: usize = 6;

/// Reads a noun phrase with only what stands before the head.
pub(crate) fn phrase(reader: &mut Reader<'_>) -> Option<Phrase> {
    phrase_with(reader, Tail::BARE)
}

/// Reads phrases joined by commas and "and" as one target.
pub(crate) fn target(reader: &mut Reader<'_>, tail: Tail) -> Option<Target> {
    let mut phrases = vec![phrase_with(reader, tail)?];
    while !reader.clause_ends() {
        let start = reader.at;
        let joined = reader.take_joint();
        match joined.then(|| phrase_with(reader, tail)).flatten() {
            Some(next) if is_reference(&next) => phrases.push(next),
            _ => {
                reader.at = start;
                break;
            }
        }
    }
    Some(Target(phrases))
}

/// A colour alone ("make the sphere red and blue") joins no target.
fn is_reference(phrase: &Phrase) -> bool {
    phrase.head.is_some() || !matches!(phrase.determiner, Determiner::Bare | Determiner::A)
}

/// Reads a noun phrase; nothing is taken when there is none.
pub(crate) fn phrase_with(reader: &mut Reader<'_>, tail: Tail) -> Option<Phrase> {
    let start = reader.at;
    reader.skip_fillers();
    let its = reader.sees_glue(Glue::Its);
    let mut phrase = Phrase::new(Determiner::Bare);
    phrase.determiner = determiner(reader, &mut phrase);
    let first_word = reader.at;
    if !matches!(phrase.determiner, Determiner::It | Determiner::Everything | Determiner::Rest) {
        let start = reader.at;
        before_head(reader, &mut phrase);
        head(reader, &mut phrase);
        if matches!(phrase.determiner, Determiner::Them | Determiner::This) {
            if phrase.head.is_none() && phrase.is_portion() {
                // "two of them": told by the number alone.
            } else if phrase.head.is_none() {
                // "make them gold": gold is what they become.
                let Phrase { plural, together, .. } = phrase;
                phrase = Phrase { plural, together, ..Phrase::new(phrase.determiner) };
                reader.at = start;
            } else if phrase.determiner == Determiner::Them {
                // "those boxes" are the boxes.
                phrase.determiner = Determiner::All;
            }
        }
    }
    if !phrase.says_something() {
        reader.at = start;
        return None;
    }
    phrase.words = reader
        .since(first_word)
        .iter()
        .filter(|token| !token.senses.contains(&Sense::Comma))
        .map(|token| token.text.clone())
        .collect();
    if its && phrase.head.is_some() {
        phrase.owner = Some(Box::new(Phrase::new(Determiner::It)));
    }
    let part = side_of(reader, &phrase).or_else(|| part_of(reader, &phrase));
    if let Some(part) = part {
        phrase = part;
    }
    portion::one_of_several(reader, &mut phrase);
    after_head(reader, &mut phrase, tail);
    Some(phrase)
}

fn determiner(reader: &mut Reader<'_>, phrase: &mut Phrase) -> Determiner {
    // "a mirror ball": listed as what something looks like.
    if reader.peek().is_some_and(|token| token.text == "a mirror")
        && reader.look(1, as_noun).is_some()
    {
        phrase.finish = finish(reader);
        return Determiner::A;
    }
    let glues = [
        (Glue::Everything, Determiner::Everything),
        (Glue::Rest, Determiner::Rest),
        (Glue::It, Determiner::It),
        (Glue::Them, Determiner::Them),
        (Glue::This, Determiner::This),
        (Glue::All, Determiner::All),
        (Glue::The, Determiner::The),
        (Glue::Another, Determiner::Another),
        (Glue::A, Determiner::A),
        (Glue::Its, Determiner::The),
    ];
    let found = glues.into_iter().find(|(glue, _)| {
        // "a third chair" is one more; "a third of its size" is a share.
        let share = |sense: &Sense| matches!(sense, Sense::Factor(_)).then_some(());
        let shares = reader.look(0, share).is_some() && reader.look(1, as_noun).is_none();
        !shares && reader.glue(*glue)
    });
    let found = found.map(|(_, found)| found);
    // "all of them", "them all", "both": more than the one spoken of last.
    if found == Some(Determiner::Them)
        && reader.previous().is_some_and(|word| {
            word.starts_with("all") || word.ends_with(" all") || word.contains("both")
        })
    {
        phrase.plural = true;
    }
    if matches!(found, Some(Determiner::Them | Determiner::All)) {
        phrase.together = reader.previous().and_then(spoken_of_together);
    }
    phrase.whole = found == Some(Determiner::It)
        && reader.previous().is_some_and(|word| ["him", "her", "he", "she"].contains(&word));
    // "on each of those": every one by itself.
    if found == Some(Determiner::Them)
        && reader.previous().is_some_and(|word| word.starts_with("each of"))
    {
        phrase.share = Some(Share::Every(1));
    }
    // "a second, bigger ball".
    if found == Some(Determiner::Another) && reader.sees(0, &Sense::Comma) {
        let mut probe = reader.clone();
        probe.skip();
        before_head(&mut probe, &mut Phrase::new(Determiner::Another));
        reader.at += usize::from(probe.look(0, as_noun).is_some());
    }
    if let Some(determiner) = found {
        // "all of the boxes", "all the boxes".
        if matches!(determiner, Determiner::All) {
            let _ = reader.glue(Glue::Of);
            let _ = reader.glue(Glue::The);
        }
        return determiner;
    }
    Determiner::Bare
}

/// How many "both", "those two", "all three" are.
fn spoken_of_together(pronoun: &str) -> Option<usize> {
    const NUMBERS: [(&str, usize); 4] = [("both", 2), ("two", 2), ("three", 3), ("four", 4)];
    let said = |word: &str| pronoun.split(' ').any(|part| part == word);
    NUMBERS.into_iter().find(|(word, _)| said(word)).map(|(_, count)| count)
}

/// Counts, patterns and adjectives.
pub(in crate::language) fn before_head(reader: &mut Reader<'_>, phrase: &mut Phrase) {
    loop {
        if phrase.determiner == Determiner::Them && phrase.is_portion() {
            // "half of them blue".
            return;
        }
        reader.skip_fillers();
        // "a small round pond".
        let round = reader.peek().is_some_and(|token| token.text == "round");
        reader.at += usize::from(round && reader.look(1, as_noun).is_some());
        if let Some(goes_on) = pattern_of(reader, phrase) {
            // "stack five boxes".
            if goes_on || phrase.determiner == Determiner::Bare {
                continue;
            }
            // "the tower": the pattern is the noun.
            return;
        }
        if portion::share(reader, phrase) || count(reader, phrase) || adjective(reader, phrase) {
            continue;
        }
        let start = reader.at;
        // "a big, red sphere", "red and blue spheres": only before another adjective and a head.
        if reader.take_joint() && phrase.has_adjective() && adjective(reader, phrase) {
            let mut probe = reader.clone();
            let mut rest = phrase.clone();
            before_head(&mut probe, &mut rest);
            if probe.look(0, as_noun).is_some() {
                continue;
            }
        }
        reader.at = start;
        return;
    }
}

pub(crate) fn adjective(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    // "a marble" is a ball, "a marble floor" is of marble.
    let alone = reader.look(0, as_noun).is_some() && reader.look(1, as_noun).is_none();
    if !alone && let Some(finish) = finish(reader) {
        let matte = phrase.finish == Some(Finish::Plain(Surface::Matte));
        phrase.finish = Some(match finish {
            // "a rough iron cube".
            Finish::Plain(Surface::Metal) if matte => Finish::Plain(Surface::Brushed),
            finish => finish,
        });
        return true;
    }
    if reader.glue(Glue::Distinct) {
        phrase.colours = palette(phrase.count.unwrap_or(MOST_DISTINCT)).collect();
        return true;
    }
    let start = reader.at;
    if names_object_here(reader, phrase) {
        return false;
    }
    if let Some(colour) = reader.colour() {
        let light = colour.name.starts_with("light ");
        if light && phrase.determiner != Determiner::A && reader.look(0, as_noun).is_none() {
            // "make the light blue": the light is meant.
            reader.at = start;
            return false;
        }
        phrase.colours.push(colour);
        return true;
    }
    if phrase.size.adjective(reader) || compared(reader, phrase) {
        return true;
    }
    // "20 random spheres".
    let random = reader.peek().is_some_and(|token| token.text == "random");
    if random && phrase.count.is_some() && phrase.pattern.is_none() {
        reader.skip();
        phrase.pattern = Some(Pattern::Scatter);
        return true;
    }
    // "five stacked tyres".
    let stacked = reader.peek().is_some_and(|token| token.text == "stacked");
    let several = phrase.count.is_some() || phrase.pattern == Some(Pattern::Stack);
    if stacked && several && phrase.pattern.is_none_or(|pattern| pattern == Pattern::Stack) {
        reader.skip();
        phrase.pattern = Some(Pattern::Stack);
        return true;
    }
    if let Some(tone) = tone(reader) {
        phrase.tones.push(tone);
        return true;
    }
    portion::rank(reader, phrase)
}

/// "a slightly bigger one": of something new, against the usual or the one before.
fn compared(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let new = matches!(phrase.determiner, Determiner::A | Determiner::Another)
        || (phrase.determiner == Determiner::Bare && phrase.count.is_some());
    if !new {
        return false;
    }
    let start = reader.at;
    let step = match reader.take(as_degree) {
        Some(Degree::Slight) => 1.2,
        Some(Degree::Strong) => 2.0,
        None => 1.5,
    };
    let factors = match reader.take(as_comparison) {
        Some(Comparison::Bigger) => DVec3::splat(step),
        Some(Comparison::Smaller) => DVec3::splat(1.0 / step),
        Some(Comparison::Taller) => DVec3::new(1.0, step, 1.0),
        Some(Comparison::Shorter | Comparison::Flatter) => DVec3::new(1.0, 1.0 / step, 1.0),
        Some(Comparison::Wider) => DVec3::new(step, 1.0, step),
        Some(Comparison::Narrower) => DVec3::new(1.0 / step, 1.0, 1.0 / step),
        _ => {
            reader.at = start;
            return false;
        }
    };
    phrase.size.factors *= factors;
    true
}

pub(crate) fn finish(reader: &mut Reader<'_>) -> Option<Finish> {
    reader.take(|sense| match sense {
        Sense::Finish(finish) => Some(*finish),
        _ => None,
    })
}

pub(crate) fn tone(reader: &mut Reader<'_>) -> Option<Tone> {
    reader.take(|sense| match sense {
        Sense::Tone(tone) => Some(*tone),
        _ => None,
    })
}

/// Whether "some" stands before what was read since `start`.
fn some_of(reader: &Reader<'_>, start: usize) -> bool {
    const MOST_ADJECTIVES: usize = 3;
    let first = start.saturating_sub(MOST_ADJECTIVES + 1);
    reader.only_from(first, reader.at).iter().any(|token| token.text == "some")
}

pub(in crate::language) fn head(reader: &mut Reader<'_>, phrase: &mut Phrase) {
    let start = reader.at;
    let mut noun = None;
    if phrase.determiner == Determiner::Another && !continues(reader) {
        // "one more", "another", "two more on top".
        phrase.head = Some(Noun::Thing);
        return;
    }
    while let Some(next) = reader.look(0, as_noun) {
        // "the walls light yellow": what they are to become; "the table one metre": how far.
        let measured = reader.look(1, crate::language::words::reader::as_unit).is_some()
            && reader.look(0, |s| matches!(s, Sense::Number(_)).then_some(())).is_some();
        if noun.is_some() && (reader.colour_length() > 1 || measured) {
            break;
        }
        // "make the sphere marble": marble is what it is to be made of.
        let known = matches!(phrase.determiner, Determiner::The | Determiner::All);
        let finish = reader.look(0, |s| matches!(s, Sense::Finish(_)).then_some(())).is_some();
        if noun.is_some() && known && finish {
            let mut after = reader.clone();
            after.skip();
            if after.clause_ends() {
                break;
            }
        }
        // "plane" after a shape and the like: the last noun of a compound is the head.
        let plural = reader.peek().is_some_and(|token| token.plural);
        // "a cube one metre behind it": a measure.
        if next == Noun::Thing && reader.look(1, crate::language::words::reader::as_unit).is_some()
        {
            break;
        }
        noun = Some(match (noun, next) {
            (Some(Noun::Shape(shape)), Noun::Light(_)) => Noun::Light(light_of(shape)),
            (Some(Noun::Named(first)), Noun::Thing) => Noun::Named(first),
            (Some(Noun::Shape(first)), Noun::Thing) => Noun::Shape(first),
            (Some(Noun::Assembly(first)), Noun::Named(part)) => Noun::Named(joined(first, &part)),
            // "a picture on the wall" hangs there; "the picture" is what the camera sees.
            (_, Noun::Scene) if phrase.determiner == Determiner::A && is_picture(reader) => {
                Noun::Assembly(Assembly("picture frame"))
            }
            (_, next) => next,
        });
        phrase.plural |= plural;
        reader.skip();
        if reader.glue(Glue::Possessive) {
            reader.at -= 1;
            break;
        }
    }
    // "put one next to the sofa", "one behind": the number stands for another of the kind.
    if noun.is_none()
        && phrase.determiner == Determiner::Bare
        && phrase.count == Some(1)
        && reader.previous() == Some("one")
        && place(&mut reader.clone()).is_some()
    {
        noun = Some(Noun::Thing);
    }
    noun = noun.or_else(|| unknown_noun(reader, phrase));
    // "a rainbow of seven balls": as many colours as there are things.
    if phrase.colours.len() == MOST_DISTINCT
        && phrase.count.is_some_and(|count| count > MOST_DISTINCT)
    {
        let all: Vec<_> = palette(MOST_DISTINCT).collect();
        if phrase.colours == all {
            phrase.colours = palette(phrase.count.unwrap_or(MOST_DISTINCT)).collect();
        }
    }
    // "three ones": the number may stand for the noun, as in "the two".
    // "some light", "some grass": no number of them.
    let mass = phrase.count == Some(3) && !phrase.plural && some_of(reader, start);
    if mass {
        phrase.count = None;
    }
    phrase.head = noun;
    phrase.plural |= phrase.count.is_some_and(|count| count != 1);
}

/// "a zorblax", "two quuxes": what has an article or a number, stands where a noun stands and has no
/// meaning is a thing this model does not know.
fn unknown_noun(reader: &mut Reader<'_>, phrase: &mut Phrase) -> Option<Noun> {
    let counted = phrase.determiner == Determiner::A || phrase.count.is_some_and(|count| count > 0);
    let token = reader.peek().filter(|token| token.senses.is_empty())?;
    let word = token.text.chars().all(char::is_alphabetic) && token.text.chars().count() > 2;
    let last = reader.ahead(1).is_none_or(|next| {
        next.senses.iter().any(|sense| match sense {
            Sense::Glue(glue) => {
                matches!(glue, Glue::And | Glue::With | Glue::In | Glue::At | Glue::Without)
            }
            Sense::Comma | Sense::Stop | Sense::Relation(_) | Sense::Side(_) | Sense::Way(_) => {
                true
            }
            Sense::Filler => true,
            _ => false,
        })
    });
    if !counted || !word || !last || phrase.pattern.is_some() {
        return None;
    }
    reader.skip();
    Some(Noun::Later(singular(&token.text)))
}

/// Whether a noun follows.
fn continues(reader: &Reader<'_>) -> bool {
    reader.look(0, as_noun).is_some()
}

fn is_picture(reader: &Reader<'_>) -> bool {
    reader.peek().is_some_and(|token| token.text == "picture" || token.text == "pictures")
}

fn joined(assembly: Assembly, part: &str) -> String {
    format!("{} {part}", assembly.0)
}

fn light_of(shape: ShapeKind) -> LightKind {
    match shape {
        ShapeKind::Sphere => LightKind::Sphere,
        ShapeKind::Disc => LightKind::Disc,
        ShapeKind::Box | ShapeKind::Quad => LightKind::Quad,
        _ => LightKind::Any,
    }
}

/// The words of a phrase as they would stand in an id: singular, without articles.
pub(crate) fn id_like(words: &[String]) -> Vec<String> {
    words.iter().flat_map(|word| word.split(' ')).map(singular).collect()
}

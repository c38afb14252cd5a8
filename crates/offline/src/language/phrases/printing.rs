//! Patterns on surfaces, as people say them: "with red and white stripes", "in black and white checks".

use crate::colour::Colour;
use crate::language::phrases::phrase::Phrase;
use crate::language::phrases::tail::look;
use crate::language::words::lexicon::Token;
use crate::language::words::reader::{Reader, as_noun};
use crate::language::words::vocabulary::{Finish, Glue, Print, Sense};

/// "and white" behind "in black", of a pattern.
pub(in crate::language) fn other_colour(
    reader: &mut Reader<'_>,
    phrase: &Phrase,
) -> Option<Colour> {
    let start = reader.at;
    let patterned = matches!(phrase.finish, Some(Finish::Print(_))) && phrase.colours.len() == 1;
    let other = if patterned && reader.take_joint() { reader.colour() } else { None };
    if other.is_none() {
        reader.at = start;
    }
    other
}

/// "a checker pattern", "red and white stripes", "black and white tiles" behind "with" and "in".
pub(in crate::language) fn printed(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    let _ = reader.any_glue(&[Glue::A, Glue::The]);
    let mut colours: Vec<Colour> = Vec::new();
    loop {
        let before = reader.at;
        let joined = colours.is_empty() || reader.take_joint();
        match reader.colour().filter(|_| joined) {
            Some(colour) if colours.len() < 2 => colours.push(colour),
            _ => {
                reader.at = before;
                break;
            }
        }
    }
    // "black and white tiles": white tiles are a material as well.
    let start_of_name = reader.at;
    let tiles = reader.take_joint().then(|| reader.peek()).flatten();
    let second = tiles.and_then(|token| token.text.strip_suffix(" tiles")).and_then(Colour::named);
    if let Some(second) = second.filter(|_| colours.len() == 1 && phrase.is_new()) {
        reader.skip();
        phrase.colours = vec![colours.remove(0), second];
        phrase.finish = Some(Finish::Print(Print::Checker));
        return true;
    }
    reader.at = start_of_name;
    let _ = reader.take(crate::language::phrases::size::as_size_word);
    let print = |sense: &Sense| match sense {
        Sense::Finish(Finish::Print(print)) => Some(*print),
        _ => None,
    };
    let named = reader.take(print).or_else(|| {
        let print = match reader.peek()?.text.as_str() {
            "stripes" | "stripe" | "bands" => Print::Stripes,
            "checks" | "squares" | "checkerboard pattern" => Print::Checker,
            "tiles" if colours.len() == 2 => Print::Checker,
            _ => return None,
        };
        reader.skip();
        Some(print)
    });
    let Some(print) = named else {
        reader.at = start;
        return false;
    };
    let pattern = |token: &Token| ["pattern", "print", "design", "look"].contains(&&*token.text);
    let said = reader.peek().is_some_and(pattern);
    reader.at += usize::from(said);
    if reader.look(0, as_noun).is_some() || !phrase.is_new() {
        reader.at = start;
        return false;
    }
    // "a white ball with red stripes".
    let own = std::mem::take(&mut phrase.colours);
    phrase.colours = own.into_iter().chain(colours).collect();
    phrase.finish = Some(Finish::Print(print));
    let within = reader.at;
    if !(reader.glue(Glue::In) && look(reader, phrase)) {
        reader.at = within;
    }
    true
}

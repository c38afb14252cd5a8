//! What new things are called and made of.

use glam::DVec3;

use crate::language::{Finish, Phrase, ShapeKind, id_like};
use crate::plan::as_id;
use crate::resolve::shape_name;
use crate::world::Material;

/// The material a phrase asks for.
pub(crate) fn material_of(phrase: &Phrase, colour: Option<DVec3>) -> Material {
    match (phrase.finish, colour) {
        (Some(Finish::Print(print)), _) => {
            let mut colours = phrase.colours.iter().map(|colour| colour.rgb);
            Material::printed(print, colours.next(), colours.next())
        }
        (Some(finish), colour) => Material::made_of(finish, colour),
        (None, Some(colour)) => Material::Matte(colour),
        (None, None) => Material::Matte(DVec3::splat(0.5)),
    }
}

/// The id a new thing asks for: its name, or what it looks like; numbered where several are made.
pub(crate) fn base_name(phrase: &Phrase, noun: &str, index: usize) -> String {
    let colour = phrase.colours.get(index % phrase.colours.len().max(1));
    let look = match (phrase.finish, colour) {
        (Some(finish @ Finish::Print(_)), _) | (Some(finish), None) => Some(finish_word(finish)),
        (Some(finish), Some(colour)) if is_clear(finish) => {
            Some(format!("{}_{}", as_id(&colour.name), finish_word(finish)))
        }
        (_, Some(colour)) => Some(as_id(&colour.name)),
        (None, None) => None,
    };
    let base = match (&phrase.name, look) {
        (Some(name), _) => as_id(name),
        (None, Some(look)) => format!("{look}_{noun}"),
        (None, None) => noun.to_owned(),
    };
    let many =
        phrase.count.is_some_and(|count| count > 1) || phrase.plural || phrase.pattern.is_some();
    let numbered = many && phrase.colours.len() < 2;
    if numbered { format!("{base}_{}", index + 1) } else { base }
}

/// What a shape is called in its id: the person's own word where that says more than the shape.
pub(crate) fn said_noun(kind: ShapeKind, phrase: &Phrase) -> &'static str {
    const SAID: [&str; 13] = [
        "ring", "column", "pillar", "pole", "post", "tube", "rod", "brick", "crate", "bead",
        "globe", "hoop", "pill",
    ];
    let last = id_like(&phrase.words).pop().unwrap_or_default();
    SAID.into_iter().find(|word| *word == last).unwrap_or(shape_name(kind))
}

/// Whether it is see-through.
pub(crate) fn is_clear(finish: Finish) -> bool {
    Material::made_of(finish, None).is_clear()
}

fn finish_word(finish: Finish) -> String {
    match finish {
        Finish::Preset(name) => name.to_owned(),
        Finish::Print(print) => print.word().to_owned(),
        Finish::Plain(surface) => format!("{surface:?}").to_lowercase(),
    }
}

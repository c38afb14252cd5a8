//! What is meant by a word where it stands: a lamp on a table is one that stands there.

use crate::language::{Assembly, LightKind, Noun, Phrase, Place, Relation, ShapeKind, Size};

/// "a lamp on the table" is one that stands there; "a lamp above it" is a light.
pub(super) fn lamp_upon(phrase: &Phrase) -> Option<Phrase> {
    let lamp = phrase.words.last().is_some_and(|word| word == "lamp" || word == "lamps");
    let upon = |place: &Place| match place {
        Place::Relative { relation: Relation::On, target, .. } => {
            target.0.iter().all(|phrase| !matches!(phrase.head, Some(Noun::Floor | Noun::Wall)))
        }
        _ => false,
    };
    if phrase.head != Some(Noun::Light(LightKind::Any)) || !lamp || !phrase.places.iter().any(upon)
    {
        return None;
    }
    let object = crate::catalogue::catalogue().find("table lamp")?;
    Some(Phrase { head: Some(Noun::Assembly(Assembly(object.name()))), ..phrase.clone() })
}

/// The size of a shape; a cube that is 1 m wide is as high and as deep.
pub(super) fn in_cubes(kind: ShapeKind, phrase: &Phrase) -> Size {
    let size = &phrase.size;
    let cube = kind == ShapeKind::Box && phrase.words.iter().any(|word| word.starts_with("cube"));
    match (size.width, size.height, size.depth) {
        (Some(edge), None, None) | (None, Some(edge), None) | (None, None, Some(edge)) if cube => {
            Size { extent: Some(edge), width: None, height: None, depth: None, ..size.clone() }
        }
        _ => size.clone(),
    }
}

//! What is meant by a word where it stands: a lamp on a table is one that stands there.

use crate::language::{
    Assembly, LightKind, Noun, Pattern, Phrase, Place, Relation, ShapeKind, Size, Target,
};
use crate::plan::scenery::assembly::is_part_of;

/// "a lamp on the table" and "a lamp beside the sofa" are ones that stand there; "a lamp above it" is a light.
/// `is_object` tells whether an object of several parts is meant, `is_carried` whether what stands on furniture.
pub(in crate::plan) fn lamp_upon(
    phrase: &Phrase,
    is_object: impl Fn(&Target) -> bool,
    is_carried: impl Fn(&Target) -> bool,
) -> Option<Phrase> {
    let lamp = phrase.words.last().is_some_and(|word| word == "lamp" || word == "lamps");
    let upon = |place: &Place| match place {
        Place::Relative { relation: Relation::On, target, .. } => {
            target.0.iter().all(|phrase| !matches!(phrase.head, Some(Noun::Floor | Noun::Wall)))
        }
        _ => false,
    };
    // Beside furniture and the like; beside a plain shape it may just give light.
    let beside = |place: &Place| match place {
        Place::Corner(_) => true,
        Place::Relative {
            relation: Relation::Beside | Relation::Between | Relation::Flanking,
            target,
            metres: None,
        } => {
            target.0.iter().all(|phrase| matches!(phrase.head, Some(Noun::Assembly(_))))
                || is_object(target)
        }
        _ => false,
    };
    // "left of the ball", which lies on a table.
    let among = |place: &Place| match place {
        Place::Relative {
            relation:
                Relation::Left | Relation::Right | Relation::Front | Relation::Behind | Relation::Beside,
            target,
            metres: None,
        } => is_carried(target),
        _ => false,
    };
    // "a lamp with a yellow shade": a light has none.
    let table_lamp = Some(Noun::Assembly(Assembly("table lamp")));
    let parted = phrase.companions.iter().any(|part| is_part_of(table_lamp.as_ref(), part));
    let name = match phrase.places.as_slice() {
        places if places.iter().any(upon) || places.iter().any(among) => "table lamp",
        places if places.iter().any(beside) => "floor lamp",
        _ if parted => "table lamp",
        _ => return None,
    };
    if phrase.head != Some(Noun::Light(LightKind::Any)) || !lamp {
        return None;
    }
    let object = catalogue::catalogue().find(name)?;
    Some(Phrase { head: Some(Noun::Assembly(Assembly(object.name()))), ..phrase.clone() })
}

/// The size of a shape; a cube that is 1 m wide is as high and as deep.
pub(in crate::plan) fn in_cubes(kind: ShapeKind, phrase: &Phrase) -> Size {
    let size = &phrase.size;
    let cube = kind == ShapeKind::Box && phrase.words.iter().any(|word| word.starts_with("cube"));
    match (size.width, size.height, size.depth) {
        (Some(edge), None, None) | (None, Some(edge), None) | (None, None, Some(edge)) if cube => {
            Size { extent: Some(edge), width: None, height: None, depth: None, ..size.clone() }
        }
        _ => size.clone(),
    }
}

/// "a tower with a pointed roof": no stack of boxes, though "a tower" alone is one.
pub(in crate::plan) fn building(phrase: &Phrase) -> Option<Phrase> {
    let tower = Some(Noun::Assembly(Assembly("watchtower")));
    let built = phrase.pattern == Some(Pattern::Stack)
        && phrase.head.is_none()
        && phrase.companions.iter().any(|part| is_part_of(tower.as_ref(), part));
    let name = phrase.name.clone().or_else(|| Some("tower".to_owned()));
    built.then(|| Phrase { pattern: None, head: tower, name, ..phrase.clone() })
}

/// "a glass pyramid": one body; "of boxes" and a number tell what it is piled up of.
pub(in crate::plan) fn plain_pyramid(phrase: &Phrase) -> Option<Phrase> {
    let plain = phrase.pattern == Some(Pattern::Pyramid)
        && phrase.head.is_none()
        && phrase.count.is_none_or(|count| count == 1)
        && phrase.grid.is_none();
    let head = Some(Noun::Assembly(Assembly("pyramid")));
    plain.then(|| Phrase { pattern: None, head, ..phrase.clone() })
}

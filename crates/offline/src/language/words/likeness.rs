//! "another cone like the green one, but orange and twice as tall": copies of what is there, with changes.

use crate::language::acts::changes::changes;
use crate::language::acts::intent::{Intent, Target};
use crate::language::phrases::noun_phrase::phrase_with;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::tail::Tail;
use crate::language::places::place::place;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Glue, Noun, Sense};

/// Something new that is to be like what is there, and what is to be different.
pub(in crate::language) fn like_another(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let new = phrase_with(reader, Tail::BARE).filter(plain)?;
    let comma = reader.sees(0, &Sense::Comma);
    reader.at += usize::from(comma);
    if !reader.glue(Glue::Like) {
        return None;
    }
    let mut model = phrase_with(reader, Tail::BARE).filter(points)?;
    if matches!(model.head, None | Some(Noun::Thing)) {
        model.head.clone_from(&new.head);
    }
    if model.determiner == Determiner::Rest {
        // "like the others": one of them.
        model = Phrase { head: new.head.clone(), ..Phrase::new(Determiner::The) };
        model.rank = Some(crate::language::words::vocabulary::Rank::Last);
        model.words.clone_from(&new.words);
    }
    let places = place(reader).into_iter().collect();
    let copied = Intent::Duplicate {
        target: Target::of(model),
        count: new.count.unwrap_or(if new.plural { 3 } else { 1 }),
        places,
        shift: None,
    };
    let mut wanted: Vec<_> =
        new.colours.into_iter().map(crate::language::acts::intent::Change::Colour).collect();
    wanted.extend(new.finish.map(crate::language::acts::intent::Change::Finish));
    if !reader.clause_ends() {
        let _ = reader.take_joint();
        let _ = reader.any_glue(&[Glue::Except, Glue::In]);
        wanted.extend(changes(reader));
    }
    if !reader.clause_ends() {
        return None;
    }
    let them = Target::of(Phrase::new(Determiner::Them));
    let changed = (!wanted.is_empty()).then_some(Intent::Change { target: them, changes: wanted });
    Some(std::iter::once(copied).chain(changed).collect())
}

/// Nothing more than a kind of thing, how many, and perhaps a look.
fn plain(new: &Phrase) -> bool {
    let kind = matches!(new.head, Some(Noun::Shape(_) | Noun::Assembly(_) | Noun::Light(_)));
    kind && new.is_new() && new.pattern.is_none() && new.size.is_unsaid()
}

/// Whether it points at something that is there.
fn points(model: &Phrase) -> bool {
    let thing = matches!(
        model.head,
        None | Some(
            Noun::Thing | Noun::Shape(_) | Noun::Assembly(_) | Noun::Named(_) | Noun::Light(_)
        )
    );
    match model.determiner {
        Determiner::The | Determiner::Rest | Determiner::It => thing,
        Determiner::This => model.head.is_some() && thing,
        _ => false,
    }
}

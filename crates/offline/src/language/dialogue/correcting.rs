//! Corrections that say in other words that the last step was not right: "half of that", "back a little",
//! "the other direction", "three are enough", "brown was nicer", "but keep the colour", "bring the first one
//! back".

use crate::language::acts::changes::changes;
use crate::language::acts::clause::it;
use crate::language::acts::intent::{Change, Correction, Intent, Target, Wanted};
use crate::language::phrases::noun_phrase::{phrase, target};
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::{as_measure, times};
use crate::language::phrases::tail::Tail;
use crate::language::places::place::{as_degree, as_way};
use crate::language::words::reader::{Reader, as_noun};
use crate::language::words::vocabulary::{Glue, Measure, Noun, Sense, Verb, Way};

/// Reads one of them.
pub(in crate::language) fn correcting(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let attempts: [fn(&mut Reader<'_>) -> Option<Intent>; 7] =
        [halved, partly_back, reversed, enough, kept, brought_back, liked_better];
    attempts.into_iter().find_map(|attempt| {
        let mut probe = reader.clone();
        let found = attempt(&mut probe).filter(|_| probe.clause_ends())?;
        reader.at = probe.at;
        Some(vec![found])
    })
}

fn skip_word(reader: &mut Reader<'_>, words: &[&str]) -> bool {
    let found = reader.peek().is_some_and(|token| words.contains(&token.text.as_str()));
    reader.at += usize::from(found);
    found
}

/// "too much, half of that", "less, half as far", "half of it is enough".
fn halved(reader: &mut Reader<'_>) -> Option<Intent> {
    if reader.glue(Glue::Less) && !reader.take_joint() {
        return None;
    }
    let half = times(reader).filter(|factor| *factor < 1.0)?;
    let of_that = reader.glue(Glue::Of) && reader.any_glue(&[Glue::This, Glue::It]).is_some();
    let as_much = !of_that
        && reader.glue(Glue::As)
        && (reader.glue(Glue::Far) || skip_word(reader, &["much", "many"]));
    let that = of_that || as_much || reader.any_glue(&[Glue::This, Glue::It]).is_some();
    let _ = reader.any_glue(&[Glue::Is, Glue::Should]);
    let _ = skip_word(reader, &["enough", "plenty", "fine", "ok", "okay", "sufficient"]);
    let _ = skip_word(reader, &["back", "back again"]);
    (that && half > 0.0).then_some(Intent::Correct(Correction::Less))
}

/// "back a little", "a bit back again".
fn partly_back(reader: &mut Reader<'_>) -> Option<Intent> {
    let before = reader.take(as_degree).is_some();
    let back = reader.peek().is_some_and(|token| token.text == "back");
    reader.at += usize::from(back);
    let after = reader.take(as_degree).is_some();
    (back && (before || after)).then_some(Intent::Correct(Correction::PartlyBack))
}

/// "the other direction", "wrong way", "in the opposite direction".
fn reversed(reader: &mut Reader<'_>) -> Option<Intent> {
    let _ = reader.glue(Glue::In);
    let _ = reader.glue(Glue::The);
    let rank = skip_word(reader, &["other", "opposite", "wrong", "reverse"]);
    let way = rank && skip_word(reader, &["way", "direction", "way round", "way around"]);
    let _ = way && reader.glue(Glue::TurnedRound);
    way.then_some(Intent::Correct(Correction::Reversed))
}

/// "three are enough", "only two", "two would do", "just three of them", "make it two", "one cup will do".
fn enough(reader: &mut Reader<'_>) -> Option<Intent> {
    let start = reader.at;
    let made =
        reader.take(|sense| matches!(sense, Sense::Verb(Verb::Make | Verb::Create)).then_some(()));
    let it = made.is_some()
        && reader.any_glue(&[Glue::It, Glue::This, Glue::That, Glue::Them]).is_some();
    if !it {
        reader.at = start;
    }
    let only = skip_word(reader, &["only", "just"])
        || reader.previous().is_some_and(|word| ["only", "just"].contains(&word));
    let _ = only && reader.glue(Glue::The);
    let number = reader.number().filter(|n| n.fract() == 0.0 && (1.0..=1e4).contains(n))? as usize;
    let of_them = reader.glue(Glue::Of) && reader.glue(Glue::Them);
    let kind = if of_them { None } else { kind_of(reader) };
    let _ = reader.take(|sense| matches!(as_noun(sense)?, Noun::Thing).then_some(()));
    let _ = it && skip_word(reader, &["instead", "actually", "then", "please", "after all"]);
    let _ = reader.any_glue(&[Glue::Is, Glue::Should]);
    let _ = skip_word(reader, &["would", "will"]);
    let _ = skip_word(reader, &["be"]);
    let suffices =
        skip_word(reader, &["enough", "plenty", "sufficient", "do", "suffice", "suffices"]);
    match kind {
        Some(kind) => (only || suffices || it)
            .then_some(Intent::Total { kind: Box::new(kind), total: number }),
        None => (only || suffices || it).then_some(Intent::Correct(Correction::Number(number))),
    }
}

/// What there shall be so many of: "cups", "red cups", "the cups".
fn kind_of(reader: &mut Reader<'_>) -> Option<Phrase> {
    // "two will do": no name of a thing with a slip.
    if reader.peek().is_some_and(|token| ["would", "will"].contains(&token.text.as_str())) {
        return None;
    }
    let mut probe = reader.clone();
    let kind = phrase(&mut probe)?;
    let plain = matches!(kind.determiner, Determiner::Bare | Determiner::The) && !kind.is_portion();
    let named = kind.head.as_ref().is_some_and(|noun| *noun != Noun::Thing);
    if !plain || !named {
        return None;
    }
    reader.at = probe.at;
    Some(kind)
}

/// "keep the colour", "leave the size", "keep its position and colour".
fn kept(reader: &mut Reader<'_>) -> Option<Intent> {
    if !skip_word(reader, &["keep", "leave", "keeping"]) {
        return None;
    }
    let mut regards = Vec::new();
    loop {
        let _ = reader.any_glue(&[Glue::The, Glue::Its, Glue::Same]);
        let regard = match reader.take(as_measure)? {
            Measure::Colour => Wanted::Colour,
            Measure::Material => Wanted::Material,
            Measure::Position => Wanted::Place,
            Measure::Name | Measure::Rotation | Measure::Brightness | Measure::FieldOfView => {
                return None;
            }
            _ => Wanted::Size,
        };
        regards.push(regard);
        let _ = reader.glue(Glue::Of) && target(reader, Tail::BARE).is_some();
        let start = reader.at;
        if !reader.take_joint()
            || reader.look(0, as_measure).is_none() && !reader.sees_glue(Glue::The)
        {
            reader.at = start;
            return Some(Intent::Keep(regards));
        }
    }
}

/// "bring the first one back", "put the cone back", "restore the lamp", "I want the cone back", "put it back",
/// "put one back".
fn brought_back(reader: &mut Reader<'_>) -> Option<Intent> {
    let restores = skip_word(reader, &["restore", "undelete", "recover"]);
    let brings = |sense: &Sense| {
        matches!(sense, Sense::Verb(Verb::Move | Verb::Put | Verb::Create | Verb::Make))
            .then_some(())
    };
    if !restores {
        reader.take(brings)?;
        // "move the box back" is a way to go.
        if reader.previous().is_some_and(|verb| ["move", "push", "slide", "go"].contains(&verb)) {
            return None;
        }
    }
    let gone = target(reader, Tail::BARE)?;
    let pointed = |phrase: &Phrase| {
        let thing = !matches!(phrase.head, Some(Noun::Camera | Noun::Lens | Noun::Scene));
        let known = match phrase.determiner {
            Determiner::The
            | Determiner::It
            | Determiner::Them
            | Determiner::This
            | Determiner::Everything => true,
            Determiner::Bare => phrase.count.is_some() && !phrase.has_adjective(),
            _ => false,
        };
        known && phrase.owner.is_none() && thing
    };
    let back = restores || {
        let back = reader.take(|sense| as_way(sense).filter(|way| *way == Way::Back)).is_some();
        back && reader.previous() == Some("back")
    };
    let _ = skip_word(reader, &["in"]);
    (back && gone.0.iter().all(pointed)).then_some(Intent::BringBack(gone))
}

/// "brown was nicer", "I liked blue better", "I prefer it in red", "the old colour was better".
fn liked_better(reader: &mut Reader<'_>) -> Option<Intent> {
    let liked = skip_word(reader, &["i", "we"])
        && skip_word(reader, &["like", "liked", "prefer", "preferred"]);
    let it_in = liked && reader.glue(Glue::It);
    let _ = it_in && reader.glue(Glue::In);
    let start = reader.at;
    let subject = if liked { plural_look(reader) } else { None };
    let (subject, found) = match subject {
        Some((subject, found)) => (subject, found),
        None => {
            reader.at = start;
            (it(), changes(reader))
        }
    };
    let look = |change: &Change| {
        matches!(change, Change::Colour(_) | Change::Finish(_) | Change::Look(..))
    };
    let stated = reader.any_glue(&[Glue::Is, Glue::LookLike]).is_some();
    let better = better_said(reader);
    let said = if liked { true } else { stated && better };
    (said && !found.is_empty() && found.iter().all(look)).then(|| {
        if subject == it() {
            Intent::Correct(Correction::Rather(found))
        } else {
            Intent::Change { target: subject, changes: found }
        }
    })
}

/// "better", "actually much nicer".
fn better_said(reader: &mut Reader<'_>) -> bool {
    const BETTER: [&str; 7] =
        ["better", "nicer", "prettier", "more", "best", "more beautiful", "much better"];
    loop {
        // "nicer" may be taken for "nice", which says nothing elsewhere.
        if skip_word(reader, &BETTER) {
            return true;
        }
        let idle = |sense: &Sense| matches!(sense, Sense::Filler | Sense::Degree(_)).then_some(());
        if reader.take(idle).is_none() {
            return false;
        }
    }
}

/// "green apples": the apples that are there, and how they are liked.
fn plural_look(reader: &mut Reader<'_>) -> Option<(Target, Vec<Change>)> {
    let mut liked = target(reader, Tail::BARE)?;
    let [phrase] = liked.0.as_mut_slice() else { return None };
    let object = matches!(phrase.head, Some(Noun::Shape(_) | Noun::Assembly(_)));
    if !object || !phrase.plural || phrase.determiner != Determiner::Bare {
        return None;
    }
    let mut found: Vec<Change> = phrase.colours.drain(..).map(Change::Colour).collect();
    found.extend(phrase.finish.take().map(Change::Finish));
    phrase.determiner = Determiner::All;
    (!found.is_empty()).then_some((liked, found))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Names;
    use crate::language::words::lexicon::tag;

    fn meant(text: &str) -> Option<Intent> {
        let tokens = tag(text, &Names::new(["house_door", "red_box"]));
        let mut reader = Reader::new(&tokens);
        correcting(&mut reader).filter(|_| reader.clause_ends()).and_then(|mut found| found.pop())
    }

    #[test]
    fn corrections_are_heard_in_other_words() {
        for (text, correction) in [
            ("half of that", Correction::Less),
            ("half as far", Correction::Less),
            ("less, half of that", Correction::Less),
            ("back a little", Correction::PartlyBack),
            ("a bit back", Correction::PartlyBack),
            ("the other direction", Correction::Reversed),
            ("wrong direction", Correction::Reversed),
            ("only two", Correction::Number(2)),
            ("three are enough", Correction::Number(3)),
            ("two would do", Correction::Number(2)),
        ] {
            assert_eq!(meant(text), Some(Intent::Correct(correction)), "{text}");
        }
        for text in ["brown was nicer", "i liked blue better"] {
            let found = meant(text);
            let rather = matches!(found, Some(Intent::Correct(Correction::Rather(_))));
            assert!(rather, "{text}: {found:?}");
        }
    }

    #[test]
    fn what_stays_and_what_comes_back() {
        let kept = Some(Intent::Keep(vec![Wanted::Colour, Wanted::Size]));
        assert_eq!(meant("keep the colour and the size"), kept);
        assert_eq!(meant("keep its colour"), Some(Intent::Keep(vec![Wanted::Colour])));
        for text in ["bring the cone back", "put the first one back", "i want the lamp back"] {
            assert!(matches!(meant(text), Some(Intent::BringBack(_))), "{text}: {:?}", meant(text));
        }
    }

    #[test]
    fn wishes_of_their_own_are_left() {
        for text in [
            "half a metre",
            "two red balls",
            "move the box back",
            "move the camera back",
            "keep it blue",
            "half as bright",
            "back to the front",
            "the other box",
        ] {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}

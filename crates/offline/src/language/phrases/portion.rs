//! How many of several: "two of them", "half of the balls", "every second one".

use crate::language::phrases::phrase::{Determiner, Phrase, Share};
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{Comparison, Glue, Noun, Rank, Sense};

/// "of them", "of it" after a number: so many of what was spoken of.
pub(in crate::language) fn of_them(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let start = reader.at;
    if reader.glue(Glue::Of) && (reader.glue(Glue::Them) || reader.glue(Glue::It)) {
        phrase.determiner = Determiner::Them;
        return true;
    }
    reader.at = start;
    false
}

/// "half of them", "half the balls", "every second one".
pub(in crate::language) fn share(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    if phrase.share.is_some() || phrase.determiner != Determiner::Bare {
        return false;
    }
    let start = reader.at;
    let share = reader.take(|sense| match sense {
        Sense::Every(every) => Some(Share::Every(*every)),
        Sense::Factor(factor) if *factor < 1.0 => Some(Share::Part(*factor)),
        _ => None,
    });
    let Some(share) = share else { return false };
    let of = of_them(reader, phrase) || {
        let of = reader.glue(Glue::Of);
        let all = reader.any_glue(&[Glue::The, Glue::All]).is_some();
        if of || all {
            phrase.determiner = Determiner::All;
        }
        of || all
    };
    match share {
        // "every second" alone counts those that were spoken of.
        Share::Every(_) => {
            let noun = reader.look(0, crate::language::words::reader::as_noun).is_some();
            let one = reader.look(0, crate::language::words::reader::as_noun) == Some(Noun::Thing);
            if phrase.determiner == Determiner::Bare {
                phrase.determiner = if noun && !one { Determiner::All } else { Determiner::Them };
            }
            if phrase.determiner == Determiner::Them && one {
                reader.skip();
            }
        }
        // "half a metre".
        Share::Part(_) if !of => {
            reader.at = start;
            return false;
        }
        Share::Part(_) => {}
    }
    phrase.plural = true;
    phrase.share = Some(share);
    true
}

/// "the biggest", "the second biggest", "the smaller": which one of several.
pub(in crate::language) fn rank(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    if matches!(phrase.determiner, Determiner::A | Determiner::Another) {
        // "a new one" says no more than "one".
        let word = reader.peek().map(|token| token.text.as_str());
        let same = matches!(word, Some("identical" | "similar" | "matching"));
        let new = same || word == Some("new");
        if new {
            reader.skip();
        }
        phrase.identical |= same;
        return new;
    }
    if crate::language::phrases::age::adjective(reader, phrase) {
        return true;
    }
    if phrase.rank.is_some() {
        return false;
    }
    let of = |sense: &Sense| match sense {
        Sense::Rank(rank) => Some(*rank),
        _ => None,
    };
    phrase.rank = reader.take(of);
    let passed_over = match phrase.rank {
        Some(Rank::Second) => 1,
        Some(Rank::Third) => 2,
        Some(Rank::Fourth) => 3,
        _ => 0,
    };
    if passed_over > 0
        && let Some(best) = reader.look(0, of).filter(|rank| is_superlative(*rank))
    {
        reader.skip();
        (phrase.rank, phrase.passed_over) = (Some(best), passed_over);
    }
    if phrase.rank.is_none() && phrase.determiner == Determiner::The {
        phrase.rank = reader.take(|sense| match sense {
            Sense::Compare(comparison) => compared(*comparison),
            _ => None,
        });
    }
    phrase.rank.is_some()
}

fn is_superlative(rank: Rank) -> bool {
    !matches!(
        rank,
        Rank::First
            | Rank::Second
            | Rank::Third
            | Rank::Fourth
            | Rank::Last
            | Rank::Middle
            | Rank::Other
            | Rank::Others
    )
}

/// "the bigger" of two is the biggest.
fn compared(comparison: Comparison) -> Option<Rank> {
    Some(match comparison {
        Comparison::Bigger => Rank::Biggest,
        Comparison::Smaller => Rank::Smallest,
        Comparison::Taller | Comparison::Longer => Rank::Tallest,
        Comparison::Shorter => Rank::Shortest,
        Comparison::Higher => Rank::Highest,
        Comparison::Lower => Rank::Lowest,
        Comparison::Closer => Rank::Nearest,
        Comparison::Farther => Rank::Farthest,
        _ => return None,
    })
}

/// "from the left" after "the third ball": counted from there.
pub(in crate::language) fn counted_from(reader: &mut Reader<'_>, phrase: &mut Phrase) -> bool {
    let passed_over = match phrase.rank {
        Some(Rank::First) => 0,
        Some(Rank::Second) => 1,
        Some(Rank::Third) => 2,
        Some(Rank::Fourth) => 3,
        _ => return false,
    };
    let start = reader.at;
    let way = reader.take(crate::language::places::place::as_from).or_else(|| {
        let from = reader.glue(Glue::From);
        let _ = reader.glue(Glue::The);
        if from { reader.take(crate::language::places::place::as_way) } else { None }
    });
    match way {
        Some(way) => {
            (phrase.rank, phrase.passed_over) =
                (Some(crate::language::phrases::tail::outermost(way)), passed_over);
            true
        }
        None => {
            reader.at = start;
            false
        }
    }
}

/// "of the two trees" after "the taller": which of them.
pub(in crate::language) fn one_of_several(reader: &mut Reader<'_>, phrase: &mut Phrase) {
    if phrase.rank.is_none() || phrase.head.is_some() {
        return;
    }
    let start = reader.at;
    let of = reader.glue(Glue::Of);
    let rest = of && reader.glue(Glue::Rest);
    let several = rest || of && reader.any_glue(&[Glue::The, Glue::Them]).is_some();
    if !several {
        reader.at = start;
        return;
    }
    let _ = reader.take(|sense| matches!(sense, Sense::Rank(_)).then_some(()));
    let _ = reader.number();
    let named = reader.take(|sense| match sense {
        Sense::Noun(noun @ (Noun::Shape(_) | Noun::Assembly(_) | Noun::Thing)) => {
            Some(noun.clone())
        }
        _ => None,
    });
    phrase.head = Some(named.unwrap_or(Noun::Thing));
    // Of the kind that was spoken of.
    if phrase.head == Some(Noun::Thing) {
        phrase.words.push("one".to_owned());
    }
}

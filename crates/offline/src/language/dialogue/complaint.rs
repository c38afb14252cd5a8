//! Complaints: "it is too dark", "the balls are too crowded", "the box is too high, half of that is enough".

use crate::language::acts::clause::{exposure, it};
use crate::language::acts::intent::{
    Arrangement, CameraMove, Change, Excess, Intent, Place, Shift, Target,
};
use crate::language::phrases::noun_phrase::target;
use crate::language::phrases::phrase::Determiner;
use crate::language::phrases::size::as_size_word;
use crate::language::phrases::tail::Tail;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{
    Comparison, Glue, Noun, Relation, Sense, SizeWord, Tone, Way,
};

/// "it is too dark", "the sphere is too big", "it's a bit gloomy".
pub(in crate::language) fn complaint(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    // "its way too dark": it is.
    let _ = reader.glue(Glue::Its);
    // "too big", "a bit too dark", "still too small".
    let _ = reader.take(crate::language::places::place::as_degree);
    reader.at = if reader.peek()?.text == "too" { reader.at } else { start };
    let target = if reader.peek()?.text == "too" {
        it()
    } else {
        let target = target(reader, Tail::SUBJECT)?;
        let is = reader.any_glue(&[Glue::Is, Glue::Possessive, Glue::LookLike]).is_some();
        let degree = reader.take(crate::language::places::place::as_degree);
        reader.skip_fillers_but_too();
        if !is || (degree.is_none() && reader.peek()?.text != "too") {
            return None;
        }
        target
    };
    if reader.peek()?.text == "too" {
        reader.skip();
    }
    if let Some(away) = too_near(reader, &target) {
        return Some(vec![away]);
    }
    if let Some(factor) = crowded(reader) {
        return Some(vec![Intent::Arrange { target, how: Arrangement::Spread(factor) }]);
    }
    let wanted = if let Some(wanted) = tinged(reader) {
        wanted
    } else if reader.peek()?.text == "dark" {
        reader.skip();
        Comparison::Brighter
    } else if let Some(tone) = crate::language::phrases::noun_phrase::tone(reader) {
        match tone {
            Tone::Bright => Comparison::Darker,
            Tone::Dim => Comparison::Brighter,
            Tone::Warm => Comparison::Cooler,
            Tone::Cool => Comparison::Warmer,
            Tone::Soft => return None,
            Tone::Hard => Comparison::Softer,
        }
    } else {
        let way = reader.take(crate::language::places::place::as_way);
        let way = way.or_else(|| reader.take(near_or_far));
        let of_it = target.0.iter().all(is_it);
        if of_it && matches!(way, Some(Way::Front | Way::Back)) {
            // "too close", "too far away": the camera is.
            let (factor, excess) = match way {
                Some(Way::Front) => (1.4, Excess::Close),
                _ => (0.7, Excess::Far),
            };
            let _ = reader.take(crate::language::places::place::as_way);
            let otherwise = Box::new(Intent::Camera(CameraMove::Distance(factor)));
            return Some(vec![Intent::Excess { excess, otherwise }]);
        }
        if let Some(way) = way {
            let shift = Shift { way: way.opposite(), metres: None, degree: None };
            let back = Intent::Change { target, changes: vec![Change::Shift(shift)] };
            return Some(vec![match of_it {
                true => Intent::Excess { excess: Excess::Moved(way), otherwise: Box::new(back) },
                false => back,
            }]);
        }
        match reader.take(as_size_word)? {
            SizeWord::Tiny | SizeWord::Small => Comparison::Bigger,
            SizeWord::Big | SizeWord::Huge | SizeWord::Enormous => Comparison::Smaller,
            SizeWord::Tall => Comparison::Shorter,
            SizeWord::Wide | SizeWord::Thick | SizeWord::Long => Comparison::Narrower,
            SizeWord::Thin => Comparison::Wider,
            SizeWord::Flat => Comparison::Taller,
            SizeWord::Medium | SizeWord::Half | SizeWord::Double => return None,
        }
    };
    if let Some(remedy) = remedy(reader) {
        return Some(vec![match remedy.as_slice() {
            [Change::Compare { comparison: Comparison::Brighter | Comparison::Darker, .. }] => {
                Intent::Expose(exposure(&remedy[0]))
            }
            _ => Intent::Change { target, changes: remedy },
        }]);
    }
    let factor = enough(reader);
    let change = Change::Compare { comparison: wanted, degree: None, factor };
    let whole_scene = target.0.iter().any(|phrase| {
        let bare = phrase.determiner == Determiner::This && phrase.head.is_none();
        bare || matches!(phrase.determiner, Determiner::It | Determiner::Everything)
            || phrase.head == Some(Noun::Scene)
            // "the room", where nothing is called so.
            || phrase.head == Some(Noun::Later("room".to_owned()))
    });
    let light = matches!(wanted, Comparison::Brighter | Comparison::Darker);
    let of_it = target.0.iter().all(is_it);
    let other = if whole_scene && light {
        Intent::Expose(exposure(&change))
    } else {
        Intent::Change { target, changes: vec![change] }
    };
    // A factor that was told is exact.
    Some(vec![match factor.is_none() && of_it {
        true => Intent::Excess { excess: Excess::Rather(wanted), otherwise: Box::new(other) },
        false => other,
    }])
}

/// ", a bit smaller", ", lower please": what is to be done about it.
fn remedy(reader: &mut Reader<'_>) -> Option<Vec<Change>> {
    let start = reader.at;
    let found = if reader.take_joint() {
        crate::language::acts::changes::changes(reader)
    } else {
        Vec::new()
    };
    let amount = |change: &Change| matches!(change, Change::Compare { .. } | Change::Shift(_));
    reader.skip_fillers();
    if found.is_empty() || !found.iter().all(amount) || !reader.clause_ends() {
        reader.at = start;
        return None;
    }
    Some(found)
}

/// "it", "this", "that": what was spoken of last.
fn is_it(phrase: &crate::language::phrases::phrase::Phrase) -> bool {
    let this = phrase.determiner == Determiner::This && phrase.head.is_none();
    this || phrase.determiner == Determiner::It
}

/// "too near to the house", "too close to it": away from there.
fn too_near(reader: &mut Reader<'_>, subject: &Target) -> Option<Intent> {
    let start = reader.at;
    let near = |place: &Place| {
        matches!(place, Place::Relative { relation: Relation::Beside, metres: None, .. })
    };
    let close = reader
        .peek()
        .is_some_and(|token| ["near", "close"].iter().any(|word| token.text.starts_with(word)));
    let place = if close { crate::language::places::place::place(reader) } else { None };
    let Some(Place::Relative { target, .. }) = place.filter(near) else {
        reader.at = start;
        return None;
    };
    let away = Change::Away { target, metres: None, degree: None };
    Some(Intent::Change { target: subject.clone(), changes: vec![away] })
}

/// "too yellow", "too blue": of the light.
fn tinged(reader: &mut Reader<'_>) -> Option<Comparison> {
    let wanted = match reader.peek()?.text.as_str() {
        "yellow" | "yellowish" | "orange" | "reddish" => Comparison::Cooler,
        "blue" | "bluish" => Comparison::Warmer,
        _ => return None,
    };
    reader.skip();
    reader.clause_ends().then_some(wanted)
}

/// "too crowded", "too close together", "too far apart": by how much their distances are to change.
fn crowded(reader: &mut Reader<'_>) -> Option<f64> {
    const FURTHER: f64 = 1.6;
    let start = reader.at;
    let word = reader.peek()?.text.as_str();
    if ["crowded", "cramped", "tight", "dense", "packed", "squashed"].contains(&word) {
        reader.skip();
        return Some(FURTHER);
    }
    let close = reader.glue(Glue::Close);
    if close && reader.glue(Glue::Together) {
        return Some(FURTHER);
    }
    reader.at = start;
    let _ = reader.glue(Glue::Far);
    if reader.glue(Glue::Apart) {
        return Some(1.0 / FURTHER);
    }
    reader.at = start;
    None
}

/// ", half of that is enough", ", twice that would do" after a complaint: the factor.
fn enough(reader: &mut Reader<'_>) -> Option<f64> {
    let start = reader.at;
    let joined = reader.take_joint();
    let sized = |sense: &Sense| match sense {
        Sense::Size(SizeWord::Half) => Some(0.5),
        Sense::Size(SizeWord::Double) => Some(2.0),
        _ => None,
    };
    let factor = reader
        .take(sized)
        .or_else(|| crate::language::phrases::size::times(reader))
        .filter(|_| joined);
    let _ = reader.glue(Glue::Of);
    let _ = reader.any_glue(&[Glue::This, Glue::It, Glue::The, Glue::That]);
    let _ = reader.take(crate::language::phrases::size::as_measure);
    let _ = reader.any_glue(&[Glue::Is, Glue::Should]);
    let suffices = reader.peek().is_some_and(|token| {
        ["enough", "plenty", "fine", "sufficient", "okay", "ok", "better", "good"]
            .contains(&token.text.as_str())
    });
    // ", half of that", ", half size please".
    if factor.is_some() && !suffices && reader.clause_ends() {
        return factor;
    }
    if factor.is_none() || !suffices {
        reader.at = start;
        return None;
    }
    reader.skip();
    factor
}

/// "too far (away)", "too close", "too low".
fn near_or_far(sense: &Sense) -> Option<Way> {
    match sense {
        Sense::Glue(Glue::Far) => Some(Way::Back),
        Sense::Glue(Glue::Close) => Some(Way::Front),
        Sense::Glue(Glue::Low) => Some(Way::Down),
        _ => None,
    }
}

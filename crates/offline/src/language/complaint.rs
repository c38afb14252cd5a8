//! Complaints: "it is too dark", "the balls are too crowded", "the box is too high, half of that is enough".

use super::clause::{exposure, it};
use super::intent::{Arrangement, CameraMove, Change, Intent, Shift};
use super::noun_phrase::target;
use super::phrase::Determiner;
use super::reader::Reader;
use super::size::as_size_word;
use super::tail::Tail;
use super::vocabulary::{Comparison, Glue, Noun, Sense, SizeWord, Tone, Way};

/// "it is too dark", "the sphere is too big", "it's a bit gloomy".
pub(super) fn complaint(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let start = reader.at;
    // "its way too dark": it is.
    let _ = reader.glue(Glue::Its);
    // "too big", "a bit too dark", "still too small".
    let _ = reader.take(super::place::as_degree);
    reader.at = if reader.peek()?.text == "too" { reader.at } else { start };
    let target = if reader.peek()?.text == "too" {
        it()
    } else {
        let target = target(reader, Tail::SUBJECT)?;
        let is = reader.any_glue(&[Glue::Is, Glue::Possessive, Glue::LookLike]).is_some();
        let degree = reader.take(super::place::as_degree);
        reader.skip_fillers_but_too();
        if !is || (degree.is_none() && reader.peek()?.text != "too") {
            return None;
        }
        target
    };
    if reader.peek()?.text == "too" {
        reader.skip();
    }
    if let Some(factor) = crowded(reader) {
        return Some(vec![Intent::Arrange { target, how: Arrangement::Spread(factor) }]);
    }
    let wanted = if reader.peek()?.text == "dark" {
        reader.skip();
        Comparison::Brighter
    } else if let Some(tone) = super::noun_phrase::tone(reader) {
        match tone {
            Tone::Bright => Comparison::Darker,
            Tone::Dim => Comparison::Brighter,
            Tone::Warm => Comparison::Cooler,
            Tone::Cool => Comparison::Warmer,
            Tone::Soft => return None,
            Tone::Hard => Comparison::Softer,
        }
    } else {
        let way = reader.take(super::place::as_way);
        let way = way.or_else(|| reader.take(near_or_far));
        let of_it = target.0.iter().all(|phrase| {
            let this = phrase.determiner == Determiner::This && phrase.head.is_none();
            this || phrase.determiner == Determiner::It
        });
        if of_it && matches!(way, Some(Way::Front | Way::Back)) {
            // "too close", "too far away": the camera is.
            let factor = if way == Some(Way::Front) { 1.4 } else { 0.7 };
            return Some(vec![Intent::Camera(CameraMove::Distance(factor))]);
        }
        if let Some(way) = way {
            let shift = Shift { way: way.opposite(), metres: None, degree: None };
            return Some(vec![Intent::Change { target, changes: vec![Change::Shift(shift)] }]);
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
    let change = Change::Compare { comparison: wanted, degree: None, factor: enough(reader) };
    let whole_scene = target.0.iter().any(|phrase| {
        let bare = phrase.determiner == Determiner::This && phrase.head.is_none();
        bare || matches!(phrase.determiner, Determiner::It | Determiner::Everything)
            || phrase.head == Some(Noun::Scene)
    });
    let light = matches!(wanted, Comparison::Brighter | Comparison::Darker);
    Some(vec![if whole_scene && light {
        Intent::Expose(exposure(&change))
    } else {
        Intent::Change { target, changes: vec![change] }
    }])
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
    let factor = reader.take_joint().then(|| super::size::times(reader)).flatten();
    let _ = reader.glue(Glue::Of);
    let _ = reader.any_glue(&[Glue::This, Glue::It, Glue::The, Glue::That]);
    let _ = reader.take(super::size::as_measure);
    let _ = reader.any_glue(&[Glue::Is, Glue::Should]);
    let suffices = reader.peek().is_some_and(|token| {
        ["enough", "plenty", "fine", "sufficient", "okay", "ok", "better", "good"]
            .contains(&token.text.as_str())
    });
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

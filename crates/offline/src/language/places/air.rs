//! Air that is not clear: "add fog", "a misty morning", "clear the fog", "denser fog", "light haze at night".

use crate::language::acts::intent::{Air, Intent};
use crate::language::places::surroundings::as_mood;
use crate::language::words::reader::Reader;
use crate::language::words::vocabulary::{
    AirWord, Comparison, Degree, Glue, Mood, Noun, Relation, Sense, SizeWord, Tone, Verb, Way,
};

/// What the words around the fog say of it.
#[derive(Debug, Default)]
struct Said {
    word: Option<AirWord>,
    away: bool,
    factor: Option<f64>,
    share: f64,
    low: bool,
    colour: Option<crate::colour::Colour>,
    mood: Option<Mood>,
}

/// Reads a wish for fog, for other fog, or for none; what else the clause speaks of is no business of this.
pub(in crate::language) fn air(reader: &mut Reader<'_>) -> Option<Vec<Intent>> {
    let mut said = Said { share: 1.0, ..Said::default() };
    while !reader.clause_ends() {
        if let Some(colour) = reader.colour() {
            said.colour = Some(colour);
        } else {
            word(reader, &mut said)?;
        }
    }
    let word = said.word?;
    let thinner = word == AirWord::Thinner;
    let air = match said.factor.or((thinner || word == AirWord::Denser).then_some(1.0)) {
        _ if said.away => Air::Clear,
        Some(_) if thinner => Air::Scaled(2.0),
        Some(factor) if factor < 1.0 => Air::Scaled(2.0),
        Some(_) => Air::Scaled(0.5),
        None => {
            let usual = match word {
                AirWord::Haze => 9.0,
                AirWord::Mist => 4.5,
                _ => 3.0,
            };
            Air::Foggy { distances: usual * said.share, low: said.low, colour: said.colour }
        }
    };
    let mood = said.mood.map(|mood| Intent::Surround { mood: Some(mood), colour: None });
    Some(mood.into_iter().chain([Intent::Air(air)]).collect())
}

/// Takes the next word; None where it has no part in such a wish.
fn word(reader: &mut Reader<'_>, said: &mut Said) -> Option<()> {
    let token = reader.peek()?;
    if let Some(found) = reader.take(as_air) {
        said.word = Some(found);
        return Some(());
    }
    // "it is still night": only a wish for the fog's own time of day.
    if said.word.is_some()
        && let Some(mood) = reader.take(as_mood)
    {
        said.mood = Some(mood);
        return Some(());
    }
    let known = token.senses.iter().any(|sense| takes(sense, said));
    let described = match token.text.as_str() {
        "dense" | "heavy" => Some(0.5),
        "light" | "faint" | "slight" => Some(2.0),
        _ => None,
    };
    said.share *= described.unwrap_or(1.0);
    let small =
        ["some", "fill", "cover", "wrap", "air", "day", "weather", "feel", "effect", "layer"];
    reader.skip();
    (known || described.is_some() || small.contains(&token.text.as_str())).then_some(())
}

/// Whether a word with this sense may stand in such a wish, and what it says.
fn takes(sense: &Sense, said: &mut Said) -> bool {
    match sense {
        Sense::Verb(verb) => match verb {
            Verb::Remove | Verb::Clear | Verb::TurnOff | Verb::Raise => said.away = true,
            Verb::Increase => said.factor = Some(2.0),
            Verb::Decrease => said.factor = Some(0.5),
            Verb::Create | Verb::Make | Verb::Put | Verb::Turn | Verb::Set | Verb::Give => {}
            Verb::TurnOn | Verb::Scatter | Verb::Spread => {}
            _ => return false,
        },
        Sense::Number(number) => {
            said.away |= *number == 0.0;
            return *number == 0.0;
        }
        Sense::Glue(Glue::Without | Glue::Not) => said.away = true,
        Sense::Glue(Glue::More) => said.factor = Some(2.0),
        Sense::Glue(Glue::Less) => said.factor = Some(0.5),
        Sense::Size(SizeWord::Thick | SizeWord::Big | SizeWord::Huge) => said.share = 0.5,
        Sense::Size(SizeWord::Thin | SizeWord::Small | SizeWord::Tiny) => said.share = 2.0,
        Sense::Glue(Glue::Low) | Sense::Way(Way::Down) => said.low = true,
        Sense::Relation(Relation::On) => said.low = true,
        Sense::Noun(Noun::Floor) => said.low = true,
        Sense::Degree(Degree::Slight) | Sense::Tone(Tone::Soft | Tone::Dim) => said.share = 2.0,
        Sense::Degree(Degree::Strong) | Sense::Tone(Tone::Bright) => said.share = 0.5,
        Sense::Compare(Comparison::Wider) => said.factor = Some(2.0),
        Sense::Compare(Comparison::Narrower | Comparison::Lighter) => said.factor = Some(0.5),
        Sense::Filler | Sense::Comma => {}
        Sense::Noun(Noun::Scene | Noun::Sky) => {}
        Sense::Relation(Relation::Above | Relation::Around | Relation::Inside) => {}
        Sense::Glue(
            Glue::A
            | Glue::The
            | Glue::It
            | Glue::This
            | Glue::Everything
            | Glue::Is
            | Glue::Of
            | Glue::Should
            | Glue::In
            | Glue::With
            | Glue::To
            | Glue::Into
            | Glue::LookLike
            | Glue::All
            | Glue::MadeOf
            | Glue::At
            | Glue::And
            | Glue::Out
            | Glue::Then,
        ) => {}
        _ => return false,
    }
    true
}

fn as_air(sense: &Sense) -> Option<AirWord> {
    match sense {
        Sense::Air(word) => Some(*word),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Names;
    use crate::language::words::lexicon::tag;

    fn meant(text: &str) -> Option<Air> {
        let tokens = tag(text, &Names::default());
        let intents = air(&mut Reader::new(&tokens))?;
        intents.into_iter().find_map(|intent| match intent {
            Intent::Air(air) => Some(air),
            _ => None,
        })
    }

    #[test]
    fn fog_is_made_changed_and_taken_away() {
        for text in ["add fog", "make it foggy", "a thick white fog", "let there be some mist"] {
            assert!(matches!(meant(text), Some(Air::Foggy { .. })), "{text}: {:?}", meant(text));
        }
        for text in ["clear the fog", "remove the haze", "no fog", "without the mist"] {
            assert_eq!(meant(text), Some(Air::Clear), "{text}");
        }
        assert_eq!(meant("make the fog denser"), Some(Air::Scaled(0.5)));
        assert_eq!(meant("less fog"), Some(Air::Scaled(2.0)));
        let low = meant("fog on the ground");
        assert!(matches!(low, Some(Air::Foggy { low: true, .. })), "{low:?}");
    }

    #[test]
    fn what_speaks_of_other_things_is_left() {
        for text in ["a misty forest", "a frosted glass sphere in the fog", "make it blue"] {
            assert_eq!(meant(text), None, "{text}");
        }
    }
}

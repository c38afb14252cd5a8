//! Expectations about the answer. Its content is compared with values computed from the scene;
//! nothing else of it is evaluated.

use super::measure::Measure;
use crate::colour::names_of;
use crate::moment::Moment;
use crate::name::words;
use crate::selector::{Selector, When};
use crate::substance::{SUBSTANCES, is_of};
use crate::thing::Thing;

/// An expectation about the answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Answer {
    /// It ends with a question, and nothing changed.
    Asks,
    /// It is not empty, and nothing changed.
    Answers,
    /// It contains one of these words.
    Mentions(Vec<String>),
    /// It contains the number of selected things.
    Count(Selector),
    /// It contains a colour of one of them.
    Colour(Selector),
    /// It contains the material of one of them.
    Substance(Selector),
    /// It contains the names of all of them.
    Names(Selector),
    /// It contains a measure of one of them.
    Number(Measure, Selector),
    /// It contains the coordinates of one of them, or those that are not 0.
    Place(Selector),
    /// It contains the distance between one of the first and one of the second: the gap or the
    /// distance of the centres.
    Distance(Selector, Selector),
}

/// Numbers in words.
const NUMBERS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

impl Answer {
    pub(super) const WORDS: &[&str] = &["asks", "answers", "mentions", "says"];

    pub(super) fn parse(words: &[&str]) -> Result<Self, String> {
        match words {
            ["asks"] => Ok(Self::Asks),
            ["answers"] => Ok(Self::Answers),
            ["mentions", words] => Ok(Self::Mentions(
                words.split('|').map(|word| word.replace('_', " ").to_lowercase()).collect(),
            )),
            ["says", what, rest @ ..] => {
                if *what == "distance" {
                    let mut sides = rest.split(|word| *word == "and");
                    return match (sides.next(), sides.next(), sides.next()) {
                        (Some(one), Some(other), None) => {
                            Ok(Self::Distance(Selector::parse(one)?, Selector::parse(other)?))
                        }
                        _ => Err("it goes 'says distance A and B'".into()),
                    };
                }
                let selector = Selector::parse(rest)?;
                if let Some((_, measure)) = Measure::WORDS.iter().find(|(word, _)| word == what) {
                    return Ok(Self::Number(*measure, selector));
                }
                Ok(match *what {
                    "count" => Self::Count(selector),
                    "colour" => Self::Colour(selector),
                    "material" => Self::Substance(selector),
                    "names" => Self::Names(selector),
                    "place" => Self::Place(selector),
                    other => {
                        return Err(format!(
                            "'says {other}' is not known; it takes count, colour, material, names, place, distance or a measure such as height"
                        ));
                    }
                })
            }
            _ => Err("it goes 'asks', 'answers', 'mentions a|b' or 'says what of-which'".into()),
        }
    }

    pub(super) fn check(&self, moment: &Moment<'_>) -> Result<(), String> {
        let text = moment.answer.to_lowercase();
        let things = |selector: &Selector| selector.select(moment, When::After);
        let is_so = match self {
            Self::Asks => {
                let asks = text
                    .trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != '?')
                    .ends_with('?');
                asks && moment.is_unchanged(true)
            }
            Self::Answers => !text.trim().is_empty() && moment.is_unchanged(true),
            Self::Mentions(words) => words.iter().any(|word| text.contains(word)),
            Self::Count(selector) => says_count(&text, things(selector).len()),
            Self::Colour(selector) => {
                things(selector).iter().any(|thing| says_colour(&text, thing, moment))
            }
            Self::Substance(selector) => {
                things(selector).iter().any(|thing| says_substance(&text, thing, moment))
            }
            Self::Names(selector) => {
                let things = things(selector);
                !things.is_empty() && things.iter().all(|thing| says_name(&text, &thing.name))
            }
            Self::Number(measure, selector) => things(selector).iter().any(|thing| {
                measure.of(thing, moment).iter().any(|number| says_length(&text, *number))
            }),
            Self::Place(selector) => things(selector).iter().any(|thing| {
                let place = thing.center().to_array();
                place
                    .iter()
                    .filter(|number| number.abs() > 0.02)
                    .all(|number| says_number(&text, *number))
            }),
            Self::Distance(one, other) => {
                let (ones, others) = (things(one), things(other));
                let mut pairs =
                    ones.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
                pairs.any(|(one, other)| {
                    let gap = one.solid.relation(&other.solid).gap.max(0.0);
                    says_length(&text, gap)
                        || says_length(&text, (one.center() - other.center()).length())
                })
            }
        };
        if is_so {
            return Ok(());
        }
        const MAX_CHARS: usize = 160;
        let excerpt: String = moment.answer.trim().chars().take(MAX_CHARS).collect();
        let changed = if moment.is_unchanged(true) { "" } else { ", and the scene changed" };
        Err(format!("the answer is “{excerpt}”{changed}"))
    }
}

/// The numbers in a text, with their signs.
fn numbers(text: &str) -> Vec<f64> {
    let is_part = |letter: char| letter.is_ascii_digit() || letter == '.' || letter == '-';
    let plain = text.replace('−', "-");
    plain
        .split(|letter: char| !is_part(letter))
        .filter_map(|word| word.trim_end_matches(['.', '-']).parse().ok())
        .collect()
}

fn says_number(text: &str, number: f64) -> bool {
    // Answers may round.
    let near = |said: f64| (said - number).abs() <= (0.03 * number.abs()).max(0.06);
    numbers(text).into_iter().any(near)
}

/// Whether the text contains a length, in metres, centimetres or millimetres.
fn says_length(text: &str, metres: f64) -> bool {
    let near = |said: f64, number: f64, slack: f64| {
        (said - number).abs() <= (0.03 * number.abs()).max(slack)
    };
    numbers(text).into_iter().any(|said| {
        near(said, metres, 0.011)
            || near(said, 100.0 * metres, 0.6)
            || near(said, 1000.0 * metres, 6.0)
    })
}

fn says_count(text: &str, count: usize) -> bool {
    let said = text.split(|letter: char| !letter.is_alphanumeric());
    let word = NUMBERS.get(count).copied().unwrap_or_default();
    let is_none = |said: &str| count == 0 && ["none", "empty", "nothing", "any"].contains(&said);
    let is_one = |said: &str| count == 1 && ["a", "an", "single"].contains(&said);
    numbers(text).contains(&(count as f64))
        || said.into_iter().any(|said| said == word || is_none(said) || is_one(said))
}

fn says_colour(text: &str, thing: &Thing, moment: &Moment<'_>) -> bool {
    let colours =
        thing.bodies(&moment.after).filter_map(|body| crate::substance::colour_of(body.shape()?));
    let colours = colours.chain(thing.colour(&moment.after));
    let names: Vec<&str> = colours.flat_map(names_of).collect();
    let is_clear = thing.colour(&moment.after).is_none();
    names.iter().any(|name| text.contains(name))
        || (is_clear
            && ["clear", "glass", "transparent", "colourless"]
                .iter()
                .any(|word| text.contains(word)))
}

fn says_substance(text: &str, thing: &Thing, moment: &Moment<'_>) -> bool {
    thing.bodies(&moment.after).filter_map(|body| body.shape()).any(|shape| {
        let is_so = |word: &&&str| is_of(&shape.material, word) && text.contains(**word);
        let material = shape.material.to_json();
        let own = material
            .as_str()
            .or_else(|| material["type"].as_str())
            .unwrap_or_default()
            .replace('_', " ");
        SUBSTANCES.iter().find(is_so).is_some() || (!own.is_empty() && text.contains(&own))
    })
}

/// Whether the text contains the words of a name, or half of them: "the table" for `table_top`.
fn says_name(text: &str, name: &str) -> bool {
    let said: Vec<String> = words(text);
    let is_said = |word: &&String| said.iter().any(|other| other.starts_with(word.as_str()));
    let words = words(name);
    2 * words.iter().filter(is_said).count() >= words.len()
}

//! Claims such as `2 red sphere on ~table`: how many of the selected things have a property.

use scene::read::nearest;

use super::change::ChangeClaim;
use super::front;
use super::measure::{Comparison, Measure};
use super::pattern::Pattern;
use super::relation::{Relation, is_between};
use crate::moment::Moment;
use crate::range::{Range, range_or};
use crate::selector::{Selector, When};
use crate::thing::Thing;

/// How many of the selected things have a property, or how many exist.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    quantity: Quantity,
    selector: Selector,
    property: Option<Property>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Quantity {
    /// At least one.
    Some,
    /// All of them, and at least one exists.
    All,
    Number(Range),
}

#[derive(Debug, Clone, PartialEq)]
enum Property {
    Is(Selector),
    Relation(Relation, Selector),
    Gap(Range, Selector),
    Distance(Range, Selector),
    Between(Selector, Selector),
    Comparison(Comparison, Selector),
    Measure(Measure, Range),
    At([f64; 3]),
    InView,
    Supported,
    Floating,
    Grouped,
    FacingCamera,
    Change(ChangeClaim),
    Pattern(Pattern),
    Around(Selector),
}

/// All words that start a property.
fn verbs() -> impl Iterator<Item = &'static str> {
    const OWN: [&str; 11] = [
        "is",
        "gap",
        "distance",
        "between",
        "at",
        "in-view",
        "supported",
        "floating",
        "grouped",
        "facing-camera",
        "around",
    ];
    OWN.into_iter()
        .chain(Relation::WORDS.iter().map(|(word, _)| *word))
        .chain(Comparison::WORDS.iter().copied())
        .chain(Measure::WORDS.iter().map(|(word, _)| *word))
        .chain(ChangeClaim::WORDS.iter().copied())
        .chain(Pattern::WORDS.iter().copied())
}

impl Quantity {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "some" => Self::Some,
            "all" => Self::All,
            "no" => Self::Number(Range { least: 0.0, most: 0.0 }),
            number => {
                let whole = |range: Range| match number.parse::<f64>() {
                    // A count without a range is exact.
                    Ok(count) => Range { least: count, most: count },
                    Err(_) => range,
                };
                Self::Number(whole(Range::parse(number)?))
            }
        })
    }

    /// Whether `fitting` of `all` matches.
    fn holds(self, fitting: usize, all: usize) -> bool {
        match self {
            Self::Some => fitting > 0,
            Self::All => all > 0 && fitting == all,
            Self::Number(range) => range.holds(fitting as f64),
        }
    }
}

impl Claim {
    pub(super) fn parse(words: &[&str]) -> Result<Self, String> {
        let given = words.first().and_then(|word| Quantity::parse(word));
        let words = if given.is_some() { &words[1..] } else { words };
        let is_verb = |word: &&str| verbs().any(|verb| verb == *word);
        let end = words.iter().position(is_verb).unwrap_or(words.len());
        let selector = Selector::parse(&words[..end]).map_err(|error| {
            let unknown = words[..end].iter().find(|word| Selector::parse(&[word]).is_err());
            unknown.map_or(error.clone(), |word| {
                format!("{error} The nearest verb is '{}'", nearest(word, verbs()))
            })
        })?;
        let property = match &words[end..] {
            [] => None,
            [verb, rest @ ..] => Some(Property::parse(verb, rest)?),
        };
        Ok(Self { quantity: given.unwrap_or(Quantity::Some), selector, property })
    }

    pub(super) fn check(&self, moment: &Moment<'_>) -> Result<(), String> {
        let things = self.selector.select(moment, When::After);
        if let Some(Property::Pattern(pattern)) = &self.property {
            return self.check_set(&things, moment, pattern.check(&things, moment));
        }
        if let Some(Property::Around(selector)) = &self.property {
            let middle = selector.select(moment, When::After);
            let is_so = middle.iter().any(|middle| super::pattern::is_around(&things, middle));
            let found = if is_so { Ok(()) } else { Err("they do not stand around it".to_owned()) };
            return self.check_set(&things, moment, found);
        }
        let Some(property) = &self.property else {
            return match self.quantity.holds(things.len(), things.len()) {
                true => Ok(()),
                false => Err(described(&things, moment)),
            };
        };
        let (fitting, others): (Vec<_>, Vec<_>) =
            things.iter().partition(|thing| property.holds(thing, moment));
        if self.quantity.holds(fitting.len(), things.len()) {
            return Ok(());
        }
        if things.is_empty() {
            return Err(format!("there is none; {}", described(&[], moment)));
        }
        let example = others.first().map_or(String::new(), |thing| {
            format!("; '{}' {}", thing.name, property.found(thing, moment))
        });
        Err(format!("{} of {}{example}", fitting.len(), things.len()))
    }

    /// Checks a property of the whole set, and the number of things.
    fn check_set(
        &self,
        things: &[Thing],
        moment: &Moment<'_>,
        found: Result<(), String>,
    ) -> Result<(), String> {
        let is_number = matches!(self.quantity, Quantity::Number(_));
        if is_number && !self.quantity.holds(things.len(), things.len()) {
            return Err(described(things, moment));
        }
        found
    }
}

/// The number and names of the things.
fn described(things: &[Thing], moment: &Moment<'_>) -> String {
    const MAX_NAMES: usize = 8;
    let names = |things: &[Thing]| {
        let names: Vec<&str> =
            things.iter().take(MAX_NAMES).map(|thing| thing.name.as_str()).collect();
        let rest = if things.len() > MAX_NAMES { ", ..." } else { "" };
        format!("{}{rest}", names.join(", "))
    };
    if !things.is_empty() {
        return format!("{}: {}", things.len(), names(things));
    }
    match crate::thing::whole_things(&moment.after) {
        all if all.is_empty() => "0; there are no things at all".to_owned(),
        all => format!("0; the things are {}", names(&all)),
    }
}

impl Property {
    fn parse(verb: &str, rest: &[&str]) -> Result<Self, String> {
        let alone = |property: Self| match rest {
            [] => Ok(property),
            _ => Err(format!("nothing can follow '{verb}', got '{}'", rest.join(" "))),
        };
        let ranged = || match rest {
            [range, rest @ ..] => Ok((range_or(&[range], Range::ANY)?, rest)),
            [] => Err(format!("'{verb}' needs a number or a range")),
        };
        if let Some((_, relation)) = Relation::WORDS.iter().find(|(word, _)| *word == verb) {
            return Ok(Self::Relation(*relation, Selector::parse(rest)?));
        }
        if let Some((_, measure)) = Measure::WORDS.iter().find(|(word, _)| *word == verb) {
            let (range, rest) = ranged()?;
            return match rest {
                [] => Ok(Self::Measure(*measure, range)),
                _ => Err(format!("'{verb}' takes one range, got '{}' too", rest.join(" "))),
            };
        }
        if Comparison::WORDS.contains(&verb) {
            let (comparison, rest) = Comparison::parse(verb, rest)?;
            return Ok(Self::Comparison(comparison, Selector::parse(rest)?));
        }
        if ChangeClaim::WORDS.contains(&verb) {
            return ChangeClaim::parse(verb, rest).map(Self::Change);
        }
        if Pattern::WORDS.contains(&verb) {
            return Pattern::parse(verb, rest).map(Self::Pattern);
        }
        match verb {
            "is" => Selector::parse(rest).map(Self::Is),
            "around" => Selector::parse(rest).map(Self::Around),
            "gap" => {
                ranged().and_then(|(range, rest)| Ok(Self::Gap(range, Selector::parse(rest)?)))
            }
            "distance" => {
                ranged().and_then(|(range, rest)| Ok(Self::Distance(range, Selector::parse(rest)?)))
            }
            "between" => {
                let mut sides = rest.split(|word| *word == "and");
                match (sides.next(), sides.next(), sides.next()) {
                    (Some(one), other, None) => {
                        let one = Selector::parse(one)?;
                        let other = other.map_or_else(|| Ok(one.clone()), Selector::parse)?;
                        Ok(Self::Between(one, other))
                    }
                    _ => Err("'between' takes A and B".into()),
                }
            }
            "at" => {
                let numbers: Vec<f64> = rest.iter().filter_map(|word| word.parse().ok()).collect();
                match numbers[..] {
                    [x, y, z] if rest.len() == 3 => Ok(Self::At([x, y, z])),
                    _ => Err("'at' takes three numbers".into()),
                }
            }
            "in-view" => alone(Self::InView),
            "supported" => alone(Self::Supported),
            "floating" => alone(Self::Floating),
            "grouped" => alone(Self::Grouped),
            _ => alone(Self::FacingCamera),
        }
    }

    fn holds(&self, thing: &Thing, moment: &Moment<'_>) -> bool {
        let others = |selector: &Selector| {
            let mut others = selector.select(moment, When::After);
            others.retain(|other| !other.shares(thing));
            others
        };
        match self {
            Self::Is(selector) => selector.fits(thing, moment),
            Self::Relation(relation, selector) => {
                others(selector).iter().any(|other| relation.holds(thing, other, moment))
            }
            Self::Gap(range, selector) => others(selector)
                .iter()
                .any(|other| range.holds(thing.solid.relation(&other.solid).gap)),
            Self::Distance(range, selector) => others(selector)
                .iter()
                .any(|other| range.holds((thing.center() - other.center()).length())),
            Self::Between(one, other) => {
                let (ones, others) = (others(one), others(other));
                let mut pairs =
                    ones.iter().flat_map(|one| others.iter().map(move |other| (one, other)));
                pairs.any(|(one, other)| !one.shares(other) && is_between(thing, one, other))
            }
            Self::Comparison(comparison, selector) => {
                let others = others(selector);
                !others.is_empty()
                    && others.iter().all(|other| comparison.holds(thing, other, moment))
            }
            Self::Measure(measure, range) => {
                measure.of(thing, moment).iter().any(|number| range.holds(*number))
            }
            Self::At(place) => {
                let way = thing.center() - glam::DVec3::from(*place);
                way.abs().max_element() <= 0.05
            }
            Self::InView => moment.view().coverage(&thing.solid).inside >= 0.9,
            Self::Supported => super::measure::is_supported(thing, &moment.after),
            Self::Floating => !super::measure::is_supported(thing, &moment.after),
            Self::Grouped => thing.bodies(&moment.after).all(|body| body.group().is_some()),
            Self::FacingCamera => {
                front::faces(thing, moment.view().center() - thing.center(), &moment.after)
            }
            Self::Change(change) => change.holds(thing, moment),
            // A property of the whole set.
            Self::Pattern(_) | Self::Around(_) => true,
        }
    }

    /// The actual state of a thing without the property.
    fn found(&self, thing: &Thing, moment: &Moment<'_>) -> String {
        let extent = thing.extent();
        let triple =
            |vector: glam::DVec3| vector.to_array().map(|number| format!("{number:.2}")).join(", ");
        let place = format!(
            "is {} m large at [{}]",
            extent.size().to_array().map(|side| format!("{side:.2}")).join(" x "),
            triple(thing.center())
        );
        match self {
            Self::Measure(measure, _) => {
                let numbers: Vec<String> =
                    measure.of(thing, moment).iter().map(|number| format!("{number:.2}")).collect();
                format!("has {}", numbers.join(" and "))
            }
            Self::Change(change) => change.found(thing, moment),
            Self::Is(_) => {
                let colour = thing.colour(&moment.after);
                let colour = colour
                    .map_or("clear".into(), |colour| crate::colour::names_of(colour).join(" or "));
                format!("is {colour}")
            }
            Self::Relation(_, selector)
            | Self::Gap(_, selector)
            | Self::Distance(_, selector)
            | Self::Comparison(_, selector) => {
                let others = selector.select(moment, When::After);
                match others.iter().find(|other| !other.shares(thing)) {
                    None => format!("{place}, and there is nothing of the other"),
                    Some(other) => {
                        let gap = thing.solid.relation(&other.solid).gap;
                        format!(
                            "{place}, '{}' at [{}], {gap:.3} m apart",
                            other.name,
                            triple(other.center())
                        )
                    }
                }
            }
            _ => place,
        }
    }
}

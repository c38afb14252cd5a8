//! Expectations about the whole scene.

use std::collections::HashSet;

use scene::{Environment, FindingKind};
use serde_json::Value;
use spatial::{Sight, Space, check};

use crate::colour::ColourTerm;
use crate::moment::{Moment, is_same};
use crate::range::Range;
use crate::selector::{Selector, When};
use crate::substance::normalised;
use crate::thing::Thing;

/// An expectation about the whole scene.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Whole {
    /// Nothing changed, including the camera.
    Unchanged,
    Changed,
    /// It is as it was before the previous message.
    Undone,
    /// There are no shapes.
    Empty,
    /// There are no new overlaps and no new floating objects.
    Tidy,
    NoOverlap,
    NothingFloating,
    AllInView,
    Lit,
    Brighter,
    Darker,
    Warmer,
    Cooler,
    /// All changed things match.
    Only(Selector),
    Removed(Range, Selector),
    Environment(Sky),
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Sky {
    None,
    Colour(ColourTerm),
    Changed,
    Unchanged,
    Brighter,
    Darker,
    /// Little light enters.
    Dark,
}

/// The smallest noticeable ratios of light.
const BRIGHTER: f64 = 1.06;
const WARMER: f64 = 1.03;
/// The smallest mean luminance of a useful image, and the largest share of it that may be white or
/// black.
const LIT: f64 = 0.03;
const MAX_LOST_SHARE: f64 = 0.6;
/// The radiance of a dark sky.
const DARK_SKY: f64 = 0.2;

impl Whole {
    pub(super) const WORDS: &[&str] = &[
        "unchanged",
        "changed-scene",
        "undone",
        "empty",
        "tidy",
        "no-overlap",
        "nothing-floating",
        "all-in-view",
        "lit",
        "brighter",
        "darker",
        "warmer",
        "cooler",
        "only",
        "environment",
    ];

    pub(super) fn parse(words: &[&str]) -> Result<Self, String> {
        let (word, rest) = (words[0], &words[1..]);
        match word {
            "only" => match rest {
                [selector @ .., "changed"] => Ok(Self::Only(Selector::parse(selector)?)),
                _ => Err("it goes 'only ... changed'".into()),
            },
            "environment" => match rest {
                [sky] => Sky::parse(sky).map(Self::Environment),
                _ => Err("it goes 'environment' and one word: none, changed, kept, brighter, darker, dark or a colour".into()),
            },
            _ if !rest.is_empty() => Err(format!("nothing can follow '{word}', got '{}'", rest.join(" "))),
            "unchanged" => Ok(Self::Unchanged),
            "changed-scene" => Ok(Self::Changed),
            "undone" => Ok(Self::Undone),
            "empty" => Ok(Self::Empty),
            "tidy" => Ok(Self::Tidy),
            "no-overlap" => Ok(Self::NoOverlap),
            "nothing-floating" => Ok(Self::NothingFloating),
            "all-in-view" => Ok(Self::AllInView),
            "lit" => Ok(Self::Lit),
            "brighter" => Ok(Self::Brighter),
            "darker" => Ok(Self::Darker),
            "warmer" => Ok(Self::Warmer),
            _ => Ok(Self::Cooler),
        }
    }

    /// Parses `2 red sphere removed`; `None` for other texts.
    pub(super) fn parse_removed(words: &[&str]) -> Option<Result<Self, String>> {
        let [words @ .., "removed"] = words else { return None };
        let (count, words) = match words {
            ["all" | "some", rest @ ..] => (Range::from(1.0), rest),
            ["no", rest @ ..] => (Range { least: 0.0, most: 0.0 }, rest),
            [count, rest @ ..] if Range::parse(count).is_some() => {
                let exact = count.parse::<f64>().map(|count| Range { least: count, most: count });
                (exact.ok().or_else(|| Range::parse(count)).unwrap_or(Range::ANY), rest)
            }
            words => (Range::from(1.0), words),
        };
        Some(Selector::parse(words).map(|selector| Self::Removed(count, selector)))
    }

    pub(super) fn check(&self, moment: &Moment<'_>) -> Result<(), String> {
        let so =
            |is_so: bool, found: &dyn Fn() -> String| if is_so { Ok(()) } else { Err(found()) };
        let pictures = || moment.pictures();
        match self {
            Self::Unchanged => so(moment.is_unchanged(true), &|| what_changed(moment)),
            Self::Changed => so(!moment.is_unchanged(true), &|| "nothing changed".into()),
            Self::Undone => match moment.earlier {
                None => Err("there is no message before".into()),
                Some(earlier) => so(is_same(earlier, moment.after.scene, false), &|| {
                    "the scene is not as it was before the message before".into()
                }),
            },
            Self::Empty => {
                let count = moment.after.scene.shapes.len();
                so(count == 0, &|| format!("there are {count} shapes"))
            }
            Self::Tidy => no_new(moment, &[FindingKind::Overlap, FindingKind::Floating]),
            Self::NoOverlap => no_new(moment, &[FindingKind::Overlap]),
            Self::NothingFloating => no_new(moment, &[FindingKind::Floating]),
            Self::AllInView => all_in_view(moment),
            Self::Lit => {
                let [_, picture] = pictures();
                let is_so = picture.luminance >= LIT
                    && picture.dark <= MAX_LOST_SHARE
                    && picture.burnt <= MAX_LOST_SHARE;
                so(is_so, &|| {
                    format!(
                        "mean luminance {:.3}, {:.0} % black, {:.0} % burnt out",
                        picture.luminance,
                        100.0 * picture.dark,
                        100.0 * picture.burnt
                    )
                })
            }
            Self::Brighter | Self::Darker => {
                let [before, after] = pictures();
                let ratio = (after.luminance + 1e-4) / (before.luminance + 1e-4);
                let is_so = if *self == Self::Brighter {
                    ratio >= BRIGHTER
                } else {
                    ratio <= 1.0 / BRIGHTER
                };
                so(is_so, &|| {
                    format!(
                        "mean luminance went from {:.3} to {:.3}",
                        before.luminance, after.luminance
                    )
                })
            }
            Self::Warmer | Self::Cooler => {
                let [before, after] = pictures();
                let ratio = after.warmth / before.warmth;
                let is_so =
                    if *self == Self::Warmer { ratio >= WARMER } else { ratio <= 1.0 / WARMER };
                so(is_so, &|| {
                    format!("red over blue went from {:.2} to {:.2}", before.warmth, after.warmth)
                })
            }
            Self::Only(selector) => only(selector, moment),
            Self::Removed(count, selector) => {
                let is_gone = |thing: &&Thing| {
                    thing.ids(&moment.before).all(|id| moment.after.place_of(id).is_none())
                };
                let there = selector.select(moment, When::Before);
                let gone = there.iter().filter(is_gone).count();
                so(count.holds(gone as f64), &|| format!("{gone} of {} are gone", there.len()))
            }
            Self::Environment(sky) => sky.check(moment),
        }
    }
}

fn what_changed(moment: &Moment<'_>) -> String {
    const MAX_NAMES: usize = 8;
    let mut changed = moment.changed_ids();
    if moment.before.scene.environment != moment.after.scene.environment {
        changed.push("the environment".into());
    }
    if moment.before.scene.camera != moment.after.scene.camera {
        changed.push("the camera".into());
    }
    let rest = if changed.len() > MAX_NAMES { ", ..." } else { "" };
    changed.truncate(MAX_NAMES);
    format!("changed: {}{rest}", changed.join(", "))
}

/// Checks that there are no new findings of these kinds.
fn no_new(moment: &Moment<'_>, kinds: &[FindingKind]) -> Result<(), String> {
    let findings = |space: &Space<'_>| {
        let mut found = check(space, &mut |_| Sight::Seen).found;
        found.retain(|finding| kinds.iter().any(|kind| kind.name() == finding.check));
        found
    };
    let known: HashSet<(&str, Vec<String>)> =
        findings(&moment.before).into_iter().map(|finding| (finding.check, finding.ids)).collect();
    let mut new = findings(&moment.after);
    new.retain(|finding| !known.contains(&(finding.check, finding.ids.clone())));
    match new.first() {
        None => Ok(()),
        Some(first) if new.len() == 1 => Err(first.message.clone()),
        Some(first) => Err(format!("{}; and {} more", first.message, new.len() - 1)),
    }
}

/// Things larger than this, relative to their distance from the camera, are surroundings.
const SURROUNDINGS: f64 = 1.5;

fn all_in_view(moment: &Moment<'_>) -> Result<(), String> {
    let view = moment.view();
    let is_outside = |thing: &&Thing| {
        let is_ground = thing.solid.is_flat()
            || thing.solid.size() > SURROUNDINGS * thing.center().distance(view.center());
        !is_ground && view.coverage(&thing.solid).inside < 0.75
    };
    let things = crate::thing::whole_things(&moment.after);
    let outside: Vec<&str> =
        things.iter().filter(is_outside).map(|thing| thing.name.as_str()).collect();
    match outside[..] {
        [] => Ok(()),
        [first, ..] => Err(format!(
            "{} of {} stand outside, '{first}' among them",
            outside.len(),
            things.len()
        )),
    }
}

fn only(selector: &Selector, moment: &Moment<'_>) -> Result<(), String> {
    let mut allowed: HashSet<String> = HashSet::new();
    for (when, space) in [(When::Before, &moment.before), (When::After, &moment.after)] {
        for thing in selector.select(moment, when) {
            allowed.extend(thing.ids(space).map(str::to_owned));
        }
    }
    let others: Vec<String> =
        moment.changed_ids().into_iter().filter(|id| !allowed.contains(id)).collect();
    if let Some(first) = others.first() {
        return Err(format!("'{first}' changed too"));
    }
    if moment.before.scene.environment != moment.after.scene.environment {
        return Err("the environment changed too".into());
    }
    Ok(())
}

impl Sky {
    fn parse(word: &str) -> Result<Self, String> {
        Ok(match word {
            "none" => Self::None,
            "changed" => Self::Changed,
            "kept" => Self::Unchanged,
            "brighter" => Self::Brighter,
            "darker" => Self::Darker,
            "dark" => Self::Dark,
            colour => Self::Colour(
                ColourTerm::parse(colour).ok_or_else(|| format!("'{colour}' is not a colour"))?,
            ),
        })
    }

    fn check(&self, moment: &Moment<'_>) -> Result<(), String> {
        let (old, new) = (&moment.before.scene.environment, &moment.after.scene.environment);
        let light = |sky: &Environment| {
            let colours = radiances(sky);
            let sum: f64 = colours
                .iter()
                .map(|[red, green, blue]| 0.2126 * red + 0.7152 * green + 0.0722 * blue)
                .sum();
            sum / colours.len().max(1) as f64
        };
        let is_so = match self {
            Self::None => matches!(new, Environment::Darkness(_)) || light(new) <= 1e-3,
            Self::Colour(colour) => radiances(new)
                .into_iter()
                .any(|radiance| colour.fits(radiance) || colour.fits(normalised(radiance))),
            Self::Changed => old != new,
            Self::Unchanged => old == new,
            Self::Brighter => light(new) > BRIGHTER * light(old),
            Self::Darker => light(new) * BRIGHTER < light(old),
            Self::Dark => light(new) <= DARK_SKY,
        };
        if is_so { Ok(()) } else { Err(format!("the environment is {}", new.to_json())) }
    }
}

/// The colours of an environment, as far as the document has them.
fn radiances(sky: &Environment) -> Vec<[f64; 3]> {
    let triple = |value: &Value| {
        let channel = |at: usize| value[at].as_f64();
        Some([channel(0)?, channel(1)?, channel(2)?])
    };
    sky.to_json().as_object().into_iter().flatten().filter_map(|(_, value)| triple(value)).collect()
}

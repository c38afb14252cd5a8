//! Whether something is so, and which thing is.

use crate::frames::{Determiner, Dimension, Frame, Head, Phrase, Quality};
use crate::resolve::{Sides, Thing, World, has_quality, is_at, size_along};

use super::described::each;
use crate::plan::planner::{Done, Planner, Remark, Stopped};
use crate::wording::{capital, metres, the};

impl Planner<'_> {
    pub(in crate::plan) fn is_so(&mut self, frame: &Frame, world: &World<'_>) -> Done<String> {
        let ids = self.theme_in(frame, world)?;
        self.focus.clone_from(&ids);
        let things: Vec<&Thing> = ids.iter().filter_map(|id| world.find(id)).collect();
        let sides = Sides::of(world.scene);
        for place in &frame.places {
            let (Some(relation), Some(target)) = (place.relation, &place.target) else { continue };
            let targets = self.find_in(target, world)?;
            let Some(target) = world.extent_of(&targets) else { continue };
            let is_so = things.iter().all(|thing| is_at(relation, thing.extent, target, sides));
            return Ok(if is_so { format!("Yes: {}.", each(&ids)) } else { "No.".to_owned() });
        }
        for quality in &frame.qualities {
            let is_so = match quality {
                Quality::Compared { dimension, more, than: Some(than), .. } => {
                    let others = self.find_in(than, world)?;
                    let (Some(own), Some(other)) =
                        (world.extent_of(&ids), world.extent_of(&others))
                    else {
                        continue;
                    };
                    let (own, other) = (size_along(own, *dimension), size_along(other, *dimension));
                    if (own > other) == *more && own != other {
                        return Ok(format!("Yes: {} against {}.", metres(own), metres(other)));
                    }
                    return Ok(format!("No: {} against {}.", metres(own), metres(other)));
                }
                Quality::Exceeds { dimension, more, amount, than } => {
                    let other = match than {
                        Some(than) => world.extent_of(&self.find_in(than, world)?),
                        None => None,
                    };
                    let other = other.map(|other| size_along(other, *dimension));
                    let own = world.extent_of(&ids).map(|own| size_along(own, *dimension));
                    let (Some(own), Some(other)) =
                        (own, other.or(amount.and_then(crate::frames::Amount::metres)))
                    else {
                        continue;
                    };
                    let is_so = (own > other) == *more && own != other;
                    let answer = if is_so { "Yes" } else { "No" };
                    return Ok(format!("{answer}: {} against {}.", metres(own), metres(other)));
                }
                Quality::Same { dimension: Dimension::Colour, other: None } => {
                    let colours: Vec<_> = things.iter().map(|thing| world.colour(thing)).collect();
                    colours.windows(2).all(|pair| pair[0] == pair[1])
                }
                Quality::Same { dimension, other: None } => {
                    let sizes = things.iter().map(|thing| size_along(thing.extent, *dimension));
                    let sizes: Vec<f64> = sizes.collect();
                    sizes.windows(2).all(|pair| (pair[0] - pair[1]).abs() <= 0.02 * pair[0])
                }
                quality => {
                    things.iter().all(|thing| has_quality(quality, thing, world).unwrap_or(false))
                }
            };
            if !is_so {
                let told: Vec<String> =
                    things.iter().map(|thing| self.describe(thing, world)).collect();
                return Ok(format!("No. {}", told.join(" ")));
            }
        }
        Ok(format!("Yes: {}.", each(&ids)))
    }

    /// Which of some that are named is more so.
    fn which_of(&mut self, frame: &Frame, world: &World<'_>) -> Done<Option<String>> {
        let Some(Quality::Compared { dimension, more, than: None, .. }) = frame.qualities.first()
        else {
            return Ok(None);
        };
        let mut ids = self.theme_in(frame, world)?;
        for other in &frame.other {
            ids.extend(self.find_in(other, world)?);
        }
        let mut sizes: Vec<(f64, &Thing)> = ids
            .iter()
            .filter_map(|id| world.find(id))
            .map(|thing| (size_along(thing.extent, *dimension), thing))
            .collect();
        sizes.sort_by(|one, other| one.0.total_cmp(&other.0));
        if *more {
            sizes.reverse();
        }
        let [(size, most), (next, _), ..] = sizes.as_slice() else { return Ok(None) };
        self.focus = vec![most.id.clone()];
        Ok(Some(match (size - next).abs() < 1e-3 {
            true => format!("They are the same: {}.", metres(*size)),
            false => {
                let name = capital(&the(&most.id));
                format!("{name}: {} against {}.", metres(*size), metres(*next))
            }
        }))
    }

    pub(in crate::plan) fn which(&mut self, frame: &Frame, world: &World<'_>) -> Done<String> {
        if !frame.other.is_empty()
            && let Some(answer) = self.which_of(frame, world)?
        {
            return Ok(answer);
        }
        let mut phrase = frame
            .theme
            .first()
            .cloned()
            .unwrap_or_else(|| Phrase { is_one: true, ..Phrase::of(Head::Thing) });
        phrase.determiner = Some(Determiner::All);
        phrase.plural = true;
        if matches!(phrase.head, Head::Pronoun(_)) {
            let spoken = self.find_in(&phrase, world)?;
            if spoken.len() < 2 {
                phrase = Phrase {
                    plural: true,
                    determiner: Some(Determiner::All),
                    ..Phrase::of(Head::Thing)
                };
            } else {
                phrase = Phrase {
                    of_them: Some(Box::new(phrase.clone())),
                    plural: true,
                    ..Phrase::of(Head::Thing)
                };
            }
        }
        // "which one" after one thing was spoken of: of all that there are.
        if phrase.is_one && self.find_in(&phrase, world).is_ok_and(|alike| alike.len() < 2) {
            let all = world.contents().map(|thing| thing.id.clone()).collect();
            let all = Phrase { plural: true, ..Phrase::of(Head::These(all)) };
            phrase = Phrase { of_them: Some(Box::new(all)), is_one: false, ..phrase };
        }
        phrase.places.extend(frame.places.clone());
        if let Some(superlative) = frame.superlative {
            phrase.superlative = Some(superlative);
        }
        for quality in &frame.qualities {
            match quality {
                Quality::Compared { dimension, more, than: None, .. } => {
                    phrase.superlative = Some(match (dimension, more) {
                        (Dimension::Height, true) => "tall",
                        (Dimension::Height, false) => "short",
                        (Dimension::Width, true) => "wide",
                        (Dimension::Width, false) => "narrow",
                        (_, true) => "big",
                        (_, false) => "small",
                    });
                }
                other => phrase.qualities.push(other.clone()),
            }
        }
        let ids = self
            .find_in(&phrase, world)
            .map_err(|_| Stopped(Remark::Answer("None of them.".into())))?;
        self.focus.clone_from(&ids);
        let told: Vec<String> = ids
            .iter()
            .filter_map(|id| world.find(id))
            .take(3)
            .map(|thing| {
                let (looks, high) =
                    (self.colour_words(thing, world), metres(thing.extent.size().y));
                format!("{} ({looks}, {high} high)", the(&thing.id))
            })
            .collect();
        Ok(format!("That is {}.", told.join(", ")))
    }
}

//! Things and what is where, in words.

use crate::frames::{Frame, Head, Relation};
use crate::looks::family_names;
use crate::resolve::{Kind, Sides, Thing, World, is_at};

use crate::plan::planner::Planner;
use crate::wording::{capital, counted, indefinite, metres, the};

impl Planner<'_> {
    pub(in crate::plan) fn colour_words(&self, thing: &Thing, world: &World<'_>) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut shares = world.shares(thing);
        shares.sort_by(|one, other| other.1.total_cmp(&one.1));
        if thing.kind == Kind::Light {
            return world
                .colour(thing)
                .map_or_else(|| "white".into(), |rgb| family_names(rgb).join(" or "));
        }
        for (material, _) in shares.iter().take(3) {
            let word = match crate::looks::colour_of(material) {
                Some(rgb) => family_names(rgb).first().cloned().unwrap_or_default(),
                None => "clear".to_owned(),
            };
            if !words.contains(&word) {
                words.push(word);
            }
        }
        words.join(" and ")
    }

    /// On what it stands, and its coordinates as the page shows them.
    pub(in crate::plan) fn place_of(&self, thing: &Thing, world: &World<'_>) -> String {
        let [x, y, z] =
            thing.extent.center().to_array().map(|along| (along * 100.0).round() / 100.0 + 0.0);
        let name = capital(&the(&thing.id));
        let on =
            world.support_of(thing).map(|below| format!(" is on {}; its middle", the(&below.id)));
        let beside = beside(thing, world).unwrap_or_default();
        format!("{name}{} is at x {x}, y {y}, z {z}{beside}.", on.unwrap_or_default())
    }

    pub(in crate::plan) fn describe(&self, thing: &Thing, world: &World<'_>) -> String {
        let size = thing.extent.size();
        let kind = world.type_of(thing).map_or("object".to_owned(), |kind| kind.replace('_', " "));
        let on = world.support_of(thing).map(|below| format!(", on {}", the(&below.id)));
        format!(
            "{} is {}, {} wide, {} high and {} deep{}.",
            capital(&the(&thing.id)),
            indefinite(&format!("{} {kind}", self.colour_words(thing, world))),
            metres(size.x),
            metres(size.y),
            metres(size.z),
            on.unwrap_or_default()
        )
    }

    pub(in crate::plan) fn list(&mut self, frame: &Frame, world: &World<'_>) -> String {
        let targets = frame.places.iter().find_map(|place| {
            let target =
                place.target.as_ref().filter(|target| !matches!(target.head, Head::Scene(_)))?;
            Some((place.relation?, self.find_in(target, world).ok()?))
        });
        let sides = Sides::of(world.scene);
        let mut things: Vec<&Thing> = world.wholes().collect();
        if let Some((relation, targets)) = &targets
            && let Some(target) = world.extent_of(targets)
        {
            things.retain(|thing| {
                let on = *relation == Relation::On
                    && world.support_of(thing).is_some_and(|below| targets.contains(&below.id));
                thing.kind != Kind::Light
                    && !thing.scenery
                    && !targets.contains(&thing.id)
                    && (on || is_at(*relation, thing.extent, target, sides))
            });
            self.focus = things.iter().map(|thing| thing.id.clone()).collect();
        }
        let spared: Vec<String> = frame
            .except
            .iter()
            .filter_map(|phrase| self.find_in(phrase, world).ok())
            .flatten()
            .collect();
        things.retain(|thing| !spared.contains(&thing.id));
        if things.is_empty() {
            return if targets.is_some() {
                "There is nothing.".to_owned()
            } else {
                "The scene is empty: there is nothing in it.".to_owned()
            };
        }
        let mut told: Vec<String> = Vec::new();
        for thing in things.iter().take(40) {
            let name = the(&thing.id);
            told.push(match thing.kind {
                Kind::Light => format!("{name} (a light)"),
                _ => format!("{name} ({})", self.colour_words(thing, world)),
            });
        }
        let more = things.len().saturating_sub(40);
        let rest = if more > 0 { format!(", and {more} more") } else { String::new() };
        let (is, things) = match things.len() {
            1 => ("is", "one thing".to_owned()),
            count => ("are", format!("{} things", counted(count))),
        };
        format!("There {is} {things}: {}{rest}.", told.join(", "))
    }
}

/// Each of them by its name.
pub(in crate::plan) fn each(ids: &[String]) -> String {
    let names: Vec<String> = ids.iter().take(20).map(|id| the(id)).collect();
    crate::wording::joined(&names, "and")
}

/// On which side of the nearest other thing it is, as the viewer sees it.
fn beside(thing: &Thing, world: &World<'_>) -> Option<String> {
    let below = world.support_of(thing).map(|below| below.id.as_str());
    let others = world.contents().filter(|other| {
        other.id != thing.id && below != Some(&other.id) && other.kind != Kind::Light
    });
    let far = |other: &&Thing| other.extent.distance(thing.extent);
    let nearest = others.min_by(|one, other| far(one).total_cmp(&far(other)))?;
    let sides = Sides::of(world.scene);
    let way = thing.extent.center() - nearest.extent.center();
    let (across, along) = (way.dot(sides.right), way.dot(sides.front));
    let side = match (across.abs() >= along.abs(), across > 0.0, along > 0.0) {
        (true, true, _) => "to the right of",
        (true, false, _) => "to the left of",
        (false, _, true) => "in front of",
        (false, _, false) => "behind",
    };
    Some(format!(", {side} {}", the(&nearest.id)))
}

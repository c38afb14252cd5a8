//! Making whole scenes of the catalogue: "build a cosy living room".

use crate::catalogue::{Mood, Theme, catalogue};
use crate::language::asks_to_make;
use crate::world::World;

use super::Planner;

/// Words that say no more than that a scene is wanted.
const SAYING_NOTHING: [&str; 9] =
    ["a", "an", "the", "me", "scene", "picture", "with", "of", "some"];

/// The themed scene that a clause asks for as a whole, and its adjectives; `None` for every other
/// clause, also one that says more.
pub(super) fn theme_of(clause: &str) -> Option<(&'static Theme, Vec<String>)> {
    let wish = asks_to_make(clause)?;
    let words: Vec<&str> = wish
        .split(|letter: char| !letter.is_alphanumeric() && letter != '-')
        .filter(|word| !word.is_empty())
        .collect();
    named(&words).or_else(|| {
        // "a forest at night", "a village in winter".
        let at = words.iter().position(|word| ["at", "in", "during"].contains(word))?;
        let more = adjectives_in(words.get(at + 1..)?)?;
        let (theme, mut adjectives) = named(words.get(..at)?)?;
        adjectives.extend(more);
        Some((theme, adjectives))
    })
}

/// "a cosy living room": the scene of that name, what stands before it being adjectives.
fn named(words: &[&str]) -> Option<(&'static Theme, Vec<String>)> {
    (0..words.len()).find_map(|start| {
        let (before, name) = words.split_at(start);
        Some((theme_called(name)?, adjectives_in(before)?))
    })
}

fn adjectives_in(words: &[&str]) -> Option<Vec<String>> {
    let telling =
        words.iter().filter(|word| !SAYING_NOTHING.contains(&word.to_lowercase().as_str()));
    telling.map(|word| catalogue().adjective(word).map(str::to_owned)).collect()
}

fn theme_called(words: &[&str]) -> Option<&'static Theme> {
    let whole = catalogue().theme(&words.join(" "));
    whole.or_else(|| match words {
        [rest @ .., last] if last.eq_ignore_ascii_case("scene") && !rest.is_empty() => {
            catalogue().theme(&rest.join(" "))
        }
        _ => None,
    })
}

impl Planner {
    /// Puts a themed scene in the place of everything; what was there tells its seed, so that the
    /// same wish gives another one the next time. Whether it could be built.
    pub(super) fn stage(&mut self, theme: &Theme, adjectives: Vec<String>) -> bool {
        let mood = Mood { seed: self.world.things.len() as u64 % 97, adjectives };
        let Some(world) = theme.build(&mood).ok().and_then(|file| World::read(&file)) else {
            return false;
        };
        if !self.world.things.is_empty() {
            self.remark("I put it in the place of what was there; Undo brings that back.");
        }
        let things = world.things.into_iter().map(|mut thing| {
            thing.origin = None;
            thing
        });
        self.world.things = things.collect();
        self.world.environment = world.environment;
        self.world.camera = world.camera;
        self.context.focus.clear();
        self.camera_told = true;
        true
    }
}

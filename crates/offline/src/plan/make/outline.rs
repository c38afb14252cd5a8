//! Scenes of which the message itself tells what is in them: only the ground, the walls and the light are made.

use scene::Scene;

use crate::frames::{Frame, Head, Phrase};
use crate::plan::planner::{Done, Planner, Stopped};
use crate::resolve::{Kind, Thing, World};
use crate::tokens::lexicon;

/// So many things after the scene tell what is in it, and so many in all.
const TOLD_AFTER: usize = 2;
const TOLD: usize = 3;
/// What shines from below that, in metres, belongs to the contents: a campfire.
const HIGH: f64 = 10.0;
/// What is lower bounds no room.
const WALL: f64 = 1.0;
/// The light of a sky by day, as the mean of its upper color.
const DAY: f64 = 0.1;

/// What is left of a scene without its contents.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Outline {
    Room,
    Open,
    /// In the open, and of a scene that was dark.
    Day,
}

/// "My study. A desk, a chair and a globe.", "an empty campsite": whether what is in a scene is told, so that only the
/// scene itself is made. A forest is its trees.
pub(super) fn is_outlined(frame: &Frame, phrase: &Phrase, name: &str) -> bool {
    let lexicon = lexicon();
    if lexicon.has(name, "Filled") {
        return false;
    }
    let is_vacant = phrase.extra.as_deref().is_some_and(|word| lexicon.has(word, "Vacant"));
    let is_shell = lexicon.has(&phrase.word, "Shell")
        && (!phrase.with.is_empty() || !phrase.without.is_empty());
    let (own, after) = (told(&phrase.with), told(&frame.theme));
    is_vacant || is_shell || after >= TOLD_AFTER || own + after >= TOLD
}

/// How many kinds of things are named.
fn told(phrases: &[Phrase]) -> usize {
    let is_thing = |phrase: &&Phrase| {
        !matches!(phrase.head, Head::Theme(_) | Head::Scenery(_) | Head::Scene(_) | Head::Light(_))
    };
    phrases.iter().filter(is_thing).map(|phrase| 1 + told(&phrase.with)).sum()
}

/// Whether night, or another light, was told with a scene: "a campsite at night".
fn is_lit(phrase: &Phrase) -> bool {
    phrase.mood.is_some() || phrase.word.split(' ').any(|word| lexicon().has(word, "Mood"))
}

fn is_dark(scene: &Scene) -> bool {
    match &scene.environment {
        scene::Environment::Gradient(sky) => sky.top_color.get().iter().sum::<f64>() < 3.0 * DAY,
        _ => false,
    }
}

/// Leaves nothing of a scene but its floors, walls and backdrops, and the lights of its sky or ceiling. A campsite by
/// itself is shown at night; one of which only the ground is left, by day, unless the night is told.
pub(super) fn outlined(built: &mut Scene, phrase: &Phrase) -> Outline {
    let world = World::of(built);
    let setting = || world.things.iter().filter(|thing| thing.scenery);
    let has_walls = setting().any(|thing| thing.extent.size().y > WALL);
    let is_high = |thing: &&Thing| thing.kind == Kind::Light && thing.extent.min.y > HIGH;
    let high = world.things.iter().filter(is_high);
    let ids: Vec<String> = setting().chain(high).map(|thing| thing.id.clone()).collect();
    drop(world);
    let stays = |id: &scene::Id| ids.iter().any(|known| known == id.as_str());
    built.shapes.retain(|shape| stays(&shape.id));
    if has_walls {
        return Outline::Room;
    }
    let by_day = is_dark(built) && !is_lit(phrase);
    built.lights.retain(|light| !by_day && stays(&light.id));
    if by_day { Outline::Day } else { Outline::Open }
}

impl Planner<'_> {
    /// Makes what was told of an outlined scene, as if it were asked for by itself; the ids of what was named last.
    pub(super) fn add_what_was_told(
        &mut self,
        frame: &Frame,
        phrase: &Phrase,
    ) -> Done<Vec<String>> {
        let all = phrase.with.iter().chain(&frame.theme);
        let all = all.filter(|wanted| !matches!(wanted.head, Head::Theme(_)));
        let (own, things): (Vec<Phrase>, Vec<Phrase>) =
            all.cloned().partition(|wanted| matches!(wanted.head, Head::Scenery(_)));
        let scene = Phrase { with: own, ..phrase.clone() };
        let last = self.add_to_stage(&Frame { theme: Vec::new(), ..frame.clone() }, &scene)?;
        if things.is_empty() {
            return Ok(last);
        }
        match self.create(&Frame { theme: things, mood: None, ..frame.clone() }) {
            Err(Stopped(remark)) => self.remarks.push(remark),
            Ok(()) => return Ok(std::mem::take(&mut self.focus)),
        }
        Ok(last)
    }
}

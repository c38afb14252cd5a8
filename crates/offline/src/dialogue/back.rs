//! Steps back and forward, and what is brought back.

use std::sync::Arc;

use scene::{Operation, Scene, diff};

use crate::frames::{Dimension, Frame, Head, Phrase, Quality, Say};
use crate::plan::{Outcome, Remark};
use crate::resolve::{Thing, Unresolved, World, has_quality, resolve};

use super::state::State;

/// The scene with what was taken away and is named now, and the ids of that.
pub(super) fn brought_back(
    theme: &[Phrase],
    scene: &Scene,
    state: &State,
) -> Option<(Scene, Vec<String>)> {
    let phrase = theme.first().filter(|phrase| !matches!(phrase.head, Head::Pronoun(_)))?;
    state.past.iter().rev().find_map(|past| {
        let world = World::of(past);
        let mut ids = match resolve(phrase, &world, &state.context) {
            Ok(ids) | Err(Unresolved::Several(ids)) => ids,
            Err(Unresolved::Missing) => return None,
        };
        ids.retain(|id| scene.kind_of(id).is_none());
        let bodies = ids.iter().filter_map(|id| world.find(id)).flat_map(|thing| &thing.bodies);
        let members: Vec<&str> = bodies.map(|at| world.space.bodies()[*at].id).collect();
        let mut whole = scene.clone();
        for shape in past.shapes.iter().filter(|shape| members.contains(&shape.id.as_str())) {
            whole.shapes.push(shape.clone());
        }
        for light in past.lights.iter().filter(|light| members.contains(&light.id.as_str())) {
            whole.lights.push(light.clone());
        }
        (!members.is_empty()).then_some((whole, ids))
    })
}

/// The scene with what is named as it was before its last change, and the ids of that: "put the lamp back how it was",
/// "undo only the colour of the box".
pub(super) fn restored(
    frame: &Frame,
    scene: &Scene,
    state: &State,
) -> Option<(Scene, Vec<String>)> {
    if let Some(back) = looking_so(&frame.theme, scene, state) {
        return Some(back);
    }
    let world = World::of(scene);
    let mut ids: Vec<String> = Vec::new();
    for phrase in &frame.theme {
        match resolve(phrase, &world, &state.context) {
            Ok(found) | Err(Unresolved::Several(found)) => ids.extend(found),
            Err(Unresolved::Missing) => return None,
        }
    }
    if frame.theme.is_empty() {
        ids = state.context.focus.first().cloned().unwrap_or_default();
    }
    let bodies = ids.iter().filter_map(|id| world.find(id)).flat_map(|thing| &thing.bodies);
    let members: Vec<&str> = bodies.map(|at| world.space.bodies()[*at].id).collect();
    let looks = matches!(frame.dimension, Some(Dimension::Colour | Dimension::Material));
    // "how it was at the start" is as the oldest scene has it that is another, "how it was" as the last one.
    let first = state.past.iter().filter(|_| frame.steps.is_some());
    let last = state.past.iter().rev().filter(|_| frame.steps.is_none());
    first.chain(last).find_map(|past| {
        let mut whole = scene.clone();
        let mut is_changed = false;
        for id in &members {
            let at = whole.shapes.iter().position(|shape| shape.id.as_str() == *id);
            let old = past.shapes.iter().find(|shape| shape.id.as_str() == *id);
            if let (Some(at), Some(old)) = (at, old) {
                let now = &whole.shapes[at];
                let mut then = (**old).clone();
                if looks {
                    then = (**now).clone();
                    then.material = old.material.clone();
                }
                if then != **now {
                    is_changed = true;
                    whole.shapes[at] = Arc::new(then);
                }
            }
            let at = whole.lights.iter().position(|light| light.id.as_str() == *id);
            let old = past.lights.iter().find(|light| light.id.as_str() == *id);
            if let (Some(at), Some(old), false) = (at, old, looks)
                && whole.lights[at] != *old
            {
                is_changed = true;
                whole.lights[at] = old.clone();
            }
        }
        is_changed.then(|| (whole, ids.clone()))
    })
}

/// "put the red back": what was spoken of last with the look that it had when it was so.
fn looking_so(theme: &[Phrase], scene: &Scene, state: &State) -> Option<(Scene, Vec<String>)> {
    let [look] = theme else { return None };
    let is_look =
        |quality: &Quality| matches!(quality, Quality::Colour(_) | Quality::Material { .. });
    if !look.headless || look.qualities.is_empty() || !look.qualities.iter().all(is_look) {
        return None;
    }
    let ids = state.context.focus.first()?;
    state.past.iter().rev().find_map(|past| {
        let world = World::of(past);
        let things: Vec<&Thing> = ids.iter().filter_map(|id| world.find(id)).collect();
        let has = |thing: &&Thing, quality| has_quality(quality, thing, &world) == Some(true);
        let is_so = |thing: &&Thing| look.qualities.iter().all(|quality| has(thing, quality));
        if !things.iter().any(is_so) {
            return None;
        }
        let bodies = things.iter().flat_map(|thing| &thing.bodies);
        let members: Vec<&str> = bodies.map(|at| world.space.bodies()[*at].id).collect();
        let mut whole = scene.clone();
        for shape in whole.shapes.iter_mut().filter(|shape| members.contains(&shape.id.as_str())) {
            if let Some(old) = past.shapes.iter().find(|old| old.id == shape.id) {
                Arc::make_mut(shape).material = old.material.clone();
            }
        }
        Some((whole, ids.clone()))
    })
}

/// "undo that but keep the lamp": a scene gone back to, with what is to stay as it is now.
pub(super) fn keeping(frame: &Frame, back: Scene, now: &Scene, state: &State) -> Scene {
    let world = World::of(now);
    let mut kept: Vec<String> = Vec::new();
    for phrase in &frame.except {
        let found = resolve(phrase, &world, &state.context);
        kept.extend(
            found
                .or_else(|problem| match problem {
                    Unresolved::Several(ids) => Ok(ids),
                    missing => Err(missing),
                })
                .unwrap_or_default(),
        );
    }
    let of_kept = |id: &str, group: Option<&str>| {
        kept.iter().any(|kept| kept == id || Some(kept.as_str()) == group)
    };
    let mut whole = back;
    let looks = matches!(frame.dimension, Some(Dimension::Colour | Dimension::Material));
    for shape in now.shapes.iter() {
        let known = whole.shapes.iter().position(|old| old.id == shape.id);
        match known {
            Some(at) if looks && whole.shapes[at].material != shape.material => {
                let mut old = (*whole.shapes[at]).clone();
                old.material = shape.material.clone();
                whole.shapes[at] = Arc::new(old);
            }
            _ if !of_kept(shape.id.as_str(), shape.group.as_ref().map(|group| group.as_str())) => {}
            Some(at) => whole.shapes[at] = Arc::clone(shape),
            None => whole.shapes.push(Arc::clone(shape)),
        }
    }
    for light in now.lights.iter() {
        let known = whole.lights.iter().position(|old| old.id == light.id);
        if of_kept(light.id.as_str(), light.group.as_ref().map(|group| group.as_str())) {
            match known {
                Some(at) => whole.lights[at] = light.clone(),
                None => whole.lights.push(light.clone()),
            }
        }
    }
    whole
}

/// The scene that "undo" or "redo" leads to.
pub(super) fn gone_back(
    (say, steps): (Say, usize),
    scene: &Arc<Scene>,
    state: &State,
    outcome: &mut Outcome,
) -> Scene {
    let found = match say {
        Say::Undo => state.past.get(state.past.len().saturating_sub(steps)),
        Say::Redo | Say::BringBack => {
            state.undone.last().or_else(|| state.past.last().filter(|_| say == Say::BringBack))
        }
        _ => None,
    };
    match found {
        Some(found) => {
            // What came back, or changed back, is what is spoken of.
            let back = diff(scene, found)
                .into_iter()
                .filter(|change| change.operation != Operation::Remove);
            let whole = |change: scene::Change| {
                let group = change
                    .after
                    .as_ref()
                    .and_then(|after| after["group"].as_str().map(str::to_owned));
                group.or(change.id)
            };
            let mut ids: Vec<String> = back.filter_map(whole).collect();
            ids.dedup();
            if !ids.is_empty() {
                outcome.focus = ids;
            }
            (**found).clone()
        }
        None => {
            let what = match say {
                Say::Redo => "redo",
                Say::Continue => "go on with",
                _ => "undo",
            };
            outcome.remarks.push(Remark::Refused(format!("There is nothing to {what}.")));
            (**scene).clone()
        }
    }
}

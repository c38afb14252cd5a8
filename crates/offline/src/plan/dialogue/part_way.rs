//! Half of the last step taken back: "too far", "not that close", "back a little". Whatever the step was, what it
//! changed goes part of the way back to how it was.

use serde_json::{Map, Value, json};

use crate::history::Deed;
use crate::language::{
    Arrangement, CameraMove, Change, Clause, Comparison, Degree, Excess, Intent, Names, Place,
    Shift, Target, Way, hear,
};
use crate::plan::acts::again::intents;
use crate::plan::{Done, Planner, Problem};
use crate::world::{Camera, Thing};

/// How much of the way "too far" goes back.
pub(in crate::plan) const HALF: f64 = 0.5;
/// How much of the way "back a little" goes back.
pub(in crate::plan) const A_BIT: f64 = 0.35;

/// A small step away from the viewer.
pub(in crate::plan) const A_BIT_BACK: Change =
    Change::Shift(Shift { way: Way::Back, metres: None, degree: Some(Degree::Slight) });

/// Whether a message says that what the message before it did was too much.
pub(crate) fn is_moderated(before: &str, message: &str) -> bool {
    let wished = |message: &str| -> Vec<Intent> {
        let clauses = hear(message, &Names::default());
        clauses.iter().flat_map(|clause| intents(clause).to_vec()).collect()
    };
    wished(message).iter().any(|intent| match intent {
        Intent::Excess { excess, .. } => {
            wished(before).last().is_some_and(|before| leads_to(before, *excess))
        }
        _ => false,
    })
}

impl Planner {
    /// Lets all that a deed changed go this share of the way back; below 0 it goes on.
    pub(in crate::plan) fn go_part_way(&mut self, deed: &Deed, share: f64) -> Done {
        let before = deed.origin.as_ref().unwrap_or(&deed.before);
        let unchanged = self.world.clone();
        for id in &deed.ids {
            if let (Some(old), Some(now)) = (before.find(id), self.world.find_mut(id)) {
                *now = between(now, old, share);
            }
        }
        let looked = before.camera != self.world.camera;
        if looked {
            self.camera_told = true;
            self.world.camera = seen_between(&self.world.camera, &before.camera, share);
        }
        let environment = mixed(
            &Value::Object(self.world.environment.clone()),
            &Value::Object(before.environment.clone()),
            share,
        );
        if let Value::Object(environment) = environment {
            self.world.environment = environment;
        }
        if self.world == unchanged {
            return Err(Problem::Cannot(
                "I don't know what of the last step was too much; say what to change, please."
                    .to_owned(),
            ));
        }
        let there = |id: &String| self.world.find(id).is_some();
        self.context.focus = deed.ids.iter().filter(|id| there(id)).cloned().collect();
        Ok(())
    }

    /// Whether there is a way from where things were to where they are.
    pub(in crate::plan) fn goes_part_way(&self, deed: &Deed, clause: &Clause) -> bool {
        !self.all_made_by(deed) && intents(clause).iter().any(|intent| way_of(intent).is_some())
    }

    /// "too far", "too big": half of the last step back where that made it so, else what is wished
    /// otherwise.
    pub(crate) fn moderate(&mut self, excess: Excess, otherwise: &Intent, clause: &Clause) -> Done {
        let caused = self.last.clone().and_then(|deed| {
            let wish = self.wish_in(&deed.message, crate::plan::acts::again::acts)?;
            intents(&wish).iter().any(|intent| leads_to(intent, excess)).then_some((deed, wish))
        });
        match caused {
            Some((deed, wish)) if self.all_made_by(&deed) => match (excess, reference_of(&wish)) {
                (Excess::Close, Some(target)) => {
                    let ids = deed.ids.into_iter().map(crate::language::Phrase::named);
                    let away = Change::Away { target, metres: None, degree: None };
                    self.change(&Target(ids.collect()), &[away])
                }
                _ => self.carry_out(otherwise, clause),
            },
            Some((deed, _)) => self.go_part_way(&deed, HALF),
            None => {
                let wish = std::slice::from_ref(otherwise);
                let intents = self.camera_again(clause, wish);
                let intents = intents.or_else(|| self.shade_again(clause, wish));
                let intents = intents.unwrap_or_else(|| vec![otherwise.clone()]);
                intents.iter().try_for_each(|intent| self.carry_out(intent, clause))
            }
        }
    }
}

/// What something new was placed by.
fn reference_of(clause: &Clause) -> Option<Target> {
    intents(clause).iter().find_map(|intent| {
        let Intent::Create(phrases) = intent else { return None };
        phrases.iter().flat_map(|phrase| &phrase.places).find_map(|place| match place {
            Place::Relative { target, .. } => Some(target.clone()),
            _ => None,
        })
    })
}

/// In which way something went.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Went {
    /// Some way, told.
    To(Way),
    /// To a place: close to something or far from where it was.
    Somewhere,
    Nearer,
    Farther,
    More(Comparison),
}

fn way_of(intent: &Intent) -> Option<Went> {
    let by_factor = |factor: f64| if factor > 1.0 { Went::Farther } else { Went::Nearer };
    match intent {
        Intent::Change { changes, .. } => changes.iter().find_map(|change| match change {
            Change::Shift(shift) => Some(Went::To(shift.way)),
            Change::Place(_) | Change::Coordinate { .. } => Some(Went::Somewhere),
            Change::Away { .. } => Some(Went::Farther),
            Change::Compare { comparison, .. } | Change::Grow { comparison, .. } => {
                Some(Went::More(*comparison))
            }
            _ => None,
        }),
        Intent::Arrange { how: Arrangement::Spread(factor), .. } => Some(by_factor(*factor)),
        Intent::Arrange { .. } => Some(Went::Somewhere),
        Intent::Expose(factor) if *factor > 1.0 => Some(Went::More(Comparison::Brighter)),
        Intent::Expose(_) => Some(Went::More(Comparison::Darker)),
        Intent::Camera(CameraMove::Distance(factor)) => Some(by_factor(*factor)),
        Intent::Camera(CameraMove::Shift(shift)) => Some(Went::To(shift.way)),
        Intent::Camera(CameraMove::Close(_) | CameraMove::LookAt(_) | CameraMove::Show(_)) => {
            Some(Went::Nearer)
        }
        Intent::Camera(CameraMove::Orbit(_) | CameraMove::Tilt(..) | CameraMove::Frame) => {
            Some(Went::Farther)
        }
        Intent::Create(phrases) => {
            phrases.iter().any(|phrase| !phrase.places.is_empty()).then_some(Went::Somewhere)
        }
        _ => None,
    }
}

/// Whether what was done can have led to the excess.
fn leads_to(intent: &Intent, excess: Excess) -> bool {
    let Some(went) = way_of(intent) else { return false };
    match (excess, went) {
        (Excess::Far, Went::Nearer) | (Excess::Close, Went::Farther) => false,
        (Excess::Far, Went::More(comparison)) => {
            matches!(comparison, Comparison::Farther | Comparison::Higher | Comparison::Lower)
        }
        (Excess::Close, Went::More(comparison)) => comparison == Comparison::Closer,
        (Excess::Far | Excess::Close, _) => true,
        (Excess::Moved(way), Went::To(went)) => way == went,
        (
            Excess::Rather(Comparison::Shorter),
            Went::More(Comparison::Higher) | Went::To(Way::Up),
        ) => true,
        (Excess::Moved(Way::Up), Went::More(comparison)) => comparison == Comparison::Higher,
        (Excess::Moved(Way::Down), Went::More(comparison)) => comparison == Comparison::Lower,
        (Excess::Rather(wanted), Went::More(comparison)) => opposes(wanted, comparison),
        (Excess::Moved(_) | Excess::Rather(_), _) => false,
    }
}

/// Whether less of the one is what the other wishes.
fn opposes(wanted: Comparison, comparison: Comparison) -> bool {
    use Comparison::{
        Bigger, Brighter, Cooler, Darker, Deeper, Flatter, Lighter, Longer, Narrower, Shorter,
        Smaller, Taller, Warmer, Wider,
    };
    match wanted {
        Smaller => matches!(comparison, Bigger | Taller | Wider | Longer | Deeper),
        Bigger => matches!(comparison, Smaller | Shorter | Narrower | Flatter),
        Taller => matches!(comparison, Shorter | Flatter),
        Shorter | Flatter => comparison == Taller,
        Narrower => matches!(comparison, Wider | Longer),
        Wider => comparison == Narrower,
        Darker => matches!(comparison, Brighter | Lighter),
        Brighter => comparison == Darker,
        Warmer => comparison == Cooler,
        Cooler => comparison == Warmer,
        _ => false,
    }
}

/// A thing on the way from how it is to how it was.
fn between(now: &Thing, old: &Thing, share: f64) -> Thing {
    let told = |thing: &Thing| Value::Object(thing.properties());
    if now.type_name() != old.type_name() {
        return now.clone();
    }
    let file = json!({
        "id": now.id, "type": now.type_name(), "properties": mixed(&told(now), &told(old), share),
    });
    let read = Thing::read(&file, now.is_light());
    read.map_or_else(|| now.clone(), |read| Thing { body: read.body, ..now.clone() })
}

/// Every number on the way from the one value to the other; what is not alike stays.
fn mixed(now: &Value, old: &Value, share: f64) -> Value {
    match (now, old) {
        (Value::Number(now), Value::Number(old)) => {
            let (now, old) = (now.as_f64().unwrap_or(0.0), old.as_f64().unwrap_or(0.0));
            if now == old {
                return json!(now);
            }
            // What was above 0 stays so, however far it goes on.
            let there = now + (old - now) * share;
            json!(if now > 0.0 && old > 0.0 { there.max(0.1 * now) } else { there })
        }
        (Value::Array(now), Value::Array(old)) if now.len() == old.len() => {
            now.iter().zip(old).map(|(now, old)| mixed(now, old, share)).collect()
        }
        (Value::Object(now), Value::Object(old)) => {
            let entries = now.iter().map(|(key, value)| {
                let other = old.get(key).unwrap_or(value);
                (key.clone(), mixed(value, other, share))
            });
            Value::Object(entries.collect::<Map<_, _>>())
        }
        _ => now.clone(),
    }
}

fn seen_between(now: &Camera, old: &Camera, share: f64) -> Camera {
    Camera {
        center: now.center.lerp(old.center, share),
        look_at: now.look_at.lerp(old.look_at, share),
        vfov: (now.vfov + (old.vfov - now.vfov) * share).clamp(1.0, 170.0),
        aperture: (now.aperture + (old.aperture - now.aperture) * share).max(0.0),
        ..*now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_part_of_the_way_and_the_rest_stays() {
        let now = json!({ "center": [0.0, 1.0, 4.0], "radius": 2.0, "material": "oak" });
        let old = json!({ "center": [0.0, 1.0, 0.0], "radius": 1.0, "material": "glass" });
        let half = json!({ "center": [0.0, 1.0, 2.0], "radius": 1.5, "material": "oak" });
        assert_eq!(mixed(&now, &old, 0.5), half);
        assert_eq!(
            mixed(&json!({ "a": [1, 2] }), &json!({ "a": [1] }), 0.5),
            json!({ "a": [1, 2] })
        );
    }
}

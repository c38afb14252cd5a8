//! The last plans, so that telling what was done need not think it through again: between acting and the
//! answer the same message is planned over the same scene, and what a conversation speaks of is found by
//! reading its last messages once more.
//!
//! Planning is a pure function, so nothing but time depends on what is remembered.

use std::collections::VecDeque;
use std::sync::{LazyLock, Mutex};

use super::{Dialogue, Plan};
use crate::world::World;

/// How many plans are remembered: a few messages of a few conversations at a time.
const MOST_PLANS: usize = 12;

/// Scenes of more things than this are planned anew: remembering must not weigh much.
const MOST_THINGS: usize = 4_000;

/// A plan and what it was made for.
struct Remembered {
    message: String,
    world: World,
    dialogue: Dialogue,
    plan: Plan,
}

/// The newest last. A mutex, since requests of several sessions come at a time; it is held to look and to
/// put in, never while planning.
static PLANS: LazyLock<Mutex<VecDeque<Remembered>>> = LazyLock::new(|| Mutex::new(VecDeque::new()));

/// What `plan` makes of the message, or made of it before.
pub(super) fn remembered(
    message: &str,
    world: &World,
    dialogue: &Dialogue,
    plan: fn(&str, &World, &Dialogue) -> Plan,
) -> Plan {
    let same = |known: &&Remembered| {
        known.message == message && known.dialogue == *dialogue && known.world == *world
    };
    // A plan that panicked is none; what others remembered stays good.
    let lock = || PLANS.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(known) = lock().iter().rev().find(same) {
        return known.plan.clone();
    }
    let made = plan(message, world, dialogue);
    if world.things.len().max(made.world.things.len()) <= MOST_THINGS {
        let mut plans = lock();
        plans.push_back(Remembered {
            message: message.to_owned(),
            world: world.clone(),
            dialogue: dialogue.clone(),
            plan: made.clone(),
        });
        let surplus = plans.len().saturating_sub(MOST_PLANS);
        plans.drain(..surplus);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_was_planned() {
        let (world, dialogue) = (World::default(), Dialogue::default());
        let first = super::super::plan("a red sphere", &world, &dialogue);
        let other = super::super::plan("a blue sphere", &world, &dialogue);
        assert_eq!(super::super::plan("a red sphere", &world, &dialogue), first);
        assert_ne!(first, other);
        for count in 0..2 * MOST_PLANS {
            let _ = super::super::plan(&format!("{} cones", count + 1), &world, &dialogue);
        }
        assert!(PLANS.lock().unwrap().len() <= MOST_PLANS);
    }
}

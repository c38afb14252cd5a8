//! The last plans, so that telling what was done need not think it through again: between acting and the
//! answer the same message is planned over the same scene, and what a conversation speaks of is found by
//! reading its last messages once more.

use std::sync::Arc;

use crate::memory::Memory;
use crate::plan::{Dialogue, Plan};
use crate::world::World;

/// Plans for a few messages of a few conversations at a time.
static PLANS: Memory<(String, Arc<World>, Dialogue), Arc<Plan>> = Memory::new(12);

/// Scenes of more things than this are planned anew: remembering must not weigh much.
const MOST_THINGS: usize = 4_000;

/// What `plan` makes of the message, or made of it before.
pub(in crate::plan) fn remembered(
    message: &str,
    world: &Arc<World>,
    dialogue: &Dialogue,
    plan: fn(&str, &World, &Dialogue) -> Plan,
) -> Arc<Plan> {
    let known =
        PLANS.recall(|(known, scene, talk)| known == message && talk == dialogue && scene == world);
    known.unwrap_or_else(|| {
        let made = Arc::new(plan(message, world, dialogue));
        if world.things.len().max(made.world.things.len()) <= MOST_THINGS {
            PLANS.keep((message.to_owned(), world.clone(), dialogue.clone()), made.clone());
        }
        made
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_was_planned() {
        let (world, dialogue) = (Arc::new(World::default()), Dialogue::default());
        let first = crate::plan::plan("a red sphere", &world, &dialogue);
        let other = crate::plan::plan("a blue sphere", &world, &dialogue);
        assert_eq!(crate::plan::plan("a red sphere", &world, &dialogue), first);
        assert_ne!(first, other);
    }
}

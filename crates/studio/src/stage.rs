//! Automatic staging of a scene after each edit.

use std::sync::Arc;

use scene::{Draft, Scene, Violations};
use spatial::{Space, StageRule, concerns_stage, stage_edits};

/// The note in the result of a call that set up the stage.
pub(crate) const STAGE_BEGAN: &str = "the scene was empty: it also got ground, key and fill light, a backdrop and a camera \
                           (group 'stage'); they follow what you add, and each gives way to one of yours";

/// Sets up, adapts or removes the stage after a change of the scene from `before`; returns whether
/// it is new.
pub(crate) fn keep_stage(
    before: &Scene,
    draft: &mut Draft,
    rule: StageRule,
) -> Result<bool, Violations> {
    if !concerns_stage(before, rule) {
        return Ok(false);
    }
    let after = draft.clone();
    let assets = Arc::clone(draft.assets());
    let edits =
        stage_edits(&Space::of(before, &*assets), &Space::of(after.scene(), &*assets), rule);
    for edit in &edits {
        draft.apply(edit)?;
    }
    Ok(before.shapes.is_empty() && !edits.is_empty())
}

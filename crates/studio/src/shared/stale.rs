//! The check for edits of objects that their author has not seen in their current state.

use scene::{Edit, Kind, Revision, Violations};

/// Rejects edits of objects that changed since their author last saw them.
pub(super) fn refuse_stale(
    edits: &[Edit],
    now: &Revision,
    other: &str,
    is_stale: impl Fn(Kind, &str) -> bool,
) -> Result<(), Violations> {
    let targets = edits.iter().flat_map(|edit| {
        let is_put = matches!(edit, Edit::Put(_));
        edit.targets().into_iter().map(move |(kind, id)| (kind, id, is_put))
    });
    let violations = targets.filter_map(|(kind, id, is_put)| {
        // Creating an object in place of a removed one overwrites nothing.
        if !is_stale(kind, id) || (is_put && now.scene.thing(kind, id).is_none()) {
            return None;
        }
        let name = match id {
            "" => format!("the {}", kind.name()),
            id => format!("{} '{id}'", kind.name()),
        };
        Some(Violations::one(match now.scene.thing(kind, id) {
            Some(value) => format!(
                "{name} was changed by {other} in the meantime, and that change stands; it is now \
                 {value}. Change it again only if that is still wanted"
            ),
            None => format!("{name} was removed by {other} in the meantime"),
        }))
    });
    Violations::joined(violations).map_or(Ok(()), Err)
}

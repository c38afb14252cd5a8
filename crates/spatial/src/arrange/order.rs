//! `reorder`: the order of the lists of a scene, as its outline shows them.

use scene::{Edit, Group, Id, Kind, Objects, Order, Violations, properties};

use crate::args::Ids;
use crate::plan::{Plan, Planned};
use crate::space::Space;

/// The name of the call.
pub(crate) const REORDER: &str = "reorder";

properties! {
    /// Arguments of `reorder`.
    pub struct Reorder {
        /// Shapes, lights or groups: all of one kind.
        pub ids: Ids,
        /// What comes right after them then; left out, they go to the end of their list.
        pub before: Option<Id> = None,
    }
}

impl Planned for Reorder {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let ids = self.ids.as_slice();
        if let Some(before) = self.before.as_ref().filter(|before| ids.contains(before)) {
            return Err(Violations::one(format!(
                "reorder property 'before': '{before}' is among the ids; name what stays"
            )));
        }
        let mut first: Option<(&Id, Kind)> = None;
        for id in ids.iter().chain(&self.before) {
            let kind = space.scene.kind_of(id.as_str()).and_then(Kind::from_name);
            let kind = kind.ok_or_else(|| Violations::one(space.unknown(id.as_str())))?;
            match first {
                Some((other, of)) if of != kind => {
                    return Err(Violations::one(format!(
                        "reorder: '{id}' is a {}, but '{other}' is a {}; each kind has a list of \
                         its own",
                        kind.name(),
                        of.name()
                    )));
                }
                _ => first = first.or(Some((id, kind))),
            }
        }
        let Some((_, kind)) = first else { return Ok(Plan::default()) };
        let order = Order { kind, ids: ids.to_vec(), before: self.before.clone() };
        let listed = Edit::Put(Objects { groups: unlisted(space, kind), ..Objects::default() });
        Ok(Plan { edits: vec![listed, Edit::Reorder(order)], ..Plan::default() })
    }
}

/// The groups that things only carry: to be put in order they have to be listed.
fn unlisted(space: &Space<'_>, kind: Kind) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    if kind != Kind::Group {
        return groups;
    }
    for id in space.scene.group_ids() {
        let is_listed = space.scene.groups.iter().any(|group| group.id.as_str() == id)
            || groups.iter().any(|group| group.id.as_str() == id);
        if !is_listed {
            groups.extend(Id::new(id).map(|id| space.listed(id)));
        }
    }
    groups
}

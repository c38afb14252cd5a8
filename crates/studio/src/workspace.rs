//! The part of a scene that an agent may change. It is checked where edits are applied, whatever a model was
//! told.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use scene::{Change, Kind, Operation, Scene, Violations, diff};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::attention::{Key, key_of};
use crate::carry_out::Progress;

/// What an agent may change. Whatever it adds itself it may change as well.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scope {
    /// The kinds of things; none means that nothing may be changed.
    #[serde(default)]
    pub kinds: BTreeSet<Kind>,
    /// The groups of the shapes and lights, as ids or patterns such as `desk_*`; `None` means all, and what
    /// is in no group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<String>>,
    /// The properties; with them nothing is added or removed. `None` means all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub properties: Option<Vec<String>>,
}

impl Scope {
    /// Whether nothing may be changed.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The same for these groups only, as far as this scope has them. The error names a group that it has not.
    pub fn within(&self, groups: &[String]) -> Result<Self, String> {
        for group in groups {
            if self.groups.as_ref().is_some_and(|own| !own.iter().any(|own| fits(own, group))) {
                let own = self.groups.as_deref().unwrap_or_default().join(", ");
                return Err(format!("the group '{group}' is not among those it may change: {own}"));
            }
        }
        Ok(Self { groups: Some(groups.to_vec()), ..self.clone() })
    }

    /// Whether a change within one scope may concern something of the other.
    pub fn overlaps(&self, other: &Self) -> bool {
        let in_groups = |kind: &Kind| matches!(kind, Kind::Shape | Kind::Light | Kind::Group);
        let groups_overlap = match (&self.groups, &other.groups) {
            (Some(mine), Some(theirs)) => {
                mine.iter().any(|mine| theirs.iter().any(|other| meet(mine, other)))
            }
            _ => true,
        };
        self.kinds.intersection(&other.kinds).any(|kind| !in_groups(kind) || groups_overlap)
    }

    /// Why a change is not within this scope; `None` if it is.
    fn refuses(&self, change: &Change, now: &Now<'_>) -> Option<String> {
        let what = match &change.id {
            Some(id) => format!("{} '{id}'", change.kind.name()),
            None => format!("the {}", change.kind.name()),
        };
        if !self.kinds.contains(&change.kind) {
            let kinds: Vec<&str> = self.kinds.iter().map(|kind| kind.name()).collect();
            let may = if kinds.is_empty() { "nothing".into() } else { kinds.join(", ") };
            return Some(format!(
                "{what} may not be changed by this agent, which may change: {may}"
            ));
        }
        if change.before.is_some() && now.is_added(&key_of(change)) {
            return None;
        }
        if let Some(own) = &self.properties {
            if change.operation != Operation::Update {
                return Some(format!(
                    "{what} may not be added or removed by this agent, which may change: {}",
                    own.join(", ")
                ));
            }
            let other = changed_properties(change).into_iter().find(|name| !own.contains(name));
            if let Some(name) = other {
                return Some(format!(
                    "'{name}' of {what} may not be changed by this agent, which may change: {}",
                    own.join(", ")
                ));
            }
        }
        let own = self.groups.as_ref()?;
        let is_own = |group: &String| {
            let is_added = now.is_added(&(Kind::Group, group.clone()));
            is_added || own.iter().any(|own| fits(own, group))
        };
        let was_own = change
            .before
            .as_ref()
            .is_none_or(|value| now.before.path(change.kind, value).iter().any(is_own));
        // What is new may be in no group.
        let stays_own = change.after.as_ref().is_none_or(|value| {
            let path = now.after.path(change.kind, value);
            path.iter().any(is_own) || (path.is_empty() && change.before.is_none())
        });
        if was_own && stays_own {
            return None;
        }
        Some(format!(
            "{what} may not be changed by this agent, which may change what is in: {}",
            own.join(", ")
        ))
    }
}

/// A call whose changes are looked at.
struct Now<'a> {
    /// The groups before the call, and after it.
    before: Groups,
    after: Groups,
    /// The scene before the batch that the call belongs to.
    base: &'a Scene,
    base_groups: Groups,
    /// What the agent has added in earlier batches.
    added: &'a HashSet<Key>,
}

impl Now<'_> {
    /// Whether the agent has added this itself, in this batch or in an earlier one.
    fn is_added(&self, key: &Key) -> bool {
        let (kind, id) = key;
        let is_new = match kind {
            Kind::Shape | Kind::Light => self.base.thing(*kind, id).is_none(),
            Kind::Group => !self.base_groups.has(id),
            Kind::Environment | Kind::Camera | Kind::Animation => false,
        };
        is_new || self.added.contains(key)
    }
}

/// The groups of a scene with their parents.
struct Groups(BTreeMap<String, Option<String>>);

impl Groups {
    fn of(scene: &Scene) -> Self {
        let text = |id: &scene::Id| id.as_str().to_owned();
        let mut groups: BTreeMap<_, _> =
            scene.group_ids().map(|group| (group.to_owned(), None)).collect();
        groups.extend(
            scene.groups.iter().map(|group| (text(&group.id), group.parent.as_ref().map(text))),
        );
        Self(groups)
    }

    fn has(&self, group: &str) -> bool {
        self.0.contains_key(group)
    }

    /// The groups that a thing is in, from the innermost out; a group is in itself.
    fn path(&self, kind: Kind, thing: &Value) -> Vec<String> {
        let field = if kind == Kind::Group { "id" } else { "group" };
        let mut path: Vec<String> = thing[field].as_str().map(str::to_owned).into_iter().collect();
        // A document has no circles among its groups.
        while let Some(Some(parent)) = path.last().and_then(|last| self.0.get(last)) {
            path.push(parent.clone());
        }
        path
    }
}

/// The names of the properties in which both states of a thing differ; `type`, `group` and others beside them
/// count as well.
fn changed_properties(change: &Change) -> BTreeSet<String> {
    let fields = |value: &Option<Value>| -> BTreeMap<String, Value> {
        let Some(Value::Object(fields)) = value else { return BTreeMap::new() };
        let mut all = BTreeMap::new();
        for (name, value) in fields {
            match (name.as_str(), value) {
                ("properties", Value::Object(inner)) => {
                    all.extend(inner.iter().map(|(name, value)| (name.clone(), value.clone())));
                }
                _ => drop(all.insert(name.clone(), value.clone())),
            }
        }
        all
    };
    let (before, after) = (fields(&change.before), fields(&change.after));
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    names.into_iter().filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}

/// Whether an id fits a pattern, in which `*` stands for any letters.
fn fits(pattern: &str, id: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = id.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether an id may fit both patterns. Two with stars are taken to, unless their beginnings differ.
fn meet(one: &str, other: &str) -> bool {
    match (one.contains('*'), other.contains('*')) {
        (false, false) => one == other,
        (true, false) => fits(one, other),
        (false, true) => fits(other, one),
        (true, true) => {
            let start = |pattern: &str| pattern.split('*').next().unwrap_or_default().to_owned();
            let (one, other) = (start(one), start(other));
            one.starts_with(&other) || other.starts_with(&one)
        }
    }
}

/// What an agent works in: what it may change, and what it has changed so far.
#[derive(Debug, Default)]
pub struct Workspace {
    scope: Scope,
    /// Locked for one edit or one look; never across an await.
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// What it has added and may therefore change.
    added: HashSet<Key>,
    /// The ids of what it has changed, or the kind of what has none.
    changed: BTreeSet<String>,
    /// Its last batch, if that stopped; it can be corrected until the next one stops.
    stopped: Option<Progress>,
}

impl Workspace {
    /// A workspace in which nothing was changed yet.
    pub fn new(scope: Scope) -> Self {
        Self { scope, state: Mutex::default() }
    }

    /// The ids of what was changed, or the kind of what has none, sorted.
    pub fn changed(&self) -> Vec<String> {
        self.lock().changed.iter().cloned().collect()
    }

    /// Whether a call that changed the scene from `before` to `after`, in a batch that began with `base`, is
    /// within the scope; the error tells each thing that is not.
    pub(crate) fn check(
        &self,
        base: &Scene,
        before: &Scene,
        after: &Scene,
    ) -> Result<(), Violations> {
        let state = self.lock();
        let now = Now {
            before: Groups::of(before),
            after: Groups::of(after),
            base,
            base_groups: Groups::of(base),
            added: &state.added,
        };
        let changes = diff(before, after);
        let refused = changes.iter().filter_map(|change| self.scope.refuses(change, &now));
        Violations::joined(refused.map(Violations::one)).map_or(Ok(()), Err)
    }

    /// Notes changes from `before` that were made.
    pub(crate) fn note(&self, before: &Scene, changes: &[Change]) {
        let mut state = self.lock();
        let known = Groups::of(before);
        for change in changes {
            if change.operation == Operation::Create {
                state.added.insert(key_of(change));
                let group = change.after.as_ref().and_then(|thing| thing["group"].as_str());
                if let Some(group) = group.filter(|group| !known.has(group)) {
                    state.added.insert((Kind::Group, group.to_owned()));
                }
            }
            let name = change.id.clone().unwrap_or_else(|| change.kind.name().to_owned());
            state.changed.insert(name);
        }
    }

    pub(crate) fn stopped(&self) -> Option<Progress> {
        self.lock().stopped.clone()
    }

    pub(crate) fn stop_at(&self, progress: Option<Progress>) {
        self.lock().stopped = progress;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Each change is one assignment, so a poisoned lock is safe to use.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scope(kinds: &[Kind], groups: Option<&[&str]>) -> Scope {
        let groups = groups.map(|groups| groups.iter().map(ToString::to_string).collect());
        Scope { kinds: kinds.iter().copied().collect(), groups, properties: None }
    }

    #[test]
    fn patterns_fit_as_a_whole() {
        for (pattern, id, expected) in [
            ("desk", "desk", true),
            ("desk", "desk_2", false),
            ("desk*", "desk_2", true),
            ("*lamp", "desk_lamp", true),
            ("a*b*c", "a_b_c", true),
            ("a*b*c", "a_c_b", false),
            ("*", "", true),
        ] {
            assert_eq!(fits(pattern, id), expected, "{pattern} {id}");
        }
    }

    #[test]
    fn scopes_of_other_kinds_or_groups_do_not_overlap() {
        let lights = scope(&[Kind::Light, Kind::Environment], None);
        let shapes = scope(&[Kind::Shape, Kind::Group], None);
        assert!(!lights.overlaps(&shapes) && lights.overlaps(&lights));
        let desk = scope(&[Kind::Shape], Some(&["desk*"]));
        let sofa = scope(&[Kind::Shape], Some(&["sofa"]));
        assert!(!desk.overlaps(&sofa) && desk.overlaps(&shapes));
        assert!(desk.overlaps(&scope(&[Kind::Shape], Some(&["desk_2"]))));
        assert!(desk.overlaps(&scope(&[Kind::Shape], Some(&["d*"]))));
        // The camera is in no group.
        let camera = |group: &str| scope(&[Kind::Camera], Some(&[group]));
        assert!(camera("a").overlaps(&camera("b")));
        assert!(!scope(&[], None).overlaps(&shapes));
    }

    #[test]
    fn a_scope_is_narrowed_only_to_groups_that_it_has() {
        let desk = scope(&[Kind::Shape], Some(&["desk*"]));
        assert_eq!(desk.within(&["desk_2".into()]).unwrap().groups.unwrap(), ["desk_2"]);
        assert!(desk.within(&["sofa".into()]).unwrap_err().contains("'sofa'"));
    }
}

//! What happened for one message.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::deed::Done;
use crate::answer::Outcome;
use crate::plan::Call;
use crate::world::World;

/// A look at the scene, read when first asked for.
#[derive(Debug, Clone)]
pub(crate) struct Look<'a> {
    file: &'a Value,
    world: Rc<OnceCell<Option<Arc<World>>>>,
}

/// What happened for a message, in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step<'a> {
    /// The scene was looked at.
    Look(Look<'a>),
    /// Looking failed; the error.
    Blind(Cow<'a, str>),
    /// Calls that change the scene, and how they ended.
    Wave(Vec<Outcome<'a>>),
    /// The scene was looked over for mistakes; what was found, null where that failed.
    Check(&'a Value),
}

/// One message of the person (or several that came before anything was done) and its steps.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Job<'a> {
    pub(crate) message: String,
    pub(crate) selection: Vec<String>,
    pub(crate) steps: Vec<Step<'a>>,
    /// The clause this model had asked about before it.
    pub(crate) answers: Option<String>,
    /// Whether it was cut off: what is left of it is done only when the person says so.
    pub(super) interrupted: bool,
}

/// A thing that a job made or changed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Touched<'a> {
    pub(super) id: &'a str,
    /// Whether it was made then.
    pub(super) new: bool,
    pub(super) light: bool,
}

impl<'a> Look<'a> {
    pub(super) fn new(file: &'a Value) -> Self {
        Self { file, world: Rc::default() }
    }

    /// The scene; none where what came back is no scene at all.
    pub(crate) fn world(&self) -> Option<Arc<World>> {
        self.world.get_or_init(|| World::read(self.file).map(Arc::new)).clone()
    }
}

impl PartialEq for Look<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.file == other.file
    }
}

impl<'a> Job<'a> {
    /// Every call that was made for it, with its result.
    pub(crate) fn outcomes(&self) -> impl Iterator<Item = &Outcome<'a>> {
        self.steps.iter().flat_map(|step| match step {
            Step::Wave(outcomes) => outcomes.as_slice(),
            Step::Look(_) | Step::Blind(_) | Step::Check(_) => &[],
        })
    }

    fn done(&self) -> impl Iterator<Item = &Outcome<'a>> {
        self.outcomes().filter(|outcome| outcome.result.is_ok())
    }

    /// What was found when it was looked over after the last change.
    pub(crate) fn last_check(&self) -> Option<&'a Value> {
        match self.steps.last() {
            Some(Step::Check(report)) => Some(report),
            _ => None,
        }
    }

    fn first_look(&self) -> Option<&Look<'a>> {
        self.steps.iter().find_map(|step| match step {
            Step::Look(look) => Some(look),
            _ => None,
        })
    }

    /// The scene as it was first looked at.
    pub(crate) fn before(&self) -> Option<Arc<World>> {
        self.first_look()?.world()
    }

    /// The calls that were cut off.
    pub(crate) fn interrupted_calls(&self) -> Vec<Call> {
        let cut = |outcome: &&Outcome| {
            outcome.result.as_ref().is_err_and(|error| super::tells_of_interruption(error))
        };
        self.outcomes().filter(cut).map(Outcome::call).collect()
    }

    /// What it did to the scene; none when nothing, or when the scene was not looked at.
    pub(super) fn deed(&self) -> Option<Done<'a>> {
        let before = self.first_look()?.clone();
        self.done().next()?;
        let ids = self.done().filter_map(Outcome::id).collect();
        let renamed =
            self.done().filter_map(|outcome| Some((outcome.id()?, outcome.new_id()?))).collect();
        let (message, said) = (self.message.clone(), self.message.clone());
        Some(Done { message, said, before, origin: None, ids, renamed })
    }

    /// The names of the things it removed, and the scene before.
    pub(super) fn taken_away(&self) -> Option<(Look<'a>, Vec<&'a str>)> {
        let removed = self.done().filter(|outcome| outcome.name.starts_with("remove_"));
        let ids: Vec<&str> = removed.filter_map(Outcome::id).collect();
        if ids.is_empty() {
            return None;
        }
        Some((self.first_look()?.clone(), ids))
    }

    /// Whether it made or changed things.
    pub(crate) fn touches(&self) -> bool {
        self.changes().next().is_some()
    }

    /// The things it made or changed, under the names they have after it; what was changed again stands
    /// where it was changed last.
    pub(super) fn touched(&self) -> Vec<Touched<'a>> {
        let mut known = HashSet::new();
        let mut touched: Vec<Touched> = self.changes().collect();
        touched.reverse();
        touched.retain(|touched| known.insert(touched.id));
        touched.reverse();
        touched
    }

    fn changes(&self) -> impl Iterator<Item = Touched<'a>> {
        self.done().filter_map(|outcome| {
            let new = outcome.name.starts_with("create_");
            if !new && !outcome.name.starts_with("update_") {
                return None;
            }
            let file = outcome.result.as_ref().ok()?;
            let named = file.get("id").and_then(Value::as_str);
            let id = named.or_else(|| outcome.id())?;
            Some(Touched { id, new, light: outcome.name.ends_with("_light") })
        })
    }
}

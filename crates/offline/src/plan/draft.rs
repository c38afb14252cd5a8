//! The scene that is planned on, with the things in it.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use scene::{Draft, Edit, Scene, SceneManager, Violations};
use serde_json::Value;

use crate::resolve::SceneWorld;

/// A draft whose things are looked up once in each of its states, by the first who asks for them. A copy shares what
/// is known of the state.
#[derive(Clone)]
pub(crate) struct PlanDraft {
    draft: Draft,
    state: OnceCell<Rc<SceneWorld>>,
}

impl PlanDraft {
    /// A draft that begins with a known state.
    pub(crate) fn from(state: &Rc<SceneWorld>) -> Self {
        let draft = SceneManager::new(state.world().scene.clone()).draft();
        Self { draft, state: OnceCell::from(Rc::clone(state)) }
    }

    pub(crate) fn scene(&self) -> &Scene {
        self.draft.scene()
    }

    /// The scene as it stands, with its things.
    pub(crate) fn state(&self) -> Rc<SceneWorld> {
        let known = || SceneWorld::of(Arc::new(self.draft.scene().clone()));
        Rc::clone(self.state.get_or_init(known))
    }

    /// Whether nothing is different from another draft of the same scene: what no edit touched is shared by both.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        fn same<T: PartialEq>(one: &[Arc<T>], other: &[Arc<T>]) -> bool {
            let alike = |(one, other): (&Arc<T>, &Arc<T>)| Arc::ptr_eq(one, other) || one == other;
            one.len() == other.len() && one.iter().zip(other).all(alike)
        }
        let (one, other) = (self.scene(), other.scene());
        one.camera == other.camera
            && one.environment == other.environment
            && one.groups == other.groups
            && one.animation == other.animation
            && same(&one.lights, &other.lights)
            && same(&one.shapes, &other.shapes)
    }

    /// Applies an edit and returns the changed object. After an error the draft is unchanged.
    pub(crate) fn apply(&mut self, edit: &Edit) -> Result<Value, Violations> {
        let changed = self.draft.apply(edit)?;
        self.state.take();
        Ok(changed)
    }
}

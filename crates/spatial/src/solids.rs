//! Solids that are known already, so that the space of a scene that changed a little is made quickly.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use scene::{Assets, Shape};

use crate::solid::Solid;

/// More are not kept: enough for some large scenes and all that changes in them.
const MAX_KNOWN: usize = 20_000;

/// A cache of the solids of shapes. A shape of a document never changes, it is replaced; so it is known by where it
/// lies in memory, which is kept for as long as the solid is.
#[derive(Debug, Default)]
pub struct Solids {
    known: RefCell<HashMap<*const Shape, Known>>,
}

#[derive(Debug)]
struct Known {
    solid: Option<Solid>,
    _shape: Arc<Shape>,
}

impl Solids {
    /// Forgets them all.
    pub fn clear(&self) {
        self.known.take();
    }

    /// The solid of a shape; `None` for a mesh that is not at hand.
    pub(crate) fn of(&self, shape: &Arc<Shape>, assets: &dyn Assets) -> Option<Solid> {
        let mut known = self.known.borrow_mut();
        if known.len() >= MAX_KNOWN {
            known.clear();
        }
        let entry = known.entry(Arc::as_ptr(shape)).or_insert_with(|| Known {
            solid: Solid::of_shape(&shape.geometry, assets),
            _shape: Arc::clone(shape),
        });
        entry.solid.clone()
    }
}

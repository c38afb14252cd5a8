//! The two lists of a document as one thing.

use std::sync::Arc;

use crate::document::{LightSource, MAX_LIGHTS, MAX_SHAPES, Object, Scene, Shape};
use crate::id::Id;

/// The list of the document that holds objects of one kind.
pub(super) trait Listed: Object + Clone {
    const MAX_COUNT: usize;
    fn list(scene: &Scene) -> &Vec<Arc<Self>>;
    fn list_mut(scene: &mut Scene) -> &mut Vec<Arc<Self>>;
    fn type_name(&self) -> &'static str;
    fn group(&self) -> Option<&Id>;
}

impl Listed for Shape {
    const MAX_COUNT: usize = MAX_SHAPES;

    fn list(scene: &Scene) -> &Vec<Arc<Self>> {
        &scene.shapes
    }

    fn list_mut(scene: &mut Scene) -> &mut Vec<Arc<Self>> {
        &mut scene.shapes
    }

    fn type_name(&self) -> &'static str {
        self.geometry.type_name()
    }

    fn group(&self) -> Option<&Id> {
        self.group.as_ref()
    }
}

impl Listed for LightSource {
    const MAX_COUNT: usize = MAX_LIGHTS;

    fn list(scene: &Scene) -> &Vec<Arc<Self>> {
        &scene.lights
    }

    fn list_mut(scene: &mut Scene) -> &mut Vec<Arc<Self>> {
        &mut scene.lights
    }

    fn type_name(&self) -> &'static str {
        self.light.type_name()
    }

    fn group(&self) -> Option<&Id> {
        self.group.as_ref()
    }
}

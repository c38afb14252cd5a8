//! The input of an export besides the scene, and its result.

use std::collections::BTreeSet;

use media::MeshData;
use mesh_files::MeshFileError;
use scene::{Light, Scene};

use super::Content;
use crate::SceneFileError;
use crate::cancel::{Cancelled, check_cancelled};

/// Loads the mesh of an asset by its name.
pub type MeshSource<'a> = &'a mut dyn FnMut(&str) -> Result<MeshData, MeshFileError>;

/// Reads the image file of an asset by its name.
pub type ImageSource<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, MeshFileError>;

/// The result of an export.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exported {
    /// The names and contents of the files; the first one is the scene and refers to the others.
    pub files: Vec<(String, Content)>,
    /// What the format cannot hold, one sentence for each loss.
    pub notes: BTreeSet<String>,
}

impl Exported {
    pub(crate) fn note(&mut self, note: &str) {
        self.notes.insert(note.to_owned());
    }

    /// Notes the losses that all formats have in common.
    pub(crate) fn note_losses(&mut self, scene: &Scene) {
        if scene.environment.fog().is_some() {
            self.note("other programs see no fog");
        }
        if scene.animation.is_some() {
            self.note("nothing moves: things stand as they do before the animation plays");
        }
        if scene.lights.iter().any(|source| matches!(source.light, Light::AreaDiscSpotLight(_))) {
            self.note("a disc light with a cone shines to its whole side");
        }
    }
}

/// The assets of the scene, and whether the export is cancelled.
pub struct Sources<'a> {
    /// Loads the meshes of shapes.
    pub meshes: MeshSource<'a>,
    /// Reads the image files of materials.
    pub images: ImageSource<'a>,
    /// Polled; once it returns true, the export ends with [`SceneFileError::Cancelled`].
    pub cancelled: Cancelled<'a>,
}

impl std::fmt::Debug for Sources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

impl Sources<'_> {
    /// Fails once the export is cancelled.
    pub(crate) fn check_cancelled(&self) -> Result<(), SceneFileError> {
        check_cancelled(self.cancelled)
    }

    /// [`check_cancelled`](Self::check_cancelled) once in 4096 steps of a loop.
    pub(crate) fn check_cancelled_at(&self, step: usize) -> Result<(), SceneFileError> {
        if step.is_multiple_of(4096) { self.check_cancelled() } else { Ok(()) }
    }
}

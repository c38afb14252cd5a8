//! What an export draws on, and what comes of it.

use std::collections::BTreeSet;

use media::MeshData;
use mesh_files::FileFault;
use scene::{Light, Scene};

use crate::content::Content;
use crate::fault::SceneFileFault;
use crate::work::{Cancelled, go_on};

/// Gets the triangles of a mesh by the name shapes use for it.
pub type MeshSource<'a> = &'a mut dyn FnMut(&str) -> Result<MeshData, FileFault>;

/// Gets the bytes of an image file by the name materials use for it.
pub type ImageSource<'a> = &'a mut dyn FnMut(&str) -> Result<Vec<u8>, FileFault>;

/// A written scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exported {
    /// The names and contents of the files; the first is the scene, the others it names.
    pub files: Vec<(String, Content)>,
    /// What the format has no place for, one sentence each.
    pub notes: BTreeSet<String>,
}

impl Exported {
    pub(crate) fn note(&mut self, note: &str) {
        self.notes.insert(note.to_owned());
    }

    /// Notes what no format but ours can say of lights and materials.
    pub(crate) fn note_losses(&mut self, scene: &Scene) {
        if scene.environment.fog().is_some() {
            self.note("other programs see no fog");
        }
        if scene.lights.iter().any(|source| matches!(source.light, Light::AreaDiscSpotLight(_))) {
            self.note("a disc light with a cone shines to its whole side");
        }
    }
}

/// What an export draws on.
pub struct Sources<'a> {
    /// Gets the triangles of the meshes that shapes name.
    pub meshes: MeshSource<'a>,
    /// Gets the files of the images that materials name.
    pub images: ImageSource<'a>,
    /// Asked often; once it is true, nobody waits for the files any more.
    pub cancelled: Cancelled<'a>,
}

impl std::fmt::Debug for Sources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

impl Sources<'_> {
    /// Ends the work when nobody waits for it any more.
    pub(crate) fn check(&self) -> Result<(), SceneFileFault> {
        go_on(self.cancelled)
    }

    /// As [`check`](Self::check), in a loop with quick steps that are counted by `step`.
    pub(crate) fn check_now_and_then(&self, step: usize) -> Result<(), SceneFileFault> {
        if step.is_multiple_of(4096) { self.check() } else { Ok(()) }
    }
}

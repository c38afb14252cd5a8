//! Whether two processes render the same bits.

use scene::Scene;
use sha2::{Digest, Sha256};
use tracer::{Film, Integrator, PassOutcome, RenderSettings, World, render_part};

/// Scenes with most kinds of shapes, materials, textures and lights.
const SCENES: [(&str, Integrator); 2] = [
    (include_str!("../../../../scenes/shape-zoo.json"), Integrator::Path),
    (include_str!("../../../../scenes/soap-bubbles.json"), Integrator::Bdpt),
];
/// Of the pictures.
const SIZE: [u32; 2] = [32, 24];

/// A hash of two small pictures, computed on the current rayon pool. Programs of different versions,
/// processors with other vector instructions and other libraries of mathematics give other ones.
pub(crate) fn fingerprint() -> String {
    let mut hash = Sha256::new();
    for (text, integrator) in SCENES {
        let Ok(scene) = Scene::from_json_text(text) else { continue };
        let settings = RenderSettings { integrator, ..RenderSettings::default() };
        let film = Film::with_features(SIZE[0], SIZE[1]);
        let all: Vec<u32> = (0..film.tile_count() as u32).collect();
        let mut part = film.part(&all);
        let world = World::build(&scene);
        let outcome = render_part(&world, &settings, &mut part, 2, &|| false);
        debug_assert!(matches!(outcome, PassOutcome::Completed(_)));
        hash.update(part.to_bytes());
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_same_each_time_and_its_scenes_are_read() {
        assert_eq!(fingerprint(), fingerprint());
        for (text, _) in SCENES {
            let scene = Scene::from_json_text(text).unwrap();
            assert!(scene.mesh_names().is_empty() && scene.image_names().is_empty());
        }
    }
}

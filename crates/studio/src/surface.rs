//! Triangle meshes of shapes, for clients that rasterise them.

use std::sync::Arc;

use scene::{Geometry, Scene, Shape};
use tessellation::{Placement, Tessellation, tessellate, tolerance_of};
use tracer::Mesh;

use crate::client::RenderClient;
use crate::error::RenderError;
use crate::render::Renderer;

/// The triangle mesh of one shape, and its transform.
pub struct Surface(Source);

enum Source {
    Tessellated(Tessellation),
    /// A mesh asset with its transform.
    Read(Arc<Mesh>, scene::Mesh),
}

impl Surface {
    /// The vertices, in metres, in the shape's own frame.
    pub fn positions(&self) -> &[[f32; 3]] {
        match &self.0 {
            Source::Tessellated(surface) => &surface.triangles.positions,
            Source::Read(mesh, _) => &mesh.data().positions,
        }
    }

    /// The normal of each vertex, of any length in mesh assets; empty for flat shading.
    pub fn normals(&self) -> &[[f32; 3]] {
        match &self.0 {
            Source::Tessellated(surface) => &surface.triangles.normals,
            Source::Read(mesh, _) => &mesh.data().normals,
        }
    }

    /// The texture coordinates u, v of each vertex, as in the file; empty if there are none.
    pub fn uv(&self) -> &[[f32; 2]] {
        match &self.0 {
            Source::Tessellated(_) => &[],
            Source::Read(mesh, _) => &mesh.data().uv,
        }
    }

    /// The vertex indices of each triangle, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        match &self.0 {
            Source::Tessellated(surface) => &surface.triangles.triangles,
            Source::Read(mesh, _) => &mesh.data().triangles,
        }
    }

    /// The first three rows of the matrix that takes points (x, y, z, 1) of the shape's own frame to
    /// the world.
    pub fn matrix(&self) -> [[f64; 4]; 3] {
        let (rows, [x, y, z]) = match &self.0 {
            Source::Tessellated(Tessellation { placement, .. }) => {
                let Placement { rotation, translation } = *placement;
                (rotation, translation)
            }
            Source::Read(_, shape) => (shape.matrix(), shape.translation.get()),
        };
        let row = |[a, b, c]: [f64; 3], shift| [a, b, c, shift];
        [row(rows[0], x), row(rows[1], y), row(rows[2], z)]
    }
}

impl Renderer {
    /// Tessellates a shape with a tolerance of `share` of its size; `None` if its mesh is
    /// unavailable.
    pub async fn surface(
        &self,
        client: &RenderClient,
        shape: Arc<Shape>,
        share: f64,
    ) -> Result<Option<Surface>, RenderError> {
        if let Geometry::Mesh(mesh) = &shape.geometry {
            let scene = Scene { shapes: vec![Arc::clone(&shape)], ..Scene::default() };
            let meshes = self.meshes(&scene, client).await;
            let found = meshes.get(mesh.asset.as_str()).map(Arc::clone);
            return Ok(found.map(|found| Surface(Source::Read(found, mesh.clone()))));
        }
        self.brief(client, move |_| {
            let tolerance = tolerance_of(&shape.geometry, share)?;
            Some(Surface(Source::Tessellated(tessellate(&shape.geometry, tolerance)?)))
        })
        .await
    }
}

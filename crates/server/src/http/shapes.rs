//! Triangle meshes of shapes over HTTP, for the rasteriser of the page.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use scene::Shape;
use serde::Deserialize;
use serde_json::json;
use studio::Surface;

use super::app::App;
use super::etag::client_has;
use super::problem::Problem;
use super::query::QueryOf;
use super::sessions::find;
use session::Permission;

/// The level of detail.
#[derive(Deserialize, Default, Clone, Copy, Hash)]
#[serde(rename_all = "lowercase")]
enum Detail {
    /// For objects that are being dragged.
    #[default]
    Coarse,
    /// For files and pictures.
    Fine,
}

impl Detail {
    /// The tolerance as a share of the size of the shape.
    fn share(self) -> f64 {
        match self {
            Self::Coarse => tessellation::COARSE,
            Self::Fine => tessellation::FINE,
        }
    }
}

#[derive(Deserialize)]
pub(super) struct MeshQuery {
    #[serde(default)]
    detail: Detail,
}

/// `GET /api/sessions/{id}/shapes/{shape}/mesh`.
pub(super) async fn mesh(
    State(app): State<Arc<App>>,
    Path((session, id)): Path<(String, String)>,
    QueryOf(MeshQuery { detail }): QueryOf<MeshQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let session = find(&app, &session, Permission::View).await?;
    let revision = session.scene().current();
    let shape = revision.scene.shape(&id).ok_or_else(|| {
        let id: String = id.chars().take(scene::MAX_ID_LENGTH).collect();
        Problem::new(StatusCode::NOT_FOUND, format!("the scene has no shape '{id}'"))
    })?;
    let tag = tag_of(shape, detail);
    // Revalidated each time, but sent only if the shape has changed.
    let common = [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "private, no-cache".into())];
    if client_has(&headers, &tag) {
        return Ok((StatusCode::NOT_MODIFIED, common).into_response());
    }
    let client = session.scene().render_client();
    let surface = app.renderer.surface(client, Arc::clone(shape), detail.share()).await?;
    let surface = surface.ok_or_else(|| {
        let detail = format!("the mesh of shape '{id}' is unavailable; see the server's log");
        Problem::new(StatusCode::NOT_FOUND, detail)
    })?;
    let encoded = app.scene_texts.made(move || Ok(encoded(&surface))).await?;
    let kind = [(header::CONTENT_TYPE, "application/octet-stream")];
    Ok((common, kind, encoded).into_response())
}

/// The version of [`encoded`], so that copies cached from an older server become invalid.
const FORM: u8 = 2;

/// The ETag of the mesh. It depends on the geometry only, not on the material.
fn tag_of(shape: &Shape, detail: Detail) -> String {
    let mut hasher = DefaultHasher::new();
    FORM.hash(&mut hasher);
    shape.geometry.type_name().hash(&mut hasher);
    json!(shape.geometry.properties_json()).to_string().hash(&mut hasher);
    detail.hash(&mut hasher);
    // A weak ETag, since the body may be compressed in transit.
    format!("W/\"{:016x}\"", hasher.finish())
}

/// The binary form, like that of previews: the length N of a JSON header in 4 bytes, N bytes of header,
/// then the numbers it announces, little-endian. Spaces pad the header, so that the numbers are aligned
/// to 4 bytes.
fn encoded(surface: &Surface) -> Vec<u8> {
    let [positions, normals] = [surface.positions(), surface.normals()];
    let uv = surface.uv();
    let mut header = json!({
        "vertices": positions.len(),
        "triangles": surface.triangles().len(),
        "normals": !normals.is_empty(),
        "uv": !uv.is_empty(),
        "matrix": surface.matrix(),
    })
    .to_string();
    header.push_str(&" ".repeat((4 - header.len() % 4) % 4));
    let numbers = 3 * (positions.len() + normals.len() + surface.triangles().len()) + 2 * uv.len();
    let mut bytes = Vec::with_capacity(4 + header.len() + 4 * numbers);
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    let lengths = positions.iter().chain(normals).flatten();
    bytes.extend(lengths.flat_map(|number| number.to_le_bytes()));
    bytes.extend(surface.triangles().iter().flatten().flat_map(|number| number.to_le_bytes()));
    // Texture coordinates come last, so that old clients can ignore them.
    bytes.extend(uv.iter().flatten().flat_map(|number| number.to_le_bytes()));
    bytes
}

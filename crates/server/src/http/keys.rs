//! API keys that are entered in the page. No response contains a key.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use secrecy::SecretString;
use serde::Deserialize;
use serde_json::json;

use super::app::App;
use super::problem::JsonBody;
use super::problem::Problem;
use crate::models::KeyError;

/// A key for a provider.
#[derive(Deserialize)]
pub(super) struct NewKey {
    key: SecretString,
    /// Whether it is saved in the data directory; else it is lost when the server stops.
    #[serde(default)]
    remember: bool,
}

/// Lists the providers that accept keys, and whether they have one.
pub(super) async fn list(State(app): State<Arc<App>>) -> Result<impl IntoResponse, Problem> {
    let (providers, can_save) = app.models.key_status()?;
    let body = Json(json!({ "providers": providers, "can_remember": can_save }));
    Ok(([(header::CACHE_CONTROL, "no-store")], body))
}

/// Adds a key after testing it with the provider.
pub(super) async fn set(
    State(app): State<Arc<App>>,
    Path(provider): Path<String>,
    JsonBody(new): JsonBody<NewKey>,
) -> Result<impl IntoResponse, Problem> {
    let test = app.models.set_key(&provider, &new.key, new.remember).await?;
    Ok(Json(json!({
        "models": test.models,
        "problem": test.problem,
        "saved": test.saved,
        "default": app.models.default_id(),
    })))
}

/// Removes a key.
pub(super) async fn remove(
    State(app): State<Arc<App>>,
    Path(provider): Path<String>,
) -> Result<StatusCode, Problem> {
    app.models.remove_key(&provider)?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<KeyError> for Problem {
    fn from(error: KeyError) -> Self {
        let status = match error {
            KeyError::NotAllowed => StatusCode::FORBIDDEN,
            KeyError::UnknownProvider(_) => StatusCode::NOT_FOUND,
            KeyError::SetElsewhere(_) => StatusCode::CONFLICT,
            KeyError::Malformed | KeyError::Refused(_) => StatusCode::UNPROCESSABLE_ENTITY,
            KeyError::NotSaved(_) | KeyError::NowhereToSave => StatusCode::INSUFFICIENT_STORAGE,
        };
        Self::new(status, error.to_string())
    }
}

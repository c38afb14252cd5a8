//! The list of models the service offers.

use serde::Deserialize;

use super::client::Client;
use crate::model::ModelError;
use crate::retry::Failure;

/// More pages than the service has; ends a list that never ends.
const MAX_PAGES: usize = 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    #[serde(default)]
    models: Vec<Model>,
    #[serde(default)]
    next_page_token: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Model {
    name: String,
    #[serde(default)]
    supported_generation_methods: Vec<String>,
}

/// The names, without `models/`, of the models that generate content.
pub(super) async fn list(client: &Client) -> Result<Vec<String>, ModelError> {
    let mut names = Vec::new();
    let mut page_token = String::new();
    for _ in 0..MAX_PAGES {
        let bytes = client.models_page(&page_token).await.map_err(as_error)?;
        let page: Page = serde_json::from_slice(&bytes).map_err(|error| {
            ModelError::Unavailable(format!("The Gemini API's list is unreadable ({error})."))
        })?;
        names.extend(page.models.into_iter().filter(generates_content).map(|model| {
            model.name.strip_prefix("models/").map(str::to_owned).unwrap_or(model.name)
        }));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    Ok(names)
}

fn generates_content(model: &Model) -> bool {
    model.supported_generation_methods.iter().any(|method| method == "generateContent")
}

/// Without retries: whoever asks for the list can ask again.
fn as_error(failure: Failure) -> ModelError {
    match failure {
        Failure::Final(error) => error,
        Failure::Passing { reason, .. } => ModelError::Unavailable(reason),
    }
}

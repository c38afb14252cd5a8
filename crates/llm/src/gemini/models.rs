//! The provider's list of models.

use serde::Deserialize;
use serde_json::Value;

use super::endpoint::Endpoint;
use crate::http::{Provider, as_error};
use crate::model::ModelError;
use crate::registry::{Listed, listing};

/// The page limit, so that a list without an end stops.
const MAX_PAGES: usize = 20;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Page {
    #[serde(default)]
    models: Vec<Value>,
    #[serde(default)]
    next_page_token: String,
}

/// The models that generate content.
pub(super) async fn list(endpoint: &Endpoint) -> Result<Vec<Listed>, ModelError> {
    let mut models = Vec::new();
    let mut page_token = String::new();
    for _ in 0..MAX_PAGES {
        let client = endpoint.client();
        let mut url = client.url(&["v1beta", "models"]);
        url.query_pairs_mut().append_pair("pageSize", "1000");
        if !page_token.is_empty() {
            url.query_pairs_mut().append_pair("pageToken", &page_token);
        }
        let bytes = client.get(endpoint, url).await.map_err(as_error)?;
        let page: Page = serde_json::from_slice(&bytes).map_err(|error| {
            ModelError::Unavailable(format!("The Gemini API's list is unreadable ({error})."))
        })?;
        let listed = page.models.iter().filter_map(listing::entry);
        models.extend(listed.filter(|model| model.converses == Some(true)));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    Ok(models)
}

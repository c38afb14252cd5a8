//! The description of the HTTP API in OpenAPI 3.1, and a page to read it.

use axum::http::header;
use axum::response::IntoResponse;

pub(super) const DOCUMENT: &str = include_str!("openapi.json");
const PAGE: &str = include_str!("page.html");

pub(super) async fn document() -> impl IntoResponse {
    let kind = (header::CONTENT_TYPE, "application/json");
    // Clients are generated from it in the browser, too.
    let anyone = (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    ([kind, anyone], DOCUMENT)
}

pub(super) async fn page() -> impl IntoResponse {
    let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                  connect-src 'self'";
    ([kind, (header::CONTENT_SECURITY_POLICY, policy)], PAGE)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn every_reference_of_the_document_leads_somewhere() {
        fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
            match value {
                Value::Object(members) => {
                    found.extend(members.get("$ref").and_then(Value::as_str));
                    members.values().for_each(|value| references(value, found));
                }
                Value::Array(items) => items.iter().for_each(|value| references(value, found)),
                _ => {}
            }
        }
        let document: Value = serde_json::from_str(DOCUMENT).unwrap();
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > 50, "{}", found.len());
        for reference in found {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
    }
}

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
    use std::collections::BTreeSet;

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

    /// The schemas of the messages, which are generated from their types.
    const MESSAGES: &str = include_str!("../../../../../docs/protocol.schema.json");

    fn names(value: &Value) -> BTreeSet<&str> {
        match value {
            Value::Object(members) => members.keys().map(String::as_str).collect(),
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            _ => BTreeSet::new(),
        }
    }

    /// The words that a schema allows, as an enumeration or as alternatives.
    fn words(schema: &Value) -> BTreeSet<&str> {
        let alternatives = schema["oneOf"].as_array().into_iter().flatten();
        names(&schema["enum"])
            .into_iter()
            .chain(alternatives.filter_map(|one| one["const"].as_str()))
            .collect()
    }

    #[track_caller]
    fn assert_same(name: &str, told: &Value, typed: &Value) {
        assert_eq!(names(&told["properties"]), names(&typed["properties"]), "{name}");
        assert_eq!(words(told), words(typed), "{name}");
        // What a client may leave out, the server may send always.
        let left_out: Vec<_> =
            names(&typed["required"]).difference(&names(&told["required"])).copied().collect();
        assert!(left_out.is_empty(), "{name}: {left_out:?} are required");
    }

    #[test]
    fn cameras_and_the_kinds_of_objects_are_those_of_the_document() {
        let document: Value = serde_json::from_str(DOCUMENT).unwrap();
        let told = &document["components"]["schemas"];
        let every = serde_json::json!({ "center": [0, 0, 1], "look_at": [0, 0, 0],
            "projection": "orthographic", "height": 1, "exposure": 1 });
        let camera = scene::Camera::from_json(&every).unwrap().to_json();
        assert_eq!(names(&told["Camera"]["properties"]), names(&camera));
        for (name, kinds) in [("Shape", scene::Geometry::kinds()), ("Light", scene::Light::kinds())]
        {
            let known: BTreeSet<_> = kinds.iter().map(|kind| kind.kind).collect();
            assert_eq!(words(&told[name]["properties"]["type"]), known, "{name}");
        }
    }

    #[test]
    fn what_messages_and_requests_share_is_described_as_its_types_are() {
        let document: Value = serde_json::from_str(DOCUMENT).unwrap();
        let messages: Value = serde_json::from_str(MESSAGES).unwrap();
        let (told, typed) = (&document["components"]["schemas"], &messages["$defs"]);
        let mut shared: Vec<&str> = names(told).intersection(&names(typed)).copied().collect();
        // Its alternatives have names of their own here.
        shared.retain(|name| *name != "ChatEntry");
        assert!(shared.len() >= 20, "{shared:?}");
        shared.iter().for_each(|name| assert_same(name, &told[name], &typed[name]));
        assert_same("Model", &told["Model"], &typed["ModelInfo"]);
        assert_same("Change", &told["Change"], &typed["SceneChange"]);
        let tagged = |all: &'static str, tag: &'static str, name: &str| {
            let alternatives = typed[all]["oneOf"].as_array().unwrap();
            let is_it = |one: &&Value| one["properties"][tag]["const"] == name;
            alternatives.iter().find(is_it).unwrap_or_else(|| panic!("{all} has no {name}"))
        };
        let mut events = 0;
        for name in names(told) {
            let Some(event) = name.strip_suffix("Event").filter(|event| !event.is_empty()) else {
                continue;
            };
            let snake: String = event
                .char_indices()
                .flat_map(|(at, letter)| {
                    let gap = (at > 0 && letter.is_uppercase()).then_some('_');
                    gap.into_iter().chain(letter.to_lowercase())
                })
                .collect();
            assert_same(name, &told[name], tagged("ServerMessage", "type", &snake));
            events += 1;
        }
        assert!(events >= 14, "{events}");
        for kind in ["user", "model", "tool", "changed", "notice"] {
            let name = format!("Chat{}{}", kind[..1].to_uppercase(), &kind[1..]);
            assert_same(&name, &told[&name], tagged("ChatEntry", "kind", kind));
        }
    }
}

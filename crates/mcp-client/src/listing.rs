//! Parsing the list of tools leniently: an invalid tool does not affect the others.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::config::ServerConfig;
use crate::schema::{NormalisedSchema, normalise};
use crate::text::{clean, cut};

/// The most tools of one server: providers accept 128 in all, and models choose poorly among more.
pub(crate) const MAX_TOOLS: usize = 64;
/// The longest description in bytes (OpenAI accepts 1,024).
const MAX_DESCRIPTION: usize = 900;
/// The longest tool name in bytes; tools with longer names are skipped.
const MAX_OWN_NAME: usize = 200;

/// A listed tool, converted for a model.
#[derive(Debug, PartialEq)]
pub(crate) struct Listed {
    /// Its name at the server.
    pub(crate) own_name: String,
    pub(crate) description: String,
    pub(crate) parameters: NormalisedSchema,
    /// Whether the server declares it read-only.
    pub(crate) is_read_only: bool,
}

/// The tools of one server by their own names, with warnings for the operator.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Listing {
    pub(crate) tools: BTreeMap<String, Listed>,
    pub(crate) notes: Vec<String>,
}

impl Listing {
    /// Reads the items of `tools/list`.
    pub(crate) fn read(server: &str, items: &[Value], config: &ServerConfig) -> Self {
        let mut listing = Self::default();
        let mut unusable = 0;
        for item in items {
            match item["name"].as_str() {
                Some(name) if config.wants(name) && name.len() <= MAX_OWN_NAME => {
                    // Of duplicate names, the first counts.
                    let tool = || Listed::read(server, name, item);
                    listing.tools.entry(name.to_owned()).or_insert_with(tool);
                }
                Some(name) if !config.wants(name) => {}
                _ => unusable += 1,
            }
        }
        if unusable > 0 {
            listing.notes.push(format!("{unusable} tools without a usable name are left out"));
        }
        let count = listing.tools.len();
        if count > MAX_TOOLS {
            let last = listing.tools.keys().nth(MAX_TOOLS).cloned().unwrap_or_default();
            drop(listing.tools.split_off(&last));
            listing.notes.push(format!(
                "it has {count} tools; the first {MAX_TOOLS} by name are used: choose others with \
                 'includeTools' or 'excludeTools'"
            ));
        }
        listing
    }
}

impl Listed {
    fn read(server: &str, name: &str, item: &Value) -> Self {
        let texts = ["/description", "/title", "/annotations/title"];
        let described = texts.iter().find_map(|place| item.pointer(place)?.as_str());
        let server = cut(server, 60);
        let description = match clean(described.unwrap_or_default(), MAX_DESCRIPTION) {
            described if described.is_empty() => format!("Tool of the MCP server '{server}'."),
            described => format!("{described} (tool of the MCP server '{server}')"),
        };
        Self {
            own_name: name.to_owned(),
            description,
            parameters: normalise(item.get("inputSchema").filter(|schema| !schema.is_null())),
            is_read_only: item["annotations"]["readOnlyHint"] == true,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;
    use crate::config::Transport;

    fn config() -> ServerConfig {
        ServerConfig::new(Transport::Http { url: "http://x".into(), headers: BTreeMap::new() })
    }

    #[test]
    fn odd_tools_do_not_spoil_the_others() {
        let items = [
            json!({ "name": "b", "inputSchema": null, "description": "d".repeat(9_999) }),
            json!({ "name": "a", "description": "x\u{202e}y", "annotations": { "readOnlyHint": true } }),
            json!({ "name": "a", "description": "again" }),
            json!({ "description": "nameless" }),
            json!(5),
            json!({ "name": "n".repeat(999) }),
        ];
        let listing = Listing::read("s", &items, &config());
        assert_eq!(listing.tools.keys().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(listing.tools["a"].description, "xy (tool of the MCP server 's')");
        assert!(listing.tools["a"].is_read_only && !listing.tools["b"].is_read_only);
        assert!(listing.tools["b"].description.len() < 1_024);
        assert_eq!(listing.notes, ["3 tools without a usable name are left out"]);
    }

    #[test]
    fn very_many_tools_are_bounded_and_chosen_among() {
        let items: Vec<Value> = (0..5_000).map(|n| json!({ "name": format!("t{n:04}") })).collect();
        let listing = Listing::read("s", &items, &config());
        assert_eq!(listing.tools.len(), MAX_TOOLS);
        assert!(listing.notes[0].contains("5000 tools"), "{:?}", listing.notes);
        let chosen = ServerConfig {
            include_tools: Some(["t4000".to_owned(), "t4001".to_owned()].into()),
            exclude_tools: ["t4001".to_owned()].into(),
            ..config()
        };
        let listing = Listing::read("s", &items, &chosen);
        assert_eq!(listing.tools.keys().collect::<Vec<_>>(), ["t4000"]);
    }
}

//! Normalising parameter schemas of tools, so that every provider accepts them.
//!
//! A provider rejects the whole request if it does not support one schema. So only keywords that all
//! providers support are kept, in the simplest form: `type` is one name, an object has `properties`, an
//! array has `items`, the root is an object without alternatives, `$ref` is inlined, and property names
//! have ASCII letters. What is lost is added to descriptions.

mod merge;
mod normaliser;
mod scalar;
mod types;

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use self::normaliser::{MAX_BRANCHES, Normaliser, Path};
use self::scalar::{MAX_DESCRIPTION, described, scalar};
use self::types::{inferred, types};
use crate::text::{clean, cut};

/// The depth limit; deeper objects accept anything. Some providers allow five levels, and models fail
/// earlier.
const MAX_DEPTH: usize = 6;
/// The most nodes of one schema, since references could make it infinite.
const MAX_NODES: usize = 400;
/// The most properties of one object.
const MAX_PROPERTIES: usize = 100;
/// The largest normalised schema in bytes: about 6,000 tokens. A larger one is replaced by any
/// object.
const MAX_SCHEMA: usize = 24 * 1024;
/// The most bytes of an original schema in a description.
const MAX_QUOTED_SCHEMA: usize = 2_000;
/// The longest property name (Anthropic).
const MAX_NAME: usize = 64;

/// A normalised schema.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NormalisedSchema {
    /// The schema, with an object at its root.
    pub(crate) schema: Value,
    /// Original names of properties, by the names the model sees.
    renamed: HashMap<String, String>,
}

impl NormalisedSchema {
    /// Arguments with the original property names.
    pub(crate) fn restore(&self, args: Value) -> Value {
        if self.renamed.is_empty() {
            return args;
        }
        match args {
            Value::Object(object) => {
                let name = |name: String| self.renamed.get(&name).cloned().unwrap_or(name);
                let pairs = object.into_iter().map(|(key, value)| (name(key), self.restore(value)));
                Value::Object(pairs.collect())
            }
            Value::Array(items) => items.into_iter().map(|item| self.restore(item)).collect(),
            other => other,
        }
    }
}

/// Normalises the parameters of a tool; without any, the tool accepts any object.
pub(crate) fn normalise(schema: Option<&Value>) -> NormalisedSchema {
    let nothing = Value::Null;
    let root = schema.unwrap_or(&nothing);
    let mut names = BTreeSet::new();
    collect_names(root, &mut names);
    let mut normaliser = Normaliser { root, nodes: MAX_NODES, names, renamed: HashMap::new() };
    let flat = normaliser.flatten(root, &mut Vec::new());
    let is_object = match flat.get("type") {
        None => true,
        Some(Value::Array(types)) => types.iter().any(|kind| kind == "object"),
        Some(kind) => kind == "object",
    };
    let normalised = is_object.then(|| {
        let top = normaliser.joined(flat);
        normaliser.object(&top, 0, &mut Vec::new())
    });
    match normalised.filter(|normalised| normalised.to_string().len() <= MAX_SCHEMA) {
        Some(schema) => NormalisedSchema { schema, renamed: normaliser.renamed },
        None => NormalisedSchema { schema: open(root, MAX_QUOTED_SCHEMA), renamed: HashMap::new() },
    }
}

/// A schema for any object, with the original schema in its description.
fn open(original: &Value, max: usize) -> Value {
    let mut schema = json!({ "type": "object", "properties": {} });
    if original.as_object().is_some_and(|original| !original.is_empty()) {
        let quoted = clean(&original.to_string(), max);
        schema["description"] = format!("Follows this JSON schema: {quoted}").into();
    }
    schema
}

/// A schema for any value. Its types are listed, since some providers refuse a schema without a
/// type.
fn any() -> Value {
    json!({ "anyOf": [{ "type": "string" }, { "type": "number" }, { "type": "boolean" },
                      { "type": "object", "properties": {} }] })
}

/// Collects all property names, so that generated ones are unique.
fn collect_names(schema: &Value, names: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            if let Some(properties) = object.get("properties").and_then(Value::as_object) {
                names.extend(properties.keys().cloned());
            }
            object.values().for_each(|value| collect_names(value, names));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_names(item, names)),
        _ => {}
    }
}

impl Normaliser<'_> {
    /// Normalises a node below the root; `None` if it allows no value.
    fn node(&mut self, schema: &Value, depth: usize, path: &mut Path) -> Option<Value> {
        match schema {
            Value::Bool(false) => return None,
            Value::Object(object) if !object.is_empty() => {}
            _ => return Some(any()),
        }
        if self.nodes == 0 || depth > MAX_DEPTH {
            return Some(open(schema, MAX_DESCRIPTION));
        }
        self.nodes -= 1;
        let known = path.len();
        let flat = self.flatten(schema, path);
        let normalised = self.plain(&flat, depth, path);
        path.truncate(known);
        Some(normalised)
    }

    /// Normalises a node without references and `allOf`.
    fn plain(&mut self, flat: &Map<String, Value>, depth: usize, path: &mut Path) -> Value {
        if let Some(branches) = merge::alternatives(flat) {
            if flat.contains_key("properties") {
                let joined = self.joined(flat.clone());
                return self.object(&joined, depth, path);
            }
            return self.one_of(&branches, flat, depth, path);
        }
        let mut types = types(flat);
        if types.len() > 1 {
            let branch = |kind: &&str| {
                let mut branch = flat.clone();
                branch.insert("type".into(), (*kind).into());
                branch.shift_remove("description");
                Value::Object(branch)
            };
            let branches: Vec<Value> = types.iter().map(branch).collect();
            return self.one_of(&branches, flat, depth, path);
        }
        let kind = types.pop().or_else(|| inferred(flat));
        match kind {
            Some("object") => self.object(flat, depth, path),
            Some("array") => self.array(flat, depth, path),
            Some(kind) => scalar(kind, flat),
            None => described(any(), flat, &[]),
        }
    }

    /// Normalises alternatives below the root.
    fn one_of(
        &mut self,
        branches: &[Value],
        flat: &Map<String, Value>,
        depth: usize,
        path: &mut Path,
    ) -> Value {
        if let Some(values) = merge::constants(branches) {
            let mut schema = flat.clone();
            schema.retain(|keyword, _| {
                matches!(keyword.as_str(), "description" | "title" | "default")
            });
            schema.insert("enum".into(), values);
            return scalar(inferred(&schema).unwrap_or("string"), &schema);
        }
        let mut normalised: Vec<Value> = Vec::new();
        let is_null = |branch: &&Value| branch["type"] == "null";
        for branch in branches.iter().filter(|branch| !is_null(branch)).take(MAX_BRANCHES) {
            let Some(branch) = self.node(branch, depth + 1, path) else { continue };
            // Flatten nested alternatives.
            let parts = match branch.get("anyOf").and_then(Value::as_array) {
                Some(parts) => parts.clone(),
                None => vec![branch],
            };
            for part in parts {
                if !normalised.contains(&part) {
                    normalised.push(part);
                }
            }
        }
        let schema = match normalised.len() {
            0 => any(),
            1 => normalised.remove(0),
            _ => json!({ "anyOf": normalised }),
        };
        described(schema, flat, &[])
    }

    fn object(&mut self, flat: &Map<String, Value>, depth: usize, path: &mut Path) -> Value {
        let mut properties = Map::new();
        let mut names: HashMap<&str, String> = HashMap::new();
        let mut left_out = Vec::new();
        let given = flat.get("properties").and_then(Value::as_object);
        for (name, schema) in given.into_iter().flatten() {
            if properties.len() == MAX_PROPERTIES {
                left_out.push(name.as_str());
                continue;
            }
            if let Some(schema) = self.node(schema, depth + 1, path) {
                let plain = self.plain_name(name);
                names.insert(name, plain.clone());
                properties.insert(plain, schema);
            }
        }
        let required = flat.get("required").and_then(Value::as_array);
        let mut needed: Vec<&String> = Vec::new();
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if let Some(name) = names.get(name).filter(|name| !needed.contains(name)) {
                needed.push(name);
            }
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        if !needed.is_empty() {
            schema["required"] = json!(needed);
        }
        // A map with arbitrary keys and values of one type.
        if properties_are_open(flat)
            && let Some(of_others) = flat.get("additionalProperties")
            && let Some(of_others) = self.node(of_others, depth + 1, path)
        {
            schema["additionalProperties"] = of_others;
        }
        let mut notes = Vec::new();
        if !left_out.is_empty() {
            notes.push(format!("Further properties: {}.", left_out.join(", ")));
        }
        for keyword in CONDITIONS {
            if let Some(value) = flat.get(*keyword) {
                notes.push(format!("{keyword}: {}.", cut(&value.to_string(), 200)));
            }
        }
        described(schema, flat, &notes)
    }

    fn array(&mut self, flat: &Map<String, Value>, depth: usize, path: &mut Path) -> Value {
        let tuple = ["prefixItems", "items"].iter().find_map(|name| flat.get(*name)?.as_array());
        let mut schema = json!({ "type": "array" });
        let mut notes = Vec::new();
        let count = |name: &str| flat.get(name).and_then(Value::as_u64).filter(|n| *n <= 10_000);
        let (mut min, mut max) = (count("minItems"), count("maxItems"));
        schema["items"] = match tuple {
            Some(places) if !places.is_empty() => {
                let length = places.len() as u64;
                (min, max) = (Some(min.unwrap_or(length)), Some(max.unwrap_or(length)));
                let listed_place = |(index, place): (usize, &Value)| {
                    let what = place["description"].as_str().or(place["type"].as_str());
                    format!("{}. {}", index + 1, clean(what.unwrap_or("any"), 60))
                };
                let listed_places: Vec<String> =
                    places.iter().take(20).enumerate().map(listed_place).collect();
                notes.push(format!("In this order: {}.", listed_places.join(", ")));
                self.one_of(places, &Map::new(), depth, path)
            }
            _ => match flat.get("items") {
                Some(items @ Value::Object(_)) => {
                    self.node(items, depth + 1, path).unwrap_or_else(any)
                }
                _ => any(),
            },
        };
        for (name, count) in [("minItems", min), ("maxItems", max)] {
            if let Some(count) = count {
                schema[name] = count.into();
            }
        }
        described(schema, flat, &notes)
    }

    /// A name that every provider accepts; the original is stored in `renamed`.
    fn plain_name(&mut self, name: &str) -> String {
        let letter = |c: char| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '_' };
        let mut plain: String = name.chars().map(letter).take(MAX_NAME).collect();
        if plain == name && !plain.is_empty() {
            return plain;
        }
        let known = self.renamed.iter().find(|(_, original)| *original == name);
        if let Some((known, _)) = known {
            return known.clone();
        }
        let base = cut(&plain, MAX_NAME - 5).to_owned();
        let mut count = 1;
        while plain.is_empty() || self.names.contains(&plain) {
            count += 1;
            plain = format!("{base}_{count}");
        }
        self.names.insert(plain.clone());
        self.renamed.insert(plain.clone(), name.to_owned());
        plain
    }
}

/// Keywords that not all providers support; they go to the description.
const CONDITIONS: &[&str] = &[
    "if",
    "then",
    "else",
    "not",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "patternProperties",
];

fn properties_are_open(flat: &Map<String, Value>) -> bool {
    flat.get("properties").and_then(Value::as_object).is_none_or(Map::is_empty)
        && flat.get("additionalProperties").is_some_and(Value::is_object)
}

#[cfg(test)]
mod tests;

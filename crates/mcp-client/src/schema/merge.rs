//! Merging of schemas: references, `allOf`, alternatives at the root.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::normaliser::{MAX_BRANCHES, Normaliser, Path};

/// The most nested references.
const MAX_REFERENCES: usize = 16;

/// The branches of `anyOf` or `oneOf`.
pub(super) fn alternatives(flat: &Map<String, Value>) -> Option<Vec<Value>> {
    let branches = ["anyOf", "oneOf"].iter().find_map(|name| flat.get(*name)?.as_array())?;
    (!branches.is_empty()).then(|| branches.clone())
}

/// The values, if each branch allows only listed strings.
pub(super) fn constants(branches: &[Value]) -> Option<Value> {
    let mut values: Vec<&Value> = Vec::new();
    for branch in branches {
        match (branch.get("const"), branch.get("enum").and_then(Value::as_array)) {
            (Some(value), _) => values.push(value),
            (None, Some(of_branch)) => values.extend(of_branch),
            (None, None) => return None,
        }
    }
    values.iter().all(|value| value.is_string()).then(|| json!(values))
}

impl Normaliser<'_> {
    /// Merges a schema with its reference and its `allOf` into one object. References on the way
    /// are added to `path`.
    pub(super) fn flatten(&mut self, schema: &Value, path: &mut Path) -> Map<String, Value> {
        let Some(own) = schema.as_object() else { return Map::new() };
        let mut flat = own.clone();
        if let Some(constant) = flat.shift_remove("const") {
            flat.entry("enum").or_insert_with(|| json!([constant]));
        }
        if let Some(reference) = flat.shift_remove("$ref") {
            let reference = reference.as_str().unwrap_or_default();
            match self.referred(reference, path) {
                Some(target) => {
                    path.push(reference.to_owned());
                    let target = self.flatten(&target, path);
                    join(&mut flat, target);
                }
                None => {
                    let told = format!("As '{reference}'.");
                    flat.entry("description").or_insert_with(|| told.into());
                    flat.entry("type").or_insert_with(|| "object".into());
                }
            }
        }
        if let Some(Value::Array(parts)) = flat.shift_remove("allOf") {
            for part in parts {
                if self.nodes == 0 {
                    break;
                }
                self.nodes -= 1;
                let part = self.flatten(&part, path);
                join(&mut flat, part);
            }
        }
        flat
    }

    /// The target of a reference within the schema; `None` for an external or a cyclic one.
    fn referred(&mut self, reference: &str, path: &Path) -> Option<Value> {
        let pointer = reference.strip_prefix('#')?;
        if path.len() >= MAX_REFERENCES
            || path.iter().any(|known| known == reference)
            || self.nodes == 0
        {
            return None;
        }
        self.nodes -= 1;
        self.root.pointer(pointer).filter(|target| target.is_object()).cloned()
    }

    /// Merges an object with its alternatives: it has the properties of all branches, requires what
    /// all of them require, and lists the requirements of each branch in its description.
    pub(super) fn joined(&mut self, mut flat: Map<String, Value>) -> Map<String, Value> {
        let Some(branches) = alternatives(&flat) else { return flat };
        flat.shift_remove("anyOf");
        flat.shift_remove("oneOf");
        let mut needs: Vec<BTreeSet<String>> = Vec::new();
        for branch in branches.iter().take(MAX_BRANCHES) {
            let branch = self.flatten(branch, &mut Vec::new());
            let branch = if branch.contains_key("anyOf") || branch.contains_key("oneOf") {
                self.joined(branch)
            } else {
                branch
            };
            needs.push(required(&branch).into_iter().collect());
            let properties = branch.into_iter().filter(|(name, _)| name == "properties");
            join(&mut flat, properties.collect());
        }
        let told: Vec<String> = needs
            .iter()
            .filter(|needs| !needs.is_empty())
            .map(|needs| needs.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
            .collect();
        let by_all = needs.iter().cloned().reduce(|all, needs| &all & &needs).unwrap_or_default();
        let mut all = required(&flat);
        all.extend(by_all);
        flat.insert("required".into(), json!(all));
        flat.insert("type".into(), "object".into());
        if !told.is_empty() {
            let description = flat.get("description").and_then(Value::as_str).unwrap_or_default();
            let told = format!("{description} Give one of these: {}.", told.join(" | "));
            flat.insert("description".into(), told.trim().into());
        }
        flat
    }
}

fn required(flat: &Map<String, Value>) -> Vec<String> {
    let required = flat.get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Adds the missing keywords of `other` to `flat`; properties and requirements are united.
fn join(flat: &mut Map<String, Value>, other: Map<String, Value>) {
    for (keyword, value) in other {
        match (keyword.as_str(), flat.get_mut(&keyword)) {
            ("properties", Some(Value::Object(known))) => {
                for (name, schema) in value.as_object().cloned().unwrap_or_default() {
                    known.entry(name).or_insert(schema);
                }
            }
            ("required", Some(Value::Array(known))) => {
                known.extend(value.as_array().cloned().unwrap_or_default());
            }
            (_, Some(_)) => {}
            (_, None) => {
                flat.insert(keyword, value);
            }
        }
    }
}

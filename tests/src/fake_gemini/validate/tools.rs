//! Declared functions and their schemas, and settings that exclude each other.

use std::collections::HashSet;

use serde_json::Value;

use super::common::list;

const MAX_NAME_CHARS: usize = 64;
const JSON_SCHEMA_TYPES: [&str; 7] =
    ["string", "number", "integer", "boolean", "array", "object", "null"];

pub(super) fn check(body: &Value, errors: &mut Vec<String>) {
    let mut names = HashSet::new();
    for tool in list(body, "tools") {
        for declaration in list(tool, "functionDeclarations") {
            let name = declaration["name"].as_str().unwrap_or_default();
            if !is_name(name) {
                errors.push(format!(
                    "Invalid function name {name:?}. Must start with a letter or an underscore. \
                     Must be alphameric, underscores, dots, colons, or dashes, with a maximum \
                     length of {MAX_NAME_CHARS}."
                ));
            }
            if !names.insert(name) {
                errors.push(format!("Duplicate function declaration found: {name}"));
            }
            if !declaration["parameters"].is_null()
                && !declaration["parametersJsonSchema"].is_null()
            {
                errors.push(format!(
                    "{name}: parameters and parametersJsonSchema exclude each other"
                ));
            }
            let schema = &declaration["parametersJsonSchema"];
            if !schema.is_null() {
                if schema["type"] != "object" {
                    errors.push(format!("{name}: the parameters must be of type object"));
                }
                check_schema(schema, name, errors);
            }
        }
    }
    let thinking = &body["generationConfig"]["thinkingConfig"];
    if !thinking["thinkingLevel"].is_null() && !thinking["thinkingBudget"].is_null() {
        errors.push("thinking level and thinking budget exclude each other".into());
    }
}

/// Whether a function may be called so.
pub(super) fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME_CHARS
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|char| char.is_ascii_alphanumeric() || "_.:-".contains(char))
}

fn check_schema(schema: &Value, path: &str, errors: &mut Vec<String>) {
    let Value::Object(object) = schema else {
        // `true` and `false` are schemas as well.
        if !schema.is_boolean() {
            errors.push(format!("{path}: a schema must be an object, not {schema}"));
        }
        return;
    };
    for (keyword, value) in object {
        let at = format!("{path}.{keyword}");
        let valid = match keyword.as_str() {
            "type" => match value {
                Value::Array(types) => types.iter().all(is_type),
                _ => is_type(value),
            },
            "required" => value.as_array().is_some_and(|names| names.iter().all(Value::is_string)),
            "enum" => value.as_array().is_some_and(|values| !values.is_empty()),
            "description" | "title" | "format" | "pattern" | "$ref" => value.is_string(),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => value.is_number(),
            "minItems" | "maxItems" | "minLength" | "maxLength" => value.is_u64(),
            "properties" | "$defs" => value.is_object(),
            "anyOf" | "oneOf" | "allOf" | "prefixItems" => {
                value.as_array().is_some_and(|schemas| !schemas.is_empty())
            }
            _ => true,
        };
        if !valid {
            errors.push(format!("{at}: {value} is not valid there"));
        }
        match (keyword.as_str(), value) {
            ("properties" | "$defs", Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    check_schema(schema, &format!("{at}.{name}"), errors);
                }
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) => {
                for schema in schemas {
                    check_schema(schema, &at, errors);
                }
            }
            ("items" | "additionalProperties" | "not", schema) => check_schema(schema, &at, errors),
            _ => {}
        }
    }
}

fn is_type(name: &Value) -> bool {
    name.as_str().is_some_and(|name| JSON_SCHEMA_TYPES.contains(&name))
}

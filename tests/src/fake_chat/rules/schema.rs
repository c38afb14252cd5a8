//! The JSON Schemas of tools, as OpenAI reads them; the others follow.

use serde_json::Value;

use super::common::list;

/// Why `schema` cannot describe the arguments of `name`.
pub(super) fn errors(name: &str, schema: &Value) -> Vec<String> {
    let invalid = |what: String| format!("Invalid schema for function '{name}': {what}");
    let mut errors = Vec::new();
    if schema["type"] != "object" {
        errors.push(invalid(format!(
            "schema must be a JSON Schema of 'type: \"object\"', got 'type: {}'.",
            schema["type"]
        )));
        return errors;
    }
    if !schema["properties"].is_object() {
        errors.push(invalid("In context=(), object schema missing properties.".into()));
    }
    if ["oneOf", "anyOf", "allOf", "enum", "not"].iter().any(|word| schema.get(word).is_some()) {
        errors.push(invalid(
            "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the \
             top level."
                .into(),
        ));
    }
    walk(schema, "()", &mut |context, what| {
        errors.push(invalid(format!("In context={context}, {what}")));
    });
    errors
}

fn walk(schema: &Value, context: &str, error: &mut impl FnMut(&str, &str)) {
    let Value::Object(object) = schema else {
        if !schema.is_boolean() {
            error(context, "a schema must be an object or a boolean.");
        }
        return;
    };
    let types = match &object.get("type") {
        Some(Value::Array(types)) => types.clone(),
        Some(one) => vec![(*one).clone()],
        None => Vec::new(),
    };
    let known = ["string", "number", "integer", "boolean", "array", "object", "null"];
    for kind in &types {
        if !kind.as_str().is_some_and(|kind| known.contains(&kind)) {
            error(context, &format!("{kind} is not valid under any of the given schemas."));
        }
    }
    let holds_items = object.contains_key("items") || object.contains_key("prefixItems");
    if types.iter().any(|kind| kind == "array") && !holds_items {
        error(context, "array schema missing items.");
    }
    if object.get("required").is_some_and(|names| !list(names).iter().all(Value::is_string)) {
        error(context, "'required' must be an array of strings.");
    }
    if object.get("enum").is_some_and(|values| list(values).is_empty()) {
        error(context, "'enum' must not be empty.");
    }
    for (name, inner) in object {
        match (name.as_str(), inner) {
            ("properties" | "$defs" | "definitions", Value::Object(schemas)) => {
                for (property, schema) in schemas {
                    walk(schema, &format!("('{name}', '{property}')"), error);
                }
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", schemas) => {
                for (index, schema) in list(schemas).iter().enumerate() {
                    walk(schema, &format!("('{name}', '{index}')"), error);
                }
            }
            ("items" | "additionalProperties" | "not", schema) => {
                walk(schema, &format!("('{name}',)"), error)
            }
            _ => {}
        }
    }
}

use super::*;

#[expect(clippy::needless_pass_by_value, reason = "cases are written without borrowing")]
fn check(schema: Value, expected: Value) {
    let normalised = normalise(Some(&schema));
    assert_eq!(normalised.schema, expected, "{schema}");
    assert_plain(&normalised.schema, true);
}

/// Checks that every provider accepts the schema.
fn assert_plain(schema: &Value, top: bool) {
    let object = schema.as_object().unwrap_or_else(|| panic!("no object: {schema}"));
    for keyword in object.keys() {
        let known = [
            "type",
            "description",
            "properties",
            "required",
            "items",
            "enum",
            "anyOf",
            "minimum",
            "maximum",
            "minItems",
            "maxItems",
            "additionalProperties",
        ];
        assert!(known.contains(&keyword.as_str()), "'{keyword}' in {schema}");
    }
    if let Some(branches) = object.get("anyOf") {
        assert!(!top && branches.as_array().is_some_and(|branches| branches.len() > 1), "{schema}");
        branches.as_array().into_iter().flatten().for_each(|branch| assert_plain(branch, false));
        return;
    }
    let kind = object["type"].as_str().unwrap_or_else(|| panic!("no type: {schema}"));
    assert!(
        ["object", "array", "string", "number", "integer", "boolean"].contains(&kind),
        "{schema}"
    );
    assert!(!top || kind == "object", "{schema}");
    if kind == "object" {
        let properties = object["properties"].as_object().unwrap();
        for (name, property) in properties {
            let is_letter = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
            assert!(name.chars().all(is_letter) && (1..=64).contains(&name.len()), "{name}");
            assert_plain(property, false);
        }
        for name in object.get("required").and_then(Value::as_array).into_iter().flatten() {
            assert!(properties.contains_key(name.as_str().unwrap()), "{schema}");
        }
    }
    if kind == "array" {
        assert_plain(&object["items"], false);
    }
    if let Some(values) = object.get("enum") {
        assert!(!values.as_array().unwrap().is_empty(), "{schema}");
    }
}

#[test]
fn a_good_schema_stays() {
    let schema = json!({ "type": "object", "properties": {
        "path": { "type": "string", "description": "Where." },
        "lines": { "type": "array", "items": { "type": "integer", "minimum": 1 }, "maxItems": 3 },
        "how": { "type": "string", "enum": ["a", "b"] } }, "required": ["path"] });
    check(schema.clone(), schema);
}

#[test]
fn what_says_nothing_is_an_open_object() {
    let open = json!({ "type": "object", "properties": {} });
    for schema in [json!({ "type": "object" }), json!({}), json!(null), json!(true), json!([1])] {
        check(schema, open.clone());
    }
    assert_eq!(normalise(None).schema, open);
    check(json!({ "properties": null, "required": "x", "$schema": "y" }), open);
}

#[test]
fn a_top_that_is_no_object_is_told() {
    let normalised = normalise(Some(&json!({ "type": "string", "minLength": 3 })));
    assert_eq!(normalised.schema["type"], "object");
    assert!(normalised.schema["description"].as_str().unwrap().contains("minLength"));
}

#[test]
fn arrays_get_items_and_tuples_become_lists() {
    check(
        json!({ "type": "object", "properties": {
            "any": { "type": "array" },
            "pair": { "type": "array", "items": [{ "type": "string" }, { "type": "number" }] },
            "same": { "prefixItems": [{ "type": "number", "description": "x" }, { "type": "number", "description": "x" }] } } }),
        json!({ "type": "object", "properties": {
            "any": { "type": "array", "items": any() },
            "pair": { "type": "array", "items": { "anyOf": [{ "type": "string" }, { "type": "number" }] },
                      "minItems": 2, "maxItems": 2, "description": "In this order: 1. string, 2. number." },
            "same": { "type": "array", "items": { "type": "number", "description": "x" },
                      "minItems": 2, "maxItems": 2, "description": "In this order: 1. x, 2. x." } } }),
    );
}

#[test]
fn alternatives_at_the_top_are_joined_and_told() {
    check(
        json!({ "anyOf": [
            { "type": "object", "properties": { "url": { "type": "string" }, "n": { "type": "number" } },
              "required": ["url", "n"] },
            { "type": "object", "properties": { "id": { "type": "integer" }, "n": { "type": "string" } },
              "required": ["id", "n"] }] }),
        json!({ "type": "object", "properties": {
                    "url": { "type": "string" }, "n": { "type": "number" }, "id": { "type": "integer" } },
                "required": ["n"], "description": "Give one of these: n, url | id, n." }),
    );
    // The branches contain only requirements.
    let normalised =
        normalise(Some(&json!({ "type": "object", "properties": { "a": {}, "b": {} },
        "required": ["a"], "oneOf": [{ "required": ["a"] }, { "required": ["b"] }] })));
    assert_eq!(normalised.schema["required"], json!(["a"]));
    assert_plain(&normalised.schema, true);
}

#[test]
fn types_in_a_list_alternatives_and_constants() {
    check(
        json!({ "type": ["object", "null"], "properties": {
            "a": { "type": ["string", "null"], "description": "d" },
            "b": { "type": ["string", "integer"], "minimum": 2 },
            "c": { "oneOf": [{ "type": "null" }, { "type": "boolean" }] },
            "d": { "anyOf": [{ "const": "x", "title": "X" }, { "const": "y" }], "default": "x" },
            "e": { "enum": [1, 2, null] }, "f": { "const": "only" },
            "g": { "enum": [1, "a", true] }, "h": { "type": "int" }, "i": false, "j": { "type": "null" } } }),
        json!({ "type": "object", "properties": {
            "a": { "type": "string", "description": "d" },
            "b": { "anyOf": [{ "type": "string" }, { "type": "integer", "minimum": 2 }] },
            "c": { "type": "boolean" },
            "d": { "type": "string", "enum": ["x", "y"], "description": "Default: \"x\"." },
            "e": { "type": "integer", "enum": [1, 2] }, "f": { "type": "string", "enum": ["only"] },
            "g": any(), "h": { "type": "integer" }, "j": any() } }),
    );
}

#[test]
fn references_are_replaced_and_those_without_end_are_cut() {
    check(
        json!({ "type": "object", "properties": { "at": { "$ref": "#/$defs/Point" } },
                "$defs": { "Point": { "allOf": [{ "$ref": "#/$defs/X" },
                    { "properties": { "y": { "type": "number" } }, "required": ["y"] }] },
                    "X": { "type": "object", "properties": { "x": { "type": "number" } }, "required": ["x"] } } }),
        json!({ "type": "object", "properties": { "at": { "type": "object", "properties": {
            "x": { "type": "number" }, "y": { "type": "number" } }, "required": ["x", "y"] } } }),
    );
    let tree = normalise(Some(&json!({ "$ref": "#/definitions/Tree", "definitions": { "Tree": {
        "type": "object", "properties": {
            "name": { "type": "string" },
            "parts": { "type": "array", "items": { "$ref": "#/definitions/Tree" } } } } } })));
    assert_plain(&tree.schema, true);
    assert_eq!(tree.schema["properties"]["name"]["type"], "string");
    let elsewhere =
        normalise(Some(&json!({ "properties": { "a": { "$ref": "https://x/y.json" } } })));
    assert_eq!(elsewhere.schema["properties"]["a"]["description"], "As 'https://x/y.json'.");
    let itself = normalise(Some(&json!({ "$ref": "#" })));
    assert_plain(&itself.schema, true);
}

#[test]
fn odd_names_of_properties_are_made_plain_and_go_back_as_they_were() {
    let long = "x".repeat(80);
    let normalised = normalise(Some(&json!({ "properties": {
        "$filter": { "type": "string" }, "_filter": { "type": "string" }, "файл": {},
        &long: { "type": "array", "items": { "properties": { "@type": { "type": "string" } } } } },
        "required": ["$filter"] })));
    assert_plain(&normalised.schema, true);
    assert_eq!(normalised.schema["required"], json!(["_filter_2"]));
    let args =
        json!({ "_filter_2": "a", "_filter": "b", "____": 1, "x".repeat(64): [{ "_type": "t" }] });
    let restored = json!({ "$filter": "a", "_filter": "b", "файл": 1, &long: [{ "@type": "t" }] });
    assert_eq!(normalised.restore(args), restored);
}

#[test]
fn hostile_schemas_are_bounded() {
    let mut deep = json!({ "type": "string" });
    for _ in 0..60 {
        deep = json!({ "type": "object", "properties": { "a": deep } });
    }
    let wide: Map<String, Value> = (0..5_000)
        .map(|n| (format!("p{n}"), json!({ "description": "d".repeat(9_999) })))
        .collect();
    // Each level contains the one below twice: 2^30 nodes.
    let mut doubling = Map::new();
    for n in 0..30 {
        let next = json!({ "$ref": format!("#/$defs/{}", n + 1) });
        doubling.insert(
            n.to_string(),
            json!({ "properties": { "a": next, "b": next, "c": { "allOf": [next, next] } } }),
        );
    }
    let doubling = json!({ "$ref": "#/$defs/0", "$defs": doubling });
    for schema in [deep, json!({ "properties": wide }), doubling] {
        let normalised = normalise(Some(&schema)).schema;
        assert_plain(&normalised, true);
        assert!(normalised.to_string().len() <= MAX_SCHEMA, "{}", normalised.to_string().len());
    }
    let hidden = normalise(Some(&json!({ "properties": { "a": { "type": "string",
        "description": "see\u{202e}\u{0} me" } } })));
    assert_eq!(hidden.schema["properties"]["a"]["description"], "see me");
}

/// Random JSON with the keywords of schemas.
fn schemas() -> impl proptest::strategy::Strategy<Value = Value> {
    use proptest::prelude::*;
    let word = prop::sample::select(vec![
        "type",
        "properties",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
        "$ref",
        "$defs",
        "required",
        "enum",
        "const",
        "default",
        "description",
        "prefixItems",
        "additionalProperties",
        "minimum",
        "a",
        "b c",
        "",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i8>().prop_map(Value::from),
        prop::sample::select(vec![
            "string",
            "object",
            "array",
            "null",
            "number",
            "#",
            "#/properties/a",
            "#/$defs/a",
            "x"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((word.clone(), inner), 0..6).prop_map(|pairs| {
                Value::Object(pairs.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())
            }),
        ]
    })
}

proptest::proptest! {
    #[test]
    fn whatever_comes_becomes_plain(schema in schemas()) {
        let normalised = normalise(Some(&schema)).schema;
        assert_plain(&normalised, true);
        proptest::prop_assert!(normalised.to_string().len() <= MAX_SCHEMA);
    }
}

//! Damaged scene files give clear errors or a valid scene, never a panic.

use proptest::prelude::*;
use scene::Scene;
use serde_json::Value;

/// Files that together contain every type of shape, material, texture, light and environment.
const FILES: [&str; 7] = [
    include_str!("../../../scenes/forms.json"),
    include_str!("../../../scenes/rings.json"),
    include_str!("../../../scenes/still-life.json"),
    include_str!("../../../scenes/night-spots.json"),
    include_str!("../../../scenes/toys-in-the-sun.json"),
    include_str!("../../../scenes/light-shafts.json"),
    include_str!("../../../scenes/bouncing-ball.json"),
];

/// A parsed scene is valid, and survives a round trip.
fn try_reading(text: &str) {
    match Scene::from_json_text(text) {
        Ok(scene) => {
            let again = Scene::from_json(&scene.to_json());
            assert_eq!(again.as_ref(), Ok(&scene));
        }
        Err(violations) => assert!(!violations.to_string().is_empty()),
    }
}

/// JSON pointers to all nested values.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(object) => {
            object.iter().for_each(|(name, member)| places(member, &format!("{at}/{name}"), found));
        }
        Value::Array(list) => {
            let members = list.iter().enumerate();
            members.for_each(|(index, member)| places(member, &format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_texts_do_no_harm(
        which in 0..FILES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut bytes = FILES[which].as_bytes().to_vec();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        try_reading(&String::from_utf8_lossy(&bytes));
    }

    /// Well-formed JSON with values of other types or out of range.
    #[test]
    fn forged_values_do_no_harm(
        which in 0..FILES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..12_usize), 1..6),
    ) {
        let mut file: Value = serde_json::from_str(FILES[which]).unwrap_or_default();
        for (at, kind) in changes {
            let mut found = Vec::new();
            places(&file, "", &mut found);
            let place = found[at.index(found.len())].clone();
            let other = file.pointer(&found[at.index(found.len() / 2 + 1)]).cloned();
            let forged = [
                Value::Null, 0.into(), (-1).into(), 1e300.into(), (-1e-300).into(), u64::MAX.into(),
                "".into(), "\u{0}".repeat(600).into(), true.into(), Value::Array(Vec::new()),
                serde_json::json!({ "type": "image" }), other.unwrap_or_default(),
            ];
            if let Some(value) = file.pointer_mut(&place) {
                *value = forged[kind].clone();
            }
        }
        try_reading(&file.to_string());
    }
}

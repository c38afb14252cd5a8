//! Good files, damaged in any way: kept or refused, never a panic, and nothing is kept of what is
//! refused. A long run: `PROPTEST_CASES=100000`.

use assets::{Facts, MediaType};
use damage::{damage, number, value, with_value};
use proptest::prelude::*;
use serde_json::json;
use studio::AssetSource;

use crate::files::{Stage, binary_ply, glb_of, gltf_document, good_files, obj, text_ply};

/// Another number in place of the one that comes `at` of the way through a text.
fn with_number(text: &[u8], at: f64, number: i64) -> Vec<u8> {
    let text = String::from_utf8(text.to_vec()).unwrap();
    let words: Vec<&str> = text.split_inclusive([' ', '\n', '/']).collect();
    let numbers: Vec<usize> = (0..words.len())
        .filter(|&word| words[word].starts_with(|first: char| first.is_ascii_digit()))
        .collect();
    let chosen = numbers[((at * numbers.len() as f64) as usize).min(numbers.len() - 1)];
    let changed = words.iter().enumerate().map(|(index, word)| {
        let end = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        if index == chosen { format!("{number}{end}") } else { (*word).to_owned() }
    });
    changed.collect::<String>().into_bytes()
}

/// A file of some kind, damaged in its structure or in its bytes.
fn damaged_file() -> impl Strategy<Value = (MediaType, Vec<u8>)> {
    let at = || 0.0..1.0;
    let any_file = (0..good_files().len(), prop::collection::vec(damage(), 1..4)).prop_map(
        |(which, damages)| {
            let (name, mut bytes) = good_files().swap_remove(which);
            damages.iter().for_each(|damage| damage.of(&mut bytes));
            (MediaType::of_file_name(name).unwrap(), bytes)
        },
    );
    let numbers = (any::<bool>(), prop::collection::vec((at(), number()), 1..4)).prop_map(
        |(is_ply, numbers)| {
            let (kind, good) =
                if is_ply { (MediaType::Ply, text_ply()) } else { (MediaType::Obj, obj()) };
            let changed =
                |bytes: Vec<u8>, (at, number): &(f64, i64)| with_number(&bytes, *at, *number);
            (kind, numbers.iter().fold(good, changed))
        },
    );
    let documents = prop::collection::vec((at(), value()), 1..4).prop_map(|values| {
        let mut document = gltf_document(&json!({ "byteLength": 72 }));
        values.iter().for_each(|(at, value)| with_value(&mut document, *at, value));
        (MediaType::Glb, glb_of(&document))
    });
    let counts = (0..4_usize, any::<u32>()).prop_map(|(face, count)| {
        let mut bytes = binary_ply();
        let at = bytes.len() - 16 * (4 - face);
        bytes[at..at + 4].copy_from_slice(&count.to_le_bytes());
        (MediaType::Ply, bytes)
    });
    prop_oneof![3 => any_file, 2 => numbers, 2 => documents, 1 => counts]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn damaged_files_are_kept_or_refused((kind, bytes) in damaged_file()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let stage = Stage::new().await;
            match stage.library.check(bytes.into(), "a", Some(kind)).await {
                Err(error) => {
                    let error = error.to_string();
                    assert!(!error.is_empty() && error.len() < 500, "{error}");
                    assert!(stage.is_empty().await, "{error}");
                }
                Ok(checked) => {
                    let asset = stage.library.add(checked, 1).await.unwrap().asset;
                    if let Facts::Mesh { bounds, triangles, .. } = asset.facts {
                        // What was found good can be built, and is as it was said to be.
                        let data = stage.library.mesh_data(asset.hash.as_str()).await.unwrap();
                        assert_eq!(data.triangles.len(), triangles);
                        let mesh = tracer::Mesh::new(data).unwrap();
                        assert_eq!(mesh.bounds().max, bounds.max);
                    }
                }
            }
        });
    }
}

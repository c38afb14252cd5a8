//! `principled` against OpenPBR: what surfaces reflect of even light, beside values computed from the
//! published formulas by `openpbr/values.py`, which knows nothing of the tracer.

use serde_json::Value;

use super::furnace::kept;
use super::tests::{bsdf, viewer};

/// See `openpbr/values.py`, which wrote it.
const VALUES: &str = include_str!("openpbr/values.json");

fn numbers(row: &Value) -> [f32; 3] {
    let number = |channel: usize| row["expected"][channel].as_f64().unwrap() as f32;
    [number(0), number(1), number(2)]
}

#[test]
fn surfaces_reflect_what_openpbr_says() {
    let rows: Vec<Value> = serde_json::from_str(VALUES).unwrap();
    let mut off = Vec::new();
    for row in &rows {
        let degrees = row["degrees"].as_f64().unwrap() as f32;
        let tolerance = row["tolerance"].as_f64().unwrap() as f32;
        let got = kept(&bsdf(&row["material"]), viewer(degrees), true, 60_000);
        let expected = numbers(row);
        let error = (got - glam::Vec3A::from_array(expected)).abs().max_element();
        if error > tolerance {
            off.push(format!("{row}: {got}, off by {error:.4}"));
        }
    }
    assert!(rows.len() > 100 && off.is_empty(), "{}", off.join("\n"));
}

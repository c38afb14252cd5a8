//! `measure`: sizes of things and distances between them.

use std::collections::HashSet;

use glam::DVec3;
use scene::{Violations, properties};
use serde_json::{Map, Value, json};

use crate::args::Ids;
use crate::space::{Space, Unit};

properties! {
    /// Arguments of `measure`.
    pub struct Measure {
        /// Several: pairs; over 4: with the first.
        pub ids: Ids,
    }
    check(self, reader) {
        let count = self.ids.as_slice().len();
        if count > MAX_MEASURED {
            reader.error(&format!("'ids' may name at most {MAX_MEASURED} things, got {count}"));
        }
    }
}

/// The most things measured at once.
const MAX_MEASURED: usize = 10;
/// The most things of which each pair is told.
const MAX_PAIRED: usize = 4;

impl Measure {
    /// `{"objects": [...], "pairs": [...]}`.
    pub fn answer(&self, space: &Space<'_>) -> Result<Value, Violations> {
        let units = space.units(self.ids.as_slice())?;
        if units.len() > MAX_MEASURED {
            return Err(Violations::one(format!(
                "measure: 'ids' fits {} things, and at most {MAX_MEASURED} are measured at once; name a group \
                 for the bounds of all",
                units.len()
            )));
        }
        let objects: Vec<Value> = units.iter().map(|unit| object(space, unit)).collect();
        let mut pairs = Vec::new();
        // Of many things the first with each of the others.
        let firsts = if units.len() > MAX_PAIRED { 1 } else { units.len() };
        for (at, one) in units.iter().enumerate().take(firsts) {
            pairs.extend(units[at + 1..].iter().map(|other| pair(one, other)));
        }
        let mut answer = json!({ "objects": objects });
        if !pairs.is_empty() {
            answer["pairs"] = Value::Array(pairs);
        }
        Ok(answer)
    }
}

fn object(space: &Space<'_>, unit: &Unit) -> Value {
    let extent = unit.solid.extent();
    let mut facts = Map::new();
    facts.insert("id".into(), unit.name.as_str().into());
    facts.insert("min".into(), triple(extent.min));
    facts.insert("max".into(), triple(extent.max));
    facts.insert("size".into(), triple(extent.size()));
    facts.insert("center".into(), triple(extent.center()));
    let own: HashSet<usize> = unit.members.iter().copied().collect();
    if let Some((gap, at)) = space.fall(&unit.solid, &own) {
        let below = json!({ "id": space.bodies()[at].id, "gap": short(gap) });
        facts.insert("below".into(), below);
    }
    if unit.solid.is_rough() {
        facts.insert("note".into(), "a mesh counts as the box around it".into());
    }
    Value::Object(facts)
}

fn pair(one: &Unit, other: &Unit) -> Value {
    let relation = one.solid.relation(&other.solid);
    let between = other.solid.extent().center() - one.solid.extent().center();
    let mut facts = Map::new();
    facts.insert("from".into(), one.name.as_str().into());
    facts.insert("to".into(), other.name.as_str().into());
    if relation.gap >= 0.0 {
        facts.insert("gap".into(), short(relation.gap));
    } else {
        facts.insert("overlap".into(), short(-relation.gap));
        facts.insert("apart_by".into(), triple(relation.away * -relation.gap));
    }
    if let Some(points) = relation.points {
        facts.insert("nearest_points".into(), points.map(triple).to_vec().into());
    }
    facts.insert("centers".into(), short(between.length()));
    facts.insert("way".into(), triple(between));
    Value::Object(facts)
}

/// A number for a model: a tenth of a millimetre, or four digits of what is below a decimetre.
pub(crate) fn short(number: f64) -> Value {
    if number.abs() < 1e-9 {
        return json!(0.0);
    }
    let digits = if number.abs() < 0.1 { 3 - number.abs().log10().floor() as i32 } else { 4 };
    let scale = 10f64.powi(digits);
    // Adding zero turns a negative zero into a plain one.
    json!((number * scale).round() / scale + 0.0)
}

pub(crate) fn triple(vector: DVec3) -> Value {
    vector.to_array().map(short).to_vec().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_keep_four_digits() {
        let cases = [
            (0.002_345, 0.002_345),
            (0.012_345_67, 0.012_35),
            (-0.000_123_456, -0.000_123_5),
            (1.234_567, 1.234_6),
            (0.123_456, 0.123_5),
            (1e-12, 0.0),
        ];
        for (number, told) in cases {
            assert_eq!(short(number), json!(told), "{number}");
        }
    }
}

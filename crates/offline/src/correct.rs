//! Corrects calls that failed, from what their error says.

use serde_json::{Value, json};

use crate::answer::Outcome;
use crate::plan::Call;
use crate::world::World;

/// What to do about a call that failed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fix {
    /// Make this call instead; the note says what was changed, when it matters.
    Retry { call: Call, note: Option<String> },
    /// The scene is not as it was: look at it again.
    LookAgain,
    /// It cannot be helped.
    GiveUp,
}

/// The fix for a failed call. `taken` are ids that other calls of the wave use; `looked_again` is
/// the scene when it was looked at after the failure.
pub(crate) fn fix(
    outcome: &Outcome,
    world: &World,
    taken: &[&str],
    looked_again: Option<&World>,
) -> Fix {
    let Err(error) = &outcome.result else { return Fix::GiveUp };
    let lower = error.to_lowercase();
    if ["interrupt", "cancel"].iter().any(|word| lower.contains(word)) {
        return Fix::GiveUp;
    }
    if lower.contains("already exists")
        || lower.contains("already in use")
        || lower.contains("taken")
    {
        return other_id(outcome.call(), looked_again.unwrap_or(world), taken);
    }
    if lower.contains("there is no") || lower.contains("not found") || lower.contains("unknown id")
    {
        return match looked_again {
            None => Fix::LookAgain,
            Some(now) if outcome.id().is_some_and(|id| now.find(id).is_some()) => {
                Fix::Retry { call: outcome.call(), note: None }
            }
            Some(_) => Fix::GiveUp,
        };
    }
    let mut call = outcome.call();
    let mut notes = Vec::new();
    for fault in error.split("; ") {
        match mended(&mut call, fault) {
            Some(note) => notes.extend(note),
            None => return Fix::GiveUp,
        }
    }
    let note = (!notes.is_empty()).then(|| notes.join(" "));
    if outcome.is_of(&call) { Fix::GiveUp } else { Fix::Retry { call, note } }
}

fn other_id(mut call: Call, world: &World, taken: &[&str]) -> Fix {
    let pointer = if call.name.starts_with("update_") { "/updates/id" } else { "/id" };
    let Some(slot) = call.args.pointer_mut(pointer) else { return Fix::GiveUp };
    let Some(id) = slot.as_str().map(str::to_owned) else { return Fix::GiveUp };
    let stem = crate::resolve::stem(&id);
    let free = (2..10_000)
        .map(|number| format!("{stem}_{number}"))
        .find(|new| world.find(new).is_none() && !taken.contains(&new.as_str()) && *new != id);
    let Some(new) = free else { return Fix::GiveUp };
    let note = Some(format!("The name {id} was taken, so I used {new}."));
    *slot = new.into();
    Fix::Retry { call, note }
}

/// Mends one fault in the call: `None` when it cannot, else perhaps a note.
fn mended(call: &mut Call, fault: &str) -> Option<Option<String>> {
    let properties = if call.name.starts_with("update_") {
        call.args.pointer_mut("/updates/properties")
    } else if call.name.starts_with("create_") {
        call.args.pointer_mut("/properties")
    } else {
        Some(&mut call.args)
    }?;
    if let Some((_, rest)) = fault.split_once("requires '") {
        let (name, _) = rest.split_once('\'')?;
        let value = default_of(name)?;
        let slot = properties.as_object_mut()?;
        slot.insert(name.to_owned(), value);
        return Some(Some(format!("I added the missing {}.", name.replace('_', " "))));
    }
    let (_, rest) = fault.split_once("property '")?;
    let (path, expected) = rest.split_once("' must be ")?;
    let (low, high) = range(expected)?;
    let slot = properties.pointer_mut(&format!("/{}", path.replace('.', "/")))?;
    let clamped = clamped(slot, low, high)?;
    if clamped == *slot {
        return None;
    }
    let note = format!("{} was out of range, so I used {clamped}.", path.replace('_', " "));
    *slot = clamped;
    Some(Some(note))
}

/// The range that an expectation names: "a number > 0 and <= 1000000", "from 0 to 1", "within ±10".
fn range(expected: &str) -> Option<(f64, f64)> {
    let expected = expected.split(", got ").next()?;
    let after = |mark: &str| {
        let rest = expected.split_once(mark)?.1.trim_start();
        let end = rest
            .find(|letter: char| !letter.is_ascii_digit() && letter != '.' && letter != '-')
            .unwrap_or(rest.len());
        rest[..end].trim_end_matches('.').parse::<f64>().ok()
    };
    if let Some(reach) = after("within ±") {
        return Some((-reach, reach));
    }
    if let (Some(low), Some(high)) = (after("from "), after(" to ")) {
        return Some((low, high));
    }
    let strict = after("> ").map(|low| low + 0.001);
    let low = after(">= ").or(strict);
    let high = after("<= ").or_else(|| after("< ").map(|high| high - 0.001));
    match (low, high) {
        (None, None) => None,
        (low, high) => Some((low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY))),
    }
}

fn clamped(value: &Value, low: f64, high: f64) -> Option<Value> {
    match value {
        Value::Number(number) => Some(json!(number.as_f64()?.clamp(low, high.max(low)))),
        Value::Array(items) => items
            .iter()
            .map(|item| clamped(item, low, high))
            .collect::<Option<Vec<_>>>()
            .map(Value::Array),
        _ => None,
    }
}

/// A harmless value for a property that was missing.
fn default_of(name: &str) -> Option<Value> {
    Some(match name {
        "center" | "look_at" | "start" => json!([0.0, 1.0, 0.0]),
        "base_center" | "corner" => json!([0.0, 0.0, 0.0]),
        "top_center" | "end" => json!([0.0, 2.0, 0.0]),
        "radius" | "base_radius" => json!(1.0),
        "top_radius" | "falloff_exponent" | "aperture" => json!(0.0),
        "dimensions" => json!([1.0, 1.0, 1.0]),
        "u" => json!([1.0, 0.0, 0.0]),
        "v" => json!([0.0, 0.0, 1.0]),
        "normal" | "up" => json!([0.0, 1.0, 0.0]),
        "direction" => json!([0.0, -1.0, 0.0]),
        "emission" => json!([8.0, 8.0, 8.0]),
        "capped" => json!(true),
        "cutoff_angle" => json!(180.0),
        "albedo" => json!([0.5, 0.5, 0.5]),
        "fuzz" => json!(0.1),
        "refractive_index" => json!(1.5),
        "thickness" => json!(0.25),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failed<'a>(args: &'a Value, error: &'a str) -> Outcome<'a> {
        Outcome { name: "create_shape", args, result: Err(error.into()) }
    }

    #[test]
    fn errors_are_mended_from_their_words() {
        let sphere =
            |properties: Value| json!({ "id": "a", "type": "sphere", "properties": properties });
        for (args, error, mended) in [
            (
                sphere(json!({ "radius": 1.0 })),
                "shape 'a' requires 'center' property ([x, y, z])",
                Some(sphere(json!({ "radius": 1.0, "center": [0.0, 1.0, 0.0] }))),
            ),
            (
                sphere(json!({ "radius": 2e6 })),
                "shape 'a' property 'radius' must be a number > 0 and <= 1000000, got 2000000.0",
                Some(sphere(json!({ "radius": 1e6 }))),
            ),
            (
                sphere(json!({ "material": { "albedo": [1.5, 0.0, -1.0] } })),
                "shape 'a' property 'material.albedo' must be [r, g, b] with numbers from 0 to 1, got []",
                Some(sphere(json!({ "material": { "albedo": [1.0, 0.0, 0.0] } }))),
            ),
            (
                sphere(json!({})),
                "shape 'a' cannot be made: a shape with this id already exists; choose another id",
                Some(json!({ "id": "a_2", "type": "sphere", "properties": {} })),
            ),
            (sphere(json!({})), "the disk is full", None),
            (sphere(json!({})), "the call was interrupted by the user", None),
        ] {
            let fix = fix(&failed(&args, error), &World::default(), &["a"], None);
            match (fix, mended) {
                (Fix::Retry { call, .. }, Some(mended)) => assert_eq!(call.args, mended, "{error}"),
                (Fix::GiveUp, None) => {}
                (other, _) => panic!("{error}: {other:?}"),
            }
        }
    }
}

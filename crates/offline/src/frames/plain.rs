//! Slots that hold no descriptions: amounts, names, colours, measures, patterns.

use crate::chart::Node;

use super::{Amount, ColourWord, Layout, Pattern};

/// Metres in a unit of the lexicon.
pub(super) fn metres_in(unit: &str) -> Option<f64> {
    Some(match unit {
        "m" => 1.0,
        "cm" => 0.01,
        "mm" => 0.001,
        "km" => 1000.0,
        "ft" => 0.3048,
        "in" => 0.0254,
        _ => return None,
    })
}

pub(super) fn name(node: &Node) -> Option<String> {
    let name = node.text("name")?;
    Some(match node.text("more") {
        Some(more) => format!("{name} {more}"),
        None => name.to_owned(),
    })
}

pub(super) fn axis(symbol: &str) -> Option<usize> {
    match symbol {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        _ => None,
    }
}

pub(super) fn amount(node: &Node) -> Option<Amount> {
    if let Some(degree) = node.number("degree") {
        return Some(Amount::Degree(degree));
    }
    let Some(value) = node.number("value") else {
        return node.number("number").map(Amount::Plain);
    };
    // "two and a half".
    let value = value + node.number("plus").unwrap_or(0.0);
    // "under five feet".
    let value = value * node.number("bound").unwrap_or(1.0);
    let Some(unit) = node.symbol("unit") else { return Some(Amount::Plain(value)) };
    Some(match unit {
        "degree" => Amount::Degrees(value),
        "percent" => Amount::Percent(value),
        "times" => Amount::Times(value),
        length => {
            let factor = metres_in(length)?;
            // "1 m 20" and "5 ft 3".
            let minor = node.number("minor").unwrap_or(0.0);
            let part = if length == "ft" { 0.0254 } else { 0.01 };
            Amount::Metres(value * factor + minor * part)
        }
    })
}

pub(super) fn colour(node: &Node) -> Option<ColourWord> {
    Some(ColourWord { name: node.text("colour")?.to_owned(), shade: node.symbol("shade") })
}

/// Width, height and depth of "60 x 40 x 20 cm": the last is the height for what lies flat, but people
/// who name three say width, height, depth of what stands; two are the ground. A unit that is said once is that of all.
pub(super) fn measures(node: &Node) -> Option<[f64; 3]> {
    let unit = unit_of(node).and_then(metres_in).unwrap_or(1.0);
    let side = |slot: &str| match amount(node.node(slot)?)? {
        Amount::Plain(number) => Some(number * unit),
        other => other.metres(),
    };
    Some([side("x")?, side("y").unwrap_or(0.0), side("z")?])
}

/// The unit of measures, where one is said.
pub(super) fn unit_of(node: &Node) -> Option<&'static str> {
    ["z", "y", "x"].into_iter().find_map(|slot| node.node(slot)?.symbol("unit"))
}

pub(super) fn pattern(node: &Node) -> Pattern {
    let number = |slot: &str| node.number(slot).map(|number| number.max(1.0) as usize);
    let length = |slot: &str| node.node(slot).and_then(amount).and_then(Amount::metres);
    let touch = node.has("apart").then_some(0.0);
    Pattern {
        layout: node.symbol("pattern").and_then(Layout::of),
        columns: number("columns"),
        rows: number("rows"),
        step: length("step"),
        gap: length("gap").or(touch),
        even: node.has("even"),
        radius: length("ring").map(|length| match node.symbol("dim") {
            Some("diameter") => 0.5 * length,
            _ => length,
        }),
        per_row: node.has("patterns"),
    }
}

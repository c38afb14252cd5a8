//! The noun of a description: what kind of thing is meant.

use crate::chart::{Node, Value};

use super::Head;

/// The kind that the slots of a noun tell.
pub(super) fn head(node: &Node) -> Head {
    let text = |slot: &str| node.text(slot).map(str::to_owned);
    if let Some(pronoun) = node.symbol("pron") {
        return Head::Pronoun(pronoun);
    }
    if let Some(kind) = node.symbol("built") {
        return Head::Built(kind);
    }
    if let Some(name) = node.symbol("shape") {
        return Head::Shape { name, cube: node.has("form") };
    }
    if let Some(which) = node.symbol("which") {
        return Head::Everything { rest: which == "rest" };
    }
    if let Some(Value::Symbol(name)) = node.get("object") {
        return match catalogue::catalogue().find(name) {
            Some(object) if !matches!(*name, "floor" | "wall") => Head::Object {
                name: object.name().to_owned(),
                // Nothing stands in for itself.
                stands_for: node
                    .text("word")
                    .filter(|word| !object.names().iter().any(|name| name == word))
                    .map(str::to_owned),
            },
            _ => Head::Scenery(name),
        };
    }
    if let Some(name) = text("object") {
        return Head::Object { name, stands_for: text("stands_for") };
    }
    if let Some(light) = node.symbol("light") {
        return Head::Light(light);
    }
    if let Some(kind) = node.symbol("kind") {
        return Head::Scene(kind);
    }
    if let Some(theme) = node.symbol("theme") {
        return Head::Theme(theme.to_owned());
    }
    for (slot, make) in [
        ("theme", Head::Theme as fn(String) -> Head),
        ("named", Head::Named),
        ("category", Head::Category),
        ("part", Head::Part),
        ("unknown", Head::Unknown),
    ] {
        if let Some(name) = text(slot) {
            return make(name);
        }
    }
    if node.has("own") {
        return Head::Part(text("word").unwrap_or_default());
    }
    if let Some(side) = node.symbol("side") {
        return Head::Part(side.to_owned());
    }
    Head::Thing
}

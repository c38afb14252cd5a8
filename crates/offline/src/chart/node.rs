//! What a stretch of words means: slots with values.

use std::fmt;

use crate::tokens::Feature;

/// What a slot holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Symbol(&'static str),
    Number(f64),
    Text(String),
    Node(Node),
}

/// Slots by name; a name may stand several times.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Node {
    pub(crate) slots: Vec<(&'static str, Value)>,
    /// From which token to before which.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

impl From<&Feature> for Value {
    fn from(feature: &Feature) -> Self {
        match feature {
            Feature::Symbol(symbol) => Self::Symbol(symbol),
            Feature::Number(number) => Self::Number(*number),
            Feature::Text(text) => Self::Text(text.as_ref().to_owned()),
        }
    }
}

impl Node {
    /// What a slot holds: of several values the last.
    pub(crate) fn get(&self, slot: &str) -> Option<&Value> {
        self.slots.iter().rev().find(|(name, _)| *name == slot).map(|(_, value)| value)
    }

    /// All values of a slot.
    pub(crate) fn all<'a>(&'a self, slot: &'a str) -> impl Iterator<Item = &'a Value> {
        self.slots.iter().filter(move |(name, _)| *name == slot).map(|(_, value)| value)
    }

    /// The nodes in a slot.
    pub(crate) fn nodes<'a>(&'a self, slot: &'a str) -> impl Iterator<Item = &'a Node> {
        self.all(slot).filter_map(|value| match value {
            Value::Node(node) => Some(node),
            _ => None,
        })
    }

    pub(crate) fn has(&self, slot: &str) -> bool {
        self.get(slot).is_some()
    }

    pub(crate) fn symbol(&self, slot: &str) -> Option<&'static str> {
        match self.get(slot)? {
            Value::Symbol(symbol) => Some(symbol),
            _ => None,
        }
    }

    pub(crate) fn number(&self, slot: &str) -> Option<f64> {
        match self.get(slot)? {
            Value::Number(number) => Some(*number),
            Value::Node(node) => node.number("number"),
            _ => None,
        }
    }

    /// A symbol or a text.
    pub(crate) fn text(&self, slot: &str) -> Option<&str> {
        match self.get(slot)? {
            Value::Symbol(symbol) => Some(symbol),
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn node(&self, slot: &str) -> Option<&Node> {
        match self.get(slot)? {
            Value::Node(node) => Some(node),
            _ => None,
        }
    }

    pub(super) fn set(&mut self, slot: &'static str, value: Value) {
        self.slots.retain(|(name, _)| *name != slot);
        self.slots.push((slot, value));
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (at, (slot, value)) in self.slots.iter().enumerate() {
            let gap = if at > 0 { " " } else { "" };
            match value {
                Value::Symbol(symbol) => write!(f, "{gap}{slot}={symbol}")?,
                Value::Number(number) => write!(f, "{gap}{slot}={number}")?,
                Value::Text(text) => write!(f, "{gap}{slot}=“{text}”")?,
                Value::Node(node) => write!(f, "{gap}{slot}={node}")?,
            }
        }
        f.write_str("}")
    }
}

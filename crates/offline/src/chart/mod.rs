//! A lattice of words to scored readings: a chart parser over the productions of `data/grammar`.

mod aside;
mod cover;
mod grammar;
mod node;
mod parser;
mod passives;

pub(crate) use cover::{Reading, readings};
#[cfg(test)]
use grammar::Grammar;
pub(crate) use grammar::grammar;
pub(crate) use node::{Node, Value};
pub(crate) use parser::Chart;

#[cfg(test)]
mod tests;

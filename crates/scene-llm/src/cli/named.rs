//! Options of a picture by their names.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use server::Choice;

/// Reads the name of one of the values of a choice.
pub(super) fn one_of<T: Choice>() -> impl TypedValueParser<Value = T> {
    let names = T::ALL.iter().map(|(_, name, help)| PossibleValue::new(*name).help(*help));
    PossibleValuesParser::new(names).map(|given| {
        // The parser before takes only names of the table.
        let found = T::ALL.iter().find(|(_, name, _)| *name == given);
        found.map(|(value, ..)| *value).unwrap_or_default()
    })
}

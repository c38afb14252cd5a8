//! Names of categories, senses and features as small numbers.

use std::collections::HashMap;

/// A category or a sense.
pub(crate) type Symbol = u16;
/// A set of features, a bit for each.
pub(crate) type Features = u64;

/// Names as they are met in the data files.
#[derive(Debug, Clone, Default)]
pub(crate) struct Symbols {
    names: Vec<&'static str>,
    numbers: HashMap<&'static str, Symbol>,
    features: Vec<&'static str>,
}

impl Symbols {
    /// The number of a name, a new one for a name that was not met before.
    pub(crate) fn intern(&mut self, name: &'static str) -> Symbol {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = Symbol::try_from(self.names.len()).unwrap_or(Symbol::MAX);
        self.names.push(name);
        self.numbers.insert(name, number);
        number
    }

    /// The number of a name that was met.
    pub(crate) fn number(&self, name: &str) -> Option<Symbol> {
        self.numbers.get(name).copied()
    }

    /// The name of a number.
    pub(crate) fn name(&self, symbol: Symbol) -> &'static str {
        self.names.get(usize::from(symbol)).copied().unwrap_or("?")
    }

    /// The number of names.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// The bit of a feature, a new one for a feature that was not met before.
    pub(crate) fn feature(&mut self, name: &'static str) -> Features {
        let at = self.features.iter().position(|known| *known == name);
        let at = at.unwrap_or_else(|| {
            self.features.push(name);
            self.features.len() - 1
        });
        1 << at.min(63)
    }

    /// The bit of a feature that was met; none for another.
    pub(crate) fn feature_named(&self, name: &str) -> Features {
        let at = self.features.iter().position(|known| *known == name);
        at.map_or(0, |at| 1 << at.min(63))
    }

    /// The names of the features in a set.
    pub(crate) fn feature_names(&self, features: Features) -> Vec<&'static str> {
        let has = |(at, _): &(usize, &&str)| features & (1 << at) != 0;
        self.features.iter().enumerate().filter(has).map(|(_, name)| *name).collect()
    }
}

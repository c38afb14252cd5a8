//! Typed frames: what is to be done or answered, to what, how, where. The grammar fills untyped slots;
//! here they get their types.

mod act;
mod amount;
mod company;
mod description;
mod head;
mod kinds;
mod measured;
mod phrases;
mod plain;
mod read;
mod units;

pub(crate) use act::{Act, Ask, Frame, Motion, Say, Sun, View};
pub(crate) use amount::{Amount, Number};
pub(crate) use description::{
    ColourWord, Head, Member, Pattern, Phrase, Place, Quality, Shift, Tokens, Usual,
};
pub(crate) use kinds::{Determiner, Dimension, Layout, Recent, Region, Relation, Way};
pub(crate) use phrases::phrase as description;
pub(crate) use read::frames;

/// Defines an enum whose variants the data files name.
macro_rules! symbols {
    ($(#[$meta:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident = $symbol:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum $name { $($(#[$inner])* $variant),* }

        impl $name {
            /// The variant of a symbol of the data files.
            pub(crate) fn of(symbol: &str) -> Option<Self> {
                match symbol {
                    $($symbol => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use symbols;

#[cfg(test)]
mod tests;

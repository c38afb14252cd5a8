//! Counts the objects of a scene file without building a JSON tree, which would take ten times the
//! memory of a file of a few hundred megabytes.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::violations::{ReadErrors, Violations};

use super::{MAX_LIGHTS, MAX_SHAPES};

/// Rejects a file with too many objects.
pub(super) fn check(text: &str) -> serde_json::Result<Result<(), Violations>> {
    let Outline(counts) = serde_json::from_str(text)?;
    let mut errors = ReadErrors::default();
    for ((name, most), count) in LISTS.into_iter().zip(counts) {
        if count > most {
            errors.add(format!(
                "the scene file: '{name}' may hold at most {most} entries, got {count}"
            ));
        }
    }
    Ok(errors.finish(Some(())))
}

const LISTS: [(&str, usize); 3] =
    [("shapes", MAX_SHAPES), ("lights", MAX_LIGHTS), ("groups", MAX_SHAPES)];

/// The lengths of the [`LISTS`]; 0 if one is not a list. Other errors are found later.
struct Outline([usize; 3]);

impl<'de> Deserialize<'de> for Outline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OutlineVisitor).map(Self)
    }
}

struct OutlineVisitor;

/// Visitor methods for values that are neither list nor object.
macro_rules! nothing_of_scalars {
    ($nothing:expr) => {
        fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
            Ok($nothing)
        }
        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok($nothing)
        }
    };
}

impl<'de> Visitor<'de> for OutlineVisitor {
    type Value = [usize; 3];

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("JSON")
    }

    nothing_of_scalars!([0; 3]);

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok([0; 3])
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut counts = [0; 3];
        while let Some(name) = object.next_key::<std::borrow::Cow<'de, str>>()? {
            match LISTS.iter().position(|(known, _)| name == *known) {
                Some(at) => counts[at] = object.next_value::<Length>()?.0,
                None => {
                    object.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(counts)
    }
}

/// The length of a list; 0 for other values.
struct Length(usize);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LengthVisitor).map(Self)
    }
}

struct LengthVisitor;

impl<'de> Visitor<'de> for LengthVisitor {
    type Value = usize;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("JSON")
    }

    nothing_of_scalars!(0);

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut count = 0;
        while list.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(count)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        while object.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_counted_and_all_else_is_let_be() {
        let of = |text: &str| check(text).map(|found| found.map_err(|errors| errors.to_string()));
        for text in [
            "{}",
            "[1, {}]",
            "null",
            "3.5",
            "\"a\"",
            r#"{"shapes": {"a": 1}, "lights": "x", "\\u0061": [1]}"#,
        ] {
            assert_eq!(of(text).unwrap(), Ok(()), "{text}");
        }
        let many = format!("{{\"version\": 1, \"shapes\": [{}0]}}", "{},".repeat(MAX_SHAPES));
        let error = of(&many).unwrap().unwrap_err();
        assert_eq!(error, "the scene file: 'shapes' may hold at most 10000 entries, got 10001");
        assert!(of("{\"shapes\": [1,").is_err());
    }
}

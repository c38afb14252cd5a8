//! Parsing JSON to typed values while collecting all errors: for the document, edits, and the
//! arguments of other calls.

use serde_json::{Map, Value};

pub use crate::violations::ReadErrors;

/// A value that can be parsed from JSON.
pub trait Read: Sized {
    /// Parses `value`; whenever it returns `None`, an error was added to `errors`.
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self>;

    /// The expected form, e.g. `[x, y, z]`; completes "requires 'center' property".
    fn expected() -> String;
}

/// The path of a property in the document, for messages such as "shape 'a' property
/// 'material.albedo'".
#[derive(Clone)]
pub struct PropertyPath<'a> {
    /// E.g. `shape 'red_sphere'`.
    owner: &'a str,
    /// E.g. `material.albedo`; empty for the owner itself.
    path: String,
}

impl<'a> PropertyPath<'a> {
    /// The path of `owner` itself, e.g. `shape 'red_sphere'`.
    pub fn of(owner: &'a str) -> Self {
        Self { owner, path: String::new() }
    }

    /// The path of a property of this object.
    pub fn property(&self, name: &str) -> Self {
        let path =
            if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
        Self { owner: self.owner, path }
    }

    /// Adds the error that `got` is not of the expected form.
    pub fn must_be(&self, expected: &str, got: &Value, errors: &mut ReadErrors) {
        let got = excerpt(got);
        if self.path.is_empty() {
            errors.add(format!("{} must be {expected}, got {got}", self.owner));
        } else {
            errors.add(format!(
                "{} property '{}' must be {expected}, got {got}",
                self.owner, self.path
            ));
        }
    }

    /// `shape 'a'` or `shape 'a' property 'material'`.
    pub fn subject(&self) -> String {
        if self.path.is_empty() {
            self.owner.to_owned()
        } else {
            format!("{} property '{}'", self.owner, self.path)
        }
    }
}

/// A JSON value, shortened.
fn excerpt(value: &Value) -> String {
    const MAX_LENGTH: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MAX_LENGTH {
        return text;
    }
    let start: String = text.chars().take(MAX_LENGTH).collect();
    format!("{start}...")
}

/// Reads the properties of one JSON object.
pub struct ObjectReader<'a> {
    map: &'a Map<String, Value>,
    path: PropertyPath<'a>,
    errors: &'a mut ReadErrors,
}

impl<'a> ObjectReader<'a> {
    /// A reader for `value`; an error if it is not an object.
    pub fn new(
        value: &'a Value,
        path: PropertyPath<'a>,
        errors: &'a mut ReadErrors,
    ) -> Option<ObjectReader<'a>> {
        match value {
            Value::Object(map) => Some(ObjectReader { map, path, errors }),
            other => {
                path.must_be("an object", other, errors);
                None
            }
        }
    }

    /// A required property.
    pub fn required<T: Read>(&mut self, name: &str) -> Option<T> {
        match self.map.get(name) {
            None | Some(Value::Null) => {
                let path = self.path.property(name).path;
                self.errors.add(format!(
                    "{} requires '{path}' property ({})",
                    self.path.owner,
                    T::expected()
                ));
                None
            }
            Some(value) => T::read(value, &self.path.property(name), self.errors),
        }
    }

    /// An optional property; missing or null gives `default`.
    pub fn optional<T: Read>(&mut self, name: &str, default: T) -> Option<T> {
        match self.map.get(name) {
            None | Some(Value::Null) => Some(default),
            Some(value) => T::read(value, &self.path.property(name), self.errors),
        }
    }

    /// Adds an error for every property that is not in `known`, with the nearest known name.
    pub fn reject_unknown(&mut self, known: &[&str]) {
        for name in self.map.keys().filter(|name| !known.contains(&name.as_str())) {
            self.errors.add(format!(
                "{} has no property '{name}'; did you mean '{}'? It takes: {}",
                self.path.subject(),
                nearest(name, known.iter().copied()),
                known.join(", ")
            ));
        }
    }

    /// Adds an error about the object as a whole.
    pub fn error(&mut self, message: &str) {
        self.errors.add(format!("{}: {message}", self.path.subject()));
    }

    /// The errors collected so far, for reading nested values by hand.
    pub fn errors(&mut self) -> &mut ReadErrors {
        self.errors
    }

    /// The path of the object that is read.
    pub fn path(&self) -> &PropertyPath<'a> {
        &self.path
    }

    /// The raw value of a property.
    pub fn get(&self, name: &str) -> Option<&'a Value> {
        self.map.get(name)
    }
}

/// The known name most similar to `name`; names that contain it as a word, as `base_center`
/// contains `center`, come first.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> &'a str {
    let likeness = |known: &str| {
        let has_word = !name.is_empty() && known.split('_').any(|word| word == name);
        strsim::jaro_winkler(name, known) + if has_word { 1.0 } else { 0.0 }
    };
    known.max_by(|a, b| likeness(a).total_cmp(&likeness(b))).unwrap_or_default()
}

/// The `type` of a tagged object, if it is one of `known`; otherwise an error.
pub(crate) fn read_type(
    value: Option<&Value>,
    known: &[&'static str],
    path: &PropertyPath<'_>,
    errors: &mut ReadErrors,
) -> Option<&'static str> {
    let subject = path.subject();
    let Some(value) = value.filter(|value| !value.is_null()) else {
        errors.add(format!("{subject} requires 'type': one of {}", known.join(", ")));
        return None;
    };
    let Some(name) = value.as_str() else {
        path.property("type").must_be(&format!("one of {}", known.join(", ")), value, errors);
        return None;
    };
    let found = known.iter().copied().find(|candidate| *candidate == name);
    if found.is_none() {
        errors.add(format!(
            "{subject} has unknown type '{}'; did you mean '{}'? Known types: {}",
            name.chars().take(60).collect::<String>(),
            nearest(name, known.iter().copied()),
            known.join(", ")
        ));
    }
    found
}

/// The properties of one type of object: a struct whose fields are its JSON properties.
pub trait Properties: Sized {
    /// The names, in order; `true` for required ones.
    const FIELDS: &'static [(&'static str, bool)];

    /// Parses the fields. The caller rejects unknown names, since it may accept more of them.
    fn read_fields(reader: &mut ObjectReader<'_>) -> Option<Self>;

    /// Checks rules between fields, once each field is valid.
    fn check(&self, _reader: &mut ObjectReader<'_>) {}
}

/// Parses an object with the properties of `T` and no others.
pub(crate) fn read_object<T: Properties>(
    value: &Value,
    at: &PropertyPath<'_>,
    errors: &mut ReadErrors,
) -> Option<T> {
    let mut reader = ObjectReader::new(value, at.clone(), errors)?;
    let known: Vec<&str> = T::FIELDS.iter().map(|(name, _)| *name).collect();
    reader.reject_unknown(&known);
    let object = T::read_fields(&mut reader)?;
    object.check(&mut reader);
    Some(object)
}

/// Defines a struct whose fields are JSON properties: `name: Type` is required, `name: Type =
/// default` is optional. Types are [`Read`], `Serialize` and `JsonSchema`.
#[macro_export]
macro_rules! properties {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$field_meta:meta])* pub $field:ident : $type:ty $(= $default:expr)? ),* $(,)?
        }
        $(check($self:ident, $reader:ident) $check:block)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, schemars::JsonSchema)]
        pub struct $name {
            $( $(#[$field_meta])* pub $field: $type, )*
        }

        impl $crate::read::Properties for $name {
            const FIELDS: &'static [(&'static str, bool)] = &[
                $( (stringify!($field), $crate::properties!(@is_required $($default)?)) ),*
            ];

            fn read_fields(_reader: &mut $crate::read::ObjectReader<'_>) -> Option<Self> {
                // Parse all fields before returning, to report all errors.
                $( let $field: Option<$type> =
                    $crate::properties!(@read _reader, stringify!($field) $(, $default)?); )*
                Some(Self { $( $field: $field? ),* })
            }

            $(
                fn check(&$self, $reader: &mut $crate::read::ObjectReader<'_>) $check
            )?
        }
    };
    (@is_required) => { true };
    (@is_required $default:expr) => { false };
    (@read $reader:ident, $name:expr) => { $reader.required($name) };
    (@read $reader:ident, $name:expr, $default:expr) => { $reader.optional($name, $default) };
}

/// Defines an enum of [`Properties`] structs, tagged by a type name.
macro_rules! tagged {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$variant_meta:meta])* $variant:ident = $tag:literal ),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $name { $( $(#[$variant_meta])* $variant($variant) ),* }

        impl $name {
            /// All type names, in the order of the documentation.
            pub const TYPES: &'static [&'static str] = &[$($tag),*];

            /// The name of the type in files and tools.
            pub fn type_name(&self) -> &'static str {
                match self { $( Self::$variant(_) => $tag ),* }
            }

            /// The properties as JSON, with all default values.
            pub fn properties_json(&self) -> serde_json::Map<String, serde_json::Value> {
                let value = match self { $( Self::$variant(inner) => serde_json::to_value(inner) ),* };
                match value {
                    Ok(serde_json::Value::Object(map)) => map,
                    // The structs contain only finite numbers, booleans and strings, so this cannot
                    // fail.
                    _ => serde_json::Map::new(),
                }
            }

            /// The property names of a type, in order, with whether they are required.
            pub(crate) fn fields_of(type_name: &str) -> &'static [(&'static str, bool)] {
                match type_name {
                    $( $tag => <$variant as $crate::read::Properties>::FIELDS, )*
                    _ => &[],
                }
            }

            /// JSON Schema of each type's properties.
            pub(crate) fn schemas() -> Vec<(&'static str, schemars::Schema)> {
                vec![$( ($tag, schemars::schema_for!($variant)) ),*]
            }

            /// Parses the properties of `type_name` and checks the rules between them; the caller
            /// handles names in `also_known`.
            pub(crate) fn read_properties(
                type_name: &str,
                reader: &mut $crate::read::ObjectReader<'_>,
                also_known: &[&'static str],
            ) -> Option<Self> {
                let mut known: Vec<&str> =
                    Self::fields_of(type_name).iter().map(|(name, _)| *name).collect();
                known.extend(also_known);
                reader.reject_unknown(&known);
                match type_name {
                    $( $tag => {
                        let inner = <$variant as $crate::read::Properties>::read_fields(reader)?;
                        $crate::read::Properties::check(&inner, reader);
                        Some(Self::$variant(inner))
                    } )*
                    _ => None,
                }
            }
        }
    };
}

/// Defines an enum of words.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$variant_meta:meta])* $variant:ident = $word:literal ),* $(,)? }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $( $(#[$variant_meta])* $variant ),* }

        impl $name {
            /// The words files and tools use, in the order of the documentation.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word files and tools use.
            pub const fn word(self) -> &'static str {
                match self { $( Self::$variant => $word ),* }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": Self::WORDS })
            }
        }

        impl $crate::read::Read for $name {
            fn read(
                value: &serde_json::Value,
                at: &$crate::read::PropertyPath<'_>,
                errors: &mut $crate::read::ReadErrors,
            ) -> Option<Self> {
                let found = match value.as_str() {
                    $( Some($word) => Some(Self::$variant), )*
                    _ => None,
                };
                if found.is_none() {
                    at.must_be(&Self::expected(), value, errors);
                }
                found
            }

            fn expected() -> String {
                format!("one of {}", Self::WORDS.join(", "))
            }
        }
    };
}

pub(crate) use {properties, tagged, words};

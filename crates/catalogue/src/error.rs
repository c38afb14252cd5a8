//! The error of the crate.

/// Why an object or a scene cannot be built. The files are tested, so an error means that a parameter
/// is out of range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CatalogueError {
    /// The file does not parse.
    #[error("{file}: {message}")]
    File {
        /// Its name.
        file: String,
        /// What is wrong, with the line.
        message: String,
    },
    /// An error in a part.
    #[error("part '{name}': {error}")]
    Part {
        /// The part's name.
        name: String,
        /// What is wrong.
        error: Box<CatalogueError>,
    },
    /// Numbers that make no shape, or a light without a form.
    #[error("{0}")]
    Shape(String),
    /// Neither a preset nor a colour.
    #[error("'{0}' is no preset, CSS colour or code like #d02020")]
    Paint(String),
    /// A category that does not exist.
    #[error("there is no category '{name}'; there are {known}")]
    UnknownCategory {
        /// The name that was given.
        name: String,
        /// The names of all.
        known: String,
    },
    /// An option that the object does not have.
    #[error("a {object} has no option '{option}'; its options: {known}")]
    UnknownOption {
        /// The object.
        object: String,
        /// The name that was given.
        option: String,
        /// The names of its options.
        known: String,
    },
    /// A material for a part that the object does not have.
    #[error("a {object} has no part '{part}'; it has {known}")]
    UnknownPart {
        /// The object.
        object: String,
        /// The name that was given.
        part: String,
        /// The names of its roles and parts.
        known: String,
    },
    /// A part, object or point that does not exist.
    #[error("there is no '{0}' before it; name an earlier part or an object of the catalogue")]
    Reference(String),
    /// A name that no id can be.
    #[error("'{0}' cannot be an id")]
    Name(String),
    /// An object that is made of itself.
    #[error("'{0}' is built of too many objects within each other")]
    Depth(String),
    /// A scene that the document does not accept.
    #[error("scene '{name}': {violations}")]
    Scene {
        /// The scene's name.
        name: String,
        /// The rules it violates.
        violations: scene::Violations,
    },
    /// It would leave the range of the document.
    #[error("'{name}' cannot be made so: {error}")]
    Motion {
        /// The name of the shape.
        name: String,
        /// What is out of range.
        error: scene::MotionError,
    },
}

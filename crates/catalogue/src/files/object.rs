//! The file of an object, and the parts that scenes are written in as well.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::Value;

/// A number, or a range that one is drawn from.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub(crate) enum Number {
    Fixed(f64),
    Random { between: [f64; 2] },
}

/// A point: coordinates, or a place relative to the bounds of another part.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Point {
    /// `[x, y, z]`, or `[x, z]` on the ground.
    Coordinates(Vec<Number>),
    /// `at` is in half sizes from the middle: `[0, 1, 0]` is the middle of the top.
    Relative {
        of: String,
        at: [Number; 3],
        #[serde(default)]
        plus: Option<[Number; 3]>,
    },
}

/// What a role is painted with.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Paint {
    /// A preset, a CSS colour or a code like `#d02020`.
    Named(String),
    Finished {
        colour: String,
        finish: Finish,
    },
    /// One of these for all parts of the role.
    Any {
        any: Vec<Paint>,
    },
    /// One of these for each part by itself.
    Each {
        each: Vec<Paint>,
    },
    /// Emitted radiance, in W/(sr m^2).
    Emissive {
        #[serde(rename = "glow")]
        emission: [f64; 3],
    },
}

/// How a surface reflects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Finish {
    Matte,
    Satin,
    Glossy,
    Lacquered,
    Metal,
    Brushed,
    Clear,
}

/// Parts that may be left out or added: "without a hat".
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ObjectOption {
    /// The words people use for it besides its name.
    #[serde(default)]
    pub(crate) words: Vec<String>,
    /// Whether it is there by default.
    pub(crate) usual: bool,
}

/// Copies beside each other.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) count: Number,
    pub(crate) step: [Number; 3],
}

/// Copies in columns and rows around the place of the part.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Grid {
    pub(crate) count: [Number; 2],
    pub(crate) step: [Number; 2],
    /// How far each may be from its place, in metres.
    #[serde(default)]
    pub(crate) loose: f64,
}

/// Copies turned about an axis through `center`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ring {
    pub(crate) count: Number,
    #[serde(default)]
    pub(crate) about: Axis,
    #[serde(default)]
    pub(crate) center: [f64; 3],
    /// The degrees the copies are spread over; `None` is a full circle.
    #[serde(default)]
    pub(crate) arc: Option<f64>,
    /// The degrees the first copy is turned by.
    #[serde(default)]
    pub(crate) start: f64,
}

/// An axis of space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Axis {
    X,
    #[default]
    Y,
    Z,
}

/// Copies at random in a rectangle of the ground, clear of what stands there.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scatter {
    pub(crate) count: Number,
    /// `[least x, least z]` and `[most x, most z]`.
    pub(crate) within: [[f64; 2]; 2],
    /// The least distance between them, in metres.
    #[serde(default)]
    pub(crate) apart: f64,
    /// Whether each is turned at random.
    #[serde(default)]
    pub(crate) turned: bool,
}

/// A part: exactly one form, its place, and its copies.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Part {
    pub(crate) name: String,
    // Forms.
    pub(crate) sphere: Option<Number>,
    #[serde(rename = "box")]
    pub(crate) cuboid: Option<[Number; 3]>,
    pub(crate) cylinder: Option<[Number; 2]>,
    pub(crate) cone: Option<Vec<Number>>,
    pub(crate) torus: Option<[Number; 2]>,
    pub(crate) arch: Option<Vec<Number>>,
    pub(crate) capsule: Option<[Number; 2]>,
    pub(crate) disc: Option<Number>,
    pub(crate) quad: Option<[Number; 2]>,
    pub(crate) floor: Option<[Number; 2]>,
    pub(crate) triangle: Option<[[f64; 3]; 3]>,
    pub(crate) rod: Option<Number>,
    pub(crate) limb: Option<Number>,
    pub(crate) spike: Option<[Number; 2]>,
    pub(crate) shape: Option<Value>,
    pub(crate) parts: Option<Vec<Part>>,
    #[serde(rename = "use")]
    pub(crate) uses: Option<String>,
    /// Whether a cylinder or cone has no caps.
    pub(crate) open: bool,
    // Of a part that uses another object.
    pub(crate) height: Option<Number>,
    pub(crate) roles: BTreeMap<String, Paint>,
    pub(crate) with: Vec<String>,
    pub(crate) without: Vec<String>,
    // Place.
    pub(crate) from: Option<Point>,
    pub(crate) to: Option<Point>,
    pub(crate) at: Option<Point>,
    pub(crate) center: Option<Point>,
    pub(crate) on: Option<String>,
    pub(crate) under: Option<String>,
    pub(crate) left_of: Option<String>,
    pub(crate) right_of: Option<String>,
    pub(crate) in_front_of: Option<String>,
    pub(crate) behind: Option<String>,
    pub(crate) inside: Option<String>,
    pub(crate) upon: Option<String>,
    pub(crate) around: Option<Number>,
    pub(crate) up: Option<Number>,
    pub(crate) outward: bool,
    pub(crate) sink: Option<Number>,
    pub(crate) gap: Option<Number>,
    pub(crate) shift: Option<[Number; 3]>,
    pub(crate) tilt: Option<[Number; 3]>,
    pub(crate) turn: Option<Number>,
    pub(crate) scale: Option<Number>,
    // Copies.
    pub(crate) mirror: Option<Mirror>,
    pub(crate) row: Option<Row>,
    pub(crate) grid: Option<Grid>,
    pub(crate) ring: Option<Ring>,
    pub(crate) scatter: Option<Scatter>,
    // Appearance and conditions.
    pub(crate) role: Option<String>,
    #[serde(rename = "if")]
    pub(crate) only_if: Option<String>,
    pub(crate) unless: Option<String>,
    /// Scenes: it may be partly out of view.
    pub(crate) backdrop: bool,
    /// Scenes: it floats intentionally.
    pub(crate) floats: bool,
}

/// The planes a part is mirrored at: x = 0, z = 0 or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mirror {
    X,
    Z,
    Xz,
}

/// Where an object carries small things that come with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Carries {
    /// On its top: lamps and cups stand there.
    Top,
    /// On its seat: cats and cushions lie there.
    Seat,
    /// Anywhere: houses and trees stand there.
    Ground,
}

/// The file of an object.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ObjectFile {
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) roles: BTreeMap<String, Paint>,
    #[serde(default)]
    pub(crate) options: BTreeMap<String, ObjectOption>,
    /// Whether its colours are natural: adjectives like "colourful" do not change them.
    #[serde(default)]
    pub(crate) natural: bool,
    /// Whether it is at home under the sky, on grass: trees, houses, sheep.
    #[serde(default)]
    pub(crate) outdoors: bool,
    /// Where it carries what comes with it: "a desk with a mug".
    pub(crate) carries: Option<Carries>,
    pub(crate) parts: Vec<Part>,
}

impl ObjectFile {
    /// What the object is called.
    pub(crate) fn name(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// The options that are there: those in `with`, and the usual ones that are not in `without`.
    /// Each goes by its name or one of its words.
    pub(crate) fn chosen(&self, with: &[String], without: &[String]) -> BTreeSet<String> {
        let named = |given: &[String], name: &String, words: &[String]| {
            given.iter().any(|word| word == name || words.contains(word))
        };
        let chosen = |name: &String, option: &ObjectOption| {
            named(with, name, &option.words)
                || (option.usual && !named(without, name, &option.words))
        };
        let chosen = self.options.iter().filter(|(name, option)| chosen(name, option));
        chosen.map(|(name, _)| name.clone()).collect()
    }

    /// The names of its parts, nested parts included.
    pub(crate) fn part_names(&self) -> Vec<&str> {
        fn collect<'a>(parts: &'a [Part], names: &mut Vec<&'a str>) {
            for part in parts {
                names.push(&part.name);
                collect(part.parts.as_deref().unwrap_or_default(), names);
            }
        }
        let mut names = Vec::new();
        collect(&self.parts, &mut names);
        names
    }
}

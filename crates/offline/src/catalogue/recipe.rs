//! The files of the catalogue as they are written; `data/README.md` says what each field means.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// A number, or a range to draw one from.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
pub(super) enum Number {
    Fixed(f64),
    Drawn { between: [f64; 2] },
}

/// A point: coordinates, or a place on the box round another part.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Point {
    /// `[x, y, z]`, or `[x, z]` on the ground.
    Here(Vec<Number>),
    /// `at` counts half sizes from the middle: `[0, 1, 0]` is the middle of the top.
    Of {
        of: String,
        at: [Number; 3],
        #[serde(default)]
        plus: Option<[Number; 3]>,
    },
}

/// What a role is painted with.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Paint {
    /// A preset, a CSS colour or a code like `#d02020`.
    Plain(String),
    Made {
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
    /// Light of its own, in W/(sr m^2).
    Glow {
        glow: [f64; 3],
    },
}

/// How light is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Finish {
    Matte,
    Satin,
    Glossy,
    Lacquered,
    Metal,
    Brushed,
    Clear,
}

/// What may be left out or added: "without a hat".
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Choice {
    /// The words people use for it, its name aside.
    #[serde(default)]
    pub(super) words: Vec<String>,
    /// Whether it is there when nothing is said.
    pub(super) usual: bool,
}

/// Copies beside each other.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) count: Number,
    pub(super) step: [Number; 3],
}

/// Copies in columns and rows about the place of the part.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Grid {
    pub(super) count: [Number; 2],
    pub(super) step: [Number; 2],
    /// How far each may stand off its place.
    #[serde(default)]
    pub(super) loose: f64,
}

/// Copies turned about an axis through `center`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ring {
    pub(super) count: Number,
    #[serde(default)]
    pub(super) about: Axis,
    #[serde(default)]
    pub(super) center: [f64; 3],
    /// The degrees the copies are spread over; the whole round when nothing is said.
    #[serde(default)]
    pub(super) arc: Option<f64>,
    /// The degrees the first one is turned by.
    #[serde(default)]
    pub(super) start: f64,
}

/// An axis of space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Axis {
    X,
    #[default]
    Y,
    Z,
}

/// Copies thrown into a rectangle of the ground, clear of all that stands there.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scatter {
    pub(super) count: Number,
    /// `[least x, least z]` and `[most x, most z]`.
    pub(super) within: [[f64; 2]; 2],
    /// Air round each.
    #[serde(default)]
    pub(super) apart: f64,
    /// Whether each is turned at random.
    #[serde(default)]
    pub(super) turned: bool,
}

/// A part: exactly one form, where it goes, and how often.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Part {
    pub(super) name: String,
    // Forms.
    pub(super) sphere: Option<Number>,
    #[serde(rename = "box")]
    pub(super) cuboid: Option<[Number; 3]>,
    pub(super) cylinder: Option<[Number; 2]>,
    pub(super) cone: Option<Vec<Number>>,
    pub(super) torus: Option<[Number; 2]>,
    pub(super) arch: Option<Vec<Number>>,
    pub(super) capsule: Option<[Number; 2]>,
    pub(super) disc: Option<Number>,
    pub(super) quad: Option<[Number; 2]>,
    pub(super) floor: Option<[Number; 2]>,
    pub(super) triangle: Option<[[f64; 3]; 3]>,
    pub(super) rod: Option<Number>,
    pub(super) limb: Option<Number>,
    pub(super) spike: Option<[Number; 2]>,
    pub(super) shape: Option<Value>,
    pub(super) parts: Option<Vec<Part>>,
    #[serde(rename = "use")]
    pub(super) uses: Option<String>,
    /// Whether a cylinder or cone has no caps.
    pub(super) open: bool,
    // Of a part that uses another object.
    pub(super) height: Option<Number>,
    pub(super) roles: BTreeMap<String, Paint>,
    pub(super) with: Vec<String>,
    pub(super) without: Vec<String>,
    // Place.
    pub(super) from: Option<Point>,
    pub(super) to: Option<Point>,
    pub(super) at: Option<Point>,
    pub(super) center: Option<Point>,
    pub(super) on: Option<String>,
    pub(super) under: Option<String>,
    pub(super) left_of: Option<String>,
    pub(super) right_of: Option<String>,
    pub(super) in_front_of: Option<String>,
    pub(super) behind: Option<String>,
    pub(super) inside: Option<String>,
    pub(super) upon: Option<String>,
    pub(super) around: Option<Number>,
    pub(super) up: Option<Number>,
    pub(super) outward: bool,
    pub(super) sink: Option<Number>,
    pub(super) gap: Option<Number>,
    pub(super) shift: Option<[Number; 3]>,
    pub(super) tilt: Option<[Number; 3]>,
    pub(super) turn: Option<Number>,
    pub(super) scale: Option<Number>,
    // Copies.
    pub(super) mirror: Option<Mirror>,
    pub(super) row: Option<Row>,
    pub(super) grid: Option<Grid>,
    pub(super) ring: Option<Ring>,
    pub(super) scatter: Option<Scatter>,
    // Look.
    pub(super) role: Option<String>,
    #[serde(rename = "if")]
    pub(super) only_if: Option<String>,
    pub(super) unless: Option<String>,
    /// Scenes: need not be wholly in the picture.
    pub(super) backdrop: bool,
    /// Scenes: hangs in the air, and is meant to.
    pub(super) floats: bool,
}

/// Whether a part is there once more on the other side of x = 0, z = 0 or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mirror {
    X,
    Z,
    Xz,
}

/// What of an object things are put on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Carries {
    /// Its top: lamps and cups stand there.
    Top,
    /// Its seat: cats and cushions lie there.
    Seat,
    /// All of it: houses and trees stand there.
    Ground,
}

/// An everyday object.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    pub(super) names: Vec<String>,
    #[serde(default)]
    pub(super) roles: BTreeMap<String, Paint>,
    #[serde(default)]
    pub(super) options: BTreeMap<String, Choice>,
    /// Its colours are its nature: adjectives like "colourful" leave it as it is.
    #[serde(default)]
    pub(super) natural: bool,
    /// What comes with it is put on it: "a desk with a mug".
    pub(super) carries: Option<Carries>,
    pub(super) parts: Vec<Part>,
}

//! Descriptions: things, what they are like, where they are. They are made of each other: "the ball on the
//! box that is as high as the lamp".

use super::{Amount, Determiner, Dimension, Layout, Recent, Region, Relation, Way};

/// What a thing is called.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Head {
    /// A shape by its type in the document; a cube is a box of equal edges.
    Shape { name: &'static str, cube: bool },
    /// A composed thing by its kind: a passage, a maze.
    Built(&'static str),
    /// An object of the catalogue; the word when it only stands in for it.
    Object { name: String, stands_for: Option<String> },
    /// A whole scene of the catalogue.
    Theme(String),
    /// A thing of the scene by words of its name.
    Named(String),
    /// A floor or a wall.
    Scenery(&'static str),
    /// A light by its kind.
    Light(&'static str),
    /// Things of several kinds.
    Category(String),
    /// A part of a thing.
    Part(String),
    /// Anything.
    Thing,
    /// What was spoken of: one, several, or what is selected.
    Pronoun(&'static str),
    /// Things by their ids: those that were asked about.
    These(Vec<String>),
    /// All there is, or the rest.
    Everything { rest: bool },
    /// The scene itself, its sky, its camera, ...
    Scene(&'static str),
    /// A word nobody knows.
    Unknown(String),
}

/// More things are not made at once.
const MAX_COUNT: usize = 200;

/// A description of a thing, or of several.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Phrase {
    pub(crate) head: Head,
    pub(crate) determiner: Option<Determiner>,
    pub(crate) plural: bool,
    /// Whether each of them is meant by itself: "on each chair".
    pub(crate) singly: bool,
    /// Whether the words are only an adjective: "the red".
    pub(crate) headless: bool,
    pub(crate) count: Option<f64>,
    pub(crate) ordinal: Option<i32>,
    /// From which side an ordinal counts.
    pub(crate) counted_from: Option<Way>,
    /// Counted by when they were made.
    pub(crate) age: Option<i32>,
    pub(crate) every: Option<usize>,
    /// "leftmost", "big": as the data files call it.
    pub(crate) superlative: Option<&'static str>,
    pub(crate) other: bool,
    /// What the first, the second, ... of several is like and where it is; handed out in turn.
    pub(crate) each: Vec<Member>,
    /// Under which light a scene is.
    pub(crate) mood: Option<&'static str>,
    pub(crate) same: bool,
    /// Whether the noun only stands for one that was said before.
    pub(crate) is_one: bool,
    /// Made just now, or before.
    pub(crate) recent: Option<Recent>,
    pub(crate) qualities: Vec<Quality>,
    /// Where the thing is that is meant.
    pub(crate) places: Vec<Place>,
    /// Where the thing is to be made.
    pub(crate) at: Vec<Place>,
    pub(crate) with: Vec<Phrase>,
    pub(crate) without: Vec<Phrase>,
    pub(crate) except: Vec<Phrase>,
    /// Qualities that what is meant has not.
    pub(crate) lacking: Vec<Quality>,
    /// What it is the nearest to, or the farthest from: whether near, and the other.
    pub(crate) nearest: Option<(bool, Box<Phrase>)>,
    /// Of which it is a part.
    pub(crate) part_of: Option<Box<Phrase>>,
    /// Out of which some are meant.
    pub(crate) of_them: Option<Box<Phrase>>,
    pub(crate) like: Option<Box<Phrase>>,
    /// At what its front is to look.
    pub(crate) facing: Option<Box<Phrase>>,
    pub(crate) name: Option<String>,
    pub(crate) pattern: Pattern,
    /// The noun as it was said.
    pub(crate) word: String,
    /// How large such a thing is by itself, and what of, where its shape does not tell.
    pub(crate) usual: Option<Usual>,
    /// Words before the noun that mean nothing here.
    pub(crate) extra: Option<String>,
    pub(crate) tokens: Tokens,
}

/// What a shape is like that stands for a thing: width, height and depth, and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Usual {
    pub(crate) edges: [f64; 3],
    pub(crate) material: Option<&'static str>,
}

impl Usual {
    /// Whether things stand on it, as on a driveway.
    pub(crate) fn is_flat(&self) -> bool {
        let [width, height, depth] = self.edges;
        height < 0.2 * width.min(depth)
    }
}

/// From which token to before which something was said. That is no part of what it means: all are equal.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tokens(pub(crate) usize, pub(crate) usize);

impl PartialEq for Tokens {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Phrase {
    /// A description by its head alone.
    pub(crate) fn of(head: Head) -> Self {
        Self {
            head,
            determiner: None,
            plural: false,
            headless: false,
            singly: false,
            count: None,
            ordinal: None,
            counted_from: None,
            age: None,
            every: None,
            superlative: None,
            other: false,
            each: Vec::new(),
            mood: None,
            same: false,
            is_one: false,
            recent: None,
            qualities: Vec::new(),
            places: Vec::new(),
            at: Vec::new(),
            with: Vec::new(),
            without: Vec::new(),
            except: Vec::new(),
            lacking: Vec::new(),
            nearest: None,
            part_of: None,
            of_them: None,
            like: None,
            facing: None,
            name: None,
            pattern: Pattern::default(),
            word: String::new(),
            usual: None,
            extra: None,
            tokens: Tokens::default(),
        }
    }

    /// What was spoken of last.
    pub(crate) fn it() -> Self {
        Self { determiner: Some(Determiner::Definite), ..Self::of(Head::Pronoun("it")) }
    }

    /// What was spoken of as several.
    pub(crate) fn them() -> Self {
        Self { plural: true, ..Self::of(Head::Pronoun("them")) }
    }

    /// Whether it speaks of something that is there.
    pub(crate) fn is_definite(&self) -> bool {
        matches!(self.head, Head::Pronoun(_) | Head::Everything { .. } | Head::These(_))
            || !matches!(
                self.determiner,
                None | Some(
                    Determiner::Indefinite
                        | Determiner::Another
                        | Determiner::More
                        | Determiner::No
                )
            )
    }

    /// Whether all that fit are meant.
    pub(crate) fn is_all(&self) -> bool {
        matches!(self.determiner, Some(Determiner::All | Determiner::Both))
    }

    /// How many are to be made.
    pub(crate) fn number(&self) -> usize {
        let count = self.count.unwrap_or(if self.plural { 3.0 } else { 1.0 });
        (count.round().max(0.0) as usize).min(MAX_COUNT)
    }

    /// Whether it says anything beside what kind of thing is meant.
    pub(crate) fn is_bare(&self) -> bool {
        self.qualities.is_empty()
            && self.places.is_empty()
            && self.superlative.is_none()
            && self.ordinal.is_none()
            && self.age.is_none()
            && self.part_of.is_none()
            && self.recent.is_none()
            && self.nearest.is_none()
            && !self.other
            && self.every.is_none()
    }
}

/// One of several: "one red, one on the table".
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) qualities: Vec<Quality>,
    pub(crate) places: Vec<Place>,
}

/// A place.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Place {
    pub(crate) relation: Option<Relation>,
    pub(crate) target: Option<Box<Phrase>>,
    /// The second of two that it is between.
    pub(crate) other: Option<Box<Phrase>>,
    /// A part of the target, or of the scene.
    pub(crate) region: Option<Region>,
    pub(crate) gap: Option<Amount>,
    pub(crate) point: Option<[f64; 3]>,
    /// A coordinate along an axis.
    pub(crate) coordinate: Option<(usize, f64)>,
    /// Metres above the ground.
    pub(crate) height: Option<f64>,
    /// Whether the number is that of each side: "four on each side".
    pub(crate) each_side: bool,
}

impl Place {
    /// A place in relation to something.
    pub(crate) fn by(relation: Relation, target: Option<Phrase>) -> Self {
        let target = target.map(Box::new);
        Self { relation: Some(relation), target, ..Self::default() }
    }

    /// Whether what it is about is there already.
    pub(crate) fn target_is_known(&self) -> bool {
        let is_there = |target: &Option<Box<Phrase>>| {
            target.as_ref().is_none_or(|target| target.is_definite())
        };
        is_there(&self.target) && is_there(&self.other)
    }
}

/// A way to go.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shift {
    pub(crate) way: Option<Way>,
    pub(crate) amount: Option<Amount>,
    /// Towards something, or away from it.
    pub(crate) toward: Option<(bool, Box<Phrase>)>,
    /// Along an axis.
    pub(crate) axis: Option<usize>,
    pub(crate) more: Option<Box<Shift>>,
}

/// How several things lie to each other, with what was said of it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Pattern {
    pub(crate) layout: Option<Layout>,
    pub(crate) columns: Option<usize>,
    pub(crate) rows: Option<usize>,
    /// From the middle of one to that of the next, in metres.
    pub(crate) step: Option<f64>,
    /// Between one and the next, in metres.
    pub(crate) gap: Option<f64>,
    pub(crate) even: bool,
    /// From the middle of a ring to its things, in metres.
    pub(crate) radius: Option<f64>,
    /// Whether the number is that of each row.
    pub(crate) per_row: bool,
}

impl Pattern {
    /// Whether anything was said.
    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A colour as it is said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ColourWord {
    /// A name of the catalogue's table or a code.
    pub(crate) name: String,
    /// Light, dark, pastel: as the data files call it.
    pub(crate) shade: Option<&'static str>,
}

/// A quality.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Quality {
    /// A colour.
    Colour(ColourWord),
    /// A material, perhaps in a colour.
    Material { name: String, tint: Option<ColourWord> },
    /// A pattern on the surface.
    Texture { name: &'static str, colours: Vec<ColourWord> },
    /// A word of size: a factor of what is usual.
    Size { dimension: Dimension, factor: f64 },
    /// A measure.
    Measured { dimension: Dimension, amount: Amount },
    /// Width, height and depth.
    Measures([f64; 3]),
    /// More or less of something than it is, or than something else is.
    Compared { dimension: Dimension, more: bool, amount: Option<Amount>, than: Option<Box<Phrase>> },
    /// More or less than a measure, or than something else has: what some are told from others by.
    Exceeds { dimension: Dimension, more: bool, amount: Option<Amount>, than: Option<Box<Phrase>> },
    /// So many times what it is, or what something else is.
    Scaled { dimension: Dimension, factor: f64, than: Option<Box<Phrase>> },
    /// As something else is; without one, all alike.
    Same { dimension: Dimension, other: Option<Box<Phrase>> },
    /// Each another.
    Distinct { dimension: Dimension, more: Option<bool> },
    /// More so than all others of its kind: as the data files call it.
    Most(&'static str),
    /// Round, square: as the data files call it.
    Form(&'static str),
    /// How it stands: as the data files call it.
    Posture(&'static str),
    /// What light is like: as the data files call it.
    Tone(&'static str),
    /// An adjective of scenes.
    Mood(String),
}

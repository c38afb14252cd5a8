//! Noun phrases: "three small green boxes to the left of it", "the biggest sphere", "it".
//!
//! The same form serves for things to make and for things that are meant; who reads it decides.

use crate::colour::Colour;
use crate::language::acts::intent::{Angle, Place};
use crate::language::phrases::size::Size;
use crate::language::words::vocabulary::{Finish, Noun, Pattern, Rank, Tone};

/// How a noun phrase points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Determiner {
    /// No article.
    Bare,
    /// "a", "some": something new.
    A,
    /// "another": something new, also "the other".
    Another,
    /// "the": something known.
    The,
    /// "all".
    All,
    /// "it".
    It,
    /// "them".
    Them,
    /// All that was spoken of last and nothing else, where no word says so.
    Focus,
    /// "this": the selection, or else "it".
    This,
    /// "everything".
    Everything,
    /// "the rest".
    Rest,
}

/// Some of several things.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Share {
    /// This part of them, from the first on; 0 to 1.
    Part(f64),
    /// One in so many, beginning with the last of the first so many.
    Every(usize),
}

/// When a thing was made, as far as this conversation goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Age {
    /// "the new ones", "the ball I just made".
    New,
    /// "the old ones", "the house from before".
    Old,
    /// "the ones I made first".
    First,
}

/// One noun phrase.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Phrase {
    pub(crate) determiner: Determiner,
    pub(crate) plural: bool,
    pub(crate) count: Option<usize>,
    pub(crate) head: Option<Noun>,
    pub(crate) colours: Vec<Colour>,
    /// What each of several is to be like, where that is more than a colour: "one white, one of glass".
    pub(crate) members: Vec<Phrase>,
    pub(crate) finish: Option<Finish>,
    pub(crate) size: Size,
    pub(crate) tones: Vec<Tone>,
    pub(crate) rank: Option<Rank>,
    /// How many that rank higher are passed over: 1 for "the second biggest".
    pub(crate) passed_over: usize,
    /// "an identical ball": as another that is there.
    pub(crate) identical: bool,
    /// When it was made, in comparison: "the new ones".
    pub(crate) age: Option<Age>,
    /// Only some of what is described: "half of them", "every second one".
    pub(crate) share: Option<Share>,
    /// "him": all of it, though a part of it was spoken of last.
    pub(crate) whole: bool,
    /// How many are spoken of as one: 2 for "both" and "those two".
    pub(crate) together: Option<usize>,
    /// What it is a part of: "the snowman's hat".
    pub(crate) owner: Option<Box<Phrase>>,
    /// Parts it is not to have: "without a hat".
    pub(crate) without: Vec<String>,
    /// "the second", "number 2": counted from 1.
    pub(crate) ordinal: Option<usize>,
    pub(crate) name: Option<String>,
    pub(crate) pattern: Option<Pattern>,
    /// Columns and rows of a grid.
    pub(crate) grid: Option<(usize, usize)>,
    /// The air between neighbours of a pattern, in metres.
    pub(crate) gap: Option<f64>,
    pub(crate) places: Vec<Place>,
    /// What comes with it: "with a light above it".
    pub(crate) companions: Vec<Phrase>,
    pub(crate) except: Vec<Phrase>,
    /// "rotated 30 degrees around y".
    pub(crate) turn: Option<Angle>,
    /// What a light shines at.
    pub(crate) aim: Option<Place>,
    /// "facing it": turned to what it is placed before.
    pub(crate) facing: bool,
    /// "each smaller than the one below".
    pub(crate) tapering: bool,
    /// "getting bigger": each bigger than the one before.
    pub(crate) growing: bool,
    /// "of different sizes".
    pub(crate) varied: bool,
    /// The radius of the circle they stand in, in metres.
    pub(crate) ring_radius: Option<f64>,
    /// Whether the gap is counted from middle to middle.
    pub(crate) centre_to_centre: bool,
    /// What letters spell, as written.
    pub(crate) inscription: Option<String>,
    /// The words up to the head, for messages and for ids made of words.
    pub(crate) words: Vec<String>,
}

impl Phrase {
    pub(crate) fn new(determiner: Determiner) -> Self {
        Self {
            determiner,
            plural: false,
            count: None,
            head: None,
            colours: Vec::new(),
            members: Vec::new(),
            finish: None,
            size: Size::default(),
            tones: Vec::new(),
            rank: None,
            passed_over: 0,
            share: None,
            together: None,
            whole: false,
            identical: false,
            inscription: None,
            age: None,
            owner: None,
            without: Vec::new(),
            ordinal: None,
            name: None,
            pattern: None,
            grid: None,
            gap: None,
            places: Vec::new(),
            companions: Vec::new(),
            except: Vec::new(),
            turn: None,
            aim: None,
            facing: false,
            tapering: false,
            growing: false,
            varied: false,
            ring_radius: None,
            centre_to_centre: false,
            words: Vec::new(),
        }
    }

    /// The thing with this id.
    pub(crate) fn named(id: String) -> Self {
        let words = vec![id.clone()];
        Self { head: Some(Noun::Named(id)), words, ..Self::new(Determiner::The) }
    }

    /// Whether it names something that is to be made rather than found.
    pub(crate) fn is_new(&self) -> bool {
        let made = self.head.is_some() || self.pattern.is_some();
        match self.determiner {
            Determiner::A | Determiner::Another => made,
            Determiner::Bare => made && !matches!(self.head, Some(Noun::Named(_))),
            _ => false,
        }
    }

    /// What the one at `index` of several is to be like.
    pub(crate) fn member(&self, index: usize) -> Self {
        let mut one = Self { members: Vec::new(), ..self.clone() };
        let Some(own) = self.members.get(index) else { return one };
        if !own.colours.is_empty() || own.finish.is_some() {
            one.colours.clone_from(&own.colours);
            one.finish = own.finish;
        }
        if !own.size.is_unsaid() {
            let factors = one.size.factors;
            one.size = own.size.clone();
            one.size.factors *= factors;
        }
        one
    }

    /// The phrase as the person said it.
    pub(crate) fn text(&self) -> String {
        if self.words.is_empty() { "it".to_owned() } else { self.words.join(" ") }
    }

    pub(crate) fn says_something(&self) -> bool {
        !matches!(self.determiner, Determiner::Bare | Determiner::A | Determiner::The)
            || self.head.is_some()
            || self.pattern.is_some()
            || self.has_adjective()
            // "the two".
            || (self.determiner == Determiner::The && self.count.is_some())
    }

    /// Whether only so many are meant of what it points at.
    pub(crate) fn is_portion(&self) -> bool {
        self.count.is_some() || self.share.is_some()
    }

    pub(crate) fn has_adjective(&self) -> bool {
        !self.colours.is_empty()
            || self.finish.is_some()
            || self.rank.is_some()
            || self.share.is_some()
            || self.age.is_some()
            || !self.size.is_unsaid()
    }
}

//! What a person wants, typed. The parser makes these, the planner carries them out.

use glam::DVec3;

use crate::colour::Colour;
use crate::language::phrases::phrase::{Determiner, Phrase};
use crate::language::phrases::size::Size;
use crate::language::words::vocabulary::{
    Comparison, Degree, Finish, Mood, Pattern, Relation, Setup, Way,
};

/// One thing to do or to answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Intent {
    /// Make new things.
    Create(Vec<Phrase>),
    /// Make a whole scene.
    Stage(Box<Staging>),
    /// Change things that are there.
    Change { target: Target, changes: Vec<Change> },
    /// So many of a kind and no more: "just one cup".
    Total { kind: Box<Phrase>, total: usize },
    /// As many of a thing as said, those that are there included: "make five of them".
    Multiply { target: Target, total: usize, how: Option<Arrangement> },
    /// Take things away.
    Remove(Target),
    /// Copy things, placed where told.
    Duplicate { target: Target, count: usize, places: Vec<Place>, shift: Option<Shift> },
    /// Give each of two things what the other has.
    Exchange { target: Target, what: Exchanged },
    /// Lay things out anew among each other.
    Arrange { target: Target, how: Arrangement },
    /// Make mirrored copies.
    Mirror { target: Target, axis: Option<DVec3> },
    /// Let things belong together, under a name when one was given.
    Group { target: Target, name: Option<String> },
    /// Let things no longer belong together.
    Ungroup(Target),
    /// Change what surrounds the scene.
    Surround { mood: Option<Mood>, colour: Option<Colour> },
    /// Another colour for the lower half of what surrounds the scene.
    Horizon(Colour),
    /// Speak of things without a wish: "I don't like the colour of the cone".
    Mention(Target),
    /// Cover the scene with snow.
    Snow,
    /// Fill the air with fog, or clear it.
    Air(Air),
    /// Light the scene as photographers do.
    Light(Setup),
    /// Make all light stronger or weaker.
    Expose(f64),
    /// Let only these give light.
    OnlyLight(Target),
    /// Turn the leaves.
    Autumn,
    /// Move the camera.
    Camera(CameraMove),
    /// Answer something about the scene.
    Ask(Question),
    /// The answer to a question this model asked: which one was meant.
    Answer(Target),
    /// Say what this model can do.
    Help,
    /// Take the last changes back, as many as told, or do again what was taken back.
    Undo { redo: bool, steps: usize },
    /// Do the last thing differently.
    Correct(Correction),
    /// The same as was done last, to other things: "same for the lamp".
    Repeat(Target),
    /// Let what was taken away come back.
    BringBack(Target),
    /// What is taken back or changed is to stay as it is in this regard: "but keep the colour".
    Keep(Vec<Wanted>),
    /// It is too far, too big: back by half where the last change made it so, else the other wish.
    Excess { excess: Excess, otherwise: Box<Intent> },
    /// Give things parts or company that they do not have: "give him a red hat".
    Furnish { target: Target, parts: Vec<Phrase> },
    /// A place and nothing else: "on the blue one" after a look at the red one.
    Whereabouts(Place),
    /// A change that was named without saying which: "change the colour of the cone".
    Wanting { target: Target, what: Wanted },
    /// Leave things as they are ("don't move it").
    Leave(Option<Target>),
    /// Go on with what was interrupted.
    Continue,
    /// Say hello back.
    Hello,
    /// Be thanked.
    Thanks,
    /// Do nothing ("never mind").
    Nothing,
}

/// A whole scene of the catalogue.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Staging {
    /// The name of the scene.
    pub(crate) theme: &'static str,
    /// Adjectives of the catalogue: "cosy", "night".
    pub(crate) adjectives: Vec<String>,
    /// What it presents: "a product shot of a bottle".
    pub(crate) subject: Option<Phrase>,
    /// What is to be in it.
    pub(crate) with: Vec<Phrase>,
    /// What is not to be in it.
    pub(crate) without: Vec<Phrase>,
    /// "a dog in the garden": the scene was spoken of as one that is there.
    pub(crate) known: bool,
    /// Words that described it and mean nothing to this model.
    pub(crate) unknown: Vec<String>,
}

impl Intent {
    /// What it is about: the things to make, to change or to look at.
    pub(crate) fn phrases(&self) -> &[Phrase] {
        match self {
            Self::Create(phrases) => phrases,
            Self::Total { kind, .. } => std::slice::from_ref(&**kind),
            _ => self.target().map_or(&[], |target| target.0.as_slice()),
        }
    }

    /// The things that are there it is about.
    pub(crate) fn target(&self) -> Option<&Target> {
        match self {
            Self::Change { target, .. }
            | Self::Multiply { target, .. }
            | Self::Remove(target)
            | Self::Duplicate { target, .. }
            | Self::Exchange { target, .. }
            | Self::Arrange { target, .. }
            | Self::Mirror { target, .. }
            | Self::Group { target, .. }
            | Self::Ungroup(target)
            | Self::Answer(target)
            | Self::Repeat(target)
            | Self::Furnish { target, .. }
            | Self::Wanting { target, .. }
            | Self::Mention(target)
            | Self::Camera(
                CameraMove::LookAt(target)
                | CameraMove::Close(target)
                | CameraMove::Show(target)
                | CameraMove::From(_, Some(target)),
            )
            | Self::Ask(
                Question::Count(target)
                | Question::About(target)
                | Question::MadeOf(target)
                | Question::Where(target)
                | Question::Room(target)
                | Question::HowBig(target)
                | Question::Exists(target)
                | Question::Holds { subject: target, .. }
                | Question::Looks { subject: target, .. },
            ) => Some(target),
            _ => None,
        }
    }

    /// The same, to change it.
    pub(crate) fn target_mut(&mut self) -> Option<&mut Target> {
        match self {
            Self::Change { target, .. }
            | Self::Multiply { target, .. }
            | Self::Remove(target)
            | Self::Duplicate { target, .. }
            | Self::Exchange { target, .. }
            | Self::Arrange { target, .. }
            | Self::Mirror { target, .. }
            | Self::Furnish { target, .. }
            | Self::Camera(
                CameraMove::LookAt(target)
                | CameraMove::Close(target)
                | CameraMove::Show(target)
                | CameraMove::From(_, Some(target)),
            )
            | Self::Ask(
                Question::Count(target)
                | Question::About(target)
                | Question::MadeOf(target)
                | Question::Where(target)
                | Question::Room(target)
                | Question::HowBig(target)
                | Question::Exists(target)
                | Question::Holds { subject: target, .. }
                | Question::Looks { subject: target, .. },
            ) => Some(target),
            _ => None,
        }
    }
}

/// How the last change is to be different.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Correction {
    /// To other things: "no, the box"; what was wrong, when told: "not the ball, the box".
    Instead { meant: Target, wrong: Option<Box<Phrase>> },
    /// Not to these: "not the rug".
    Spare(Target),
    /// Part of the way back: "back a little".
    PartlyBack,
    /// Other changes: "no, to the right".
    Rather(Vec<Change>),
    /// Something else in place of what was made: "no, a blue one".
    Remade(Vec<Phrase>),
    /// Once more, as much as said.
    More(Option<Degree>),
    /// Once more, by so many metres.
    By(f64),
    /// Once more, by so many of the unit that was said before: "another 50".
    Further(f64),
    /// Only of these: the others of their kind are no longer to glow, or are as they were.
    Only { target: Target, glowing: bool },
    /// The other way round: what stood on the one is to carry it.
    Reversed,
    /// Less of it: "not that big".
    Less,
    /// Another number of them: "no, seven".
    Number(usize),
    /// The way it came: "back".
    Back,
}

/// In which way something is too much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Excess {
    /// "too far".
    Far,
    /// "too close".
    Close,
    /// "too high", "too far left".
    Moved(Way),
    /// "too big": what it should rather be.
    Rather(Comparison),
}

/// A property that a wish names without its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Colour,
    Material,
    Place,
    Size,
}

/// What is to be in the air.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Air {
    /// Fog one sees through as far as so many times the distance from the camera to what it looks at; down
    /// at the ground only, in a colour, when told.
    Foggy { distances: f64, low: bool, colour: Option<Colour> },
    /// The fog that is there, with its visibility multiplied.
    Scaled(f64),
    /// Nothing.
    Clear,
}

/// What two things exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exchanged {
    Colour,
    Material,
    Position,
}

/// How things that are there are to stand among each other.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Arrangement {
    /// In a pattern; with this much air between neighbours and round these things when told.
    Pattern {
        pattern: Pattern,
        grid: Option<(usize, usize)>,
        gap: Option<f64>,
        around: Option<Target>,
    },
    /// One on the other by how large they are.
    Piled { largest_below: bool },
    /// On one line: along an axis when told, with the line of other things when told.
    Align { axis: Option<DVec3>, with: Option<Target> },
    /// Their distances scaled, above 1 apart and below 1 together.
    Spread(f64),
    /// In a row by how large they are, from left to right.
    Sorted { largest_first: bool },
    /// With equal gaps, of this many metres when told.
    Distribute { axis: Option<DVec3>, gap: Option<f64> },
}

/// The things a person means, as phrases joined by "and".
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Target(pub(crate) Vec<Phrase>);

/// One change of a thing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// A new colour.
    Colour(Colour),
    /// A colour of its own for each thing.
    Distinct { pastel: bool },
    /// A shade of its own of this colour for each thing.
    Shades(Colour),
    /// A new material in a colour.
    Look(Finish, Colour),
    /// The colour of another thing, or all it is made of.
    Like { model: Box<Phrase>, what: Exchanged },
    /// A new material; the colour is kept where it makes sense.
    Finish(Finish),
    /// More or less than now; `factor` is exact when given ("twice as big").
    Compare { comparison: Comparison, degree: Option<Degree>, factor: Option<f64> },
    /// As many metres more or less than now, along what is compared ("50 cm taller").
    Grow { comparison: Comparison, metres: f64 },
    /// Edge lengths or radii given in numbers.
    Size(Box<Size>),
    /// Moved relative to where it is.
    Shift(Shift),
    /// Moved to a place.
    Place(Place),
    /// Moved so that its middle has this coordinate along an axis, in metres.
    Coordinate { axis: DVec3, metres: f64 },
    /// Turned.
    Rotate(Angle),
    /// Moved from something, on the ground; without a distance a sensible one is chosen.
    Away { target: Target, metres: Option<f64>, degree: Option<Degree> },
    /// Turned to face something.
    Face(Target),
    /// Made to stand upright.
    Upright,
    /// No longer tilted or turned askew.
    Straight,
    /// All made as big as the biggest of them.
    SameSize,
    /// A new id.
    Rename(String),
    /// Another shape at the same place.
    Become(Box<Phrase>),
    /// Emission of the strongest channel, in W/(sr m^2) or W/sr.
    Emission(f64),
    /// A light that is off gives light again.
    SwitchOn,
    /// Emission scaled by a factor.
    Brightness(f64),
}

/// A way to go; without a distance a sensible one is chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shift {
    pub(crate) way: Way,
    pub(crate) metres: Option<f64>,
    pub(crate) degree: Option<Degree>,
}

/// A turn about one axis, in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Angle {
    pub(crate) axis: DVec3,
    pub(crate) degrees: f64,
}

/// Where something is to be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Place {
    /// The centre at these coordinates.
    At(DVec3),
    /// Resting at these x and z.
    Ground(f64, f64),
    /// The middle of the scene.
    Origin,
    /// Where something stood that is there no more.
    Former,
    /// Where a thing stood that was named, before it was taken away or moved.
    Where(Target),
    /// In a corner of the room, or of what there is.
    Corner(Sides),
    /// Relative to other things, at a distance when one was given.
    Relative { relation: Relation, target: Target, metres: Option<f64> },
    /// To one side of everything that is there.
    Aside(Way),
    /// On the other side of a thing; of what the last was placed by when none was named.
    OtherSide(Option<Target>),
}

/// Which corner, where told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sides {
    pub(crate) right: Option<bool>,
    pub(crate) back: Option<bool>,
}

/// How the camera is to move.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum CameraMove {
    /// Distance to the target scaled by this.
    Distance(f64),
    /// Seen from a direction: x right, y up, z towards the default viewer; these things or all.
    From(DVec3, Option<Target>),
    /// Round what it looks at, in degrees to the left.
    Orbit(f64),
    /// The camera itself goes a way.
    Shift(Shift),
    /// The camera at these coordinates.
    To(DVec3),
    /// Field of view, in degrees.
    FieldOfView(f64),
    /// These things in the middle of the picture.
    LookAt(Target),
    /// These things filling the picture.
    Close(Target),
    /// All of these things in the picture, from where it looks now.
    Show(Target),
    /// Turned where it stands, in degrees.
    Tilt(Way, f64),
    /// What is not as far as what it looks at gets blurred.
    Blur(Blur),
    /// All distances sharp.
    Sharp,
    /// Everything in the picture.
    Frame,
}

/// How much is blurred that lies before or behind what the camera looks at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Blur {
    /// Diameter of the lens as a share of the distance to what is sharp.
    pub(crate) aperture_share: f64,
}

impl Blur {
    /// A sensible amount for a word of degree.
    pub(crate) fn of(degree: Option<Degree>) -> Self {
        let aperture_share = match degree {
            Some(Degree::Slight) => 0.02,
            Some(Degree::Strong) => 0.09,
            None => 0.05,
        };
        Self { aperture_share }
    }
}

/// What a person wants to know.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Question {
    /// What is in the scene.
    Contents,
    /// How many of these.
    Count(Target),
    /// Where, how big, what colour and of what.
    About(Target),
    /// The same, and what kind of surface that is.
    MadeOf(Target),
    /// The same, and what it stands on.
    Where(Target),
    /// The same, and how far it reaches each way.
    HowBig(Target),
    /// Where there is room for something that is not there yet.
    Room(Target),
    /// Whether there is one.
    Exists(Target),
    /// Whether a thing is somewhere.
    Holds { subject: Target, place: Place },
    /// Whether a thing looks so.
    Looks { subject: Target, colour: Option<Colour>, finish: Option<Finish> },
    /// Which of two is more of something; with one of them named first, whether it is.
    More { comparison: Comparison, first: Target, other: Target, yes_no: bool },
    /// How far apart two things are.
    Distance(Target, Target),
    /// Why the last thing failed.
    Failure,
    /// Where the camera is.
    Camera,
    /// What surrounds the scene.
    Sky,
}

impl Target {
    /// One phrase.
    pub(crate) fn of(phrase: Phrase) -> Self {
        Self(vec![phrase])
    }

    /// "them" where only two can be meant.
    pub(in crate::language) fn as_pair(&mut self) {
        if let [Phrase { determiner: Determiner::Them, together, plural: false, .. }] =
            self.0.as_mut_slice()
        {
            *together = together.or(Some(2));
        }
    }
}

//! Acts and what they need.

use super::{
    Amount, Dimension, Number, Pattern, Phrase, Place, Quality, Shift, Tokens, Way, symbols,
};

symbols! {
    /// What is to be done.
    Act {
        Create = "create", Furnish = "furnish", Change = "change", Become = "become", Move = "move",
        Spread = "spread", Turn = "turn", Face = "face", Mirror = "mirror", Remove = "remove",
        Keep = "keep", Copy = "copy", Swap = "swap", Name = "name", Label = "label", Group = "group",
        Ungroup = "ungroup", Arrange = "arrange", Align = "align", Distribute = "distribute",
        Sort = "sort", Switch = "switch", Camera = "camera", Mood = "mood", Fog = "fog", Ask = "ask",
        Say = "say", Again = "again", Back = "back", Animate = "animate",
    }
}

symbols! {
    /// How something moves over time.
    Motion {
        Turntable = "turntable", Spin = "spin", Orbit = "orbit", Roll = "roll", Bounce = "bounce",
        Travel = "travel", Stop = "stop",
    }
}

symbols! {
    /// What is asked.
    Ask {
        Count = "count", Measure = "measure", Where = "where", Distance = "distance", What = "what",
        List = "list", Names = "names", Exists = "exists", Has = "has", Is = "is", Which = "which",
        Why = "why", Done = "done", Visible = "visible", Facing = "facing", Room = "room",
        Outside = "outside", Polygons = "polygons",
    }
}

symbols! {
    /// What is said without a wish of its own.
    Say {
        Hello = "hello", Thanks = "thanks", Yes = "yes", No = "no", Nothing = "nothing", Undo = "undo",
        Redo = "redo", BringBack = "bring_back", Reset = "reset", Help = "help", Again = "again",
        Continue = "continue", Beyond = "beyond",
    }
}

/// One thing to do or to answer. A slot that nothing was said of is empty, so that a frame can be
/// laid over an earlier one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Frame {
    pub(crate) act: Option<Act>,
    pub(crate) ask: Option<Ask>,
    pub(crate) say: Option<Say>,
    /// To what.
    pub(crate) theme: Vec<Phrase>,
    /// With what else: a replacement, the other of two.
    pub(crate) other: Vec<Phrase>,
    pub(crate) with: Vec<Phrase>,
    pub(crate) without: Vec<Phrase>,
    pub(crate) except: Vec<Phrase>,
    /// What is named as wrong: "not the ball".
    pub(crate) wrong: Vec<Phrase>,
    /// Around which, inside of which the new things go; out of which things go.
    pub(crate) around: Vec<Phrase>,
    pub(crate) inside: Vec<Phrase>,
    pub(crate) out_of: Vec<Phrase>,
    /// What it reaches into, or hides, and is to get clear of.
    pub(crate) clear: Vec<Phrase>,
    pub(crate) qualities: Vec<Quality>,
    pub(crate) places: Vec<Place>,
    pub(crate) shift: Option<Shift>,
    pub(crate) pattern: Pattern,
    pub(crate) count: Option<f64>,
    /// How many there are to be, by how many there are.
    pub(crate) number: Option<Number>,
    pub(crate) amount: Option<Amount>,
    pub(crate) dimension: Option<Dimension>,
    /// The value a dimension gets.
    pub(crate) to: Option<Amount>,
    /// Whether it grows or shrinks.
    pub(crate) more: Option<bool>,
    pub(crate) way: Option<Way>,
    pub(crate) axis: Option<usize>,
    pub(crate) name: Option<String>,
    pub(crate) mood: Option<&'static str>,
    pub(crate) setup: Option<&'static str>,
    pub(crate) fog: Option<f64>,
    /// Whether the fog lies on the ground.
    pub(crate) is_low: bool,
    pub(crate) on: Option<bool>,
    pub(crate) superlative: Option<&'static str>,
    pub(crate) view: View,
    pub(crate) sun: Sun,
    pub(crate) motion: Option<Motion>,
    /// How long it takes.
    pub(crate) seconds: Option<f64>,
    pub(crate) steps: Option<usize>,
    /// Whether the light of the scene is meant where no thing is named.
    pub(crate) of_light: bool,
    pub(crate) glow: bool,
    pub(crate) flip: bool,
    /// Whether what is made gets its name written before it.
    pub(crate) labelled: bool,
    /// Whether it is only a part of a sentence, the rest being what was done before.
    pub(crate) fragment: bool,
    /// Whether it takes the place of what was said before.
    pub(crate) fix: bool,
    pub(crate) negated: bool,
    /// Whether nothing but things were named: "a red ball".
    pub(crate) bare: bool,
    /// Whether it only tells how things are: "the ball is red".
    pub(crate) told: bool,
    /// Whether it hides what is behind it.
    pub(crate) hides: bool,
    pub(crate) too: bool,
    pub(crate) less: bool,
    pub(crate) again: bool,
    /// The other way round.
    pub(crate) reverse: bool,
    /// Whether it was joined to what was said before: "and a red one".
    pub(crate) joined: bool,
    /// Whether a number is how many there are to be in all.
    pub(crate) total: bool,
    /// Whether what is more than that is to go.
    pub(crate) exact: bool,
    /// Whether it is only told what there is not to be: "no bottle".
    pub(crate) unwanted: bool,
    pub(crate) tokens: Tokens,
}

/// What is said of the camera.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct View {
    pub(crate) look: Vec<Phrase>,
    pub(crate) frame: Vec<Phrase>,
    pub(crate) frame_all: bool,
    pub(crate) from: Option<&'static str>,
    pub(crate) lens: Option<&'static str>,
    pub(crate) zoom: Option<&'static str>,
    pub(crate) pan: Option<Way>,
    pub(crate) stand: Option<Place>,
    pub(crate) orbit: bool,
    pub(crate) blur: Option<bool>,
    pub(crate) wider: Option<bool>,
    /// How high the camera is, and at the height of what.
    pub(crate) height: Option<Amount>,
    pub(crate) level: Option<Phrase>,
    /// With whose eyes it sees, or from where; whether from behind them.
    pub(crate) eyes: Option<Phrase>,
    pub(crate) over: bool,
    /// What is near to it.
    pub(crate) fore: Vec<Phrase>,
}

/// What is said of the time of day and of the sun.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Sun {
    /// The hour of the day, from 0 to 24.
    pub(crate) hour: Option<f64>,
    /// As the data files call it.
    pub(crate) season: Option<&'static str>,
    /// From which side it shines, and how high it stands.
    pub(crate) side: Option<&'static str>,
    pub(crate) height: Option<&'static str>,
}

impl Frame {
    /// Whether it tells how things should not be: "the tree is in the way".
    pub(crate) fn complains(&self) -> bool {
        self.told && (self.hides || !self.clear.is_empty() || self.act == Some(Act::Turn))
    }
}

impl Sun {
    /// Whether anything is said of it.
    pub(crate) fn is_told(&self) -> bool {
        *self != Self::default()
    }
}

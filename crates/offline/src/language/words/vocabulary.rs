//! The meanings a word can have. Each is named in `data/lexicon.txt`.

use crate::colour::Colour;

/// Defines an enum whose variants are named in the lexicon.
macro_rules! named {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $text:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum $name { $($variant),* }

        impl $name {
            fn named(text: &str) -> Option<Self> {
                match text {
                    $($text => Some(Self::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

named!(
    /// What is to be done.
    Verb {
        Create = "create", Make = "make", Put = "put", Move = "move", Raise = "raise",
        Lower = "lower", Rotate = "rotate", Turn = "turn", Scale = "scale", Enlarge = "enlarge",
        Shrink = "shrink", Double = "double", Halve = "halve", Triple = "triple",
        Remove = "remove", Clear = "clear", Duplicate = "duplicate", Rename = "rename",
        Replace = "replace", Paint = "paint", Set = "set", Increase = "increase",
        Decrease = "decrease", Brighten = "brighten", Dim = "dim", Undo = "undo", Redo = "redo",
        Look = "look", ZoomIn = "zoom_in", ZoomOut = "zoom_out", Frame = "frame",
        Continue = "continue", TurnOff = "turn_off", TurnOn = "turn_on", Give = "give",
        Exchange = "exchange", Align = "align", Arrange = "arrange", Stack = "stack",
        Scatter = "scatter", Spread = "spread", Gather = "gather", Distribute = "distribute",
        Mirror = "mirror", Flip = "flip", Group = "group", Ungroup = "ungroup", Orbit = "orbit",
        Blur = "blur", Sharpen = "sharpen", Glow = "glow", Reset = "reset", Ditto = "ditto", Center = "center", Beyond = "beyond",
    }
);

named!(
    /// The shapes it builds.
    ShapeKind {
        Sphere = "sphere", Box = "box", Quad = "quad", Disc = "disc", Cylinder = "cylinder",
        Cone = "cone", Torus = "torus", Capsule = "capsule", Ellipsoid = "ellipsoid",
        RoundedBox = "rounded_box", Triangle = "triangle", Text = "text",
    }
);

impl ShapeKind {
    /// The kind of a type of the document, e.g. "sphere".
    pub(crate) fn of_type(type_name: &str) -> Option<Self> {
        Self::named(type_name)
    }
}

named!(
    /// The kinds of light a person names.
    LightKind {
        Any = "light", Point = "point_light", Spot = "spot_light", Sphere = "sphere_light",
        Quad = "quad_light", Disc = "disc_light",
    }
);

named!(
    /// What a surface is made of, as far as this model has its own idea of it.
    Surface {
        Matte = "matte", Metal = "metal", Brushed = "brushed", Chrome = "chrome", Gold = "gold",
        Silver = "silver", Copper = "copper", Brass = "brass", Bronze = "bronze",
        Mirror = "mirror", Glass = "glass", Water = "water", Ice = "ice", Diamond = "diamond",
        Glowing = "glowing",
    }
);

named!(
    /// A pattern of two colours on a surface.
    Print { Checker = "checker", Stripes = "stripes" }
);

impl Print {
    /// What a thing that has it is called.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Checker => "checkered",
            Self::Stripes => "striped",
        }
    }
}

/// What a surface is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// What people mean by a plain word.
    Plain(Surface),
    /// A pattern, whatever it is on.
    Print(Print),
    /// A material the document has by name.
    Preset(&'static str),
}

impl Finish {
    /// The plain surface or the preset of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        let preset = || scene::PresetName::new(name).map(|preset| Self::Preset(preset.as_str()));
        let print = || Print::named(name).map(Self::Print);
        Surface::named(name).map(Self::Plain).or_else(print).or_else(preset)
    }
}

named!(
    /// A size without a number.
    SizeWord {
        Tiny = "tiny", Small = "small", Medium = "medium", Big = "big", Huge = "huge",
        Enormous = "enormous", Tall = "tall", Wide = "wide", Long = "long", Thin = "thin",
        Flat = "flat", Thick = "thick", Half = "half", Double = "double",
    }
);

named!(
    /// More or less of something than now.
    Comparison {
        Bigger = "bigger", Smaller = "smaller", Taller = "taller", Shorter = "shorter",
        Wider = "wider", Narrower = "narrower", Longer = "longer", Deeper = "deeper",
        Flatter = "flatter", Higher = "higher", Lower = "lower", Brighter = "brighter",
        Darker = "darker", Lighter = "lighter", Warmer = "warmer", Cooler = "cooler",
        Closer = "closer", Farther = "farther", Shinier = "shinier", Duller = "duller",
        Softer = "softer",
    }
);

named!(
    /// How much more or less.
    Degree { Slight = "slight", Strong = "strong" }
);

named!(
    /// Where one thing is with regard to another.
    Relation {
        On = "on", Under = "under", Above = "above", Left = "left", Right = "right",
        Front = "front", Behind = "behind", Beside = "beside", Between = "between",
        Inside = "inside", Around = "around",
        Against = "against", Middle = "middle", Along = "along", Across = "across", Flanking = "flanking",
        Ends = "ends", LongSides = "long_sides", Corners = "corners",
    }
);

named!(
    /// A direction as seen by the camera.
    Way { Up = "up", Down = "down", Left = "left", Right = "right", Front = "front", Back = "back" }
);

impl Way {
    /// The other way.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Front => Self::Back,
            Self::Back => Self::Front,
        }
    }
}

named!(
    /// Where the camera looks from.
    From {
        Above = "above", Below = "below", Left = "left", Right = "right", Front = "front",
        Behind = "behind", Corner = "corner",
    }
);

named!(
    /// How much the camera takes in.
    Lens { Wide = "wide", Tele = "tele", Normal = "normal" }
);

named!(
    /// A way to take a picture.
    Shot {
        Close = "close", Wide = "wide", Low = "low", High = "high", EyeLevel = "eye_level",
        Usual = "usual",
    }
);

named!(
    /// Whether what is nearer or farther than the subject is sharp.
    BlurWord { Blurred = "blurred", Sharp = "sharp" }
);

named!(
    /// How several things are arranged.
    Pattern {
        Row = "row", Column = "column", Circle = "circle", Arc = "arc", Grid = "grid",
        Stack = "stack", Wall = "wall", Pyramid = "pyramid", Spiral = "spiral", Steps = "steps",
        Scatter = "scatter", Triangle = "triangle",
    }
);

named!(
    /// Which one of several.
    Rank {
        Biggest = "biggest", Smallest = "smallest", Tallest = "tallest", Shortest = "shortest", Leftmost = "leftmost",
        Rightmost = "rightmost", Highest = "highest", Lowest = "lowest", Nearest = "nearest",
        Farthest = "farthest", Middle = "middle", First = "first", Second = "second",
        Third = "third", Fourth = "fourth", Last = "last", Other = "other", Others = "others",
    }
);

named!(
    /// A look of the surroundings.
    Mood {
        Sunset = "sunset", Night = "night", Day = "day", Studio = "studio",
        Overcast = "overcast", Dark = "dark", Space = "space", Nothing = "none",
    }
);

named!(
    /// A way to light a scene.
    Setup {
        ThreePoint = "three_point", Key = "key", Fill = "fill", Rim = "rim",
        Dramatic = "dramatic", Candle = "candle",
    }
);

named!(
    /// Air that is not clear, and how much more or less so.
    AirWord { Fog = "fog", Mist = "mist", Haze = "haze", Denser = "denser", Thinner = "thinner" }
);

named!(
    /// The character of a light.
    Tone { Soft = "soft", Hard = "hard", Warm = "warm", Cool = "cool", Bright = "bright", Dim = "dim" }
);

named!(
    /// A property with a name.
    Measure {
        Radius = "radius", Diameter = "diameter", Width = "width", Height = "height",
        Depth = "depth", Length = "length", Thickness = "thickness", Size = "size", Colour = "colour",
        Material = "material", Position = "position", Name = "name", Rotation = "rotation",
        Brightness = "brightness", FieldOfView = "field_of_view", RingRadius = "ring_radius",
        TubeRadius = "tube_radius", InnerRadius = "inner_radius", InnerDiameter = "inner_diameter",
        HalfAxes = "half_axes",
    }
);

named!(
    /// What a number counts.
    Unit {
        Metre = "metre", Centimetre = "centimetre", Millimetre = "millimetre",
        Kilometre = "kilometre", Foot = "foot", Inch = "inch", Degree = "degree",
        Percent = "percent", Times = "times",
    }
);

/// Something built of several shapes: the name of an object of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Assembly(pub(crate) &'static str);

named!(
    /// Small words of the grammar.
    Glue {
        A = "a", Another = "another", More = "more", The = "the", All = "all", It = "it",
        Them = "them", This = "this", Everything = "everything", AllOfThem = "all_of_them",
        Its = "its", Possessive = "possessive", And = "and", Or = "or", Then = "then", But = "but",
        With = "with", Without = "without", Of = "of", To = "to", By = "by", In = "in", At = "at",
        Origin = "origin", As = "as", Than = "than", Into = "into", Except = "except",
        Rest = "rest", Is = "is", Should = "should", That = "that", Called = "called",
        MadeOf = "made_of", LookLike = "look_like", Same = "same", Less = "less", Not = "not",
        AxisX = "axis_x", AxisY = "axis_y", AxisZ = "axis_z", Clockwise = "clockwise", UpsideDown = "upside_down", Copies = "copies",
        Distinct = "distinct", Shades = "shades", Rotated = "rotated", OnSide = "on_side", Aimed = "aimed",
        Tapering = "tapering", Growing = "growing", Varied = "varied", Posture = "posture", Missing = "missing",
        CounterClockwise = "counter_clockwise", Times = "times", Apart = "apart",
        Together = "together", Evenly = "evenly", Along = "along", From = "from",
        OtherSide = "other_side", Onto = "onto", Out = "out", Stacked = "stacked",
        InARow = "in_a_row", Again = "again", Meant = "meant", Dislike = "dislike", Far = "far", Close = "close", Low = "low",
        Like = "like", Former = "former", TurnedRound = "turned_round", Between = "between", Upright = "upright", Corner = "corner",
        Towards = "towards", Gaps = "gaps", GivesLight = "gives_light", Touching = "touching", Vertically = "vertically", Horizontally = "horizontally", Random = "random",
        MadeJustNow = "made_just_now", MadeBefore = "made_before", MadeFirst = "made_first",
    }
);

named!(
    /// The start of a question.
    Ask {
        What = "what", Where = "where", HowMany = "how_many", HowBig = "how_big",
        WhatColour = "what_colour", WhatMade = "what_made", How = "how", Why = "why",
        Which = "which", Is = "is", Help = "help", HowFar = "how_far",
    }
);

named!(
    /// Small talk.
    Social { Hello = "hello", Thanks = "thanks", Yes = "yes", No = "no" }
);

/// What a noun names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Noun {
    /// One of the shapes it builds.
    Shape(ShapeKind),
    /// The ground.
    Floor,
    /// An upright plane.
    Wall,
    /// A light.
    Light(LightKind),
    /// Anything: "thing", "one".
    Thing,
    /// The whole scene.
    Scene,
    /// What surrounds the scene.
    Sky,
    /// The camera.
    Camera,
    /// The lens of the camera.
    Lens,
    /// Something built of several shapes.
    Assembly(Assembly),
    /// A known word for something this model cannot build yet.
    Later(String),
    /// An id of the scene, or a part of one.
    Named(String),
}

/// One meaning of a word.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Sense {
    Verb(Verb),
    Noun(Noun),
    Finish(Finish),
    Size(SizeWord),
    Compare(Comparison),
    Degree(Degree),
    Relation(Relation),
    /// A relation to "it", e.g. "to its left".
    Side(Relation),
    Way(Way),
    From(From),
    Lens(Lens),
    Shot(Shot),
    Blur(BlurWord),
    Pattern(Pattern),
    Rank(Rank),
    Mood(Mood),
    Setup(Setup),
    Air(AirWord),
    Tone(Tone),
    Measure(Measure),
    Unit(Unit),
    Number(f64),
    /// "twice", "half".
    Factor(f64),
    /// "every second": one in so many.
    Every(usize),
    Dimensions(Vec<f64>),
    /// "W x D x H": the edges that three lengths are, in order.
    Edges(String),
    Colour(Colour),
    Quoted(String),
    Glue(Glue),
    Ask(Ask),
    Social(Social),
    Filler,
    Comma,
    Stop,
}

impl Sense {
    /// The meaning a line of the lexicon names, for one of its words.
    pub(crate) fn named(name: &str, word: &str) -> Option<Self> {
        if name == "filler" {
            return Some(Self::Filler);
        }
        let (class, value) = name.split_once('.')?;
        Some(match class {
            "verb" => Self::Verb(Verb::named(value)?),
            "shape" => Self::Noun(Noun::Shape(ShapeKind::named(value)?)),
            "noun" => Self::Noun(match value {
                "floor" => Noun::Floor,
                "wall" => Noun::Wall,
                "thing" => Noun::Thing,
                "scene" => Noun::Scene,
                "sky" => Noun::Sky,
                "camera" => Noun::Camera,
                "lens" => Noun::Lens,
                "later" => Noun::Later(word.to_owned()),
                other => Noun::Light(LightKind::named(other)?),
            }),
            "finish" => Self::Finish(Finish::named(value)?),
            "size" => Self::Size(SizeWord::named(value)?),
            "compare" => Self::Compare(Comparison::named(value)?),
            "degree" => Self::Degree(Degree::named(value)?),
            "relation" => Self::Relation(Relation::named(value)?),
            "side" => Self::Side(Relation::named(value)?),
            "way" => Self::Way(Way::named(value)?),
            "from" => Self::From(From::named(value)?),
            "lens" => Self::Lens(Lens::named(value)?),
            "shot" => Self::Shot(Shot::named(value)?),
            "blur" => Self::Blur(BlurWord::named(value)?),
            "pattern" => Self::Pattern(Pattern::named(value)?),
            "rank" => Self::Rank(Rank::named(value)?),
            "mood" => Self::Mood(Mood::named(value)?),
            "setup" => Self::Setup(Setup::named(value)?),
            "air" => Self::Air(AirWord::named(value)?),
            "tone" => Self::Tone(Tone::named(value)?),
            "measure" => Self::Measure(Measure::named(value)?),
            "unit" => Self::Unit(Unit::named(value)?),
            "number" => Self::Number(value.parse().ok()?),
            "every" => Self::Every(value.parse().ok()?),
            "factor" => Self::Factor(value.parse().ok()?),
            "glue" => Self::Glue(Glue::named(value)?),
            "ask" => Self::Ask(Ask::named(value)?),
            "social" => Self::Social(Social::named(value)?),
            _ => return None,
        })
    }
}

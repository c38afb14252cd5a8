//! What slots of frames can be, as the data files name it.

use super::symbols;

symbols! {
    /// Which of the things that fit.
    Determiner {
        Indefinite = "indef", Definite = "def", This = "this", All = "all", Both = "both",
        Another = "another", No = "no", Its = "its", Which = "which", Only = "only", More = "more",
    }
}

symbols! {
    /// When something was made, or changed.
    Recent { New = "new", Old = "old", Changed = "changed" }
}

symbols! {
    /// How a place lies to something.
    Relation {
        On = "on", Under = "under", Above = "above", LeftOf = "left_of", RightOf = "right_of",
        InFrontOf = "in_front_of", Behind = "behind", NextTo = "next_to", Between = "between",
        Inside = "inside", Around = "around", Middle = "middle", Flanking = "flanking", Ends = "ends",
        Corners = "corners", Corner = "corner", EdgeLeft = "edge_left", EdgeRight = "edge_right",
        Along = "along", Rim = "rim", Span = "span", To = "to", Opposite = "opposite",
    }
}

symbols! {
    /// A part of the scene, or of what was spoken of.
    Region {
        Left = "left", Right = "right", Front = "front", Back = "back", Middle = "middle",
        Ground = "ground", Above = "above", Below = "below", Beside = "beside", Behind = "behind",
        Around = "around", Inside = "inside", Here = "here", OtherSide = "other_side",
        Corner = "corner", Former = "former", Flanking = "flanking", Ends = "ends",
        Corners = "corners", Top = "top", Under = "under", BackLeft = "back_left",
        BackRight = "back_right", Between = "between", Away = "away", Outside = "outside", FrontLeft = "front_left", FrontRight = "front_right",
    }
}

symbols! {
    /// A way to go, as the viewer sees it.
    Way {
        Up = "up", Down = "down", Left = "left", Right = "right", Front = "front", Back = "back",
        Near = "near", Far = "far", Clockwise = "clockwise", Counterclockwise = "counterclockwise",
        Around = "around", Apart = "apart", Together = "together", Sideways = "sideways",
    }
}

symbols! {
    /// How several things lie to each other.
    Layout {
        Row = "row", Column = "column", Circle = "circle", Arc = "arc", Grid = "grid", Stack = "stack",
        Pyramid = "pyramid", Spiral = "spiral", Triangle = "triangle", Steps = "steps", Wall = "wall",
        Scatter = "scatter", Square = "square", Corner = "corner", Bay = "bay", Zigzag = "zigzag",
        Staggered = "staggered",
    }
}

symbols! {
    /// Something that can be measured or compared.
    Dimension {
        Size = "size", Height = "height", Width = "width", Depth = "depth", Length = "length",
        Thickness = "thickness", Radius = "radius", Diameter = "diameter",
        RingRadius = "ring_radius", TubeRadius = "tube_radius", Edge = "edge",
        Colour = "colour", Material = "material", Place = "place", Name = "name", Turn = "turn",
        Brightness = "brightness", Lightness = "lightness", Warmth = "warmth", Softness = "softness",
        Contrast = "contrast", Shine = "shine", Fog = "fog", Saturation = "saturation", Gap = "gap", Fov = "fov",
        Aperture = "aperture", Focus = "focus", Focal = "focal", Exposure = "exposure",
        Count = "count",
    }
}

impl Dimension {
    /// Whether it is how large something is.
    pub(crate) fn is_length(self) -> bool {
        matches!(
            self,
            Self::Size
                | Self::Height
                | Self::Width
                | Self::Depth
                | Self::Length
                | Self::Thickness
                | Self::Radius
                | Self::Diameter
        )
    }
}

impl Region {
    /// Whether it is a side on one level.
    pub(crate) fn is_level_side(self) -> bool {
        matches!(self, Self::Left | Self::Right | Self::Front | Self::Back | Self::Middle)
    }

    /// Whether it is a side that a thing has, too.
    pub(crate) fn is_side(self) -> bool {
        matches!(
            self,
            Self::Left
                | Self::Right
                | Self::Front
                | Self::Back
                | Self::Above
                | Self::Top
                | Self::Inside
                | Self::Around
                | Self::Beside
                | Self::Flanking
                | Self::Ends
                | Self::Corners
                | Self::Between
        )
    }
}

impl Way {
    /// The way back.
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Front => Self::Back,
            Self::Back => Self::Front,
            Self::Near => Self::Far,
            Self::Far => Self::Near,
            Self::Apart => Self::Together,
            Self::Together => Self::Apart,
            other => other,
        }
    }
}

//! What a kind of shape or light is, apart from its properties: the description that movement, bounds,
//! tools, the page's menus and the geometry crates read.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::bounds::Aabb;
use crate::read::words;

use super::motion::{Motion, MotionError};
use super::movable::{MovableProperties, PropertyInfo, Role};
use super::stretch::Stretch;

words! {
    /// By which properties place and extent of an object are told. Kinds with the same frame have the
    /// same box, handles and outline in the page.
    pub enum Frame {
        /// `center`, `radius`.
        Ball = "ball",
        /// `center`, `radii`, `rotation`.
        Ellipsoid = "ellipsoid",
        /// `center`, `dimensions`, `rotation`.
        Cuboid = "cuboid",
        /// `center`, `radius`, `height`, `rotation`.
        Column = "column",
        /// `corner`, `u`, `v`.
        Parallelogram = "parallelogram",
        /// `center`, `normal`, `radius`.
        Disc = "disc",
        /// `base_center`, `top_center`, `radius`.
        Cylinder = "cylinder",
        /// `base_center`, `top_center`, `base_radius`.
        Cone = "cone",
        /// `start`, `end`, `radius` beyond both.
        Capsule = "capsule",
        /// `center`, `normal`, `radius`, `thickness`.
        Ring = "ring",
        /// `vertices`.
        Vertices = "vertices",
        /// `points`, `radius`.
        Line = "line",
        /// `base_center`, `profile`, `rotation`.
        Profile = "profile",
        /// `center`, `outline`, `depth`, `rotation`.
        Outline = "outline",
        /// `center`; no extent.
        Point = "point",
        /// Not told by the properties alone.
        Unknown = "unknown",
    }
}

/// A kind of shape.
pub(crate) trait ShapeKind: MovableProperties {
    /// What menus call it.
    const LABEL: &'static str;
    /// The name of its icon in the page.
    const ICON: &'static str;
    /// How its place and extent are told.
    const FRAME: Frame;
    /// Whether other things can stand all over the top of its box.
    const HAS_FLAT_TOP: bool = false;
    /// The property that holds its sizes along its own axes, where the page may change each alone.
    const SIZES: Option<&'static str> = None;
    /// Whether models are told its properties only when they ask: with all kinds the text of the tools
    /// would be an eighth longer in every request.
    const ON_REQUEST: bool = false;

    /// A new one for the menu, about the origin and two metres wide; `None` if it needs a file.
    fn sample() -> Option<Self>;

    /// The smallest axis-aligned box in world space that holds it; `None` if the document does not tell.
    fn bounds(&self) -> Option<Aabb>;

    /// Whether it is the closed surface of a solid, so that its inside is never seen.
    fn is_solid(&self) -> bool {
        false
    }

    /// Moved, turned, scaled and mirrored.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        self.properties_moved(motion)
    }

    /// Scaled by a factor for each axis; `None` if its properties cannot hold that.
    fn stretched(&self, _: &Stretch) -> Result<Option<Self>, MotionError> {
        Ok(None)
    }
}

/// A kind of light.
pub(crate) trait LightKind: MovableProperties {
    /// What menus call it.
    const LABEL: &'static str;
    /// The name of its icon in the page.
    const ICON: &'static str = "lightbulb";
    /// How its place and extent are told.
    const FRAME: Frame;
    /// The unit of `emission`: radiant intensity, radiance or irradiance.
    const EMISSION_UNIT: &'static str = "W/(sr m²)";

    /// A new one for the menu, about the origin, two metres wide and bright enough to be seen from
    /// four metres away; it shines down.
    fn sample() -> Option<Self>;

    /// Moved, turned, scaled and mirrored; what it emits stays the same.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        self.properties_moved(motion)
    }
}

/// A kind of shape or light, told to clients.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KindInfo {
    /// The name in files and tools.
    pub kind: &'static str,
    /// What menus call it.
    pub label: &'static str,
    /// The name of its icon.
    pub icon: &'static str,
    /// How its place and extent are told.
    pub frame: Frame,
    /// Whether other things can stand all over the top of its box.
    pub flat_top: bool,
    /// The property that holds its sizes along its own axes.
    pub sizes: Option<&'static str>,
    /// The properties, in the order of the documentation.
    pub properties: Vec<PropertyInfo>,
    /// The properties of a new one, about the origin and two metres wide; `None` if it needs a file.
    pub sample: Option<Map<String, Value>>,
}

impl KindInfo {
    pub(crate) fn of_shape<T: ShapeKind>(kind: &'static str) -> Self {
        Self {
            kind,
            label: T::LABEL,
            icon: T::ICON,
            frame: T::FRAME,
            flat_top: T::HAS_FLAT_TOP,
            sizes: T::SIZES,
            properties: T::property_infos(),
            sample: T::sample().as_ref().and_then(properties_of),
        }
    }

    pub(crate) fn of_light<T: LightKind>(kind: &'static str) -> Self {
        let mut properties = T::property_infos();
        for property in properties.iter_mut().filter(|property| property.role == Role::Emission) {
            property.unit = T::EMISSION_UNIT;
        }
        Self {
            kind,
            label: T::LABEL,
            icon: T::ICON,
            frame: T::FRAME,
            flat_top: false,
            sizes: None,
            properties,
            sample: T::sample().as_ref().and_then(properties_of),
        }
    }
}

fn properties_of<T: Serialize>(kind: &T) -> Option<Map<String, Value>> {
    match serde_json::to_value(kind) {
        Ok(Value::Object(map)) => Some(map),
        _ => None,
    }
}

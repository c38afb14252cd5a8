//! Descriptions of the kinds of shapes and lights, which transforms, bounds, tools, the page's
//! menus and the geometry crates use.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::bounds::Aabb;
use crate::read::words;
use crate::values::{Length, SideCount};

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
        /// `center`, `vertices` in its own space, `rotation`.
        Corners = "corners",
        /// `center`; no extent.
        Point = "point",
        /// Not told by the properties alone.
        Unknown = "unknown",
    }
}

/// A kind of shape.
pub(crate) trait ShapeKind: MovableProperties {
    /// Its label in menus.
    const LABEL: &'static str;
    /// The name of its icon in the page.
    const ICON: &'static str;
    /// The properties of its position and extent.
    const FRAME: Frame;
    /// Whether the top of its box is a flat surface.
    const HAS_FLAT_TOP: bool = false;
    /// The property with its sizes along its own axes, if the page may change them individually.
    const SIZES: Option<&'static str> = None;
    /// Whether its properties are left out of the tools' descriptions: with all kinds the text
    /// would be an eighth longer in every request.
    const ON_REQUEST: bool = false;

    /// A default shape at the origin, two metres wide; `None` if it needs a file.
    fn sample() -> Option<Self>;

    /// The bounding box; `None` if the document does not determine it.
    fn bounds(&self) -> Option<Aabb>;

    /// Whether its surface is closed, so that its inside is invisible.
    fn is_solid(&self) -> bool {
        false
    }

    /// The number of flat sides around its axis; `None` if it is round or has no axis.
    fn sides(&self) -> Option<SideCount> {
        None
    }

    /// How far its edges are cut off.
    fn bevel(&self) -> Option<Length> {
        None
    }

    /// Translates, rotates, scales and mirrors it.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        self.properties_moved(motion)
    }

    /// Scales it by a factor for each axis; `None` if its properties cannot represent the result.
    fn stretched(&self, _: &Stretch) -> Result<Option<Self>, MotionError> {
        Ok(None)
    }
}

/// A kind of light.
pub(crate) trait LightKind: MovableProperties {
    /// Its label in menus.
    const LABEL: &'static str;
    /// The name of its icon in the page.
    const ICON: &'static str = "lightbulb";
    /// The properties of its position and extent.
    const FRAME: Frame;
    /// The unit of `emission`: radiant intensity, radiance or irradiance.
    const EMISSION_UNIT: &'static str = "W/(sr m²)";

    /// A default light at the origin, two metres wide and bright enough for a distance of four
    /// metres; it points down.
    fn sample() -> Option<Self>;

    /// Translates, rotates, scales and mirrors it; its emission stays the same.
    fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        self.properties_moved(motion)
    }
}

/// The description of a kind of shape or light, for clients.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KindInfo {
    /// Its name in files and tools.
    pub kind: &'static str,
    /// Its label in menus.
    pub label: &'static str,
    /// The name of its icon.
    pub icon: &'static str,
    /// The properties of its position and extent.
    pub frame: Frame,
    /// Whether the top of its box is a flat surface.
    pub flat_top: bool,
    /// The property with its sizes along its own axes.
    pub sizes: Option<&'static str>,
    /// Its properties, in the order of the documentation.
    pub properties: Vec<PropertyInfo>,
    /// The properties of a default one at the origin, two metres wide; `None` if it needs a file.
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

//! Properties that only animations have: the pose of a thing, beside how it is in the document.

use crate::document::motion::Motion;

use super::value::KeyValue;

/// A property that is not one of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PoseProperty {
    /// Where the middle of its bounds is.
    Position,
    /// Degrees about x, then y, then z, by which it is turned.
    Rotation,
    /// The factor by which it is larger.
    Scale,
    /// Whether it is there.
    Visible,
    /// The factor by which a light is brighter.
    Intensity,
    /// Degrees by which the camera has gone around what it looks at, counter-clockwise from above.
    Orbit,
}

impl PoseProperty {
    /// What things can have; lights have [`Self::OF_LIGHTS`] as well.
    pub(super) const OF_THINGS: [&'static str; 4] = ["position", "rotation", "scale", "visible"];
    pub(super) const OF_LIGHTS: &'static str = "intensity";
    pub(super) const OF_CAMERAS: &'static str = "orbit";

    /// The pose property of this name of a thing.
    pub(super) fn of_thing(name: &str, is_light: bool) -> Option<Self> {
        match name {
            "position" => Some(Self::Position),
            "rotation" => Some(Self::Rotation),
            "scale" => Some(Self::Scale),
            "visible" => Some(Self::Visible),
            "intensity" if is_light => Some(Self::Intensity),
            _ => None,
        }
    }

    /// What its values must be, if `value` is not that.
    pub(super) fn refuses(self, value: &KeyValue) -> Option<&'static str> {
        const MAX_FACTOR: f64 = 1e4;
        let is_good = match (self, value) {
            (Self::Position | Self::Rotation, KeyValue::Numbers(numbers)) => {
                numbers.len() == 3 && numbers.iter().all(|number| number.abs() <= 1e6)
            }
            (Self::Scale, KeyValue::Number(factor)) => (1e-4..=MAX_FACTOR).contains(factor),
            (Self::Intensity, KeyValue::Number(factor)) => (0.0..=MAX_FACTOR).contains(factor),
            (Self::Orbit, KeyValue::Number(degrees)) => degrees.abs() <= 1e6,
            (Self::Visible, KeyValue::Flag(_)) => true,
            _ => false,
        };
        (!is_good).then_some(match self {
            Self::Position => "[x, y, z] with numbers within ±1000000",
            Self::Rotation => "[x, y, z] in degrees",
            Self::Scale => "a factor from 0.0001 to 10000 (to hide it: visible)",
            Self::Intensity => "a factor from 0 to 10000",
            Self::Orbit => "a number of degrees within ±1000000",
            Self::Visible => "true or false",
        })
    }
}

/// How a thing stands at a time, beside how it stands in the document.
#[derive(Debug, Default)]
pub(super) struct Pose {
    position: Option<[f64; 3]>,
    rotation: Option<([f64; 3], Option<[f64; 3]>)>,
    scale: Option<(f64, Option<[f64; 3]>)>,
}

impl Pose {
    /// Sets a property; the others stay.
    pub(super) fn set(
        &mut self,
        property: PoseProperty,
        value: &KeyValue,
        pivot: Option<[f64; 3]>,
    ) {
        let triple = || match value {
            KeyValue::Numbers(numbers) => <[f64; 3]>::try_from(numbers.as_slice()).ok(),
            _ => None,
        };
        match (property, value) {
            (PoseProperty::Position, _) => self.position = triple(),
            (PoseProperty::Rotation, _) => self.rotation = triple().map(|turn| (turn, pivot)),
            (PoseProperty::Scale, KeyValue::Number(factor)) => self.scale = Some((*factor, pivot)),
            _ => {}
        }
    }

    /// The way from how a thing with this middle stands in the document.
    pub(super) fn motion(&self, middle: [f64; 3]) -> Motion {
        let mut motion = Motion::shift([0.0; 3]);
        if let Some((factor, pivot)) = self.scale {
            // Curves through keys may swing below 0.
            motion = motion.then(Motion::scale(factor.max(1e-4), pivot.unwrap_or(middle)));
        }
        if let Some((degrees, pivot)) = self.rotation {
            motion = motion.then(Motion::turn(degrees, pivot.unwrap_or(middle)));
        }
        if let Some(position) = self.position {
            let way = [0, 1, 2].map(|axis| position[axis] - middle[axis]);
            motion = motion.then(Motion::shift(way));
        }
        motion
    }
}

//! The camera.

use serde_json::Value;

use crate::read::{ObjectReader, Place, Properties, Read, properties};
use crate::values::{Direction, FieldOfView, Length, LengthOrZero, Point};
use crate::vector::Vector;
use crate::violations::{Faults, Violations};

properties! {
    /// A thin-lens camera; a pinhole when `aperture` is 0.
    pub struct Camera {
        /// Where the camera stands.
        pub center: Point,
        /// The point in the middle of the picture.
        pub look_at: Point,
        /// The direction that is up in the picture.
        pub up: Direction = Direction::UP,
        /// Vertical field of view in degrees.
        pub vfov: FieldOfView = FieldOfView::known(45.0),
        /// Diameter of the lens in metres; 0 keeps everything sharp.
        pub aperture: LengthOrZero = LengthOrZero::known(0.0),
        /// Distance of the sharp plane in metres; null: the distance to look_at.
        pub focus_distance: Option<Length> = None,
    }
    check(self, reader) {
        if (Vector(self.look_at.get()) - Vector(self.center.get())).length() < 1e-6 {
            reader.fault("'center' and 'look_at' must be different points");
        }
    }
}

impl Default for Camera {
    /// At [0, 0, 5], looking at the origin.
    fn default() -> Self {
        Self {
            center: Point::known([0.0, 0.0, 5.0]),
            look_at: Point::known([0.0; 3]),
            up: Direction::UP,
            vfov: FieldOfView::known(45.0),
            aperture: LengthOrZero::known(0.0),
            focus_distance: None,
        }
    }
}

impl Camera {
    /// Reads a camera in the form of the scene file.
    pub fn from_json(value: &Value) -> Result<Self, Violations> {
        let mut faults = Faults::default();
        let camera = Self::read(value, &Place::of("the camera"), &mut faults);
        faults.finish(camera)
    }

    /// The camera as files and tools write it.
    pub fn to_json(&self) -> Value {
        // Only finite numbers and null: always serialises.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}

impl Read for Camera {
    fn read(value: &Value, at: &Place<'_>, faults: &mut Faults) -> Option<Self> {
        let mut reader = ObjectReader::new(value, at.clone(), faults)?;
        let known: Vec<&str> = Self::FIELDS.iter().map(|(name, _)| *name).collect();
        reader.reject_unknown(&known);
        let camera = Self::read_fields(&mut reader)?;
        camera.check(&mut reader);
        Some(camera)
    }

    fn expected() -> String {
        "an object with center and look_at".into()
    }
}

//! The camera.

use serde_json::Value;

use crate::read::{PropertyPath, Read, properties, read_object, words};
use crate::values::{Direction, FieldOfView, Length, LengthOrZero, Point, Stops};
use crate::vector::Vector;
use crate::violations::{ReadErrors, Violations};

use super::motion::{Motion, MotionError};
use super::movable::Movable;

words! {
    /// How the world comes onto the picture.
    pub enum Projection {
        /// As the eye sees it: what is farther away is smaller.
        Perspective = "perspective",
        /// Without vanishing points, as plans are drawn: what is farther away is as large.
        Orthographic = "orthographic",
        /// All that is around, equirectangular: 360 degrees across, 180 from top to bottom.
        Panoramic = "panoramic",
    }
}

/// Whether it is the default, which is not written.
fn is_perspective(projection: &Projection) -> bool {
    *projection == Projection::Perspective
}

/// Whether it is the default, which is not written.
fn is_plain(exposure: &Stops) -> bool {
    exposure.get() == 0.0
}

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
        /// How the world comes onto the picture.
        #[serde(skip_serializing_if = "is_perspective")]
        pub projection: Projection = Projection::Perspective,
        /// What an orthographic picture shows from bottom to top, in metres; null: as much as vfov does at
        /// look_at.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub height: Option<Length> = None,
        /// How much brighter the picture is shown, in stops: 1 is twice as bright, -1 half.
        #[serde(skip_serializing_if = "is_plain")]
        pub exposure: Stops = Stops::known(0.0),
    }
    check(self, reader) {
        if self.projection == Projection::Panoramic && self.aperture.get() > 0.0 {
            reader.error("a panoramic camera has no lens: 'aperture' must be 0");
        }
        if (Vector(self.look_at.get()) - Vector(self.center.get())).length() < 1e-6 {
            reader.error("'center' and 'look_at' must be different points");
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
            projection: Projection::Perspective,
            height: None,
            exposure: Stops::known(0.0),
        }
    }
}

impl Camera {
    /// Parses a camera of a scene file.
    pub fn from_json(value: &Value) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let camera = Self::read(value, &PropertyPath::of("the camera"), &mut errors);
        errors.finish(camera)
    }

    /// Translates, rotates and scales the camera with all that it shows.
    pub fn moved(&self, motion: &Motion) -> Result<Self, MotionError> {
        Ok(Self {
            center: self.center.moved(motion)?,
            look_at: self.look_at.moved(motion)?,
            up: self.up.moved(motion)?,
            aperture: self.aperture.moved(motion)?,
            focus_distance: self.focus_distance.moved(motion)?,
            height: self.height.moved(motion)?,
            ..self.clone()
        })
    }

    /// The height of an orthographic image, in metres.
    pub fn view_height(&self) -> f64 {
        self.height.map_or_else(
            || {
                let way = Vector(self.look_at.get()) - Vector(self.center.get());
                2.0 * way.length() * (0.5 * self.vfov.get()).to_radians().tan()
            },
            Length::get,
        )
    }

    /// The camera in the format of files and tools.
    pub fn to_json(&self) -> Value {
        // It contains only finite numbers and null, so this cannot fail.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}

impl Read for Camera {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        read_object(value, at, errors)
    }

    fn expected() -> String {
        "an object with center and look_at".into()
    }
}

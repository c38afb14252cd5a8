//! `look_at` and `frame`: the camera by what it should show.

use glam::DVec3;
use scene::{
    Camera, Edit, FieldOfView, Fraction, Id, Kind, Point, Projection, Violations, properties,
};
use serde_json::{Map, Value, json};

use crate::args::{Coordinate, Ids, choice};
use crate::plan::{Plan, Planned};
use crate::solid::Solid;
use crate::space::Space;
use crate::view::{ASPECT, View};

choice! {
    /// From where things are looked at.
    pub enum From {
        /// From the front and a little above.
        AboveFront = "above_front",
        /// From where the camera stands now.
        Current = "current",
        /// From +z.
        Front = "front",
        /// From -z.
        Back = "back",
        /// From -x.
        Left = "left",
        /// From +x.
        Right = "right",
        /// From above.
        Top = "top",
        /// From the front, the right and a little above.
        Corner = "corner",
    }
}

impl From {
    /// The unit vector into the middle of a picture from there; `camera` is the one that there is.
    pub fn forward(self, camera: &Camera) -> DVec3 {
        match self {
            Self::AboveFront => DVec3::new(0.0, -0.4, -1.0).normalize(),
            Self::Current => View::of(camera).forward(),
            Self::Front => DVec3::NEG_Z,
            Self::Back => DVec3::Z,
            Self::Left => DVec3::X,
            Self::Right => DVec3::NEG_X,
            Self::Top => DVec3::NEG_Y,
            Self::Corner => DVec3::new(-1.0, -0.6, -1.4).normalize(),
        }
    }
}

properties! {
    /// Arguments of `look_at`.
    pub struct LookAt {
        /// What to look at.
        pub id: Option<Id> = None,
        /// Or a point.
        pub point: Option<Point> = None,
        /// Default: it stays.
        pub center: Option<Point> = None,
    }
    check(self, reader) {
        if self.id.is_some() == self.point.is_some() {
            reader.error("give either 'id' or 'point' to look at");
        }
    }
}

properties! {
    /// Arguments of `frame`.
    pub struct Frame {
        /// What to show; default: all shapes but floors and walls.
        pub ids: Option<Ids> = None,
        /// Default above_front.
        pub from: From = From::AboveFront,
        /// Of the camera, in metres.
        pub height: Option<Coordinate> = None,
        /// Share left free, default 0.1.
        pub margin: Option<Fraction> = None,
        /// Degrees; default: it stays.
        pub vfov: Option<FieldOfView> = None,
    }
    check(self, reader) {
        if self.margin.is_some_and(|margin| margin.get() > 0.9) {
            reader.error("'margin' must be at most 0.9");
        }
        if self.height.is_some() && self.from == From::Top {
            reader.error("'height' cannot be given for a look from the top");
        }
    }
}

/// Each halves what is left, at least.
const CENTERING_STEPS: usize = 20;

fn camera(old: &Camera, properties: Value) -> Plan {
    let mut properties = match properties {
        Value::Object(properties) => properties,
        _ => Map::new(),
    };
    // What is looked at is to be sharp.
    if old.focus_distance.is_some() {
        properties.insert("focus_distance".into(), Value::Null);
    }
    Plan {
        edits: vec![Edit::SetCamera(properties)],
        about: vec![(Kind::Camera, String::new())],
        result: None,
    }
}

impl Planned for LookAt {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let center = self.center.unwrap_or(space.scene.camera.center);
        let look_at = match (&self.id, self.point) {
            (Some(id), _) => space.unit(id.as_str())?.solid.extent().center().to_array(),
            (None, Some(point)) => point.get(),
            (None, None) => [0.0; 3],
        };
        if DVec3::from(center.get()).distance(look_at.into()) < 1e-6 {
            return Err(Violations::one(
                "look_at: the camera would stand in the point it looks at; give it another 'center'",
            ));
        }
        let properties = json!({ "center": center.get(), "look_at": look_at });
        Ok(camera(&space.scene.camera, properties))
    }
}

impl Planned for Frame {
    fn plan(&self, space: &Space<'_>) -> Result<Plan, Violations> {
        let solid = self.subject(space)?;
        let old = &space.scene.camera;
        let forward = self.from.forward(old);
        let vfov = self.vfov.unwrap_or(old.vfov);
        let margin = self.margin.map_or(0.1, Fraction::get);
        let mut framing = Framing { forward, vfov_degrees: vfov.get(), margin, aspect: ASPECT };
        if let Some(height) = self.height {
            framing = framing.at_height(&solid, height.get())?;
        }
        let [center, look_at] = framing.of(&solid)?;
        let mut properties = json!({ "center": center, "look_at": look_at, "vfov": vfov.get() });
        if old.projection == Projection::Orthographic {
            let distance = DVec3::from(center).distance(look_at.into());
            let (middle, height) = framing.flat(&solid)?;
            properties["center"] = json!(rounded(middle - forward * distance));
            properties["look_at"] = json!(rounded(middle));
            properties["height"] = height.into();
        }
        Ok(camera(old, properties))
    }
}

/// How a picture shows something as large as it can.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Framing {
    /// The unit vector into the middle of the picture.
    pub forward: DVec3,
    /// Vertical field of view in degrees.
    pub vfov_degrees: f64,
    /// Share of the picture left free around, 0 to 0.9.
    pub margin: f64,
    /// Width of the picture over its height.
    pub aspect: f64,
}

impl Framing {
    /// The same side of `solid`, seen from a camera that stands `height` metres above y = 0: from farther up it
    /// looks down.
    pub fn at_height(mut self, solid: &Solid, height: f64) -> Result<Self, Violations> {
        /// Looks steeper than this show a thing from the top, or from below.
        const STEEPEST: f64 = 1.4;
        /// Each halves the range of the angle.
        const STEPS: usize = 24;
        let level = self.forward.with_y(0.0).try_normalize().unwrap_or(DVec3::NEG_Z);
        let (mut low, mut high) = (-STEEPEST, STEEPEST);
        for _ in 0..STEPS {
            let angle = 0.5 * (low + high);
            self.forward = level * angle.cos() - DVec3::Y * angle.sin();
            let [center, _] = self.of(solid)?;
            if center[1] < height { low = angle } else { high = angle }
        }
        Ok(self)
    }

    /// The middle of an orthographic picture that shows all of `solid`, and metres from its bottom to its
    /// top.
    fn flat(&self, solid: &Solid) -> Result<(DVec3, f64), Violations> {
        let mut middle = solid.extent().center();
        let aimed = json!({ "center": (middle - self.forward).to_array(),
            "look_at": middle.to_array() });
        let view = View::of(&Camera::from_json(&aimed)?);
        let (right, up) = (view.right(), view.right().cross(view.forward()));
        let mut half = 1e-3;
        for (axis, share) in [(right, self.aspect), (up, 1.0)] {
            let [one, other] = [axis, -axis].map(|axis| solid.farthest(axis).dot(axis));
            // The far sides lie at `one` and `-other` along the axis.
            middle += axis * (0.5 * (one - other) - middle.dot(axis));
            half = f64::max(half, 0.5 * (one + other) / share);
        }
        Ok((middle, 2.0 * half / (1.0 - self.margin)))
    }

    /// Where the camera stands and the point it looks at, so that the picture shows all of `solid`; an
    /// error where numbers are too large for a camera.
    pub fn of(&self, solid: &Solid) -> Result<[[f64; 3]; 2], Violations> {
        let Self { forward, aspect, .. } = *self;
        let extent = solid.extent();
        let half_height = (0.5 * self.vfov_degrees).to_radians().tan() * (1.0 - self.margin);
        // Any camera that looks along `forward` has the same axes of the picture.
        let middle = extent.center();
        let aimed =
            json!({ "center": (middle - forward).to_array(), "look_at": middle.to_array() });
        let view = View::of(&Camera::from_json(&aimed)?);
        let (right, up) = (view.right(), view.right().cross(view.forward()));
        let mut target = middle;
        // The four sides of the view: their axis, the half width there, and the points of the solid
        // that lie farthest out.
        let sides = [(right, half_height * aspect), (up, half_height)].map(|(axis, half)| {
            let edge = |axis: DVec3| solid.farthest((axis - forward * half).normalize());
            (axis, half, [edge(axis), edge(-axis)])
        });
        // How far away all sides of the view just touch or clear the solid.
        let distance_from = |target: DVec3| {
            let both = sides
                .into_iter()
                .flat_map(|(axis, half, [one, other])| [(axis, half, one), (-axis, half, other)]);
            both.map(|(axis, half, edge)| {
                let normal = (axis - forward * half).normalize();
                (edge - target).dot(normal) / -normal.dot(forward)
            })
            .fold(0.0, f64::max)
        };
        // The picture's centre goes to the middle of the outline, which depends on the distance.
        for _ in 0..CENTERING_STEPS {
            let eye = target - forward * distance_from(target);
            for (axis, _, edges) in sides {
                let [one, other] = edges.map(|edge| edge - eye);
                let depth = one.dot(forward).min(other.dot(forward)).max(1e-9);
                let at = |way: DVec3| way.dot(axis) / way.dot(forward).max(1e-9);
                target += axis * (0.5 * (at(one) + at(other)) * depth);
            }
        }
        let distance = distance_from(target);
        let nearest = solid.reach(-forward) + target.dot(forward);
        let distance = distance.max(nearest + 0.1 * solid.size()).max(1e-3);
        Ok([rounded(target - forward * distance), rounded(target)])
    }
}

/// To a tenth of a millimetre, or finer for what is tiny.
fn rounded(point: DVec3) -> [f64; 3] {
    let scale = if point.abs().max_element() < 0.1 { 1e7 } else { 1e4 };
    point.to_array().map(|number| (number * scale).round() / scale)
}

impl Frame {
    fn subject(&self, space: &Space<'_>) -> Result<Solid, Violations> {
        if let Some(ids) = &self.ids {
            let units = space.units(ids.as_slice())?;
            let all = Solid::union(units.iter().map(|unit| &unit.solid));
            return all.ok_or_else(|| Violations::one("frame: there is nothing to show"));
        }
        space.contents().ok_or_else(|| Violations::one("frame: the scene has no shapes to show"))
    }
}

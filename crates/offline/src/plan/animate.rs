//! Things that move over time.

use std::f64::consts::TAU;

use glam::DVec3;
use serde_json::{Value, json};
use spatial::Extent;

use crate::frames::{Frame, Motion, Way};
use crate::resolve::Sides;

use super::planner::{Done, Planner, Remark, Stopped};

/// How long things take where nothing is said.
const TURN_SECONDS: f64 = 4.0;
const TURNTABLE_SECONDS: f64 = 6.0;
const GO_SECONDS: f64 = 3.0;
/// Keys of one leap.
const LEAP_KEYS: u32 = 8;

impl Planner<'_> {
    /// Lets the camera or things move, or stops them.
    pub(crate) fn animate(&mut self, frame: &Frame) -> Done {
        self.camera_told = true;
        match frame.motion {
            None | Some(Motion::Turntable) => self.turntable(frame),
            Some(Motion::Stop) => self.stop(frame),
            Some(motion) => self.set_in_motion(frame, motion),
        }
    }

    fn turntable(&mut self, frame: &Frame) -> Done {
        let subjects = self.subjects(&frame.view.look)?;
        let mut turntable = json!({ "clockwise": is_clockwise(frame) });
        // Of several things the middle of the picture is as good as any.
        if let [id] = &subjects[..] {
            turntable["around"] = json!(id);
        }
        let seconds = frame.seconds.unwrap_or(TURNTABLE_SECONDS);
        let duration = self.lasting(seconds);
        self.call("set_animation", json!({ "turntable": turntable, "duration": duration }))?;
        self.focus = subjects;
        Ok(())
    }

    fn stop(&mut self, frame: &Frame) -> Done {
        if self.draft.scene().animation.is_none() {
            return Err(Stopped(Remark::Refused("Nothing moves.".into())));
        }
        let ids = self.find_all(&frame.theme)?;
        let removed = if ids.is_empty() { json!(["*"]) } else { json!(ids) };
        self.call("set_animation", json!({ "remove": removed })).map(drop)
    }

    fn set_in_motion(&mut self, frame: &Frame, motion: Motion) -> Done {
        let ids = self.find_all(&frame.theme)?;
        let around = match motion {
            Motion::Orbit => Some(self.middle_of(&self.find_all(&frame.other)?)?),
            _ => None,
        };
        let seconds = frame.seconds.unwrap_or(match motion {
            Motion::Spin | Motion::Orbit => TURN_SECONDS,
            _ => GO_SECONDS,
        });
        let state = self.state();
        let world = state.world();
        let scene = world.scene;
        let sides = Sides::of(scene);
        let eye = DVec3::from(scene.camera.center.get());
        let mut tracks = Vec::new();
        for id in &ids {
            let Some(extent) = world.extent_of([id]) else { continue };
            let course = course(frame, sides, extent, eye);
            tracks.extend(match motion {
                Motion::Spin => vec![turn(id, is_clockwise(frame), seconds, None)],
                Motion::Orbit => vec![turn(id, is_clockwise(frame), seconds, around)],
                Motion::Roll => rolling(id, extent, course, seconds),
                Motion::Bounce => vec![bouncing(id, extent, course, seconds)],
                _ => vec![travelling(id, course, seconds)],
            });
        }
        let duration = self.lasting(seconds);
        self.call("set_animation", json!({ "tracks": tracks, "duration": duration }))?;
        self.focus = ids;
        Ok(())
    }

    /// The length of the animation if something takes so many seconds: what moves already goes on.
    fn lasting(&self, seconds: f64) -> f64 {
        let before = self.draft.scene().animation.as_ref();
        before.map_or(0.0, |before| before.duration.get()).max(seconds.clamp(0.1, 600.0))
    }

    fn middle_of(&self, ids: &[String]) -> Done<[f64; 3]> {
        let extent = self.state().world().extent_of(ids);
        let nothing = || Stopped(Remark::Refused("There is nothing to go around.".into()));
        Ok(extent.ok_or_else(nothing)?.center().to_array())
    }
}

fn is_clockwise(frame: &Frame) -> bool {
    matches!(frame.way, Some(Way::Left | Way::Clockwise))
}

/// Where something goes: from here to there.
type Course = [DVec3; 2];

/// To a side it begins on the other one. It goes as far as the picture shows.
fn course(frame: &Frame, sides: Sides, extent: Extent, eye: DVec3) -> Course {
    let way = match frame.way {
        Some(Way::Left) => -sides.right,
        Some(Way::Front) => sides.front,
        Some(Way::Back) => -sides.front,
        Some(Way::Right) => sides.right,
        _ => DVec3::ZERO,
    };
    let middle = extent.center();
    let half = (0.3 * eye.distance(middle)).max(extent.size().max_element());
    // Before the camera there is less room than beside.
    let half = if way.dot(sides.front).abs() > 0.5 { 0.6 * half } else { half };
    [middle - way * half, middle + way * half]
}

fn key(time: f64, value: &Value) -> Value {
    json!({ "time": time, "value": value })
}

fn point(point: DVec3) -> Value {
    json!(point.to_array().map(|number| (number * 1e4).round() / 1e4))
}

fn turn(id: &str, is_clockwise: bool, seconds: f64, pivot: Option<[f64; 3]>) -> Value {
    let degrees = if is_clockwise { -360 } else { 360 };
    let keys = [key(0.0, &json!([0, 0, 0])), key(seconds, &json!([0, degrees, 0]))];
    let mut track = json!({ "target": id, "property": "rotation", "keys": keys });
    if let Some(pivot) = pivot {
        track["pivot"] = json!(pivot);
    }
    track
}

fn travelling(id: &str, [from, to]: Course, seconds: f64) -> Value {
    let begin = json!({ "time": 0, "value": point(from), "easing": "ease_in_out" });
    json!({ "target": id, "property": "position", "keys": [begin, key(seconds, &point(to))] })
}

/// It turns as far as the way on the ground; in one place it turns once.
fn rolling(id: &str, extent: Extent, [from, to]: Course, seconds: f64) -> Vec<Value> {
    let way = to - from;
    let radius = 0.5 * extent.size().y.max(1e-3);
    let degrees = match way.length() {
        0.0 => 360.0,
        length => (360.0 * length / (TAU * radius)).round(),
    };
    let turned = match way.x.abs() >= way.z.abs() {
        true => [0.0, 0.0, if way.x < 0.0 { degrees } else { -degrees }],
        false => [if way.z < 0.0 { -degrees } else { degrees }, 0.0, 0.0],
    };
    let places = [key(0.0, &point(from)), key(seconds, &point(to))];
    let turns = [key(0.0, &json!([0, 0, 0])), key(seconds, &json!(turned))];
    vec![
        json!({ "target": id, "property": "position", "keys": places }),
        json!({ "target": id, "property": "rotation", "keys": turns }),
    ]
}

/// Leaps of about a second, each a parabola.
fn bouncing(id: &str, extent: Extent, [from, to]: Course, seconds: f64) -> Value {
    let leaps = (seconds.round() as u32).clamp(1, 60);
    let height = 1.2 * extent.size().max_element();
    let count = leaps * LEAP_KEYS;
    let keys: Vec<Value> = (0..=count)
        .map(|at| {
            let share = f64::from(at) / f64::from(count);
            let leap = f64::from(at % LEAP_KEYS) / f64::from(LEAP_KEYS);
            let up = 4.0 * height * leap * (1.0 - leap);
            let time = (share * seconds * 1e4).round() / 1e4;
            key(time, &point(from.lerp(to, share) + DVec3::Y * up))
        })
        .collect();
    json!({ "target": id, "property": "position", "keys": keys })
}

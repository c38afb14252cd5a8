//! `set_animation`: adds, changes and removes tracks.

use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};

use crate::document::{Animation, Easing, Key, KeyValue, Keys, PropertyName, Scene, Track, Tracks};
use crate::id::Id;
use crate::read::{PropertyPath, Read, nearest, properties, read_object};
use crate::values::{FrameRate, PlayTime, Seconds, Turn};
use crate::violations::{ReadErrors, Violations};

/// How long a turntable takes by itself, in seconds.
const TURNTABLE_SECONDS: PlayTime = PlayTime::known(6.0);
/// How long anything else takes by itself, at least.
const MIN_SECONDS: f64 = 0.04;
/// The name of all tracks.
const ALL: &str = "*";

properties! {
    /// The camera goes around once.
    pub struct Turntable {
        /// Id it looks at; default: what it looks at now.
        pub around: Option<Id> = None,
        /// Default 360.
        pub degrees: Turn = Turn::known(360.0),
        /// Seen from above.
        pub clockwise: bool = false,
    }
}

properties! {
    /// Arguments of `set_animation`.
    pub struct AnimationUpdate {
        /// Seconds; alone it makes all faster or slower.
        pub duration: Option<PlayTime> = None,
        /// Default 24.
        pub fps: Option<FrameRate> = None,
        /// Default true.
        pub loops: Option<bool> = None,
        /// Each replaces the one of the same target and property.
        pub tracks: Option<Tracks> = None,
        /// The camera goes around once.
        pub turntable: Option<Turntable> = None,
        /// Targets, or "target property", or "*" for all.
        pub remove: Option<Removed> = None,
    }
    check(self, reader) {
        let is_empty = self.duration.is_none()
            && self.fps.is_none()
            && self.loops.is_none()
            && self.tracks.is_none()
            && self.turntable.is_none()
            && self.remove.is_none();
        if is_empty {
            reader.error(
                "is empty: give tracks or turntable to animate something, remove to take tracks out, or \
                 duration, fps or loops",
            );
        }
    }
}

/// The names of tracks to remove.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Removed(Vec<String>);

impl Read for Removed {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let names = match value {
            Value::String(name) => Some(vec![name.clone()]),
            Value::Array(items) => {
                items.iter().map(|item| item.as_str().map(str::to_owned)).collect()
            }
            _ => None,
        };
        if names.is_none() {
            at.must_be(&Self::expected(), value, errors);
        }
        names.map(Self)
    }

    fn expected() -> String {
        "a list of targets, or of \"target property\", or [\"*\"]".into()
    }
}

impl Read for Turntable {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        match value {
            Value::Bool(true) => read_object(&json!({}), at, errors),
            value => read_object(value, at, errors),
        }
    }

    fn expected() -> String {
        "an object with around, degrees, clockwise".into()
    }
}

impl Turntable {
    /// The tracks that it stands for, until `end`.
    fn tracks(&self, end: f64) -> Vec<Track> {
        let degrees = if self.clockwise { -self.degrees.get() } else { self.degrees.get() };
        let key = |time: f64, value: KeyValue| {
            Some(Key { time: Seconds::new(time)?, value, easing: Easing::Linear })
        };
        let track = |property: &str, keys: [Option<Key>; 2]| {
            let keys = Keys::new(keys.into_iter().flatten().collect())?;
            let (target, property) = (Id::new("camera")?, PropertyName::known(property));
            Some(Track { target, property, pivot: None, keys })
        };
        let orbit = [key(0.0, KeyValue::Number(0.0)), key(end, KeyValue::Number(degrees))];
        let around = self.around.as_ref().and_then(|id| {
            let looked_at = KeyValue::Text(id.as_str().to_owned());
            track("look_at", [key(0.0, looked_at), None])
        });
        track("orbit", orbit).into_iter().chain(around).collect()
    }
}

impl AnimationUpdate {
    /// Parses the arguments of a call.
    pub(super) fn read(args: &Value, errors: &mut ReadErrors) -> Option<Self> {
        read_object(args, &PropertyPath::of("set_animation"), errors)
    }

    /// Changes the animation of a scene; a summary of it as it is then. After an error the scene is
    /// unchanged.
    pub(super) fn apply(&self, scene: &mut Scene) -> Result<Value, Violations> {
        let before = scene.animation.as_deref();
        let kept = self.kept(before)?;
        let given = self.tracks.as_ref().map(Tracks::get).unwrap_or_default();
        if kept.is_empty() && given.is_empty() && self.turntable.is_none() {
            if before.is_none() {
                return Err(Violations::one(
                    "set_animation: nothing is animated yet; give tracks or turntable",
                ));
            }
            scene.animation = None;
            return Ok(json!({ "animation": "none" }));
        }
        let end = kept.iter().chain(given).map(|track| track.keys.end()).fold(0.0, f64::max);
        let duration = self.duration.or_else(|| {
            let at_first = match (&self.turntable, end) {
                (Some(_), 0.0) => TURNTABLE_SECONDS.get(),
                _ => end,
            };
            PlayTime::new(
                before.map_or(at_first, |before| before.duration.get().max(end)).max(MIN_SECONDS),
            )
        });
        let duration = duration.unwrap_or(TURNTABLE_SECONDS);
        let turned = self.turntable.iter().flat_map(|turntable| turntable.tracks(duration.get()));
        let animation = Animation {
            duration,
            fps: self.fps.or(before.map(|before| before.fps)).unwrap_or(FrameRate::known(24.0)),
            loops: self.loops.or(before.map(|before| before.loops)).unwrap_or(true),
            tracks: Tracks::of(kept.into_iter().chain(given.iter().cloned()).chain(turned)),
        };
        // The rules of files, e.g. that no key comes after the end.
        let animation = Animation::from_json(&animation.to_json())?;
        scene.check_animation(&animation)?;
        let told = summary(&animation);
        scene.animation = Some(Arc::new(animation));
        Ok(told)
    }

    /// The tracks that stay, made as long as asked.
    fn kept(&self, before: Option<&Animation>) -> Result<Vec<Track>, Violations> {
        let Some(before) = before else { return Ok(Vec::new()) };
        let mut tracks = before.tracks.get().to_vec();
        for name in self.remove.iter().flat_map(|removed| &removed.0) {
            let count = tracks.len();
            tracks.retain(|track| {
                name != ALL && track.target.as_str() != name && track.name() != *name
            });
            if tracks.len() == count && name != ALL {
                let known: Vec<String> = before.tracks.get().iter().map(Track::name).collect();
                return Err(Violations::one(format!(
                    "set_animation: there is no track '{name}' to remove; did you mean '{}'? There are: {}",
                    nearest(name, known.iter().map(String::as_str)),
                    known.join(", ")
                )));
            }
        }
        let is_alone = self.tracks.is_none() && self.turntable.is_none() && self.remove.is_none();
        if let Some(duration) = self.duration.filter(|_| is_alone) {
            let factor = duration.get() / before.duration.get();
            for track in &mut tracks {
                track.keys = track.keys.stretched(factor);
            }
        }
        Ok(tracks)
    }
}

/// What a call is answered.
fn summary(animation: &Animation) -> Value {
    let fps = animation.fps.get();
    let tracks: Vec<String> = animation.tracks.get().iter().map(Track::told).collect();
    json!({
        "duration": animation.duration.get(),
        "fps": fps,
        "frames": animation.frames(fps),
        "loops": animation.loops,
        "tracks": tracks,
    })
}

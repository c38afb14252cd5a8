//! What changes over time: tracks of keys. `at_time.rs` gives the scene at a time, an ordinary one.

mod at_time;
mod check;
mod easing;
mod pose;
mod property;
mod settle;
mod told;
mod track;
mod value;

use serde::Serialize;
use serde_json::Value;

use crate::read::{PropertyPath, Read, properties, read_object};
use crate::values::{FrameRate, PlayTime};
use crate::violations::{ReadErrors, Violations};

pub use easing::Easing;
pub use track::{Key, Keys, PropertyName, Track};
pub use value::KeyValue;

/// The most tracks of an animation.
pub const MAX_TRACKS: usize = 200;

properties! {
    /// How a scene changes over time. The scene itself is what is edited and shown when nothing plays.
    pub struct Animation {
        /// Seconds.
        pub duration: PlayTime = PlayTime::known(4.0),
        /// Pictures a second.
        pub fps: FrameRate = FrameRate::known(24.0),
        /// Whether it begins again at its end, as a turntable does.
        pub loops: bool = true,
        /// What changes.
        pub tracks: Tracks,
    }
    check(self, reader) {
        for track in self.tracks.get() {
            let (end, duration) = (track.keys.end(), self.duration.get());
            if end > duration + 1e-9 {
                reader.errors().add(format!(
                    "track '{}' has a key at {end} s, after the end at {duration} s; make 'duration' at least {end}",
                    track.name()
                ));
            }
        }
    }
}

/// Tracks, each about another property.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Tracks(Vec<Track>);

impl Tracks {
    /// The tracks.
    pub fn get(&self) -> &[Track] {
        &self.0
    }

    /// Tracks of which each is about another property. The last one about a property counts.
    pub(crate) fn of(tracks: impl IntoIterator<Item = Track>) -> Self {
        let mut all: Vec<Track> = Vec::new();
        for track in tracks {
            match all.iter_mut().find(|known| known.is_about(&track)) {
                Some(known) => *known = track,
                None => all.push(track),
            }
        }
        Self(all)
    }
}

impl Read for Tracks {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        let Some(items) = value.as_array().filter(|items| items.len() <= MAX_TRACKS) else {
            at.must_be(&Self::expected(), value, errors);
            return None;
        };
        // Parse all items before returning, to report all errors.
        let read: Vec<Option<Track>> =
            (0..).zip(items).map(|(at, item)| Track::read_at(at, item, errors)).collect();
        let tracks = read.into_iter().collect::<Option<Vec<_>>>()?;
        for (at, track) in tracks.iter().enumerate() {
            if tracks[..at].iter().any(|earlier| earlier.is_about(track)) {
                errors.add(format!(
                    "there are two tracks '{}'; put their keys into one",
                    track.name()
                ));
            }
        }
        Some(Self(tracks))
    }

    fn expected() -> String {
        format!("a list of at most {MAX_TRACKS} tracks {{\"target\", \"property\", \"keys\"}}")
    }
}

impl Animation {
    /// Parses an animation of a scene file.
    pub fn from_json(value: &Value) -> Result<Self, Violations> {
        let mut errors = ReadErrors::default();
        let animation = Self::read(value, &PropertyPath::of("the animation"), &mut errors);
        errors.finish(animation)
    }

    /// The animation in the format of files and tools.
    pub fn to_json(&self) -> Value {
        // It contains only finite numbers, booleans and texts, so this cannot fail.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// The number of pictures at `fps` frames a second.
    pub fn frames(&self, fps: f64) -> u32 {
        ((self.duration.get() * fps).round() as u32).max(1)
    }

    /// The time of a picture out of `frames`. One that loops shows its end as its beginning; of any
    /// other the last picture shows the end.
    pub fn time_of(&self, frame: u32, frames: u32) -> f64 {
        let steps = if self.loops { frames } else { frames.saturating_sub(1) };
        self.duration.get() * f64::from(frame) / f64::from(steps.max(1))
    }
}

impl Read for Animation {
    fn read(value: &Value, at: &PropertyPath<'_>, errors: &mut ReadErrors) -> Option<Self> {
        read_object(value, at, errors)
    }

    fn expected() -> String {
        "an object with tracks".into()
    }
}

//! Messages between a server and its workers. A message is one binary frame: the length of a header,
//! the header in JSON, and bytes that the header is about.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tracer::{Integrator, RenderSettings};

/// The largest message of a worker in bytes.
pub const MAX_WORKER_FRAME: usize = 32 * 1024 * 1024;

/// A message of the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToWorker {
    /// A task; the bytes are the part of the film as it is.
    Task(TaskHeader),
    /// A scene that the worker asked for; the bytes are its scene file.
    Scene {
        /// Its hash.
        scene: String,
    },
    /// A task is not needed any more.
    Cancel {
        /// The task.
        id: u64,
    },
}

/// A message of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FromWorker {
    /// The worker does not know the scene of a task.
    NeedScene {
        /// Its hash.
        scene: String,
    },
    /// A task is done; the bytes are the part of the film with all samples.
    Done(TaskResult),
    /// The worker cannot do a task.
    Failed {
        /// The task.
        id: u64,
        /// Why.
        reason: String,
    },
}

/// A task: some tiles of a film, and the samples per pixel that they are to have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskHeader {
    /// Its number; each task that a server gives has another one.
    pub id: u64,
    /// The hash of the scene.
    pub scene: String,
    /// Pixels of the whole picture.
    pub width: u32,
    /// Pixels of the whole picture.
    pub height: u32,
    /// Whether the film has features.
    pub features: bool,
    /// The settings.
    pub settings: TaskSettings,
    /// Samples per pixel.
    pub target: u32,
}

/// How a task is rendered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskSettings {
    /// Whether by light paths, too.
    pub bdpt: bool,
    /// See [`RenderSettings`].
    pub max_depth: u32,
    /// See [`RenderSettings`].
    pub seed: u64,
    /// See [`RenderSettings`].
    pub clamp_indirect: Option<f32>,
    /// See [`RenderSettings`].
    pub hides_sky: bool,
}

/// What a task took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskResult {
    /// The task.
    pub id: u64,
    /// Seconds of rendering.
    pub seconds: f64,
    /// Camera samples.
    pub samples: u64,
    /// Rays traced.
    pub rays: u64,
}

impl TaskSettings {
    /// These settings; `None` if a task cannot say them. A noise threshold is left out: whoever gives
    /// tasks chooses the tiles.
    pub(crate) fn of(settings: &RenderSettings) -> Option<Self> {
        let RenderSettings { max_depth, seed, clamp_indirect, hides_sky, .. } = *settings;
        let bdpt = settings.integrator == Integrator::Bdpt;
        let said = Self { bdpt, max_depth, seed, clamp_indirect, hides_sky };
        let without_threshold = RenderSettings { noise_threshold: None, ..*settings };
        (said.settings() == without_threshold).then_some(said)
    }

    pub(crate) fn settings(&self) -> RenderSettings {
        let Self { bdpt, max_depth, seed, clamp_indirect, hides_sky } = *self;
        let integrator = if bdpt { Integrator::Bdpt } else { Integrator::Path };
        let default = RenderSettings::default();
        RenderSettings { integrator, max_depth, seed, clamp_indirect, hides_sky, ..default }
    }
}

/// A frame that is no message.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// It is shorter than it says.
    #[error("a frame of a render task ends too early")]
    Short,
    /// Its header is of another form.
    #[error("a frame of a render task cannot be read: {0}")]
    Header(#[from] serde_json::Error),
}

/// A message as a frame.
pub fn encode_frame(header: &impl Serialize, bytes: &[u8]) -> Result<Vec<u8>, WireError> {
    let header = serde_json::to_vec(header)?;
    let mut frame = Vec::with_capacity(4 + header.len() + bytes.len());
    frame.extend_from_slice(&(header.len() as u32).to_le_bytes());
    frame.extend_from_slice(&header);
    frame.extend_from_slice(bytes);
    Ok(frame)
}

/// The message in a frame, and its bytes.
pub fn decode_frame<T: DeserializeOwned>(frame: &[u8]) -> Result<(T, &[u8]), WireError> {
    let (length, rest) = frame.split_first_chunk().ok_or(WireError::Short)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (header, bytes) = rest.split_at_checked(length).ok_or(WireError::Short)?;
    Ok((serde_json::from_slice(header)?, bytes))
}

#[cfg(test)]
mod tests {
    use tracer::DirectLighting;

    use super::*;

    #[test]
    fn messages_survive_and_what_is_none_is_refused() {
        let task = ToWorker::Task(TaskHeader {
            id: u64::MAX,
            scene: "ab".into(),
            width: 3,
            height: 4,
            features: true,
            settings: TaskSettings {
                bdpt: true,
                max_depth: 5,
                seed: u64::MAX - 1,
                clamp_indirect: Some(0.1),
                hides_sky: true,
            },
            target: 6,
        });
        let frame = encode_frame(&task, &[7, 8]).unwrap();
        let (read, bytes) = decode_frame::<ToWorker>(&frame).unwrap();
        assert_eq!((read, bytes), (task, &[7, 8][..]));
        for length in 0..frame.len() - 2 {
            assert!(decode_frame::<ToWorker>(&frame[..length]).is_err(), "{length}");
        }
        assert!(decode_frame::<FromWorker>(&frame).is_err());
    }

    #[test]
    fn settings_that_a_task_cannot_say_are_not_sent() {
        let usual =
            RenderSettings { max_depth: 3, clamp_indirect: Some(8.0), ..Default::default() };
        let sent = TaskSettings::of(&RenderSettings { noise_threshold: Some(0.1), ..usual });
        assert_eq!(sent.unwrap().settings(), usual);
        let other = RenderSettings { direct_lighting: DirectLighting::Bsdf, ..usual };
        assert_eq!(TaskSettings::of(&other), None);
    }
}

//! Errors of the renderer.

use oidn::OidnError;

use crate::client::MAX_PICTURES_PER_CLIENT;
use crate::picture::EncodeError;

/// An error of the renderer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RenderError {
    /// Values of the job are out of range; all of them are listed.
    #[error("{}", .0.join("; "))]
    OutOfRange(Vec<String>),
    /// An animation was asked for, and there is none.
    #[error(
        "nothing is animated in this scene: animate it by set_animation, or by 'animation' in the scene file"
    )]
    NotAnimated,
    /// The queue of all clients is full.
    #[error("the renderer already has {0} pictures in its queue; try again in a few seconds")]
    Busy(usize),
    /// The queue of this client is full.
    #[error(
        "{MAX_PICTURES_PER_CLIENT} of your pictures are already being rendered; wait for one of them"
    )]
    ClientBusy,
    /// There are too many animations.
    #[error("{0} animations are already in progress or being fetched; wait for one of them")]
    MoviesBusy(usize),
    /// An animation could not be written.
    #[error("the animation could not be written: {0}")]
    Movie(String),
    /// The render was cancelled.
    #[error("the render was cancelled")]
    Cancelled,
    /// An internal error of the renderer.
    #[error("the renderer failed; please report it with the scene")]
    Internal,
    /// See [`EncodeError`].
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// See [`OidnError`].
    #[error(transparent)]
    Oidn(#[from] OidnError),
}

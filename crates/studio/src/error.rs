//! Why there is no picture.

use oidn::OidnError;

use crate::client::MAX_PICTURES_PER_CLIENT;
use crate::picture::EncodeError;

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RenderError {
    /// The job asks for what the renderer does not do; all errors.
    #[error("{}", .0.join("; "))]
    OutOfRange(Vec<String>),
    /// Too many pictures of all clients wait already.
    #[error(
        "the renderer already has {MAX_PICTURES} pictures in its queue; try again in a few seconds"
    )]
    Busy,
    /// Too many pictures of this client wait already.
    #[error(
        "{MAX_PICTURES_PER_CLIENT} of your pictures are already being rendered; wait for one of them"
    )]
    ClientBusy,
    /// Nobody waits for the picture any more.
    #[error("the render was cancelled")]
    Cancelled,
    /// The renderer is at fault.
    #[error("the renderer failed; please report it with the scene")]
    Internal,
    /// See [`EncodeError`].
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// See [`OidnError`].
    #[error(transparent)]
    Oidn(#[from] OidnError),
}

/// Pictures on request of all clients that are under way or waiting; past that the caller is told to
/// come back.
pub(crate) const MAX_PICTURES: usize = 64;

//! Fog that is not in the scene yet: it depends on where the camera will be.

/// Fog that a message asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NewFog {
    /// How far one sees through it, in distances to what the camera looks at.
    pub(super) reach: f64,
    /// Up to where it lies.
    pub(super) top: Option<Top>,
}

/// The upper end of fog that lies on the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Top {
    /// Metres above the ground.
    Metres(f64),
    /// Below most of what stands there.
    Low,
}

//! Places, directions, the camera and the surroundings.

pub(in crate::language) mod air;
pub(in crate::language) mod arrangement;
pub(in crate::language) mod brightness;
pub(in crate::language) mod camera;
pub(in crate::language) mod facing;
pub(in crate::language) mod gap;
pub(in crate::language) mod motion;
pub(in crate::language) mod place;
pub(in crate::language) mod sharpness;
pub(in crate::language) mod surroundings;
pub(in crate::language) mod vantage;

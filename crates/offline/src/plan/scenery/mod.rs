//! Camera, light, air and whole scenes.

pub(in crate::plan) mod air;
pub(in crate::plan) mod assembly;
pub(in crate::plan) mod camera;
pub(in crate::plan) mod lantern;
pub(in crate::plan) mod light;
pub(in crate::plan) mod lighting;
pub(in crate::plan) mod list;
pub(in crate::plan) mod several;
pub(in crate::plan) mod template;
pub(in crate::plan) mod theme;
pub(in crate::plan) mod total;

//! Issue "materials, textures, shapes and formats": shapes as triangles, against closed forms.

mod forms;
mod instance_key;
mod motion;
mod round;
mod support;

//! Issue "materials, textures, shapes and formats": shapes as triangles, against closed forms.

mod forms;
mod instance_key;
mod round;
mod support;

//! Issue "materials, textures, shapes and formats": shapes as triangles, against closed forms.

mod forms;
mod likeness;
mod round;
mod support;

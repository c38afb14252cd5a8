//! Tessellations of shapes, compared with closed forms (issue "materials, textures, shapes and
//! formats").

mod flat_sides;
mod forms;
mod instance_key;
mod motion;
mod round;
mod support;

//! A progressive CPU path tracer for the scenes of the `scene` crate.
//!
//! ```text
//! scene::Scene ─ World::build ─▶ World ─ render_pass ─▶ Film ─ linear ─▶ LinearImage ─ to_srgb8 ─▶ bytes
//!                                  └──── render_draft ────────────────▶ LinearImage
//! ```
//!
//! Pure: no I/O, no clock, no threads of its own. Rendering runs on the current rayon pool. A pixel
//! is a function of (scene, settings, pixel, number of samples): the image does not depend on the
//! number of threads or on the split into passes.
//!
//! Conventions: right-handed, y up, metres, linear sRGB, radiance in W/(sr m^2) per channel.
//! Directions at a surface point away from it. Local shading frames have z along the normal on the
//! side of the viewer.

mod bounds;
mod bsdf;
mod bvh;
mod camera;
#[cfg(test)]
mod chi_square;
mod color;
mod denoise;
mod display;
mod draft;
mod film;
mod fog;
mod frame;
mod image;
mod image_map;
mod instructions;
mod integrator;
mod lane_mask;
mod light;
mod mesh;
mod object_kind;
mod pick;
mod polynomial;
mod primitive;
mod ray;
mod ray_lanes;
mod render;
mod sampler;
mod sampling;
mod settings;
mod shading;
mod surface_kind;
mod surface_shader;
mod texture;
mod vector;
mod world;

pub use denoise::{denoise, denoise_noisy_parts, denoise_unless};
pub use display::{ToneMap, WhiteBalance, bloom, to_srgb8};
pub use draft::{Draft, render_draft};
pub use film::{Aovs, Film, FilmPart, PartError};
pub use image::LinearImage;
pub use image_map::ImageMap;
pub use instructions::InstructionSet;
pub use integrator::choose_integrator;
pub use mesh::{Mesh, MeshHit, Meshes, form_triangles};
pub use object_kind::ObjectKind;
pub use pick::Picked;
pub use render::{PassOutcome, PassStatistics, render_part, render_pass, settled_tiles};
pub use settings::{DirectLighting, Filter, Integrator, RenderSettings};
pub use texture::{ShapeTextures, SurfaceSpot, TextureValue};
pub use world::World;

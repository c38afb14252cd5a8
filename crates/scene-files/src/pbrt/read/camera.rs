//! Camera and film.

use glam::{DMat4, DVec3};
use serde_json::{Value, json};

use super::parameters::Parameters;
use crate::import::SceneBuilder;
use crate::mesh_transform::{camera, tidy};

/// The properties of the film that matter to a scene.
pub(super) struct Film {
    width: f64,
    height: f64,
    /// The factor of all emission.
    pub(super) exposure: f64,
}

impl Default for Film {
    fn default() -> Self {
        Self { width: 1280.0, height: 720.0, exposure: 1.0 }
    }
}

/// The camera of the file.
pub(super) struct PbrtCamera {
    pub(super) world_to_camera: DMat4,
    pub(super) parameters: Parameters,
    pub(super) is_perspective: bool,
}

impl Film {
    pub(super) fn of(parameters: &Parameters) -> Self {
        let number =
            |name: &str, default: f64| parameters.number(name).unwrap_or(default).max(1e-6);
        let exposure = number("exposuretime", 1.0) * number("iso", 100.0) / 100.0;
        Self {
            width: number("xresolution", 1280.0),
            height: number("yresolution", 720.0),
            exposure,
        }
    }
}

/// The matrix from the world of PBRT to that of the scene. It mirrors a left-handed world, and rotates a
/// world whose camera has z up.
pub(super) fn world_to_scene(world_to_camera: DMat4) -> DMat4 {
    let camera_to_world = world_to_camera.inverse();
    let up = camera_to_world.y_axis.truncate();
    let is_z_up = up.z.abs() > up.y.abs() && up.z.abs() > up.x.abs();
    let is_left_handed = camera_to_world.determinant() >= 0.0;
    let rotation = if is_z_up {
        DMat4::from_rotation_x(-std::f64::consts::FRAC_PI_2 * up.z.signum())
    } else {
        DMat4::IDENTITY
    };
    let mirror = if is_left_handed { DVec3::new(1.0, 1.0, -1.0) } else { DVec3::ONE };
    DMat4::from_scale(mirror) * rotation
}

impl PbrtCamera {
    /// The camera in the JSON of a scene.
    pub(super) fn to_json(
        &self,
        world_to_scene: DMat4,
        film: &Film,
        builder: &mut SceneBuilder,
    ) -> Value {
        let camera_to_scene = world_to_scene * self.world_to_camera.inverse();
        let [up, forward, eye] =
            [camera_to_scene.y_axis, camera_to_scene.z_axis, camera_to_scene.w_axis]
                .map(|axis| axis.truncate());
        if !self.is_perspective {
            builder.note("only perspective cameras are known here: this one stands as such");
        }
        // PBRT gives the field of view of the shorter side.
        let angle = self.parameters.number_or("fov", 90.0).clamp(0.1, 170.0).to_radians();
        let tallness = (film.height / film.width).max(1.0);
        let vertical = 2.0 * ((angle / 2.0).tan() * tallness).atan();
        if self.parameters.kind("screenwindow").is_some() {
            builder.note("the window of the camera's screen is left out");
        }
        let mut made = camera(
            eye,
            forward.normalize_or(DVec3::NEG_Z),
            up.normalize_or(DVec3::Y),
            vertical.to_degrees(),
            builder.bounds(),
        );
        let radius = self.parameters.number_or("lensradius", 0.0);
        if radius > 0.0 {
            made["aperture"] = json!(tidy(2.0 * radius));
            made["focus_distance"] =
                json!(self.parameters.number_or("focaldistance", 1e6).min(1e6));
        }
        builder.note(format!("the picture was {} x {} pixels", film.width, film.height));
        made
    }
}

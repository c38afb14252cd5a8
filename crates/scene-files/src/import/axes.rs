//! The unit and the up axis of a file.

use std::sync::Arc;

use scene::{Aabb, Emission, Environment, Light, LightSource, Motion, MotionError, Scene, Shape};

use crate::SceneFileError;

/// Which axis of a file is up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UpAxis {
    /// As in scenes and in glTF.
    #[default]
    Y,
    /// As in CAD and in many OBJ files.
    Z,
}

/// The unit and the up axis of a file, which may not say them, or say them wrongly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes {
    /// Metres of a unit, above 0.
    pub scale: f64,
    /// The axis that is up.
    pub up: UpAxis,
}

impl Axes {
    fn motion(self) -> Motion {
        let degrees = if self.up == UpAxis::Z { -90.0 } else { 0.0 };
        Motion::turn([degrees, 0.0, 0.0], [0.0; 3]).then(Motion::scale(self.scale, [0.0; 3]))
    }

    /// The scene in metres, with y up. Point lights are as bright where their light falls. Returns a note on
    /// what keeps its direction.
    pub fn apply(self, scene: Scene) -> Result<(Scene, Option<String>), SceneFileError> {
        if self.scale == 1.0 && self.up == UpAxis::Y {
            return Ok((scene, None));
        }
        let motion = self.motion();
        let shapes = scene.shapes.iter().map(|shape| {
            let geometry =
                shape.geometry.moved(&motion).map_err(|error| refused(&shape.id, error))?;
            Ok(Arc::new(Shape { geometry, ..(**shape).clone() }))
        });
        let shapes = shapes.collect::<Result<_, SceneFileError>>()?;
        let lights = scene.lights.iter().map(|source| {
            let moved = source.light.moved(&motion).map_err(|error| refused(&source.id, error))?;
            let light = self
                .as_bright(moved)
                .ok_or_else(|| refused(&source.id, MotionError::OutOfRange))?;
            Ok(Arc::new(LightSource { light, ..(**source).clone() }))
        });
        let lights = lights.collect::<Result<_, SceneFileError>>()?;
        let camera = scene.camera.moved(&motion).map_err(|error| refused("camera", error))?;
        let turns_sky =
            self.up == UpAxis::Z && matches!(scene.environment, Environment::ImageEnvironment(_));
        let note =
            turns_sky.then(|| "the picture of the environment keeps its direction".to_owned());
        Ok((Scene { shapes, lights, camera, ..scene }, note))
    }

    /// The bounding box in metres, with y up.
    pub fn apply_to(self, bounds: Aabb) -> Aabb {
        let ([x0, y0, z0], [x1, y1, z1]) = (bounds.min, bounds.max);
        let (min, max) = match self.up {
            UpAxis::Y => ([x0, y0, z0], [x1, y1, z1]),
            UpAxis::Z => ([x0, z0, -y1], [x1, z1, -y0]),
        };
        let scaled = |corner: [f64; 3]| corner.map(|one| one * self.scale);
        Aabb { min: scaled(min), max: scaled(max) }
    }

    /// The intensity of a point light falls with the square of the distance.
    fn as_bright(self, light: Light) -> Option<Light> {
        let Light::PointSpotLight(mut light) = light else { return Some(light) };
        light.emission =
            Emission::new(light.emission.get().map(|one| one * self.scale * self.scale))?;
        Some(Light::PointSpotLight(light))
    }
}

fn refused(id: impl std::fmt::Display, error: MotionError) -> SceneFileError {
    SceneFileError::Unsupported(format!("'{id}' cannot have this unit: {error}"))
}

//! Directives that change the graphics state: transforms, attributes and `WorldBegin`.

use glam::{DMat4, DVec3};

use super::Reader;
use super::camera::world_to_scene;
use super::lexer::Lexer;
use super::state::GraphicsState;
use crate::SceneFileError;

/// Nesting of attributes.
const MAX_STATES: usize = 1 << 12;

impl Reader<'_> {
    /// A directive that changes the current matrix.
    pub(super) fn transform(
        &mut self,
        directive: &str,
        lexer: &mut Lexer<'_>,
    ) -> Result<(), SceneFileError> {
        let state = &mut self.state;
        match directive {
            "Identity" => state.matrix = DMat4::IDENTITY,
            "Translate" => {
                state.matrix *= DMat4::from_translation(DVec3::from_array(lexer.numbers()?));
            }
            "Scale" => state.matrix *= DMat4::from_scale(DVec3::from_array(lexer.numbers()?)),
            "Rotate" => state.rotate(lexer.numbers()?),
            "LookAt" => {
                let valid = state.look_at(lexer.numbers()?);
                valid.ok_or_else(|| lexer.error("LookAt gives no direction"))?;
            }
            // Matrices are in column-major order.
            "Transform" => state.matrix = DMat4::from_cols_array(&lexer.numbers()?),
            "ConcatTransform" => state.matrix *= DMat4::from_cols_array(&lexer.numbers()?),
            "CoordinateSystem" => {
                self.named.spaces.insert(lexer.text()?.to_owned(), state.matrix);
            }
            _ => {
                let name = lexer.text()?;
                match self.named.spaces.get(name) {
                    Some(matrix) => state.matrix = *matrix,
                    None => {
                        self.builder.note("a coordinate system that was never named is left out")
                    }
                }
            }
        }
        Ok(())
    }

    /// `AttributeBegin` and its like.
    pub(super) fn begin(
        &mut self,
        directive: &str,
        lexer: &mut Lexer<'_>,
    ) -> Result<(), SceneFileError> {
        if self.stack.len() >= MAX_STATES {
            return Err(lexer.error(format!("more than {MAX_STATES} attributes inside each other")));
        }
        self.stack.push(self.state.clone());
        if directive == "ObjectBegin" {
            self.object = Some((lexer.text()?.to_owned(), Vec::new()));
        }
        Ok(())
    }

    /// `AttributeEnd` and its like.
    pub(super) fn end(&mut self, directive: &str, lexer: &Lexer<'_>) -> Result<(), SceneFileError> {
        let before = self.stack.pop();
        let before =
            before.ok_or_else(|| lexer.error(format!("{directive} without its beginning")))?;
        if directive == "TransformEnd" {
            self.state.matrix = before.matrix;
        } else {
            self.state = before;
        }
        if directive == "ObjectEnd"
            && let Some((name, shapes)) = self.object.take()
        {
            self.named.objects.insert(name, shapes);
        }
        Ok(())
    }

    /// `WorldBegin`: the camera is known, from which the handedness and the up axis of the world follow.
    pub(super) fn begin_world(&mut self) {
        let camera = self.camera.as_ref();
        let camera = camera.map_or(self.state.matrix, |camera| camera.world_to_camera);
        self.world_to_scene = Some(world_to_scene(camera));
        self.named.spaces.insert("camera".to_owned(), camera.inverse());
        self.state = GraphicsState::new();
        self.named.spaces.insert("world".to_owned(), DMat4::IDENTITY);
    }
}

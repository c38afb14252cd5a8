//! Reader: the directives of a PBRT file as a scene.

mod attributes;
mod camera;
mod lexer;
mod light;
mod material;
mod parameters;
mod shape;
mod spectrum;
mod state;
mod texture;

use std::collections::HashMap;
use std::rc::Rc;

use glam::DMat4;
use mesh_files::{Limits, MAX_FILE_BYTES, MeshFileError};
use serde_json::{Value, json};

use crate::SceneFileError;
use crate::cancel::{Cancelled, check_cancelled};
use crate::import::{FileSource, Imported, SceneBuilder};
use camera::{Film, PbrtCamera, world_to_scene};
use lexer::{Lexer, Token};
use light::LightSource;
use parameters::Parameters;
use spectrum::{colour, read_spectra};
use state::{Emission, GraphicsState, Named, ObjectShape};

/// Nesting of included files; more is a loop.
const MAX_INCLUDES: usize = 16;

pub(crate) fn read(
    bytes: &[u8],
    limits: &Limits,
    files: FileSource<'_>,
    cancelled: Cancelled<'_>,
) -> Result<Imported, SceneFileError> {
    let mut reader = Reader {
        files,
        cancelled,
        object_meshes: HashMap::new(),
        shapes: 0,
        left: *limits,
        bytes_left: MAX_FILE_BYTES,
        builder: SceneBuilder::default(),
        state: GraphicsState::new(),
        stack: Vec::new(),
        named: Named::default(),
        object: None,
        lights: Vec::new(),
        film: Film::default(),
        camera: None,
        world_to_scene: None,
    };
    reader.read_file(bytes, 0)?;
    reader.finish()
}

impl ObjectShape {
    fn shape(&self, matrix: DMat4, film: &Film) -> shape::Shape<'_> {
        shape::Shape {
            kind: &self.kind,
            parameters: &self.parameters,
            state: &self.state,
            matrix,
            exposure: film.exposure,
        }
    }
}

struct Reader<'a> {
    files: FileSource<'a>,
    cancelled: Cancelled<'a>,
    /// The meshes that instances of objects share, by the number of the shape. `None` is a shape without
    /// a mesh.
    object_meshes: HashMap<usize, Option<shape::ObjectMesh>>,
    /// The number of shapes so far.
    shapes: usize,
    /// The remaining limits.
    left: Limits,
    bytes_left: u64,
    builder: SceneBuilder,
    state: GraphicsState,
    stack: Vec<GraphicsState>,
    named: Named,
    /// The name and shapes of the object between `ObjectBegin` and `ObjectEnd`.
    object: Option<(String, Vec<Rc<ObjectShape>>)>,
    lights: Vec<LightSource>,
    film: Film,
    camera: Option<PbrtCamera>,
    /// Known from `WorldBegin` on.
    world_to_scene: Option<DMat4>,
}

impl Reader<'_> {
    fn read_file(&mut self, bytes: &[u8], depth: usize) -> Result<(), SceneFileError> {
        self.bytes_left = self
            .bytes_left
            .checked_sub(bytes.len() as u64)
            .ok_or(MeshFileError::TooLarge(MAX_FILE_BYTES + 1))?;
        let text = std::str::from_utf8(bytes).map_err(|_| {
            SceneFileError::Unsupported(
                "the file is not text; a packed one must be unpacked".into(),
            )
        })?;
        let mut lexer = Lexer::new(text, self.cancelled);
        while let Some(token) = lexer.next()? {
            let Token::Word(directive) = token else {
                return Err(lexer.expected("a directive, as in Shape", Some(&token)));
            };
            self.directive(directive, &mut lexer, depth)?;
        }
        Ok(())
    }

    fn directive(
        &mut self,
        directive: &str,
        lexer: &mut Lexer<'_>,
        depth: usize,
    ) -> Result<(), SceneFileError> {
        match directive {
            "Identity" | "Translate" | "Scale" | "Rotate" | "LookAt" | "Transform"
            | "ConcatTransform" | "CoordinateSystem" | "CoordSysTransform" => {
                self.transform(directive, lexer)
            }
            "AttributeBegin" | "TransformBegin" | "ObjectBegin" => self.begin(directive, lexer),
            "AttributeEnd" | "TransformEnd" | "ObjectEnd" => self.end(directive, lexer),
            "ReverseOrientation" => {
                self.state.reversed = !self.state.reversed;
                Ok(())
            }
            "WorldBegin" => {
                self.begin_world();
                Ok(())
            }
            "Include" | "Import" => self.include(lexer, depth),
            "ObjectInstance" => {
                let name = lexer.text()?;
                self.add_instance(name, lexer)
            }
            "NamedMaterial" => {
                let name = lexer.text()?;
                match self.named.materials.get(name) {
                    Some(known) => self.state.material = Rc::clone(known),
                    None => self.builder.note(format!(
                        "material '{}' is named and not described: grey",
                        name.chars().take(60).collect::<String>()
                    )),
                }
                Ok(())
            }
            "MediumInterface" => {
                self.builder.note("media are left out");
                lexer.text()?;
                if let Some(Token::Text(_)) = lexer.peek()? {
                    lexer.text()?;
                }
                Ok(())
            }
            "ColorSpace" | "ActiveTransform" => {
                self.builder.note(format!("{directive} is left out"));
                lexer.next()?;
                Ok(())
            }
            "TransformTimes" => lexer.numbers::<2>().map(drop),
            "Option" => Parameters::read(lexer).map(drop),
            _ => self.directive_with_parameters(directive, lexer),
        }
    }

    /// A directive with a name and parameters.
    fn directive_with_parameters(
        &mut self,
        directive: &str,
        lexer: &mut Lexer<'_>,
    ) -> Result<(), SceneFileError> {
        const KNOWN: [&str; 14] = [
            "Camera",
            "Film",
            "Sampler",
            "Integrator",
            "PixelFilter",
            "Accelerator",
            "Attribute",
            "Material",
            "MakeNamedMaterial",
            "MakeNamedMedium",
            "Texture",
            "LightSource",
            "AreaLightSource",
            "Shape",
        ];
        if !KNOWN.contains(&directive) {
            let directive: String = directive.chars().take(40).collect();
            return Err(lexer.error(format!("'{directive}' is no directive of PBRT 4")));
        }
        let name = lexer.text()?.to_owned();
        if directive == "Texture" {
            let _type = lexer.text()?;
            let kind = lexer.text()?.to_owned();
            let parameters = Parameters::read(lexer)?;
            let (named, builder) = (&mut self.named, &mut self.builder);
            let texture = if kind == "imagemap" {
                texture::read_image_map(&parameters, named, self.files, builder)
            } else {
                material::read_texture(&kind, &parameters, named, builder)
            };
            named.textures.insert(name, texture);
            return Ok(());
        }
        let mut parameters = Parameters::read(lexer)?;
        read_spectra(&mut parameters, self.files, &mut self.builder);
        match directive {
            "Camera" => {
                self.camera = Some(PbrtCamera {
                    world_to_camera: self.state.matrix,
                    is_perspective: name == "perspective" || name == "realistic",
                    parameters,
                })
            }
            "Film" => self.film = Film::of(&parameters),
            "Material" => {
                let made = self.material(&name, &parameters);
                self.state.material = Rc::new(unless_interface(&name, made));
            }
            "MakeNamedMaterial" => {
                let kind = parameters.text("type").unwrap_or("diffuse").to_owned();
                let made = self.material(&kind, &parameters);
                self.named.materials.insert(name, Rc::new(unless_interface(&kind, made)));
            }
            "LightSource" => {
                let matrix = self.world_to_scene() * self.state.matrix;
                self.lights.push(LightSource { kind: name, parameters, matrix });
            }
            "AreaLightSource" => {
                if parameters.text("filename").is_some() {
                    self.builder.note("images of light are left out: such surfaces shine evenly");
                }
                let scale = parameters.number_or("scale", 1.0);
                let radiance = colour(&parameters, "L").unwrap_or([1.0; 3]);
                self.state.emission = Some(Emission {
                    radiance: radiance.map(|part| part * scale),
                    both_sides: parameters.flag("twosided", false),
                    power: parameters.number("power"),
                });
            }
            "Shape" => self.shape(name, parameters)?,
            "MakeNamedMedium" => self.builder.note("media are left out"),
            "Attribute" => self.builder.note("Attribute is left out"),
            // Settings of the renderer are not part of the scene.
            _ => {}
        }
        Ok(())
    }

    fn material(&mut self, kind: &str, parameters: &Parameters) -> Value {
        let mut made = material::read(kind, parameters, &self.named, &mut self.builder);
        let (named, builder) = (&mut self.named, &mut self.builder);
        if let Some(normals) = texture::read_normal_map(parameters, named, self.files, builder)
            && made.is_object()
        {
            made["normal_map"] = normals;
        }
        made
    }

    fn world_to_scene(&self) -> DMat4 {
        self.world_to_scene.unwrap_or_else(|| world_to_scene(DMat4::IDENTITY))
    }

    fn include(&mut self, lexer: &mut Lexer<'_>, depth: usize) -> Result<(), SceneFileError> {
        let name = lexer.text()?;
        if depth == MAX_INCLUDES {
            return Err(
                lexer.error(format!("more than {MAX_INCLUDES} files inside each other: a loop?"))
            );
        }
        if name.to_ascii_lowercase().ends_with(".gz") {
            return Err(
                lexer.error(format!("'{name}' is packed: unpack it with gunzip, and name it so"))
            );
        }
        let bytes =
            (self.files)(name).map_err(|error| lexer.error(format!("'{name}': {error}")))?;
        self.read_file(&bytes, depth + 1)
            .map_err(|error| SceneFileError::Unsupported(format!("in '{name}': {error}")))
    }

    fn shape(&mut self, kind: String, parameters: Parameters) -> Result<(), SceneFileError> {
        if parameters.kind("alpha").is_some() {
            self.builder.note("the holes of a shape (alpha) are left out");
        }
        self.shapes += 1;
        let shape =
            ObjectShape { number: self.shapes, state: self.state.clone(), kind, parameters };
        match &mut self.object {
            Some((_, shapes)) => {
                shapes.push(Rc::new(shape));
                Ok(())
            }
            None => self.add_shape(&shape),
        }
    }

    /// `ObjectInstance`: adds an instance of an object with the current matrix.
    fn add_instance(&mut self, name: &str, lexer: &Lexer<'_>) -> Result<(), SceneFileError> {
        let Some(shapes) = self.named.objects.get(name).cloned() else {
            return Err(lexer.error(format!("the object '{name}' was not described before")));
        };
        let (world_to_scene, instance) = (self.world_to_scene(), self.state.matrix);
        for stored in &shapes {
            check_cancelled(self.cancelled)?;
            let shape = stored.shape(world_to_scene * instance * stored.state.matrix, &self.film);
            let instance = shape::ObjectInstance {
                definition: world_to_scene * stored.state.matrix,
                instance: world_to_scene * instance * world_to_scene.inverse(),
                mesh: self.object_meshes.entry(stored.number),
            };
            shape::add_instance(&shape, instance, &mut self.left, self.files, &mut self.builder)?;
        }
        Ok(())
    }

    fn add_shape(&mut self, stored: &ObjectShape) -> Result<(), SceneFileError> {
        let shape = stored.shape(self.world_to_scene() * stored.state.matrix, &self.film);
        shape::add(&shape, &mut self.left, self.files, &mut self.builder)
    }

    fn finish(mut self) -> Result<Imported, SceneFileError> {
        // The environment is dark without an infinite light.
        self.builder.set_environment(json!({ "type": "none" }));
        for light in &self.lights {
            light::add(light, self.film.exposure, &mut self.builder)?;
        }
        if let Some(camera) = &self.camera {
            let camera = camera.to_json(self.world_to_scene(), &self.film, &mut self.builder);
            self.builder.set_camera(camera);
        }
        self.builder.finish()
    }
}

/// The material, or null for an interface between media, which is invisible.
fn unless_interface(kind: &str, made: Value) -> Value {
    if matches!(kind, "interface" | "") { Value::Null } else { made }
}

//! The directives of a file, one after another.

use std::collections::HashMap;
use std::rc::Rc;

use glam::{DMat4, DVec3};
use mesh_files::{FileFault, LARGEST_FILE, Limits};
use serde_json::{Value, json};

use super::lexer::{Lexer, Token};
use super::light::{self, Lamp};
use super::parameters::Parameters;
use super::spectrum::colour;
use super::spectrum::fetch_curves;
use super::state::{Emission, Names, State, Stored};
use super::{imagemap, material, shape};
use crate::draft::{Draft, Imported};
use crate::placement::{camera, tidy};
use crate::work::go_on;
use crate::{Beside, Cancelled, SceneFileFault};

/// Files that include files: more is a loop.
const DEEPEST: usize = 16;
/// Nested attributes.
const MOST_STATES: usize = 1 << 12;

pub(crate) fn read(
    bytes: &[u8],
    limits: &Limits,
    beside: Beside<'_>,
    cancelled: Cancelled<'_>,
) -> Result<Imported, SceneFileFault> {
    let mut reader = Reader {
        beside,
        cancelled,
        kept: HashMap::new(),
        shapes: 0,
        left: *limits,
        bytes_left: LARGEST_FILE,
        draft: Draft::default(),
        state: State::new(),
        stack: Vec::new(),
        names: Names::default(),
        object: None,
        lamps: Vec::new(),
        film: Film::default(),
        view: None,
        to_ours: None,
    };
    reader.take_file(bytes, 0)?;
    reader.finish()
}

impl Stored {
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

/// What the film says of the picture.
struct Film {
    width: f64,
    height: f64,
    /// The factor of all light.
    exposure: f64,
}

impl Default for Film {
    fn default() -> Self {
        Self { width: 1280.0, height: 720.0, exposure: 1.0 }
    }
}

/// The camera, and the world as it sees it.
struct View {
    world_to_camera: DMat4,
    parameters: Parameters,
    perspective: bool,
}

struct Reader<'a> {
    beside: Beside<'a>,
    cancelled: Cancelled<'a>,
    /// The meshes of objects that were shown, by the numbers of their shapes; `None` for what has none.
    kept: HashMap<usize, Option<shape::Kept>>,
    /// How many shapes there were.
    shapes: usize,
    left: Limits,
    bytes_left: u64,
    draft: Draft,
    state: State,
    stack: Vec<State>,
    names: Names,
    /// The object that is being described, with its shapes.
    object: Option<(String, Vec<Rc<Stored>>)>,
    lamps: Vec<Lamp>,
    film: Film,
    view: Option<View>,
    /// From PBRT's world to ours; known once the world begins.
    to_ours: Option<DMat4>,
}

impl Reader<'_> {
    fn take_file(&mut self, bytes: &[u8], depth: usize) -> Result<(), SceneFileFault> {
        self.bytes_left = self
            .bytes_left
            .checked_sub(bytes.len() as u64)
            .ok_or(FileFault::TooLarge(LARGEST_FILE + 1))?;
        let text = std::str::from_utf8(bytes).map_err(|_| {
            SceneFileFault::Unsupported(
                "the file is not text; a packed one must be unpacked".into(),
            )
        })?;
        let mut lexer = Lexer::new(text, self.cancelled);
        while let Some(token) = lexer.next()? {
            let Token::Word(directive) = token else {
                return Err(lexer.expected("a directive, as in Shape", Some(&token)));
            };
            self.take(directive, &mut lexer, depth)?;
        }
        Ok(())
    }

    fn take(
        &mut self,
        directive: &str,
        lexer: &mut Lexer<'_>,
        depth: usize,
    ) -> Result<(), SceneFileFault> {
        match directive {
            "Identity" | "Translate" | "Scale" | "Rotate" | "LookAt" | "Transform"
            | "ConcatTransform" | "CoordinateSystem" | "CoordSysTransform" => {
                self.take_transform(directive, lexer)
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
                self.show(name, lexer)
            }
            "NamedMaterial" => {
                let name = lexer.text()?;
                match self.names.materials.get(name) {
                    Some(known) => self.state.material = Rc::clone(known),
                    None => self.draft.note(format!(
                        "material '{}' is named and not described: grey",
                        name.chars().take(60).collect::<String>()
                    )),
                }
                Ok(())
            }
            "MediumInterface" => {
                self.draft.note("media are left out");
                lexer.text()?;
                if let Some(Token::Text(_)) = lexer.peek()? {
                    lexer.text()?;
                }
                Ok(())
            }
            "ColorSpace" | "ActiveTransform" => {
                self.draft.note(format!("{directive} is left out"));
                lexer.next()?;
                Ok(())
            }
            "TransformTimes" => lexer.numbers::<2>().map(drop),
            "Option" => Parameters::read(lexer).map(drop),
            _ => self.take_listed(directive, lexer),
        }
    }

    /// A directive with a name and parameters.
    fn take_listed(
        &mut self,
        directive: &str,
        lexer: &mut Lexer<'_>,
    ) -> Result<(), SceneFileFault> {
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
            return Err(lexer.fault(format!("'{directive}' is no directive of PBRT 4")));
        }
        let name = lexer.text()?.to_owned();
        if directive == "Texture" {
            let _type = lexer.text()?;
            let kind = lexer.text()?.to_owned();
            let parameters = Parameters::read(lexer)?;
            let (names, draft) = (&mut self.names, &mut self.draft);
            let texture = if kind == "imagemap" {
                imagemap::read(&parameters, names, self.beside, draft)
            } else {
                material::texture(&kind, &parameters, names, draft)
            };
            names.textures.insert(name, texture);
            return Ok(());
        }
        let mut parameters = Parameters::read(lexer)?;
        fetch_curves(&mut parameters, self.beside, &mut self.draft);
        match directive {
            "Camera" => {
                self.view = Some(View {
                    world_to_camera: self.state.matrix,
                    perspective: name == "perspective" || name == "realistic",
                    parameters,
                })
            }
            "Film" => self.film = film(&parameters),
            "Material" => {
                let made = self.material(&name, &parameters);
                self.state.material = Rc::new(hidden_or(&name, made));
            }
            "MakeNamedMaterial" => {
                let kind = parameters.text("type").unwrap_or("diffuse").to_owned();
                let made = self.material(&kind, &parameters);
                self.names.materials.insert(name, Rc::new(hidden_or(&kind, made)));
            }
            "LightSource" => {
                let matrix = self.to_ours() * self.state.matrix;
                self.lamps.push(Lamp { kind: name, parameters, matrix });
            }
            "AreaLightSource" => {
                if parameters.text("filename").is_some() {
                    self.draft.note("images of light are left out: such surfaces shine evenly");
                }
                let scale = parameters.number_or("scale", 1.0);
                let radiance = colour(&parameters, "L").unwrap_or([1.0; 3]);
                self.state.emission = Some(Emission {
                    radiance: radiance.map(|part| part * scale),
                    both_sides: parameters.flag("twosided", false),
                    power: parameters.number("power"),
                });
            }
            "Shape" => self.take_shape(name, parameters)?,
            "MakeNamedMedium" => self.draft.note("media are left out"),
            "Attribute" => self.draft.note("Attribute is left out"),
            // How PBRT renders is not what the scene is.
            _ => {}
        }
        Ok(())
    }

    fn material(&mut self, kind: &str, parameters: &Parameters) -> Value {
        let mut made = material::read(kind, parameters, &self.names, &mut self.draft);
        let (names, draft) = (&mut self.names, &mut self.draft);
        if let Some(normals) = imagemap::normals(parameters, names, self.beside, draft)
            && made.is_object()
        {
            made["normal_map"] = normals;
        }
        made
    }

    fn take_transform(
        &mut self,
        directive: &str,
        lexer: &mut Lexer<'_>,
    ) -> Result<(), SceneFileFault> {
        let state = &mut self.state;
        match directive {
            "Identity" => state.matrix = DMat4::IDENTITY,
            "Translate" => {
                state.matrix *= DMat4::from_translation(DVec3::from_array(lexer.numbers()?));
            }
            "Scale" => state.matrix *= DMat4::from_scale(DVec3::from_array(lexer.numbers()?)),
            "Rotate" => state.rotate(lexer.numbers()?),
            "LookAt" => {
                let looked = state.look_at(lexer.numbers()?);
                looked.ok_or_else(|| lexer.fault("LookAt gives no direction"))?;
            }
            // Both are written column by column.
            "Transform" => state.matrix = DMat4::from_cols_array(&lexer.numbers()?),
            "ConcatTransform" => state.matrix *= DMat4::from_cols_array(&lexer.numbers()?),
            "CoordinateSystem" => {
                self.names.spaces.insert(lexer.text()?.to_owned(), state.matrix);
            }
            _ => {
                let name = lexer.text()?;
                match self.names.spaces.get(name) {
                    Some(matrix) => state.matrix = *matrix,
                    None => self.draft.note("a coordinate system that was never named is left out"),
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, directive: &str, lexer: &mut Lexer<'_>) -> Result<(), SceneFileFault> {
        if self.stack.len() >= MOST_STATES {
            return Err(
                lexer.fault(format!("more than {MOST_STATES} attributes inside each other"))
            );
        }
        self.stack.push(self.state.clone());
        if directive == "ObjectBegin" {
            self.object = Some((lexer.text()?.to_owned(), Vec::new()));
        }
        Ok(())
    }

    fn end(&mut self, directive: &str, lexer: &Lexer<'_>) -> Result<(), SceneFileFault> {
        let before = self.stack.pop();
        let before =
            before.ok_or_else(|| lexer.fault(format!("{directive} without its beginning")))?;
        if directive == "TransformEnd" {
            self.state.matrix = before.matrix;
        } else {
            self.state = before;
        }
        if directive == "ObjectEnd"
            && let Some((name, shapes)) = self.object.take()
        {
            self.names.objects.insert(name, shapes);
        }
        Ok(())
    }

    /// The camera is known: now it shows which hand the world has, and what is up in it.
    fn begin_world(&mut self) {
        let camera = self.view.as_ref().map_or(self.state.matrix, |view| view.world_to_camera);
        self.to_ours = Some(to_ours(camera));
        self.names.spaces.insert("camera".to_owned(), camera.inverse());
        self.state = State::new();
        self.names.spaces.insert("world".to_owned(), DMat4::IDENTITY);
    }

    fn to_ours(&self) -> DMat4 {
        self.to_ours.unwrap_or_else(|| to_ours(DMat4::IDENTITY))
    }

    fn include(&mut self, lexer: &mut Lexer<'_>, depth: usize) -> Result<(), SceneFileFault> {
        let name = lexer.text()?;
        if depth == DEEPEST {
            return Err(
                lexer.fault(format!("more than {DEEPEST} files inside each other: a loop?"))
            );
        }
        if name.to_ascii_lowercase().ends_with(".gz") {
            return Err(
                lexer.fault(format!("'{name}' is packed: unpack it with gunzip, and name it so"))
            );
        }
        let bytes =
            (self.beside)(name).map_err(|fault| lexer.fault(format!("'{name}': {fault}")))?;
        self.take_file(&bytes, depth + 1)
            .map_err(|fault| SceneFileFault::Unsupported(format!("in '{name}': {fault}")))
    }

    fn take_shape(&mut self, kind: String, parameters: Parameters) -> Result<(), SceneFileFault> {
        if parameters.kind("alpha").is_some() {
            self.draft.note("the holes of a shape (alpha) are left out");
        }
        self.shapes += 1;
        let stored = Stored { number: self.shapes, state: self.state.clone(), kind, parameters };
        match &mut self.object {
            Some((_, shapes)) => {
                shapes.push(Rc::new(stored));
                Ok(())
            }
            None => self.add_shape(&stored),
        }
    }

    /// Shows a described object at the current place.
    fn show(&mut self, name: &str, lexer: &Lexer<'_>) -> Result<(), SceneFileFault> {
        let Some(shapes) = self.names.objects.get(name).cloned() else {
            return Err(lexer.fault(format!("the object '{name}' was not described before")));
        };
        let (to_ours, place) = (self.to_ours(), self.state.matrix);
        for stored in &shapes {
            go_on(self.cancelled)?;
            let shape = stored.shape(to_ours * place * stored.state.matrix, &self.film);
            // Where it would be if the object stood where it was described, and from there to here.
            let instance = shape::Instance {
                described: to_ours * stored.state.matrix,
                placed: to_ours * place * to_ours.inverse(),
                kept: self.kept.entry(stored.number),
            };
            shape::show(&shape, instance, &mut self.left, self.beside, &mut self.draft)?;
        }
        Ok(())
    }

    fn add_shape(&mut self, stored: &Stored) -> Result<(), SceneFileFault> {
        let shape = stored.shape(self.to_ours() * stored.state.matrix, &self.film);
        shape::add(&shape, &mut self.left, self.beside, &mut self.draft)
    }

    fn finish(mut self) -> Result<Imported, SceneFileFault> {
        // Without a light that is said to be all around, it is dark there.
        self.draft.surround(json!({ "type": "none" }));
        for lamp in &self.lamps {
            light::add(lamp, self.film.exposure, &mut self.draft)?;
        }
        if let Some(view) = &self.view {
            let to_ours = self.to_ours();
            let made = view.camera(to_ours, &self.film, &mut self.draft);
            self.draft.look(made);
        }
        self.draft.finish()
    }
}

/// Surfaces between media are not seen.
fn hidden_or(kind: &str, made: Value) -> Value {
    if matches!(kind, "interface" | "") { Value::Null } else { made }
}

fn film(parameters: &Parameters) -> Film {
    let number = |name: &str, default: f64| parameters.number(name).unwrap_or(default).max(1e-6);
    let exposure = number("exposuretime", 1.0) * number("iso", 100.0) / 100.0;
    Film { width: number("xresolution", 1280.0), height: number("yresolution", 720.0), exposure }
}

/// From PBRT's world to ours: mirrored where its hand is the left one, and turned so that what is
/// more or less up for the camera is y.
fn to_ours(world_to_camera: DMat4) -> DMat4 {
    let camera_to_world = world_to_camera.inverse();
    let up = camera_to_world.y_axis.truncate();
    let upright = up.z.abs() > up.y.abs() && up.z.abs() > up.x.abs();
    let left_handed = camera_to_world.determinant() >= 0.0;
    let turn = if upright {
        DMat4::from_rotation_x(-std::f64::consts::FRAC_PI_2 * up.z.signum())
    } else {
        DMat4::IDENTITY
    };
    let mirror = if left_handed { DVec3::new(1.0, 1.0, -1.0) } else { DVec3::ONE };
    DMat4::from_scale(mirror) * turn
}

impl View {
    fn camera(&self, to_ours: DMat4, film: &Film, draft: &mut Draft) -> Value {
        let camera_to_ours = to_ours * self.world_to_camera.inverse();
        let [up, forward, eye] =
            [camera_to_ours.y_axis, camera_to_ours.z_axis, camera_to_ours.w_axis]
                .map(|axis| axis.truncate());
        if !self.perspective {
            draft.note("only perspective cameras are known here: this one stands as such");
        }
        // The angle is that of the shorter side.
        let angle = self.parameters.number_or("fov", 90.0).clamp(0.1, 170.0).to_radians();
        let tallness = (film.height / film.width).max(1.0);
        let vertical = 2.0 * ((angle / 2.0).tan() * tallness).atan();
        if self.parameters.kind("screenwindow").is_some() {
            draft.note("the window of the camera's screen is left out");
        }
        let mut made = camera(
            eye,
            forward.normalize_or(DVec3::NEG_Z),
            up.normalize_or(DVec3::Y),
            vertical.to_degrees(),
            draft.bounds(),
        );
        let radius = self.parameters.number_or("lensradius", 0.0);
        if radius > 0.0 {
            made["aperture"] = json!(tidy(2.0 * radius));
            made["focus_distance"] =
                json!(self.parameters.number_or("focaldistance", 1e6).min(1e6));
        }
        draft.note(format!("the picture was {} x {} pixels", film.width, film.height));
        made
    }
}

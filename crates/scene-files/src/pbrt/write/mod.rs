//! Writer: a scene as PBRT text. Spheres, discs and cylinders are quadrics, all else is triangles.

mod material;
mod shape;
mod texture;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use glam::DVec3;
use mesh_files::write_ply;
use scene::{Environment, Light, Projection, Scene};

use crate::SceneFileError;
use crate::export::{
    Bounds, Content, Exported, InstanceTextures, Instances, Sources, TextWriter, TextureExporter,
    mean_radiance,
};
use material::material;
pub(crate) use shape::is_exact;
use shape::{exact, inline_mesh, transform};
use texture::DefinedTextures;

/// Triangles of a mesh in the text; larger ones become PLY files.
const MAX_INLINE: usize = 200;

pub(crate) fn write(
    scene: &Scene,
    name: &str,
    sources: &mut Sources<'_>,
    bounds: &Bounds,
) -> Result<Exported, SceneFileError> {
    let mut instances = Instances::of(scene);
    let mut exported = Exported::default();
    exported.note_losses(scene);
    if instances.list.iter().any(|instance| instance.is_hidden) {
        exported.note("a light that the camera does not see is invisible in mirrors, too");
    }
    let mut textures = TextureExporter::new(scene, &instances);
    textures.note_losses(&mut exported);
    let mut writer = Writer::new(name);
    writer.text.chunk = String::from("# A scene of scene-llm, in metres, y up.\n");
    camera(&mut writer.text.chunk, scene, name);
    writer.text.chunk += "\nWorldBegin\n\n";
    environment(&mut writer.text.chunk, scene, &mut exported);
    lights(&mut writer.text.chunk, scene, &mut exported);
    for at in 0..instances.list.len() {
        let own = textures.export(at, &mut instances, sources, bounds, &mut exported)?;
        sources.check_cancelled()?;
        let defined = writer.define_textures(own.as_ref(), &textures, &mut exported);
        let instance = &instances.list[at];
        let material = material(instance, &defined, &mut exported);
        // Quadrics have UV coordinates of their own in PBRT, so textured shapes become meshes.
        let shape = scene.shapes.get(at).filter(|_| !textures.is_textured(at));
        if let Some(exact) = shape.and_then(|shape| exact(&shape.geometry)) {
            writer.attribute(&instance.id, &format!("{material}{exact}"));
        } else {
            let geometry = own.as_ref().map_or(instance.geometry, |own| own.geometry);
            writer.mesh_instance(at, geometry, material, &mut instances, sources)?;
        }
        writer.text.flush_full();
    }
    exported.files.push((format!("{name}.pbrt"), writer.text.finish()));
    exported.files.extend(writer.files);
    exported.files.extend(textures.into_files(name));
    Ok(exported)
}

/// The files, as they are written.
struct Writer<'a> {
    name: &'a str,
    text: TextWriter,
    /// Meshes in files of their own.
    files: Vec<(String, Content)>,
    /// The numbers of textures that are defined.
    defined: HashSet<usize>,
    /// The `Shape` directive of each geometry.
    shapes: HashMap<usize, String>,
    /// The numbers of objects, by geometry and material.
    objects: HashMap<(usize, String), usize>,
}

impl<'a> Writer<'a> {
    fn new(name: &'a str) -> Self {
        Self {
            name,
            text: TextWriter::default(),
            files: Vec::new(),
            defined: HashSet::new(),
            shapes: HashMap::new(),
            objects: HashMap::new(),
        }
    }

    /// Writes the textures of an instance, once: PBRT refuses a second texture of the same name.
    fn define_textures(
        &mut self,
        own: Option<&InstanceTextures>,
        textures: &TextureExporter<'_>,
        exported: &mut Exported,
    ) -> DefinedTextures {
        let path = |image| textures.path(image, self.name);
        let mut text = String::new();
        let defined = DefinedTextures::define(&mut text, own, &path, exported);
        if own.is_some_and(|own| self.defined.insert(own.number)) {
            self.text.chunk += &text;
        }
        defined
    }

    /// Writes directives with an attribute state of their own. Writing to a string cannot fail.
    fn attribute(&mut self, id: &str, directives: &str) {
        let id = id.replace(char::is_control, " ");
        let _ = writeln!(self.text.chunk, "AttributeBegin # {id}\n{directives}AttributeEnd\n");
    }

    /// Writes an instance of a mesh: of an object, if several instances may share it.
    fn mesh_instance(
        &mut self,
        at: usize,
        geometry: usize,
        material: String,
        instances: &mut Instances,
        sources: &mut Sources<'_>,
    ) -> Result<(), SceneFileError> {
        let id = instances.list[at].id.clone();
        let matrix = transform(instances.list[at].matrix);
        let key = (geometry, material);
        let object = match self.objects.get(&key) {
            Some(known) => *known,
            None => {
                let shape = self.mesh(geometry, instances, sources)?;
                let material = &key.1;
                // PBRT does not allow area lights in objects.
                let is_light = material.contains("AreaLightSource");
                if is_light || !instances.is_shared(geometry) {
                    let shape = match instances.list[at].is_hidden {
                        true => invisible(&shape),
                        false => shape,
                    };
                    self.attribute(&id, &format!("{material}{matrix}{shape}"));
                    return Ok(());
                }
                let number = self.objects.len() + 1;
                let text = &mut self.text.chunk;
                let _ = writeln!(text, "ObjectBegin \"{number}\"\n{material}{shape}ObjectEnd");
                self.objects.insert(key, number);
                number
            }
        };
        self.attribute(&id, &format!("{matrix}ObjectInstance \"{object}\"\n"));
        Ok(())
    }

    /// The `Shape` directive of a geometry. A large mesh becomes a file.
    fn mesh(
        &mut self,
        geometry: usize,
        instances: &mut Instances,
        sources: &mut Sources<'_>,
    ) -> Result<String, SceneFileError> {
        if let Some(known) = self.shapes.get(&geometry) {
            return Ok(known.clone());
        }
        let mesh = instances.mesh(geometry, sources)?;
        let shape = if mesh.triangles.len() > MAX_INLINE {
            let path = format!("{}-meshes/{:03}.ply", self.name, self.files.len() + 1);
            let shape = format!("Shape \"plymesh\" \"string filename\" [ \"{path}\" ]\n");
            self.files.push((path, write_ply(&mesh).into()));
            shape
        } else {
            inline_mesh(&mesh)
        };
        instances.release(geometry);
        self.shapes.insert(geometry, shape.clone());
        Ok(shape)
    }
}

/// A `Shape` directive of a light that shines and that no ray hits.
fn invisible(shape: &str) -> String {
    format!("{} \"float alpha\" [ 0 ]\n", shape.trim_end())
}

fn camera(text: &mut String, scene: &Scene, name: &str) {
    let camera = &scene.camera;
    let [[ex, ey, ez], [lx, ly, lz], [ux, uy, uz]] =
        [camera.center.get(), camera.look_at.get(), camera.up.get()];
    // The camera space of PBRT is left-handed.
    let _ = writeln!(text, "Scale -1 1 1\nLookAt {ex} {ey} {ez}  {lx} {ly} {lz}  {ux} {uy} {uz}");
    if camera.projection == Projection::Orthographic {
        let half = 0.5 * camera.view_height();
        let wide = half * 4.0 / 3.0;
        let _ = write!(
            text,
            "Camera \"orthographic\" \"float screenwindow\" [ -{wide} {wide} -{half} {half} ]"
        );
    } else {
        let _ = write!(text, "Camera \"perspective\" \"float fov\" [ {} ]", camera.vfov.get());
    }
    let aperture = camera.aperture.get();
    if aperture > 0.0 {
        let distance = DVec3::from_array(camera.center.get())
            .distance(DVec3::from_array(camera.look_at.get()));
        let distance = camera.focus_distance.map_or(distance, scene::Length::get);
        let radius = aperture / 2.0;
        let _ = write!(
            text,
            " \"float lensradius\" [ {radius} ] \"float focaldistance\" [ {distance} ]"
        );
    }
    let _ = writeln!(
        text,
        "\nFilm \"rgb\" \"string filename\" [ \"{name}.exr\" ] \"integer xresolution\" [ 800 ] \
         \"integer yresolution\" [ 600 ]\nSampler \"zsobol\" \"integer pixelsamples\" [ 256 ]\n\
         Integrator \"path\" \"integer maxdepth\" [ 10 ]"
    );
}

fn environment(text: &mut String, scene: &Scene, exported: &mut Exported) {
    let [r, g, b] = mean_radiance(&scene.environment);
    match &scene.environment {
        Environment::Uniform(_) => {}
        Environment::Darkness(_) => return,
        _ => exported.note("the surroundings shine evenly, with the colour they have in the mean"),
    }
    let _ = writeln!(text, "LightSource \"infinite\" \"rgb L\" [ {r} {g} {b} ]\n");
}

/// Lights without an area.
fn lights(text: &mut String, scene: &Scene, exported: &mut Exported) {
    for source in &scene.lights {
        if let Light::DirectionalLight(light) = &source.light {
            let ([x, y, z], [r, g, b]) = (light.direction.get(), light.emission.get());
            let _ = writeln!(
                text,
                "LightSource \"distant\" \"rgb L\" [ {r} {g} {b} ] \"point3 from\" [ 0 0 0 ] \
                 \"point3 to\" [ {x} {y} {z} ]\n"
            );
        }
        let Light::PointSpotLight(light) = &source.light else { continue };
        let ([x, y, z], [r, g, b]) = (light.center.get(), light.emission.get());
        let cutoff = light.cutoff_angle.get();
        if light.falloff_exponent.get() > 0.0 {
            exported.note("the falloff of a spot light is left out: it shines evenly in its cone");
        }
        if cutoff >= 180.0 {
            let _ = writeln!(
                text,
                "LightSource \"point\" \"rgb I\" [ {r} {g} {b} ] \"point3 from\" [ {x} {y} {z} ]\n"
            );
        } else {
            let [dx, dy, dz] = light.direction.get();
            let _ = writeln!(
                text,
                "LightSource \"spot\" \"rgb I\" [ {r} {g} {b} ] \"point3 from\" [ {x} {y} {z} ] \
                 \"point3 to\" [ {} {} {} ] \"float coneangle\" [ {cutoff} ] \
                 \"float conedeltaangle\" [ 0 ]\n",
                x + dx,
                y + dy,
                z + dz
            );
        }
    }
}

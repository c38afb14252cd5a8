//! A scene as PBRT text: spheres, discs and cylinders as such, all else as triangles.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use glam::{DMat4, DQuat, DVec3};
use media::MeshData;
use mesh_files::write_ply;
use scene::{Environment, Geometry, Light, Material, Projection, Scene};

use crate::content::{Content, Text};
use crate::parts::{Look, Part, Parts};
use crate::plainer::mean_radiance;
use crate::textures::Painter;
use crate::{Bounds, Exported, SceneFileFault, Sources};

use super::images::Shown;

/// Larger meshes go into a file of their own.
const MOST_INLINE: usize = 200;

pub(crate) fn write(
    scene: &Scene,
    name: &str,
    sources: &mut Sources<'_>,
    bounds: &Bounds,
) -> Result<Exported, SceneFileFault> {
    let mut parts = Parts::of(scene);
    let mut exported = Exported::default();
    exported.note_losses(scene);
    let mut painter = Painter::of(scene, &parts);
    painter.note_losses(&mut exported);
    let mut text = Text::default();
    text.open = String::from("# A scene of scene-llm, in metres, y up.\n");
    camera(&mut text.open, scene, name);
    text.open += "\nWorldBegin\n\n";
    surroundings(&mut text.open, scene, &mut exported);
    lamps(&mut text.open, scene, &mut exported);
    let mut written = Written { name, places: HashMap::new(), objects: HashMap::new() };
    let (mut files, mut defined) = (Vec::new(), HashSet::new());
    for at in 0..parts.parts.len() {
        let painted = painter.paint(at, &mut parts, sources, bounds, &mut exported)?;
        sources.check()?;
        let part = &parts.parts[at];
        let mut look_text = String::new();
        let file = |image| painter.file(image, name);
        let mut definition = String::new();
        let shown = Shown::define(&mut definition, painted.as_ref(), &file, &mut exported);
        // PBRT refuses a texture of a name that is taken.
        if painted.as_ref().is_some_and(|painted| defined.insert(painted.number)) {
            text.open += &definition;
        }
        look(&mut look_text, part, &shown, &mut exported);
        // Writing to a text cannot fail.
        let id = part.id.replace(char::is_control, " ");
        // Painted ones have u and v of their own in PBRT.
        let plain = painter.is_plain(at);
        let shape = scene.shapes.get(at).filter(|_| plain).map(|shape| &shape.geometry);
        if let Some(exact) = shape.and_then(exact) {
            let _ = writeln!(text.open, "AttributeBegin # {id}\n{look_text}{exact}AttributeEnd\n");
        } else {
            let form = painted.as_ref().map_or(part.form, |painted| painted.form);
            let (matrix, glows) = (transform(part.matrix), look_text.contains("AreaLightSource"));
            let known = written.objects.get(&(form, look_text.clone())).copied();
            if let Some(number) = known {
                let _ = writeln!(
                    text.open,
                    "AttributeBegin # {id}\n{matrix}ObjectInstance \"{number}\"\nAttributeEnd\n"
                );
            } else {
                let shape = written.triangles(form, &mut parts, sources, &mut files)?;
                // What shines cannot be shown by an instance in PBRT.
                let shared = !glows && parts.is_shared(form);
                if shared {
                    let number = written.objects.len() + 1;
                    let _ = writeln!(
                        text.open,
                        "ObjectBegin \"{number}\"\n{look_text}{shape}ObjectEnd\nAttributeBegin # \
                         {id}\n{matrix}ObjectInstance \"{number}\"\nAttributeEnd\n"
                    );
                    written.objects.insert((form, look_text), number);
                } else {
                    let _ = writeln!(
                        text.open,
                        "AttributeBegin # {id}\n{look_text}{matrix}{shape}AttributeEnd\n"
                    );
                }
            }
        }
        text.rest();
    }
    exported.files.push((format!("{name}.pbrt"), text.finish()));
    exported.files.extend(files);
    let images = painter.into_files(name).into_iter();
    exported.files.extend(images.map(|(name, bytes)| (name, bytes.into())));
    Ok(exported)
}

/// What the file has so far.
struct Written<'a> {
    name: &'a str,
    /// The shape of each form, as text.
    places: HashMap<usize, String>,
    /// Objects by their form and material.
    objects: HashMap<(usize, String), usize>,
}

impl Written<'_> {
    /// The triangles of a form as a shape; many go into a file of their own.
    fn triangles(
        &mut self,
        form: usize,
        parts: &mut Parts,
        sources: &mut Sources<'_>,
        files: &mut Vec<(String, Content)>,
    ) -> Result<String, SceneFileFault> {
        if let Some(known) = self.places.get(&form) {
            return Ok(known.clone());
        }
        let data = parts.mesh(form, sources)?;
        let shape = if data.triangles.len() > MOST_INLINE {
            let file = format!("{}-meshes/{:03}.ply", self.name, files.len() + 1);
            let shape = format!("Shape \"plymesh\" \"string filename\" [ \"{file}\" ]\n");
            files.push((file, write_ply(&data).into()));
            shape
        } else {
            inline(&data)
        };
        parts.let_go(form);
        self.places.insert(form, shape.clone());
        Ok(shape)
    }
}

/// Whether a part is written as the shape it is.
pub(crate) fn is_exact(part: &Part, parts: &Parts) -> bool {
    let shape = parts.shape_of(part.form);
    matches!(part.material, Look::Material(_)) && shape.is_some_and(|shape| exact(shape).is_some())
}

fn camera(text: &mut String, scene: &Scene, name: &str) {
    let camera = &scene.camera;
    let [[ex, ey, ez], [lx, ly, lz], [ux, uy, uz]] =
        [camera.center.get(), camera.look_at.get(), camera.up.get()];
    // PBRT's camera has the other hand.
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

fn surroundings(text: &mut String, scene: &Scene, exported: &mut Exported) {
    let [r, g, b] = mean_radiance(&scene.environment);
    match &scene.environment {
        Environment::Uniform(_) => {}
        Environment::Darkness(_) => return,
        _ => exported.note("the surroundings shine evenly, with the colour they have in the mean"),
    }
    let _ = writeln!(text, "LightSource \"infinite\" \"rgb L\" [ {r} {g} {b} ]\n");
}

/// Lights without an area.
fn lamps(text: &mut String, scene: &Scene, exported: &mut Exported) {
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

/// The material, and what glows.
fn look(text: &mut String, part: &Part, shown: &Shown, exported: &mut Exported) {
    let glow = |[r, g, b]: [f64; 3], both: bool| {
        format!(
            "Material \"diffuse\" \"rgb reflectance\" [ 0 0 0 ]\n\
             AreaLightSource \"diffuse\" \"rgb L\" [ {r} {g} {b} ] \"bool twosided\" [ {both} ]\n"
        )
    };
    *text += &match &part.material {
        Look::Light(radiance) => glow(*radiance, false),
        Look::Material(material) => match material.resolved() {
            Material::Emissive(emissive) => {
                glow(emissive.emission.typical().get(), part.both_sides)
            }
            Material::Lambertian(matte) => {
                format!(
                    "Material \"diffuse\" {}\n",
                    shown.reflectance(matte.albedo.typical().get())
                )
            }
            Material::Metal(metal) => {
                conductor(shown, metal.albedo.typical().get(), metal.fuzz.typical().get())
            }
            Material::Dielectric(glass) => dielectric(shown, glass.refractive_index.get(), 0.0),
            Material::Principled(made) if made.glows() => {
                glow(made.emission().typical().get(), part.both_sides)
            }
            Material::Principled(made) => {
                exported.note("a principled material stands as PBRT's nearest");
                let base = made
                    .base_color
                    .typical()
                    .get()
                    .map(|part| part * made.base_weight.typical().get());
                let roughness = made.specular_roughness.typical().get();
                if made.base_metalness.typical().get() >= 0.5 {
                    conductor(shown, base, roughness)
                } else if made.transmission_weight.typical().get() >= 0.5
                    && made.geometry_thin_walled
                {
                    format!(
                        "Material \"thindielectric\" \"float eta\" [ {} ]\n",
                        made.specular_ior.get()
                    )
                } else if made.transmission_weight.typical().get() >= 0.5 {
                    dielectric(shown, made.specular_ior.get(), roughness)
                } else if made.specular_weight.typical().get() == 0.0 {
                    format!("Material \"diffuse\" {}\n", shown.reflectance(base))
                } else {
                    format!(
                        "Material \"coateddiffuse\" {} \"float roughness\" [ {} ] \
                         \"bool remaproughness\" [ false ] \"float eta\" [ {} ]\n",
                        shown.reflectance(base),
                        roughness * roughness,
                        made.specular_ior.get()
                    )
                }
            }
            // A preset stands for one of the others.
            _ => String::new(),
        },
    };
}

/// Our roughness is the root of GGX's alpha.
fn conductor(shown: &Shown, color: [f64; 3], roughness: f64) -> String {
    // 1 would need an infinite index.
    let color = color.map(|part| part.min(0.999));
    format!(
        "Material \"conductor\" {} \"float roughness\" [ {} ] \"bool remaproughness\" [ false ]\n",
        shown.reflectance(color),
        roughness * roughness
    )
}

fn dielectric(shown: &Shown, index: f64, roughness: f64) -> String {
    format!(
        "Material \"dielectric\" \"float eta\" [ {index} ] \"float roughness\" [ {} ] \
         \"bool remaproughness\" [ false ]{}\n",
        roughness * roughness,
        shown.normals()
    )
}

/// The shape as PBRT has it.
fn exact(geometry: &Geometry) -> Option<String> {
    let along_z = |from: [f64; 3], axis: DVec3| {
        let turn = DQuat::from_rotation_arc(DVec3::Z, axis.normalize_or(DVec3::Z));
        transform(DMat4::from_rotation_translation(turn, DVec3::from_array(from)))
    };
    match geometry {
        Geometry::Sphere(sphere) => {
            let [x, y, z] = sphere.center.get();
            let radius = sphere.radius.get();
            Some(format!("Translate {x} {y} {z}\nShape \"sphere\" \"float radius\" [ {radius} ]\n"))
        }
        Geometry::Disc(disc) => {
            let place = along_z(disc.center.get(), DVec3::from_array(disc.normal.get()));
            Some(format!("{place}Shape \"disk\" \"float radius\" [ {} ]\n", disc.radius.get()))
        }
        Geometry::Cylinder(cylinder) => {
            let (base, top) = (cylinder.base_center.get(), cylinder.top_center.get());
            let axis = DVec3::from_array(top) - DVec3::from_array(base);
            let (radius, length) = (cylinder.radius.get(), axis.length());
            let mut made = along_z(base, axis);
            let _ = writeln!(
                made,
                "Shape \"cylinder\" \"float radius\" [ {radius} ] \"float zmin\" [ 0 ] \
                 \"float zmax\" [ {length} ]"
            );
            if cylinder.capped {
                let _ = writeln!(
                    made,
                    "Shape \"disk\" \"float radius\" [ {radius} ] \"float height\" [ {length} ]"
                );
                let _ = writeln!(
                    made,
                    "ReverseOrientation\nShape \"disk\" \"float radius\" [ {radius} ]"
                );
            }
            Some(made)
        }
        _ => None,
    }
}

fn inline(data: &MeshData) -> String {
    let mut text = String::new();
    let list = |vectors: &[[f32; 3]]| {
        vectors.iter().map(|[x, y, z]| format!("{x} {y} {z}")).collect::<Vec<_>>().join("  ")
    };
    let corners = data.triangles.iter().map(|[a, b, c]| format!("{a} {b} {c}"));
    let corners = corners.collect::<Vec<_>>().join("  ");
    let _ = write!(
        text,
        "Shape \"trianglemesh\" \"integer indices\" [ {corners} ]\n  \"point3 P\" [ {} ]",
        list(&data.positions)
    );
    if data.normals.len() == data.positions.len() {
        let _ = write!(text, "\n  \"normal N\" [ {} ]", list(&data.normals));
    }
    if data.uv.len() == data.positions.len() {
        let uv: Vec<_> = data.uv.iter().map(|[u, v]| format!("{u} {v}")).collect();
        let _ = write!(text, "\n  \"point2 uv\" [ {} ]", uv.join("  "));
    }
    text.push('\n');
    text
}

/// Sixteen numbers, column by column.
fn transform(matrix: DMat4) -> String {
    let numbers = matrix.to_cols_array().map(|number| number.to_string());
    format!("ConcatTransform [ {} ]\n", numbers.join(" "))
}

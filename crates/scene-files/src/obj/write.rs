//! A scene as OBJ, with its materials in an MTL beside it.

use std::collections::HashMap;
use std::fmt::Write;

use media::MeshData;
use scene::{Material, Scene, Wrap};

use crate::content::Text;
use crate::parts::{Look, Parts};
use crate::placement::in_world;
use crate::textures::{Painted, Painter, Painting, Picture, Transform};
use crate::{Bounds, Exported, SceneFileFault, Sources};

pub(crate) fn write(
    scene: &Scene,
    name: &str,
    sources: &mut Sources<'_>,
    bounds: &Bounds,
) -> Result<Exported, SceneFileFault> {
    let mut parts = Parts::of(scene);
    let mut exported = Exported::default();
    let mut painter = Painter::of(scene, &parts);
    painter.note_losses(&mut exported);
    exported
        .note("OBJ holds neither camera nor surroundings, and lights without an area are left out");
    exported.note_losses(scene);
    let mut looks = Looks::default();
    let mut text = Text::default();
    text.open = format!("# A scene of scene-llm, in metres, y up.\nmtllib {name}.mtl\n");
    let mut first = 1;
    for at in 0..parts.parts.len() {
        let painted = painter.paint(at, &mut parts, sources, bounds, &mut exported)?;
        let part = &parts.parts[at];
        let (matrix, form) = (part.matrix, painted.as_ref().map_or(part.form, |it| it.form));
        let look = looks.place(&part.material, painted.as_ref());
        let id = part.id.replace(char::is_whitespace, "_");
        let _ = writeln!(text.open, "o {id}\nusemtl material_{look}");
        let data = in_world((*parts.mesh(form, sources)?).clone(), matrix);
        first += write_part(&mut text, &data, first, sources)?;
    }
    let materials: String = looks
        .list
        .iter()
        .enumerate()
        .map(|(at, (look, painted))| {
            let images = painted.as_ref().map(|painted| {
                image_lines(&painted.painting, &|image| painter.file(image, name), &mut exported)
            });
            material(&format!("material_{at}"), look, &images.unwrap_or_default())
        })
        .collect();
    exported.files = vec![
        (format!("{name}.obj"), text.finish()),
        (format!("{name}.mtl"), materials.into_bytes().into()),
    ];
    let images = painter.into_files(name).into_iter();
    exported.files.extend(images.map(|(name, bytes)| (name, bytes.into())));
    Ok(exported)
}

/// The materials of a file, each once.
#[derive(Default)]
struct Looks {
    list: Vec<(Look, Option<Painted>)>,
    /// By the text of the material and the number of the painting.
    places: HashMap<(String, Option<usize>), usize>,
}

impl Looks {
    fn place(&mut self, look: &Look, painted: Option<&Painted>) -> usize {
        let text = match look {
            Look::Material(material) => material.to_json().to_string(),
            Look::Light(radiance) => format!("{radiance:?}"),
        };
        let next = self.list.len();
        let key = (text, painted.map(|painted| painted.number));
        let place = *self.places.entry(key).or_insert(next);
        if place == next {
            self.list.push((look.clone(), painted.cloned()));
        }
        place
    }
}

/// Writes a part and gives how many vertices it has. Writing to a text cannot fail.
fn write_part(
    text: &mut Text,
    data: &MeshData,
    first: usize,
    sources: &Sources<'_>,
) -> Result<usize, SceneFileFault> {
    let vertices = data.positions.len();
    for (at, [x, y, z]) in data.positions.iter().enumerate() {
        sources.check_now_and_then(at)?;
        let _ = writeln!(text.open, "v {x} {y} {z}");
        text.rest();
    }
    let has_uv = data.uv.len() == vertices;
    let has_normals = data.normals.len() == vertices;
    for [u, v] in data.uv.iter().filter(|_| has_uv) {
        let _ = writeln!(text.open, "vt {u} {v}");
        text.rest();
    }
    for (at, [x, y, z]) in data.normals.iter().filter(|_| has_normals).enumerate() {
        sources.check_now_and_then(at)?;
        let _ = writeln!(text.open, "vn {x} {y} {z}");
        text.rest();
    }
    for (at, corners) in data.triangles.iter().enumerate() {
        sources.check_now_and_then(at)?;
        text.open.push('f');
        for corner in corners {
            let at = *corner as usize + first;
            // Texture coordinates and normals are counted apart: they go back from the last.
            let back = *corner as i64 - vertices as i64;
            let _ = match (has_uv, has_normals) {
                (true, true) => write!(text.open, " {at}/{back}/{back}"),
                (true, false) => write!(text.open, " {at}/{back}"),
                (false, true) => write!(text.open, " {at}//{back}"),
                (false, false) => write!(text.open, " {at}"),
            };
        }
        text.open.push('\n');
        text.rest();
    }
    Ok(vertices)
}

/// A material, with the properties that programs of today add for metal and roughness.
fn material(name: &str, look: &Look, images: &str) -> String {
    let colour = |label: &str, [r, g, b]: [f64; 3]| format!("{label} {r} {g} {b}\n");
    let glow = |emission: [f64; 3]| colour("Kd", [0.0; 3]) + &colour("Ke", emission) + "illum 1\n";
    let body = match look {
        Look::Light(radiance) => glow(*radiance),
        Look::Material(material) => match material.resolved() {
            Material::Emissive(emissive) => glow(emissive.emission.typical().get()),
            Material::Lambertian(matte) => {
                colour("Kd", matte.albedo.typical().get()) + "Ks 0 0 0\nillum 1\n"
            }
            Material::Metal(metal) => {
                let shine = format!("Pr {}\nPm 1\nillum 3\n", metal.fuzz.typical().get());
                colour("Kd", metal.albedo.typical().get())
                    + &colour("Ks", metal.albedo.typical().get())
                    + &shine
            }
            Material::Dielectric(glass) => {
                let index = glass.refractive_index.get();
                format!("Kd 1 1 1\nKs 1 1 1\nNi {index}\nd 0.1\nPr 0\nillum 7\n")
            }
            Material::Principled(made) => {
                let mut text = colour("Kd", made.base_color.typical().get()) + "Ks 0.5 0.5 0.5\n";
                text += &format!(
                    "Ni {}\nPr {}\nPm {}\n",
                    made.specular_ior.get(),
                    made.specular_roughness.typical().get(),
                    made.base_metalness.typical().get()
                );
                if made.glows() {
                    text += &colour("Ke", made.emission().typical().get());
                }
                let opacity = made.geometry_opacity.typical().get();
                if made.transmission_weight.typical().get() >= 0.5 {
                    text + "d 0.1\nillum 7\n"
                } else {
                    text + &format!("d {opacity}\nillum 2\n")
                }
            }
            // A preset stands for one of the others.
            _ => colour("Kd", [0.5; 3]) + "illum 1\n",
        },
    };
    // What an image is multiplied by stands with it.
    let word = |line: &str| line.split(' ').next().map(str::to_owned);
    let again: Vec<_> = images.lines().map(word).collect();
    let body: String = body
        .lines()
        .filter(|line| !again.contains(&word(line)))
        .flat_map(|line| [line, "\n"])
        .collect();
    format!("newmtl {name}\n{body}{images}\n")
}

/// The images of a painting, each after what it is multiplied by; `file` gives the name of one.
fn image_lines(
    painting: &Painting,
    file: &dyn Fn(usize) -> String,
    exported: &mut Exported,
) -> String {
    let mut text = String::new();
    let triple = |label: &str, [r, g, b]: [f64; 3]| format!("{label} {r} {g} {b}\n");
    let number = |label: &str, number: f64| format!("{label} {number}\n");
    let mut line = |factor: String, map: &str, picture: &Picture| {
        let Transform { linear, offset } = picture.transform;
        if linear.x_axis.y.abs() > 1e-9 {
            exported.note("textures that are turned lie as they would without");
        }
        if picture.wrap == Wrap::Mirror {
            exported.note("textures that are mirrored at their edges are repeated");
        }
        let (across, up) = (linear.x_axis.x, linear.y_axis.y);
        let place = format!(" -o {} {} 0 -s {across} {up} 1", offset.x, offset.y);
        let moved = picture.transform != Transform::NONE;
        let place = if moved { place.as_str() } else { "" };
        let clamp = if picture.wrap == Wrap::Clamp { " -clamp on" } else { "" };
        text += &format!("{factor}{map}{place}{clamp} {}\n", file(picture.image));
    };
    if let Some(picture) = &painting.base {
        line(triple("Kd", painting.base_factor), "map_Kd", picture);
        if painting.has_opacity {
            line(number("d", painting.opacity_factor), "map_d -imfchan m", picture);
        }
    }
    if let Some(picture) = &painting.surface {
        line(number("Pr", painting.roughness_factor), "map_Pr -imfchan g", picture);
        line(number("Pm", painting.metalness_factor), "map_Pm -imfchan b", picture);
    }
    if let Some(picture) = &painting.emission {
        line(triple("Ke", painting.emission_factor), "map_Ke", picture);
    }
    if let Some((picture, strength)) = &painting.normals {
        line(String::new(), &format!("norm -bm {strength}"), picture);
    }
    text
}

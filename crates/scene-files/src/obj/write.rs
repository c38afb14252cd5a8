//! A scene as OBJ, with its materials in an MTL beside it.

use std::fmt::Write;

use scene::{Material, Scene, Wrap};

use crate::parts::{Look, Part, Parts};
use crate::placement::in_world;
use crate::textures::{Painting, Paintings, Picture, Transform};
use crate::{Exported, ImageSource, MeshSource, SceneFileFault};

pub(crate) fn write(
    scene: &Scene,
    name: &str,
    (meshes, images): (MeshSource<'_>, ImageSource<'_>),
) -> Result<Exported, SceneFileFault> {
    let mut parts = Parts::of(scene, meshes)?;
    let mut exported = Exported::default();
    let mut paintings = Paintings::of(scene, &parts, images, &mut exported)?;
    parts.lay_out(&mut paintings);
    exported
        .note("OBJ holds neither camera nor surroundings, and lights without an area are left out");
    exported.note_losses(scene);
    let files = paintings.files(name);
    let mut looks: Vec<(&Look, Option<&Painting>)> = Vec::new();
    let mut text = format!("# A scene of scene-llm, in metres, y up.\nmtllib {name}.mtl\n");
    let mut first = 1;
    for (at, part) in parts.parts.iter().enumerate() {
        let wanted = (&part.material, paintings.of_parts.get(&at));
        let look = looks.iter().position(|known| *known == wanted).unwrap_or_else(|| {
            looks.push(wanted);
            looks.len() - 1
        });
        first += write_part(&mut text, part, &parts, look, first);
    }
    let materials: String = looks
        .iter()
        .enumerate()
        .map(|(at, (look, painting))| {
            let images = painting.map(|painting| image_lines(painting, &files, &mut exported));
            material(&format!("material_{at}"), look, &images.unwrap_or_default())
        })
        .collect();
    exported.files = vec![
        (format!("{name}.obj"), text.into_bytes()),
        (format!("{name}.mtl"), materials.into_bytes()),
    ];
    exported.files.extend(files.into_iter().zip(paintings.images).map(|(n, i)| (n, i.bytes)));
    Ok(exported)
}

/// Writes a part and gives how many vertices it has. Writing to a text cannot fail.
fn write_part(text: &mut String, part: &Part, parts: &Parts, look: usize, first: usize) -> usize {
    let data = in_world(parts.meshes[part.mesh].clone(), part.matrix);
    let _ =
        writeln!(text, "o {}\nusemtl material_{look}", part.id.replace(char::is_whitespace, "_"));
    for [x, y, z] in &data.positions {
        let _ = writeln!(text, "v {x} {y} {z}");
    }
    let vertices = data.positions.len();
    let has_uv = data.uv.len() == vertices;
    let has_normals = data.normals.len() == vertices;
    if has_uv {
        data.uv.iter().for_each(|[u, v]| {
            let _ = writeln!(text, "vt {u} {v}");
        });
    }
    if has_normals {
        data.normals.iter().for_each(|[x, y, z]| {
            let _ = writeln!(text, "vn {x} {y} {z}");
        });
    }
    for corners in &data.triangles {
        text.push('f');
        for corner in corners {
            let at = *corner as usize + first;
            // Texture coordinates and normals are counted apart: they go back from the last.
            let back = *corner as i64 - vertices as i64;
            let _ = match (has_uv, has_normals) {
                (true, true) => write!(text, " {at}/{back}/{back}"),
                (true, false) => write!(text, " {at}/{back}"),
                (false, true) => write!(text, " {at}//{back}"),
                (false, false) => write!(text, " {at}"),
            };
        }
        text.push('\n');
    }
    vertices
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

/// The images of a painting, each after what it is multiplied by; `files` has the names of all.
fn image_lines(painting: &Painting, files: &[String], exported: &mut Exported) -> String {
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
        text += &format!("{factor}{map}{place}{clamp} {}\n", files[picture.image]);
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

//! A scene as OBJ, with its materials in an MTL beside it.

use std::fmt::Write;

use scene::{Material, Scene};

use crate::parts::{Look, Part, Parts};
use crate::placement::in_world;
use crate::textures::{Painting, Paintings, Transform};
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
            Material::Emissive(emissive) => glow(emissive.emission.get()),
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
                    text += &colour("Ke", made.emission().get());
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
    format!("newmtl {name}\n{body}{images}\n")
}

/// The images of a painting; `files` has the names of all.
fn image_lines(painting: &Painting, files: &[String], exported: &mut Exported) -> String {
    let mut text = String::new();
    let Painting { base, surface, normals, .. } = painting;
    let normals = normals.as_ref().map(|(picture, _)| picture);
    for (label, picture) in [("map_Kd", base), ("norm", &normals.cloned())] {
        let Some(picture) = picture else { continue };
        let Transform { linear, offset } = picture.transform;
        if linear.x_axis.y.abs() > 1e-9 {
            exported.note("textures that are turned lie as they would without");
        }
        let (across, up) = (linear.x_axis.x, linear.y_axis.y);
        let moved = picture.transform != Transform::NONE;
        let place = format!(" -o {} {} 0 -s {across} {up} 1", offset.x, offset.y);
        let place = if moved { place.as_str() } else { "" };
        text += &format!("{label}{place} {}\n", files[picture.image]);
    }
    if surface.is_some() {
        exported
            .note("images of roughness and metalness are left out: MTL has none that hold both");
    }
    text
}

//! A scene as OBJ, with its materials in an MTL beside it.

use std::fmt::Write;

use scene::{Material, Scene};

use crate::parts::{Look, Part, Parts};
use crate::placement::in_world;
use crate::{Exported, MeshSource, SceneFileFault};

pub(crate) fn write(
    scene: &Scene,
    name: &str,
    meshes: MeshSource<'_>,
) -> Result<Exported, SceneFileFault> {
    let parts = Parts::of(scene, meshes)?;
    let mut exported = Exported::default();
    exported
        .note("OBJ holds neither camera nor surroundings, and lights without an area are left out");
    exported.note_losses(scene);
    let mut looks: Vec<&Look> = Vec::new();
    let mut text = format!("# A scene of scene-llm, in metres, y up.\nmtllib {name}.mtl\n");
    let mut first = 1;
    for part in &parts.parts {
        let look = looks.iter().position(|known| **known == part.material).unwrap_or_else(|| {
            looks.push(&part.material);
            looks.len() - 1
        });
        first += write_part(&mut text, part, &parts, look, first);
    }
    let materials: String = looks
        .iter()
        .enumerate()
        .map(|(at, look)| material(&format!("material_{at}"), look))
        .collect();
    exported.files = vec![
        (format!("{name}.obj"), text.into_bytes()),
        (format!("{name}.mtl"), materials.into_bytes()),
    ];
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
fn material(name: &str, look: &Look) -> String {
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
    format!("newmtl {name}\n{body}\n")
}

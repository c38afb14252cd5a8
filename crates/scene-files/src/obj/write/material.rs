//! Materials of the scene as MTL, with the PBR extension (`Pr`, `Pm`, `map_Pr`, `norm` ...).

use scene::Material;

use crate::export::{Exported, MaterialTextures, Surface};
use crate::image_texture::{ImageTexture, ScaleOffset};
use crate::uv_transform::UvTransform;

/// A material. `textures` are lines by [`texture_lines`], whose factors replace those of the material.
pub(super) fn material(name: &str, surface: &Surface, textures: &str) -> String {
    let colour = |label: &str, [r, g, b]: [f64; 3]| format!("{label} {r} {g} {b}\n");
    let emitter =
        |emission: [f64; 3]| colour("Kd", [0.0; 3]) + &colour("Ke", emission) + "illum 1\n";
    let body = match surface {
        Surface::Light(radiance) => emitter(*radiance),
        Surface::Material(material) => match material.resolved() {
            Material::Emissive(emissive) => emitter(emissive.emission.typical().get()),
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
            // Presets and mixes are resolved before.
            _ => colour("Kd", [0.5; 3]) + "illum 1\n",
        },
    };
    let keyword = |line: &str| line.split(' ').next().map(str::to_owned);
    let replaced: Vec<_> = textures.lines().map(keyword).collect();
    let body: String = body
        .lines()
        .filter(|line| !replaced.contains(&keyword(line)))
        .flat_map(|line| [line, "\n"])
        .collect();
    format!("newmtl {name}\n{body}{textures}\n")
}

/// The lines of textures, each after its factor. `path` gives the path of an image.
pub(super) fn texture_lines(
    textures: &MaterialTextures,
    path: &dyn Fn(usize) -> String,
    exported: &mut Exported,
) -> String {
    let mut text = String::new();
    let triple = |label: &str, [r, g, b]: [f64; 3]| format!("{label} {r} {g} {b}\n");
    let number = |label: &str, number: f64| format!("{label} {number}\n");
    let mut line = |factor: String, keyword: &str, texture: &ImageTexture<usize>| {
        let ScaleOffset { scale: [across, up], offset: [x, y], clamps } =
            texture.scale_offset(exported);
        let mut options = String::new();
        if texture.transform != UvTransform::IDENTITY {
            options += &format!(" -o {x} {y} 0 -s {across} {up} 1");
        }
        if clamps {
            options += " -clamp on";
        }
        text += &format!("{factor}{keyword}{options} {}\n", path(texture.image));
    };
    if let Some(texture) = &textures.base {
        line(triple("Kd", textures.base_factor), "map_Kd", texture);
        if textures.has_opacity {
            line(number("d", textures.opacity_factor), "map_d -imfchan m", texture);
        }
    }
    if let Some(texture) = &textures.metallic_roughness {
        line(number("Pr", textures.roughness_factor), "map_Pr -imfchan g", texture);
        line(number("Pm", textures.metalness_factor), "map_Pm -imfchan b", texture);
    }
    if let Some(texture) = &textures.emission {
        line(triple("Ke", textures.emission_factor), "map_Ke", texture);
    }
    if let Some((texture, strength)) = &textures.normals {
        line(String::new(), &format!("norm -bm {strength}"), texture);
    }
    text
}

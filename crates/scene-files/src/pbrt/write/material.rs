//! Materials of the scene as PBRT text.

use scene::Material;

use super::texture::DefinedTextures;
use crate::export::{Exported, Instance, Surface};

/// The material of an instance, or the area light that it is.
pub(super) fn material(
    instance: &Instance,
    textures: &DefinedTextures,
    exported: &mut Exported,
) -> String {
    let area_light = |[r, g, b]: [f64; 3], both: bool| {
        format!(
            "Material \"diffuse\" \"rgb reflectance\" [ 0 0 0 ]\n\
             AreaLightSource \"diffuse\" \"rgb L\" [ {r} {g} {b} ] \"bool twosided\" [ {both} ]\n"
        )
    };
    match &instance.surface {
        Surface::Light(radiance) => area_light(*radiance, false),
        Surface::Material(material) => match material.resolved() {
            Material::Emissive(emissive) => {
                area_light(emissive.emission.typical().get(), instance.double_sided)
            }
            Material::Lambertian(matte) => {
                format!(
                    "Material \"diffuse\" {}\n",
                    textures.reflectance(matte.albedo.typical().get())
                )
            }
            Material::Metal(metal) => {
                conductor(textures, metal.albedo.typical().get(), metal.fuzz.typical().get())
            }
            Material::Dielectric(glass) => dielectric(textures, glass.refractive_index.get(), 0.0),
            Material::Principled(made) if made.glows() => {
                area_light(made.emission().typical().get(), instance.double_sided)
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
                    conductor(textures, base, roughness)
                } else if made.transmission_weight.typical().get() >= 0.5
                    && made.geometry_thin_walled
                {
                    format!(
                        "Material \"thindielectric\" \"float eta\" [ {} ]\n",
                        made.specular_ior.get()
                    )
                } else if made.transmission_weight.typical().get() >= 0.5 {
                    dielectric(textures, made.specular_ior.get(), roughness)
                } else if made.specular_weight.typical().get() == 0.0 {
                    format!("Material \"diffuse\" {}\n", textures.reflectance(base))
                } else {
                    format!(
                        "Material \"coateddiffuse\" {} \"float roughness\" [ {} ] \
                         \"bool remaproughness\" [ false ] \"float eta\" [ {} ]\n",
                        textures.reflectance(base),
                        roughness * roughness,
                        made.specular_ior.get()
                    )
                }
            }
            // Presets and mixes are resolved before.
            _ => String::new(),
        },
    }
}

/// A metal. The roughness of PBRT is GGX's alpha, of which that of a scene is the root.
fn conductor(textures: &DefinedTextures, color: [f64; 3], roughness: f64) -> String {
    // A reflectance of 1 would need an infinite refractive index.
    let color = color.map(|part| part.min(0.999));
    format!(
        "Material \"conductor\" {} \"float roughness\" [ {} ] \"bool remaproughness\" [ false ]\n",
        textures.reflectance(color),
        roughness * roughness
    )
}

fn dielectric(textures: &DefinedTextures, index: f64, roughness: f64) -> String {
    format!(
        "Material \"dielectric\" \"float eta\" [ {index} ] \"float roughness\" [ {} ] \
         \"bool remaproughness\" [ false ]{}\n",
        roughness * roughness,
        textures.normal_map()
    )
}

//! Materials of the scene as glTF: metallic-roughness with the extensions of Khronos.

use scene::Material;
use serde_json::{Value, json};

use super::super::ORIGINAL;

const WHITE: [f64; 3] = [1.0; 3];

/// The material as glTF, with the average of each texture. It carries the original as an extra.
pub(crate) fn to_gltf(material: &Material) -> Value {
    let mut made = match material.resolved() {
        Material::Lambertian(matte) => json!({
            "pbrMetallicRoughness": base(matte.albedo.typical().get(), 1.0, 0.0, 1.0),
            "extensions": { "KHR_materials_specular": { "specularFactor": 0.0 } },
        }),
        Material::Metal(metal) => json!({
            "pbrMetallicRoughness": base(metal.albedo.typical().get(), 1.0, 1.0, metal.fuzz.typical().get()),
        }),
        Material::Dielectric(glass) => json!({
            "pbrMetallicRoughness": base(WHITE, 1.0, 0.0, 0.0),
            "extensions": {
                "KHR_materials_transmission": { "transmissionFactor": 1.0 },
                "KHR_materials_ior": { "ior": glass.refractive_index.get() },
                // Any thickness says that it is a solid.
                "KHR_materials_volume": { "thicknessFactor": 1.0 },
            },
        }),
        Material::Emissive(emissive) => area_light_material(emissive.emission.typical().get()),
        Material::Principled(principled) => from_principled(principled),
        // Resolved above, and before.
        Material::Mix(_) | Material::Preset(_) => json!({}),
    };
    // Images are not in the file.
    if material.asset_names().is_empty() {
        made["extras"] = json!({ ORIGINAL: material.to_json() });
    }
    made
}

/// The material of an area light: it emits and reflects nothing.
pub(super) fn area_light_material(radiance: [f64; 3]) -> Value {
    let mut made = json!({
        "pbrMetallicRoughness": base([0.0; 3], 1.0, 0.0, 1.0),
        "extensions": { "KHR_materials_specular": { "specularFactor": 0.0 } },
    });
    set_emission(&mut made, radiance);
    made
}

fn base(colour: [f64; 3], opacity: f64, metalness: f64, roughness: f64) -> Value {
    let [red, green, blue] = colour;
    json!({ "baseColorFactor": [red, green, blue, opacity], "metallicFactor": metalness,
        "roughnessFactor": roughness })
}

/// Sets the emission: a colour up to 1, and a strength.
pub(super) fn set_emission(made: &mut Value, emission: [f64; 3]) {
    let brightest = emission.into_iter().fold(0.0, f64::max);
    if brightest > 0.0 {
        made["emissiveFactor"] = json!(emission.map(|part| part / brightest));
        made["extensions"]["KHR_materials_emissive_strength"] =
            json!({ "emissiveStrength": brightest });
    }
}

fn from_principled(principled: &scene::Principled) -> Value {
    let weight = principled.base_weight.typical().get();
    let clear = principled.transmission_weight.typical().get() >= 0.5
        && principled.transmission_depth.get() == 0.0;
    // In glTF the base colour tints transmitted light, unless a volume does.
    let tint = if clear { &principled.transmission_color } else { &principled.base_color };
    let weight = if clear { 1.0 } else { weight };
    let colour = tint.typical().get().map(|part| part * weight);
    let opacity = principled.geometry_opacity.typical().get();
    let mut made = json!({
        "pbrMetallicRoughness": base(
            colour,
            opacity,
            principled.base_metalness.typical().get(),
            principled.specular_roughness.typical().get(),
        ),
        "extensions": {
            "KHR_materials_ior": { "ior": principled.specular_ior.get() },
            "KHR_materials_specular": {
                "specularFactor": principled.specular_weight.typical().get(),
                "specularColorFactor": principled.specular_color.typical().get(),
            },
        },
    });
    if opacity < 1.0 {
        made["alphaMode"] = "BLEND".into();
    }
    set_emission(&mut made, principled.emission().typical().get());
    let extensions = &mut made["extensions"];
    if principled.transmission_weight.typical().get() > 0.0 {
        extensions["KHR_materials_transmission"] =
            json!({ "transmissionFactor": principled.transmission_weight.typical().get() });
        let mut volume = json!({ "thicknessFactor": 1.0 });
        if principled.transmission_depth.get() > 0.0 {
            volume["attenuationDistance"] = principled.transmission_depth.get().into();
            volume["attenuationColor"] = json!(principled.transmission_color.typical().get());
        }
        // A material without a volume is thin-walled.
        if !principled.geometry_thin_walled {
            extensions["KHR_materials_volume"] = volume;
        }
    }
    if principled.coat_weight.typical().get() > 0.0 {
        extensions["KHR_materials_clearcoat"] = json!({
            "clearcoatFactor": principled.coat_weight.typical().get(),
            "clearcoatRoughnessFactor": principled.coat_roughness.typical().get(),
        });
    }
    let fuzz = principled.fuzz_weight.typical().get();
    if fuzz > 0.0 {
        extensions["KHR_materials_sheen"] = json!({
            "sheenColorFactor": principled.fuzz_color.typical().get().map(|part| part * fuzz),
            "sheenRoughnessFactor": principled.fuzz_roughness.typical().get(),
        });
    }
    if principled.thin_film_weight.typical().get() > 0.0 {
        extensions["KHR_materials_iridescence"] = json!({
            "iridescenceFactor": principled.thin_film_weight.typical().get(),
            "iridescenceIor": principled.thin_film_ior.get(),
            "iridescenceThicknessMaximum": principled.thin_film_thickness.typical().get() * 1000.0,
        });
    }
    if principled.specular_roughness_anisotropy.typical().get() > 0.0 {
        extensions["KHR_materials_anisotropy"] = json!({ "anisotropyStrength": principled.specular_roughness_anisotropy.typical().get() });
    }
    made
}

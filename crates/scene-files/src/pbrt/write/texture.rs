//! Textures of the scene as PBRT text.

use std::fmt::Write;

use crate::export::{Exported, InstanceTextures};
use crate::image_texture::{ImageTexture, ScaleOffset};
use crate::uv_transform::UvTransform;

/// The textures that a material refers to.
#[derive(Debug, Default)]
pub(super) struct DefinedTextures {
    /// The name of a texture.
    reflectance: Option<String>,
    /// The path of an image.
    normal_map: Option<String>,
}

impl DefinedTextures {
    /// Writes the `Texture` directives that a material needs before it. `path` gives the path of an image.
    pub(super) fn define(
        text: &mut String,
        textures: Option<&InstanceTextures>,
        path: &dyn Fn(usize) -> String,
        exported: &mut Exported,
    ) -> Self {
        let mut defined = Self::default();
        let Some(InstanceTextures { material, number, .. }) = textures else { return defined };
        if let Some(base) = &material.base {
            let name = format!("color {number}");
            let factor = material.base_factor;
            let max = factor.into_iter().fold(0.0, f64::max);
            if factor.iter().any(|channel| (channel - max).abs() > 1e-6) {
                exported.note("an image that is tinted has its own colours there");
            }
            define(text, &name, base, max, &path(base.image), exported);
            defined.reflectance = Some(name);
        }
        if material.metallic_roughness.is_some() || material.has_opacity {
            exported.note(
                "images of roughness, metalness and opacity are left out: they have one value there",
            );
        }
        if material.emission.is_some() {
            exported.note("images of light are left out: such surfaces shine evenly");
        }
        if let Some((normals, _)) = &material.normals {
            if normals.transform != UvTransform::IDENTITY {
                exported.note("images of normals lie on u and v as they are");
            }
            defined.normal_map = Some(path(normals.image));
        }
        defined
    }

    /// The parameters for reflectance and normals of a material; the colour counts without a texture.
    pub(super) fn reflectance(&self, [r, g, b]: [f64; 3]) -> String {
        let color = match &self.reflectance {
            Some(name) => format!("\"texture reflectance\" [ \"{name}\" ]"),
            None => format!("\"rgb reflectance\" [ {r} {g} {b} ]"),
        };
        color + &self.normal_map()
    }

    /// The parameter for the normal map of a material.
    pub(super) fn normal_map(&self) -> String {
        let path = self.normal_map.as_ref();
        path.map_or_else(String::new, |path| format!(" \"string normalmap\" [ \"{path}\" ]"))
    }
}

/// Writes the directive of an image texture.
fn define(
    text: &mut String,
    name: &str,
    texture: &ImageTexture<usize>,
    factor: f64,
    path: &str,
    exported: &mut Exported,
) {
    let ScaleOffset { scale: [u_scale, v_scale], offset: [u, v], clamps } =
        texture.scale_offset(exported);
    let wrap = if clamps { "clamp" } else { "repeat" };
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "Texture \"{name}\" \"spectrum\" \"imagemap\" \"string filename\" [ \"{path}\" ] \
         \"string wrap\" [ \"{wrap}\" ] \"float scale\" [ {factor} ]\n  \
         \"float uscale\" [ {u_scale} ] \"float vscale\" [ {v_scale} ] \
         \"float udelta\" [ {u} ] \"float vdelta\" [ {v} ]"
    );
}

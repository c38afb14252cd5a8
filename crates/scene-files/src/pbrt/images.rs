//! Images on materials, as PBRT text.

use std::fmt::Write;

use scene::Wrap;

use crate::Exported;
use crate::textures::{Painted, Picture, Transform};

/// What a material shows instead of its own.
#[derive(Debug, Default)]
pub(super) struct Shown {
    reflectance: Option<String>,
    normals: Option<String>,
}

impl Shown {
    /// Defines the textures of a painting, ahead of its material; `file` gives the name of an image.
    pub(super) fn define(
        text: &mut String,
        painted: Option<&Painted>,
        file: &dyn Fn(usize) -> String,
        exported: &mut Exported,
    ) -> Self {
        let mut shown = Shown::default();
        let Some(Painted { painting, number, .. }) = painted else { return shown };
        if let Some(picture) = &painting.base {
            let name = format!("color {number}");
            let factor = painting.base_factor;
            let most = factor.into_iter().fold(0.0, f64::max);
            if factor.iter().any(|channel| (channel - most).abs() > 1e-6) {
                exported.note("an image that is tinted has its own colours there");
            }
            texture(text, &name, picture, most, &file(picture.image), exported);
            shown.reflectance = Some(name);
        }
        if painting.surface.is_some() || painting.has_opacity {
            exported.note(
                "images of roughness, metalness and opacity are left out: they have one value there",
            );
        }
        if painting.emission.is_some() {
            exported.note("images of light are left out: such surfaces shine evenly");
        }
        if let Some((picture, _)) = &painting.normals {
            if picture.transform != Transform::NONE {
                exported.note("images of normals lie on u and v as they are");
            }
            shown.normals = Some(file(picture.image));
        }
        shown
    }

    /// The reflectance of a material, whose colour is `even` where it shows no image, and its normals.
    pub(super) fn reflectance(&self, [r, g, b]: [f64; 3]) -> String {
        let color = match &self.reflectance {
            Some(name) => format!("\"texture reflectance\" [ \"{name}\" ]"),
            None => format!("\"rgb reflectance\" [ {r} {g} {b} ]"),
        };
        color + &self.normals()
    }

    /// The image of normals of a material.
    pub(super) fn normals(&self) -> String {
        let normals = self.normals.as_ref();
        normals.map_or_else(String::new, |file| format!(" \"string normalmap\" [ \"{file}\" ]"))
    }
}

fn texture(
    text: &mut String,
    name: &str,
    picture: &Picture,
    scale: f64,
    file: &str,
    exported: &mut Exported,
) {
    let Transform { linear, offset } = picture.transform;
    if linear.x_axis.y.abs() > 1e-9 {
        exported.note("textures that are turned lie as they would without");
    }
    let wrap = match picture.wrap {
        Wrap::Clamp => "clamp",
        Wrap::Repeat => "repeat",
        Wrap::Mirror => {
            exported.note("textures that are mirrored at their edges are repeated");
            "repeat"
        }
    };
    let (across, up) = (linear.x_axis.x, linear.y_axis.y);
    // Writing to a text cannot fail.
    let _ = writeln!(
        text,
        "Texture \"{name}\" \"spectrum\" \"imagemap\" \"string filename\" [ \"{file}\" ] \
         \"string wrap\" [ \"{wrap}\" ] \"float scale\" [ {scale} ]\n  \
         \"float uscale\" [ {across} ] \"float vscale\" [ {up} ] \
         \"float udelta\" [ {} ] \"float vdelta\" [ {} ]",
        offset.x, offset.y
    );
}

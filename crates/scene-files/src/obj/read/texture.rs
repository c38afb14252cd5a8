//! Textures of MTL materials.

use glam::{DMat2, DVec2};
use scene::Wrap;

use crate::image_texture::ImageTexture;
use crate::import::{FileSource, ImageCache, SceneBuilder};
use crate::uv_transform::UvTransform;

/// The options of a texture and its file, as in `map_Kd -s 2 2 1 wood.png`.
#[derive(Debug, Clone, PartialEq)]
struct TextureLine<'a> {
    path: &'a str,
    transform: UvTransform,
    clamps: bool,
    /// The bump multiplier (`-bm`).
    strength: f64,
    /// The channel (`-imfchan`) as a scene names it. `None` takes the luminance.
    channel: Option<&'static str>,
}

/// The maximum number of arguments of an option, and whether they are numbers, of which there may be
/// fewer.
fn arguments_of(option: &str) -> Option<(usize, bool)> {
    Some(match option {
        "-o" | "-s" | "-t" => (3, true),
        "-mm" => (2, true),
        "-bm" | "-boost" | "-texres" => (1, true),
        "-blendu" | "-blendv" | "-cc" | "-clamp" | "-imfchan" | "-type" | "-colorspace" => {
            (1, false)
        }
        _ => return None,
    })
}

impl<'a> TextureLine<'a> {
    /// Options come first. The rest is the path, which may contain spaces.
    fn parse(text: &'a str) -> Self {
        let mut line = Self {
            path: "",
            transform: UvTransform::IDENTITY,
            clamps: false,
            strength: 1.0,
            channel: None,
        };
        let mut rest = text.trim();
        while let Some((option, behind)) = rest.split_once(char::is_whitespace)
            && let Some((max, are_numbers)) = arguments_of(option)
        {
            let mut words = Vec::new();
            rest = behind.trim_start();
            while words.len() < max
                && let Some((word, behind)) = rest.split_once(char::is_whitespace)
                && (!are_numbers || number(word).is_some())
            {
                words.push(word);
                rest = behind.trim_start();
            }
            line.set_option(option, &words);
        }
        line.path = rest;
        line
    }

    fn set_option(&mut self, option: &str, words: &[&'a str]) {
        let numbers: Vec<f64> = words.iter().filter_map(|word| number(word)).collect();
        match (option, numbers.as_slice(), words) {
            ("-o", [x, y, ..], _) => self.transform.offset = DVec2::new(*x, *y),
            ("-o", [x], _) => self.transform.offset.x = *x,
            ("-s", [x, y, ..], _) => self.transform.linear = DMat2::from_diagonal([*x, *y].into()),
            ("-s", [x], _) => self.transform.linear = DMat2::from_diagonal(DVec2::new(*x, 1.0)),
            ("-bm", [strength], _) => self.strength = *strength,
            ("-clamp", _, [word]) => self.clamps = *word == "on",
            ("-imfchan", _, ["r"]) => self.channel = Some("red"),
            ("-imfchan", _, ["g"]) => self.channel = Some("green"),
            ("-imfchan", _, ["b"]) => self.channel = Some("blue"),
            ("-imfchan", _, ["m"]) => self.channel = Some("alpha"),
            _ => {}
        }
    }
}

fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| number.is_finite())
}

/// A texture of a material.
#[derive(Debug, Clone)]
pub(super) struct MtlTexture {
    pub(super) texture: ImageTexture<String>,
    pub(super) is_normal_map: bool,
    /// See [`TextureLine::strength`].
    pub(super) strength: f64,
    /// See [`TextureLine::channel`].
    pub(super) channel: Option<&'static str>,
}

/// Finds the textures of materials.
pub(super) struct Textures<'a> {
    images: ImageCache<String>,
    files: FileSource<'a>,
}

impl<'a> Textures<'a> {
    pub(super) fn new(files: FileSource<'a>) -> Self {
        Self { images: ImageCache::default(), files }
    }

    /// The texture of a property; `text` is the rest of the line after the keyword. One that cannot be used is noted.
    pub(super) fn find(&mut self, text: &str, builder: &mut SceneBuilder) -> Option<MtlTexture> {
        let line = TextureLine::parse(text);
        let path = line.path.replace('\\', "/");
        // Absolute paths of the author's machine are common; the file may lie beside the OBJ file.
        let name = path.rsplit('/').next().unwrap_or_default();
        let is_beside = path != name
            && !self.images.contains(&path)
            && (self.files)(&path).is_err()
            && (self.files)(name).is_ok();
        let path = if is_beside { name } else { &path };
        let image = self.images.get_or_read_file(path, self.files, builder)?;
        let wrap = if line.clamps { Wrap::Clamp } else { Wrap::Repeat };
        let TextureLine { transform, strength, channel, .. } = line;
        let texture = ImageTexture::imported(image.asset, wrap, transform, builder);
        Some(MtlTexture { texture, is_normal_map: image.is_normal_map, strength, channel })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_first_and_names_may_have_spaces() {
        let plain = TextureLine::parse("wood.png");
        assert_eq!((plain.path, plain.transform), ("wood.png", UvTransform::IDENTITY));
        let line = TextureLine::parse(
            " -s 2 3 1 -o 0.5 -bm 0.2 -clamp on -imfchan g textures\\old oak 2.png ",
        );
        assert_eq!(line.path, "textures\\old oak 2.png");
        assert_eq!(line.transform.linear, DMat2::from_diagonal(DVec2::new(2.0, 3.0)));
        assert_eq!(line.transform.offset, DVec2::new(0.5, 0.0));
        assert_eq!((line.strength, line.clamps, line.channel), (0.2, true, Some("green")));
        // A name that begins like an option, or like a number, is a name all the same.
        assert_eq!(TextureLine::parse("-wall.png").path, "-wall.png");
        assert_eq!(TextureLine::parse("-o 1 1 2.png").path, "2.png");
        for damaged in ["", "-s", "-s 1", "-bm", "-o nan 1 a.png", "-unknown 3 a.png"] {
            TextureLine::parse(damaged);
        }
    }
}

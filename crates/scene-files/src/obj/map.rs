//! The images of MTL materials, and how they lie.

use glam::{DMat2, DVec2};
use serde_json::{Map, Value};

use crate::Beside;
use crate::draft::Draft;
use crate::pictures::{Pictures, place};
use crate::textures::Transform;

/// What a line such as `map_Kd -s 2 2 1 wood.png` says.
#[derive(Debug, Clone, PartialEq)]
struct Line<'a> {
    /// Of the file.
    name: &'a str,
    transform: Transform,
    clamps: bool,
    /// What its numbers are multiplied by.
    strength: f64,
    /// The channel its numbers are in, as scene files call it; none that is said: its brightness.
    channel: Option<&'static str>,
}

/// Words that follow an option, at most; numbers only, where there may be fewer of them.
fn words_of(option: &str) -> Option<(usize, bool)> {
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

impl<'a> Line<'a> {
    /// Options come first; all that is left is the name of the file, which may have spaces in it.
    fn of(text: &'a str) -> Self {
        let mut line = Self {
            name: "",
            transform: Transform::NONE,
            clamps: false,
            strength: 1.0,
            channel: None,
        };
        let mut rest = text.trim();
        while let Some((option, behind)) = rest.split_once(char::is_whitespace)
            && let Some((most, numbers)) = words_of(option)
        {
            let mut words = Vec::new();
            rest = behind.trim_start();
            while words.len() < most
                && let Some((word, behind)) = rest.split_once(char::is_whitespace)
                && (!numbers || number(word).is_some())
            {
                words.push(word);
                rest = behind.trim_start();
            }
            line.take(option, &words);
        }
        line.name = rest;
        line
    }

    fn take(&mut self, option: &str, words: &[&'a str]) {
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

/// An image that a material shows.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    /// As a texture of scene files has it but for its type.
    pub(super) image: Map<String, Value>,
    pub(super) holds_normals: bool,
    pub(super) strength: f64,
    pub(super) channel: Option<&'static str>,
}

/// The images of a file's materials.
pub(super) struct Maps<'a> {
    pictures: Pictures,
    beside: Beside<'a>,
}

impl<'a> Maps<'a> {
    pub(super) fn new(beside: Beside<'a>) -> Self {
        Self { pictures: Pictures::default(), beside }
    }

    /// The image that `text`, what follows the word of a map, names. One that cannot be had is noted.
    pub(super) fn find(&mut self, text: &str, draft: &mut Draft) -> Option<Shown> {
        let line = Line::of(text);
        let name = line.name.replace('\\', "/");
        // Paths of the machine it was made on lead nowhere: the file itself is often sent along.
        let file = name.rsplit('/').next().unwrap_or_default();
        let astray = name != file
            && !self.pictures.knows(&name)
            && (self.beside)(&name).is_err()
            && (self.beside)(file).is_ok();
        let wanted = if astray { file } else { &name };
        let kept = self.pictures.find(wanted, self.beside, draft)?;
        let mut image = Map::new();
        image.insert("asset".into(), kept.asset.into());
        if line.clamps {
            image.insert("wrap".into(), "clamp".into());
        }
        if line.transform != Transform::NONE {
            place(&line.transform, &mut image, draft);
        }
        let Line { strength, channel, .. } = line;
        Some(Shown { image, holds_normals: kept.holds_normals, strength, channel })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_first_and_names_may_have_spaces() {
        let plain = Line::of("wood.png");
        assert_eq!((plain.name, plain.transform), ("wood.png", Transform::NONE));
        let line =
            Line::of(" -s 2 3 1 -o 0.5 -bm 0.2 -clamp on -imfchan g textures\\old oak 2.png ");
        assert_eq!(line.name, "textures\\old oak 2.png");
        assert_eq!(line.transform.linear, DMat2::from_diagonal(DVec2::new(2.0, 3.0)));
        assert_eq!(line.transform.offset, DVec2::new(0.5, 0.0));
        assert_eq!((line.strength, line.clamps, line.channel), (0.2, true, Some("green")));
        // A name that begins like an option, or like a number, is a name all the same.
        assert_eq!(Line::of("-wall.png").name, "-wall.png");
        assert_eq!(Line::of("-o 1 1 2.png").name, "2.png");
        for damaged in ["", "-s", "-s 1", "-bm", "-o nan 1 a.png", "-unknown 3 a.png"] {
            Line::of(damaged);
        }
    }
}

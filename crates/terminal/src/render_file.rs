//! `/render FILE`: a picture that the server renders, saved here.

use std::path::{Path, PathBuf};

use client::Server;

/// A picture to save.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RenderFile {
    path: PathBuf,
    mime_type: &'static str,
    options: Vec<(&'static str, String)>,
}

/// The size of pictures if none is asked for.
const SIZE: (u32, u32) = (800, 600);
/// Samples per pixel if none are asked for.
const SAMPLES: u32 = 128;
/// Pictures of up to so many pixels are denoised: the server takes no larger ones for that.
const DENOISED_PIXELS: u64 = 1 << 21;

impl RenderFile {
    /// Reads `FILE [WIDTHxHEIGHT] [SAMPLES]`. The file may have spaces in its name.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (mut size, mut samples) = (SIZE, SAMPLES);
        let mut name = text.trim();
        while let Some((before, word)) = name.rsplit_once(' ') {
            if let Some(given) = size_of(word) {
                size = given;
            } else if let Ok(given) = word.parse() {
                samples = given;
            } else {
                break;
            }
            name = before.trim_end();
        }
        if name.is_empty() {
            return Err("say where to save the picture: /render FILE.png".into());
        }
        let path = home(name);
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let mime_type = match ending.to_lowercase().as_str() {
            "png" => "image/png",
            "jpg" | "jpeg" => "image/jpeg",
            "webp" => "image/webp",
            "exr" => "image/x-exr",
            _ => {
                return Err(format!(
                    "'{name}' ends with no known picture format; use .png, .jpg, .webp or .exr"
                ));
            }
        };
        let (width, height) = (size.0.to_string(), size.1.to_string());
        let mut options =
            vec![("width", width), ("height", height), ("samples", samples.to_string())];
        // EXR files are for other programs, which get what was measured.
        let small = u64::from(size.0) * u64::from(size.1) <= DENOISED_PIXELS;
        if small && mime_type != "image/x-exr" {
            options.push(("denoise", "builtin".to_owned()));
        }
        Ok(Self { path, mime_type, options })
    }

    /// Renders and saves; tells where.
    pub(crate) async fn save(&self, server: &Server, session: &str) -> Result<String, String> {
        let path = self.path.display();
        let picture = server.render(session, self.mime_type, &self.options).await;
        let picture = picture.map_err(|error| format!("{path} was not rendered: {error}"))?;
        let written = tokio::fs::write(&self.path, &picture).await;
        written.map_err(|error| format!("{path} was not saved: {error}; choose another file"))?;
        Ok(format!("saved {path}"))
    }
}

fn size_of(word: &str) -> Option<(u32, u32)> {
    let (width, height) = word.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

/// A path with `~/` at its beginning, which shells resolve and this does, too.
fn home(name: &str) -> PathBuf {
    match (name.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => Path::new(name).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_and_the_samples_are_optional() {
        let parsed = RenderFile::parse("my scene.webp 640x480 16").unwrap();
        assert_eq!((&*parsed.path, parsed.mime_type), (Path::new("my scene.webp"), "image/webp"));
        let values: Vec<&str> = parsed.options.iter().map(|(_, value)| &**value).collect();
        assert_eq!(values, ["640", "480", "16", "builtin"]);
        let parsed = RenderFile::parse("a.png").unwrap();
        assert_eq!(parsed.options[2].1, "128");
    }

    #[test]
    fn files_for_other_programs_and_very_large_pictures_are_not_denoised() {
        for text in ["a.exr", "a.png 4000x3000"] {
            assert_eq!(RenderFile::parse(text).unwrap().options.len(), 3, "{text}");
        }
    }

    #[test]
    fn an_unknown_ending_is_refused() {
        let error = RenderFile::parse("a.gif").unwrap_err();
        assert!(error.contains("a.gif") && error.contains(".png"), "{error}");
    }
}

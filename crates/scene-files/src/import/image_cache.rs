//! Images that an imported file names, each read and decoded once.

use std::collections::HashMap;
use std::hash::Hash;

use glam::Vec4;
use image_files::Format;
use media::Image;

use super::{FileSource, SceneBuilder};

/// Images of one file. Each is decoded to check it, which takes time.
const MAX_IMAGES: usize = 128;
/// Rows and columns of the grid on which an image is sampled to recognise normal maps.
const SAMPLES: u16 = 16;

/// An image that was checked and added to the scene.
#[derive(Debug, Clone)]
pub(crate) struct ImportedImage {
    /// The name of its asset.
    pub(crate) asset: String,
    /// Whether its colours are those of a normal map.
    pub(crate) is_normal_map: bool,
}

/// The images read so far, by how the file names them: an index in glTF, a path elsewhere. `None` is
/// an image that cannot be used.
#[derive(Debug)]
pub(crate) struct ImageCache<Key>(HashMap<Key, Option<ImportedImage>>);

impl<Key> Default for ImageCache<Key> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

/// The file of an image, with a name for it.
pub(crate) type NamedFile = (String, Vec<u8>);

impl<Key: Eq + Hash> ImageCache<Key> {
    /// The image of a key; `read` is called the first time. An image that cannot be used is noted,
    /// where `label` names it.
    pub(crate) fn get_or_read(
        &mut self,
        key: Key,
        label: &str,
        read: impl FnOnce() -> Result<NamedFile, String>,
        builder: &mut SceneBuilder,
    ) -> Option<ImportedImage> {
        if let Some(known) = self.0.get(&key) {
            return known.clone();
        }
        let image = if self.0.len() < MAX_IMAGES {
            let image = read().and_then(|(name, bytes)| import(&name, bytes, builder));
            image.map_err(|error| builder.note(format!("{label} is left out: {error}"))).ok()
        } else {
            builder.note(format!("of more than {MAX_IMAGES} images the rest is left out"));
            None
        };
        self.0.insert(key, image.clone());
        image
    }
}

impl ImageCache<String> {
    /// Whether the image at a path was asked for before.
    pub(crate) fn contains(&self, path: &str) -> bool {
        self.0.contains_key(path)
    }

    /// The image at a path relative to the imported file.
    pub(crate) fn get_or_read_file(
        &mut self,
        path: &str,
        files: FileSource<'_>,
        builder: &mut SceneBuilder,
    ) -> Option<ImportedImage> {
        let label = format!("the image '{}'", path.chars().take(60).collect::<String>());
        let stem = std::path::Path::new(path).file_stem().and_then(|stem| stem.to_str());
        let name = stem.unwrap_or_default().to_owned();
        let read = || files(path).map(|bytes| (name, bytes)).map_err(|error| error.to_string());
        self.get_or_read(path.to_owned(), &label, read, builder)
    }
}

/// Decodes an image to check it, and adds its file to the scene.
fn import(name: &str, bytes: Vec<u8>, builder: &mut SceneBuilder) -> Result<ImportedImage, String> {
    let format = Format::of_content(&bytes).ok_or("it is of no known kind")?;
    let image = image_files::read(&bytes, format, &image_files::Limits::default())
        .map_err(|error| error.to_string())?;
    let asset = builder.image(name, format, bytes);
    Ok(ImportedImage { asset, is_normal_map: is_normal_map(&image) })
}

/// Whether an image looks like a normal map: on average its normals point straight out (half red, half
/// green, blue), and none of them points inwards.
fn is_normal_map(image: &Image) -> bool {
    let coordinate = |at: u16| (f32::from(at) + 0.5) / f32::from(SAMPLES);
    let grid = (0..SAMPLES).flat_map(|y| (0..SAMPLES).map(move |x| [coordinate(x), coordinate(y)]));
    let (mut sum, mut min_blue) = (Vec4::ZERO, 1.0_f32);
    for uv in grid {
        let texel = Vec4::from_array(image.stored(uv));
        sum += texel;
        min_blue = min_blue.min(texel.z);
    }
    let mean = sum / f32::from(SAMPLES * SAMPLES);
    let is_half = |number: f32| (number - 0.5).abs() < 0.1;
    is_half(mean.x) && is_half(mean.y) && mean.z > 0.7 && min_blue >= 0.45
}

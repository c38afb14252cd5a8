//! Images with what the tracer finds out about them once.

use std::sync::{Arc, OnceLock};

use media::Image;

use crate::light::SkyMap;

/// An image for textures and environments. Kept by whoever renders, since a scene is built anew at each
/// edit.
#[derive(Debug, Clone)]
pub struct ImageMap {
    image: Image,
    /// For environments.
    sky: OnceLock<Arc<SkyMap>>,
}

impl ImageMap {
    /// An image of which nothing is known yet.
    pub fn new(image: Image) -> Self {
        Self { image, sky: OnceLock::new() }
    }

    /// The pixels.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Where its light comes from, when it is a panorama.
    pub(crate) fn sky(&self) -> &Arc<SkyMap> {
        self.sky.get_or_init(|| Arc::new(SkyMap::of_panorama(&self.image)))
    }
}

impl From<Image> for ImageMap {
    fn from(image: Image) -> Self {
        Self::new(image)
    }
}

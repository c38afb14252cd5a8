//! Images with their precomputed data.

use std::sync::{Arc, OnceLock};

use media::Image;

use crate::light::SkyMap;

/// An image for textures and environments. The renderer caches it, since every edit builds the
/// scene anew.
#[derive(Debug, Clone)]
pub struct ImageMap {
    image: Image,
    /// The importance distribution, for environments.
    sky: OnceLock<Arc<SkyMap>>,
}

impl ImageMap {
    /// An image without precomputed data.
    pub fn new(image: Image) -> Self {
        Self { image, sky: OnceLock::new() }
    }

    /// The pixels.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Its distribution as an environment map.
    pub(crate) fn sky(&self) -> &Arc<SkyMap> {
        self.sky.get_or_init(|| Arc::new(SkyMap::of_panorama(&self.image)))
    }
}

impl From<Image> for ImageMap {
    fn from(image: Image) -> Self {
        Self::new(image)
    }
}

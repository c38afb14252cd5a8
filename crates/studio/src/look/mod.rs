//! Analysis of a picture: visible objects, their brightness, and occlusion.

mod patches;
mod words;

use scene::{Id, Scene};
use spatial::View;
use tracer::{Aovs, LinearImage};

pub(crate) use patches::Patch;
pub(crate) use words::{describe, most_important_first};

/// A picture of a scene with the object and depth of each pixel.
#[derive(Debug)]
pub(crate) struct Look {
    /// The scene, with the camera the picture was taken by.
    pub(crate) scene: std::sync::Arc<Scene>,
    /// Linear light, as the camera exposes it.
    pub(crate) image: LinearImage,
    /// The object and the distance at each pixel.
    pub(crate) aovs: Aovs,
    /// The objects that the object layer numbers.
    pub(crate) objects: Vec<Id>,
    /// Samples per pixel, on average.
    pub(crate) samples: f64,
    /// The tracing time.
    pub(crate) traced: std::time::Duration,
}

impl Look {
    /// The camera's view, for projections.
    pub(crate) fn view(&self) -> View {
        let aspect = f64::from(self.image.width) / f64::from(self.image.height);
        View::with_aspect(&self.scene.camera, aspect)
    }

    /// The id of the object with this index in the layers.
    pub(crate) fn id(&self, object: u32) -> &str {
        self.objects.get(object as usize).map_or("", Id::as_str)
    }

    /// The pixel at a point of the picture from 0 to 1, from the top left.
    fn pixel_at(&self, at: glam::DVec2) -> Option<usize> {
        let size = glam::DVec2::new(self.image.width.into(), self.image.height.into());
        let place = at * size;
        let inside = place.cmpge(glam::DVec2::ZERO).all() && place.cmplt(size).all();
        inside.then(|| place.y as usize * self.image.width as usize + place.x as usize)
    }
}

/// Luminance of linear sRGB (Rec. 709).
pub(crate) fn luminance([red, green, blue]: [f32; 3]) -> f32 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

//! Image textures, as glTF, OBJ and PBRT have them in common.

use scene::Wrap;
use serde_json::{Map, Value, json};

use crate::export::Exported;
use crate::import::SceneBuilder;
use crate::mesh_transform::tidy;
use crate::uv_transform::UvTransform;

/// An image on a surface: the image, its wrap mode and a transform of the UV coordinates.
///
/// `Image` is the name of the asset in an import (`String`), and an index into
/// [`TextureExporter::images`](crate::export::TextureExporter::images) in an export (`usize`).
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ImageTexture<Image> {
    pub(crate) image: Image,
    pub(crate) wrap: Wrap,
    pub(crate) transform: UvTransform,
}

impl ImageTexture<String> {
    /// A texture of an imported material. A transform that a scene cannot hold is left out with a note.
    pub(crate) fn imported(
        asset: String,
        wrap: Wrap,
        transform: UvTransform,
        builder: &mut SceneBuilder,
    ) -> Self {
        let transform = if transform.placement().is_some() {
            transform
        } else {
            builder.note(
                "textures that are mirrored, skewed or without extent lie as they would without \
                 their transform",
            );
            UvTransform::IDENTITY
        };
        Self { image: asset, wrap, transform }
    }

    /// A texture of the scene file that goes from black to `second` with one channel of the image;
    /// `None` takes its colour.
    pub(crate) fn to_json(&self, channel: Option<&str>, second: Value) -> Value {
        let mut texture = Map::new();
        texture.insert("type".into(), "image".into());
        texture.extend(self.properties());
        texture.extend(channel.map(|channel| ("channel".to_owned(), channel.into())));
        texture.insert("second".into(), second);
        texture.into()
    }

    /// A normal map of the scene file. `strength` scales the slopes, from 0 to 1.
    pub(crate) fn normal_map(&self, strength: f64) -> Value {
        let mut map = self.properties();
        if strength < 1.0 {
            map.insert("strength".into(), json!(strength));
        }
        map.into()
    }

    /// The properties that textures and normal maps share, without those that have their defaults.
    fn properties(&self) -> Map<String, Value> {
        let mut properties = Map::new();
        properties.insert("asset".into(), self.image.as_str().into());
        match self.wrap {
            Wrap::Repeat => None,
            Wrap::Mirror => properties.insert("wrap".into(), "mirror".into()),
            Wrap::Clamp => properties.insert("wrap".into(), "clamp".into()),
        };
        let Some((offset, scale, degrees)) = self.transform.placement() else { return properties };
        let ([x, y], [across, up], degrees) = (offset.map(tidy), scale.map(tidy), tidy(degrees));
        if [across, up] != [1.0; 2] {
            properties.insert("scale".into(), json!([across, up, 1.0]));
        }
        if degrees != 0.0 {
            properties.insert("rotation".into(), json!([0.0, 0.0, degrees]));
        }
        if [x, y] != [0.0; 2] {
            properties.insert("offset".into(), json!([x, y, 0.0]));
        }
        properties
    }
}

/// What OBJ and PBRT hold of an image texture: a scale and an offset of the UV coordinates, and
/// whether the image is clamped or repeated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ScaleOffset {
    pub(crate) scale: [f64; 2],
    pub(crate) offset: [f64; 2],
    pub(crate) clamps: bool,
}

impl ImageTexture<usize> {
    /// The texture without its rotation and its mirrored wrap mode, which are noted.
    pub(crate) fn scale_offset(&self, exported: &mut Exported) -> ScaleOffset {
        let UvTransform { linear, offset } = self.transform;
        if linear.x_axis.y.abs() > 1e-9 {
            exported.note("textures that are turned lie as they would without");
        }
        if self.wrap == Wrap::Mirror {
            exported.note("textures that are mirrored at their edges are repeated");
        }
        ScaleOffset {
            scale: [linear.x_axis.x, linear.y_axis.y],
            offset: offset.to_array(),
            clamps: self.wrap == Wrap::Clamp,
        }
    }
}

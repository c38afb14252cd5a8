//! Bakes textures, bumps and normal maps of a material onto images.

use glam::{DMat4, Vec3};
use image_files::Format;
use scene::{Material, Wrap};
use tracer::{Meshes, ShapeTextures, SurfaceSpot, TextureValue};

use super::atlas::BakeTarget;
use super::face::Face;
use super::material_textures::{BaseProperties, ImageFile, MaterialTextures};
use crate::SceneFileError;
use crate::export::Sources;
use crate::image_texture::ImageTexture;
use crate::uv_transform::UvTransform;

/// Image sizes by the maximum number of baked surfaces: some tens of megabytes in all.
const SIDES: [(usize, u32); 3] = [(12, 1024), (48, 512), (usize::MAX, 256)];

/// Width and height of the images for a number of baked surfaces.
pub(super) fn side(surfaces: usize) -> u32 {
    SIDES.iter().find(|(max, _)| surfaces <= *max).map_or(256, |(_, side)| *side)
}

/// The number of images that are baked for a material.
pub(super) fn image_count(material: &Material) -> u32 {
    let Some(base) = BaseProperties::of(material) else { return 0 };
    let images = [
        base.has_color_texture(),
        base.has_metallic_roughness_texture(),
        base.emission.texture().is_some(),
        material.relief().is_some() || material.normal_map().is_some(),
    ];
    images.into_iter().map(u32::from).sum()
}

impl BaseProperties {
    fn has_color_texture(&self) -> bool {
        self.color.texture().is_some()
            || self.weight.texture().is_some()
            || self.opacity.texture().is_some()
    }

    fn has_metallic_roughness_texture(&self) -> bool {
        self.roughness.texture().is_some() || self.metalness.texture().is_some()
    }
}

/// A surface whose textures are baked.
pub(super) struct BakedSurface<'a> {
    pub(super) target: &'a BakeTarget,
    /// From the space of the mesh to the world.
    pub(super) matrix: DMat4,
    pub(super) shape: &'a ShapeTextures,
    /// The images that the textures look up.
    pub(super) meshes: &'a Meshes,
}

impl BakedSurface<'_> {
    /// Bakes each property of the material that has a texture. The images are added to `images`.
    pub(super) fn bake(
        &self,
        base: &BaseProperties,
        images: &mut Vec<ImageFile>,
        sources: &Sources<'_>,
    ) -> Result<MaterialTextures, SceneFileError> {
        let (map, faces) = (&self.target.texels, self.target.faces(self.matrix));
        let mut image = |color: &dyn Fn(&SurfaceSpot, &Face) -> [u8; 4], background: [u8; 4]| {
            let pixels = map.paint(&faces, color, background, sources)?;
            let bytes = image_files::write_png([map.side; 2], &pixels);
            images.push(ImageFile { format: Format::Png, bytes });
            let (image, transform) = (images.len() - 1, UvTransform::IDENTITY);
            Ok::<_, SceneFileError>(ImageTexture { image, wrap: Wrap::Clamp, transform })
        };
        let has_opacity = base.opacity.texture().is_some();
        let mut textures = MaterialTextures { has_opacity, ..MaterialTextures::none(base) };
        if base.has_color_texture() {
            let color = self.base_color(base);
            textures.base = Some(image(&|spot, _| color(spot), [128, 128, 128, 255])?);
            (textures.base_factor, textures.opacity_factor) = ([1.0; 3], 1.0);
        }
        if base.has_metallic_roughness_texture() {
            let color = self.metallic_roughness(base);
            textures.metallic_roughness = Some(image(&|spot, _| color(spot), [0, 128, 0, 255])?);
            (textures.roughness_factor, textures.metalness_factor) = (1.0, 1.0);
        }
        if base.emission.texture().is_some() {
            // Pixels go up to 1; the factor makes them brighter.
            let max = base.emission.range()[1].into_iter().fold(0.0, f64::max);
            let color = self.emission(base, max);
            textures.emission = Some(image(&|spot, _| color(spot), [0, 0, 0, 255])?);
            textures.emission_factor = [max; 3];
        }
        if self.shape.has_relief() {
            let normals = image(&|spot, face| self.normal(spot, face), [128, 128, 255, 255])?;
            textures.normals = Some((normals, 1.0));
        }
        Ok(textures)
    }

    fn base_color(&self, base: &BaseProperties) -> impl Fn(&SurfaceSpot) -> [u8; 4] {
        let color = TextureValue::new(&base.color, self.meshes);
        let [weight, opacity] =
            [&base.weight, &base.opacity].map(|value| TextureValue::new(value, self.meshes));
        move |spot| {
            let weight = self.shape.value(&weight, spot)[0];
            let [red, green, blue] =
                self.shape.value(&color, spot).map(|channel| encode_srgb(channel * weight));
            [red, green, blue, byte(self.shape.value(&opacity, spot)[0])]
        }
    }

    fn metallic_roughness(&self, base: &BaseProperties) -> impl Fn(&SurfaceSpot) -> [u8; 4] {
        let [roughness, metalness] =
            [&base.roughness, &base.metalness].map(|value| TextureValue::new(value, self.meshes));
        move |spot| {
            let fraction = |value| byte(self.shape.value(value, spot)[0]);
            [0, fraction(&roughness), fraction(&metalness), 255]
        }
    }

    /// Emission divided by its maximum.
    fn emission(&self, base: &BaseProperties, max: f64) -> impl Fn(&SurfaceSpot) -> [u8; 4] {
        let emission = TextureValue::new(&base.emission, self.meshes);
        move |spot| {
            let value = self.shape.value(&emission, spot);
            let [red, green, blue] = value.map(|part| encode_srgb(part / max.max(1e-9) as f32));
            [red, green, blue, 255]
        }
    }

    fn normal(&self, spot: &SurfaceSpot, face: &Face) -> [u8; 4] {
        // Tangent and bitangent: perpendicular to the normal, along the axes of the atlas.
        let normal = Vec3::from_array(spot.shading);
        let right = face.axes[1].cross(normal).normalize_or(face.axes[0]);
        let up = normal.cross(face.axes[0]).normalize_or(face.axes[1]);
        let bent = self.shape.bent_normal(spot, right.to_array(), up.to_array());
        let [x, y, z] = bent.map(|part| byte(part.mul_add(0.5, 0.5)));
        [x, y, z, 255]
    }
}

fn byte(fraction: f32) -> u8 {
    (fraction.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// A linear channel as a byte of sRGB. IEC 61966-2-1.
fn encode_srgb(linear: f32) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    byte(if linear <= 0.003_130_8 {
        12.92 * linear
    } else {
        1.055 * linear.powf(1.0 / 2.4) - 0.055
    })
}

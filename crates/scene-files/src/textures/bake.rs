//! Textures painted onto images.

use glam::{DMat4, Vec3};
use image_files::Format;
use scene::{Material, Wrap};
use tracer::{Meshes, ShapeTextures, SurfaceSpot, TextureValue};

use super::atlas::Layout;
use super::face::Face;
use super::painting::{Base, Image, Painting, Picture};
use super::transform::Transform;
use crate::{SceneFileFault, Sources};

/// Edges of images by how many surfaces are painted at most: some tens of megabytes in all.
const SIDES: [(usize, u32); 3] = [(12, 1024), (48, 512), (usize::MAX, 256)];

/// The edge of the images where so many surfaces are painted.
pub(super) fn side(surfaces: usize) -> u32 {
    SIDES.iter().find(|(most, _)| surfaces <= *most).map_or(256, |(_, side)| *side)
}

/// How many images [`painting`] makes of a material.
pub(super) fn images(material: &Material) -> u32 {
    let Some(base) = Base::of(material) else { return 0 };
    let relief = material.relief().is_some() || material.normal_map().is_some();
    let images = [
        base.varies_in_color(),
        base.varies_in_surface(),
        base.emission.texture().is_some(),
        relief,
    ];
    images.into_iter().map(u32::from).sum()
}

impl Base {
    fn varies_in_color(&self) -> bool {
        self.color.texture().is_some()
            || self.weight.texture().is_some()
            || self.opacity.texture().is_some()
    }

    fn varies_in_surface(&self) -> bool {
        self.roughness.texture().is_some() || self.metalness.texture().is_some()
    }
}

/// A surface that a matrix takes to the world, painted with all of its base that varies. The images are
/// added to `images`.
pub(super) fn painting(
    base: &Base,
    textures: &ShapeTextures,
    layout: &Layout,
    matrix: DMat4,
    meshes: &Meshes,
    images: &mut Vec<Image>,
    sources: &Sources<'_>,
) -> Result<Painting, SceneFileFault> {
    let (canvas, faces) = (&layout.canvas, layout.faces(matrix));
    let mut painted = |kind: &dyn Fn(&SurfaceSpot, &Face) -> [u8; 4], ground: [u8; 4]| {
        let pixels = canvas.paint(&faces, kind, ground, sources)?;
        let bytes = image_files::write_png([canvas.side; 2], &pixels);
        images.push(Image { format: Format::Png, bytes });
        let wrap = Wrap::Clamp;
        Ok::<_, SceneFileFault>(Picture {
            image: images.len() - 1,
            wrap,
            transform: Transform::NONE,
        })
    };
    let [color, weight] =
        [TextureValue::new(&base.color, meshes), TextureValue::new(&base.weight, meshes)];
    let shares = [&base.roughness, &base.metalness, &base.opacity];
    let [roughness, metalness, opacity] = shares.map(|share| TextureValue::new(share, meshes));
    let has_opacity = base.opacity.texture().is_some();
    let mut painting = Painting { has_opacity, ..Painting::even(base) };
    if base.varies_in_color() {
        painting.base = Some(painted(
            &|spot, _| {
                let weight = textures.value(&weight, spot)[0];
                let [red, green, blue] =
                    textures.value(&color, spot).map(|part| encoded(part * weight));
                [red, green, blue, byte(textures.value(&opacity, spot)[0])]
            },
            [128, 128, 128, 255],
        )?);
        (painting.base_factor, painting.opacity_factor) = ([1.0; 3], 1.0);
    }
    if base.varies_in_surface() {
        painting.surface = Some(painted(
            &|spot, _| {
                let share = |value| byte(textures.value(value, spot)[0]);
                [0, share(&roughness), share(&metalness), 255]
            },
            [0, 128, 0, 255],
        )?);
        (painting.roughness_factor, painting.metalness_factor) = (1.0, 1.0);
    }
    if base.emission.texture().is_some() {
        // Images go up to 1; what is brighter is their factor.
        let brightest = base.emission.range()[1].into_iter().fold(0.0, f64::max);
        let emission = TextureValue::new(&base.emission, meshes);
        painting.emission = Some(painted(
            &|spot, _| {
                let [red, green, blue] = textures
                    .value(&emission, spot)
                    .map(|part| encoded(part / brightest.max(1e-9) as f32));
                [red, green, blue, 255]
            },
            [0, 0, 0, 255],
        )?);
        painting.emission_factor = [brightest; 3];
    }
    if textures.has_relief() {
        let picture = painted(
            &|spot, face| {
                // Across the normal: to the right with the same height, and upwards.
                let normal = Vec3::from_array(spot.shading);
                let right = face.axes[1].cross(normal).normalize_or(face.axes[0]);
                let up = normal.cross(face.axes[0]).normalize_or(face.axes[1]);
                let bent = textures.bent_normal(spot, right.to_array(), up.to_array());
                let [x, y, z] = bent.map(|part| byte(part.mul_add(0.5, 0.5)));
                [x, y, z, 255]
            },
            [128, 128, 255, 255],
        )?;
        painting.normals = Some((picture, 1.0));
    }
    Ok(painting)
}

fn byte(share: f32) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// A linear share as a byte of sRGB. IEC 61966-2-1.
fn encoded(share: f32) -> u8 {
    let share = share.clamp(0.0, 1.0);
    byte(if share <= 0.003_130_8 { 12.92 * share } else { 1.055 * share.powf(1.0 / 2.4) - 0.055 })
}

//! Textures painted onto images.

use glam::{DMat4, Vec2, Vec3};
use image_files::Format;
use scene::{Material, Wrap};
use tracer::{Meshes, ShapeTextures, SurfaceSpot, TextureValue};

use super::atlas::{Face, Layout};
use super::{Base, Image, Painting, Picture, Transform};
use crate::{SceneFileFault, Sources};

/// Edges of images by how many surfaces are painted at most: some tens of megabytes in all.
const SIDES: [(usize, u32); 3] = [(12, 1024), (48, 512), (usize::MAX, 256)];
/// How far beyond a triangle its texture is painted, in pixels.
const BEYOND: f32 = 2.0;

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

/// Which triangle each pixel shows.
#[derive(Debug)]
pub(super) struct Canvas {
    pub(super) side: u32,
    owners: Vec<Option<u32>>,
}

impl Canvas {
    /// For triangles that lie at these pixels.
    pub(super) fn new(
        side: u32,
        faces: &(impl Iterator<Item = [Vec2; 3]> + Clone),
        sources: &Sources<'_>,
    ) -> Result<Self, SceneFileFault> {
        let mut canvas = Self { side, owners: vec![None; (side * side) as usize] };
        // First what lies in a triangle, then what is next to one.
        for beyond in [0.0, BEYOND] {
            for (at, corners) in faces.clone().enumerate() {
                sources.check_now_and_then(at)?;
                canvas.claim(at as u32, corners, beyond);
            }
        }
        Ok(canvas)
    }

    /// Gives a triangle the free pixels whose middles lie in it, or not farther `beyond` it.
    fn claim(&mut self, at: u32, corners: [Vec2; 3], beyond: f32) {
        let most = self.side as f32 - 1.0;
        let low = corners.into_iter().fold(Vec2::INFINITY, Vec2::min) - beyond - 0.5;
        let high = corners.into_iter().fold(Vec2::NEG_INFINITY, Vec2::max) + beyond;
        let (low, high) =
            (low.clamp(Vec2::ZERO, Vec2::splat(most)), high.clamp(Vec2::ZERO, Vec2::splat(most)));
        for y in low.y as u32..=high.y as u32 {
            for x in low.x as u32..=high.x as u32 {
                let owner = &mut self.owners[(y * self.side + x) as usize];
                let middle = Vec2::new(x as f32, y as f32) + 0.5;
                if owner.is_none() && distance(corners, middle) <= beyond + 1e-3 {
                    *owner = Some(at);
                }
            }
        }
    }

    fn paint(
        &self,
        faces: &[Face],
        kind: &dyn Fn(&SurfaceSpot, &Face) -> [u8; 4],
        ground: [u8; 4],
        sources: &Sources<'_>,
    ) -> Result<Vec<[u8; 4]>, SceneFileFault> {
        let pixel = |(at, owner): (usize, &Option<u32>)| {
            sources.check_now_and_then(at)?;
            let Some(owner) = *owner else { return Ok(ground) };
            let (x, y) = (at as u32 % self.side, at as u32 / self.side);
            let face = &faces[owner as usize];
            Ok(kind(&face.spot(Vec2::new(x as f32, y as f32) + 0.5), face))
        };
        self.owners.iter().enumerate().map(pixel).collect()
    }
}

/// The shares of the corners of a triangle at a point of the image; beyond it they go on evenly.
fn shares([a, b, c]: [Vec2; 3], at: Vec2) -> Vec3 {
    let area = (b - a).perp_dot(c - a);
    if area == 0.0 {
        return Vec3::X;
    }
    let (of_b, of_c) = ((at - a).perp_dot(c - a) / area, (b - a).perp_dot(at - a) / area);
    Vec3::new(1.0 - of_b - of_c, of_b, of_c)
}

/// How far outside a triangle a point of the image lies, in pixels.
fn distance([a, b, c]: [Vec2; 3], at: Vec2) -> f32 {
    if shares([a, b, c], at).min_element() >= 0.0 {
        return 0.0;
    }
    let to_edge = |(from, to): (Vec2, Vec2)| {
        let edge = to - from;
        let along = (at - from).dot(edge) / edge.length_squared().max(1e-12);
        at.distance(from + edge * along.clamp(0.0, 1.0))
    };
    [(a, b), (b, c), (c, a)].map(to_edge).into_iter().fold(f32::INFINITY, f32::min)
}

impl Face {
    fn spot(&self, at: Vec2) -> SurfaceSpot {
        let shares = shares(self.pixels, at);
        let mix = |of: [Vec3; 3]| of[0] * shares.x + of[1] * shares.y + of[2] * shares.z;
        SurfaceSpot {
            point: mix(self.points).to_array(),
            normal: self.normal.to_array(),
            shading: mix(self.shading).normalize_or(self.normal).to_array(),
            triangle: self.triangle,
        }
    }
}

fn byte(share: f32) -> u8 {
    (share.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// A linear share as a byte of sRGB. IEC 61966-2-1.
fn encoded(share: f32) -> u8 {
    let share = share.clamp(0.0, 1.0);
    byte(if share <= 0.003_130_8 { 12.92 * share } else { 1.055 * share.powf(1.0 / 2.4) - 0.055 })
}

//! Procedural patterns and image textures: the share of the second value, from 0 to 1, at every
//! point; for images, one per channel.

use std::sync::Arc;

use fearless_simd::Level;
use glam::{IVec3, Vec2, Vec3A, Vec4};
use scene::{Channel, NoiseKind, Wrap};

use super::lanes::{Four, Lanes, Points};
use super::lattice::{hash, unit};
use super::noise::{Perlin, Scattered, Turbulence, Values, carried, layered, scattered};

use crate::color::luminance;
use crate::image_map::ImageMap;
use crate::mesh::Meshes;

/// The offset of hard-edged patterns, relative to a cell: surfaces often lie exactly between two
/// cells, where rounding would decide at random.
const NUDGE: f32 = 1.0 / 1024.0;

/// A pattern as [`scene::Pattern`] describes it.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    Checker,
    Stripes { width: f32, softness: f32 },
    Gradient,
    Noise { kind: NoiseKind, octaves: u32, contrast: f32 },
    Brick { size: Vec2, mortar: f32, shift: f32, variation: f32 },
    Wood { ring: f32, turbulence: f32, grain: f32, log: bool },
    Marble { turbulence: f32, veins: f32 },
    Image { texels: Option<Arc<ImageMap>>, channel: Channel, wrap: Wrap, of_color: bool },
}

impl Pattern {
    /// The pattern for a colour, if `of_color`, or for a number. `meshes` has the images.
    pub(super) fn new(pattern: &scene::Pattern, of_color: bool, meshes: &Meshes) -> Self {
        let share = |fraction: scene::Fraction| fraction.get() as f32;
        match pattern {
            scene::Pattern::Checker(_) => Self::Checker,
            scene::Pattern::Stripes(stripes) => {
                Self::Stripes { width: share(stripes.width), softness: share(stripes.softness) }
            }
            scene::Pattern::Gradient(_) => Self::Gradient,
            scene::Pattern::Noise(noise) => Self::Noise {
                kind: noise.kind,
                octaves: noise.octaves.get() as u32,
                contrast: share(noise.contrast),
            },
            scene::Pattern::Brick(brick) => Self::Brick {
                size: Vec2::from_array(brick.size.get().map(|edge| edge as f32)),
                mortar: brick.mortar.get() as f32,
                shift: share(brick.shift),
                variation: share(brick.variation),
            },
            scene::Pattern::Wood(wood) => Self::Wood {
                ring: wood.ring.get() as f32,
                turbulence: share(wood.turbulence),
                grain: share(wood.grain),
                log: wood.log,
            },
            scene::Pattern::Marble(marble) => {
                Self::Marble { turbulence: share(marble.turbulence), veins: share(marble.veins) }
            }
            scene::Pattern::Image(image) => Self::Image {
                texels: meshes.image(image.asset.as_str()).cloned(),
                channel: image.channel,
                wrap: image.wrap,
                of_color,
            },
        }
    }

    /// The share of the second value at a point, for each channel.
    pub(super) fn share(&self, level: Level, at: Vec3A) -> Vec3A {
        let share = match *self {
            Self::Checker => {
                let cell = (at + NUDGE).floor().as_ivec3();
                ((cell.x ^ cell.y ^ cell.z) & 1) as f32
            }
            Self::Stripes { width, softness } => stripes(at.x, width, softness),
            Self::Gradient => at.y,
            Self::Noise { kind, octaves, contrast } => {
                noise::<f32>(level, at, kind, octaves, contrast)
            }
            Self::Brick { size, mortar, shift, variation } => {
                brick(at, size, mortar, shift, variation)
            }
            Self::Wood { ring, turbulence, grain, log } => {
                wood::<f32>(level, trunk(at, ring, log), ring, turbulence, grain)
            }
            Self::Marble { turbulence, veins } => marble::<f32>(level, at, turbulence, veins),
            Self::Image { ref texels, channel, wrap, of_color } => {
                let Some(texels) = texels else { return Vec3A::splat(0.5) };
                return image(texels, at, channel, wrap, of_color);
            }
        };
        Vec3A::splat(share.clamp(0.0, 1.0))
    }

    /// The share for numbers at four nearby points.
    pub(super) fn shares(&self, level: Level, at: [Vec3A; 4]) -> Vec4 {
        let shares = match *self {
            Self::Noise { kind, octaves, contrast } => {
                noise::<Vec4>(level, Four::new(at), kind, octaves, contrast)
            }
            Self::Wood { ring, turbulence, grain, log } => {
                wood::<Vec4>(level, trunk(Four::new(at), ring, log), ring, turbulence, grain)
            }
            Self::Marble { turbulence, veins } => {
                marble::<Vec4>(level, Four::new(at), turbulence, veins)
            }
            _ => Vec4::from_array(at.map(|at| self.share(level, at).x)),
        };
        shares.clamp(Vec4::ZERO, Vec4::ONE)
    }

    /// A length over which it changes little, for gradients.
    pub(super) fn step(&self) -> f32 {
        match self {
            Self::Wood { ring, .. } => 0.02 * ring,
            Self::Brick { mortar, size, .. } => 0.05 * mortar.max(0.01 * size.min_element()),
            Self::Marble { .. } => 5e-4,
            Self::Image { texels: Some(texels), .. } => {
                1.0 / texels.image().size()[0].max(texels.image().size()[1]) as f32
            }
            _ => 2e-3,
        }
    }
}

/// Images of numbers are linear, images of colours are sRGB.
fn image(texels: &ImageMap, at: Vec3A, channel: Channel, wrap: Wrap, of_color: bool) -> Vec3A {
    let found = texels.image().at(Vec2::new(at.x, at.y), wrap, !of_color);
    let share = match channel {
        Channel::Color if of_color => Vec3A::from_vec4(found),
        Channel::Color => Vec3A::splat(luminance(Vec3A::from_vec4(found))),
        Channel::Red => Vec3A::splat(found.x),
        Channel::Green => Vec3A::splat(found.y),
        Channel::Blue => Vec3A::splat(found.z),
        Channel::Alpha => Vec3A::splat(found.w),
    };
    share.clamp(Vec3A::ZERO, Vec3A::ONE)
}

/// From 0 below `low` to 1 above `high`, smoothly.
fn smooth_step<N: Lanes>(low: f32, high: f32, x: N) -> N {
    let place = ((x - low) * (1.0 / (high - low).max(1e-6))).clamp(0.0, 1.0);
    place * place * (place * -2.0 + 3.0)
}

/// 1 in the centre `width` of each period of 1, with edges that are blurred over `softness` of the
/// available room.
fn stripes(x: f32, width: f32, softness: f32) -> f32 {
    let from_middle = ((x + NUDGE).rem_euclid(1.0) - 0.5).abs();
    let blur = 0.5 * softness * width.min(1.0 - width);
    if blur == 0.0 {
        return if from_middle < 0.5 * width { 1.0 } else { 0.0 };
    }
    1.0 - smooth_step(0.5 * width - blur, 0.5 * width + blur, from_middle)
}

fn noise<N: Lanes>(level: Level, at: N::Points, kind: NoiseKind, octaves: u32, contrast: f32) -> N {
    let among = |of: fn(Scattered) -> f32| {
        N::of_scattered(at, |around, cell, within| of(scattered(around, cell, within)))
    };
    let share = match kind {
        NoiseKind::Perlin => layered::<Perlin, N>(level, at, octaves) * 0.7 + 0.5,
        NoiseKind::Value => layered::<Values, N>(level, at, octaves) * 0.65 + 0.5,
        NoiseKind::Turbulence => layered::<Turbulence, N>(level, at, octaves) * 1.8,
        NoiseKind::Cells => among(|found| found.number),
        NoiseKind::Voronoi => among(|found| found.nearest),
        NoiseKind::Cracks => among(|found| 1.0 - smooth_step(0.02, 0.09, found.border)),
    };
    if contrast == 0.0 {
        return share;
    }
    let room = 0.5 * (1.0 - contrast);
    share + (smooth_step(0.5 - room, 0.5 + room, share) - share) * contrast.sqrt()
}

fn brick(at: Vec3A, size: Vec2, mortar: f32, shift: f32, variation: f32) -> f32 {
    let upwards = at.y / size.y + NUDGE;
    let row = upwards.floor();
    let along = at.x / size.x + row * shift + NUDGE;
    let column = along.floor();
    let within = Vec2::new(along - column, upwards - row) * size;
    let to_edge = within.min(size - within).min_element();
    // Worn edges: half of the mortar's width is a gradient.
    let filled = 1.0 - smooth_step(0.3 * mortar, 0.7 * mortar, to_edge);
    let [number, ..] = hash(IVec3::new(column as i32, row as i32, 0));
    let own = variation * unit(number);
    own + (1.0 - own) * filled
}

/// Points relative to a trunk along x.
fn trunk<N, P: Points<N>>(at: P, ring: f32, log: bool) -> P {
    if log {
        let [x, y, z] = at.axes();
        return P::of_axes([y, z, x]);
    }
    // The centre of the trunk is beside the shape, so that boards show flat grain instead of rings.
    at - Vec3A::new(0.0, -9.3 * ring, 2.6 * ring)
}

fn wood<N: Lanes>(
    level: Level,
    from_middle: N::Points,
    ring: f32,
    turbulence: f32,
    grain: f32,
) -> N {
    // The pattern is stretched along the axis, in which trees grow fast.
    let drawn_out = from_middle * Vec3A::new(0.12, 1.0, 1.0) / ring;
    let [sway_x, sway_y, sway_z] = carried::<N>(level, drawn_out * 0.13, 3).axes();
    let [_, y, z] = (from_middle / ring).axes();
    let (y, z) = (y + sway_y * (4.0 * turbulence), z + sway_z * (4.0 * turbulence));
    let uneven = layered::<Perlin, N>(level, drawn_out * 0.9, 1);
    let radius = y.hypot(z) + uneven * (0.35 * turbulence);
    let year = radius - radius.floor();
    // Early wood darkens slowly to late wood, then the next ring starts abruptly.
    let late = smooth_step(0.25, 0.93, year) * (smooth_step(0.95, 1.0, year) * -1.0 + 1.0);
    let number = radius.map(|radius| unit(hash(IVec3::new(radius.floor() as i32, 3, 5))[0]));
    let rings = late * (number * 0.4 + 0.55);
    let along_fibres = from_middle * Vec3A::new(0.35, 9.0, 9.0) / ring;
    let fibres = layered::<Perlin, N>(level, along_fibres, 3);
    let pores = smooth_step(0.15, 0.6, fibres);
    let tone = (sway_x + 0.5) * 0.12;
    rings * 0.8 + tone + (fibres * 0.25 + pores * 0.35) * grain
}

fn marble<N: Lanes>(level: Level, at: N::Points, turbulence: f32, veins: f32) -> N {
    let place = at * 3.3;
    let swirl = carried::<N>(level, place * 0.7, 5) * (2.2 * turbulence);
    // Veins are at the zero crossings of noise.
    let vein = |place: N::Points, breadth: f32| {
        let distance = layered::<Perlin, N>(level, place, 4).abs();
        smooth_step(0.0, breadth.max(1e-3), distance) * -1.0 + 1.0
    };
    let broad = vein(place * Vec3A::new(0.75, 1.1, 0.6) + swirl, 0.22 * veins);
    let fine = vein(place * 2.1 + swirl * 1.6 + Vec3A::splat(11.0), 0.07 * veins);
    let clouds = layered::<Perlin, N>(level, place * 0.5 + swirl * 0.5, 4) * 0.5 + 0.5;
    let fading = smooth_step(0.25, 0.75, clouds);
    broad * broad * (fading * 0.55 + 0.35) + fine * 0.4 * fading + clouds * 0.14 * veins
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::chi_square::Random;

    fn level() -> Level {
        crate::instructions::InstructionSet::Best.level()
    }

    fn pattern(json: &Value) -> Pattern {
        let material = json!({ "type": "lambertian", "albedo": json });
        let ball = json!({ "center": [0, 0, 0], "radius": 1, "material": material });
        let shape = json!({ "id": "a", "type": "sphere", "properties": ball });
        let scene = scene::Scene::from_json(&json!({ "version": 1, "shapes": [shape] })).unwrap();
        let scene::Material::Lambertian(matte) = &scene.shapes[0].material else { panic!() };
        Pattern::new(&matte.albedo.texture().unwrap().pattern, true, &Meshes::default())
    }

    const ALL: [&str; 11] = [
        r#"{"type":"checker"}"#,
        r#"{"type":"stripes","softness":0.5}"#,
        r#"{"type":"gradient"}"#,
        r#"{"type":"noise"}"#,
        r#"{"type":"noise","kind":"value","contrast":0.8}"#,
        r#"{"type":"noise","kind":"turbulence","octaves":8}"#,
        r#"{"type":"noise","kind":"cells"}"#,
        r#"{"type":"noise","kind":"cracks"}"#,
        r#"{"type":"brick"}"#,
        r#"{"type":"wood"}"#,
        r#"{"type":"marble"}"#,
    ];

    #[test]
    fn every_pattern_is_a_share_that_uses_most_of_its_range() {
        let mut random = Random(8);
        for text in ALL {
            let pattern = pattern(&serde_json::from_str(text).unwrap());
            let (mut least, mut most) = (f32::MAX, f32::MIN);
            for _ in 0..5000 {
                let share = pattern.share(level(), random.direction() * random.between(0.0, 5.0)).x;
                assert!((0.0..=1.0).contains(&share), "{text}: {share}");
                (least, most) = (least.min(share), most.max(share));
            }
            assert!(least < 0.2 && most > 0.7, "{text}: {least} to {most}");
            // Still finite far away.
            assert!((0.0..=1.0).contains(&pattern.share(level(), Vec3A::splat(9e8)).x), "{text}");
        }
    }

    #[test]
    fn squares_stripes_and_bricks_lie_where_they_should() {
        let checker = pattern(&json!({ "type": "checker" }));
        for (at, expected) in [
            ([0.5, 0.5, 0.5], 0.0),
            ([1.5, 0.5, 0.5], 1.0),
            ([1.5, 1.5, 0.5], 0.0),
            ([-0.5, 0.5, 0.5], 1.0),
            ([0.5, 0.5, -0.5], 1.0),
        ] {
            assert_eq!(checker.share(level(), at.into()).x, expected, "{at:?}");
        }
        // A floor at exactly 0 is in one cell despite rounding.
        for tiny in [-1e-6, 0.0, 1e-6] {
            assert_eq!(checker.share(level(), Vec3A::new(0.5, tiny, 0.5)).x, 0.0);
        }
        let stripes = pattern(&json!({ "type": "stripes", "width": 0.25 }));
        let covered =
            (0..1000).filter(|at| stripes.share(level(), Vec3A::X * *at as f32 / 100.0).x == 1.0);
        assert!((covered.count() as i32 - 250).abs() <= 10);
        let bricks = pattern(&json!({ "type": "brick", "variation": 0 }));
        assert_eq!(bricks.share(level(), Vec3A::new(0.125, 0.0375, 0.0)).x, 0.0);
        assert_eq!(
            bricks.share(level(), Vec3A::new(0.0, 0.0375, 0.0)).x,
            1.0,
            "between two bricks"
        );
        assert_eq!(bricks.share(level(), Vec3A::new(0.125, 0.075, 0.0)).x, 1.0, "between two rows");
        // The next row is shifted by half a brick.
        assert_eq!(bricks.share(level(), Vec3A::new(0.125, 0.1125, 0.0)).x, 1.0);
        assert_eq!(bricks.share(level(), Vec3A::new(0.0, 0.1125, 0.0)).x, 0.0);
    }
}

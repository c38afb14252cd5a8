//! Importance sampling of emission textures by luminance, on a grid.

use crate::color::luminance;
use crate::primitive::Primitive;
use crate::ray::SurfacePoint;
use glam::Vec3A;
use rayon::prelude::*;

/// The number of cells along each side of a surface with one patch. Surfaces with more patches have
/// about the same total, and at least one per patch.
const SIDE: usize = 128;
/// The number of lookups along each side of a cell.
const LOOKS: usize = 2;
/// The minimum ratio of the mean square to the squared mean of the luminance for importance
/// sampling to pay.
const WORTH_IT: f64 = 1.2;

/// A piecewise constant distribution over a surface, in proportion to luminance.
#[derive(Debug, Clone)]
pub(super) struct Brightness {
    /// The number of cells along each side of a patch.
    side: usize,
    /// The pdf per area in each cell.
    densities: Vec<f32>,
    /// The cumulative distribution over the cells.
    sums: Vec<f64>,
}

/// The result of evaluating the emission over a surface.
pub(super) struct Survey {
    /// Mean radiance.
    pub(super) mean: Vec3A,
    /// `None` where importance sampling does not pay.
    pub(super) brightness: Option<Brightness>,
}

impl Survey {
    /// The survey of a surface with `radiance` at its points; `None` without a parametrization by
    /// patches.
    pub(super) fn of(
        body: &Primitive,
        radiance: impl Fn(&SurfacePoint, u32) -> Vec3A + Sync,
    ) -> Option<Self> {
        let areas = body.patch_areas();
        let area: f64 = areas.iter().copied().map(f64::from).sum();
        if area <= 0.0 {
            return None;
        }
        let side = ((SIDE as f64 / (areas.len() as f64).sqrt()) as usize).max(1);
        let cells: Vec<Vec3A> = (0..areas.len() * side * side)
            .into_par_iter()
            .map(|cell| mean_of_cell(body, side, cell, &radiance))
            .collect();
        let share =
            |cell: usize| f64::from(areas[cell / (side * side)]) / area / (side * side) as f64;
        let mean: glam::DVec3 =
            cells.iter().enumerate().map(|(at, cell)| cell.as_dvec3() * share(at)).sum();
        let brightness = Brightness::of(&cells, side, area, share);
        Some(Self { mean: mean.as_vec3a(), brightness })
    }
}

fn mean_of_cell(
    body: &Primitive,
    side: usize,
    cell: usize,
    radiance: impl Fn(&SurfacePoint, u32) -> Vec3A,
) -> Vec3A {
    let (patch, row, column) = (cell / (side * side), cell / side % side, cell % side);
    let number =
        |at: usize, look: usize| (at as f32 + (look as f32 + 0.5) / LOOKS as f32) / side as f32;
    let looks = (0..LOOKS * LOOKS).map(|look| {
        let at = [number(column, look % LOOKS), number(row, look / LOOKS)];
        let (surface, part) = body.on_patch(patch, at);
        radiance(&surface, part)
    });
    looks.sum::<Vec3A>() / (LOOKS * LOOKS) as f32
}

impl Brightness {
    /// `share` gives the part of `area` that a cell has.
    fn of(cells: &[Vec3A], side: usize, area: f64, share: impl Fn(usize) -> f64) -> Option<Self> {
        let bright = |cell: &Vec3A| f64::from(luminance(*cell));
        let mut total = 0.0;
        let mut squares = 0.0;
        let mut sums = Vec::with_capacity(cells.len());
        for (at, cell) in cells.iter().enumerate() {
            total += bright(cell) * share(at);
            squares += bright(cell).powi(2) * share(at);
            sums.push(total);
        }
        if squares <= WORTH_IT * total * total {
            return None;
        }
        sums.iter_mut().for_each(|sum| *sum /= total);
        let densities = cells.iter().map(|cell| (bright(cell) / (total * area)) as f32).collect();
        Some(Self { side, densities, sums })
    }

    /// Samples a point, about in proportion to its luminance, and the part of the surface it is in.
    pub(super) fn sample(&self, body: &Primitive, [u, v]: [f32; 2]) -> (SurfacePoint, u32) {
        let place = f64::from(u);
        let cell = self.sums.partition_point(|sum| *sum <= place).min(self.sums.len() - 1);
        let before = if cell == 0 { 0.0 } else { self.sums[cell - 1] };
        let share = self.sums[cell] - before;
        let within = if share > 0.0 { ((place - before) / share).clamp(0.0, 1.0) } else { 0.5 };
        let side = self.side;
        let at = [(cell % side) as f32 + within as f32, (cell / side % side) as f32 + v];
        body.on_patch(cell / (side * side), at.map(|number| number / side as f32))
    }

    /// The pdf per area of [`sample`](Self::sample).
    pub(super) fn density(&self, body: &Primitive, surface: &SurfacePoint, part: u32) -> f32 {
        let (patch, at) = body.patch_at(surface, part);
        let side = self.side;
        let [column, row] = at.map(|number| ((number * side as f32) as usize).min(side - 1));
        self.densities[(patch * side + row) * side + column]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use scene::Scene;
    use serde_json::{Value, json};

    use super::*;
    use crate::chi_square::check_directions;
    use crate::mesh::Meshes;
    use crate::ray::Ray;
    use crate::world::World;
    use media::Image;

    /// A dim image with one bright patch.
    fn image() -> Meshes {
        let bright = |x: u32, y: u32| (10..16).contains(&x) && (30..38).contains(&y);
        let pixel = |at: u32| if bright(at % 64, at / 64) { [255; 4] } else { [90, 90, 90, 255] };
        let image = Image::bytes(64, 64, (0..64 * 64).map(pixel).collect()).unwrap();
        let mut images = Meshes::default();
        images.insert_image("spot".to_owned(), Arc::new(image.into()));
        images
    }

    fn world(kind: &str, properties: &Value) -> World {
        let mut properties = properties.clone();
        let light = json!({ "type": "image", "asset": "spot", "second": [5, 5, 5] });
        properties["material"] = json!({ "type": "emissive", "emission": light });
        let shape = json!({ "id": "a", "type": kind, "properties": properties });
        let scene = Scene::from_json(&json!({ "version": 1, "shapes": [shape],
                                              "environment": { "type": "none" } }));
        World::build_with(&scene.unwrap(), &image())
    }

    #[test]
    fn what_is_bright_is_chosen_with_the_density_that_is_claimed() {
        for (kind, properties) in [
            ("quad", json!({ "corner": [-1, -1, 2], "u": [2, 0.2, 0], "v": [0, 2, 0.5] })),
            ("sphere", json!({ "center": [0.2, 0.3, 2], "radius": 1 })),
            (
                "box",
                json!({ "center": [0, 0, 1.8], "dimensions": [1.6, 1.5, 1.4], "rotation": [20, 30, 0] }),
            ),
            ("triangle", json!({ "vertices": [[-1, -1, 2], [-1, 2, 2], [2, -1, 3]] })),
        ] {
            let world = world(kind, &properties);
            let lights = &world.lights().lights;
            // Flat shapes emit to both sides.
            let seen = |direction| {
                let hit = world.intersect(&Ray::new(Vec3A::ZERO, direction))?;
                let front = hit.surface.normal.dot(direction) < 0.0;
                let surface = if front { hit.surface } else { hit.surface.flipped() };
                Some((usize::from(!front), surface, hit.part))
            };
            let middle = Vec3A::new(0.1, 0.1, 1.0).normalize();
            let (index, ..) = seen(middle).unwrap();
            let mut brightest = 0.0_f32;
            check_directions(
                kind,
                |u| lights[index].sample(Vec3A::ZERO, u).map(|sample| sample.direction),
                |direction| {
                    seen(direction).map_or(0.0, |(_, surface, part)| {
                        lights[index].pdf(Vec3A::ZERO, (&surface, part), direction)
                    })
                },
            );
            for step in 0..1000 {
                let u = [(step as f32 + 0.5) / 1000.0, (step as f32 * 0.618).fract()];
                let sample = lights[index].sample(Vec3A::ZERO, u);
                brightest = sample.map_or(0.0, |sample| sample.radiance.x).max(brightest);
            }
            assert!(brightest > 4.0, "{kind}: {brightest}");
        }
    }

    #[test]
    fn what_shines_about_evenly_is_left_to_the_shape() {
        let body = Primitive::new(
            &Scene::from_json(&json!({ "version": 1, "shapes": [{ "id": "a", "type": "sphere",
                "properties": { "center": [0, 0, 0], "radius": 1 } }] }))
            .unwrap()
            .shapes[0]
                .geometry,
            &Meshes::default(),
        )
        .unwrap();
        let survey = Survey::of(&body, |surface, _| Vec3A::splat(3.0 + surface.normal.y)).unwrap();
        assert!(survey.brightness.is_none());
        assert!((survey.mean.x - 3.0).abs() < 1e-3, "{}", survey.mean);
        let survey = Survey::of(&body, |surface, _| Vec3A::splat(surface.normal.y.max(0.0)));
        assert!(survey.unwrap().brightness.is_some());
    }
}

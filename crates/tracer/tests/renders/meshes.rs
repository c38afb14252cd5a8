//! Meshes in renders: compared with analytic shapes and with copies; smooth, closed, distant and
//! tiny ones.

use std::sync::Arc;

use media::MeshData;
use scene::Scene;
use serde_json::{Value, json};
use tracer::{
    Film, InstructionSet, Integrator, LinearImage, Mesh, Meshes, PassOutcome, RenderSettings,
    World, render_pass,
};

use crate::support::*;

/// A sphere of radius 1 with `side` segments around it; counter-clockwise seen from outside. With
/// exact vertex normals if `smooth`.
fn ball(side: u32, smooth: bool) -> MeshData {
    let mut data = MeshData::default();
    for row in 0..=side {
        for column in 0..=2 * side {
            let (sin, cos) = (std::f64::consts::PI * f64::from(row) / f64::from(side)).sin_cos();
            // Both sides of the seam have the same point, bit for bit.
            let turn = std::f64::consts::PI * f64::from(column % (2 * side)) / f64::from(side);
            let sin = if row % side == 0 { 0.0 } else { sin };
            data.positions.push([sin * turn.cos(), cos, sin * turn.sin()].map(|x| x as f32));
        }
    }
    let stride = 2 * side + 1;
    for row in 0..side {
        for corner in (row * stride)..(row * stride + 2 * side) {
            let (right, below) = (corner + 1, corner + stride);
            data.triangles.extend([[corner, right, below], [right, below + 1, below]]);
        }
    }
    if smooth {
        data.normals = data.positions.clone();
    }
    data
}

fn meshes(list: &[(&str, MeshData)]) -> Meshes {
    let build = |(name, data): &(&str, MeshData)| {
        let mesh = Mesh::new(data.clone()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        ((*name).to_owned(), Arc::new(mesh))
    };
    list.iter().map(build).collect()
}

fn picture_of(world: &World, depth: u32, samples: u32) -> LinearImage {
    let mut film = Film::new(64, 48);
    let outcome = render_pass(world, &settings(depth), &mut film, samples, &|| false);
    let PassOutcome::Completed(statistics) = outcome else { panic!("nobody cancelled") };
    assert_eq!(statistics.rejected, 0);
    film.linear()
}

fn show(scene: &Scene, meshes: &Meshes, depth: u32, samples: u32) -> LinearImage {
    assert!(scene.check_assets(meshes).is_ok());
    picture_of(&World::build_with(scene, meshes), depth, samples)
}

fn lamp() -> (&'static str, Value) {
    let lamp = json!({ "center": [3, 4, 3], "radius": 1, "emission": [9, 9, 9] });
    ("area_sphere_light", lamp)
}

fn in_view(shape: (&str, Value)) -> Scene {
    let camera = json!({ "center": [0, 1, 6], "look_at": [0, 0, 0], "vfov": 35 });
    let floor = json!({ "corner": [-9, -1.2, -9], "u": [0, 0, 18], "v": [18, 0, 0] });
    let sky = json!({ "type": "gradient", "top_color": [0.4, 0.6, 1], "bottom_color": [1, 1, 1] });
    scene(&[shape, ("quad", floor)], &[lamp()], &sky, &camera)
}

/// The relative root mean square difference, and the relative difference of the means.
fn differences(a: &LinearImage, b: &LinearImage) -> (f64, f64) {
    let pairs = a.pixels.iter().flatten().zip(b.pixels.iter().flatten());
    let squares: f64 = pairs.map(|(a, b)| f64::from(a - b).powi(2)).sum();
    let root = (squares / (3 * a.pixels.len()) as f64).sqrt();
    (root / b.mean()[1], (a.mean()[1] / b.mean()[1] - 1.0).abs())
}

#[test]
fn a_fine_mesh_looks_like_the_exact_shape_in_every_material() {
    let meshes = meshes(&[("ball", ball(96, true))]);
    for material in [matte(0.8), metal(0.0), metal(0.5), glass(1.5)] {
        let exact = json!({ "center": [0, 0, 0], "radius": 1.1, "material": material });
        let mesh = json!({ "asset": "ball", "scale": 1.1, "material": material });
        let expected = show(&in_view(("sphere", exact)), &meshes, 6, 64);
        let actual = show(&in_view(("mesh", mesh)), &meshes, 6, 64);
        let (root, mean) = differences(&actual, &expected);
        assert!(mean < 0.004 && root < 0.1, "{material}: {root} {mean}");
    }
}

#[test]
fn bdpt_shows_a_smooth_mesh_as_path_does() {
    // A coarse mesh, so that shading normals differ much from geometric ones.
    let meshes = meshes(&[("ball", ball(6, true))]);
    for material in [matte(0.8), metal(0.6), glass(1.5)] {
        let mesh = json!({ "asset": "ball", "scale": 1.1, "material": material });
        let world = World::build_with(&in_view(("mesh", mesh)), &meshes);
        let by = |integrator| {
            let settings = RenderSettings { integrator, ..settings(6) };
            let mut film = Film::new(64, 48);
            render_pass(&world, &settings, &mut film, 192, &|| false);
            film.linear()
        };
        let (root, mean) = differences(&by(Integrator::Bdpt), &by(Integrator::Path));
        assert!(mean < 0.003 && root < 0.08, "{material}: {root} {mean}");
    }
}

#[test]
fn an_instance_is_a_copy_that_was_moved_turned_and_scaled() {
    let data = ball(12, true);
    let properties = json!({ "asset": "ball", "translation": [0.4, 0.1, -0.3],
        "rotation": [30, -50, 110], "scale": [0.6, 1.2, 0.9], "material": metal(0.4) });
    let instance = in_view(("mesh", properties.clone()));
    let scene::Geometry::Mesh(shape) = &instance.shapes[0].geometry else { panic!("a mesh") };
    let rows = shape.matrix();
    let times = |rows: [[f64; 3]; 3], v: [f32; 3]| {
        rows.map(|row| (0..3).map(|at| row[at] * f64::from(v[at])).sum::<f64>())
    };
    // The normals of a sphere that was scaled by s, then rotated: divided by s, then rotated.
    let normal_rows = rows.map(|row| [row[0] / 0.36, row[1] / 1.44, row[2] / 0.81]);
    let moved = [0.4, 0.1, -0.3];
    let copy = MeshData {
        positions: (data.positions.iter())
            .map(|&p| {
                let turned = times(rows, p);
                std::array::from_fn(|axis| (turned[axis] + moved[axis]) as f32)
            })
            .collect(),
        normals: data.normals.iter().map(|&n| times(normal_rows, n).map(|x| x as f32)).collect(),
        ..data.clone()
    };
    let meshes = meshes(&[("ball", data), ("copy", copy)]);
    let copied = in_view(("mesh", json!({ "asset": "copy", "material": metal(0.4) })));
    let (root, mean) =
        differences(&show(&instance, &meshes, 4, 16), &show(&copied, &meshes, 4, 16));
    // Rounding changes single paths.
    assert!(root < 0.03 && mean < 1e-3, "{root} {mean}");
}

#[test]
fn a_box_of_triangles_is_the_box() {
    // A closed mesh without vertex normals: every edge belongs to two triangles.
    let corner = |index: u32| [0, 1, 2].map(|axis| (index >> axis & 1) as f32 - 0.5);
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let data = MeshData {
        positions: (0..8).map(corner).collect(),
        triangles: sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect(),
        ..MeshData::default()
    };
    let meshes = meshes(&[("box", data)]);
    for material in [matte(0.7), glass(1.4)] {
        let exact = json!({ "center": [0, 0.2, 0], "dimensions": [1.5, 1, 2],
                            "rotation": [10, 35, 0], "material": material });
        let mesh = json!({ "asset": "box", "translation": [0, 0.2, 0], "scale": [1.5, 1, 2],
                           "rotation": [10, 35, 0], "material": material });
        let expected = show(&in_view(("box", exact)), &meshes, 8, 16);
        let (root, mean) = differences(&show(&in_view(("mesh", mesh)), &meshes, 8, 16), &expected);
        assert!(root < 0.03 && mean < 1e-3, "{material}: {root} {mean}");
    }
}

#[test]
fn a_triangle_and_a_mesh_of_one_are_the_same() {
    let corners = [[-1.0, -1.0, 0.2], [1.2, -0.8, -0.3], [0.1, 1.1, 0.4]];
    let data = MeshData {
        positions: corners.map(|corner: [f64; 3]| corner.map(|x| x as f32)).to_vec(),
        triangles: vec![[0, 1, 2]],
        ..MeshData::default()
    };
    let meshes = meshes(&[("one", data)]);
    let single = json!({ "vertices": corners, "material": metal(0.3) });
    let mesh = json!({ "asset": "one", "material": metal(0.3) });
    let expected = show(&in_view(("triangle", single)), &meshes, 4, 16);
    let (root, mean) = differences(&show(&in_view(("mesh", mesh)), &meshes, 4, 16), &expected);
    assert!(root < 0.02 && mean < 1e-3, "{root} {mean}");
}

/// Smooth normals on a coarse mesh must not leak light, for any material.
#[test]
fn no_light_gets_into_a_closed_mesh() {
    let meshes = meshes(&[("ball", ball(5, true))]);
    let sun = json!({ "type": "uniform", "emission": [1000, 1000, 1000] });
    let camera = json!({ "center": [0.2, 0.1, 0.3], "look_at": [-1, 0.4, -1], "vfov": 110 });
    for material in [matte(0.9), metal(0.0), metal(0.6)] {
        for scale in [1e-3, 1.0, 5e5] {
            let place = |key: &str| {
                let at = camera[key].as_array().unwrap();
                json!(at.iter().map(|x| x.as_f64().unwrap() * scale).collect::<Vec<_>>())
            };
            let camera = json!({ "center": place("center"), "look_at": place("look_at") });
            let bulb = json!({ "center": [0, 1.9 * scale, 0], "emission": [1e9, 1e9, 1e9] });
            let shape = json!({ "asset": "ball", "scale": [scale, scale * 0.8, scale * 1.3],
                                "rotation": [12, 34, 56], "material": material });
            let closed = scene(&[("mesh", shape)], &[("point_spot_light", bulb)], &sun, &camera);
            let dark = show(&closed, &meshes, 12, 32);
            assert_eq!(dark.mean(), [0.0; 3], "{material} at {scale}");
        }
    }
}

/// In a white furnace a white surface is invisible. The energy loss of smooth normals at the
/// silhouette of a coarse mesh is bounded, and nothing is black.
#[test]
fn a_white_smooth_mesh_has_no_black_rims() {
    for side in [8, 32] {
        let meshes = meshes(&[("ball", ball(side, true))]);
        for (material, lost) in [(matte(1.0), 0.05), (metal(0.0), 1e-3), (glass(1.5), 1e-3)] {
            let camera = json!({ "center": [0, 0, 6], "look_at": [0, 0, 0], "vfov": 25 });
            let shape = json!({ "asset": "ball", "material": material });
            let furnace = scene(&[("mesh", shape)], &[], &white(), &camera);
            let picture = show(&furnace, &meshes, 64, 64);
            let darkest = picture.pixels.iter().map(|pixel| pixel[1]).fold(1.0, f32::min);
            assert!(darkest > 0.5, "{side} {material}: {darkest}");
            let mean = picture.mean()[1];
            assert!((1.0 - lost..1.001).contains(&mean), "{side} {material}: {mean}");
        }
    }
}

#[test]
fn coarse_flat_meshes_conserve_energy() {
    let meshes = meshes(&[("ball", ball(6, false))]);
    for (material, depth) in [(matte(1.0), 40), (metal(0.0), 20), (glass(1.5), 80)] {
        for (scale, far) in [(1.0, 0.0), (1e-3, 0.0), (1.6e5, 0.0), (1.0, 2000.0)] {
            let camera =
                json!({ "center": [far, 0, 6.0 * scale], "look_at": [far, 0, 0], "vfov": 25 });
            let shape = json!({ "asset": "ball", "scale": scale, "translation": [far, 0, 0],
                                "rotation": [10, 20, 30], "material": material });
            let furnace = scene(&[("mesh", shape)], &[], &white(), &camera);
            let mean = show(&furnace, &meshes, depth, 16).mean()[1];
            assert!((mean - 1.0).abs() < 2e-3, "{material} at {scale}, {far}: {mean}");
        }
    }
}

fn crowd() -> (Scene, Meshes) {
    let meshes = meshes(&[("smooth", ball(24, true)), ("flat", ball(7, false))]);
    let mut shapes = vec![(
        "quad",
        json!({ "corner": [-9, -1.2, -9], "u": [0, 0, 18], "v": [18, 0, 0], "material": matte(0.6) }),
    )];
    for index in 0..12 {
        let x = f64::from(index % 4) - 1.5;
        let z = f64::from(index / 4) - 1.0;
        let asset = if index % 2 == 0 { "smooth" } else { "flat" };
        let material = [matte(0.7), metal(0.2), glass(1.5)][index as usize % 3].clone();
        shapes.push((
            "mesh",
            json!({ "asset": asset, "translation": [x, 0.1 * x, z], "scale": [0.4, 0.5, 0.45],
                    "rotation": [20 * index, 0, 10], "material": material }),
        ));
    }
    let camera = json!({ "center": [0, 2, 6], "look_at": [0, 0, 0], "vfov": 35 });
    (scene(&shapes, &[lamp()], &white(), &camera), meshes)
}

#[test]
fn every_instruction_set_gives_the_same_picture_within_rounding() {
    let (scene, meshes) = crowd();
    let best = World::build_with(&scene, &meshes);
    let expected = picture_of(&best, 6, 16);
    for set in InstructionSet::available() {
        let (root, mean) = differences(&expected, &picture_of(&best.with_instructions(set), 6, 16));
        // Rounding changes single paths through glass.
        assert!(root < 0.02 && mean < 1e-3, "{set:?}: {root} {mean}");
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let (scene, meshes) = crowd();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| show(&scene, &meshes, 6, 2).pixels)
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn an_edit_keeps_the_meshes() {
    let (scene, meshes) = crowd();
    let mesh = meshes.get("smooth").unwrap();
    let world = World::build_with(&scene, &meshes);
    let before = Arc::strong_count(mesh);
    let again = World::build_with(&scene, &meshes);
    assert_eq!(Arc::strong_count(mesh), before + 6, "shared, not copied");
    assert_eq!(picture_of(&world, 3, 1).pixels, picture_of(&again, 3, 1).pixels);
}

#[test]
fn shapes_without_their_mesh_are_left_out() {
    let (scene, _) = crowd();
    assert!(scene.check_assets(&Meshes::default()).is_err());
    let world = World::build(&scene);
    assert_eq!(world.pick(0.5, 0.6, 1.3).unwrap().id.as_str(), "shape0");
}

#[test]
fn a_pick_meets_the_instance() {
    let (scene, meshes) = crowd();
    let world = World::build_with(&scene, &meshes);
    let across = (0..20).filter_map(|step| world.pick(0.05 * step as f32, 0.5, 4.0 / 3.0));
    let instances: Vec<_> = across.filter(|picked| picked.id.as_str() != "shape0").collect();
    assert!(instances.len() > 3, "{instances:?}");
    for picked in instances {
        assert!((picked.normal.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5);
        assert!(picked.normal[1] > -0.5, "towards the viewer, who is above: {picked:?}");
    }
}

#[test]
fn coincident_and_degenerate_meshes_render_finite() {
    let mut flat = ball(6, true);
    flat.positions.iter_mut().for_each(|position| position[1] = 0.0);
    let mut zero_normals = ball(6, true);
    zero_normals.normals.iter_mut().for_each(|normal| *normal = [0.0; 3]);
    let mut inside_out = ball(6, true);
    inside_out.normals.iter_mut().flatten().for_each(|part| *part = -*part);
    let meshes = meshes(&[("flat", flat), ("zero", zero_normals), ("in", inside_out)]);
    let mut shapes = Vec::new();
    for (index, asset) in ["flat", "zero", "in"].iter().enumerate() {
        for material in [glass(1.5), metal(0.0), matte(1.0)] {
            // Three of each at the same position.
            shapes.push((
                "mesh",
                json!({ "asset": asset, "translation": [index as f64 - 1.0, 0, 0], "scale": 0.5,
                        "material": material }),
            ));
        }
    }
    let camera = json!({ "center": [0, 0.1, 0.2], "look_at": [1, 0, 0], "vfov": 120 });
    let scene = scene(&shapes, &[lamp()], &white(), &camera);
    let world = World::build_with(&scene, &meshes);
    let mut film = Film::new(48, 36);
    let outcome = render_pass(&world, &RenderSettings::default(), &mut film, 16, &|| false);
    let PassOutcome::Completed(statistics) = outcome else { panic!("nobody cancelled") };
    assert_eq!(statistics.rejected, 0);
    assert!(film.linear().mean()[0] > 0.1);
}

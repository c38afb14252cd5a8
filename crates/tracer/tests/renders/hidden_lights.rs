//! Lights that are hidden from the camera.

use scene::Scene;
use serde_json::{Value, json};
use tracer::{Film, Integrator, LinearImage, PassOutcome, RenderSettings, World, render_pass};

use crate::support::*;

/// A camera at the origin that looks along -z.
fn ahead() -> Value {
    json!({ "center": [0, 0, 0], "look_at": [0, 0, -1], "vfov": 40 })
}

/// A gray wall across the view, four metres away.
fn wall() -> (&'static str, Value) {
    (
        "quad",
        json!({ "corner": [-9, -9, -4], "u": [18, 0, 0], "v": [0, 18, 0],
                     "material": matte(0.5) }),
    )
}

/// A disc in the middle of the view that shines back at the camera and lights only what is behind it.
fn lamp(visible: bool, center: [f64; 3], normal: [f64; 3]) -> (&'static str, Value) {
    (
        "disc_spot_light",
        json!({ "center": center, "normal": normal, "radius": 0.3,
                                "emission": [7, 7, 7], "visible_to_camera": visible }),
    )
}

fn middle(image: &LinearImage) -> [f32; 3] {
    let (x, y) = (image.width / 2, image.height / 2);
    image.pixels[(y * image.width + x) as usize]
}

fn picture(scene: &Scene, integrator: Integrator) -> LinearImage {
    let settings = RenderSettings { integrator, ..settings(6) };
    render(scene, &settings, [24, 24], 16)
}

/// The scene with a lamp that is seen, and with one that is hidden.
fn both(shapes: &[(&str, Value)], center: [f64; 3], normal: [f64; 3]) -> [Scene; 2] {
    [true, false].map(|seen| scene(shapes, &[lamp(seen, center, normal)], &none(), &ahead()))
}

const INTEGRATORS: [Integrator; 2] = [Integrator::Path, Integrator::Bdpt];

#[test]
fn the_camera_sees_what_is_behind_and_its_light_stays() {
    // It shines at the wall, its dark back to the camera.
    let [seen, hidden] = both(&[wall()], [0.0, 0.0, -3.0], [0.0, 0.0, -1.0]);
    for integrator in INTEGRATORS {
        let [seen, hidden] = [&seen, &hidden].map(|scene| picture(scene, integrator));
        assert_eq!(middle(&seen), [0.0; 3]);
        let lit = middle(&hidden)[1];
        assert!(lit > 0.1, "{integrator:?}: {lit}");
        // Beside the lamp both show the same.
        for (one, other) in seen.pixels.iter().zip(&hidden.pixels).take(24 * 8) {
            assert_eq!(one, other, "{integrator:?}");
        }
    }
    let worlds = [&seen, &hidden].map(World::build);
    let picked = worlds.map(|world| world.pick(0.5, 0.5, 1.0).unwrap().id);
    assert_eq!(picked.map(|id| id.as_str().to_owned()), ["light0", "shape0"]);
}

#[test]
fn both_integrators_agree_about_it() {
    let [_, hidden] = both(&[wall()], [0.5, 0.5, -3.0], [-0.3, 0.1, -1.0]);
    let [path, bdpt] = INTEGRATORS.map(|integrator| {
        let settings = RenderSettings { integrator, ..settings(6) };
        mean(&hidden, &settings, [16, 16], 256)
    });
    assert_share(bdpt, path, 0.02);
}

#[test]
fn mirrors_still_show_it() {
    let mirror = (
        "quad",
        json!({ "corner": [-9, -9, -4], "u": [18, 0, 0], "v": [0, 18, 0],
                                  "material": metal(0.0) }),
    );
    // Behind the camera, towards the mirror.
    let pair = both(&[mirror], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]);
    for integrator in INTEGRATORS {
        let [seen, hidden] = pair.each_ref().map(|scene| picture(scene, integrator));
        assert!(middle(&hidden)[1] > 6.0, "{integrator:?}: {:?}", middle(&hidden));
        assert_eq!(seen.pixels, hidden.pixels, "{integrator:?}");
    }
}

#[test]
fn panes_and_holes_show_what_is_behind_it_too() {
    let clear = [
        json!({ "type": "principled", "transmission_weight": 1, "geometry_thin_walled": true,
                "specular_roughness": 0 }),
        json!({ "type": "principled", "geometry_opacity": 0.2 }),
    ];
    for material in clear {
        let pane = (
            "quad",
            json!({ "corner": [-9, -9, -2], "u": [18, 0, 0], "v": [0, 18, 0],
                                    "material": material }),
        );
        let [seen, hidden] = both(&[pane], [0.0, 0.0, -3.0], [0.0, 0.0, 1.0]);
        for integrator in INTEGRATORS {
            let [seen, hidden] =
                [&seen, &hidden].map(|scene| middle(&picture(scene, integrator))[1]);
            // What is left is light that the pane scatters.
            assert!(seen > 3.0 && hidden < 0.3 * seen, "{integrator:?}: {seen} {hidden}");
        }
    }
}

#[test]
fn a_surface_in_the_plane_of_the_light_is_seen() {
    // The light shines away from the camera, exactly in the wall.
    let [_, hidden] = both(&[wall()], [0.0, 0.0, -4.0], [0.0, 0.0, 1.0]);
    let world = World::build(&hidden);
    assert_eq!(world.pick(0.5, 0.5, 1.0).unwrap().id.as_str(), "shape0");
}

#[test]
fn it_is_passed_among_many_bodies() {
    let balls: Vec<(&str, Value)> = (0..200)
        .map(|at| {
            let (x, y) = (f64::from(at % 20) - 9.5, f64::from(at / 20) - 4.5);
            ("sphere", json!({ "center": [x, y, -12], "radius": 0.45 }))
        })
        .collect();
    let lights: Vec<(&str, Value)> = (0..20)
        .map(|at| {
            let x = f64::from(at) - 9.5;
            (
                "area_sphere_light",
                json!({ "center": [x, 0.5, -11], "radius": 0.4,
                "emission": [1, 1, 1], "visible_to_camera": at % 2 == 0 }),
            )
        })
        .collect();
    let camera = json!({ "center": [0, 0.5, 60], "look_at": [0, 0.5, 0], "vfov": 20 });
    let world = World::build(&scene(&balls, &lights, &none(), &camera));
    let half = 71.0 * 10f64.to_radians().tan();
    for at in 0..20 {
        let x = f64::from(at) - 9.5;
        let picked = world.pick((0.5 + x / (4.0 * half)) as f32, 0.5, 2.0).unwrap();
        let expected = if at % 2 == 0 { "light" } else { "shape" };
        assert!(picked.id.as_str().starts_with(expected), "{at}: {}", picked.id);
    }
}

#[test]
fn the_coverage_of_a_film_is_the_same_without_the_other_features() {
    let [_, hidden] = both(
        &[("sphere", json!({ "center": [0, 0, -3], "radius": 0.5 }))],
        [0.0, 0.0, -2.0],
        [0.0, 0.0, -1.0],
    );
    let world = World::build(&hidden);
    let settings = RenderSettings { hides_sky: true, ..settings(4) };
    let films = [Film::with_features(20, 20), Film::with_coverage(20, 20)].map(|mut film| {
        for _ in 0..2 {
            let target = film.samples() + 3;
            let outcome = render_pass(&world, &settings, &mut film, target, &|| false);
            assert!(matches!(outcome, PassOutcome::Completed(_)));
        }
        film
    });
    let [full, alone] = films.each_ref().map(|film| film.coverage().unwrap());
    assert_eq!(full, alone);
    assert!(full.iter().any(|share| *share > 0.0 && *share < 1.0));
    assert_eq!(films[0].linear().pixels, films[1].linear().pixels);
    assert!(films[1].aovs().is_none());
}

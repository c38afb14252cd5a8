//! The denoiser and its guides on rendered images.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tracer::{
    Film, Integrator, LinearImage, Meshes, ObjectKind, RenderSettings, World, denoise,
    denoise_noisy_parts, denoise_unless, render_pass,
};

use crate::support::*;

fn film(world: &World, settings: &RenderSettings, [width, height]: [u32; 2], samples: u32) -> Film {
    let mut film = Film::with_features(width, height);
    render_pass(world, settings, &mut film, samples, &|| false);
    film
}

/// The mean of the squared error relative to the squared reference.
fn relative_error(picture: &LinearImage, truth: &LinearImage) -> f32 {
    let channels = picture.pixels.iter().flatten().zip(truth.pixels.iter().flatten());
    let sum: f32 = channels.map(|(x, truth)| (x - truth).powi(2) / (truth * truth + 0.01)).sum();
    sum / (3 * picture.pixels.len()) as f32
}

#[test]
fn cornell_at_eight_samples_has_a_third_of_the_error_or_less() {
    let world = World::build(&cornell(1.0, 0.02));
    let size = [200, 150];
    let truth = RenderSettings { seed: 5, ..RenderSettings::default() };
    let truth = film(&world, &truth, size, 512).linear();
    // bdpt has less noise to begin with.
    for (integrator, at_least) in [(Integrator::Path, 3.0), (Integrator::Bdpt, 2.0)] {
        let settings = RenderSettings { integrator, ..RenderSettings::default() };
        let film = film(&world, &settings, size, 8);
        let before = relative_error(&film.linear(), &truth);
        let after = relative_error(&denoise(&film).unwrap(), &truth);
        assert!(after < before / at_least, "{integrator:?}: {after} of {before}");
    }
}

#[test]
fn only_what_is_noisy_is_denoised() {
    let world = World::build(&cornell(1.0, 0.02));
    let size = [120, 90];
    let truth = RenderSettings { seed: 5, ..RenderSettings::default() };
    let truth = film(&world, &truth, size, 2_048).linear();
    let seen = film(&world, &RenderSettings::default(), size, 64);
    let (plain, whole, noise) = (seen.linear(), denoise(&seen).unwrap(), seen.noise().unwrap());

    let parts = denoise_noisy_parts(&seen, noise, &|| false).unwrap();
    let (before, after) = (relative_error(&plain, &truth), relative_error(&parts, &truth));
    assert!(after < before / 2.0, "{after} of {before}");
    let like = |other: &LinearImage| {
        parts.pixels.iter().zip(&other.pixels).filter(|(pixel, other)| pixel == other).count()
    };
    let (kept, denoised) = (like(&plain), like(&whole));
    assert!(kept > 100 && denoised > 1_000, "{kept} as they were, {denoised} denoised");

    assert_eq!(denoise_noisy_parts(&seen, 10.0, &|| false), None);
    assert_eq!(denoise_noisy_parts(&seen, noise, &|| true), None);
    let early = film(&world, &RenderSettings::default(), size, 4);
    assert_eq!(denoise_noisy_parts(&early, 10.0, &|| false), denoise(&early));
}

/// A flag that is true from the call after this many.
fn cancelled_after(calls: usize) -> impl Fn() -> bool + Sync {
    let asked = AtomicUsize::new(0);
    move || asked.fetch_add(1, Ordering::Relaxed) >= calls
}

#[test]
fn denoising_and_building_can_be_cancelled_at_any_step() {
    let scene = everything();
    let film = film(&World::build(&scene), &RenderSettings::default(), [40, 30], 2);
    let asked = AtomicUsize::new(0);
    let count = || asked.fetch_add(1, Ordering::Relaxed) == usize::MAX;
    assert_eq!(denoise_unless(&film, &count), denoise(&film));
    let steps = asked.load(Ordering::Relaxed);
    // Every row of some fifteen steps.
    assert!(steps > 15 * 30, "{steps}");
    for calls in [0, 1, 31, steps / 2, steps - 1] {
        assert_eq!(denoise_unless(&film, &cancelled_after(calls)), None);
    }
    for calls in 0..scene.shapes.len() + scene.lights.len() {
        let world = World::build_unless(&scene, &Meshes::default(), &cancelled_after(calls));
        assert!(world.is_none(), "{calls}");
    }
}

#[test]
fn features_change_nothing_else_and_are_asked_for() {
    let world = World::build(&everything());
    let settings = RenderSettings::default();
    let mut plain = Film::new(40, 30);
    render_pass(&world, &settings, &mut plain, 4, &|| false);
    assert_eq!(plain.linear(), film(&world, &settings, [40, 30], 4).linear());
    assert!(denoise(&plain).is_none() && plain.aovs().is_none());
}

#[test]
fn lights_and_sky_come_through_untouched() {
    let lamp =
        json!({ "corner": [-1, -1, 0], "u": [2, 0, 0], "v": [0, 2, 0], "emission": [9, 9, 9] });
    let camera = json!({ "center": [0, 0, 5], "look_at": [0, 0, 0], "vfov": 50 });
    let lit = scene(&[], &[("area_quad_light", lamp)], &white(), &camera);
    let film = film(&World::build(&lit), &settings(5), [60, 40], 2);
    let (plain, denoised) = (film.linear(), denoise(&film).unwrap());
    for (plain, denoised) in plain.pixels.iter().zip(&denoised.pixels) {
        assert!((plain[0] - denoised[0]).abs() < 1e-5, "{plain:?} {denoised:?}");
    }
}

#[test]
fn aovs_say_what_is_seen_in_mirrors_and_through_glass() {
    let wall = |z: f64, albedo: f64| {
        let properties = json!({ "corner": [-9, -9, z], "u": [18, 0, 0], "v": [0, 18, 0],
                                 "material": matte(albedo) });
        ("quad", properties)
    };
    let camera = json!({ "center": [0, 0, 5], "look_at": [0, 0, 0], "vfov": 1 });
    let pane = |material: serde_json::Value| {
        let properties = json!({ "center": [0, 0, 0], "dimensions": [4, 4, 0.2],
                                 "material": material });
        ("box", properties)
    };
    let look = |shapes: &[(&str, serde_json::Value)]| {
        let world = World::build(&scene(shapes, &[], &white(), &camera));
        let aovs = film(&world, &settings(10), [4, 4], 4).aovs().unwrap();
        let object = aovs.object[5].and_then(|at| world.objects().nth(at as usize));
        let id = object.map(|(id, kind)| {
            assert_eq!(kind, ObjectKind::Shape);
            id.as_str().to_owned()
        });
        (aovs.albedo.pixels[5][0], aovs.normal.pixels[5], aovs.depth[5], id)
    };
    let near = |value: f32, expected: f32| assert!((value - expected).abs() < 1e-3, "{value}");

    let (albedo, normal, depth, id) = look(&[wall(-2.0, 0.4)]);
    near(albedo, 0.4);
    near(normal[2], 1.0);
    near(depth, 7.0);
    assert_eq!(id.as_deref(), Some("shape0"));

    // Through the pane to the wall behind it.
    let (albedo, normal, depth, id) = look(&[wall(-2.0, 0.4), pane(glass(1.5))]);
    near(albedo, 0.4);
    near(normal[2], 1.0);
    near(depth, 4.9);
    assert_eq!(id.as_deref(), Some("shape1"));

    // The mirror shows the wall behind the camera, which faces away from it.
    let (albedo, normal, depth, _) = look(&[wall(9.0, 0.3), pane(metal(0.0))]);
    near(albedo, 0.3);
    near(normal[2], -1.0);
    near(depth, 4.9);

    let (albedo, normal, depth, id) = look(&[]);
    near(albedo, 1.0);
    assert_eq!((normal, depth, id), ([0.0; 3], f32::INFINITY, None));
}

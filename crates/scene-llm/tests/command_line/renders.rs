//! Pictures by `render`: every example, every format, every setting.

use std::path::Path;

use super::{scene_llm, scenes, stderr};

#[test]
fn every_example_scene_validates_renders_and_says_what_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    assert!(scenes().len() >= 8);
    for scene in scenes() {
        let name = scene.to_str().unwrap();
        let output = scene_llm(&["validate", name]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let text = std::fs::read_to_string(&scene).unwrap();
        let description = scene::Scene::from_json_text(&text).unwrap().description.unwrap();
        assert!(!description.contains('\n') && description.len() > 20, "{name}");

        let picture = folder.path().join("picture.png");
        let size = ["--width", "80", "--height", "60", "--samples", "4"];
        let mut arguments = vec!["render", name, "-o", picture.to_str().unwrap()];
        arguments.extend(size);
        let output = scene_llm(&arguments);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let pixels = image::open(&picture).unwrap().to_rgb8();
        assert_eq!(pixels.dimensions(), (80, 60));
        let (dark, bright) = pixels
            .pixels()
            .map(|pixel| pixel.0.iter().map(|channel| u32::from(*channel)).sum::<u32>())
            .fold((u32::MAX, 0), |(low, high), sum| (low.min(sum), high.max(sum)));
        assert!(bright > dark + 100, "{name}: a picture of nothing, {dark} to {bright}");
    }
}

#[test]
fn the_ending_chooses_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scenes().remove(0);
    let signatures: [(&str, &[u8]); 5] = [
        ("png", b"\x89PNG"),
        ("jpg", b"\xff\xd8\xff"),
        ("jpeg", b"\xff\xd8\xff"),
        ("webp", b"RIFF"),
        ("exr", b"\x76\x2f\x31\x01"),
    ];
    for (ending, signature) in signatures {
        let picture = folder.path().join(format!("picture.{ending}"));
        let (scene, picture_name) = (scene.to_str().unwrap(), picture.to_str().unwrap());
        let output = scene_llm(&[
            "render",
            scene,
            "-o",
            picture_name,
            "--width",
            "16",
            "--height",
            "12",
            "--samples",
            "1",
            "--stats",
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(std::fs::read(&picture).unwrap().starts_with(signature), "{ending}");
        let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        for field in
            ["load_ms", "build_ms", "render_ms", "samples_per_pixel", "rays", "mrays_per_s"]
        {
            assert!(stats[field].is_number(), "{field} in {stats}");
        }
        assert_eq!(stats["integrator"], "path");
    }
}

#[test]
fn exposure_and_tone_map_change_what_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scenes().remove(0);
    let brightness = |more: &[&str]| {
        let picture = folder.path().join("picture.png");
        let mut arguments =
            vec!["render", scene.to_str().unwrap(), "-o", picture.to_str().unwrap()];
        arguments.extend(["--width", "32", "--height", "24", "--samples", "4"]);
        arguments.extend(more);
        let output = scene_llm(&arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        let pixels = image::open(&picture).unwrap().to_rgb8();
        pixels.iter().map(|channel| u64::from(*channel)).sum::<u64>()
    };
    let plain = brightness(&[]);
    assert_eq!(brightness(&["--tone-map", "agx", "--exposure", "0"]), plain);
    assert!(brightness(&["--exposure", "-2"]) < plain && brightness(&["--exposure", "2"]) > plain);
    assert_ne!(brightness(&["--tone-map", "srgb"]), plain);
    assert_ne!(brightness(&["--tone-map", "neutral"]), brightness(&["--tone-map", "srgb"]));
    for wrong in [["--exposure", "bright"], ["--exposure", "100"], ["--tone-map", "film"]] {
        let mut arguments = vec!["render", scene.to_str().unwrap(), "-o", "x.png"];
        arguments.extend(wrong);
        assert_eq!(scene_llm(&arguments).status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn exr_is_linear_and_unclamped_and_the_same_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("glow.json");
    // A uniform sky of radiance 7.5 and nothing else: every pixel is exactly that.
    let text = r#"{ "version": 1, "shapes": [], "environment": { "type": "uniform", "emission": [7.5, 0.25, 0] } }"#;
    std::fs::write(&scene, text).unwrap();
    let render = |scene: &Path, integrator: &str, threads: &str| {
        let picture = folder.path().join(format!("{integrator}-{threads}.exr"));
        let (scene, picture_name) = (scene.to_str().unwrap(), picture.to_str().unwrap());
        let output = scene_llm(&[
            "render",
            scene,
            "-o",
            picture_name,
            "--integrator",
            integrator,
            "--threads",
            threads,
            "--samples",
            "4",
            "--width",
            "40",
            "--height",
            "30",
        ]);
        assert!(output.status.success(), "{}", stderr(&output));
        let read = exr::prelude::read_first_rgba_layer_from_file(
            &picture,
            |size, _| vec![(0f32, 0f32, 0f32); size.width() * size.height()],
            |pixels, at, (red, green, blue, _): (f32, f32, f32, f32)| {
                pixels[at.y() * 40 + at.x()] = (red, green, blue);
            },
        );
        read.unwrap().layer_data.channel_data.pixels
    };
    assert!(render(&scene, "path", "1").iter().all(|pixel| *pixel == (7.5, 0.25, 0.0)));
    let cornell = scenes().remove(0);
    for integrator in ["path", "bdpt"] {
        assert_eq!(render(&cornell, integrator, "1"), render(&cornell, integrator, "3"));
    }
}

fn stats(arguments: &[&str]) -> serde_json::Value {
    let output = scene_llm(arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_render_stops_when_it_is_quiet_or_its_time_is_up() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scenes().remove(0);
    let picture = folder.path().join("picture.png");
    let (scene, picture) = (scene.to_str().unwrap(), picture.to_str().unwrap());
    let common = ["render", scene, "-o", picture, "--width", "32", "--height", "24", "--stats"];
    let with = |more: &[&str]| stats(&[&common[..], more].concat());

    let quiet = with(&["--noise-threshold", "0.2"]);
    assert!(quiet["noise"].as_f64().unwrap() <= 0.2, "{quiet}");
    let samples = quiet["samples_per_pixel"].as_f64().unwrap();
    assert!((32.0..1024.0).contains(&samples), "{quiet}");

    // Far more than fit: the limit ends it, not the samples. No pass begins that is known not to
    // fit, so what is over is what other work on the machine has taken.
    let limited = with(&["--samples", "65536", "--time-limit", "0.2"]);
    let samples = limited["samples_per_pixel"].as_u64().unwrap();
    assert!((1..65_536).contains(&samples), "{limited}");
}

#[test]
fn layers_of_an_exr_tell_what_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("ball.json");
    let text = r#"{ "version": 1, "shapes": [{ "id": "ball", "type": "sphere", "properties":
        { "center": [0, 0, 0], "radius": 1,
          "material": { "type": "lambertian", "albedo": [0.25, 0.5, 0.75] } } }] }"#;
    std::fs::write(&scene, text).unwrap();
    let picture = folder.path().join("ball.exr");
    let size = ["--width", "16", "--height", "16", "--samples", "4", "--aov"];
    let (scene, name) = (scene.to_str().unwrap(), picture.to_str().unwrap());
    let output = scene_llm(&[&["render", scene, "-o", name][..], &size].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let image = exr::prelude::read_first_flat_layer_from_file(&picture).unwrap();
    let channels = image.layer_data.channel_data.list;
    let middle = |name: &str| {
        let channel = channels.iter().find(|channel| channel.name == *name).unwrap();
        channel.sample_data.value_by_flat_index(8 * 16 + 8).to_f32()
    };
    let near = |name: &str, expected: f32| {
        assert!((middle(name) - expected).abs() < 0.03, "{name}: {}", middle(name));
    };
    near("albedo.R", 0.25);
    near("albedo.B", 0.75);
    near("normal.Z", 0.99);
    near("depth.Z", 4.0);
    assert_eq!(middle("object.id"), 1.0);
    assert!(middle("G") > 0.0);
}

#[test]
fn the_sky_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("ball.json");
    let text = r#"{ "version": 1, "shapes": [{ "id": "ball", "type": "sphere", "properties":
        { "center": [0, 0, 0], "radius": 1 } }] }"#;
    std::fs::write(&scene, text).unwrap();
    let render = |name: &str, more: &[&str]| {
        let picture = folder.path().join(name);
        let (scene, out) = (scene.to_str().unwrap(), picture.to_str().unwrap());
        let size = ["--width", "32", "--height", "32", "--samples", "16"];
        let output = scene_llm(&[&["render", scene, "-o", out][..], &size, more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        picture
    };
    let opaque = image::open(render("opaque.png", &[])).unwrap();
    assert!(!opaque.color().has_alpha());
    for (name, more) in [
        ("ball.png", &["--transparent"][..]),
        ("ball.webp", &["--transparent"]),
        ("smooth.png", &["--transparent", "--denoise", "builtin"]),
    ] {
        let picture = image::open(render(name, more)).unwrap().to_rgba8();
        let alpha: Vec<u8> = picture.pixels().map(|pixel| pixel.0[3]).collect();
        assert_eq!((alpha[0], alpha[16 * 32 + 16]), (0, 255), "{name}");
        assert!(alpha.iter().any(|&alpha| alpha > 0 && alpha < 255), "{name}: the edge is smooth");
        // The ball is lit by the sky as before.
        let (with, without) = (picture.get_pixel(16, 16), opaque.to_rgb8());
        let without = without.get_pixel(16, 16);
        for channel in 0..3 {
            assert!(with.0[channel].abs_diff(without.0[channel]) < 12, "{with:?} {without:?}");
        }
    }
    let exr = render("ball.exr", &["--transparent", "--aov"]);
    let image = exr::prelude::read_first_flat_layer_from_file(exr).unwrap();
    let corner = |name: &str| {
        let mut channels = image.layer_data.channel_data.list.iter();
        let channel = channels.find(|channel| channel.name == *name).unwrap();
        channel.sample_data.value_by_flat_index(0).to_f32()
    };
    assert_eq!(["A", "R", "albedo.R"].map(corner), [0.0; 3]);
}

#[test]
fn the_builtin_denoiser_smooths_and_an_absent_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scenes().into_iter().find(|scene| scene.ends_with("cornell-box.json")).unwrap();
    let picture = folder.path().join("picture.png");
    let (scene, name) = (scene.to_str().unwrap(), picture.to_str().unwrap());
    let sized = ["--width", "64", "--height", "48", "--samples", "4", "--denoise"];
    let with = |denoise: &str, stats: &str| {
        std::process::Command::new(env!("CARGO_BIN_EXE_scene-llm"))
            .args(["render", scene, "-o", name, stats])
            .args(sized)
            .arg(denoise)
            .env("OIDN_LIBRARY", "/no/such/library.so")
            .output()
            .unwrap()
    };
    // Smooth pictures compress better.
    let size = |denoise: &str| {
        let output = with(denoise, "--stats");
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::metadata(&picture).unwrap().len()
    };
    assert!(size("builtin") < 8 * size("none") / 10);
    let absent = with("oidn", "--stats");
    assert_eq!(absent.status.code(), Some(1));
    let told = stderr(&absent);
    assert!(told.contains("/no/such/library.so") && told.contains("OIDN_LIBRARY"), "{told}");
    assert_eq!(told.trim().lines().count(), 1, "{told}");
}

#[test]
fn animations_are_written_by_their_ending_and_moments_as_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scenes().into_iter().find(|scene| scene.ends_with("bouncing-ball.json")).unwrap();
    let scene = scene.to_str().unwrap();
    let sized = ["--width", "32", "--height", "24", "--samples", "1"];
    let run = |arguments: &[&str]| scene_llm(&[&["render", scene], arguments, &sized].concat());
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (name, signature) in [("a.webp", &b"RIFF"[..]), ("a.gif", b"GIF89a"), ("a.zip", b"PK")] {
        let output = run(&["--animation", &path(name), "--fps", "2"]);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        assert!(std::fs::read(path(name)).unwrap().starts_with(signature), "{name}");
        assert_eq!(stderr(&output), "", "quiet where it is no terminal");
    }
    // The same on any number of threads.
    let one = run(&["--animation", &path("one.webp"), "--fps", "2", "--threads", "1"]);
    assert!(
        one.status.success()
            && std::fs::read(path("one.webp")).unwrap() == std::fs::read(path("a.webp")).unwrap()
    );
    let moment = |name: &str, time: &str| {
        let output = run(&["-o", &path(name), "--at-time", time]);
        assert!(output.status.success(), "{}", stderr(&output));
        std::fs::read(path(name)).unwrap()
    };
    assert_ne!(moment("start.png", "0"), moment("end.png", "3"));
    let refusals = [
        (vec!["--animation", "a.mp4"], 2, "the name must end in .webp, .gif, .zip"),
        (vec!["--animation", "a.gif", "-o", "a.png"], 2, "cannot be used with"),
        (vec!["--animation", "/no/such/a.gif", "--fps", "60"], 1, "from 1 to 50 for gif"),
        (vec!["-o", "a.png", "--at-time", "9"], 1, "the animation ends at 3 s, before 9 s"),
        (vec!["--animation", "a.gif", "--shutter", "2"], 2, "must be a number from 0 to 1"),
        (
            vec!["--animation", "a.gif", "--shutter", "0.5", "--time-limit", "9"],
            1,
            "leave out 'shutter'",
        ),
        (vec!["--fps", "3"], 2, "--output <OUT>"),
    ];
    for (arguments, code, expected) in refusals {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{expected}: {}", stderr(&output));
    }
}

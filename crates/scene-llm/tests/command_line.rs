//! The command line: exit codes, one clear line on stderr, pictures in every format.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use end_to_end::bad_scenes::BadScene;

fn scene_llm(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_scene-llm"))
        .args(arguments)
        .env_remove("SCENE_LLM_MODEL")
        .output()
        .unwrap()
}

fn scenes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut files: Vec<_> = [folder.clone(), folder.join("meshes")]
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    files.sort();
    files
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

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
fn shells_and_man_learn_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = scene_llm(&["completions", shell]);
        assert!(script.status.success(), "{}", stderr(&script));
        let script = String::from_utf8(script.stdout).unwrap();
        for command in ["serve", "render", "mcp", "objects"] {
            assert!(script.contains(command), "{shell}: {command}");
        }
    }
    let page = scene_llm(&["man"]);
    let page = String::from_utf8(page.stdout).unwrap();
    assert!(page.starts_with(".ie") && page.contains("validate"), "{page}");
    let page = scene_llm(&["man", "serve"]);
    assert!(String::from_utf8(page.stdout).unwrap().contains("in\\-memory"));
    let unknown = scene_llm(&["man", "dance"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(
        stderr(&unknown).contains("there is no command 'dance'; the commands are: serve, render")
    );
}

#[test]
fn bad_scene_files_get_one_line_a_fault_and_exit_code_1() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.json");
    for case in BadScene::all() {
        std::fs::write(&file, case.text()).unwrap();
        let output = scene_llm(&["validate", file.to_str().unwrap()]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{}", case.name);
        assert!(output.stdout.is_empty());
        assert!(said.contains(&case.fault), "{}\n  got: {said}", case.name);
        assert!(said.lines().all(|line| line.starts_with("error: ")), "{}: {said}", case.name);
    }
}

#[test]
fn meshes_are_read_from_beside_the_scene_file_or_from_where_one_says() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.json");
    std::fs::write(
        &scene,
        r#"{ "version": 1, "environment": { "type": "uniform", "emission": [1, 1, 1] },
             "camera": { "center": [0, 0, 5], "look_at": [0, 0, 0], "vfov": 10 },
             "shapes": [ { "id": "a", "type": "mesh", "properties": { "asset": "wall.obj",
               "scale": 9, "material": { "type": "lambertian", "albedo": [0.5, 0.5, 0.5] } } } ] }"#,
    )
    .unwrap();
    let scene = scene.to_str().unwrap();
    let missing = scene_llm(&["validate", scene]);
    assert_eq!(missing.status.code(), Some(1));
    let expected = "error: shape 'a' property 'asset': asset 'wall.obj' is not known here; there is \
                    no such file beside the scene file\n";
    assert_eq!(stderr(&missing), expected);

    let assets = folder.path().join("assets");
    std::fs::create_dir(&assets).unwrap();
    let wall = "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n";
    std::fs::write(assets.join("wall.obj"), wall).unwrap();
    let assets = assets.to_str().unwrap();
    assert_eq!(scene_llm(&["validate", scene, "--assets", assets]).status.code(), Some(0));

    std::fs::write(folder.path().join("wall.obj"), wall).unwrap();
    assert_eq!(scene_llm(&["validate", scene]).status.code(), Some(0));
    let out = folder.path().join("out.exr");
    let size = ["--width", "4", "--height", "4", "--samples", "4"];
    let arguments = [&["render", scene, "-o", out.to_str().unwrap()][..], &size].concat();
    assert_eq!(scene_llm(&arguments).status.code(), Some(0));
    let picture = exr::prelude::read_first_rgba_layer_from_file(
        &out,
        |size, _| vec![0.0_f32; size.width() * size.height()],
        |pixels, at, (red, _, _, _): (f32, f32, f32, f32)| pixels[at.y() * 4 + at.x()] = red,
    )
    .unwrap();
    // All that is seen is the wall, which gives back half of the light.
    let pixels = picture.layer_data.channel_data.pixels;
    assert!(pixels.iter().all(|pixel| (pixel - 0.5).abs() < 0.01), "{pixels:?}");
}

#[test]
fn files_of_other_programs_become_scenes_and_scenes_such_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let original = scenes().into_iter().find(|path| path.ends_with("snowman.json")).unwrap();
    for ending in ["glb", "gltf", "obj", "pbrt"] {
        let there = path(&format!("snowman.{ending}"));
        let output = scene_llm(&["convert", original.to_str().unwrap(), &there]);
        assert!(output.status.success(), "{ending}: {}", stderr(&output));
        assert!(String::from_utf8_lossy(&output.stdout).starts_with(&format!("wrote {there}")));
        let back = path(&format!("{ending}.json"));
        let output = scene_llm(&["convert", &there, &back]);
        assert!(output.status.success(), "{ending}: {}", stderr(&output));
        let output = scene_llm(&["validate", &back]);
        assert!(output.status.success(), "{ending}: {}", stderr(&output));
    }
    // What cannot be kept is told.
    let output = scene_llm(&["convert", original.to_str().unwrap(), &path("again.obj")]);
    assert!(stderr(&output).contains("note: OBJ holds neither camera nor surroundings"));
}

#[test]
fn bad_conversions_name_the_file_and_the_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    std::fs::write(path("bad.pbrt"), "WorldBegin\nShape \"sphere\" \"radius\" 1\n").unwrap();
    std::fs::write(path("bad.glb"), b"glTF....").unwrap();
    let fault = |from: &str, to: &str| {
        let output = scene_llm(&["convert", &path(from), &path(to)]);
        let text = stderr(&output);
        (output.status.code(), text.lines().last().unwrap_or_default().to_owned())
    };
    let (code, text) = fault("bad.pbrt", "out.json");
    assert_eq!(code, Some(1));
    assert!(text.contains("bad.pbrt") && text.contains("line 2"), "{text}");
    let (code, text) = fault("bad.glb", "out.json");
    assert_eq!(code, Some(1));
    assert!(text.contains("bad.glb"), "{text}");
    let (code, text) = fault("gone.glb", "out.json");
    assert_eq!(code, Some(1));
    assert!(text.contains("there is no file"), "{text}");
    assert!(!std::path::Path::new(&path("out.json")).exists());
    assert_eq!(fault("bad.glb", "out.stl").0, Some(2));
}

#[test]
fn several_faults_are_several_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.json");
    std::fs::write(
        &file,
        r#"{ "version": 1, "shapes": [ { "id": "a", "type": "sphere", "properties": {} } ] }"#,
    )
    .unwrap();
    let output = scene_llm(&["validate", file.to_str().unwrap()]);
    assert_eq!(stderr(&output).lines().count(), 2, "{}", stderr(&output));
}

#[test]
fn failures_exit_with_1_and_one_line_and_bad_usage_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scenes().remove(0);
    let scene = scene.to_str().unwrap();
    let not_utf8 = folder.path().join("latin1.json");
    std::fs::write(&not_utf8, [b'{', 0xff, b'}']).unwrap();
    let cases: [(&[&str], i32, &str); 20] = [
        (&["validate", "/no/such/file.json"], 1, "cannot read '/no/such/file.json'"),
        (&["validate", not_utf8.to_str().unwrap()], 1, "not UTF-8"),
        (&["render", "/no/such/file.json", "-o", "x.png"], 1, "cannot read"),
        (&["render", scene, "-o", "x.gif"], 2, "must end in .png, .jpg, .webp or .exr"),
        (
            &[
                "render",
                scene,
                "-o",
                "/no/such/dir/x.png",
                "--width",
                "8",
                "--height",
                "8",
                "--samples",
                "1",
            ],
            1,
            "cannot write",
        ),
        (&["render", scene, "-o", "x.png", "--time-limit", "0"], 2, "--time-limit"),
        (&["render", scene, "-o", "x.png", "--time-limit", "NaN"], 2, "--time-limit"),
        (&["render", scene], 2, "--output"),
        (&["render", scene, "-o", "x.png", "--width", "0"], 2, "0 is not in 1..=4096"),
        (&["render", scene, "-o", "x.png", "--width", "many"], 2, "invalid value"),
        (&["render", scene, "-o", "x.png", "--samples", "99999999"], 2, "is not in"),
        (&["render", scene, "-o", "x.png", "--integrator", "magic"], 2, "possible values"),
        (&["render", scene, "-o", "x.png", "--denoise", "magic"], 2, "possible values"),
        (&["render", scene, "-o", "x.png", "--noise-threshold", "0"], 2, "above 0 and at most 1"),
        (&["render", scene, "-o", "x.png", "--noise-threshold", "NaN"], 2, "above 0 and at most 1"),
        (&["render", scene, "-o", "x.png", "--aov"], 2, "--aov needs an output that ends in .exr"),
        (&["serve", "--addr", "nowhere"], 2, "invalid"),
        (&["serve", "--max-turns", "0"], 2, "is not in"),
        (&["sing"], 2, "unrecognized subcommand"),
        (&[], 2, "Usage"),
    ];
    for (arguments, code, expected) in cases {
        let output = scene_llm(arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}\n  got: {said}");
        assert!(code != 1 || said.lines().count() == 1, "{arguments:?}: {said}");
    }
}

#[test]
fn help_helps() {
    for arguments in
        [&["--help"][..], &["serve", "--help"], &["render", "--help"], &["validate", "--help"]]
    {
        let output = scene_llm(arguments);
        assert!(output.status.success());
        assert!(String::from_utf8(output.stdout).unwrap().contains("Usage: scene-llm"));
    }
}

#[test]
fn a_misconfigured_server_says_what_to_set() {
    let serve = |name: &str, value: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_scene-llm"))
            .args(["serve", "--addr", "127.0.0.1:0", "--in-memory"])
            .env_remove("GEMINI_API_KEY")
            .env_remove("GOOGLE_API_KEY")
            .env(name, value)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        stderr(&output)
    };
    assert!(serve("DEBUG_MOCK_RESPONSES", "{").contains("DEBUG_MOCK_RESPONSES"));
    assert!(serve("SCENE_LLM_MODEL", "gemini-3.8-flash").contains("set GEMINI_API_KEY"));
}

#[test]
fn eval_reads_the_configuration_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config.toml");
    let goals = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/goals");
    let eval = |text: &str| {
        std::fs::write(&file, text).unwrap();
        let (goals, file) = (goals.to_str().unwrap(), file.to_str().unwrap());
        let output = scene_llm(&["eval", "--goals", goals, "--config", file]);
        assert_eq!(output.status.code(), Some(1));
        stderr(&output)
    };
    assert!(eval("local_models = true\nmodle = \"x\"\n").contains("line 2"));
    // The model that it names is asked for.
    assert!(eval("model = \"gpt-of-nobody\"\n").contains("'gpt-of-nobody'"));
}

#[cfg(unix)]
#[test]
fn a_pipe_a_folder_and_a_device_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("scene.json");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let out = folder.path().join("out.png");
    let other = folder.path().join("out.glb");
    let named = folder.path().join("named.json");
    let scene = serde_json::json!({ "version": 1, "shapes": [
        { "id": "a", "type": "mesh", "properties": { "asset": "pipe.ply" } } ] });
    std::fs::write(&named, scene.to_string()).unwrap();
    let mesh = folder.path().join("pipe.ply");
    assert!(Command::new("mkfifo").arg(&mesh).status().unwrap().success());
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    // Nobody writes into the pipes: reading one would never end.
    for arguments in [
        vec!["validate".to_owned(), text(&pipe)],
        vec!["render".to_owned(), text(&pipe), "-o".to_owned(), text(&out)],
        vec!["convert".to_owned(), text(&pipe), text(&other)],
        vec!["validate".to_owned(), text(folder.path())],
        vec!["validate".to_owned(), "/dev/zero".to_owned()],
        vec!["validate".to_owned(), text(&named)],
        vec!["convert".to_owned(), text(&mesh), text(&other)],
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = scene_llm(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let told = stderr(&output);
        assert!(told.contains("not a regular file"), "{arguments:?}: {told}");
        assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
    }
}

#[test]
fn results_are_json_where_a_script_wants_them() {
    let folder = tempfile::tempdir().unwrap();
    let json = |output: &Output| -> serde_json::Value {
        assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 1, "one line");
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/snowman.json");
    let scene = scene.to_str().unwrap();
    let valid = json(&scene_llm(&["validate", scene, "--json"]));
    assert!(valid["valid"] == true && valid["shapes"].as_u64().unwrap() > 3, "{valid}");

    let wrong = folder.path().join("wrong.json");
    let text = r#"{"version":1,"shapes":[{"id":"a","type":"sphere","properties":{"center":[0,0,0],"radius":-1}},
        {"id":"a","type":"box","properties":{}}]}"#;
    std::fs::write(&wrong, text).unwrap();
    let output = scene_llm(&["validate", wrong.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let invalid = json(&output);
    assert_eq!(invalid["valid"], false);
    assert!(invalid["errors"].as_array().unwrap().len() > 1, "{invalid}");

    let to = folder.path().join("snowman.glb");
    let output = scene_llm(&["convert", scene, to.to_str().unwrap(), "--json"]);
    let told = json(&output);
    assert_eq!(told["files"], serde_json::json!([to]));
    assert!(told["notes"].is_array() && output.stderr.is_empty(), "{told}");
}

#[test]
fn models_are_listed_with_what_they_can_do_and_whether_there_is_a_key() {
    let home = tempfile::tempdir().unwrap();
    let listed = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_scene-llm"))
            .args(["models", "--no-local-models"])
            .args(arguments)
            .env_clear()
            .env("HOME", home.path())
            // Nobody listens there: what is known of the models is listed.
            .env("ANTHROPIC_API_KEY", "sk-a-key")
            .env("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(
            !text.contains("sk-a-key")
                && !String::from_utf8_lossy(&output.stderr).contains("sk-a-key")
        );
        text
    };
    let overview: serde_json::Value = serde_json::from_str(&listed(&["--json"])).unwrap();
    let models = overview["models"].as_array().unwrap();
    let is_claude =
        |model: &&serde_json::Value| model["id"].as_str().unwrap().starts_with("anthropic/");
    let claude = models.iter().find(is_claude).unwrap();
    assert!(claude["native_tools"] == true && claude["context_window"].is_u64(), "{claude}");
    assert_eq!(overview["default"], claude["id"]);
    let providers = overview["providers"].as_array().unwrap();
    let provider = |name: &str| providers.iter().find(|it| it["name"] == name).unwrap();
    assert_eq!(provider("anthropic")["has_key"], true);
    let gemini = provider("gemini");
    assert_eq!(
        (&gemini["has_key"], &gemini["key_variable"]),
        (&false.into(), &"GEMINI_API_KEY".into())
    );
    let text = listed(&[]);
    assert!(text.contains("offline") && text.contains("with a key: Anthropic"), "{text}");
    assert!(text.contains("(GEMINI_API_KEY)"), "{text}");
}

#[test]
fn objects_of_ones_own_are_imported_listed_rendered_renamed_exported_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let form = serde_json::json!({ "format": "scene-llm object", "version": 1, "name": "reading lamp",
        "words": ["my light"], "category": "lighting", "shapes": [
            { "id": "foot", "type": "box", "properties": { "center": [0, 0.1, 0], "dimensions": [1, 0.2, 1] } },
            { "id": "shade", "type": "sphere", "properties": { "center": [0, 0.6, 0], "radius": 0.4 } } ] });
    std::fs::write(path("lamp.object.json"), form.to_string()).unwrap();
    std::fs::write(path("bad.json"), "{}").unwrap();
    let (data, file) = (path("data"), path("lamp.object.json"));
    let objects = |arguments: &[&str]| {
        let arguments = [&["objects"], arguments, &["--data-dir", &data]].concat();
        let output = scene_llm(&arguments);
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        (output.status.code(), text, stderr(&output))
    };
    let (code, names, error) = objects(&["import", &file, &file]);
    assert_eq!((code, &*names), (Some(0), "reading lamp\nreading lamp 2\n"), "{error}");
    let (_, listed, _) = objects(&["list", "lamp"]);
    assert!(listed.starts_with("reading lamp "), "one's own first: {listed}");
    assert_eq!(objects(&["list", "--own"]).1.lines().count(), 2);
    let picture = path("lamp.png");
    let size = ["--width", "80", "--height", "60", "--samples", "4"];
    let (code, _, error) = objects(&[&["render", "my light", "-o", &picture], &size[..]].concat());
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(image::open(&picture).unwrap().to_rgb8().dimensions(), (80, 60));
    assert_eq!(objects(&["rename", "reading lamp 2", "desk light", "--word", "glow"]).0, Some(0));
    assert_eq!(objects(&["export", "glow", "-o", &path("glow.object.json")]).0, Some(0));
    assert!(std::fs::read_to_string(path("glow.object.json")).unwrap().contains("\"desk light\""));
    assert_eq!(objects(&["delete", "desk light"]).0, Some(0));
    for (arguments, message) in [
        (
            &["delete", "desk light"][..],
            "there is no object of your own called 'desk light'; there are: reading lamp",
        ),
        (&["delete", "sofa"], "'sofa' is a built-in object"),
        (&["import", &path("bad.json")], "it is no exported object"),
        (&["import", &path("none.json")], "cannot be imported"),
        (&["rename", "reading lamp", "../x"], "'name' must be 1 to 60 letters"),
    ] {
        let (code, _, error) = objects(arguments);
        assert_eq!(code, Some(1), "{arguments:?}");
        assert!(error.contains(message) && error.lines().count() == 1, "{arguments:?}: {error}");
    }
    std::fs::write(format!("{data}/objects/broken.object.json"), "{").unwrap();
    let (code, listed, error) = objects(&["list", "--own"]);
    assert_eq!((code, listed.lines().count()), (Some(0), 1));
    assert!(error.starts_with("'broken.object.json' is left out: it is not the JSON"), "{error}");
}

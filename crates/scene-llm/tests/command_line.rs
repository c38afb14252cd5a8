//! The command line: exit codes, one clear line on stderr, pictures in every format.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod renders;
mod results;

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
        stderr(&unknown).contains("there is no command 'dance'; the commands are: serve, chat")
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

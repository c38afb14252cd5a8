//! What scripts read: JSON, lists of models and of objects.

use std::path::Path;
use std::process::{Command, Output};

use super::{scene_llm, stderr};

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

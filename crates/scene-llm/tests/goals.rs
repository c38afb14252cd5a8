//! Goals and workflows on the command line, with the built-in model: no key, no network.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

const PROGRAM: &str = env!("CARGO_BIN_EXE_scene-llm");

fn scene_llm(arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    for name in ["GEMINI_API_KEY", "GOOGLE_API_KEY", "SCENE_LLM_MODEL", "DEBUG_MOCK_RESPONSES"] {
        command.env_remove(name);
    }
    command.args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Works until the end; the criteria as printed, and the scene.
fn worked(arguments: &[&str]) -> (String, Value) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("out.json");
    let mut all = arguments.to_vec();
    all.extend(["--in-memory", "--model", "offline", "--out", file.to_str().unwrap()]);
    let output = scene_llm(&all);
    let (out, told) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{arguments:?}\n{out}\n{told}");
    assert!(!out.is_empty() && out.lines().all(|line| line.starts_with("[x] ")), "{out}\n{told}");
    (out, serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap())
}

fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name)
}

fn ids(scene: &Value) -> Vec<&str> {
    scene["shapes"].as_array().unwrap().iter().filter_map(|shape| shape["id"].as_str()).collect()
}

/// Issue 23: the plan comes from a workflow whose trigger fits, the criteria from it and the user.
#[test]
fn a_room_for_two_who_work_from_home_is_furnished_offline() {
    let goal = "furnish this room for two people who work from home";
    let (criteria, scene) = worked(&["goal", goal, "--criteria", "2+ ~desk"]);
    assert!(criteria.contains("[x] 2+ ~desk"), "{criteria}");
    let ids = ids(&scene);
    assert!(ids.iter().filter(|id| id.contains("desk")).count() >= 2, "{ids:?}");
}

#[test]
fn every_built_in_workflow_is_followed_to_its_end_offline() {
    let list = text(&scene_llm(&["workflow", "list"]).stdout);
    let names: Vec<&str> =
        list.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert!(names.len() >= 9, "{list}");
    let (start, snowman) = (scene("still-life.json"), scene("snowman.json"));
    for name in names {
        // Those that work on what is there begin with something.
        let needs = ["mood-light", "product-shot", "three-point-lighting", "turntable"];
        let mut arguments = vec!["workflow", "run", name];
        if needs.contains(&name) {
            arguments.extend(["--scene", start.to_str().unwrap()]);
        }
        if name == "clean-up" {
            arguments.extend(["--scene", snowman.to_str().unwrap()]);
        }
        worked(&arguments);
    }
}

/// A scene of the repository with a ball that floats.
#[test]
fn a_messy_scene_is_cleaned_up_by_a_goal_in_plain_words() {
    let text = std::fs::read_to_string(scene("snowman.json")).unwrap();
    let mut messy: Value = serde_json::from_str(&text).unwrap();
    let shapes = messy["shapes"].as_array_mut().unwrap();
    let before = shapes.len();
    let ball = json!({ "center": [0.3, 2.2, 0.9], "radius": 0.1 });
    shapes.push(json!({ "id": "lost_ball", "type": "sphere", "properties": ball }));
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("messy.json");
    std::fs::write(&file, messy.to_string()).unwrap();
    let (criteria, clean) = worked(&["goal", "clean up", "--scene", file.to_str().unwrap()]);
    assert!(criteria.contains("[x] check_scene overlap floating"), "{criteria}");
    let shapes = clean["shapes"].as_array().unwrap();
    assert_eq!(shapes.len(), before + 1, "nothing is thrown away");
    let ball = shapes.iter().find(|shape| shape["id"] == "lost_ball").unwrap();
    let height = ball["properties"]["center"][1].as_f64().unwrap();
    assert!(height < 2.0, "the ball was let down: {height}");
}

#[test]
fn a_goal_that_cannot_be_reached_ends_with_1_and_says_what_is_unmet() {
    let output = scene_llm(&[
        "goal",
        "a red ball",
        "--criteria",
        "3 green box",
        "--in-memory",
        "--model",
        "offline",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    let last = told.lines().last().unwrap();
    assert!(last.contains("not reached") && last.contains("'3 green box'"), "{told}");
    assert!(text(&output.stdout).contains("[ ] 3 green box"));
}

#[test]
fn wrong_usage_is_told_with_what_would_be_right() {
    for (arguments, words) in [
        (
            vec!["workflow", "run", "shoot", "--in-memory"],
            "there is no workflow 'shoot'; the workflows are: clean-up",
        ),
        (
            vec!["workflow", "run", "turntable", "--in-memory", "--param", "speed=2"],
            "no parameter 'speed'",
        ),
        (vec!["goal", "x", "--in-memory", "--criteria", "4 chiar ball"], "4 chiar ball"),
        (vec!["workflow", "show", "nothing"], "there is no workflow 'nothing'"),
    ] {
        let output = scene_llm(&arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let told = text(&output.stderr);
        assert!(told.contains(words), "{arguments:?}: {told}");
    }
}

#[test]
fn a_workflow_of_the_users_own_is_listed_shown_and_run() {
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().join("workflows");
    std::fs::create_dir_all(&folder).unwrap();
    let text_of = "name = \"two-balls\"\ndescription = \"Two balls.\"\ncriteria = [\"2 {colour} sphere\"]\n\
                   [parameters.colour]\ndescription = \"of both\"\ntype = \"choice\"\nvalues = [\"red\", \"blue\"]\n\
                   default = \"red\"\n[[task]]\nid = \"balls\"\ndescription = \"two {colour} balls\"\n";
    std::fs::write(folder.join("two.toml"), text_of).unwrap();
    let place = ["--data-dir", directory.path().to_str().unwrap()];
    let list = text(&scene_llm(&[&["workflow", "list"][..], &place].concat()).stdout);
    assert!(list.contains("two-balls"), "{list}");
    let shown = text(&scene_llm(&[&["workflow", "show", "two-balls"][..], &place].concat()).stdout);
    assert!(shown.contains("--param colour=red") && shown.contains("one of red, blue"), "{shown}");
    let run = ["workflow", "run", "two-balls", "--param", "colour=blue", "--model", "offline"];
    let output = scene_llm(&[&run[..], &place].concat());
    let out = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(out.trim(), "[x] 2 blue sphere");
}

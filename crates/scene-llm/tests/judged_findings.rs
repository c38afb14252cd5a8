//! What `check_scene` finds in the scenes of the repository and in those that models built, against what an artist
//! says of each finding: `evals/judged-findings.toml`. `--nocapture` prints what is found.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]
#![expect(clippy::print_stdout, reason = "the list is what this is run for")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use evaluation::{TranscriptReport, transcripts};
use mesh_files::Folder;
use scene::Scene;
use scene_llm::Evaluation;
use serde::Deserialize;
use server::ModelsConfig;
use tracer::{Mesh, Meshes};

/// A finding somebody looked at.
#[derive(Debug, Deserialize)]
struct Judged {
    /// The scene: the name of its file or transcript.
    scene: String,
    /// The kind of finding.
    check: String,
    /// The first of its ids.
    about: String,
    /// Whether an artist would change the scene for it.
    acts: bool,
    /// Why.
    #[serde(rename = "because")]
    _because: String,
}

#[derive(Debug, Deserialize)]
struct JudgedFile {
    finding: Vec<Judged>,
}

/// The scene, the kind of finding, and what it is about.
type Key = [String; 3];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn found_in(name: &str, scene: &Scene, meshes: &Meshes) -> Vec<(Key, String)> {
    let findings = studio::findings(scene, meshes, meshes).found;
    let told = findings.into_iter().map(|finding| {
        let about = finding.ids.first().cloned().unwrap_or_default();
        ([name.to_owned(), finding.check.to_owned(), about], finding.message)
    });
    told.collect()
}

/// A scene file with the meshes and pictures beside it.
fn load(path: &Path) -> (Scene, Meshes) {
    let scene = Scene::from_json_text(&std::fs::read_to_string(path).unwrap()).unwrap();
    let media = Folder::of_scene(path).load(&scene).unwrap();
    let mut meshes = Meshes::default();
    for (name, data) in media.meshes {
        meshes.insert(name, Arc::new(Mesh::new(data).unwrap()));
    }
    for (name, image) in media.images {
        meshes.insert_image(name, Arc::new(image.into()));
    }
    (scene, meshes)
}

async fn replayed() -> (TranscriptReport, Vec<(String, Arc<Scene>)>) {
    let models = ModelsConfig::default();
    let evaluation =
        Evaluation { models, jobs: 1, max_turns: 50, time_limit: Duration::from_secs(600) };
    let transcripts = transcripts(&root().join("evals/transcripts")).unwrap();
    let mut scenes = Vec::new();
    let report = evaluation
        .replay(&transcripts, studio::INSTRUCTION, |transcript, scene| {
            scenes.push((transcript.name.clone(), scene));
        })
        .await
        .unwrap();
    (report, scenes)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_finding_is_judged_and_the_share_an_artist_acts_on_is_held() {
    let mut found: Vec<(Key, String)> = Vec::new();
    for folder in ["scenes", "scenes/meshes"] {
        let entries = std::fs::read_dir(root().join(folder)).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
        files.sort();
        for file in files {
            let (scene, meshes) = load(&file);
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            found.extend(found_in(&name, &scene, &meshes));
        }
    }
    let (report, scenes) = replayed().await;
    println!("{report}");
    for (name, scene) in scenes {
        found.extend(found_in(&name, &scene, &Meshes::default()));
    }
    for ([scene, check, about], message) in &found {
        println!("{scene} | {check} | {about} | {message}");
    }
    let text = std::fs::read_to_string(root().join("evals/judged-findings.toml")).unwrap();
    let judged: JudgedFile = toml::from_str(&text).unwrap();
    let judged: BTreeMap<Key, bool> =
        judged.finding.into_iter().map(|it| ([it.scene, it.check, it.about], it.acts)).collect();
    let unknown: Vec<&(Key, String)> =
        found.iter().filter(|(key, _)| !judged.contains_key(key)).collect();
    assert!(unknown.is_empty(), "look at these and judge them: {unknown:#?}");
    let gone: Vec<&Key> =
        judged.keys().filter(|key| !found.iter().any(|(found, _)| found == *key)).collect();
    assert!(gone.is_empty(), "these are found no more: {gone:#?}");
    // Of a kind and all its findings, those that an artist acts on, in percent. Raise these as checks get better.
    for (kind, least) in [("overlap", 90), ("floating", 90), ("", 90)] {
        let of_kind = || judged.iter().filter(|([_, check, _], _)| check.contains(kind));
        let (acts, all) = (of_kind().filter(|(_, acts)| **acts).count(), of_kind().count());
        println!("{kind}: {acts} of {all} findings are acted on");
        assert!(100 * acts >= least * all, "{kind}: {acts} of {all} findings are acted on");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transcripts_cost_what_they_may() {
    let (report, scenes) = replayed().await;
    println!("{report}");
    assert!(report.costs.len() >= 12 && scenes.len() == report.costs.len());
    let (mut calls, mut resent) = (0, 0);
    for cost in &report.costs {
        assert!(cost.failed <= 2, "{cost:?}");
        // The first such sessions took 38,000 to 130,000 tokens of text.
        assert!(cost.last_input <= 25_000, "{cost:?}");
        (calls, resent) = (calls + cost.calls, resent + cost.resent);
    }
    assert!(20 * resent <= calls, "{resent} of {calls} calls were sent again");
    let failed: usize = report.costs.iter().map(|cost| cost.failed).sum();
    assert!(failed <= report.costs.len(), "{failed} faults in {} scenes", report.costs.len());
}

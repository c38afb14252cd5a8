//! Objects on disk: kept, changed, exported, imported; files that are broken or hostile.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::path::Path;
use std::sync::Arc;

use assets::{AssetHash, Blobs, Library, MediaType};
use bytes::Bytes;
use catalogue::{About, OwnObject};
use own_objects::{
    KeptAsset, MAX_OBJECTS, ObjectFile, OnTaken, OwnObjectError, OwnObjectStore, attach,
    with_assets,
};
use serde_json::{Value, json};
use store::{MemoryStore, Store};
use tokio_util::task::TaskTracker;

/// A mesh of one triangle.
const MESH: &[u8] = b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
    element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

fn ball(name: &str) -> Value {
    json!({ "format": "scene-llm object", "version": 1, "name": name,
        "shapes": [{ "id": "ball", "type": "sphere", "properties": { "center": [0, 0.5, 0], "radius": 0.5 } }] })
}

fn file(form: &Value) -> ObjectFile {
    ObjectFile::read(form.to_string().as_bytes()).unwrap()
}

/// An object of the mesh.
fn relief() -> Value {
    use base64::Engine;
    let hash = AssetHash::of(MESH);
    json!({ "format": "scene-llm object", "version": 1, "name": "relief", "size": [1, 1, 0],
        "shapes": [{ "id": "face", "type": "mesh", "properties": { "asset": hash.as_str() } }],
        "assets": [{ "asset": hash.as_str(), "name": "face.ply", "media_type": "model/ply",
            "data": base64::engine::general_purpose::STANDARD.encode(MESH) }] })
}

fn names(store: &OwnObjectStore) -> Vec<String> {
    store.list().all().iter().map(|object| object.name().to_owned()).collect()
}

fn files(directory: &Path) -> Vec<String> {
    let listed = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        listed.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn keeps_changes_and_deletes(open: impl Fn() -> OwnObjectStore, lasts: bool) {
    let store = open();
    store.add(file(&ball("red ball")), OnTaken::Refuse).unwrap();
    store.add(file(&ball("Big Ball")), OnTaken::Refuse).unwrap();
    let taken = store.add(file(&ball("Red BALL")), OnTaken::Refuse).unwrap_err();
    assert!(matches!(&taken, OwnObjectError::Taken(name) if name == "red ball"), "{taken}");
    let numbered = store.add(file(&ball("red ball")), OnTaken::Number).unwrap();
    assert_eq!(numbered.object.name(), "red ball 2");
    let changed = store.change("RED ball", |about| {
        about.name = "crimson ball".into();
        about.words = vec!["toys of mine".into()];
        about.category = Some("Toys".into());
    });
    let changed = changed.unwrap();
    assert_eq!(changed.object.about().category.as_deref(), Some("toys"));
    assert_ne!(changed.version, numbered.version);
    assert_eq!(names(&store), ["Big Ball", "crimson ball", "red ball 2"]);
    let refused = store.change("crimson ball", |about| about.name = "big ball".into());
    assert!(matches!(refused, Err(OwnObjectError::Taken(_))));
    store.delete("big ball").unwrap();
    let gone = store.delete("big ball").unwrap_err().to_string();
    assert!(gone.contains("called 'big ball'; there are: crimson ball, red ball 2"), "{gone}");
    let exported = store.export("Toys-of mine").unwrap();
    assert_eq!(ObjectFile::read(&exported).unwrap().object.name(), "crimson ball");
    if lasts {
        assert_eq!(names(&open()), ["crimson ball", "red ball 2"]);
    }
}

#[test]
fn objects_are_kept_in_memory_and_on_disk() {
    keeps_changes_and_deletes(OwnObjectStore::in_memory, false);
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("objects");
    keeps_changes_and_deletes(|| OwnObjectStore::open(&place).unwrap(), true);
    assert_eq!(files(&place), ["red-ball-2.object.json", "red-ball.object.json"]);
}

#[test]
fn built_in_objects_keep_their_names_and_cannot_be_changed() {
    let store = OwnObjectStore::in_memory();
    for name in ["armchair", "Floor Lamp", "living room"] {
        let refused = store.add(file(&ball(name)), OnTaken::Refuse).unwrap_err().to_string();
        assert!(refused.contains("is the name of a built-in object; choose another"), "{refused}");
    }
    // A synonym of one is free.
    store.add(file(&ball("easy chair")), OnTaken::Refuse).unwrap();
    assert_eq!(
        store.add(file(&ball("armchair")), OnTaken::Number).unwrap().object.name(),
        "armchair 2"
    );
    let refused = store.delete("sofa").unwrap_err().to_string();
    assert!(refused.contains("'sofa' is a built-in object, which cannot be changed"), "{refused}");
}

#[test]
fn names_lead_to_no_other_place() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("objects");
    let store = OwnObjectStore::open(&place).unwrap();
    for name in
        ["../../etc/passwd", "a/b", "..", "c:\\x", "a\0b", "", "*", "x\u{202e}y", &"x".repeat(61)]
    {
        let form = ball(name);
        let refused = ObjectFile::read(form.to_string().as_bytes()).unwrap_err().to_string();
        assert!(refused.contains("'name' must be 1 to 60 letters"), "{name:?}: {refused}");
    }
    for name in ["Ünï cødé", "椅子", "d'Artagnan-x", &"ä".repeat(60)] {
        store.add(file(&ball(name)), OnTaken::Refuse).unwrap();
    }
    // Names that make the same name of a file.
    store.add(file(&ball("d-Artagnan x")), OnTaken::Refuse).unwrap();
    let listed = files(&place);
    assert_eq!(listed.len(), 5, "{listed:?}");
    assert!(listed.contains(&"d-artagnan-x-2.object.json".to_owned()), "{listed:?}");
    assert_eq!(files(directory.path()), ["objects"]);
    assert_eq!(OwnObjectStore::open(&place).unwrap().entries().len(), 5);
}

#[test]
fn broken_files_are_told_and_stop_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path();
    std::fs::write(place.join("good.object.json"), ball("good").to_string()).unwrap();
    std::fs::write(place.join("same.object.json"), ball("GOOD").to_string()).unwrap();
    std::fs::write(place.join("cut.object.json"), "{\"format\": \"scene-llm obj").unwrap();
    std::fs::write(place.join("deep.object.json"), "[".repeat(100_000)).unwrap();
    std::fs::write(place.join("scene.object.json"), "{\"version\": 1, \"shapes\": []}").unwrap();
    let mut later = ball("later");
    later["version"] = 2.into();
    std::fs::write(place.join("later.object.json"), later.to_string()).unwrap();
    let mut hostile = ball("hostile");
    hostile["category"] = "nonsense".into();
    hostile["colour"] = "red".into();
    hostile["shapes"][0]["properties"]["radius"] = json!(-1);
    std::fs::write(place.join("wrong.object.json"), hostile.to_string()).unwrap();
    std::fs::write(place.join("notes.txt"), "no object").unwrap();
    std::fs::create_dir(place.join("folder.object.json")).unwrap();
    let large = std::fs::File::create(place.join("huge.object.json")).unwrap();
    large.set_len(1 << 40).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/passwd", place.join("link.object.json")).unwrap();

    let store = OwnObjectStore::open(place).unwrap();
    assert_eq!(names(&store), ["good"]);
    let problems = store.problems();
    for (file, message) in [
        ("same", "another file has an object 'good' already; change 'name' in one of them"),
        ("cut", "it is not the JSON of an object: EOF"),
        ("deep", "it is not the JSON of an object: recursion limit"),
        ("scene", "it is no exported object: 'format' must be \"scene-llm object\""),
        ("later", "'version' must be 1"),
        ("wrong", "unknown property 'colour'"),
        ("wrong", "shape 'ball' property 'radius'"),
        ("folder", "it is a link or a directory"),
        ("huge", "an object file may have at most"),
        ("link", "it is a link or a directory"),
    ] {
        let name = format!("{file}.object.json");
        let told = problems.iter().find(|problem| problem.file == name);
        let told = told.unwrap_or_else(|| panic!("{name} is not told: {problems:?}"));
        assert!(told.message.contains(message), "{name}: {}", told.message);
    }
    assert_eq!(problems.len(), 9, "{problems:?}");
}

#[test]
fn what_others_do_in_the_directory_is_seen() {
    let directory = tempfile::tempdir().unwrap();
    let (server, command) = (
        OwnObjectStore::open(directory.path()).unwrap(),
        OwnObjectStore::open(directory.path()).unwrap(),
    );
    assert!(!server.refresh().unwrap());
    command.add(file(&ball("ball of mine")), OnTaken::Refuse).unwrap();
    assert!(server.refresh().unwrap());
    assert_eq!(names(&server), ["ball of mine"]);
    server.delete("ball of mine").unwrap();
    assert!(!server.refresh().unwrap(), "its own changes are no news");
    assert!(command.refresh().unwrap());
    assert!(names(&command).is_empty());
}

#[test]
fn there_are_only_so_many() {
    let store = OwnObjectStore::in_memory();
    for number in 0..MAX_OBJECTS {
        store.add(file(&ball(&format!("thing {number}"))), OnTaken::Refuse).unwrap();
    }
    let refused = store.add(file(&ball("one more")), OnTaken::Number).unwrap_err();
    assert!(matches!(refused, OwnObjectError::TooMany(MAX_OBJECTS)), "{refused}");
}

#[test]
fn an_object_has_only_so_many_shapes() {
    let mut form = ball("crowd");
    let shape = |number: usize| {
        json!({ "id": format!("s{number}"), "type": "sphere",
        "properties": { "center": [number, 0.5, 0], "radius": 0.5 } })
    };
    form["shapes"] = (0..=catalogue::MAX_OWN_SHAPES).map(shape).collect();
    let refused = ObjectFile::read(form.to_string().as_bytes()).unwrap_err().to_string();
    assert!(
        refused.contains("an object may have at most 2000 shapes and lights, and this has 2001"),
        "{refused}"
    );
}

#[test]
fn assets_that_lie_are_refused() {
    let change = |change: &dyn Fn(&mut Value)| {
        let mut form = relief();
        change(&mut form);
        ObjectFile::read(form.to_string().as_bytes()).unwrap_err().to_string()
    };
    for (told, message) in [
        (change(&|form| form["assets"] = json!([])), "'assets' lacks"),
        (
            change(&|form| form["assets"][0]["data"] = "AAAA".into()),
            "has another hash, so it is damaged",
        ),
        (change(&|form| form["assets"][0]["data"] = "?".into()), "is not base64"),
        (
            change(&|form| form["assets"][0]["media_type"] = "text/html".into()),
            "must be one of model/ply",
        ),
        (
            change(&|form| form["assets"][0]["asset"] = "../x".into()),
            "must be 64 hexadecimal digits",
        ),
        (change(&|form| form["assets"] = json!({})), "must be a list"),
        (
            change(&|form| {
                form.as_object_mut().unwrap().remove("size");
            }),
            "'size' must be [width, height, depth]",
        ),
    ] {
        assert!(told.contains(message), "{message}: {told}");
    }
}

async fn library(store: &Arc<dyn Store>) -> Arc<Library> {
    let opened = Library::open(Arc::clone(store), Blobs::in_memory(), 1 << 20, TaskTracker::new());
    Arc::new(opened.await.unwrap())
}

#[tokio::test]
async fn assets_come_back_by_their_hash_and_are_not_collected() {
    let records: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let first = library(&records).await;
    let read = ObjectFile::read(relief().to_string().as_bytes()).unwrap();
    attach(&first, read.assets.clone(), 1).await.unwrap();
    let hash = AssetHash::of(MESH);
    assert!(first.asset(hash.as_str()).is_some());

    // Saved from a scene that names it, the file has it, too.
    let saved = with_assets(&first, read.object.clone()).await.unwrap();
    assert_eq!(saved.assets[0].bytes, MESH);
    let store = OwnObjectStore::in_memory();
    store.add(saved, OnTaken::Refuse).unwrap();
    first.keep(store.asset_names());
    assert_eq!(first.sweep(u64::MAX).await.unwrap(), 0, "an object is made of it");

    // Another server, which has only the file.
    let other_records: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let other = library(&other_records).await;
    let file = ObjectFile::read(&store.export("relief").unwrap()).unwrap();
    attach(&other, file.assets, 1).await.unwrap();
    assert_eq!(other.bytes_of(&hash).await.unwrap(), MESH);

    store.delete("relief").unwrap();
    first.keep(store.asset_names());
    assert_eq!(first.sweep(u64::MAX).await.unwrap(), 1, "nobody needs it any more");
}

#[tokio::test]
async fn of_a_file_with_a_bad_mesh_nothing_is_attached() {
    let records: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let library = library(&records).await;
    let bad = Bytes::from_static(b"ply\nnonsense");
    let kept = |bytes: Bytes| KeptAsset {
        hash: AssetHash::of(&bytes),
        name: "x.ply".into(),
        media_type: MediaType::Ply,
        bytes,
    };
    let error =
        attach(&library, vec![kept(Bytes::from_static(MESH)), kept(bad)], 1).await.unwrap_err();
    assert!(error.to_string().contains("cannot be read as model/ply"), "{error}");
    assert!(library.assets().is_empty());
}

#[test]
fn shared_names_of_materials_stay_behind() {
    let mut form = ball("painted");
    form["shapes"][0]["material_name"] = "coat".into();
    let object = OwnObject::from_json(&form).unwrap();
    assert!(object.to_json()["shapes"][0].get("material_name").is_none());
    let about = About { name: "  painted   twice ".into(), ..About::default() };
    assert_eq!(object.with_about(about).unwrap().name(), "painted twice");
}

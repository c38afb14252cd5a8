//! Files and frames that were good and are damaged at random, for the readers that have no such test in their own crate:
//! each is read or refused in words. `tests/data/fuzz/files` keeps good ones, and those that once did harm.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use client::Preview;
use damage::{damage, value, with_value};
use evaluation::Expectation;
use own_objects::ObjectFile;
use proptest::prelude::*;
use serde_json::Value;
use server::{ConfigFile, Workflow};
use studio::{FromWorker, ToWorker, WireError, decode_frame, encode_frame};
use sub_agents::SubAgent;

/// Why something is not read, and what it is.
type Read = fn(&[u8]) -> Result<(), String>;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Which files a reader gets, by the end of their name, and the reader.
const READERS: [(&str, Read); 8] = [
    (".workflow.toml", |bytes| {
        Workflow::parse("it", &text(bytes)).map(drop).map_err(|error| error.to_string())
    }),
    (".agent.toml", |bytes| {
        SubAgent::parse("it", &text(bytes)).map(drop).map_err(|error| error.to_string())
    }),
    (".config.toml", |bytes| {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("config.toml");
        std::fs::write(&path, bytes).map_err(|error| error.to_string())?;
        let settings = ["addr", "max_turns", "log"].map(str::to_owned);
        let file = ConfigFile::read(&path, &settings).map_err(|error| error.to_string())?;
        let secret = |_: &str| Some("secret".to_owned());
        file.agents(secret).map_err(|error| error.to_string())?;
        file.tiers(secret).map(drop).map_err(|error| error.to_string())
    }),
    (".mcp.json", |bytes| mcp_client::Servers::parse(&text(bytes)).map(drop)),
    (".object.json", |bytes| {
        let read = ObjectFile::read(bytes).map_err(|error| error.to_string())?;
        assert!(!read.object.name().is_empty());
        Ok(())
    }),
    (".expectations.txt", |bytes| {
        let read = |line: &str| Expectation::parse(line).map_err(|error| error.to_string());
        text(bytes).lines().try_for_each(|line| read(line).map(drop))
    }),
    (".preview", |bytes| {
        let frame = Bytes::copy_from_slice(bytes);
        Preview::decode(&frame).map(drop).ok_or_else(|| "no frame".to_owned())
    }),
    (".worker", |bytes| {
        let of_worker = decode_frame::<FromWorker>(bytes).map(drop);
        let of_server = decode_frame::<ToWorker>(bytes).map(drop);
        of_worker.or(of_server).map_err(|error: WireError| error.to_string())
    }),
];

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).unwrap_or_else(|_| panic!("{}", folder.display()));
    let mut files: Vec<PathBuf> = listed.map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// Name and content of everything that is good, and its reader.
fn corpus() -> Vec<(String, Vec<u8>, Read)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found: Vec<(String, Vec<u8>)> = Vec::new();
    for (folder, kind) in
        [("data/fuzz/files", ""), ("../workflows", ".workflow.toml"), ("../agents", ".agent.toml")]
    {
        for path in files_in(&root.join(folder)) {
            found.push((format!("{}{kind}", path.display()), std::fs::read(&path).unwrap()));
        }
    }
    let task = serde_json::json!({ "type": "task", "id": 7, "scene": "ab", "width": 3, "height": 4,
        "features": true, "target": 8, "settings": { "bdpt": true, "max_depth": 5, "seed": 7,
            "clamp_indirect": 2.5, "hides_sky": false } });
    for (name, header) in [
        ("task", task),
        ("scene", serde_json::json!({ "type": "scene", "scene": "ab" })),
        ("need", serde_json::json!({ "type": "need_scene", "scene": "ab" })),
        (
            "done",
            serde_json::json!({ "type": "done", "id": 7, "samples": 9, "rays": 40, "seconds": 0.5 }),
        ),
        ("failed", serde_json::json!({ "type": "failed", "id": 7, "reason": "why" })),
    ] {
        found.push((format!("{name}.worker"), encode_frame(&header, b"pixels").unwrap()));
    }
    let header = serde_json::json!({ "type": "preview", "revision": 3, "pass": 1, "samples": 2,
        "target_samples": 256, "width": 4, "height": 3, "mime_type": "image/jpeg", "final": false });
    found.push(("one.preview".into(), encode_frame(&header, b"jpeg").unwrap()));
    let of = |name: &str| {
        let (_, read) = READERS.iter().find(|(kind, _)| name.ends_with(kind))?;
        Some(*read)
    };
    let with_reader = |(name, bytes): (String, Vec<u8>)| {
        let read = of(&name).unwrap_or_else(|| panic!("no reader for {name}"));
        (name, bytes, read)
    };
    found.into_iter().map(with_reader).collect()
}

#[test]
fn what_is_good_is_read_by_every_reader() {
    let corpus = corpus();
    for (name, bytes, read) in &corpus {
        // It may be here because it once did harm.
        let is_harmful = name.contains("/harmful-");
        let outcome = read(bytes);
        assert!(outcome.is_ok() || is_harmful, "{name}: {outcome:?}");
    }
    for (kind, _) in READERS {
        assert!(corpus.iter().any(|(name, ..)| name.ends_with(kind)), "nothing for {kind}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_files_and_frames_are_read_or_refused(
        which in any::<prop::sample::Index>(),
        damages in prop::collection::vec(damage(), 0..4),
        lie in prop::option::of((0.0..1.0, value())),
    ) {
        let corpus = corpus();
        let (name, mut bytes, read) = corpus[which.index(corpus.len())].clone();
        // Another value in its structure, if it is JSON.
        if let (Some((at, value)), Ok(mut document)) = (lie, serde_json::from_slice::<Value>(&bytes)) {
            with_value(&mut document, at, &value);
            bytes = document.to_string().into_bytes();
        }
        damages.iter().for_each(|damage| damage.of(&mut bytes));
        if let Err(reason) = read(&bytes) {
            prop_assert!(!reason.trim().is_empty(), "{name}: refused without a reason");
            // A line of it may be quoted, not the whole.
            prop_assert!(reason.len() < 16_384, "{name}: {} bytes of reason", reason.len());
        }
    }
}

//! Exported sessions, good and damaged in any way. A long run: `PROPTEST_CASES=100000`.

use assets::Blobs;
use damage::{forged, forgery};
use futures_util::TryStreamExt;
use proptest::prelude::*;
use store::MemoryStore;
use tokio_util::task::TaskTracker;

use super::*;

/// As a server wrote it: two branches, edits of both hands, an undo, a mesh that is shown.
const SESSION: &str = include_str!("../../../../tests/data/session.scene-llm");
const MAX_ASSET_BYTES: usize = 1 << 20;

async fn stage() -> (Arc<dyn Store>, Arc<Library>) {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let opened =
        Library::open(Arc::clone(&store), Blobs::in_memory(), 1 << 30, TaskTracker::new()).await;
    (store, Arc::new(opened.unwrap()))
}

fn read(file: &[u8], max_asset_bytes: usize) -> Result<ImportedSession, String> {
    ImportedSession::read(file, max_asset_bytes, &|| false).map_err(|error| error.to_string())
}

/// Imports what was read, opens it, and exports it again.
async fn there_and_back(mut imported: ImportedSession) -> String {
    let (store, library) = stage().await;
    for file in imported.take_files() {
        let checked = library.check(file.bytes, &file.name, Some(file.media_type)).await;
        // A good hash of a bad mesh: the import ends here.
        let Ok(checked) = checked else { return String::new() };
        library.add(checked, 1).await.unwrap();
    }
    let id = imported.save(&*store, &library).await.unwrap();
    assert!(State::load(&*store, &id).await.unwrap().is_some());
    let lines: Vec<Bytes> = export_lines(store, library, id).try_collect().await.unwrap();
    String::from_utf8(lines.concat()).unwrap()
}

#[tokio::test]
async fn a_session_comes_back_letter_by_letter() {
    let imported = read(SESSION.as_bytes(), MAX_ASSET_BYTES).unwrap();
    assert_eq!(imported.files.len(), 1);
    assert_eq!(there_and_back(imported).await, SESSION);
}

#[tokio::test]
async fn how_large_a_file_will_be_is_told_closely_and_not_too_low() {
    let mut imported = read(SESSION.as_bytes(), MAX_ASSET_BYTES).unwrap();
    let (store, library) = stage().await;
    for file in imported.take_files() {
        let checked = library.check(file.bytes, &file.name, Some(file.media_type)).await.unwrap();
        library.add(checked, 1).await.unwrap();
    }
    let id = imported.save(&*store, &library).await.unwrap();
    let told = exported_size(&*store, &library, &id).await.unwrap().total();
    let written = SESSION.len() as u64;
    assert!(told >= written && told < 2 * written + 4_096, "{told} for {written}");
}

#[test]
fn an_asset_has_its_bound_in_a_file_too() {
    let error = read(SESSION.as_bytes(), 10).err().unwrap();
    assert!(error.contains("line 3: an asset may have at most 10 bytes"), "{error}");
}

#[test]
fn an_import_that_nobody_waits_for_ends_at_the_next_line() {
    let lines = SESSION.lines().count();
    let asked = std::cell::Cell::new(0);
    let leaves = || {
        asked.set(asked.get() + 1);
        asked.get() > 3
    };
    let ended = ImportedSession::read(SESSION.as_bytes(), MAX_ASSET_BYTES, &leaves).err().unwrap();
    assert!(matches!(ended, ImportError::Cancelled), "{ended}");
    assert!(asked.get() == 4 && lines > 6, "{} of {lines} lines", asked.get());
}

#[test]
fn what_is_wrong_is_said_in_few_words() {
    let long = SESSION.replace("\"read\":\"u1\"", &format!("\"read\":\"{}\"", "u".repeat(100_000)));
    assert_ne!(long, SESSION);
    let error = read(long.as_bytes(), MAX_ASSET_BYTES).err().unwrap();
    assert!(error.contains("no unread message") && error.len() < 1_100, "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn forged_sessions_are_refused_or_whole(forgeries in prop::collection::vec(forgery(), 1..4)) {
        let file = forgeries.iter().fold(SESSION.as_bytes().to_vec(), |file, forgery| forged(&file, forgery));
        match read(&file, MAX_ASSET_BYTES) {
            Err(error) => assert!(!error.is_empty() && error.len() < 5_000, "{error}"),
            Ok(imported) => {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                let again = runtime.block_on(there_and_back(imported));
                // What was taken in is taken in again, and nothing changes on the way any more.
                if !again.is_empty() {
                    let imported = read(again.as_bytes(), MAX_ASSET_BYTES).unwrap();
                    assert_eq!(runtime.block_on(there_and_back(imported)), again);
                }
            }
        }
    }
}

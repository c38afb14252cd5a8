//! What is kept, for how long.

use std::sync::Arc;

use assets::{AssetHash, Blobs, Facts, Library, LibraryError, MediaType};
use bytes::Bytes;
use futures_util::TryStreamExt;
use store::{Append, NewSession, SqliteOptions, SqliteStore, Store};
use studio::AssetSource;
use tokio_util::task::TaskTracker;

use crate::files::{Stage, good_files, obj, picture, text_ply};

async fn session(store: &dyn Store, id: &str) {
    let (id, epoch) = (id.to_owned(), "e".to_owned());
    store.create(NewSession { id, epoch, name: String::new(), now_ms: 1 }).await.unwrap();
}

#[tokio::test]
async fn every_kind_is_kept_once_and_found_by_its_hash() {
    let stage = Stage::new().await;
    for (name, bytes) in good_files() {
        let kept = stage.add(name, &bytes, 5).await;
        assert!(kept.is_new, "{name}");
        let asset = &kept.asset;
        assert_eq!(asset.hash, AssetHash::of(&bytes));
        assert_eq!((asset.name.as_str(), asset.bytes), (name, bytes.len() as u64));
        match asset.facts {
            Facts::Mesh { bounds, vertices, triangles } => {
                assert_eq!((bounds.min, bounds.max), ([0.0; 3], [1.0, 2.0, 3.0]), "{name}");
                assert_eq!((vertices, triangles), (4, 4), "{name}");
            }
            Facts::Image { width, height } => assert_eq!((width, height), (4, 3), "{name}"),
        }
        let pieces = stage.library.content(&asset.hash).await.unwrap();
        assert_eq!(pieces.try_collect::<Vec<Bytes>>().await.unwrap().concat(), bytes);
        // Again, under another name: the same asset.
        let again = stage.add(&format!("other-{name}"), &bytes, 9).await;
        assert!(!again.is_new, "{name}");
        assert_eq!((again.asset.name.as_str(), again.asset.uploaded_ms), (name, 9));
    }
    assert_eq!(stage.library.assets().len(), good_files().len());
}

#[tokio::test]
async fn the_triangles_of_a_mesh_are_those_of_its_file_and_a_picture_has_none() {
    let stage = Stage::new().await;
    let mesh = stage.add("a.obj", &obj(), 1).await.asset.hash.to_string();
    assert_eq!(stage.library.mesh_data(&mesh).await.unwrap().triangles.len(), 4);
    let png = stage.add("a.png", &picture(image::ImageFormat::Png), 1).await.asset.hash.to_string();
    let error = stage.library.mesh_data(&png).await.unwrap_err().to_string();
    assert!(error.contains("it is not a mesh"), "{error}");
    let error = stage.library.mesh_data("bunny.ply").await.unwrap_err().to_string();
    assert!(error.contains("was not uploaded"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_found_again_on_disk() {
    let directory = tempfile::tempdir().unwrap();
    let open = async || {
        let file = directory.path().join("sessions.sqlite");
        let store = SqliteStore::open(SqliteOptions { file, max_bytes: None }).await.unwrap();
        let blobs = Blobs::in_directory(&directory.path().join("assets")).unwrap();
        Stage::over(Arc::new(store), blobs).await
    };
    let stage = open().await;
    let kept = stage.add("a.ply", &text_ply(), 5).await;
    stage.add("a.obj", &obj(), 6).await;
    stage.store.close().await;
    let again = open().await;
    assert_eq!(again.library.asset(kept.asset.hash.as_str()), Some(Arc::clone(&kept.asset)));
    assert_eq!(again.library.assets().len(), 2);
    assert!(!again.add("a.ply", &text_ply(), 7).await.is_new);
    // A content that got lost is no asset any more, until it is uploaded again.
    let hash = kept.asset.hash.as_str();
    std::fs::remove_file(directory.path().join("assets").join(&hash[..2]).join(hash)).unwrap();
    again.store.close().await;
    let without = open().await;
    assert_eq!(without.library.assets().len(), 1);
    without.add("a.ply", &text_ply(), 8).await;
    assert!(without.library.mesh_data(hash).await.is_ok());
}

#[tokio::test]
async fn what_nobody_needs_goes_after_a_while_and_what_somebody_needs_stays() {
    let stage = Stage::new().await;
    let unused = stage.add("a.ply", &text_ply(), 10).await.asset.hash.to_string();
    let used = stage.add("a.obj", &obj(), 10).await.asset.hash.to_string();
    session(&*stage.store, "a").await;
    let assets = vec![used.clone()];
    stage.store.append(Append { session: "a".into(), assets, ..Append::default() }).await.unwrap();
    assert_eq!(stage.library.sweep(10).await.unwrap(), 0, "not yet");
    assert_eq!(stage.library.sweep(11).await.unwrap(), 1);
    assert!(stage.library.asset(&unused).is_none());
    assert!(stage.library.bytes_of(&AssetHash::parse(&unused).unwrap()).await.is_err());
    assert!(stage.library.mesh_data(&used).await.is_ok());
    stage.store.delete("a").await.unwrap();
    assert_eq!(stage.library.sweep(11).await.unwrap(), 1);
    assert!(stage.is_empty().await);
}

/// Between the check of an edit and its way to the store nothing of it is collected.
#[tokio::test]
async fn what_somebody_is_about_to_use_is_not_collected() {
    let stage = Stage::new().await;
    let hash = stage.add("a.ply", &text_ply(), 10).await.asset.hash.to_string();
    let assets = assets::SessionAssets::new(Arc::clone(&stage.library), false, []);
    assert!(scene::Assets::bounds(&assets, &hash).is_some());
    assert_eq!(stage.library.sweep(1_000).await.unwrap(), 0, "asked for after that");
    assert!(stage.library.asset(&hash).is_some());
    // Whoever asks for it when it is gone is told so, and the store takes in no reference to it.
    assert_eq!(stage.library.sweep(u64::MAX).await.unwrap(), 1);
    assert!(scene::Assets::bounds(&assets, &hash).is_none());
    session(&*stage.store, "a").await;
    let late = Append { session: "a".into(), assets: vec![hash], ..Append::default() };
    assert!(stage.store.append(late).await.is_err());
}

/// Uploads, uses and sweeps of the same file in any order: what a session refers to is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn collecting_never_takes_what_is_used_at_the_same_time() {
    let stage = Arc::new(Stage::new().await);
    for round in 0..50 {
        let id = format!("s{round}");
        session(&*stage.store, &id).await;
        let using = tokio::spawn({
            let (stage, id) = (Arc::clone(&stage), id.clone());
            async move {
                let hash = stage.add("a.ply", &text_ply(), 10).await.asset.hash.to_string();
                let assets = vec![hash.clone()];
                let append = Append { session: id, assets, ..Append::default() };
                (hash, stage.store.append(append).await.is_ok())
            }
        });
        let sweeping = tokio::spawn({
            let stage = Arc::clone(&stage);
            async move { stage.library.sweep(u64::MAX).await.unwrap() }
        });
        let (used, swept) = tokio::join!(using, sweeping);
        let ((hash, is_used), _) = (used.unwrap(), swept.unwrap());
        assert_eq!(stage.library.mesh_data(&hash).await.is_ok(), is_used, "round {round}");
        stage.store.delete(&id).await.unwrap();
    }
}

#[tokio::test]
async fn a_content_that_a_crash_left_alone_goes() {
    let stage = Stage::new().await;
    stage.add("a.ply", &text_ply(), 10).await;
    // Another store that knows nothing of it, as after a crash between the two.
    let left = Stage::over(Arc::new(store::MemoryStore::default()), stage.blobs.clone()).await;
    assert!(left.library.assets().is_empty());
    assert_eq!(left.library.sweep(0).await.unwrap(), 0, "it may be on its way in");
    assert_eq!(left.library.sweep(u64::MAX).await.unwrap(), 1);
    assert!(left.is_empty().await);
}

#[tokio::test]
async fn assets_take_no_more_room_than_they_may() {
    let store = Arc::new(store::MemoryStore::default());
    let most = text_ply().len() as u64;
    let opened = Library::open(store, Blobs::in_memory(), most, TaskTracker::new()).await;
    let library = Arc::new(opened.unwrap());
    let check = async |bytes: Vec<u8>, kind| library.check(bytes.into(), "", Some(kind)).await;
    library.add(check(text_ply(), MediaType::Ply).await.unwrap(), 1).await.unwrap();
    let refused = library.add(check(obj(), MediaType::Obj).await.unwrap(), 1).await;
    assert!(matches!(refused, Err(LibraryError::NoRoom { .. })), "{refused:?}");
    // What is there already needs no more room.
    assert!(library.add(check(text_ply(), MediaType::Ply).await.unwrap(), 2).await.is_ok());
}

//! What a session is told of.

use std::sync::Arc;

use assets::Shelf;
use scene::Assets;

use crate::files::{Stage, binary_ply, picture, text_ply};

#[tokio::test]
async fn a_session_may_name_any_mesh_and_is_told_of_its_own_or_of_all() {
    let stage = Stage::new().await;
    let own = stage.keep("own.ply", &text_ply(), 1).await.asset.hash.to_string();
    let other = stage.keep("", &binary_ply(), 2).await.asset.hash.to_string();
    let image =
        stage.keep("a.png", &picture(image::ImageFormat::Png), 3).await.asset.hash.to_string();
    let shelf = |tells_all| Shelf::new(Arc::clone(&stage.library), tells_all, [own.clone()]);
    let (closed, open) = (shelf(false), shelf(true));
    for shelf in [&closed, &open] {
        assert_eq!(shelf.bounds(&other).unwrap().max, [1.0, 2.0, 3.0]);
        assert!(shelf.bounds(&image).is_none() && shelf.bounds("own.ply").is_none());
        assert_eq!(shelf.title(&own).as_deref(), Some("own.ply"));
        assert_eq!(shelf.title(&other), None);
    }
    assert_eq!(closed.names(), std::slice::from_ref(&own));
    assert_eq!(open.names(), [own.clone(), other.clone()]);
    closed.add(&other);
    assert_eq!(closed.names(), [other, own]);
}

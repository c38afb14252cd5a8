//! What a session is told of.

use std::sync::Arc;

use assets::SessionAssets;
use scene::Assets;

use crate::files::{Stage, binary_ply, picture, text_ply};

#[tokio::test]
async fn a_session_may_name_any_mesh_and_is_told_of_its_own_or_of_all() {
    let stage = Stage::new().await;
    let own = stage.add("own.ply", &text_ply(), 1).await.asset.hash.to_string();
    let other = stage.add("", &binary_ply(), 2).await.asset.hash.to_string();
    let image =
        stage.add("a.png", &picture(image::ImageFormat::Png), 3).await.asset.hash.to_string();
    let of = |tells_all| SessionAssets::new(Arc::clone(&stage.library), tells_all, [own.clone()]);
    let (closed, open) = (of(false), of(true));
    for assets in [&closed, &open] {
        assert_eq!(assets.bounds(&other).unwrap().max, [1.0, 2.0, 3.0]);
        assert!(assets.bounds(&image).is_none() && assets.bounds("own.ply").is_none());
        assert_eq!(assets.title(&own).as_deref(), Some("own.ply"));
        assert_eq!(assets.title(&other), None);
    }
    assert_eq!(closed.names(), std::slice::from_ref(&own));
    assert_eq!(open.names(), [own.clone(), other.clone()]);
    closed.add(&other);
    assert_eq!(closed.names(), [other, own]);
}

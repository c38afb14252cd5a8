//! What is known of uploaded files.

use super::*;

/// 13. Assets are in use while any session refers to them, by whatever it once appended or by being
///     given them; a copy of a session refers to the same ones.
pub(super) async fn rule_13_assets(store: Arc<dyn Store>) {
    for hash in ["given", "of a", "of b", "shared"] {
        assert!(store.add_asset(asset(hash, 1)).await.unwrap());
    }
    for id in ["a", "b"] {
        store.create(new_session(id)).await.unwrap();
        let assets = vec!["shared".into(), format!("of {id}")];
        let records = Append { assets, ..append(id, 0, vec![event(1, "x")]) };
        store.append(records).await.unwrap();
    }
    store.use_asset("a", "given").await.unwrap();
    store.use_asset("a", "given").await.unwrap();
    assert_eq!(hashes(&*store, Some("a")).await, ["given", "of a", "shared"]);
    assert!(hashes(&*store, Some("nobody")).await.is_empty());
    store.duplicate("a", new_session("copy")).await.unwrap();
    store.delete("a").await.unwrap();
    assert_eq!(hashes(&*store, Some("copy")).await, ["given", "of a", "shared"]);
    assert!(store.unused_assets(100).await.unwrap().is_empty());
    store.delete("copy").await.unwrap();
    assert_eq!(store.unused_assets(100).await.unwrap(), ["given", "of a"]);
    assert_eq!(hashes(&*store, None).await, ["given", "of a", "of b", "shared"], "still known");
}

/// 17. What is known of an asset is read back; the first upload says what it is, the last one when.
pub(super) async fn rule_17_known(store: Arc<dyn Store>) {
    assert_eq!(store.asset("x").await.unwrap(), None);
    assert!(store.add_asset(asset("x", 5)).await.unwrap());
    let again = Asset { name: "another".into(), ..asset("x", 9) };
    assert!(!store.add_asset(again).await.unwrap());
    assert!(!store.add_asset(asset("x", 3)).await.unwrap());
    assert_eq!(store.asset("x").await.unwrap(), Some(asset("x", 9)));
}

/// 18. An append that refers to an asset that is not known is refused, and nothing of it is there.
pub(super) async fn rule_18_no_unknown_assets(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    store.add_asset(asset("x", 1)).await.unwrap();
    let assets = vec!["x".into(), "gone".into()];
    let refused = store.append(Append { assets, ..append("a", 0, vec![event(1, "x")]) }).await;
    assert_eq!(refused, Err(StoreError::UnknownAsset("gone".into())));
    assert_eq!(store.session("a").await.unwrap().unwrap().head, 0);
    assert!(hashes(&*store, Some("a")).await.is_empty());
    let refused = store.use_asset("a", "gone").await;
    assert_eq!(refused, Err(StoreError::UnknownAsset("gone".into())));
    let refused = store.use_asset("nobody", "x").await;
    assert_eq!(refused, Err(StoreError::UnknownSession("nobody".into())));
}

/// 19. Only assets that nobody needs and that are old enough are forgotten, whatever was known when
///     they were found.
pub(super) async fn rule_19_forgotten(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    for (hash, uploaded_ms) in [("again", 1), ("new", 100), ("old", 1), ("used", 1)] {
        store.add_asset(asset(hash, uploaded_ms)).await.unwrap();
    }
    assert_eq!(store.unused_assets(50).await.unwrap(), ["again", "old", "used"]);
    // In the meantime one is used, and one comes again.
    store.use_asset("a", "used").await.unwrap();
    store.add_asset(asset("again", 100)).await.unwrap();
    for (hash, forgotten) in [("again", false), ("new", false), ("old", true), ("used", false)] {
        assert_eq!(store.forget_asset(hash, 50).await.unwrap(), forgotten, "{hash}");
    }
    assert!(!store.forget_asset("old", 50).await.unwrap());
    assert_eq!(hashes(&*store, None).await, ["again", "new", "used"]);
}

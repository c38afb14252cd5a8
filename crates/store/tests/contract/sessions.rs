//! Sessions as wholes: deleted, listed, copied, shared, swept away.

use super::*;

/// 8. A deleted session leaves nothing behind, and its id can be used again.
pub(super) async fn rule_8_deleted(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    store.add_asset(asset("hash", 1)).await.unwrap();
    let mut records = append("a", 0, vec![event(1, "snowman")]);
    records.assets = vec!["hash".into()];
    store.append(records).await.unwrap();
    store.save_snapshot("a", Snapshot { position: 1, body: "s".into() }).await.unwrap();
    let capability =
        Capability { token: "t".into(), session: "a".into(), access: Access::View, created_ms: 1 };
    store.grant(capability).await.unwrap();
    assert!(store.delete("a").await.unwrap());
    assert!(!store.delete("a").await.unwrap());
    assert_eq!(store.capability("t").await.unwrap(), None);
    assert!(store.search("snowman", 10).await.unwrap().is_empty());
    assert_eq!(store.unused_assets(100).await.unwrap(), ["hash"]);
    store.create(new_session("a")).await.unwrap();
    assert_eq!(bodies(&*store, "a").await, vec![]);
}

/// 9. Lists hold sessions in which something happened, the newest first, and find words in names and
///    in what was said.
pub(super) async fn rule_9_listed(store: Arc<dyn Store>) {
    for (id, now, text) in [("a", 30, "a red sphere"), ("b", 20, "two blue spheres"), ("c", 40, "")]
    {
        store.create(new_session(id)).await.unwrap();
        let records = if text.is_empty() { vec![] } else { vec![event(1, text)] };
        store.append(Append { now_ms: now, ..append(id, 0, records) }).await.unwrap();
    }
    let named = Append { name: Some("Winter 100%".into()), now_ms: 20, ..append("b", 1, vec![]) };
    store.append(named).await.unwrap();
    assert_eq!(listed(&*store, None).await, ["a", "b"]);
    assert_eq!(listed(&*store, Some("sphere")).await, ["a", "b"]);
    assert_eq!(listed(&*store, Some("red sph")).await, ["a"]);
    assert_eq!(listed(&*store, Some("winter")).await, ["b"]);
    assert_eq!(listed(&*store, Some("100%")).await, ["b"]);
    for nothing in ["red blue", "\"", "%", "NEAR(", "* OR", ""] {
        assert!(listed(&*store, Some(nothing)).await.is_empty(), "{nothing}");
    }
    let second = Listing { offset: 1, ..listing(None) };
    assert_eq!(store.list(second).await.unwrap()[0].session.name, "Winter 100%");
    let found = store.list(listing(Some("blue"))).await.unwrap();
    assert_eq!(found[0].excerpt.as_deref(), Some("two blue spheres"));
}

/// 11. A duplicate has the same log under its own id and epoch, and goes its own way.
pub(super) async fn rule_11_duplicated(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let records = vec![event(1, "castle"), other(RecordKind::Scene, "s")];
    store.append(Append { messages: 1, ..append("a", 0, records) }).await.unwrap();
    store.save_snapshot("a", Snapshot { position: 1, body: "s".into() }).await.unwrap();
    store.duplicate("a", new_session("b")).await.unwrap();
    let copy = store.load("b").await.unwrap().unwrap();
    let original = store.load("a").await.unwrap().unwrap();
    assert_eq!((&copy.records, &copy.snapshot), (&original.records, &original.snapshot));
    assert_eq!((copy.session.head, copy.session.seq, copy.session.messages), (2, 1, 1));
    assert_eq!(copy.session.epoch, "epoch of b");
    store.append(append("b", 2, vec![event(2, "tower")])).await.unwrap();
    assert_eq!(store.session("a").await.unwrap().unwrap().head, 2);
    assert_eq!(listed(&*store, Some("castle")).await, ["b", "a"]);
    assert_eq!(listed(&*store, Some("tower")).await, ["b"]);
    let taken = store.duplicate("a", new_session("b")).await;
    assert_eq!(taken, Err(StoreError::Exists("b".into())));
}

/// 12. A token opens its session until it is taken back.
pub(super) async fn rule_12_capabilities(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let grant = |token: &str, access, created_ms| {
        store.grant(Capability { token: token.into(), session: "a".into(), access, created_ms })
    };
    grant("v", Access::View, 2).await.unwrap();
    grant("e", Access::Edit, 1).await.unwrap();
    assert!(matches!(grant("v", Access::Edit, 3).await, Err(StoreError::Exists(_))));
    assert_eq!(store.capability("v").await.unwrap().unwrap().access, Access::View);
    assert_eq!(store.capability("x").await.unwrap(), None);
    let all = store.capabilities("a").await.unwrap();
    assert_eq!(all.iter().map(|one| one.token.as_str()).collect::<Vec<_>>(), ["e", "v"]);
    assert!(store.revoke("a", "v").await.unwrap());
    assert!(!store.revoke("a", "v").await.unwrap());
    assert_eq!(store.capability("v").await.unwrap(), None);
}

/// 14. Old sessions in which nothing happened can be swept away.
pub(super) async fn rule_14_swept(store: Arc<dyn Store>) {
    for (id, now_ms) in [("old", 1), ("new", 100), ("used", 1)] {
        store.create(NewSession { now_ms, ..new_session(id) }).await.unwrap();
        // What a session starts with is nothing that happened.
        store.append(append(id, 0, vec![other(RecordKind::Scene, "base")])).await.unwrap();
    }
    store.append(append("used", 1, vec![event(1, "x")])).await.unwrap();
    // Of two imports one ended early.
    for id in ["cut", "whole"] {
        store.create(NewSession { now_ms: 1, ..new_session(id) }).await.unwrap();
        let part = append(id, 0, vec![event(1, "x"), event(2, "x")]);
        store.append(Append { newest: Newest::Unchanged, ..part }).await.unwrap();
    }
    let last = append("whole", 2, vec![other(RecordKind::History, "y")]);
    store.append(Append { newest: Newest::Is(2), ..last }).await.unwrap();
    assert_eq!(listed(&*store, None).await, ["whole", "used"]);
    assert_eq!(store.session("whole").await.unwrap().unwrap().seq, 2);
    assert_eq!(store.delete_unused(50).await.unwrap(), 2);
    assert!(store.session("cut").await.unwrap().is_none());
    assert!(store.session("whole").await.unwrap().is_some());
    assert!(store.session("old").await.unwrap().is_none());
    assert!(store.session("new").await.unwrap().is_some());
    assert!(store.session("used").await.unwrap().is_some());
}

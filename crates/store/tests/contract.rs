//! The rules every store keeps, each run over every implementation.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use store::{
    Access, Append, Asset, Capability, Listing, MemoryStore, NewSession, Record, RecordKind,
    Snapshot, SqliteOptions, SqliteStore, Store, StoreError,
};

fn new_session(id: &str) -> NewSession {
    NewSession { id: id.into(), epoch: format!("epoch of {id}"), name: String::new(), now_ms: 1 }
}

fn event(seq: u64, text: &str) -> Record {
    Record {
        kind: RecordKind::Event,
        seq: Some(seq),
        body: text.into(),
        passage: Some(text.into()),
    }
}

fn other(kind: RecordKind, text: &str) -> Record {
    Record { kind, seq: None, body: text.into(), passage: None }
}

fn append(id: &str, after: u64, records: Vec<Record>) -> Append {
    Append { session: id.into(), after, records, now_ms: 10 + after, ..Append::default() }
}

fn listing(words: Option<&str>) -> Listing {
    Listing { words: words.map(str::to_owned), limit: 10, offset: 0 }
}

fn asset(hash: &str, uploaded_ms: u64) -> Asset {
    Asset {
        hash: hash.into(),
        name: format!("{hash}.ply"),
        media_type: "model/ply".into(),
        bytes: 7,
        facts: "{}".into(),
        uploaded_ms,
    }
}

async fn hashes(store: &dyn Store, id: Option<&str>) -> Vec<String> {
    store.assets(id).await.unwrap().into_iter().map(|asset| asset.hash).collect()
}

async fn bodies(store: &dyn Store, id: &str) -> Vec<(u64, String)> {
    let stored = store.load(id).await.unwrap().unwrap();
    stored.records.into_iter().map(|(position, record)| (position, record.body)).collect()
}

async fn listed(store: &dyn Store, words: Option<&str>) -> Vec<String> {
    let listed = store.list(listing(words)).await.unwrap();
    listed.into_iter().map(|listed| listed.session.id).collect()
}

/// 1. A session is made once, and is empty.
async fn rule_1_made_once(store: Arc<dyn Store>) {
    assert_eq!(store.session("a").await.unwrap(), None);
    assert_eq!(store.load("a").await.unwrap(), None);
    store.create(new_session("a")).await.unwrap();
    let session = store.session("a").await.unwrap().unwrap();
    assert_eq!((session.head, session.seq, session.messages), (0, 0, 0));
    assert_eq!(session.epoch, "epoch of a");
    assert_eq!(store.create(new_session("a")).await, Err(StoreError::Exists("a".into())));
}

/// 2. What was appended is read back, in order, with positions from 1 on.
async fn rule_2_in_order(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    store.append(append("a", 0, vec![event(1, "x"), other(RecordKind::Scene, "y")])).await.unwrap();
    store.append(append("a", 2, vec![event(2, "z")])).await.unwrap();
    let expected = vec![(1, "x".into()), (2, "y".into()), (3, "z".into())];
    assert_eq!(bodies(&*store, "a").await, expected);
    let session = store.session("a").await.unwrap().unwrap();
    assert_eq!((session.head, session.seq, session.updated_ms), (3, 2, 12));
}

/// 3. An append that does not know the newest position is refused and changes nothing.
async fn rule_3_conditional(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    store.append(append("a", 0, vec![event(1, "x")])).await.unwrap();
    let before = store.load("a").await.unwrap();
    for after in [0, 2] {
        let refused = store.append(append("a", after, vec![event(2, "no")])).await;
        assert_eq!(refused, Err(StoreError::Conflict { expected: after, found: 1 }));
    }
    assert_eq!(store.load("a").await.unwrap(), before);
    let unknown = store.append(append("b", 0, vec![event(1, "x")])).await;
    assert_eq!(unknown, Err(StoreError::UnknownSession("b".into())));
}

/// 4. Of several writers that know the same position, one wins.
async fn rule_4_one_wins(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..20 {
        let store = Arc::clone(&store);
        writers.spawn(async move {
            store.append(append("a", 0, vec![event(1, &writer.to_string())])).await.is_ok()
        });
    }
    let won = writers.join_all().await.into_iter().filter(|won| *won).count();
    assert_eq!(won, 1);
    assert_eq!(bodies(&*store, "a").await.len(), 1);
}

/// 5. Sessions do not see each other's records, also when they are written at the same time.
async fn rule_5_apart(store: Arc<dyn Store>) {
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..20u64 {
        let store = Arc::clone(&store);
        writers.spawn(async move {
            let id = number.to_string();
            store.create(new_session(&id)).await.unwrap();
            for after in 0..10 {
                let text = format!("{id}-{after}");
                store.append(append(&id, after, vec![event(after + 1, &text)])).await.unwrap();
            }
        });
    }
    writers.join_all().await;
    for number in 0..20u64 {
        let expected: Vec<_> =
            (0..10).map(|after| (after + 1, format!("{number}-{after}"))).collect();
        assert_eq!(bodies(&*store, &number.to_string()).await, expected);
    }
}

/// 6. A snapshot shortens what is loaded; the log before it is there all the same.
async fn rule_6_snapshot(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let records = vec![event(1, "x"), other(RecordKind::History, "h"), event(2, "y")];
    store.append(append("a", 0, records)).await.unwrap();
    let snapshot = Snapshot { position: 2, body: "state".into() };
    store.save_snapshot("a", snapshot.clone()).await.unwrap();
    let stored = store.load("a").await.unwrap().unwrap();
    assert_eq!(stored.snapshot, Some(snapshot));
    assert_eq!(bodies(&*store, "a").await, vec![(3, "y".into())]);
    let history = store.records("a", 2).await.unwrap();
    assert_eq!(history, vec![(2, other(RecordKind::History, "h"))]);
    assert_eq!(store.records("a", 1).await.unwrap(), vec![]);
    let positions = async |after, limit, bytes| {
        let log = store.log("a", after, limit, bytes).await.unwrap();
        log.into_iter().map(|(position, _)| position).collect::<Vec<_>>()
    };
    assert_eq!(positions(0, 10, 1_000).await, [1, 2, 3]);
    assert_eq!(positions(1, 1, 1_000).await, [2]);
    assert_eq!(positions(0, 10, 2).await, [1, 2]);
}

/// 7. Events are read by number, in pages, and whether there are more is told.
async fn rule_7_events(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let mut records = Vec::new();
    for seq in 1..=5 {
        records.push(event(seq, &format!("e{seq}")));
        let between = other(RecordKind::History, "between");
        records.extend(std::iter::repeat_n(between, [0, 7, 1, 0, 3][seq as usize - 1]));
    }
    store.append(append("a", 0, records)).await.unwrap();
    let page = |after, limit, bytes| store.events("a", after, limit, bytes);
    let numbers = |page: &store::EventPage| page.events.iter().map(|e| e.0).collect::<Vec<_>>();
    let all = page(0, 100, 1000).await.unwrap();
    assert_eq!((numbers(&all), all.more), (vec![1, 2, 3, 4, 5], false));
    assert_eq!(all.events[4].1, "e5");
    for after in 0..=6 {
        let rest: Vec<u64> = (after + 1..=5).collect();
        assert_eq!(numbers(&page(after, 100, 1000).await.unwrap()), rest, "after {after}");
    }
    let some = page(1, 2, 1000).await.unwrap();
    assert_eq!((numbers(&some), some.more), (vec![2, 3], true));
    let few = page(0, 100, 3).await.unwrap();
    assert_eq!((numbers(&few), few.more), (vec![1, 2], true));
    let none = page(5, 100, 1000).await.unwrap();
    assert_eq!((numbers(&none), none.more), (vec![], false));
}

/// 8. A deleted session leaves nothing behind, and its id can be used again.
async fn rule_8_deleted(store: Arc<dyn Store>) {
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
async fn rule_9_listed(store: Arc<dyn Store>) {
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

/// 10. A name and the number of messages come with what is appended.
async fn rule_10_named(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    for (after, name) in [Some("first"), None, Some("mine")].into_iter().enumerate() {
        let after = after as u64;
        let name = name.map(str::to_owned);
        let records = vec![event(after + 1, "x")];
        store.append(Append { name, messages: 1, ..append("a", after, records) }).await.unwrap();
        let expected = if after == 2 { "mine" } else { "first" };
        let session = store.session("a").await.unwrap().unwrap();
        assert_eq!((session.name.as_str(), session.messages), (expected, after + 1));
    }
}

/// 11. A duplicate has the same log under its own id and epoch, and goes its own way.
async fn rule_11_duplicated(store: Arc<dyn Store>) {
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
async fn rule_12_capabilities(store: Arc<dyn Store>) {
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

/// 13. Assets are in use while any session refers to them, by whatever it once appended or by being
///     given them; a copy of a session refers to the same ones.
async fn rule_13_assets(store: Arc<dyn Store>) {
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

/// 14. Old sessions in which nothing happened can be swept away.
async fn rule_14_swept(store: Arc<dyn Store>) {
    for (id, now_ms) in [("old", 1), ("new", 100), ("used", 1)] {
        store.create(NewSession { now_ms, ..new_session(id) }).await.unwrap();
        // What a session starts with is nothing that happened.
        store.append(append(id, 0, vec![other(RecordKind::Scene, "base")])).await.unwrap();
    }
    store.append(append("used", 1, vec![event(1, "x")])).await.unwrap();
    assert_eq!(store.delete_unused(50).await.unwrap(), 1);
    assert!(store.session("old").await.unwrap().is_none());
    assert!(store.session("new").await.unwrap().is_some());
    assert!(store.session("used").await.unwrap().is_some());
}

/// 15. Large batches and large records are as good as small ones; texts come back letter by letter.
async fn rule_15_large(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let mut records: Vec<Record> = (1..=9_000).map(|seq| event(seq, "x")).collect();
    records.push(other(RecordKind::History, &"\u{1f9ca}\0 \"'\\".repeat(200_000)));
    store.append(append("a", 0, records.clone())).await.unwrap();
    let stored = store.load("a").await.unwrap().unwrap();
    assert_eq!(stored.records.len(), 9_001);
    assert_eq!(stored.records[9_000].1.body, records[9_000].body);
}

/// 16. The epoch changes with an append that says so.
async fn rule_16_epoch(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let fresh = Append { epoch: Some("fresh".into()), ..append("a", 0, vec![event(1, "x")]) };
    store.append(fresh).await.unwrap();
    assert_eq!(store.session("a").await.unwrap().unwrap().epoch, "fresh");
}

/// 17. What is known of an asset is read back; the first upload says what it is, the last one when.
async fn rule_17_known(store: Arc<dyn Store>) {
    assert_eq!(store.asset("x").await.unwrap(), None);
    assert!(store.add_asset(asset("x", 5)).await.unwrap());
    let again = Asset { name: "another".into(), ..asset("x", 9) };
    assert!(!store.add_asset(again).await.unwrap());
    assert!(!store.add_asset(asset("x", 3)).await.unwrap());
    assert_eq!(store.asset("x").await.unwrap(), Some(asset("x", 9)));
}

/// 18. An append that refers to an asset that is not known is refused, and nothing of it is there.
async fn rule_18_no_unknown_assets(store: Arc<dyn Store>) {
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
async fn rule_19_forgotten(store: Arc<dyn Store>) {
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

async fn open(directory: &tempfile::TempDir) -> SqliteStore {
    let file = directory.path().join("sessions.sqlite");
    SqliteStore::open(SqliteOptions { file, max_bytes: None }).await.unwrap()
}

macro_rules! rules {
    ($($rule:ident),+ $(,)?) => {
        mod memory {
            use super::*;
            $(#[tokio::test]
            async fn $rule() {
                super::$rule(Arc::new(MemoryStore::default())).await;
            })+
        }
        mod sqlite {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $rule() {
                let directory = tempfile::tempdir().unwrap();
                let store: Arc<dyn Store> = Arc::new(open(&directory).await);
                super::$rule(Arc::clone(&store)).await;
                store.close().await;
            })+
        }
    };
}

rules!(
    rule_1_made_once,
    rule_2_in_order,
    rule_3_conditional,
    rule_4_one_wins,
    rule_5_apart,
    rule_6_snapshot,
    rule_7_events,
    rule_8_deleted,
    rule_9_listed,
    rule_10_named,
    rule_11_duplicated,
    rule_12_capabilities,
    rule_13_assets,
    rule_14_swept,
    rule_15_large,
    rule_16_epoch,
    rule_17_known,
    rule_18_no_unknown_assets,
    rule_19_forgotten,
);

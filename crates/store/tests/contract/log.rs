//! What is appended, and reading it back.

use super::*;

/// 1. A session is made once, and is empty.
pub(super) async fn rule_1_made_once(store: Arc<dyn Store>) {
    assert_eq!(store.session("a").await.unwrap(), None);
    assert_eq!(store.load("a").await.unwrap(), None);
    store.create(new_session("a")).await.unwrap();
    let session = store.session("a").await.unwrap().unwrap();
    assert_eq!((session.head, session.seq, session.messages), (0, 0, 0));
    assert_eq!(session.epoch, "epoch of a");
    assert_eq!(store.create(new_session("a")).await, Err(StoreError::Exists("a".into())));
}

/// 2. What was appended is read back, in order, with positions from 1 on.
pub(super) async fn rule_2_in_order(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    store.append(append("a", 0, vec![event(1, "x"), other(RecordKind::Scene, "y")])).await.unwrap();
    store.append(append("a", 2, vec![event(2, "z")])).await.unwrap();
    let expected = vec![(1, "x".into()), (2, "y".into()), (3, "z".into())];
    assert_eq!(bodies(&*store, "a").await, expected);
    let session = store.session("a").await.unwrap().unwrap();
    assert_eq!((session.head, session.seq, session.updated_ms), (3, 2, 12));
}

/// 3. An append that does not know the newest position is refused and changes nothing.
pub(super) async fn rule_3_conditional(store: Arc<dyn Store>) {
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
pub(super) async fn rule_4_one_wins(store: Arc<dyn Store>) {
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
pub(super) async fn rule_5_apart(store: Arc<dyn Store>) {
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
pub(super) async fn rule_6_snapshot(store: Arc<dyn Store>) {
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
pub(super) async fn rule_7_events(store: Arc<dyn Store>) {
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

/// 10. A name and the number of messages come with what is appended.
pub(super) async fn rule_10_named(store: Arc<dyn Store>) {
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

/// 15. Large batches and large records are as good as small ones; texts come back letter by letter.
pub(super) async fn rule_15_large(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let mut records: Vec<Record> = (1..=9_000).map(|seq| event(seq, "x")).collect();
    records.push(other(RecordKind::History, &"\u{1f9ca}\0 \"'\\".repeat(200_000)));
    store.append(append("a", 0, records.clone())).await.unwrap();
    let stored = store.load("a").await.unwrap().unwrap();
    assert_eq!(stored.records.len(), 9_001);
    assert_eq!(stored.records[9_000].1.body, records[9_000].body);
}

/// 16. The epoch changes with an append that says so.
pub(super) async fn rule_16_epoch(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let fresh = Append { epoch: Some("fresh".into()), ..append("a", 0, vec![event(1, "x")]) };
    store.append(fresh).await.unwrap();
    assert_eq!(store.session("a").await.unwrap().unwrap().epoch, "fresh");
}

/// 20. Texts of any characters are looked for and kept; no store refuses a name or finds what is not there.
pub(super) async fn rule_20_any_text(store: Arc<dyn Store>) {
    let odd = "a\0\u{1f9ca}\\'\"%_";
    store.create(NewSession { name: odd.into(), ..new_session("a") }).await.unwrap();
    assert_eq!(store.session(odd).await.unwrap(), None);
    assert_eq!(store.load(odd).await.unwrap(), None);
    assert_eq!(store.capability(odd).await.unwrap(), None);
    assert_eq!(store.asset(odd).await.unwrap(), None);
    assert!(!store.delete(odd).await.unwrap());
    let unknown = StoreError::UnknownSession(odd.into());
    assert_eq!(store.append(append(odd, 0, vec![event(1, "x")])).await, Err(unknown));
    let named = Append { name: Some(odd.into()), ..append("a", 0, vec![event(1, odd)]) };
    store.append(named).await.unwrap();
    assert_eq!(bodies(&*store, "a").await, vec![(1, odd.into())]);
    assert!(store.search("\0", 10).await.unwrap().is_empty());
    assert_eq!(listed(&*store, Some("a")).await, ["a"]);
}

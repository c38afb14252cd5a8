//! Who may append: one owner at a time, by its term.

use std::sync::Arc;

use store::{Store, StoreError};

use super::{append, bodies, event, new_session};

/// 21. A session has one owner: what a later one begins, an earlier one cannot go on with.
pub(super) async fn rule_21_one_owner(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let unknown = store.own("nobody").await.err();
    assert_eq!(unknown, Some(StoreError::UnknownSession("nobody".into())));
    let first = store.own("a").await.unwrap();
    let of = |term, after: u64, text: &str| store::Append {
        term: Some(term),
        ..append("a", after, vec![event(after + 1, text)])
    };
    store.append(of(first.term, 0, "first")).await.unwrap();
    let second = store.own("a").await.unwrap();
    assert!(second.term > first.term);
    let before = store.load("a").await.unwrap();
    // It knows the newest position, and is refused all the same.
    let fenced = Err(StoreError::Fenced("a".into()));
    assert_eq!(store.append(of(first.term, 1, "late")).await, fenced);
    assert_eq!(store.append(of(first.term, 0, "late")).await, fenced);
    assert_eq!(store.append(of(second.term + 1, 1, "early")).await, fenced);
    assert_eq!(store.load("a").await.unwrap(), before);
    store.append(of(second.term, 1, "second")).await.unwrap();
    let conflict = StoreError::Conflict { expected: 1, found: 2 };
    assert_eq!(store.append(of(second.term, 1, "again")).await, Err(conflict));
    assert_eq!(bodies(&*store, "a").await, [(1, "first".into()), (2, "second".into())]);
}

/// 22. Whoever is not the owner appends only while there is none.
pub(super) async fn rule_22_without_owner(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    store.append(append("a", 0, vec![event(1, "x")])).await.unwrap();
    let owner = store.own("a").await.unwrap();
    let fenced = Err(StoreError::Fenced("a".into()));
    assert_eq!(store.append(append("a", 1, vec![event(2, "no")])).await, fenced);
    // Only the owner's term ends its tenure.
    store.release("a", owner.term + 1).await.unwrap();
    assert_eq!(store.append(append("a", 1, vec![event(2, "no")])).await, fenced);
    assert!(!owner.lost.is_cancelled());
    store.release("a", owner.term).await.unwrap();
    let late = store::Append { term: Some(owner.term), ..append("a", 1, vec![event(2, "no")]) };
    assert_eq!(store.append(late).await, fenced);
    store.append(append("a", 1, vec![event(2, "y")])).await.unwrap();
    store.duplicate("a", new_session("b")).await.unwrap();
    store.append(append("b", 2, vec![event(3, "z")])).await.unwrap();
    assert!(store.own("a").await.unwrap().term > owner.term);
    store.release("nobody", 1).await.unwrap();
}

/// 23. Of many that take a session and append at the same time, the appends are those of the terms in order:
///     none of an earlier term comes after one of a later term.
pub(super) async fn rule_23_terms_in_order(store: Arc<dyn Store>) {
    store.create(new_session("a")).await.unwrap();
    let mut owners = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let store = Arc::clone(&store);
        owners.spawn(async move {
            for _ in 0..5 {
                let term = store.own("a").await.unwrap().term;
                let mut after = store.session("a").await.unwrap().unwrap().head;
                for _ in 0..3 {
                    let records = vec![event(after + 1, &format!("{term:020}"))];
                    let append = store::Append { term: Some(term), ..append("a", after, records) };
                    match store.append(append).await {
                        Ok(()) => after += 1,
                        Err(StoreError::Fenced(_) | StoreError::Conflict { .. }) => break,
                        Err(other) => panic!("{other}"),
                    }
                }
            }
        });
    }
    owners.join_all().await;
    let terms: Vec<String> = bodies(&*store, "a").await.into_iter().map(|(_, term)| term).collect();
    assert!(terms.is_sorted(), "{terms:?}");
    assert!(!terms.is_empty());
}

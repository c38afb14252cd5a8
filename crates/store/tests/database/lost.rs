//! Connections that are lost, and a database that crashes: what was acknowledged is there, once, and what was
//! refused is not.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use store::{PostgresStore, Store, StoreError};
use test_postgres::TestPostgres;
use tokio::sync::watch;

use super::proxy::{Cut, Proxy};
use super::{append, make, open};

async fn bodies(store: &PostgresStore, id: &str) -> Vec<String> {
    let stored = store.load(id).await.unwrap().unwrap();
    stored.records.into_iter().map(|(_, record)| record.body).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_whose_answer_is_lost_counts_once() {
    let direct = TestPostgres::shared().database();
    let (line, url) = Proxy::to(&direct);
    let store = open(&url).await;
    make(&store, "a").await;
    let mut expected = Vec::new();
    for cut in [Cut::AfterCommit, Cut::BeforeCommit, Cut::Never, Cut::AfterCommit] {
        line.cut(cut);
        let text = format!("{cut:?} {}", expected.len());
        append(&store, "a", expected.len() as u64, &text).await.unwrap();
        expected.push(text);
        assert_eq!(bodies(&store, "a").await, expected);
    }
    // What is refused stays refused, also when the answer was lost.
    line.cut(Cut::AfterCommit);
    let refused = append(&store, "a", 0, "late").await;
    assert_eq!(refused, Err(StoreError::Conflict { expected: 0, found: 4 }));
    line.cut(Cut::AfterCommit);
    assert!(store.delete("a").await.unwrap());
    assert!(!store.delete("a").await.unwrap());
}

/// Writers go on while the database crashes again and again.
#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_crashes_loses_and_doubles_nothing() {
    const WRITERS: usize = 8;
    const CRASHES: usize = 4;
    let mut server = TestPostgres::start();
    let store = Arc::new(open(&server.database()).await);
    let ended = Arc::new(AtomicBool::new(false));
    let (saved, mut heard) = watch::channel(0);
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..WRITERS {
        let (store, ended, saved) = (Arc::clone(&store), Arc::clone(&ended), saved.clone());
        writers.spawn(async move {
            let id = number.to_string();
            make(&store, &id).await;
            let mut acknowledged: Vec<String> = Vec::new();
            for attempt in 0.. {
                if ended.load(Ordering::SeqCst) {
                    break;
                }
                let text = format!("{number}-{attempt}");
                match append(&store, &id, acknowledged.len() as u64, &text).await {
                    Ok(()) => acknowledged.push(text),
                    // It was down for longer than a writer waits.
                    Err(StoreError::Unreachable(_)) => continue,
                    Err(other) => panic!("{other}"),
                }
                saved.send_modify(|count| *count += 1);
            }
            (id, acknowledged)
        });
    }
    for _ in 0..CRASHES {
        let before = *heard.borrow();
        heard.wait_for(|count| *count >= before + 5 * WRITERS).await.unwrap();
        server = tokio::task::spawn_blocking(move || {
            server.crash();
            server
        })
        .await
        .unwrap();
    }
    let before = *heard.borrow();
    heard.wait_for(|count| *count >= before + WRITERS).await.unwrap();
    ended.store(true, Ordering::SeqCst);
    for (id, acknowledged) in writers.join_all().await {
        assert_eq!(bodies(&store, &id).await, acknowledged, "session {id}");
    }
    store.close().await;
}

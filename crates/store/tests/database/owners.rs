//! Several servers on one database: who owns a session, and how it changes hands.

use std::task::Poll;
use std::time::Duration;

use store::{Append, NodeState, PostgresStore, Record, RecordKind, Store, StoreError};
use test_postgres::TestPostgres;
use tokio::time::{sleep, timeout};

use super::proxy::Proxy;
use super::{make, open, open_at};

/// Far more than a lease runs.
const PATIENCE: Duration = Duration::from_secs(60);
/// As many connections as a store reads by, or more.
const READERS: u32 = 6;

async fn append(store: &PostgresStore, term: u64, after: u64) -> Result<(), StoreError> {
    let (kind, seq) = (RecordKind::Event, Some(after + 1));
    let record = Record { kind, seq, body: format!("of term {term}"), passage: None };
    let (session, term, records) = ("a".into(), Some(term), vec![record]);
    store.append(Append { session, term, after, records, ..Append::default() }).await
}

/// Owns the session as soon as nobody else does.
async fn take(store: &PostgresStore) -> store::Tenure {
    let taken = async {
        loop {
            match store.own("a").await {
                Ok(tenure) => return tenure,
                Err(StoreError::Elsewhere { .. }) => sleep(Duration::from_millis(20)).await,
                Err(other) => panic!("{other}"),
            }
        }
    };
    timeout(PATIENCE, taken).await.unwrap()
}

/// The address of the owner, who lives, as another server is told it.
async fn owner_told_to(store: &PostgresStore) -> String {
    let Err(StoreError::Elsewhere { node, address }) = store.own("a").await else {
        panic!("it has the session itself")
    };
    assert_eq!(store.state_of(&node).await.unwrap(), NodeState::Alive);
    assert_eq!(store.address_of(&node).await.unwrap().as_ref(), Some(&address));
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_refused_by_name_while_another_server_has_it() {
    let url = TestPostgres::shared().database();
    let (one, two) = (open_at(&url, "10.0.0.1:80").await, open_at(&url, "10.0.0.2:80").await);
    make(&one, "a").await;
    let first = one.own("a").await.unwrap();
    assert_eq!(owner_told_to(&two).await, "10.0.0.1:80");
    append(&one, first.term, 0).await.unwrap();
    assert_eq!(two.address_of(&one.node().unwrap()).await.unwrap().unwrap(), "10.0.0.1:80");
    assert_eq!(two.address_of("nobody").await.unwrap(), None);
    assert!(one.secret().is_some_and(|secret| secret.len() == 36));
    assert_eq!(one.secret(), two.secret());
    // Given up, one session at a time or all with the end of a server.
    one.release("a", first.term).await.unwrap();
    let second = two.own("a").await.unwrap();
    assert_eq!(append(&one, first.term, 1).await, Err(StoreError::Fenced("a".into())));
    append(&two, second.term, 1).await.unwrap();
    assert_eq!(owner_told_to(&one).await, "10.0.0.2:80");
    two.close().await;
    let third = one.own("a").await.unwrap();
    append(&one, third.term, 2).await.unwrap();
    assert!(!first.lost.is_cancelled() && !third.lost.is_cancelled(), "its lease never ended");
    assert_eq!(TestPostgres::shared().query(&url, "SELECT count(*) FROM node"), "1");
}

/// A server whose lines are cut is as one that died: another one takes over without waiting for the lease.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_cut_off_is_followed_at_once_and_fenced() {
    let direct = TestPostgres::shared().database();
    let (line, url) = Proxy::to(&direct);
    let (one, two) = (open(&url).await, open(&direct).await);
    make(&one, "a").await;
    let first = one.own("a").await.unwrap();
    append(&one, first.term, 0).await.unwrap();
    let Err(StoreError::Elsewhere { node, .. }) = two.own("a").await else { panic!("two owners") };
    assert!(two.orphans(10).await.unwrap().is_empty(), "its owner lives");
    line.close();
    let orphaned = async {
        while two.orphans(10).await.unwrap() != ["a"] {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, orphaned).await.unwrap();
    assert_ne!(two.state_of(&node).await.unwrap(), NodeState::Alive);
    let second = take(&two).await;
    assert!(two.orphans(10).await.unwrap().is_empty(), "it has an owner again");
    append(&two, second.term, 1).await.unwrap();
    timeout(PATIENCE, first.lost.cancelled()).await.unwrap();
    let refused = append(&one, first.term, 1).await;
    assert!(matches!(refused, Err(StoreError::Unreachable(_))), "{refused:?}");
    line.open();
    for after in [1, 2] {
        assert_eq!(append(&one, first.term, after).await, Err(StoreError::Fenced("a".into())));
    }
    two.release("a", second.term).await.unwrap();
    let third = take(&one).await;
    append(&one, third.term, 2).await.unwrap();
    assert!(!third.lost.is_cancelled());
}

/// A server that is cut off for a moment keeps what nobody took meanwhile, and is told of what somebody did.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_comes_back_in_time_loses_only_what_was_taken() {
    let direct = TestPostgres::shared().database();
    let (line, url) = Proxy::to(&direct);
    let (one, two) = (open(&url).await, open(&direct).await);
    let mut tenures = Vec::new();
    for id in ["a", "b"] {
        make(&one, id).await;
        tenures.push(one.own(id).await.unwrap());
    }
    line.close();
    let second = take(&two).await;
    line.open();
    timeout(PATIENCE, tenures[0].lost.cancelled()).await.unwrap();
    assert!(!one.holds("a", tenures[0].term).await.unwrap());
    assert!(two.holds("a", second.term).await.unwrap());
    assert!(one.holds("b", tenures[1].term).await.unwrap());
    assert!(!tenures[1].lost.is_cancelled(), "nobody took it");
}

/// A server whose lines are silent still has its lock; its lease ends, but not before it has stopped itself.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_hears_nothing_stops_before_another_one_begins() {
    let direct = TestPostgres::shared().database();
    let (line, url) = Proxy::to(&direct);
    let (one, two) = (open(&url).await, open(&direct).await);
    make(&one, "a").await;
    let first = one.own("a").await.unwrap();
    append(&one, first.term, 0).await.unwrap();
    line.silence();
    assert!(matches!(two.own("a").await, Err(StoreError::Elsewhere { .. })));
    let second = take(&two).await;
    // It has stopped by its own clock, two seconds before the lease was over.
    timeout(PATIENCE, first.lost.cancelled()).await.unwrap();
    append(&two, second.term, 1).await.unwrap();
    line.open();
    assert_eq!(append(&one, first.term, 1).await, Err(StoreError::Fenced("a".into())));
    assert_eq!(append(&one, first.term, 2).await, Err(StoreError::Fenced("a".into())));
}

/// A crash of the database ends no lease.
#[tokio::test(flavor = "multi_thread")]
async fn a_crash_of_the_database_leaves_the_owners() {
    let mut server = TestPostgres::start();
    let url = server.database();
    let (one, two) = (open(&url).await, open(&url).await);
    make(&one, "a").await;
    let first = one.own("a").await.unwrap();
    append(&one, first.term, 0).await.unwrap();
    let _server = tokio::task::spawn_blocking(move || {
        server.crash();
        server
    })
    .await
    .unwrap();
    append(&one, first.term, 1).await.unwrap();
    // Whoever of the two has it now: it is one, and goes on where the log ends.
    let (owner, other, term) = match two.own("a").await {
        Ok(second) => (&two, &one, second.term),
        Err(_) => (&one, &two, first.term),
    };
    append(owner, term, 2).await.unwrap();
    let stored = other.load("a").await.unwrap().unwrap();
    assert_eq!(stored.records.len(), 3);
}

/// What a client that goes away has begun to read is given up anywhere, also where a transaction would just begin.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_given_up_leaves_no_connection_in_the_middle_of_something() {
    let url = TestPostgres::shared().database();
    let store = open(&url).await;
    make(&store, "a").await;
    let mut head = 0;
    for waits in 0.. {
        let is_finished = is_loaded_within(waits, store.load("a")).await;
        // Over whichever connection: the newest is seen, and can be written.
        for _ in 0..READERS {
            let tenure = store.own("a").await.unwrap();
            append(&store, tenure.term, head).await.unwrap();
            head += 1;
            assert_eq!(store.load("a").await.unwrap().unwrap().records.len() as u64, head);
        }
        if is_finished {
            break;
        }
    }
    let leaked = "SELECT count(*) FROM pg_stat_activity
                  WHERE datname = current_database() AND state LIKE 'idle in transaction%'";
    assert_eq!(TestPostgres::shared().query(&url, leaked), "0");
}

/// Gives `work` up when it has to wait once more than this; whether it ended before.
async fn is_loaded_within<T>(waits: u32, work: impl Future<Output = T>) -> bool {
    let (mut work, mut left) = (std::pin::pin!(work), waits);
    let until_given_up = std::future::poll_fn(|context| match work.as_mut().poll(context) {
        Poll::Ready(_) => Poll::Ready(true),
        Poll::Pending if left == 0 => Poll::Ready(false),
        Poll::Pending => {
            left -= 1;
            Poll::Pending
        }
    });
    timeout(PATIENCE, until_given_up).await.unwrap()
}

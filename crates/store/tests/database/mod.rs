//! What only a store in a database can get wrong.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod lost;
mod owners;
mod proxy;

use sqlx::Connection;
use store::{
    Append, DatabaseUrl, Listing, NewSession, PostgresStore, Record, RecordKind, Store, StoreError,
};
use test_postgres::TestPostgres;

async fn open(url: &str) -> PostgresStore {
    open_at(url, "here").await
}

async fn open_at(url: &str, address: &str) -> PostgresStore {
    PostgresStore::open(&DatabaseUrl::new(url), address).await.unwrap()
}

async fn refused(url: &str) -> StoreError {
    PostgresStore::open(&DatabaseUrl::new(url), "here").await.err().unwrap()
}

async fn make(store: &PostgresStore, id: &str) {
    let (id, epoch) = (id.to_owned(), "e".to_owned());
    store.create(NewSession { id, epoch, name: String::new(), now_ms: 1 }).await.unwrap();
}

async fn append(store: &PostgresStore, id: &str, after: u64, text: &str) -> Result<(), StoreError> {
    let (kind, seq) = (RecordKind::Event, Some(after + 1));
    let record = Record { kind, seq, body: text.into(), passage: Some(text.into()) };
    let append = Append { session: id.into(), after, records: vec![record], ..Append::default() };
    store.append(append).await
}

async fn count(store: &PostgresStore, id: &str) -> usize {
    store.load(id).await.unwrap().unwrap().records.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_written_is_there_after_opening_again() {
    let url = TestPostgres::shared().database();
    let store = open(&url).await;
    make(&store, "a").await;
    append(&store, "a", 0, "x").await.unwrap();
    store.close().await;
    assert!(matches!(append(&store, "a", 1, "y").await, Err(StoreError::Failed(_))));
    assert_eq!(count(&open(&url).await, "a").await, 1);
    let writers = TestPostgres::shared().query(&url, "SELECT count(*) FROM writer");
    assert_eq!(writers, "1", "the first one has left nothing");
}

/// Several servers begin at the same time, and write to the same session.
#[tokio::test(flavor = "multi_thread")]
async fn of_several_servers_one_wins_each_position() {
    let url = TestPostgres::shared().database();
    let opening = (0..4).map(|_| open(&url));
    let stores = futures_util::future::join_all(opening).await;
    make(&stores[0], "a").await;
    let mut writers = tokio::task::JoinSet::new();
    for (number, store) in stores.into_iter().enumerate() {
        writers.spawn(async move {
            let mut won = Vec::new();
            for after in 0..25 {
                let text = format!("{number} at {after}");
                match append(&store, "a", after, &text).await {
                    Ok(()) => won.push((after + 1, text)),
                    Err(StoreError::Conflict { expected, .. }) => assert_eq!(expected, after),
                    Err(other) => panic!("{other}"),
                }
                // The others may be behind: nobody goes on before the position is taken.
                while store.session("a").await.unwrap().unwrap().head <= after {}
            }
            won
        });
    }
    let mut won: Vec<(u64, String)> = writers.join_all().await.into_iter().flatten().collect();
    won.sort();
    let stored = open(&url).await.load("a").await.unwrap().unwrap().records;
    let stored: Vec<_> = stored.into_iter().map(|(at, record)| (at, record.body)).collect();
    assert_eq!(won, stored);
    assert_eq!(stored.len(), 25);
}

#[tokio::test(flavor = "multi_thread")]
async fn words_are_found_without_accents_and_endings() {
    let store = open(&TestPostgres::shared().database()).await;
    make(&store, "a").await;
    let long = format!("{} a café/bar by the sea {}", "before ".repeat(99), "after ".repeat(99));
    append(&store, "a", 0, &long).await.unwrap();
    append(&store, "a", 1, "two blue spheres").await.unwrap();
    for (words, expected) in [
        ("cafe", vec![1]),
        ("Café sea", vec![1]),
        ("the", vec![1]),
        ("bar", vec![1]),
        ("sphere", vec![2]),
        ("BLUE sph", vec![2]),
        ("blue sea", vec![]),
        ("½", vec![]),
    ] {
        let found = store.search(words, 10).await.unwrap();
        let found: Vec<u64> = found.iter().map(|passage| passage.position).collect();
        assert_eq!(found, expected, "{words}");
    }
    let found = store.search("sea", 10).await.unwrap();
    let excerpt = &found[0].excerpt;
    assert!(excerpt.starts_with('…') && excerpt.ends_with('…'), "{excerpt}");
    assert!(excerpt.contains("sea") && excerpt.len() < 500, "{excerpt}");
    let listing = Listing { words: Some("sphere".into()), limit: 10, offset: 0 };
    let listed = store.list(listing).await.unwrap();
    assert_eq!(listed[0].excerpt.as_deref(), Some("two blue spheres"));
}

/// A passage of more words than one row can have.
#[tokio::test(flavor = "multi_thread")]
async fn a_very_long_passage_is_kept_and_found_by_its_beginning() {
    let store = open(&TestPostgres::shared().database()).await;
    make(&store, "a").await;
    let long: String = (0..400_000).map(|number| format!("w{number} ")).collect();
    append(&store, "a", 0, &format!("first {long}")).await.unwrap();
    append(&store, "a", 1, &"x".repeat(3_000_000)).await.unwrap();
    assert_eq!(store.search("first w7", 10).await.unwrap().len(), 1);
    assert_eq!(count(&store, "a").await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_session_is_told_and_then_written() {
    let url = TestPostgres::shared().database();
    let store = open(&url).await;
    make(&store, "a").await;
    make(&store, "b").await;
    let mut other = sqlx::PgConnection::connect(&url).await.unwrap();
    sqlx::raw_sql("BEGIN; SELECT * FROM session WHERE id = 'a' FOR UPDATE")
        .execute(&mut other)
        .await
        .unwrap();
    let (locked, free) = tokio::join!(append(&store, "a", 0, "x"), append(&store, "b", 0, "x"));
    assert_eq!((locked, free), (Err(StoreError::Locked), Ok(())));
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    append(&store, "a", 0, "x").await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_row_is_told_and_other_sessions_go_on() {
    let url = TestPostgres::shared().database();
    let store = open(&url).await;
    for id in ["bad", "good"] {
        make(&store, id).await;
        append(&store, id, 0, "x").await.unwrap();
        append(&store, id, 1, "y").await.unwrap();
    }
    let damage = "DELETE FROM record WHERE position = 1 AND session =
                  (SELECT key FROM session WHERE id = 'bad')";
    TestPostgres::shared().query(&url, damage);
    assert!(matches!(store.load("bad").await, Err(StoreError::Corrupt(_))));
    append(&store, "good", 2, "z").await.unwrap();
    assert_eq!(count(&store, "good").await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_cannot_hold_sessions_is_refused_by_name() {
    let server = TestPostgres::shared();
    let url = server.database();
    let said = async |url: &str| refused(url).await.to_string();

    for wrong in ["mysql://me@db/x", "scenes", "postgres://me:se cret@[/x"] {
        let said = said(wrong).await;
        assert!(said.contains("postgres://USER:PASSWORD@HOST:PORT/DATABASE"), "{said}");
        assert!(!said.contains("cret"), "{said}");
    }
    let missing = url.replace("/test_", "/missing_");
    assert!(said(&missing).await.contains("make it with createdb"));
    let nobody = url.replace("tests@", "nobody@");
    assert!(said(&nobody).await.contains("give the user and the password"));

    server.query(
        &url,
        "CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'",
    );
    let ascii = format!("{}/ascii", url.rsplit_once('/').unwrap().0);
    assert!(said(&ascii).await.contains("encoding SQL_ASCII"));

    open(&url).await.close().await;
    server.query(&url, "INSERT INTO _sqlx_migrations VALUES (9000, 'later', now(), true, '', 1)");
    let newer = "the database was written by a newer version (form 9000); update scene-llm";
    assert!(said(&url).await.contains(newer));

    let url = server.database();
    let name = url.rsplit('/').next().unwrap();
    server.query(&url, &format!("ALTER DATABASE {name} SET default_transaction_read_only = on"));
    assert!(said(&url).await.contains("read-only"), "{}", said(&url).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_does_not_run_is_told() {
    let error = refused("postgres://tests@%2Fnowhere/scenes").await;
    assert!(matches!(error, StoreError::Unreachable(_)), "{error}");
}

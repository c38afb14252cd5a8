//! What only a store on disk can get wrong.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::fs::OpenOptions;
use std::path::PathBuf;

use sqlx::SqlStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use store::{
    Append, NewSession, Record, RecordKind, SqliteOptions, SqliteStore, Store, StoreError,
    check_store, copy_store,
};

fn options(directory: &tempfile::TempDir) -> SqliteOptions {
    SqliteOptions { file: file(directory), max_bytes: None }
}

fn file(directory: &tempfile::TempDir) -> PathBuf {
    directory.path().join("sessions.sqlite")
}

async fn make(store: &SqliteStore, id: &str) {
    let (id, epoch) = (id.to_owned(), "e".to_owned());
    store.create(NewSession { id, epoch, name: String::new(), now_ms: 1 }).await.unwrap();
}

async fn append(store: &SqliteStore, id: &str, after: u64, body: &str) -> Result<(), StoreError> {
    let record =
        Record { kind: RecordKind::Event, seq: Some(after + 1), body: body.into(), passage: None };
    let append = Append { session: id.into(), after, records: vec![record], ..Append::default() };
    store.append(append).await
}

async fn count(store: &SqliteStore, id: &str) -> usize {
    store.load(id).await.unwrap().unwrap().records.len()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_written_is_there_after_opening_again() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(options(&directory)).await.unwrap();
    make(&store, "a").await;
    append(&store, "a", 0, "x").await.unwrap();
    store.close().await;
    assert!(matches!(append(&store, "a", 1, "y").await, Err(StoreError::Failed(_))));
    let again = SqliteStore::open(options(&directory)).await.unwrap();
    assert_eq!(count(&again, "a").await, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_and_goes_on_when_there_is_room() {
    let directory = tempfile::tempdir().unwrap();
    let small = SqliteOptions { max_bytes: Some(256 * 1024), ..options(&directory) };
    let store = SqliteStore::open(small).await.unwrap();
    for id in ["kept", "big"] {
        make(&store, id).await;
    }
    append(&store, "big", 0, &"x".repeat(50_000)).await.unwrap();
    let mut after = 0;
    let error = loop {
        match append(&store, "kept", after, &"x".repeat(10_000)).await {
            Ok(()) => after += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error, StoreError::Full);
    assert_eq!(count(&store, "kept").await as u64, after, "nothing is half-written");
    // Small things may still fit; another large one does not.
    assert_eq!(append(&store, "kept", after, &"x".repeat(10_000)).await, Err(StoreError::Full));
    store.delete("big").await.unwrap();
    append(&store, "kept", after, &"x".repeat(10_000)).await.unwrap();
    assert_eq!(count(&store, "kept").await as u64, after + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_session_that_fails_does_not_fail_those_written_with_it() {
    let directory = tempfile::tempdir().unwrap();
    let small = SqliteOptions { max_bytes: Some(256 * 1024), ..options(&directory) };
    let store = std::sync::Arc::new(SqliteStore::open(small).await.unwrap());
    let mut writers = tokio::task::JoinSet::new();
    for number in 0..10 {
        let store = std::sync::Arc::clone(&store);
        writers.spawn(async move {
            let id = number.to_string();
            make(&store, &id).await;
            let size = if number == 5 { 1_000_000 } else { 1_000 };
            (number, append(&store, &id, 0, &"x".repeat(size)).await)
        });
    }
    for (number, outcome) in writers.join_all().await {
        let expected = if number == 5 { Err(StoreError::Full) } else { Ok(()) };
        assert_eq!(outcome, expected, "{number}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_file_is_told_and_then_written() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(options(&directory)).await.unwrap();
    make(&store, "a").await;
    let url = format!("sqlite://{}", file(&directory).display());
    let mut other = <sqlx::SqliteConnection as sqlx::Connection>::connect(&url).await.unwrap();
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    assert_eq!(append(&store, "a", 0, "x").await, Err(StoreError::Locked));
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    append(&store, "a", 0, "x").await.unwrap();
}

/// A process that is killed leaves its log of writes behind; one whose end is missing or damaged
/// costs what it held, never the file.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_of_writes_without_its_end_leaves_whole_appends() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(options(&directory)).await.unwrap();
    make(&store, "a").await;
    for after in 0..20 {
        append(&store, "a", after, &"x".repeat(3_000)).await.unwrap();
    }
    let wal = directory.path().join("sessions.sqlite-wal");
    let whole = std::fs::read(&wal).unwrap();
    for cut in [whole.len() - 1, whole.len() / 2, 5_000, 33, 1, 0] {
        let copy = tempfile::tempdir().unwrap();
        std::fs::copy(file(&directory), file(&copy)).unwrap();
        std::fs::write(copy.path().join("sessions.sqlite-wal"), &whole[..cut]).unwrap();
        let opened = SqliteStore::open(options(&copy)).await.unwrap();
        if let Some(stored) = opened.load("a").await.unwrap() {
            assert_eq!(stored.records.len() as u64, stored.session.head);
            let next = stored.session.head;
            append(&opened, "a", next, "and on").await.unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_a_newer_version_is_refused_by_name_and_stays_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    SqliteStore::open(options(&directory)).await.unwrap().close().await;
    let url = format!("sqlite://{}", file(&directory).display());
    let mut other = <sqlx::SqliteConnection as sqlx::Connection>::connect(&url).await.unwrap();
    let later = "INSERT INTO _sqlx_migrations VALUES (9000, 'later', 0, 1, x'00', 0)";
    sqlx::query(later).execute(&mut other).await.unwrap();
    sqlx::Connection::close(other).await.unwrap();
    let before = std::fs::read(file(&directory)).unwrap();
    let error = SqliteStore::open(options(&directory)).await.err().unwrap();
    let said = "the file was written by a newer version (form 9000); update scene-llm";
    assert_eq!(error, StoreError::Failed(said.into()));
    assert_eq!(std::fs::read(file(&directory)).unwrap(), before);
}

/// The statements that made the file in each of its forms.
const FORMS: [&str; 3] = [
    include_str!("../migrations/sqlite/0001_sessions.sql"),
    include_str!("../migrations/sqlite/0002_fewer_pages.sql"),
    include_str!("../migrations/sqlite/0003_asset.sql"),
];

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_each_older_form_is_brought_up_to_date_with_all_that_is_in_it() {
    for form in 1..FORMS.len() {
        let directory = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}?mode=rwc", file(&directory).display());
        let mut old = <sqlx::SqliteConnection as sqlx::Connection>::connect(&url).await.unwrap();
        let forms = FORMS[..form].iter().zip(1..).map(|(statements, number)| {
            let (kind, text) = (MigrationType::Simple, SqlStr::from_static(statements));
            Migration::new(number, "old".into(), kind, text, false)
        });
        Migrator::with_migrations(forms.collect()).run(&mut old).await.unwrap();
        // As the programs of that time wrote it: the first record of the first session, and what was said in it.
        let written = "INSERT INTO session VALUES (1, 'a', 'e', 'old one', 1, 2, 1, 1, 1);
            INSERT INTO record VALUES ((1 << 40) | 1, 0, 1, 'x');
            INSERT INTO passage (rowid, text) VALUES ((1 << 40) | 1, 'a red ball');
            INSERT INTO capability VALUES ('t', 1, 'view', 1);
            INSERT INTO asset_use VALUES (1, 'hash');";
        sqlx::raw_sql(written).execute(&mut old).await.unwrap();
        sqlx::Connection::close(old).await.unwrap();
        let store = SqliteStore::open(options(&directory)).await.unwrap();
        let session = store.session("a").await.unwrap().unwrap();
        assert_eq!((&*session.name, session.head, session.seq), ("old one", 1, 1), "form {form}");
        append(&store, "a", 1, "y").await.unwrap();
        let page = store.events("a", 0, 10, 1_000).await.unwrap();
        assert_eq!(page.events.len(), 2, "form {form}");
        assert_eq!(store.search("ball", 5).await.unwrap().len(), 1, "form {form}");
        assert_eq!(store.capability("t").await.unwrap().unwrap().session, "a", "form {form}");
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_of_a_store_in_use_is_whole() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(options(&directory)).await.unwrap();
    make(&store, "a").await;
    for after in 0..5 {
        append(&store, "a", after, &"x".repeat(3_000)).await.unwrap();
    }
    let copy = tempfile::tempdir().unwrap();
    copy_store(&file(&directory), &file(&copy)).await.unwrap();
    append(&store, "a", 5, "after the copy").await.unwrap();
    check_store(&file(&copy)).await.unwrap();
    let opened = SqliteStore::open(options(&copy)).await.unwrap();
    assert_eq!(count(&opened, "a").await, 5);
    assert_eq!(count(&store, "a").await, 6);
    assert!(copy_store(&file(&directory), &file(&copy)).await.is_err(), "it is there already");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_something_else_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(
        file(&directory),
        "not a database, but long enough to be read as one".repeat(99),
    )
    .unwrap();
    let error = SqliteStore::open(options(&directory)).await.err().unwrap();
    assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_page_is_told_and_other_sessions_go_on() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(options(&directory)).await.unwrap();
    make(&store, "good").await;
    append(&store, "good", 0, "x").await.unwrap();
    make(&store, "bad").await;
    for after in 0..200 {
        append(&store, "bad", after, &"y".repeat(2_000)).await.unwrap();
    }
    store.close().await;
    let bytes = std::fs::read(file(&directory)).unwrap();
    // A page in the middle of the long session.
    let at = bytes
        .windows(3_000)
        .rposition(|window| window.iter().filter(|b| **b == b'y').count() > 2_900)
        .unwrap_or(bytes.len() / 2);
    let page = at / 4096 * 4096;
    let mut disk = OpenOptions::new().write(true).open(file(&directory)).unwrap();
    std::io::Seek::seek(&mut disk, std::io::SeekFrom::Start(page as u64)).unwrap();
    std::io::Write::write_all(&mut disk, &[0xff; 4096]).unwrap();
    let again = SqliteStore::open(options(&directory)).await.unwrap();
    assert!(matches!(again.load("bad").await, Err(StoreError::Corrupt(_))));
    assert_eq!(count(&again, "good").await, 1);
    append(&again, "good", 1, "on").await.unwrap();
}

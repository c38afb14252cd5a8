//! The rules every store keeps, each run over every implementation.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod assets;
mod log;
mod owners;
mod sessions;

use std::sync::Arc;

use store::{
    Access, Append, Asset, Capability, DatabaseUrl, Listing, MemoryStore, NewSession, Newest,
    PostgresStore, Record, RecordKind, Snapshot, SqliteOptions, SqliteStore, Store, StoreError,
};
use test_postgres::TestPostgres;

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

async fn open(directory: &tempfile::TempDir) -> SqliteStore {
    let file = directory.path().join("sessions.sqlite");
    SqliteStore::open(SqliteOptions { file, max_bytes: None }).await.unwrap()
}

macro_rules! rules {
    ($($part:ident::$rule:ident),+ $(,)?) => {
        mod memory {
            use super::*;
            $(#[tokio::test]
            async fn $rule() {
                super::$part::$rule(Arc::new(MemoryStore::default())).await;
            })+
        }
        mod sqlite {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $rule() {
                let directory = tempfile::tempdir().unwrap();
                let store: Arc<dyn Store> = Arc::new(open(&directory).await);
                super::$part::$rule(Arc::clone(&store)).await;
                store.close().await;
            })+
        }
        mod postgres {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $rule() {
                let url = DatabaseUrl::new(TestPostgres::shared().database());
                let store: Arc<dyn Store> = Arc::new(PostgresStore::open(&url, "here").await.unwrap());
                super::$part::$rule(Arc::clone(&store)).await;
                store.close().await;
            })+
        }
    };
}

rules!(
    log::rule_1_made_once,
    log::rule_2_in_order,
    log::rule_3_conditional,
    log::rule_4_one_wins,
    log::rule_5_apart,
    log::rule_6_snapshot,
    log::rule_7_events,
    sessions::rule_8_deleted,
    sessions::rule_9_listed,
    log::rule_10_named,
    sessions::rule_11_duplicated,
    sessions::rule_12_capabilities,
    assets::rule_13_assets,
    sessions::rule_14_swept,
    log::rule_15_large,
    log::rule_16_epoch,
    assets::rule_17_known,
    assets::rule_18_no_unknown_assets,
    assets::rule_19_forgotten,
    log::rule_20_any_text,
    owners::rule_21_one_owner,
    owners::rule_22_without_owner,
    owners::rule_23_terms_in_order,
);

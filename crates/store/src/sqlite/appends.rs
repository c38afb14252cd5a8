//! Batched appends. Queued appends are written by a few statements, since each statement costs a round
//! trip to the thread of the connection, which together would cost more than the shared sync to disk.

use std::collections::HashMap;

use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::Session;
use crate::error::StoreError;
use crate::numbers::signed;
use crate::record::{Append, Record};
use crate::writer::follow;

use super::numbers::record_id;
use super::{assets, read};

/// Rows of one statement: SQLite takes 32,766 values, and no row here has more than seven.
const ROWS_PER_STATEMENT: usize = 4_000;

/// The state of a session after the appends so far.
struct Writing {
    key: i64,
    session: Session,
    is_changed: bool,
}

/// Writes all appends that follow the newest position of their session and refer to known assets. The
/// others are rejected and change nothing; the outer error is a failure of the store.
pub(super) async fn append_all(
    connection: &mut SqliteConnection,
    appends: &[&Append],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let ids = appends.iter().map(|append| append.session.as_str());
    let found = read::sessions(connection, ids).await?;
    let mut sessions: HashMap<String, Writing> = found
        .into_iter()
        .map(|(key, session)| (session.id.clone(), Writing { key, session, is_changed: false }))
        .collect();
    let named = appends.iter().flat_map(|append| &append.assets).map(String::as_str);
    let known = assets::known(connection, named).await?;
    let mut records = Vec::new();
    let mut uses = Vec::new();
    let answers = appends
        .iter()
        .map(|append| {
            let writing = sessions
                .get_mut(&append.session)
                .ok_or_else(|| StoreError::UnknownSession(append.session.clone()))?;
            if let Some(unknown) = append.assets.iter().find(|asset| !known.contains(*asset)) {
                return Err(StoreError::UnknownAsset(unknown.clone()));
            }
            follow(&mut writing.session, append)?;
            writing.is_changed = true;
            let positions = append.after + 1..;
            records.extend(
                positions
                    .zip(&append.records)
                    .map(|(position, record)| (record_id(writing.key, position), record)),
            );
            uses.extend(append.assets.iter().map(|asset| (writing.key, asset.as_str())));
            Ok(())
        })
        .collect();
    insert_records(connection, &records).await?;
    insert_passages(connection, &records).await?;
    insert_uses(connection, &uses).await?;
    let changed: Vec<_> = sessions.values().filter(|writing| writing.is_changed).collect();
    update_sessions(connection, &changed).await?;
    Ok(answers)
}

async fn insert_records(
    connection: &mut SqliteConnection,
    records: &[(i64, &Record)],
) -> Result<(), StoreError> {
    for chunk in records.chunks(ROWS_PER_STATEMENT) {
        let mut statement = QueryBuilder::new("INSERT INTO record (id, kind, seq, body) ");
        statement.push_values(chunk, |mut row, (id, record)| {
            row.push_bind(*id)
                .push_bind(record.kind.number())
                .push_bind(record.seq.map(signed))
                .push_bind(record.body.as_str());
        });
        execute(connection, statement, chunk.len()).await?;
    }
    Ok(())
}

async fn insert_passages(
    connection: &mut SqliteConnection,
    records: &[(i64, &Record)],
) -> Result<(), StoreError> {
    let passages: Vec<(i64, &str)> =
        records.iter().filter_map(|(id, record)| Some((*id, record.passage.as_deref()?))).collect();
    for chunk in passages.chunks(ROWS_PER_STATEMENT) {
        let mut statement = QueryBuilder::new("INSERT INTO passage (rowid, text) ");
        statement.push_values(chunk, |mut row, (id, text)| {
            row.push_bind(*id).push_bind(*text);
        });
        execute(connection, statement, chunk.len()).await?;
    }
    Ok(())
}

/// Records which sessions, by key, refer to which assets.
pub(super) async fn insert_uses(
    connection: &mut SqliteConnection,
    uses: &[(i64, &str)],
) -> Result<(), StoreError> {
    for chunk in uses.chunks(ROWS_PER_STATEMENT) {
        let mut statement = QueryBuilder::new("INSERT OR IGNORE INTO asset_use (session, asset) ");
        statement.push_values(chunk, |mut row, (key, asset)| {
            row.push_bind(*key).push_bind(*asset);
        });
        execute(connection, statement, chunk.len()).await?;
    }
    Ok(())
}

async fn update_sessions(
    connection: &mut SqliteConnection,
    changed: &[&Writing],
) -> Result<(), StoreError> {
    for chunk in changed.chunks(ROWS_PER_STATEMENT) {
        let mut statement =
            QueryBuilder::new("WITH new (key, epoch, name, updated_ms, head, seq, messages) AS (");
        statement.push_values(chunk, |mut row, Writing { key, session, .. }| {
            row.push_bind(*key)
                .push_bind(session.epoch.as_str())
                .push_bind(session.name.as_str())
                .push_bind(signed(session.updated_ms))
                .push_bind(signed(session.head))
                .push_bind(signed(session.seq))
                .push_bind(signed(session.messages));
        });
        statement.push(
            ") UPDATE session SET epoch = new.epoch, name = new.name, updated_ms = new.updated_ms, \
             head = new.head, seq = new.seq, messages = new.messages \
             FROM new WHERE session.key = new.key",
        );
        execute(connection, statement, chunk.len()).await?;
    }
    Ok(())
}

async fn execute(
    connection: &mut SqliteConnection,
    mut statement: QueryBuilder<Sqlite>,
    rows: usize,
) -> Result<(), StoreError> {
    // Only small batches repeat the same statement; others would only fill the statement cache.
    statement.build().persistent(rows <= 8).execute(connection).await?;
    Ok(())
}

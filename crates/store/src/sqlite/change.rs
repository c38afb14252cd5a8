//! One change inside the writer's transaction. A refusal is found out before anything is written.

use sqlx::{QueryBuilder, Sqlite, SqliteConnection};

use crate::error::StoreError;
use crate::record::{Append, Capability, NewSession, Record, Snapshot};

use super::{read, record_id, record_ids, signed};

/// SQLite takes 32,766 values in a statement; four to a record.
const RECORDS_PER_STATEMENT: usize = 4_000;

/// What the writer can be asked to do.
pub(super) enum Change {
    Create(NewSession),
    Append(Append),
    Snapshot {
        id: String,
        snapshot: Snapshot,
    },
    Delete {
        id: String,
    },
    DeleteUnused {
        id: String,
    },
    Duplicate {
        id: String,
        copy: NewSession,
    },
    Grant(Capability),
    Revoke {
        id: String,
        token: String,
    },
    /// Ends the writer.
    Close,
}

/// Makes the change; for those that may find nothing to do, whether they did something.
pub(super) async fn apply(
    connection: &mut SqliteConnection,
    change: &Change,
) -> Result<bool, StoreError> {
    match change {
        Change::Create(session) => create(connection, session).await.map(|_| true),
        Change::Append(append) => self::append(connection, append).await.map(|()| true),
        Change::Snapshot { id, snapshot } => {
            let (key, _) = known(connection, id).await?;
            sqlx::query(
                "INSERT OR REPLACE INTO snapshot (session, position, body) VALUES (?, ?, ?)",
            )
            .bind(key)
            .bind(signed(snapshot.position))
            .bind(&snapshot.body)
            .execute(connection)
            .await?;
            Ok(true)
        }
        Change::Delete { id } => match read::session(connection, id).await? {
            Some((key, _)) => delete(connection, key).await.map(|()| true),
            None => Ok(false),
        },
        Change::DeleteUnused { id } => match read::session(connection, id).await? {
            Some((key, session)) if session.seq == 0 => {
                delete(connection, key).await.map(|()| true)
            }
            _ => Ok(false),
        },
        Change::Duplicate { id, copy } => duplicate(connection, id, copy).await.map(|()| true),
        Change::Grant(capability) => grant(connection, capability).await.map(|()| true),
        Change::Revoke { id, token } => {
            let (key, _) = known(connection, id).await?;
            let done = sqlx::query("DELETE FROM capability WHERE token = ? AND session = ?")
                .bind(token)
                .bind(key)
                .execute(connection)
                .await?;
            Ok(done.rows_affected() > 0)
        }
        Change::Close => Ok(false),
    }
}

async fn known(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<(i64, crate::Session), StoreError> {
    let found = read::session(connection, id).await?;
    found.ok_or_else(|| StoreError::UnknownSession(id.to_owned()))
}

/// Makes an empty session; its key.
async fn create(
    connection: &mut SqliteConnection,
    session: &NewSession,
) -> Result<i64, StoreError> {
    if read::session(connection, &session.id).await?.is_some() {
        return Err(StoreError::Exists(session.id.clone()));
    }
    let done = sqlx::query(
        "INSERT INTO session (id, epoch, name, created_ms, updated_ms, head, seq, messages)
         VALUES (?, ?, ?, ?, ?, 0, 0, 0)",
    )
    .bind(&session.id)
    .bind(&session.epoch)
    .bind(&session.name)
    .bind(signed(session.now_ms))
    .bind(signed(session.now_ms))
    .execute(connection)
    .await?;
    Ok(done.last_insert_rowid())
}

async fn append(connection: &mut SqliteConnection, append: &Append) -> Result<(), StoreError> {
    let (key, session) = known(connection, &append.session).await?;
    if session.head != append.after {
        return Err(StoreError::Conflict { expected: append.after, found: session.head });
    }
    insert_records(connection, key, append.after, &append.records).await?;
    let last_seq = append.records.iter().rev().find_map(|record| record.seq);
    sqlx::query(
        "UPDATE session SET epoch = ?, name = ?, updated_ms = ?, head = ?, seq = ?, messages = ?
         WHERE key = ?",
    )
    .bind(append.epoch.as_ref().unwrap_or(&session.epoch))
    .bind(append.name.as_ref().unwrap_or(&session.name))
    .bind(signed(append.now_ms))
    .bind(signed(append.after + append.records.len() as u64))
    .bind(signed(last_seq.unwrap_or(session.seq)))
    .bind(signed(session.messages + append.messages))
    .bind(key)
    .execute(&mut *connection)
    .await?;
    for asset in &append.assets {
        sqlx::query("INSERT OR IGNORE INTO asset_use (session, asset) VALUES (?, ?)")
            .bind(key)
            .bind(asset)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn insert_records(
    connection: &mut SqliteConnection,
    key: i64,
    after: u64,
    records: &[Record],
) -> Result<(), StoreError> {
    let numbered: Vec<(i64, &Record)> = records
        .iter()
        .zip(after + 1..)
        .map(|(record, position)| (record_id(key, position), record))
        .collect();
    for chunk in numbered.chunks(RECORDS_PER_STATEMENT) {
        let mut statement: QueryBuilder<Sqlite> =
            QueryBuilder::new("INSERT INTO record (id, kind, seq, body) ");
        statement.push_values(chunk, |mut row, (id, record)| {
            row.push_bind(*id)
                .push_bind(record.kind.number())
                .push_bind(record.seq.map(signed))
                .push_bind(record.body.as_str());
        });
        // A few shapes of statement recur (small batches); the rest would only fill the cache.
        statement.build().persistent(chunk.len() <= 8).execute(&mut *connection).await?;
    }
    for (id, record) in &numbered {
        if let Some(passage) = &record.passage {
            sqlx::query("INSERT INTO passage (rowid, text) VALUES (?, ?)")
                .bind(*id)
                .bind(passage)
                .execute(&mut *connection)
                .await?;
        }
    }
    Ok(())
}

/// Capabilities, snapshot and uses of assets go by foreign key.
async fn delete(connection: &mut SqliteConnection, key: i64) -> Result<(), StoreError> {
    let (first, last) = record_ids(key);
    for statement in [
        "DELETE FROM passage WHERE rowid BETWEEN ? AND ?",
        "DELETE FROM record WHERE id BETWEEN ? AND ?",
    ] {
        sqlx::query(statement).bind(first).bind(last).execute(&mut *connection).await?;
    }
    sqlx::query("DELETE FROM session WHERE key = ?").bind(key).execute(connection).await?;
    Ok(())
}

async fn duplicate(
    connection: &mut SqliteConnection,
    id: &str,
    copy: &NewSession,
) -> Result<(), StoreError> {
    let (from, original) = known(connection, id).await?;
    let to = create(connection, copy).await?;
    let (first, last) = record_ids(from);
    let shift = record_ids(to).0 - first;
    for statement in [
        "INSERT INTO record (id, kind, seq, body)
         SELECT id + ?1, kind, seq, body FROM record WHERE id BETWEEN ?2 AND ?3",
        "INSERT INTO passage (rowid, text)
         SELECT rowid + ?1, text FROM passage WHERE rowid BETWEEN ?2 AND ?3",
    ] {
        sqlx::query(statement).bind(shift).bind(first).bind(last).execute(&mut *connection).await?;
    }
    for statement in [
        "INSERT INTO snapshot (session, position, body)
         SELECT ?1, position, body FROM snapshot WHERE session = ?2",
        "INSERT INTO asset_use (session, asset)
         SELECT ?1, asset FROM asset_use WHERE session = ?2",
    ] {
        sqlx::query(statement).bind(to).bind(from).execute(&mut *connection).await?;
    }
    sqlx::query("UPDATE session SET head = ?, seq = ?, messages = ? WHERE key = ?")
        .bind(signed(original.head))
        .bind(signed(original.seq))
        .bind(signed(original.messages))
        .bind(to)
        .execute(connection)
        .await?;
    Ok(())
}

async fn grant(
    connection: &mut SqliteConnection,
    capability: &Capability,
) -> Result<(), StoreError> {
    let (key, _) = known(connection, &capability.session).await?;
    if read::capability(connection, &capability.token).await?.is_some() {
        return Err(StoreError::Exists("the token".into()));
    }
    sqlx::query("INSERT INTO capability (token, session, access, created_ms) VALUES (?, ?, ?, ?)")
        .bind(&capability.token)
        .bind(key)
        .bind(capability.access.name())
        .bind(signed(capability.created_ms))
        .execute(connection)
        .await?;
    Ok(())
}

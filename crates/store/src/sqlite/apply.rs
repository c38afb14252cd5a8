//! One operation inside the writer's transaction. It is validated before anything is written.

use sqlx::SqliteConnection;

use crate::error::StoreError;
use crate::numbers::signed;
use crate::record::{Capability, NewSession};
use crate::write_op::WriteOp;

use super::appends::insert_uses;
use super::numbers::record_ids;
use super::{assets, read};

/// Runs the operation; returns whether it changed something.
pub(super) async fn apply(
    connection: &mut SqliteConnection,
    op: &WriteOp,
) -> Result<bool, StoreError> {
    match op {
        WriteOp::Create(session) => create(connection, session).await.map(|_| true),
        WriteOp::Snapshot { id, snapshot } => {
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
        WriteOp::Delete { id } => match read::session(connection, id).await? {
            Some((key, _)) => delete(connection, key).await.map(|()| true),
            None => Ok(false),
        },
        WriteOp::DeleteUnused { id } => match read::session(connection, id).await? {
            Some((key, session)) if session.seq == 0 => {
                delete(connection, key).await.map(|()| true)
            }
            _ => Ok(false),
        },
        WriteOp::Duplicate { id, copy } => duplicate(connection, id, copy).await.map(|()| true),
        WriteOp::Grant(capability) => grant(connection, capability).await.map(|()| true),
        WriteOp::Revoke { id, token } => {
            let (key, _) = known(connection, id).await?;
            let done = sqlx::query("DELETE FROM capability WHERE token = ? AND session = ?")
                .bind(token)
                .bind(key)
                .execute(connection)
                .await?;
            Ok(done.rows_affected() > 0)
        }
        WriteOp::AddAsset(asset) => assets::add(connection, asset).await,
        WriteOp::UseAsset { id, hash } => {
            let (key, _) = known(connection, id).await?;
            if assets::one(connection, hash).await?.is_none() {
                return Err(StoreError::UnknownAsset(hash.clone()));
            }
            insert_uses(connection, &[(key, hash)]).await.map(|()| true)
        }
        WriteOp::Wait => Ok(false),
        WriteOp::ForgetAsset { hash, before_ms } => {
            assets::forget(connection, hash, *before_ms).await
        }
    }
}

async fn known(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<(i64, crate::Session), StoreError> {
    let found = read::session(connection, id).await?;
    found.ok_or_else(|| StoreError::UnknownSession(id.to_owned()))
}

/// Creates an empty session and returns its key.
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

/// Foreign keys delete its capabilities, snapshot and asset references.
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

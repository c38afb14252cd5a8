//! One operation inside the writer's transaction. It is validated before anything is written.

use sqlx::postgres::PgConnection;

use crate::error::StoreError;
use crate::numbers::signed;
use crate::record::{Capability, NewSession, Session, Snapshot};
use crate::write_op::WriteOp;

use super::assets;
use super::read::{self, Lock};
use super::text::text;

/// Runs the operation; returns whether it changed something.
pub(super) async fn apply(connection: &mut PgConnection, op: &WriteOp) -> Result<bool, StoreError> {
    match op {
        WriteOp::Create(session) => create(connection, session).await.map(|_| true),
        WriteOp::Snapshot { id, snapshot } => {
            save_snapshot(connection, id, snapshot).await.map(|()| true)
        }
        WriteOp::Delete { id } => match read::session(connection, id, Lock::Unchanged).await? {
            Some((key, _)) => delete(connection, key).await.map(|()| true),
            None => Ok(false),
        },
        WriteOp::DeleteUnused { id } => {
            match read::session(connection, id, Lock::Unchanged).await? {
                Some((key, session)) if session.seq == 0 => {
                    delete(connection, key).await.map(|()| true)
                }
                _ => Ok(false),
            }
        }
        WriteOp::Duplicate { id, copy } => duplicate(connection, id, copy).await.map(|()| true),
        WriteOp::Grant(capability) => grant(connection, capability).await.map(|()| true),
        WriteOp::Revoke { id, token } => {
            let (key, _) = known(connection, id, Lock::Existing).await?;
            let done = sqlx::query("DELETE FROM capability WHERE token = $1 AND session = $2")
                .bind(text(token))
                .bind(key)
                .execute(connection)
                .await?;
            Ok(done.rows_affected() > 0)
        }
        WriteOp::AddAsset(asset) => assets::add(connection, asset).await,
        WriteOp::UseAsset { id, hash } => {
            let (key, _) = known(connection, id, Lock::Existing).await?;
            if assets::known(connection, vec![hash]).await?.is_empty() {
                return Err(StoreError::UnknownAsset(hash.clone()));
            }
            assets::insert_uses(connection, &[(key, hash)]).await.map(|()| true)
        }
        WriteOp::Wait => Ok(false),
        WriteOp::ForgetAsset { hash, before_ms } => {
            assets::forget(connection, hash, *before_ms).await
        }
    }
}

async fn known(
    connection: &mut PgConnection,
    id: &str,
    lock: Lock,
) -> Result<(i64, Session), StoreError> {
    let found = read::session(connection, id, lock).await?;
    found.ok_or_else(|| StoreError::UnknownSession(id.to_owned()))
}

/// Creates an empty session and returns its key.
async fn create(connection: &mut PgConnection, session: &NewSession) -> Result<i64, StoreError> {
    let made = sqlx::query_scalar(
        "INSERT INTO session (id, epoch, name, created_ms, updated_ms, head, seq, messages)
         VALUES ($1, $2, $3, $4, $4, 0, 0, 0) ON CONFLICT (id) DO NOTHING RETURNING key",
    )
    .bind(text(&session.id))
    .bind(text(&session.epoch))
    .bind(text(&session.name))
    .bind(signed(session.now_ms))
    .fetch_optional(connection)
    .await?;
    made.ok_or_else(|| StoreError::Exists(session.id.clone()))
}

async fn save_snapshot(
    connection: &mut PgConnection,
    id: &str,
    snapshot: &Snapshot,
) -> Result<(), StoreError> {
    let (key, _) = known(connection, id, Lock::Existing).await?;
    sqlx::query(
        "INSERT INTO snapshot (session, position, body) VALUES ($1, $2, $3)
         ON CONFLICT (session) DO UPDATE SET position = excluded.position, body = excluded.body",
    )
    .bind(key)
    .bind(signed(snapshot.position))
    .bind(snapshot.body.as_bytes())
    .execute(connection)
    .await?;
    Ok(())
}

/// Foreign keys delete its capabilities, snapshot and asset references.
async fn delete(connection: &mut PgConnection, key: i64) -> Result<(), StoreError> {
    for statement in [
        "DELETE FROM passage WHERE session = $1",
        "DELETE FROM record WHERE session = $1",
        "DELETE FROM session WHERE key = $1",
    ] {
        sqlx::query(statement).bind(key).execute(&mut *connection).await?;
    }
    Ok(())
}

async fn duplicate(
    connection: &mut PgConnection,
    id: &str,
    copy: &NewSession,
) -> Result<(), StoreError> {
    let (from, original) = known(connection, id, Lock::Unchanged).await?;
    let to = create(connection, copy).await?;
    for statement in [
        "INSERT INTO record (session, position, kind, seq, body)
         SELECT $1, position, kind, seq, body FROM record WHERE session = $2",
        "INSERT INTO passage (session, position, text, words)
         SELECT $1, position, text, words FROM passage WHERE session = $2",
        "INSERT INTO snapshot (session, position, body)
         SELECT $1, position, body FROM snapshot WHERE session = $2",
        "INSERT INTO asset_use (session, asset)
         SELECT $1, asset FROM asset_use WHERE session = $2",
    ] {
        sqlx::query(statement).bind(to).bind(from).execute(&mut *connection).await?;
    }
    sqlx::query("UPDATE session SET head = $1, seq = $2, messages = $3 WHERE key = $4")
        .bind(signed(original.head))
        .bind(signed(original.seq))
        .bind(signed(original.messages))
        .bind(to)
        .execute(connection)
        .await?;
    Ok(())
}

async fn grant(connection: &mut PgConnection, capability: &Capability) -> Result<(), StoreError> {
    let (key, _) = known(connection, &capability.session, Lock::Existing).await?;
    let done = sqlx::query(
        "INSERT INTO capability (token, session, access, created_ms) VALUES ($1, $2, $3, $4)
         ON CONFLICT (token) DO NOTHING",
    )
    .bind(text(&capability.token))
    .bind(key)
    .bind(capability.access.name())
    .bind(signed(capability.created_ms))
    .execute(connection)
    .await?;
    match done.rows_affected() {
        0 => Err(StoreError::Exists("the token".into())),
        _ => Ok(()),
    }
}

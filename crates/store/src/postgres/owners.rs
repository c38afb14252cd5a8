//! Who owns which session.

use std::collections::HashMap;

use sqlx::Row;
use sqlx::postgres::PgConnection;

use crate::error::StoreError;
use crate::numbers::signed;
use crate::tenure::NodeState;

use super::read::unsigned;
use super::text::text;

/// Makes the server of this life the owner, if there is none, or none that lives; returns the term. `None` if this life
/// is over, which this server is just finding out, or the owner has just let go: it can be tried again.
pub(super) async fn take(
    connection: &mut PgConnection,
    id: &str,
    life: &str,
) -> Result<Option<u64>, StoreError> {
    let row = sqlx::query(
        "UPDATE session SET owner = $2, term = term + 1
         WHERE id = $1 AND (owner IS NULL OR owner = $2 OR NOT node_is_alive(owner))
         AND EXISTS (SELECT 1 FROM node WHERE node.id = $2 AND lease_until > clock_timestamp())
         RETURNING term",
    )
    .bind(text(id))
    .bind(life)
    .fetch_optional(&mut *connection)
    .await?;
    if let Some(row) = row {
        return Ok(Some(unsigned(&row, "term")?));
    }
    let row = sqlx::query(
        "SELECT owner, address FROM session LEFT JOIN node ON node.id = owner WHERE session.id = $1",
    )
    .bind(text(id))
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Err(StoreError::UnknownSession(id.to_owned())) };
    let owner: Option<String> = row.try_get("owner")?;
    match (owner, row.try_get::<Option<String>, _>("address")?) {
        (Some(node), Some(address)) if node != life => Err(StoreError::Elsewhere { node, address }),
        _ => Ok(None),
    }
}

/// Whether a life of a server goes on.
pub(super) async fn state_of(
    connection: &mut PgConnection,
    node: &str,
) -> Result<NodeState, StoreError> {
    let asked = sqlx::query_as(
        "SELECT lease_until > clock_timestamp(), node_is_alive(id) FROM node WHERE id = $1",
    );
    Ok(match asked.bind(node).fetch_optional(connection).await? {
        Some((true, true)) => NodeState::Alive,
        Some((true, false)) => NodeState::Unlocked,
        Some((false, _)) | None => NodeState::Over,
    })
}

/// Where a server listens whose life goes on.
pub(super) async fn address_of(
    connection: &mut PgConnection,
    node: &str,
) -> Result<Option<String>, StoreError> {
    let address =
        sqlx::query_scalar("SELECT address FROM node WHERE id = $1 AND node_is_alive(id)");
    Ok(address.bind(text(node)).fetch_optional(connection).await?)
}

/// Sessions whose owner has died, at most `limit`.
pub(super) async fn orphans(
    connection: &mut PgConnection,
    limit: u32,
) -> Result<Vec<String>, StoreError> {
    // There are few owners, and each is asked about once.
    let ids = sqlx::query_scalar(
        "WITH dead AS MATERIALIZED (
             SELECT owner FROM (SELECT DISTINCT owner FROM session WHERE owner IS NOT NULL) AS owners
             WHERE NOT node_is_alive(owner)
         )
         SELECT id FROM session JOIN dead USING (owner) ORDER BY key LIMIT $1",
    )
    .bind(i64::from(limit));
    Ok(ids.fetch_all(connection).await?)
}

/// Whether this is the term of the session's owner.
pub(super) async fn holds(
    connection: &mut PgConnection,
    id: &str,
    term: u64,
) -> Result<bool, StoreError> {
    let held = sqlx::query_scalar("SELECT term = $2 FROM session WHERE id = $1");
    let held = held.bind(text(id)).bind(signed(term)).fetch_optional(connection).await?;
    Ok(held.unwrap_or(false))
}

/// The sessions that the server of this life owns, with their terms.
pub(super) async fn owned(
    connection: &mut PgConnection,
    life: &str,
) -> Result<HashMap<String, u64>, StoreError> {
    let rows = sqlx::query("SELECT id, term FROM session WHERE owner = $1").bind(life);
    let rows = rows.fetch_all(connection).await?;
    rows.iter().map(|row| Ok((row.try_get("id")?, unsigned(row, "term")?))).collect()
}

/// Leaves the session without an owner, if this is still its term.
pub(super) async fn release(
    connection: &mut PgConnection,
    id: &str,
    term: u64,
) -> Result<(), StoreError> {
    sqlx::query("UPDATE session SET owner = NULL WHERE id = $1 AND term = $2")
        .bind(text(id))
        .bind(signed(term))
        .execute(connection)
        .await?;
    Ok(())
}

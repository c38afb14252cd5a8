//! Who owns which session.

use sqlx::Row;
use sqlx::postgres::PgConnection;

use crate::error::StoreError;
use crate::numbers::signed;

use super::read::unsigned;
use super::text::text;

/// Makes the server of this life the owner, if there is none, or none that lives; returns the term.
pub(super) async fn take(
    connection: &mut PgConnection,
    id: &str,
    life: &str,
) -> Result<u64, StoreError> {
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
        return Ok(unsigned(&row, "term")?);
    }
    let row = sqlx::query(
        "SELECT owner, address FROM session LEFT JOIN node ON node.id = owner WHERE session.id = $1",
    )
    .bind(text(id))
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Err(StoreError::UnknownSession(id.to_owned())) };
    let owner: Option<String> = row.try_get("owner")?;
    match row.try_get::<Option<String>, _>("address")? {
        Some(address) if owner.as_deref().is_some_and(|owner| owner != life) => {
            Err(StoreError::Elsewhere(address))
        }
        _ => Err(StoreError::Unreachable("the lease of this server is just over".into())),
    }
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

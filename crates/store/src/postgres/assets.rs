//! What is known of uploaded files, and which sessions refer to them.

use std::collections::HashSet;

use futures_util::TryStreamExt;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use crate::error::StoreError;
use crate::numbers::signed;
use crate::record::Asset;

use super::read::unsigned;
use super::text::text;

fn asset_of(row: &PgRow) -> Result<Asset, StoreError> {
    Ok(Asset {
        hash: row.try_get("hash")?,
        name: row.try_get("name")?,
        media_type: row.try_get("media_type")?,
        bytes: unsigned(row, "bytes")?,
        facts: row.try_get("facts")?,
        uploaded_ms: unsigned(row, "uploaded_ms")?,
    })
}

pub(super) async fn one(
    connection: &mut PgConnection,
    hash: &str,
) -> Result<Option<Asset>, StoreError> {
    let query = sqlx::query("SELECT * FROM asset WHERE hash = $1").bind(text(hash));
    query.fetch_optional(connection).await?.as_ref().map(asset_of).transpose()
}

pub(super) async fn all(
    connection: &mut PgConnection,
    id: Option<&str>,
) -> Result<Vec<Asset>, StoreError> {
    let query = match id {
        None => sqlx::query("SELECT * FROM asset ORDER BY hash"),
        Some(id) => sqlx::query(
            "SELECT asset.* FROM asset JOIN asset_use ON asset_use.asset = hash
             JOIN session ON session.key = asset_use.session WHERE session.id = $1 ORDER BY hash",
        )
        .bind(text(id)),
    };
    query.fetch_all(connection).await?.iter().map(asset_of).collect()
}

pub(super) async fn unused(
    connection: &mut PgConnection,
    before_ms: u64,
) -> Result<Vec<String>, StoreError> {
    let rows = sqlx::query_scalar(
        "SELECT hash FROM asset WHERE uploaded_ms < $1
         AND NOT EXISTS (SELECT 1 FROM asset_use WHERE asset = hash) ORDER BY hash",
    )
    .bind(signed(before_ms))
    .fetch(connection);
    Ok(rows.try_collect().await?)
}

/// Whether it was not known.
pub(super) async fn add(connection: &mut PgConnection, asset: &Asset) -> Result<bool, StoreError> {
    let done = sqlx::query(
        "INSERT INTO asset (hash, name, media_type, bytes, facts, uploaded_ms)
         VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (hash) DO NOTHING",
    )
    .bind(text(&asset.hash))
    .bind(text(&asset.name))
    .bind(text(&asset.media_type))
    .bind(signed(asset.bytes))
    .bind(text(&asset.facts))
    .bind(signed(asset.uploaded_ms))
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() > 0 {
        return Ok(true);
    }
    sqlx::query("UPDATE asset SET uploaded_ms = greatest(uploaded_ms, $1) WHERE hash = $2")
        .bind(signed(asset.uploaded_ms))
        .bind(text(&asset.hash))
        .execute(connection)
        .await?;
    Ok(false)
}

/// Whether it was known and nobody needs it.
pub(super) async fn forget(
    connection: &mut PgConnection,
    hash: &str,
    before_ms: u64,
) -> Result<bool, StoreError> {
    // Waits for those who are beginning to use it; the next statement sees what they did.
    sqlx::query("SELECT 1 FROM asset WHERE hash = $1 FOR UPDATE")
        .bind(text(hash))
        .execute(&mut *connection)
        .await?;
    let done = sqlx::query(
        "DELETE FROM asset WHERE hash = $1 AND uploaded_ms < $2
         AND NOT EXISTS (SELECT 1 FROM asset_use WHERE asset = hash)",
    )
    .bind(text(hash))
    .bind(signed(before_ms))
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Those of the hashes that are known. They stay so until the transaction ends.
pub(super) async fn known(
    connection: &mut PgConnection,
    hashes: Vec<&str>,
) -> Result<HashSet<String>, StoreError> {
    if hashes.is_empty() {
        return Ok(HashSet::new());
    }
    let hashes: Vec<_> = hashes.into_iter().map(text).collect();
    let found = sqlx::query_scalar(
        "SELECT hash FROM asset WHERE hash = ANY($1) ORDER BY hash FOR KEY SHARE",
    )
    .bind(hashes)
    .fetch(connection);
    Ok(found.try_collect().await?)
}

/// Records that sessions, by key, refer to assets.
pub(super) async fn insert_uses(
    connection: &mut PgConnection,
    uses: &[(i64, &str)],
) -> Result<(), StoreError> {
    if uses.is_empty() {
        return Ok(());
    }
    let (keys, hashes): (Vec<i64>, Vec<&str>) = uses.iter().copied().unzip();
    sqlx::query(
        "INSERT INTO asset_use (session, asset) SELECT * FROM UNNEST($1::bigint[], $2::text[])
         ON CONFLICT DO NOTHING",
    )
    .bind(keys)
    .bind(hashes)
    .execute(connection)
    .await?;
    Ok(())
}

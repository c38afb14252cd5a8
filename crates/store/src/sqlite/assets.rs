//! What is known of uploaded files, and which sessions refer to them.

use std::collections::HashSet;

use sqlx::sqlite::SqliteRow;
use sqlx::{Row, SqliteConnection};

use crate::error::StoreError;
use crate::numbers::signed;
use crate::record::Asset;

use super::read;

const ASSET: &str = "SELECT hash, name, media_type, bytes, facts, uploaded_ms FROM asset";

/// No session refers to it, and it was not uploaded since.
const IS_UNUSED: &str =
    "uploaded_ms < ? AND NOT EXISTS (SELECT 1 FROM asset_use WHERE asset = hash)";

fn asset_of(row: &SqliteRow) -> Result<Asset, StoreError> {
    Ok(Asset {
        hash: row.try_get("hash")?,
        name: row.try_get("name")?,
        media_type: row.try_get("media_type")?,
        bytes: read::unsigned(row, "bytes")?,
        facts: row.try_get("facts")?,
        uploaded_ms: read::unsigned(row, "uploaded_ms")?,
    })
}

pub(super) async fn one(
    connection: &mut SqliteConnection,
    hash: &str,
) -> Result<Option<Asset>, StoreError> {
    let query = format!("{ASSET} WHERE hash = ?");
    let row = sqlx::query(sqlx::AssertSqlSafe(query)).bind(hash).fetch_optional(connection).await?;
    row.as_ref().map(asset_of).transpose()
}

pub(super) async fn all(
    connection: &mut SqliteConnection,
    id: Option<&str>,
) -> Result<Vec<Asset>, StoreError> {
    let of_session = "WHERE hash IN (SELECT asset FROM asset_use JOIN session
         ON session.key = asset_use.session WHERE session.id = ?)";
    let rule = id.map_or("", |_| of_session);
    let query = format!("{ASSET} {rule} ORDER BY hash");
    let mut query = sqlx::query(sqlx::AssertSqlSafe(query));
    if let Some(id) = id {
        query = query.bind(id);
    }
    query.fetch_all(connection).await?.iter().map(asset_of).collect()
}

pub(super) async fn unused(
    connection: &mut SqliteConnection,
    before_ms: u64,
) -> Result<Vec<String>, StoreError> {
    let query = format!("SELECT hash FROM asset WHERE {IS_UNUSED} ORDER BY hash");
    let rows =
        sqlx::query_as(sqlx::AssertSqlSafe(query)).bind(signed(before_ms)).fetch_all(connection);
    Ok(rows.await?.into_iter().map(|(hash,): (String,)| hash).collect())
}

/// Whether it was not known.
pub(super) async fn add(
    connection: &mut SqliteConnection,
    asset: &Asset,
) -> Result<bool, StoreError> {
    if one(connection, &asset.hash).await?.is_some() {
        sqlx::query("UPDATE asset SET uploaded_ms = max(uploaded_ms, ?) WHERE hash = ?")
            .bind(signed(asset.uploaded_ms))
            .bind(&asset.hash)
            .execute(connection)
            .await?;
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO asset (hash, name, media_type, bytes, facts, uploaded_ms)
         VALUES (?, ?, ?, ?, ?, ?)",
    )
    .bind(&asset.hash)
    .bind(&asset.name)
    .bind(&asset.media_type)
    .bind(signed(asset.bytes))
    .bind(&asset.facts)
    .bind(signed(asset.uploaded_ms))
    .execute(connection)
    .await?;
    Ok(true)
}

/// Whether it was known and nobody needs it.
pub(super) async fn forget(
    connection: &mut SqliteConnection,
    hash: &str,
    before_ms: u64,
) -> Result<bool, StoreError> {
    let query = format!("DELETE FROM asset WHERE hash = ? AND {IS_UNUSED}");
    let done = sqlx::query(sqlx::AssertSqlSafe(query))
        .bind(hash)
        .bind(signed(before_ms))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Those of the hashes that are known.
pub(super) async fn known(
    connection: &mut SqliteConnection,
    hashes: impl Iterator<Item = &str>,
) -> Result<HashSet<String>, StoreError> {
    let mut known = HashSet::new();
    // Appends that bring assets are rare, and bring few.
    for hash in hashes {
        if !known.contains(hash) && one(connection, hash).await?.is_some() {
            known.insert(hash.to_owned());
        }
    }
    Ok(known)
}

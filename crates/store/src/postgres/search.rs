//! Lists of sessions, and search in what was said.

use sqlx::Row;
use sqlx::postgres::PgConnection;

use crate::error::StoreError;
use crate::numbers::signed;
use crate::record::{Listed, Listing, Passage};

use super::read::{session_of, unsigned};
use super::text::{holds, query};

pub(super) async fn list(
    connection: &mut PgConnection,
    listing: &Listing,
) -> Result<Vec<Listed>, StoreError> {
    let (limit, offset) = (signed(listing.limit as u64), signed(listing.offset as u64));
    let rows = match listing.words.as_deref() {
        None => {
            sqlx::query(
                "SELECT *, NULL AS excerpt FROM session WHERE seq > 0
                 ORDER BY updated_ms DESC, key DESC LIMIT $1 OFFSET $2",
            )
            .bind(limit)
            .bind(offset)
            .fetch_all(connection)
            .await?
        }
        Some(words) => {
            let Some(full_text) = query(words) else { return Ok(Vec::new()) };
            sqlx::query(
                "SELECT session.*, (
                    SELECT scene_excerpt(text, wanted, 16)
                    FROM passage WHERE passage.session = key AND words @@ wanted
                    ORDER BY ts_rank(words, wanted) DESC, position LIMIT 1
                 ) AS excerpt
                 FROM session, to_tsquery('scene_words', $1) AS wanted
                 WHERE seq > 0 AND (name ILIKE $2 OR key IN (
                    SELECT passage.session FROM passage WHERE words @@ wanted))
                 ORDER BY updated_ms DESC, key DESC LIMIT $3 OFFSET $4",
            )
            .bind(full_text)
            .bind(holds(words))
            .bind(limit)
            .bind(offset)
            .fetch_all(connection)
            .await?
        }
    };
    rows.iter()
        .map(|row| Ok(Listed { session: session_of(row)?.1, excerpt: row.try_get("excerpt")? }))
        .collect()
}

pub(super) async fn search(
    connection: &mut PgConnection,
    words: &str,
    limit: usize,
) -> Result<Vec<Passage>, StoreError> {
    let Some(full_text) = query(words) else { return Ok(Vec::new()) };
    // Excerpts of the best ones only: making one reads the whole text.
    let rows = sqlx::query(
        "SELECT id, name, position, scene_excerpt(text, wanted, 48) AS excerpt
         FROM (
            SELECT session.id, session.name, position, text, wanted,
                   ts_rank(words, wanted) AS rank, passage.session AS key
            FROM passage JOIN session ON session.key = passage.session,
                 to_tsquery('scene_words', $1) AS wanted
            WHERE words @@ wanted AND session.seq > 0 ORDER BY rank DESC, key, position LIMIT $2
         ) AS best ORDER BY rank DESC, key, position",
    )
    .bind(full_text)
    .bind(signed(limit as u64))
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Passage {
                session: row.try_get("id")?,
                name: row.try_get("name")?,
                position: unsigned(row, "position")?,
                excerpt: row.try_get("excerpt")?,
            })
        })
        .collect()
}

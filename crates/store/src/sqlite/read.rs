//! Queries. Data that must be consistent is read in one transaction.

use futures_util::TryStreamExt;
use sqlx::sqlite::SqliteRow;
use sqlx::{Connection, QueryBuilder, Row, Sqlite, SqliteConnection};

use crate::error::StoreError;
use crate::numbers::signed;
use crate::record::{
    Access, Capability, EventPage, Listed, Listing, Passage, Record, RecordKind, Session, Snapshot,
    Stored,
};

use super::numbers::{position_of, record_id, record_ids};

const SESSIONS: &str =
    "SELECT key, id, epoch, name, created_ms, updated_ms, head, seq, messages FROM session";

pub(super) fn unsigned(row: &SqliteRow, column: &str) -> Result<u64, sqlx::Error> {
    Ok(u64::try_from(row.try_get::<i64, _>(column)?).unwrap_or(0))
}

fn session_of(row: &SqliteRow) -> Result<(i64, Session), sqlx::Error> {
    let session = Session {
        id: row.try_get("id")?,
        epoch: row.try_get("epoch")?,
        name: row.try_get("name")?,
        created_ms: unsigned(row, "created_ms")?,
        updated_ms: unsigned(row, "updated_ms")?,
        head: unsigned(row, "head")?,
        seq: unsigned(row, "seq")?,
        messages: unsigned(row, "messages")?,
    };
    Ok((row.try_get("key")?, session))
}

fn record_of(row: &SqliteRow) -> Result<(u64, Record), StoreError> {
    let number: i64 = row.try_get("kind")?;
    let kind = RecordKind::from_number(number)
        .ok_or_else(|| StoreError::Corrupt(format!("a record of the unknown kind {number}")))?;
    let seq: Option<i64> = row.try_get("seq")?;
    let record = Record {
        kind,
        seq: seq.and_then(|seq| u64::try_from(seq).ok()),
        body: row.try_get("body")?,
        passage: None,
    };
    Ok((position_of(row.try_get("id")?), record))
}

/// The existing sessions among `ids`, with their keys.
pub(super) async fn sessions<'a>(
    connection: &mut SqliteConnection,
    ids: impl Iterator<Item = &'a str>,
) -> Result<Vec<(i64, Session)>, StoreError> {
    let mut statement = QueryBuilder::<Sqlite>::new(SESSIONS);
    statement.push(" WHERE id IN (");
    let mut listed = statement.separated(", ");
    let mut count = 0;
    for id in ids {
        listed.push_bind(id);
        count += 1;
    }
    statement.push(")");
    let rows = statement.build().persistent(count <= 8).fetch_all(connection).await?;
    Ok(rows.iter().map(session_of).collect::<Result<_, _>>()?)
}

/// The session and its key.
pub(super) async fn session(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Option<(i64, Session)>, StoreError> {
    Ok(sessions(connection, std::iter::once(id)).await?.pop())
}

pub(super) async fn load(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Option<Stored>, StoreError> {
    let mut transaction = connection.begin().await?;
    let Some((key, session)) = session(&mut transaction, id).await? else {
        return Ok(None);
    };
    let snapshot = sqlx::query("SELECT position, body FROM snapshot WHERE session = ?")
        .bind(key)
        .fetch_optional(&mut *transaction)
        .await?;
    let snapshot = match snapshot {
        Some(row) => {
            Some(Snapshot { position: unsigned(&row, "position")?, body: row.try_get("body")? })
        }
        None => None,
    };
    let after = snapshot.as_ref().map_or(0, |snapshot| snapshot.position);
    let rows =
        sqlx::query("SELECT id, kind, seq, body FROM record WHERE id > ? AND id <= ? ORDER BY id")
            .bind(record_id(key, after))
            .bind(record_ids(key).1)
            .fetch_all(&mut *transaction)
            .await?;
    let records: Vec<_> = rows.iter().map(record_of).collect::<Result<_, _>>()?;
    // A log with a missing row must not look complete.
    if after + records.len() as u64 != session.head {
        return Err(StoreError::Corrupt(format!("records of session {id} are missing")));
    }
    Ok(Some(Stored { session, snapshot, records }))
}

pub(super) async fn records(
    connection: &mut SqliteConnection,
    id: &str,
    until: u64,
) -> Result<Vec<(u64, Record)>, StoreError> {
    let Some((key, _)) = session(connection, id).await? else {
        return Err(StoreError::UnknownSession(id.to_owned()));
    };
    let rows = sqlx::query(
        "SELECT id, kind, seq, body FROM record WHERE kind <> 0 AND id BETWEEN ? AND ? ORDER BY id",
    )
    .bind(record_ids(key).0)
    .bind(record_id(key, until))
    .fetch_all(connection)
    .await?;
    rows.iter().map(record_of).collect()
}

pub(super) async fn log(
    connection: &mut SqliteConnection,
    id: &str,
    after: u64,
    limit: usize,
    max_bytes: usize,
) -> Result<Vec<(u64, Record)>, StoreError> {
    let Some((key, _)) = session(connection, id).await? else {
        return Err(StoreError::UnknownSession(id.to_owned()));
    };
    let mut rows = sqlx::query(
        "SELECT id, kind, seq, body FROM record WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
    )
    .bind(record_id(key, after))
    .bind(record_ids(key).1)
    .bind(signed(limit as u64))
    .fetch(connection);
    let mut records = Vec::new();
    let mut bytes = 0;
    while bytes < max_bytes
        && let Some(row) = rows.try_next().await?
    {
        let (position, record) = record_of(&row)?;
        bytes += record.body.len();
        records.push((position, record));
    }
    Ok(records)
}

pub(super) async fn events(
    connection: &mut SqliteConnection,
    id: &str,
    after: u64,
    limit: usize,
    max_bytes: usize,
) -> Result<EventPage, StoreError> {
    let Some((key, session)) = session(connection, id).await? else {
        return Err(StoreError::UnknownSession(id.to_owned()));
    };
    let mut page = EventPage { events: Vec::new(), more: false };
    let mut bytes = 0;
    let mut last = after;
    let mut position = position_before_event(connection, key, &session, after).await?;
    /// Rows per query: enough to be fast, few enough to stop soon after `max_bytes`.
    const ROWS: usize = 1_000;
    while last < session.seq && page.events.len() < limit && bytes < max_bytes {
        let rows = sqlx::query(
            "SELECT id, seq, body FROM record WHERE id > ? AND id <= ? AND seq IS NOT NULL
             ORDER BY id LIMIT ?",
        )
        .bind(record_id(key, position))
        .bind(record_ids(key).1)
        .bind(signed(ROWS.min(limit - page.events.len()) as u64))
        .fetch_all(&mut *connection)
        .await?;
        if rows.is_empty() {
            break;
        }
        for row in &rows {
            if bytes >= max_bytes && !page.events.is_empty() {
                break;
            }
            let body: String = row.try_get("body")?;
            bytes += body.len();
            last = unsigned(row, "seq")?;
            position = position_of(row.try_get("id")?);
            page.events.push((last, body));
        }
    }
    page.more = last < session.seq;
    Ok(page)
}

/// The position after which all events after number `after` come: a binary search, since numbers grow
/// with positions.
async fn position_before_event(
    connection: &mut SqliteConnection,
    key: i64,
    session: &Session,
    after: u64,
) -> Result<u64, StoreError> {
    // Each event takes a position, and so do the other records before it.
    let others = session.head.saturating_sub(session.seq);
    let (mut low, mut high) = (after, after.saturating_add(others).min(session.head));
    while low < high {
        let middle = low + (high - low) / 2;
        let next: Option<(i64,)> = sqlx::query_as(
            "SELECT seq FROM record WHERE id > ? AND id <= ? AND seq IS NOT NULL
             ORDER BY id LIMIT 1",
        )
        .bind(record_id(key, middle))
        .bind(record_ids(key).1)
        .fetch_optional(&mut *connection)
        .await?;
        match next {
            Some((seq,)) if seq <= signed(after) => low = middle + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}

/// An FTS5 query for the words of a search: each is quoted, so that none is an operator, and the last
/// one is a prefix, since users search while they type.
fn full_text(words: &str) -> Option<String> {
    let quoted: Vec<String> = words
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| format!("\"{word}\""))
        .collect();
    (!quoted.is_empty()).then(|| format!("{}*", quoted.join(" ")))
}

pub(super) async fn list(
    connection: &mut SqliteConnection,
    listing: &Listing,
) -> Result<Vec<Listed>, StoreError> {
    let (limit, offset) = (signed(listing.limit as u64), signed(listing.offset as u64));
    let rows = match listing.words.as_deref().map(full_text) {
        None => {
            sqlx::query(
                "SELECT *, NULL AS excerpt FROM session WHERE seq > 0
                 ORDER BY updated_ms DESC, key DESC LIMIT ? OFFSET ?",
            )
            .bind(limit)
            .bind(offset)
            .fetch_all(connection)
            .await?
        }
        Some(None) => Vec::new(),
        Some(Some(full_text)) => {
            let pattern = listing.words.as_deref().unwrap_or_default().trim();
            let pattern = pattern.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
            sqlx::query(
                "SELECT session.*, (
                    SELECT snippet(passage, 0, '', '', '…', 16) FROM passage
                    WHERE passage MATCH ?1 AND rowid >> 40 = session.key ORDER BY rank LIMIT 1
                 ) AS excerpt
                 FROM session WHERE seq > 0 AND (name LIKE ?2 ESCAPE '\\' OR key IN (
                    SELECT rowid >> 40 FROM passage WHERE passage MATCH ?1))
                 ORDER BY updated_ms DESC, key DESC LIMIT ?3 OFFSET ?4",
            )
            .bind(full_text)
            .bind(format!("%{pattern}%"))
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
    connection: &mut SqliteConnection,
    query: &str,
    limit: usize,
) -> Result<Vec<Passage>, StoreError> {
    let Some(full_text) = full_text(query) else { return Ok(Vec::new()) };
    let rows = sqlx::query(
        "SELECT passage.rowid AS record, session.id AS id, session.name AS name,
                snippet(passage, 0, '', '', '…', 48) AS excerpt
         FROM passage JOIN session ON session.key = passage.rowid >> 40
         WHERE passage MATCH ? AND session.seq > 0 ORDER BY rank LIMIT ?",
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
                position: position_of(row.try_get("record")?),
                excerpt: row.try_get("excerpt")?,
            })
        })
        .collect()
}

fn capability_of(row: &SqliteRow) -> Result<Capability, StoreError> {
    let name: String = row.try_get("access")?;
    let access = Access::from_name(&name)
        .ok_or_else(|| StoreError::Corrupt(format!("a capability of the unknown kind '{name}'")))?;
    Ok(Capability {
        token: row.try_get("token")?,
        session: row.try_get("session")?,
        access,
        created_ms: unsigned(row, "created_ms")?,
    })
}

pub(super) async fn capability(
    connection: &mut SqliteConnection,
    token: &str,
) -> Result<Option<Capability>, StoreError> {
    let row = sqlx::query(
        "SELECT token, session.id AS session, access, capability.created_ms AS created_ms
         FROM capability JOIN session ON session.key = capability.session WHERE token = ?",
    )
    .bind(token)
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(capability_of).transpose()
}

pub(super) async fn capabilities(
    connection: &mut SqliteConnection,
    id: &str,
) -> Result<Vec<Capability>, StoreError> {
    let rows = sqlx::query(
        "SELECT token, session.id AS session, access, capability.created_ms AS created_ms
         FROM capability JOIN session ON session.key = capability.session WHERE session.id = ?
         ORDER BY capability.created_ms, token",
    )
    .bind(id)
    .fetch_all(connection)
    .await?;
    rows.iter().map(capability_of).collect()
}

pub(super) async fn unused(
    connection: &mut SqliteConnection,
    before_ms: u64,
) -> Result<Vec<String>, StoreError> {
    let rows = sqlx::query_as("SELECT id FROM session WHERE seq = 0 AND created_ms < ?")
        .bind(signed(before_ms))
        .fetch_all(connection);
    Ok(rows.await?.into_iter().map(|(id,): (String,)| id).collect())
}

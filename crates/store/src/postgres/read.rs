//! Queries. Data that must be consistent is read in one transaction.

use futures_util::TryStreamExt;
use sqlx::Row;
use sqlx::postgres::{PgConnection, PgRow};

use crate::error::StoreError;
use crate::numbers::signed;
use crate::record::{Access, Capability, EventPage, Record, RecordKind, Session, Snapshot, Stored};

use super::text::text;

pub(super) fn unsigned(row: &PgRow, column: &str) -> Result<u64, sqlx::Error> {
    Ok(u64::try_from(row.try_get::<i64, _>(column)?).unwrap_or(0))
}

fn body_of(row: &PgRow) -> Result<String, StoreError> {
    let bytes: Vec<u8> = row.try_get("body")?;
    String::from_utf8(bytes).map_err(|_| StoreError::Corrupt("a record that is no text".into()))
}

pub(super) fn session_of(row: &PgRow) -> Result<(i64, Session), sqlx::Error> {
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

fn record_of(row: &PgRow) -> Result<(u64, Record), StoreError> {
    let number: i16 = row.try_get("kind")?;
    let kind = RecordKind::from_number(number.into())
        .ok_or_else(|| StoreError::Corrupt(format!("a record of the unknown kind {number}")))?;
    let seq: Option<i64> = row.try_get("seq")?;
    let seq = seq.and_then(|seq| u64::try_from(seq).ok());
    Ok((unsigned(row, "position")?, Record { kind, seq, body: body_of(row)?, passage: None }))
}

/// What others may do with a session until the transaction ends.
#[derive(Clone, Copy)]
pub(super) enum Lock {
    /// Everything.
    None,
    /// Everything but deleting it.
    Existing,
    /// Reading.
    Unchanged,
}

/// The session and its key.
pub(super) async fn session(
    connection: &mut PgConnection,
    id: &str,
    lock: Lock,
) -> Result<Option<(i64, Session)>, StoreError> {
    let statement = match lock {
        Lock::None => "SELECT * FROM session WHERE id = $1",
        Lock::Existing => "SELECT * FROM session WHERE id = $1 FOR KEY SHARE",
        Lock::Unchanged => "SELECT * FROM session WHERE id = $1 FOR UPDATE",
    };
    let row = sqlx::query(statement).bind(text(id)).fetch_optional(connection).await?;
    Ok(row.as_ref().map(session_of).transpose()?)
}

async fn known(connection: &mut PgConnection, id: &str) -> Result<(i64, Session), StoreError> {
    let found = session(connection, id, Lock::None).await?;
    found.ok_or_else(|| StoreError::UnknownSession(id.to_owned()))
}

pub(super) async fn load(
    connection: &mut PgConnection,
    id: &str,
) -> Result<Option<Stored>, StoreError> {
    // No transaction: a reader that gives up while one begins would leave it open on a connection that others use.
    // This sees one moment, and records up to its head stay as they are.
    let row = sqlx::query(
        "SELECT session.*, snapshot.position, snapshot.body
         FROM session LEFT JOIN snapshot ON snapshot.session = session.key WHERE session.id = $1",
    )
    .bind(text(id))
    .fetch_optional(&mut *connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let (key, session) = session_of(&row)?;
    let snapshot = match row.try_get::<Option<i64>, _>("position")? {
        Some(_) => Some(Snapshot { position: unsigned(&row, "position")?, body: body_of(&row)? }),
        None => None,
    };
    let after = snapshot.as_ref().map_or(0, |snapshot| snapshot.position);
    let rows = sqlx::query(
        "SELECT position, kind, seq, body FROM record
         WHERE session = $1 AND position > $2 AND position <= $3 ORDER BY position",
    )
    .bind(key)
    .bind(signed(after))
    .bind(signed(session.head))
    .fetch_all(&mut *connection)
    .await?;
    let records: Vec<_> = rows.iter().map(record_of).collect::<Result<_, _>>()?;
    // A log with a missing row must not look complete, unless the session was deleted meanwhile.
    if after + records.len() as u64 != session.head {
        if self::session(connection, id, Lock::None).await?.is_none() {
            return Ok(None);
        }
        return Err(StoreError::Corrupt(format!("records of session {id} are missing")));
    }
    Ok(Some(Stored { session, snapshot, records }))
}

pub(super) async fn records(
    connection: &mut PgConnection,
    id: &str,
    until: u64,
) -> Result<Vec<(u64, Record)>, StoreError> {
    let (key, _) = known(connection, id).await?;
    let rows = sqlx::query(
        "SELECT position, kind, seq, body FROM record
         WHERE session = $1 AND position <= $2 AND kind <> 0 ORDER BY position",
    )
    .bind(key)
    .bind(signed(until))
    .fetch_all(connection)
    .await?;
    rows.iter().map(record_of).collect()
}

pub(super) async fn log(
    connection: &mut PgConnection,
    id: &str,
    after: u64,
    limit: usize,
    max_bytes: usize,
) -> Result<Vec<(u64, Record)>, StoreError> {
    let (key, _) = known(connection, id).await?;
    let mut records: Vec<(u64, Record)> = Vec::new();
    let mut bytes = 0;
    while bytes < max_bytes && records.len() < limit {
        let last = records.last().map_or(after, |(position, _)| *position);
        let rows = sqlx::query(
            "SELECT position, kind, seq, body FROM record
             WHERE session = $1 AND position > $2 ORDER BY position LIMIT $3",
        )
        .bind(key)
        .bind(signed(last))
        .bind(signed(ROWS.min(limit - records.len()) as u64))
        .fetch_all(&mut *connection)
        .await?;
        if rows.is_empty() {
            break;
        }
        for row in &rows {
            if bytes >= max_bytes {
                break;
            }
            let (position, record) = record_of(row)?;
            bytes += record.body.len();
            records.push((position, record));
        }
    }
    Ok(records)
}

/// Rows per query where bytes are limited: enough to be fast, few enough to stop soon after them.
const ROWS: usize = 1_000;

pub(super) async fn events(
    connection: &mut PgConnection,
    id: &str,
    after: u64,
    limit: usize,
    max_bytes: usize,
) -> Result<EventPage, StoreError> {
    let (key, session) = known(connection, id).await?;
    let mut page = EventPage { events: Vec::new(), more: false };
    let mut bytes = 0;
    let mut last = after;
    while last < session.seq && page.events.len() < limit && bytes < max_bytes {
        // Each event takes a position, so none is at a position before its number.
        let rows = sqlx::query(
            "SELECT seq, body FROM record
             WHERE session = $1 AND position > $2 AND seq > $2 ORDER BY position LIMIT $3",
        )
        .bind(key)
        .bind(signed(last))
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
            let body = body_of(row)?;
            bytes += body.len();
            last = unsigned(row, "seq")?;
            page.events.push((last, body));
        }
    }
    page.more = last < session.seq;
    Ok(page)
}

fn capability_of(row: &PgRow) -> Result<Capability, StoreError> {
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
    connection: &mut PgConnection,
    token: &str,
) -> Result<Option<Capability>, StoreError> {
    let row = sqlx::query(
        "SELECT token, session.id AS session, access, capability.created_ms AS created_ms
         FROM capability JOIN session ON session.key = capability.session WHERE token = $1",
    )
    .bind(text(token))
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(capability_of).transpose()
}

pub(super) async fn capabilities(
    connection: &mut PgConnection,
    id: &str,
) -> Result<Vec<Capability>, StoreError> {
    let rows = sqlx::query(
        "SELECT token, session.id AS session, access, capability.created_ms AS created_ms
         FROM capability JOIN session ON session.key = capability.session WHERE session.id = $1
         ORDER BY capability.created_ms, token",
    )
    .bind(text(id))
    .fetch_all(connection)
    .await?;
    rows.iter().map(capability_of).collect()
}

pub(super) async fn unused(
    connection: &mut PgConnection,
    before_ms: u64,
) -> Result<Vec<String>, StoreError> {
    let rows = sqlx::query_scalar("SELECT id FROM session WHERE seq = 0 AND created_ms < $1")
        .bind(signed(before_ms))
        .fetch(connection);
    Ok(rows.try_collect().await?)
}

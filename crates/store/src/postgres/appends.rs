//! Batched appends: queued appends of all sessions are written by a few statements.

use std::collections::{BTreeSet, HashMap};

use sqlx::Row;
use sqlx::postgres::PgConnection;

use crate::error::StoreError;
use crate::numbers::signed;
use crate::record::{Append, Record, Session};
use crate::tenure::check_term;
use crate::writer::follow;

use super::assets;
use super::read::{session_of, unsigned};
use super::text::{text, words};

/// About the most bytes of one statement: it is in memory here and in the database.
const BYTES_PER_STATEMENT: usize = 32 * 1024 * 1024;

/// The state of a session after the appends so far.
struct Writing {
    key: i64,
    session: Session,
    /// The term of its owner.
    owner: Option<u64>,
    is_changed: bool,
}

/// A record with the key of its session and its position.
type Placed<'a> = (i64, u64, &'a Record);

/// Writes all appends that follow the newest position of their session and refer to known assets. The
/// others are rejected and change nothing; the outer error is a failure of the store.
pub(super) async fn append_all(
    connection: &mut PgConnection,
    appends: &[&Append],
) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let mut sessions = lock_sessions(connection, appends).await?;
    let named = appends.iter().flat_map(|append| &append.assets).map(String::as_str).collect();
    let known = assets::known(connection, named).await?;
    let mut records = Vec::new();
    let mut uses = Vec::new();
    let answers = appends
        .iter()
        .map(|append| {
            let writing = sessions
                .get_mut(&*text(&append.session))
                .ok_or_else(|| StoreError::UnknownSession(append.session.clone()))?;
            if let Some(unknown) = append.assets.iter().find(|asset| !known.contains(*asset)) {
                return Err(StoreError::UnknownAsset(unknown.clone()));
            }
            check_term(append, writing.owner)?;
            follow(&mut writing.session, append)?;
            writing.is_changed = true;
            let positions = append.after + 1..;
            let placed = positions.zip(&append.records);
            records.extend(placed.map(|(position, record)| (writing.key, position, record)));
            uses.extend(append.assets.iter().map(|asset| (writing.key, asset.as_str())));
            Ok(())
        })
        .collect();
    for part in parts(&records) {
        insert_records(connection, part).await?;
        insert_passages(connection, part).await?;
    }
    assets::insert_uses(connection, &uses).await?;
    let changed: Vec<_> = sessions.values().filter(|writing| writing.is_changed).collect();
    update_sessions(connection, &changed).await?;
    Ok(answers)
}

/// The sessions that are appended to. Nobody else changes them until the transaction ends.
async fn lock_sessions(
    connection: &mut PgConnection,
    appends: &[&Append],
) -> Result<HashMap<String, Writing>, StoreError> {
    let ids: BTreeSet<_> = appends.iter().map(|append| text(&append.session)).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    // In one order, so that two servers do not wait for each other.
    let rows =
        sqlx::query("SELECT * FROM session WHERE id = ANY($1) ORDER BY key FOR NO KEY UPDATE")
            .bind(ids)
            .fetch_all(connection)
            .await?;
    rows.iter()
        .map(|row| {
            let (key, session) = session_of(row)?;
            let is_owned = row.try_get::<Option<&str>, _>("owner")?.is_some();
            let owner = is_owned.then(|| unsigned(row, "term")).transpose()?;
            Ok((session.id.clone(), Writing { key, session, owner, is_changed: false }))
        })
        .collect()
}

/// The records in parts that fit a statement each.
fn parts<'a, 'b>(records: &'b [Placed<'a>]) -> Vec<&'b [Placed<'a>]> {
    let mut parts = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (index, (_, _, record)) in records.iter().enumerate() {
        let size = record.body.len() + record.passage.as_ref().map_or(0, String::len);
        if index > start && bytes + size > BYTES_PER_STATEMENT {
            parts.push(&records[start..index]);
            (start, bytes) = (index, 0);
        }
        bytes += size;
    }
    if start < records.len() {
        parts.push(&records[start..]);
    }
    parts
}

async fn insert_records(
    connection: &mut PgConnection,
    records: &[Placed<'_>],
) -> Result<(), StoreError> {
    let column = |of: fn(&Placed<'_>) -> i64| records.iter().map(of).collect::<Vec<i64>>();
    let seqs: Vec<Option<i64>> = records.iter().map(|(_, _, it)| it.seq.map(signed)).collect();
    let bodies: Vec<&[u8]> = records.iter().map(|(_, _, it)| it.body.as_bytes()).collect();
    sqlx::query(
        "INSERT INTO record (session, position, kind, seq, body)
         SELECT * FROM UNNEST($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[])",
    )
    .bind(column(|(key, _, _)| *key))
    .bind(column(|(_, position, _)| signed(*position)))
    .bind(column(|(_, _, record)| record.kind.number()))
    .bind(seqs)
    .bind(bodies)
    .execute(connection)
    .await?;
    Ok(())
}

async fn insert_passages(
    connection: &mut PgConnection,
    records: &[Placed<'_>],
) -> Result<(), StoreError> {
    let passages: Vec<(i64, i64, &str)> = records
        .iter()
        .filter_map(|(key, position, record)| {
            Some((*key, signed(*position), record.passage.as_deref()?))
        })
        .collect();
    if passages.is_empty() {
        return Ok(());
    }
    let keys: Vec<i64> = passages.iter().map(|(key, _, _)| *key).collect();
    let positions: Vec<i64> = passages.iter().map(|(_, position, _)| *position).collect();
    let texts: Vec<_> = passages.iter().map(|(_, _, said)| text(said)).collect();
    let searched: Vec<String> = passages.iter().map(|(_, _, said)| words(said)).collect();
    sqlx::query(
        "INSERT INTO passage (session, position, text, words)
         SELECT session, position, text, to_tsvector('scene_words', searched)
         FROM UNNEST($1::bigint[], $2::bigint[], $3::text[], $4::text[])
              AS new (session, position, text, searched)",
    )
    .bind(keys)
    .bind(positions)
    .bind(texts)
    .bind(searched)
    .execute(connection)
    .await?;
    Ok(())
}

async fn update_sessions(
    connection: &mut PgConnection,
    changed: &[&Writing],
) -> Result<(), StoreError> {
    if changed.is_empty() {
        return Ok(());
    }
    let column = |of: fn(&Session) -> u64| {
        changed.iter().map(|writing| signed(of(&writing.session))).collect::<Vec<i64>>()
    };
    let keys: Vec<i64> = changed.iter().map(|writing| writing.key).collect();
    let epochs: Vec<_> = changed.iter().map(|writing| text(&writing.session.epoch)).collect();
    let names: Vec<_> = changed.iter().map(|writing| text(&writing.session.name)).collect();
    sqlx::query(
        "UPDATE session SET epoch = new.epoch, name = new.name, updated_ms = new.updated_ms,
                head = new.head, seq = new.seq, messages = new.messages
         FROM UNNEST($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[],
                     $7::bigint[]) AS new (key, epoch, name, updated_ms, head, seq, messages)
         WHERE session.key = new.key",
    )
    .bind(keys)
    .bind(epochs)
    .bind(names)
    .bind(column(|session| session.updated_ms))
    .bind(column(|session| session.head))
    .bind(column(|session| session.seq))
    .bind(column(|session| session.messages))
    .execute(connection)
    .await?;
    Ok(())
}

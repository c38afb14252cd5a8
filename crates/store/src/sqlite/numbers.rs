//! Ids of records: a session's key and a position in one integer.

/// Bits of a record's id that hold its position.
const POSITION_BITS: u32 = 40;

/// The range of record ids of a session.
pub(super) fn record_ids(key: i64) -> (i64, i64) {
    (record_id(key, 0), record_id(key + 1, 0) - 1)
}

pub(super) fn record_id(key: i64, position: u64) -> i64 {
    (key << POSITION_BITS) | i64::try_from(position).unwrap_or(i64::MAX)
}

pub(super) fn position_of(record_id: i64) -> u64 {
    (record_id as u64) & ((1 << POSITION_BITS) - 1)
}

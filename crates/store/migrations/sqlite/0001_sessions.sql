-- Sessions, and what happened in each.

CREATE TABLE session (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    -- Names the numbering of the events; changes only when a log was lost or replaced.
    epoch TEXT NOT NULL,
    name TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    updated_ms INTEGER NOT NULL,
    -- Position of the newest record; an append is conditional on it.
    head INTEGER NOT NULL,
    -- Number of the newest event.
    seq INTEGER NOT NULL,
    -- Messages of the person.
    messages INTEGER NOT NULL
) STRICT;

-- The newest first, as lists show them.
CREATE INDEX session_updated ON session (updated_ms);

CREATE TABLE record (
    -- The session's key in the upper bits, the position in the lower 40: the records of a session
    -- lie together, in order, without a second index.
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    -- Number of the event, for what clients see.
    seq INTEGER,
    body TEXT NOT NULL
) STRICT;

-- The events after a number.
CREATE UNIQUE INDEX record_seq ON record (id >> 40, seq) WHERE seq IS NOT NULL;
-- History and scenes without the events between them.
CREATE INDEX record_not_event ON record (id) WHERE kind <> 0;

CREATE TABLE snapshot (
    session INTEGER PRIMARY KEY REFERENCES session (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;

-- What was said, for full-text search; the rowid is the record's id.
CREATE VIRTUAL TABLE passage USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2');

-- Who may do what with a session, besides those who know its id.
CREATE TABLE capability (
    token TEXT PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
    access TEXT NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX capability_session ON capability (session);

-- The assets a session ever referred to: its past can be gone back to, so they are kept.
CREATE TABLE asset_use (
    session INTEGER NOT NULL REFERENCES session (key) ON DELETE CASCADE,
    asset TEXT NOT NULL,
    PRIMARY KEY (session, asset)
) STRICT, WITHOUT ROWID;
CREATE INDEX asset_use_asset ON asset_use (asset);

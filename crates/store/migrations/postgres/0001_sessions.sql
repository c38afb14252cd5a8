-- Sessions, and what happened in each.

CREATE TABLE session (
    key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    -- Names the numbering of the events; changes only when a log was lost or replaced.
    epoch TEXT NOT NULL,
    name TEXT NOT NULL,
    created_ms BIGINT NOT NULL,
    updated_ms BIGINT NOT NULL,
    -- Position of the newest record; an append is conditional on it.
    head BIGINT NOT NULL,
    -- Number of the newest event.
    seq BIGINT NOT NULL,
    -- Messages of the person.
    messages BIGINT NOT NULL
);

-- The newest first, as lists show them.
CREATE INDEX session_updated ON session (updated_ms DESC, key DESC) WHERE seq > 0;

CREATE TABLE record (
    session BIGINT NOT NULL,
    position BIGINT NOT NULL,
    kind SMALLINT NOT NULL,
    -- Number of the event, for what clients see.
    seq BIGINT,
    -- UTF-8. Not TEXT, which refuses the character of number 0.
    body BYTEA NOT NULL,
    PRIMARY KEY (session, position)
);

CREATE TABLE snapshot (
    session BIGINT PRIMARY KEY REFERENCES session (key) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    body BYTEA NOT NULL
);

-- Words without their endings, and none left out as too frequent: whoever looks for "the" finds it.
CREATE TEXT SEARCH DICTIONARY scene_stem (TEMPLATE = pg_catalog.snowball, LANGUAGE = porter);
CREATE TEXT SEARCH CONFIGURATION scene_words (PARSER = pg_catalog."default");
ALTER TEXT SEARCH CONFIGURATION scene_words
    ADD MAPPING FOR asciiword, word, numword WITH scene_stem;
ALTER TEXT SEARCH CONFIGURATION scene_words
    ADD MAPPING FOR int, uint, float, sfloat WITH pg_catalog.simple;

-- What was said, for full-text search.
CREATE TABLE passage (
    session BIGINT NOT NULL,
    position BIGINT NOT NULL,
    text TEXT NOT NULL,
    words TSVECTOR NOT NULL,
    PRIMARY KEY (session, position)
);
CREATE INDEX passage_words ON passage USING gin (words);

-- The part of a text around what is wanted, at most so many words; dots tell that there is more.
CREATE FUNCTION scene_excerpt(text TEXT, wanted TSQUERY, words INTEGER) RETURNS TEXT
LANGUAGE sql STABLE AS $$
    SELECT concat(
        CASE WHEN NOT starts_with(text, part) THEN '…' END,
        part,
        CASE WHEN right(text, length(part)) <> part THEN '…' END
    )
    FROM (SELECT ts_headline('scene_words', text, wanted, format(
        'StartSel="", StopSel="", MaxWords=%s, MinWords=%s, ShortWord=0', words, words / 2
    )) AS part) AS found
$$;

-- Who may do what with a session, besides those who know its id.
CREATE TABLE capability (
    token TEXT COLLATE "C" PRIMARY KEY,
    session BIGINT NOT NULL REFERENCES session (key) ON DELETE CASCADE,
    access TEXT NOT NULL,
    created_ms BIGINT NOT NULL
);
CREATE INDEX capability_session ON capability (session);

-- What is known of uploaded files. Their bytes are kept apart from this database, by the same hash.
CREATE TABLE asset (
    -- SHA-256 of the content, in hexadecimal digits.
    hash TEXT COLLATE "C" PRIMARY KEY,
    -- What people call it; may be empty.
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    -- What the file holds, in the words of whoever checked it.
    facts TEXT NOT NULL,
    -- When it was last uploaded: what no session uses is kept for a while after that.
    uploaded_ms BIGINT NOT NULL
);

-- The assets a session ever referred to: its past can be gone back to, so they are kept.
CREATE TABLE asset_use (
    session BIGINT NOT NULL REFERENCES session (key) ON DELETE CASCADE,
    asset TEXT COLLATE "C" NOT NULL REFERENCES asset (hash),
    PRIMARY KEY (session, asset)
);
CREATE INDEX asset_use_asset ON asset_use (asset);

-- The newest batch that each writer has committed. One whose connection was lost during a commit learns
-- here how it ended.
CREATE TABLE writer (
    id TEXT PRIMARY KEY,
    batch BIGINT NOT NULL,
    written_at TIMESTAMPTZ NOT NULL
);

-- What is known of uploaded files. Their bytes are kept apart from this file, by the same hash.

CREATE TABLE asset (
    -- SHA-256 of the content, in hexadecimal digits.
    hash TEXT PRIMARY KEY,
    -- What people call it; may be empty.
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    -- What the file holds, in the words of whoever checked it.
    facts TEXT NOT NULL,
    -- When it was last uploaded: what no session uses is kept for a while after that.
    uploaded_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What servers on this database know and nobody else: by it one tells another that a request is one it sends on.

CREATE TABLE cluster (
    secret TEXT NOT NULL
);
INSERT INTO cluster (secret) VALUES (gen_random_uuid()::text);

-- The servers that use this database, and who owns which session.

CREATE TABLE node (
    -- One life of a server: it begins another one when its lease was over.
    id TEXT PRIMARY KEY,
    -- Where the server listens.
    address TEXT NOT NULL,
    -- By the clock of the database.
    lease_until TIMESTAMPTZ NOT NULL,
    -- The advisory lock that the server holds as long as its process lives.
    life INTEGER GENERATED ALWAYS AS IDENTITY
);

-- Whether a server may still act for its sessions: its lease runs, and its process holds its lock.
CREATE FUNCTION node_is_alive(wanted TEXT) RETURNS BOOLEAN
LANGUAGE sql VOLATILE AS $$
    SELECT EXISTS (
        SELECT 1 FROM node JOIN pg_locks ON objid::bigint = life
        WHERE node.id = wanted AND lease_until > clock_timestamp()
        AND locktype = 'advisory' AND classid = 380062 AND objsubid = 2 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    )
$$;

ALTER TABLE session
    ADD COLUMN owner TEXT,
    -- Higher with each owner; an append names it.
    ADD COLUMN term BIGINT NOT NULL DEFAULT 0;
-- Few sessions have an owner: those in use.
CREATE INDEX session_owner ON session (owner) WHERE owner IS NOT NULL;

-- Files that nobody names any more, on their way out; see core/src/assets/life. Whoever lets go of a file writes it here
-- in the same transaction; whether somebody else still names it is found out when its time has come.

CREATE TABLE orphaned_files (
    content     text        NOT NULL,
    orphaned_at timestamptz NOT NULL,
    -- When it is looked at next. Whoever takes it moves this forward, so that no two nodes have it at once.
    look_at     timestamptz NOT NULL,
    -- Since when its bytes stand aside, to be taken back where somebody began to name them meanwhile.
    aside_at    timestamptz,
    -- Counts how often it was let go: what was decided before the last time does not count.
    revision    bigint      NOT NULL DEFAULT 0,
    CONSTRAINT orphaned_files_pkey PRIMARY KEY (content),
    CONSTRAINT orphaned_files_content_is_sha256 CHECK (content ~ '^[0-9a-f]{64}$')
);
CREATE INDEX orphaned_files_due ON orphaned_files (look_at);
CREATE INDEX orphaned_files_age ON orphaned_files (orphaned_at);

-- The walk over the whole store, once a day by one node: what it found there last. One row for the installation.
CREATE TABLE file_walks (
    one          boolean     PRIMARY KEY DEFAULT true CHECK (one),
    began_at     timestamptz NOT NULL,
    ended_at     timestamptz,
    stored_files bigint      NOT NULL DEFAULT 0,
    stored_bytes bigint      NOT NULL DEFAULT 0
);
INSERT INTO file_walks (began_at) VALUES ('1970-01-01T00:00:00Z');

-- What was deleted until now left its bytes behind.
INSERT INTO orphaned_files (content, orphaned_at, look_at)
    SELECT content, now(), now() FROM assets WHERE deleted_at IS NOT NULL
    UNION
    SELECT content, now(), now() FROM output_assets WHERE deleted_at IS NOT NULL AND content ~ '^[0-9a-f]{64}$'
    ON CONFLICT (content) DO NOTHING;

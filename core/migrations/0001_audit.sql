-- How keys, checks and indexes are called, here and in every migration.
--
-- Where PostgreSQL chooses a name that tells what it is, none is written: `table_pkey`, `table_column_fkey`,
-- `table_columns_key` for keys, and `table_column_check` for the one check of a column. The others are written out:
--   table_what_holds_check    a check over several columns
--   table_what_for_key        a unique index that no key can say: of some rows, of an expression, in an order
--   table_what_for_idx        any other index
--
-- A column that names a row of another table has a foreign key, or a comment that says why it has none.

-- What admins did. A row is one act, with its thing before and after it. Rows are added and never changed or taken
-- away. No foreign keys: the log outlives what it names, and things of all rooms are among them.
CREATE TABLE audit_entries (
    id         uuid        PRIMARY KEY,
    -- NULL for the command line of the platform.
    admin_id   uuid,
    -- "noun.verb", as in workflow.delete. No closed list: a node passes over actions that only later ones know.
    action     text        NOT NULL,
    -- What it was done to: a thing of the action's noun.
    target_id  uuid        NOT NULL,
    -- Whose it was.
    person_id  uuid,
    before     jsonb       NOT NULL,
    after      jsonb       NOT NULL,
    request_id text,
    address    text,
    created_at timestamptz NOT NULL
);
-- One for each thing that the log is searched by.
CREATE INDEX audit_entries_admin_idx ON audit_entries (admin_id, id DESC);
CREATE INDEX audit_entries_action_idx ON audit_entries (action, id DESC);
CREATE INDEX audit_entries_target_idx ON audit_entries (target_id, id DESC);
CREATE INDEX audit_entries_person_idx ON audit_entries (person_id, id DESC) WHERE person_id IS NOT NULL;
CREATE INDEX audit_entries_created_at_idx ON audit_entries (created_at);

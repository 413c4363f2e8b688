-- What admins did. Rows are added and never changed or taken away.

CREATE TABLE audit_entries (
    id         uuid        PRIMARY KEY,
    -- NULL for the command line of the platform.
    admin_id   uuid,
    -- "noun.verb", as in workflow.delete.
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
CREATE INDEX audit_entries_admin_idx ON audit_entries (admin_id, id DESC);
CREATE INDEX audit_entries_action_idx ON audit_entries (action, id DESC);
CREATE INDEX audit_entries_target_idx ON audit_entries (target_id, id DESC);
CREATE INDEX audit_entries_person_idx ON audit_entries (person_id, id DESC) WHERE person_id IS NOT NULL;
CREATE INDEX audit_entries_created_at_idx ON audit_entries (created_at);

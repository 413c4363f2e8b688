-- Unsaved graphs of the editor: one for each user and workflow, and one for each user's project that is no workflow yet.

CREATE TABLE workflow_drafts (
    user_id      uuid        NOT NULL REFERENCES users ON DELETE CASCADE,
    -- NULL for a project that was never saved.
    workflow_id  uuid        REFERENCES workflows ON DELETE CASCADE,
    name         text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),
    -- `json` and not `jsonb`, so that numbers and key order are kept.
    ui_graph     json        NOT NULL,
    -- The version of the workflow that the draft changes.
    base_version integer     CHECK (base_version > 0),
    -- Changes with each write. A page that names another one does not know the stored draft.
    revision     uuid        NOT NULL,
    -- The page that wrote it: each load of the editor has its own.
    page         text        NOT NULL CHECK (char_length(page) BETWEEN 1 AND 64),
    updated_at   timestamptz NOT NULL,
    CONSTRAINT workflow_drafts_base_check CHECK (workflow_id IS NOT NULL OR base_version IS NULL)
);
CREATE UNIQUE INDEX workflow_drafts_key ON workflow_drafts (user_id, workflow_id) NULLS NOT DISTINCT;
-- The drafts of a deleted workflow.
CREATE INDEX workflow_drafts_workflow_idx ON workflow_drafts (workflow_id);
-- The oldest drafts of a user, which make place for new ones.
CREATE INDEX workflow_drafts_updated_idx ON workflow_drafts (user_id, updated_at);

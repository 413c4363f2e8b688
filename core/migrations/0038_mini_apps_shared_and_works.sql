-- Whom a mini app is shared with: they run it although its workflow is private.
CREATE TABLE workflow_api_shares (
    id              uuid        PRIMARY KEY,
    workflow_api_id uuid        NOT NULL REFERENCES workflow_apis ON DELETE CASCADE,
    -- No foreign key: the rows of people stay for good.
    user_id         uuid        NOT NULL,
    created_at      timestamptz NOT NULL,
    CONSTRAINT workflow_api_shares_pair_key UNIQUE (workflow_api_id, user_id)
);
-- What somebody is shared, newest first.
CREATE INDEX workflow_api_shares_user_idx ON workflow_api_shares (user_id, id DESC);

-- Whether some worker can run an app as things are: with its workflow, where lists are filtered by it. NULL while that is
-- not known: it was saved a moment ago, or those who could are away.
ALTER TABLE workflows ADD COLUMN app_works boolean;
ALTER TABLE workflow_apis
    -- When that was looked at, and when it is to be looked at again.
    ADD COLUMN works_checked_at timestamptz,
    ADD COLUMN works_due_at     timestamptz NOT NULL DEFAULT '-infinity',
    -- What the nearest worker lacks: {"classes": […], "models": […]}.
    ADD COLUMN missing          jsonb,
    -- Whether it has worked since its author was told that it does not.
    ADD COLUMN has_worked       boolean     NOT NULL DEFAULT false;
CREATE INDEX workflow_apis_works_due_idx ON workflow_apis (works_due_at) WHERE deleted_at IS NULL;
